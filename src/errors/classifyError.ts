import type { ErrorCode } from '../protocol/codes.ts';
import { readBoolean, readField, readName, readTexts } from '../protocol/readField.ts';
import { isReason } from '../protocol/reasons.ts';
import { extractErrorMessage } from './extractErrorMessage.ts';
import { HelixError, isHelixError } from './HelixError.ts';
import { isAbort } from './networkFailure.ts';

/** What an error's name says of it. Names, because a class does not survive a worker boundary. */
const CODE_BY_NAME: Readonly<Record<string, ErrorCode>> = {
  StaleStateError: 'state_concurrency_conflict',
  FencingTokenMismatchError: 'state_concurrency_conflict',
  StepCommitConflictError: 'state_concurrency_conflict',
  AgentAlreadyRunningError: 'state_already_running',
  RunStartConflictError: 'state_already_running',
  RunSupersededError: 'state_run_superseded',
  RunStartRejectedError: 'state_run_start_conflict',
  CommitStoppedError: 'state_commit_stopped',
  AgentNotResumableError: 'state_not_resumable',
  ResumeRefusedError: 'state_not_resumable',
  RequestKeyConflictError: 'state_request_key_conflict',
  RequestAlreadyCompletedError: 'state_request_already_completed',
  RunStartAbandonedError: 'transport_error',
  RunStartOutcomeUnknownError: 'transport_error',
  RunStartStalledError: 'transport_error',
  StreamDropError: 'transport_stream_drop',
  RemoteAgentFailedError: 'transport_remote_agent_failed',
};

/** Any value as a HelixError: what is not recognised is `framework_internal_error`. Never throws. */
export function classifyError(error: unknown): HelixError {
  return (
    classifyKnownError(error) ??
    new HelixError({
      message: extractErrorMessage(error),
      code: 'framework_internal_error',
      cause: error,
    })
  );
}

/** The same by the same rules, but undefined for what is not recognised. Never throws. */
export function classifyKnownError(error: unknown): HelixError | undefined {
  if (isHelixError(error)) return error;
  const code = codeOf(error);
  if (code === undefined) return undefined;
  const reason = readField(error, 'reason');
  return new HelixError({
    message: extractErrorMessage(error),
    code,
    // A refused resume says for itself whether the missing answers may still come; a code's row cannot.
    retryable: code === 'state_not_resumable' ? readBoolean(error, 'retryable') : undefined,
    cause: error,
    reason: isReason(reason) ? reason : undefined,
    runId: readName(error, 'runId'),
    toolCallIds: readTexts(error, 'toolCallIds'),
  });
}

function codeOf(error: unknown): ErrorCode | undefined {
  if (isAbort(error)) return 'framework_cancelled';
  const name = readField(error, 'name');
  if (name === 'AgentResolutionError') return resolutionCode(error);
  if (typeof name === 'string' && Object.hasOwn(CODE_BY_NAME, name)) return CODE_BY_NAME[name];
  return readField(error, 'code') === 'state_commit_stopped' ? 'state_commit_stopped' : undefined;
}

function resolutionCode(error: unknown): ErrorCode {
  return readField(error, 'code') === 'framework_agent_not_found'
    ? 'framework_agent_not_found'
    : 'framework_agent_resolution_failed';
}
