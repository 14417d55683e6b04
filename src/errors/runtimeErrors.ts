import type { Reason } from '../protocol/reasons.ts';
import { HelixError, type HelixErrorInit } from './HelixError.ts';

// The error classes of a Helix runtime. `classifyError` knows them by name, so that one revived across a worker or
// workflow boundary classifies as a local one does.

/** The stream of a remote sub-agent ended without its end. */
export class StreamDropError extends Error {
  readonly remoteSessionId: string;
  /** Where to go on from. */
  readonly lastSequence: number;

  constructor(message: string, position: { remoteSessionId: string; lastSequence: number }) {
    super(message);
    this.name = 'StreamDropError';
    this.remoteSessionId = position.remoteSessionId;
    this.lastSequence = position.lastSequence;
  }
}

/** A remote sub-agent reported failure. */
export class RemoteAgentFailedError extends Error {
  readonly remoteSessionId: string;
  readonly remoteError: string;

  constructor(message: string, failure: { remoteSessionId: string; remoteError: string }) {
    super(message);
    this.name = 'RemoteAgentFailedError';
    this.remoteSessionId = failure.remoteSessionId;
    this.remoteError = failure.remoteError;
  }
}

/** The write's run is no longer the session's current live run. */
export class RunSupersededError extends Error {
  readonly code = 'state_run_superseded';
  readonly retryable = false;
  override readonly name = 'RunSupersededError';
}

/** Why a run-start commit was refused, other than by another live run. */
export type RunStartCause = Extract<
  Reason,
  | 'idempotency_mismatch'
  | 'entry_status_changed'
  | 'entry_abandoned'
  | 'resumed_companion_ref_missing'
  | 'request_key_taken'
>;

/** A run-start commit was refused. */
export class RunStartRejectedError extends Error {
  readonly code = 'state_run_start_conflict';
  readonly retryable = false;
  readonly reason: RunStartCause;

  constructor(message: string, reason: RunStartCause) {
    super(message);
    this.name = 'RunStartRejectedError';
    this.reason = reason;
  }
}

/** Another run owns the session. */
export class AgentAlreadyRunningError extends Error {
  override readonly name = 'AgentAlreadyRunningError';
}

/** A run-start commit lost to another live run. Keeps its parent's name, and classifies as it does. */
export class RunStartConflictError extends AgentAlreadyRunningError {
  readonly code = 'state_run_start_conflict';
}

/** The session cannot be resumed. */
export class AgentNotResumableError extends Error {
  override readonly name = 'AgentNotResumableError';
}

/** A write was planned from a state that is no longer the stored one. */
export class StaleStateError extends Error {
  override readonly name = 'StaleStateError';
}

/** A write carried the token of a lease that was lost. */
export class FencingTokenMismatchError extends Error {
  override readonly name = 'FencingTokenMismatchError';
}

/** Another attempt has committed the step. */
export class StepCommitConflictError extends Error {
  override readonly name = 'StepCommitConflictError';
}

/** A run was committed and then abandoned before it started. */
export class RunStartAbandonedError extends Error {
  override readonly name = 'RunStartAbandonedError';
}

/** Whether a run-start commit was written could not be found out. */
export class RunStartOutcomeUnknownError extends Error {
  override readonly name = 'RunStartOutcomeUnknownError';
}

/** A run was committed and never started. */
export class RunStartStalledError extends Error {
  override readonly name = 'RunStartStalledError';
}

type Given = Omit<HelixErrorInit, 'code' | 'message'>;

/** A commit of a stopped run found its stop record and wrote nothing. */
export class CommitStoppedError extends HelixError {
  constructor(message: string, init: Given = {}) {
    super({ ...init, message, code: 'state_commit_stopped', retryable: false });
    this.name = 'CommitStoppedError';
  }
}

/** A resume was refused: for good where the session has ended, for now where answers are still missing. */
export class ResumeRefusedError extends HelixError {
  constructor(message: string, init: Given & { readonly retryable: boolean }) {
    super({ ...init, message, code: 'state_not_resumable' });
    this.name = 'ResumeRefusedError';
  }
}

/** A request key was reused for other input. `runId` holds the key. */
export class RequestKeyConflictError extends HelixError {
  constructor(message: string, init: Given & { readonly runId: string }) {
    super({ ...init, message, code: 'state_request_key_conflict', retryable: false });
    this.name = 'RequestKeyConflictError';
  }
}

/** The run of a keyed request has ended, and a later one exists. `runId` answered it. */
export class RequestAlreadyCompletedError extends HelixError {
  constructor(message: string, init: Given & { readonly runId: string }) {
    super({ ...init, message, code: 'state_request_already_completed', retryable: false });
    this.name = 'RequestAlreadyCompletedError';
  }
}

/** An agent could not be had: its type is not registered, or making it failed. */
export class AgentResolutionError extends HelixError {
  private constructor(init: HelixErrorInit) {
    super(init);
    this.name = 'AgentResolutionError';
  }

  /** The agent type is not registered. */
  static notFound(agentType: string): AgentResolutionError {
    return new AgentResolutionError({
      message: `Agent type "${agentType}" is not registered`,
      code: 'framework_agent_not_found',
      retryable: false,
    });
  }

  /** Making the agent threw. Retryable unless the cause is a HelixError that says otherwise. */
  static failed(agentType: string, cause: unknown): AgentResolutionError {
    const refused = HelixError.isInstance(cause) && cause.retryable === false;
    return new AgentResolutionError({
      message: `Agent type "${agentType}" could not be made`,
      code: 'framework_agent_resolution_failed',
      retryable: !refused,
      cause,
    });
  }
}
