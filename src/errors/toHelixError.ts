import { isCause } from '../protocol/causes.ts';
import { isCategory } from '../protocol/codes.ts';
import { type CodeStanding, codeStanding, readErrorBody } from '../protocol/errorBody.ts';
import { type ErrorEvent, parseErrorEvent } from '../protocol/errorEvent.ts';
import { parseJson, readBoolean, readField, readText } from '../protocol/readField.ts';
import { readRequestId } from '../protocol/requestId.ts';
import { readRetryAfter } from '../protocol/retryAfter.ts';
import { systemWorld } from '../world.ts';
import type { Phase } from './failure.ts';
import {
  HelixError,
  type HelixErrorInit,
  HelixRequestError,
  HelixSnapshotError,
  isHelixError,
} from './HelixError.ts';
import { HelixStreamError, initOfEvent } from './HelixStreamError.ts';
import { readModelStatus } from './modelStatus.ts';
import { causesOf, isAbort, isNetworkFailure, isTimeout, someCause } from './networkFailure.ts';
import { isErrorLike, type OpenedAnswer, openAnswer } from './openAnswer.ts';
import { serverText } from './serverText.ts';
import { spentAllowanceOf } from './spentAllowance.ts';
import { readUntypedAnswer } from './untypedAnswer.ts';

/** Reads a foreign failure by its shape: what the typed error is to be made of, or undefined where it knows nothing. */
export type ErrorAdapter = (
  thrown: unknown,
  context: { readonly now: number },
) => HelixErrorInit | undefined;

/** What a caller of `toHelixError` knows of a failure besides its value. */
export interface FunnelOptions {
  /** Asked in order, after Helix's own shapes; the first that answers counts. One that throws knows nothing. */
  readonly adapters?: readonly ErrorAdapter[] | undefined;
  /** What the chat was doing: a failed read of the conversation becomes a `HelixSnapshotError`. */
  readonly phase?: Phase | undefined;
  /** Whose status a status is: within a stream it is the provider's, as the app itself has answered 200. Default: `app`. */
  readonly statusOf?: 'app' | 'provider' | undefined;
  /** Wall-clock ms: what a stated date is read against. Default: now. */
  readonly now?: number | undefined;
}

/** Every failure as one typed value, in a fixed order of evidence. Synchronous, never throws; the original is `cause`. */
export function toHelixError(value: unknown, options: FunnelOptions = {}): HelixError {
  if (isHelixError(value)) return value;
  const wrapped = causesOf(value).find((link) => isHelixError(link));
  if (wrapped !== undefined) return wrapped;
  return fromEvidence(gather(value, options), value, options);
}

/** The funnel for an answer whose body was read: `original` becomes the cause. */
export function fromAnswer(
  answer: { readonly status: number; readonly headers: unknown; readonly body: unknown },
  original: unknown,
  options: FunnelOptions = {},
): HelixError {
  return fromEvidence(gather(answer, options), original, options);
}

/** A typed body or event that was found, and how far its code can be believed. */
type Found =
  | { readonly kind: 'body'; readonly value: unknown; readonly standing: CodeStanding }
  | {
      readonly kind: 'event';
      readonly event: ErrorEvent;
      readonly standing: CodeStanding | undefined;
    };

/** All that a value shows, looked at once. */
interface Evidence {
  readonly value: unknown;
  readonly now: number;
  readonly found: Found | undefined;
  readonly status: number | undefined;
  readonly headers: unknown;
  /** The word that says that an allowance is used up, as sent. */
  readonly spent: string | undefined;
}

function gather(value: unknown, options: FunnelOptions): Evidence {
  const links = causesOf(value);
  const answers = links.map(openAnswer);
  const answer = answers.find(({ status }) => status !== undefined);
  const found = links.flatMap((link, at) => findTyped(link, answers[at]?.bodies ?? []));
  return {
    value,
    now: options.now ?? systemWorld().now(),
    found: found.find(isBelieved) ?? found[0],
    status: answer?.status,
    headers: answer?.headers ?? answers[0]?.headers,
    spent: spentIn(links, answers),
  };
}

function spentIn(links: readonly unknown[], answers: readonly OpenedAnswer[]): string | undefined {
  const said = [...answers.flatMap(({ bodies }) => bodies), ...links];
  return said.map(spentAllowanceOf).find((word) => word !== undefined);
}

function findTyped(link: unknown, bodies: readonly unknown[]): Found[] {
  const event = parseErrorEvent(link);
  if (event !== undefined) return [{ kind: 'event', event, standing: event.standing }];
  return bodies.flatMap((value): Found[] => {
    const standing = codeStanding(value);
    return standing !== undefined && readErrorBody(value) !== undefined
      ? [{ kind: 'body', value, standing }]
      : [];
  });
}

const isBelieved = ({ standing }: Found): boolean =>
  standing === 'known' || standing === 'prefixed';

function fromEvidence(evidence: Evidence, original: unknown, options: FunnelOptions): HelixError {
  const { found } = evidence;
  if (found !== undefined && isBelieved(found) && isOwnForm(found)) {
    return fromFound(found, evidence, original, options);
  }
  const foreign = askAdapters(evidence, original, options);
  if (foreign !== undefined) return foreign;
  if (found !== undefined && !isNoRefusal(found, evidence)) {
    return fromFound(found, evidence, original, options);
  }
  if (evidence.spent !== undefined && (evidence.status ?? 400) >= 400) {
    return fromSpent(evidence.spent, evidence, original, options);
  }
  if (evidence.status !== undefined) {
    return fromStatus(evidence.status, evidence, original, options);
  }
  return fromThrown(evidence.value, original);
}

/**
 * A typed body has a text under `error`, or its category beside it. Another library's error may carry one of our codes,
 * or one of our prefixes, beside a mere `message` (VernLLM: `provider_rate_limited`, `tool_choice_none_violated`): an
 * adapter that knows its shape is asked before it is believed.
 */
const isOwnForm = (found: Found): boolean =>
  found.kind === 'event' ||
  readText(found.value, 'error', 'errorText') !== undefined ||
  isCategory(readField(found.value, 'category'));

/** A body with some `code` in an answer that is no refusal: any backend's JSON. */
const isNoRefusal = (found: Found, { status }: Evidence): boolean =>
  found.kind === 'body' && found.standing === 'bare' && status !== undefined && status < 400;

function fromFound(found: Found, evidence: Evidence, original: unknown, options: FunnelOptions) {
  return found.kind === 'event'
    ? fromEvent(found.event, evidence, original)
    : fromBody(found, evidence, original, options);
}

function fromEvent(event: ErrorEvent, { headers }: Evidence, original: unknown): HelixStreamError {
  return new HelixStreamError({
    ...initOfEvent(event, original),
    requestId: readRequestId(headers),
  });
}

function fromBody(
  { value, standing }: Found & { readonly kind: 'body' },
  evidence: Evidence,
  original: unknown,
  options: FunnelOptions,
): HelixError {
  const body = readErrorBody(value, evidence.status);
  if (body === undefined) return fromThrown(evidence.value, original);
  const cause = isCause(body.cause) ? body.cause : undefined;
  const bare = standing === 'bare';
  // A code that names no cause leaves it to the status: a route's own refusal has no other one.
  const mute = bare || body.code === 'framework_internal_error';
  const retryAfterMs = readRetryAfter(evidence.headers, {
    now: evidence.now,
    bodyMs: body.retryAfterMs,
  });
  if (standing !== 'known' && evidence.spent !== undefined) {
    return fromSpent(evidence.spent, evidence, original, options, {
      body,
      ...(!bare && { code: body.code, category: body.category }),
      retryable: readBoolean(value, 'retryable'),
      statusCode: body.status,
      detail: body.detail,
      serverMessage: body.error,
      retryAfterMs,
      runId: body.runId,
    });
  }
  return requestError(options, {
    body,
    // A bare word that any backend may have written classifies nothing; the status still says what it says.
    code: bare ? undefined : body.code,
    reason: cause ?? (mute ? reasonByStatus(body.status) : undefined),
    category: bare ? undefined : body.category,
    retryable: body.retryable ?? null,
    statusCode: body.status,
    cause: original,
    detail: body.detail,
    serverMessage: body.error,
    retryAfterMs,
    runId: body.runId,
    requestId: readRequestId(evidence.headers),
    wireCode: body.wireCode,
    toolCallIds: body.toolCallIds,
    currentStatus: body.currentStatus,
  });
}

/** A used-up allowance: only a stated wait lets anything be repeated. */
function fromSpent(
  word: string,
  { value, status, headers, now }: Evidence,
  original: unknown,
  options: FunnelOptions,
  said: ConstructorParameters<typeof HelixRequestError>[0] = {},
): HelixError {
  const retryAfterMs = said.retryAfterMs ?? readRetryAfter(headers, { now });
  const init: HelixErrorInit = {
    code: 'provider_rate_limited',
    serverMessage: textOfAnswer(value),
    ...said,
    reason: 'quota',
    retryable: said.retryable ?? retryAfterMs !== undefined,
    statusCode: said.statusCode ?? status,
    cause: original,
    retryAfterMs,
    requestId: readRequestId(headers),
    wireCode: word,
  };
  return status === undefined ? new HelixError(init) : requestError(options, init);
}

const reasonByStatus = (status: number | undefined) =>
  status === undefined || status < 400 ? undefined : readUntypedAnswer(status).reason;

function askAdapters(
  evidence: Evidence,
  original: unknown,
  options: FunnelOptions,
): HelixError | undefined {
  for (const adapter of options.adapters ?? []) {
    try {
      const init = adapter(evidence.value, { now: evidence.now });
      if (init !== undefined) return fromForeign(init, evidence, original, options);
    } catch {
      // It cannot read this value, or gave something that no error can be made of.
    }
  }
  return undefined;
}

function fromForeign(
  init: HelixErrorInit,
  { status, headers, now }: Evidence,
  original: unknown,
  options: FunnelOptions,
): HelixError {
  const full: HelixErrorInit = {
    ...init,
    // What a screen shows is the sentence of the reason or code, whoever wrote the text.
    message: undefined,
    serverMessage: init.serverMessage ?? init.message,
    cause: original,
    statusCode: init.statusCode ?? status,
    requestId: init.requestId ?? readRequestId(headers),
    retryAfterMs: init.retryAfterMs ?? readRetryAfter(headers, { now }),
  };
  return status === undefined ? new HelixError(full) : requestError(options, full);
}

function fromStatus(
  status: number,
  { value, headers, now }: Evidence,
  original: unknown,
  options: FunnelOptions,
): HelixError {
  const { shouldRetry, ...byAnswer } = readUntypedAnswer(status, headers);
  const byModel = options.statusOf === 'provider' ? readModelStatus(status) : undefined;
  const { code, reason, retryable } =
    byModel === undefined
      ? byAnswer
      : { code: byModel[0], retryable: byModel[1], reason: byModel[2] };
  return requestError(options, {
    code,
    reason,
    retryable: retryable ?? null,
    shouldRetry,
    statusCode: status,
    cause: original,
    serverMessage: textOfAnswer(value),
    retryAfterMs: readRetryAfter(headers, { now }),
    requestId: readRequestId(headers),
  });
}

function textOfAnswer(value: unknown): string | undefined {
  const body = readField(value, 'responseBody') ?? readField(value, 'body');
  const whole = typeof body === 'string' ? (parseJson(body) ?? body) : (body ?? value);
  return serverText(whole);
}

function requestError(
  { phase }: FunnelOptions,
  init: ConstructorParameters<typeof HelixRequestError>[0],
): HelixRequestError {
  return phase === 'load' || phase === 'snapshot'
    ? new HelixSnapshotError(init)
    : new HelixRequestError(init);
}

function fromThrown(value: unknown, original: unknown): HelixError {
  if (isNetworkFailure(value)) {
    return new HelixError({
      code: 'transport_error',
      reason: 'network',
      retryable: true,
      cause: original,
    });
  }
  if (someCause(value, isTimeout)) {
    return new HelixError({ code: 'transport_error', reason: 'timeout', cause: original });
  }
  if (someCause(value, isAbort)) {
    return new HelixError({ code: 'framework_cancelled', cause: original });
  }
  return new HelixError({
    cause: original,
    serverMessage: typeof value === 'string' ? serverText(value) : undefined,
    detail: isErrorLike(value) ? serverText(readField(value, 'message')) : undefined,
  });
}
