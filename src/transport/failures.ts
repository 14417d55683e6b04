import {
  HelixError,
  HelixRequestError,
  HelixSnapshotError,
  HelixTimeoutError,
} from '../errors/HelixError.ts';

/** The stream ended, broke, or carried something that cannot be, before its terminal chunk. */
export function cutError(cause?: unknown): HelixError {
  if (HelixError.isInstance(cause) && cause.code === 'transport_stream_drop') return cause;
  return new HelixError({
    code: 'transport_stream_drop',
    retryable: true,
    reason: 'cut',
    ...(cause !== undefined && { cause }),
  });
}

/** No byte came for longer than silence may last. */
export function silentError(): HelixError {
  return new HelixTimeoutError({
    code: 'transport_stream_drop',
    retryable: true,
    reason: 'silent',
    layer: 'idle',
  });
}

/** Our own time-out before the headers, or in all. */
export function timeoutError(layer: 'connect' | 'total'): HelixError {
  return new HelixTimeoutError({ code: 'transport_error', reason: 'timeout', layer });
}

/** The request got no answer. */
export function noResponseError(cause: unknown, online: boolean): HelixError {
  return new HelixError({
    code: 'transport_error',
    retryable: true,
    reason: online ? 'network' : 'offline',
    cause,
  });
}

/** A success that is no event stream. Nothing of its body is kept. */
export function unexpectedResponse(status: number): HelixError {
  return new HelixRequestError({
    code: 'transport_error',
    reason: 'unexpected-response',
    statusCode: status,
  });
}

/** A snapshot that cannot be one: never an empty chat. */
export function corruptSnapshot(cause?: unknown): HelixError {
  return new HelixSnapshotError({
    code: 'state_history_incomplete',
    retryable: false,
    reason: 'corrupt_row',
    ...(cause !== undefined && { cause }),
  });
}
