import { HelixError } from '../errors/HelixError.ts';
import type { ErrorAdapter } from '../errors/toHelixError.ts';
import { type WireErrorBody, writeErrorBody } from '../protocol/errorBody.ts';
import { readField, readList } from '../protocol/readField.ts';
import { writeRetryAfter } from '../protocol/retryAfter.ts';
import { systemWorld } from '../world.ts';
import { httpStatusForHelixError } from './httpStatus.ts';
import { developerText, sentField } from './sentText.ts';
import { statedWait } from './statedWait.ts';

/** How much of a failure its body tells. */
export interface TypedBodyOptions {
  /** Sends the developer text too, redacted. Default false: leave it off where strangers read. */
  readonly exposeDetail?: boolean | undefined;
}

/** What the route knows of a failed request and its error does not. */
export interface TypedResponseOptions extends TypedBodyOptions {
  /** The request's input was written before it failed. Default false. */
  readonly committed?: boolean | undefined;
  /** A route's own status (401, 403, 413, 429) in place of the rule's. */
  readonly status?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The same for a value of any kind, and what types it first. */
export interface ChatErrorOptions extends TypedResponseOptions {
  /** Whose chat it was. For symmetry with Helix's own helper; it is never sent. */
  readonly sessionId?: string | undefined;
  /** What makes a foreign error a typed one; the first that answers. */
  readonly adapters?: readonly ErrorAdapter[] | undefined;
  /** Wall-clock ms for the adapters. Default: the real clock. Only their reading of absolute dates needs it. */
  readonly now?: number | undefined;
}

/**
 * The JSON body of a typed refusal: a sentence that is safe to show and the code, plus what the error has of cause, run,
 * calls, status and wait. The error's own message never goes out, unless as `detail` with `exposeDetail`.
 * An error without a code goes out as `framework_internal_error`.
 */
export function typedErrorBody(error: HelixError, options: TypedBodyOptions = {}): WireErrorBody {
  return writeErrorBody({
    code: sentField(readField(error, 'code')) ?? 'framework_internal_error',
    cause: sentField(readField(error, 'reason')),
    runId: sentField(readField(error, 'runId')),
    toolCallIds: readList(error, 'toolCallIds')?.flatMap((id) => sentField(id) ?? []),
    currentStatus: sentField(readField(error, 'currentStatus')),
    retryAfterMs: statedWait(error),
    detail: options.exposeDetail ? developerText(error) : undefined,
  });
}

/**
 * The answer to a request that failed with a typed error. Status by `httpStatusForHelixError`. A wait also goes out as
 * `Retry-After` in whole seconds, rounded up, and as `Retry-After-Ms` for those who read it exactly.
 */
export function typedErrorResponse(
  error: HelixError,
  options: TypedResponseOptions = {},
): Response {
  const status =
    options.status ?? httpStatusForHelixError(error, { committed: options.committed === true });
  const body = typedErrorBody(error, options);
  // No status but 503 says that a repeat helps: read by it alone, a limit that passes is an allowance that is used up.
  const passes = status !== 503 && body.cause === undefined && isPassingLimit(error);
  return Response.json(passes ? { ...body, cause: 'rate-limit' } : body, {
    status,
    headers: {
      'cache-control': 'no-store',
      ...waitHeaders(statedWait(error)),
      ...options.headers,
    },
  });
}

const isPassingLimit = (error: HelixError): boolean =>
  readField(error, 'code') === 'provider_rate_limited' && readField(error, 'retryable') !== false;

function waitHeaders(wait: number | undefined): Record<string, string> {
  return wait === undefined
    ? {}
    : { 'retry-after': writeRetryAfter(wait), 'retry-after-ms': String(wait) };
}

/**
 * Answers whatever a chat route threw. A `HelixError` by the rule above; a body that is no JSON (`SyntaxError`) as
 * `validation_error`, 400; what an adapter knows as what it says; anything else as `framework_internal_error`, and as
 * 503 only where `committed: false` was said. An unknown error's text never leaves the server. Never throws.
 */
export function chatErrorResponse(error: unknown, options: ChatErrorOptions = {}): Response {
  const typed = typedOf(error, options);
  if (typed) return typedErrorResponse(typed, options);
  const unknown = new HelixError({ code: 'framework_internal_error', cause: error });
  const status = options.status ?? (options.committed === false ? 503 : 500);
  return typedErrorResponse(unknown, { ...options, exposeDetail: false, status });
}

function typedOf(error: unknown, options: ChatErrorOptions): HelixError | undefined {
  if (HelixError.isInstance(error)) return error;
  // By name: `instanceof` asks the value, and a hostile one throws.
  if (readField(error, 'name') === 'SyntaxError') {
    return new HelixError({ code: 'validation_error', cause: error });
  }
  return adaptError(error, options.adapters, options.now ?? systemWorld().now());
}

/** What the first adapter that knows a thrown value makes of it. An adapter that throws knows nothing. */
export function adaptError(
  thrown: unknown,
  adapters: readonly ErrorAdapter[] | undefined,
  now: number,
): HelixError | undefined {
  for (const adapter of adapters ?? []) {
    try {
      const init = adapter(thrown, { now });
      if (init) return new HelixError({ cause: thrown, ...init });
    } catch {}
  }
  return undefined;
}
