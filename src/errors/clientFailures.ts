import type { TimeoutLayer } from '../protocol/reasons.ts';
import { readRequestId } from '../protocol/requestId.ts';
import type { Rejection } from '../protocol/triggers.ts';
import {
  HelixError,
  HelixRequestError,
  HelixSnapshotError,
  HelixTimeoutError,
} from './HelixError.ts';

// The failures that the client itself finds: no server said them. `retryable: null` overrules a code's row.

/** No answer came. `offline`: what the platform believed at that time. */
export function networkFailureError(offline: boolean, cause?: unknown): HelixError {
  return new HelixError({
    code: 'transport_error',
    retryable: true,
    reason: offline ? 'offline' : 'network',
    cause,
  });
}

/** A success that is neither an event stream nor a typed body, such as a sign-in page. Nothing of its body is kept. */
export function unexpectedResponse(
  answer: { readonly status?: number; readonly headers?: unknown } = {},
): HelixError {
  return new HelixRequestError({
    code: 'transport_error',
    reason: 'unexpected-response',
    statusCode: answer.status,
    requestId: readRequestId(answer.headers),
  });
}

/** Our own time-out, before the headers or in all. */
export function timeoutFailure(layer: Exclude<TimeoutLayer, 'idle'>): HelixError {
  return new HelixTimeoutError({ code: 'transport_error', reason: 'timeout', layer });
}

/** A stream ended without its end, broke, or carried a broken frame; or an abort that nobody here asked for. */
export function cutFailure(cause?: unknown): HelixError {
  if (HelixError.isInstance(cause) && cause.code === 'transport_stream_drop') return cause;
  return new HelixError({ code: 'transport_stream_drop', retryable: true, reason: 'cut', cause });
}

/** A stream fell silent for longer than it may. */
export function silentFailure(): HelixError {
  return new HelixTimeoutError({
    code: 'transport_stream_drop',
    retryable: true,
    reason: 'silent',
    layer: 'idle',
  });
}

/** Too many re-anchors without anything new. */
export function reanchorLimit(): HelixError {
  return new HelixError({
    code: 'transport_stream_drop',
    retryable: null,
    reason: 're-anchor-limit',
  });
}

/** A run that the snapshot calls active and that nothing streams. */
export function strandedRun(runId?: string): HelixError {
  return new HelixError({
    code: 'transport_stream_drop',
    retryable: null,
    reason: 'run_not_live',
    runId,
  });
}

/** Answers to tool calls that did not apply. */
export function answerRejected(rejections: readonly Rejection[]): HelixError {
  return new HelixError({
    code: 'state_not_resumable',
    retryable: null,
    reason: 'answer-rejected',
    toolCallIds: rejections.map(({ toolCallId }) => toolCallId),
  });
}

/** A held message has waited for the earlier reply for as long as it may. */
export function patienceOver(runId?: string): HelixError {
  return new HelixError({
    code: 'state_already_running',
    retryable: true,
    reason: 'patience',
    runId,
  });
}

/** A reply ended in order and brought nothing. */
export function emptyReply(): HelixError {
  return new HelixError({
    code: 'framework_internal_error',
    retryable: null,
    reason: 'empty-reply',
  });
}

/** A snapshot from before a message that the server has taken: it says nothing of that message, and is read again. */
export function snapshotBehind(): HelixError {
  return new HelixSnapshotError({
    code: 'state_history_incomplete',
    retryable: true,
    reason: 'snapshot_unstable',
  });
}

/** A snapshot that cannot be one, on a route that was promised: never an empty chat. */
export function corruptSnapshot(cause?: unknown): HelixError {
  return new HelixSnapshotError({
    code: 'state_history_incomplete',
    retryable: false,
    reason: 'corrupt_row',
    cause,
  });
}

/** Finish reason `content-filter`. `content`: some of the reply is there, so that it is a notice on what stays. */
export function filteredReply(content: boolean): HelixError {
  return new HelixError({
    code: 'provider_content_filtered',
    reason: content ? 'filtered' : undefined,
  });
}

/** Finish reason `length`; `content` as above. */
export function lengthReply(content: boolean): HelixError {
  return new HelixError({ code: 'provider_error', reason: content ? 'length' : undefined });
}

/** Finish reason `error`; `content` as above. */
export function finishErrorReply(content: boolean): HelixError {
  return new HelixError({ code: 'provider_error', reason: content ? 'finish-error' : undefined });
}
