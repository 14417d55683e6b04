import { classifyError, classifyKnownError } from '../errors/classifyError.ts';
import { HelixError, type HelixErrorInit } from '../errors/HelixError.ts';
import { isTimeout } from '../errors/networkFailure.ts';
import { readFlags } from '../protocol/causes.ts';
import { LIMITS, readField, readList } from '../protocol/readField.ts';
import { readRequestId } from '../protocol/requestId.ts';
import { readRetryAfter } from '../protocol/retryAfter.ts';
import { systemWorld } from '../world.ts';
import { isConnectionDrop, isPlainFailure } from './connectionDrop.ts';
import {
  codeByStatus,
  isApiCallError,
  isRetryError,
  type ProviderReport,
  readApiCallError,
  readProviderReport,
} from './providerReport.ts';
import { restate } from './restate.ts';

/** What the place that caught the error knows of it. */
export interface MapVercelOptions {
  /**
   * The call of the provider failed before it gave anything: then a plain `Error` or `TypeError` means that it could not
   * be reached. Default false. `withProviderRetry` finds this out by itself; say it for a model named by a text only.
   */
  readonly beforeOutput?: boolean | undefined;
  /** Wall-clock ms: what a stated date is read against. Default: now. */
  readonly now?: number | undefined;
}

/**
 * What a model call through the AI SDK failed with, as a typed error: an `APICallError` by its status, a `RetryError` by
 * its last error and never retryable, a failure in the body of a good answer by its cause, a dropped connection as a
 * retryable `provider_error`, an abort as `framework_cancelled`, one by a time-out as `provider_timeout` (also the `abort`
 * part in which the SDK ends a stream); anything else as `classifyError` has it. Recognised by marker and structure, of any version and copy of the SDK. Keeps the message, without secrets: send it to nobody but
 * developers. The original is the `cause`. Never throws.
 */
export function mapVercelError(error: unknown, options: MapVercelOptions = {}): HelixError {
  return map(error, options, 0);
}

function map(error: unknown, options: MapVercelOptions, depth: number): HelixError {
  const known = classifyKnownError(error);
  if (known !== undefined) return known;
  // A wrapper can hold itself.
  if (depth > LIMITS.depth) return classifyError(error);
  if (isRetryError(error)) return afterRetries(error, options, depth);
  if (isApiCallError(error)) return fromApiCall(error, options, depth);
  if (isConnectionDrop(error)) return dropped(error);
  if (isTimeout(error)) return new HelixError({ ...saying(error), code: 'provider_timeout' });
  if (isAbortPart(error)) return fromAbortPart(error);
  const report = readProviderReport(error);
  if (report !== undefined) return fromReport(report, error, options);
  return options.beforeOutput === true && isPlainFailure(error)
    ? unreachable(error)
    : classifyError(error);
}

/** A call that gave nothing because no answer came. Repeating it at once helps nobody, so the flag is false. */
export function unreachable(cause: unknown): HelixError {
  return new HelixError({
    code: 'provider_unreachable',
    message: 'The model provider could not be reached.',
    retryable: false,
    flags: readFlags(cause),
    cause,
  });
}

/** The same failure after what repeats there were: nobody repeats it any more. */
export function withoutRepeat(error: HelixError, cause: unknown): HelixError {
  const prefix = 'Failed after retries: ';
  const { message, code, reason } = error;
  return restate(error, {
    message: message.startsWith(prefix) ? message : prefix + message,
    retryable: false,
    // Else a limit that nobody repeats would read as an allowance that is used up.
    reason: reason ?? (code === 'provider_rate_limited' ? 'rate-limit' : undefined),
    cause,
  });
}

function afterRetries(error: unknown, options: MapVercelOptions, depth: number): HelixError {
  const last = readField(error, 'lastError') ?? readList(error, 'errors')?.at(-1);
  return withoutRepeat(map(last, options, depth + 1), error);
}

function fromApiCall(error: unknown, options: MapVercelOptions, depth: number): HelixError {
  const report = readApiCallError(error);
  const cause = readField(error, 'cause');
  if (isWrapper(report, cause)) {
    // It had an answer, so it was reached.
    return restate(map(cause, { ...options, beforeOutput: false }, depth + 1), { cause: error });
  }
  return fromReport(report, error, options);
}

/** Whether an `APICallError` only wraps what failed while the body of a good answer was read. */
function isWrapper({ status, message }: ProviderReport, cause: unknown): boolean {
  if (status === undefined || status < 200 || status > 299 || cause == null) return false;
  return message === 'Failed to process successful response' || isConnectionDrop(cause);
}

function fromReport(
  { status, retryable, message, spent }: ProviderReport,
  error: unknown,
  options: MapVercelOptions,
): HelixError {
  const headers = readField(error, 'responseHeaders');
  const now = options.now ?? systemWorld().now();
  return new HelixError({
    message,
    code: codeByStatus(status),
    retryable,
    reason: spent ? 'quota' : undefined,
    statusCode: status,
    retryAfterMs: readRetryAfter(headers, { now }),
    requestId: readRequestId(headers),
    cause: error,
  });
}

// A streamed call that was aborted ends with a part of its stream, and that keeps of the reason a text only.
const isAbortPart = (value: unknown): boolean =>
  readField(value, 'type') === 'abort' && readField(value, 'stack') === undefined;

const TIMED_OUT = /\btime-?out\b|\btimed out\b/i;

function fromAbortPart(part: unknown): HelixError {
  const reason = readField(part, 'reason');
  const message = typeof reason === 'string' ? reason : undefined;
  const late = message !== undefined && TIMED_OUT.test(message.slice(0, 1_000));
  return new HelixError({
    message,
    code: late ? 'provider_timeout' : 'framework_cancelled',
    cause: part,
  });
}

function dropped(error: unknown): HelixError {
  return new HelixError({
    ...saying(error),
    code: 'provider_error',
    retryable: true,
    flags: readFlags(error),
  });
}

function saying(cause: unknown): HelixErrorInit {
  const message = readField(cause, 'message');
  return { message: typeof message === 'string' ? message : undefined, cause };
}
