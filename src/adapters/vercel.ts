import type { HelixErrorInit } from '../errors/HelixError.ts';
import { isAbort, isNetworkFailure, isTimeout } from '../errors/networkFailure.ts';
import type { ErrorAdapter } from '../errors/toHelixError.ts';
import { present } from '../protocol/present.ts';
import {
  hasFields,
  LIMITS,
  parseJson,
  readBoolean,
  readField,
  readList,
  readName,
  readStatus,
} from '../protocol/readField.ts';
import { firstReading, messageOf } from './candidates.ts';
import { readFacts } from './providerShapes.ts';
import { judgeProvider } from './providerVerdict.ts';
import { type Row, rowAt, type Verdict, verdictOf } from './verdict.ts';

type Read = (error: unknown, context: Context) => HelixErrorInit | undefined;

interface Context {
  readonly now: number;
  /** How many errors this one stands in. */
  readonly depth: number;
}

const row =
  (...fields: Row): Read =>
  () =>
    verdictOf(fields);

const EMPTY = row('provider_error', null);
const NOT_SUPPORTED = row('framework_not_supported', false);
const SET_UP = row('framework_internal_error', false);
const BAD_INPUT = row('validation_error', false);
const REFUSED = row('provider_refused', false);
const UNKNOWN_MODEL = row('provider_invalid_request', false);
// The wire broke, not the model.
const BAD_FRAME = row('transport_error', false);
const BAD_APPROVAL = row('state_not_resumable', false, 'answer-rejected');

/** The errors of the AI SDK, versions 6 and 7, by the name that is in their marker. */
const ERRORS: Readonly<Record<string, Read>> = {
  AI_APICallError: readCall,
  AI_RetryError: readRetry,
  AI_StreamProviderError: readStreamError,
  AI_NoObjectGeneratedError: readNoObject,
  AI_NoOutputGeneratedError: (error, context) => readCause(error, context) ?? EMPTY(error, context),
  AI_NoContentGeneratedError: row('provider_error', true),
  AI_EmptyResponseBodyError: readEmptyBody,
  AI_InvalidResponseDataError: row('provider_error', null),
  AI_JSONParseError: BAD_FRAME,
  AI_TypeValidationError: readTypeValidation,
  AI_InvalidStreamPartError: BAD_FRAME,
  // A chunk out of order, or of a part that never began: what follows cannot be put together.
  AI_UIMessageStreamError: (error) =>
    readField(error, 'chunkType') === 'error'
      ? undefined
      : verdictOf(['transport_stream_drop', true, 'cut']),
  AI_InvalidToolInputError: row('tool_input_invalid', false),
  AI_NoSuchToolError: row('tool_not_found', false),
  AI_ToolCallRepairError: (error, context) =>
    deeper(readField(error, 'originalError'), context) ?? verdictOf(['tool_input_invalid', false]),
  AI_ToolChoiceViolationError: row('framework_completion_protocol_violation', false),
  AI_InvalidToolApprovalError: BAD_APPROVAL,
  AI_InvalidToolApprovalSignatureError: BAD_APPROVAL,
  AI_ToolCallNotFoundForApprovalError: BAD_APPROVAL,
  AI_MissingToolResultsError: BAD_INPUT,
  AI_InvalidPromptError: BAD_INPUT,
  AI_InvalidMessageRoleError: BAD_INPUT,
  AI_MessageConversionError: BAD_INPUT,
  AI_InvalidDataContentError: BAD_INPUT,
  AI_DownloadError: row('validation_error', null),
  AI_InvalidArgumentError: SET_UP,
  AI_LoadSettingError: SET_UP,
  AI_SerializationError: SET_UP,
  AI_LoadAPIKeyError: row('provider_auth_error', false),
  AI_NoSuchModelError: UNKNOWN_MODEL,
  AI_NoSuchProviderError: UNKNOWN_MODEL,
  AI_NoSuchProviderReferenceError: UNKNOWN_MODEL,
  AI_TooManyEmbeddingValuesForCallError: UNKNOWN_MODEL,
  AI_UnsupportedFunctionalityError: NOT_SUPPORTED,
  AI_UnsupportedModelVersionError: NOT_SUPPORTED,
  AI_DecisionUnsupportedQuestionTypeError: NOT_SUPPORTED,
  AI_ExtractionUnsupportedFieldTypeError: NOT_SUPPORTED,
  AI_DecisionRefusalError: REFUSED,
  AI_ExtractionRefusalError: REFUSED,
  AI_NoImageGeneratedError: EMPTY,
  AI_NoSpeechGeneratedError: EMPTY,
  AI_NoTranscriptGeneratedError: EMPTY,
  AI_NoTranslationGeneratedError: EMPTY,
  AI_NoVideoGeneratedError: EMPTY,
  AI_MCPClientError: row('tool_execution_failed', null),
  AI_MCPClientOAuthError: row('tool_execution_failed', false),
};

/** The errors of Vercel's gateway by their type. */
const GATEWAY: Readonly<Record<string, Row>> = {
  authentication_error: ['provider_auth_error', false],
  forbidden: ['provider_auth_error', false],
  invalid_request_error: ['provider_invalid_request', false],
  model_not_found: ['provider_invalid_request', false],
  not_found: ['provider_invalid_request', false],
  failed_dependency: ['provider_invalid_request', false],
  rate_limit_exceeded: ['provider_rate_limited', true],
  timeout_error: ['provider_timeout', true],
};

const MARKERS = Object.keys(ERRORS).map(
  (name) => [name, Symbol.for(`vercel.ai.error.${name}`)] as const,
);
const GATEWAY_MARKER = Symbol.for('vercel.ai.gateway.error');

/**
 * The AI SDK's errors of versions 6 and 7, by marker or, once they were JSON, by name; those of its gateway too. What
 * a stock transport throws about the app's own route is none of them: its answer is not a provider's.
 */
export const vercelAdapter: ErrorAdapter = (thrown, { now }) =>
  firstReading(thrown, ({ value }) => readSdkError(value, { now, depth: 0 }));

function readSdkError(error: unknown, context: Context): HelixErrorInit | undefined {
  if (!hasFields(error)) return undefined;
  if (isGateway(error)) return readGateway(error, context);
  const marked = MARKERS.find(([, marker]) => readField(error, marker) === true)?.[0];
  const read = rowAt(ERRORS, marked ?? readField(error, 'name'));
  return read?.(error, context);
}

const deeper = (error: unknown, { now, depth }: Context): HelixErrorInit | undefined =>
  depth < LIMITS.depth ? readSdkError(error, { now, depth: depth + 1 }) : undefined;

const readCause: Read = (error, context) => deeper(readField(error, 'cause'), context);

// --- calls of a provider -------------------------------------------------------------------------------------------

function readCall(error: unknown, context: Context): HelixErrorInit | undefined {
  if (isOwnRoute(error)) return undefined;
  const status = readStatus(error, 'statusCode');
  if (status !== undefined && status < 400) return readBrokenBody(error, context);
  return withOwnFlag(error, readAnswer(error, status, context.now) ?? readNoAnswer(error));
}

// The transport of `useChat` keeps the request out of its error; a provider's call never does.
function isOwnRoute(error: unknown): boolean {
  return (
    readField(error, 'requestBodyValues') === undefined &&
    readField(error, 'responseHeaders') === undefined &&
    readStatus(error, 'statusCode') !== undefined
  );
}

function readAnswer(
  error: unknown,
  status: number | undefined,
  now: number,
): HelixErrorInit | undefined {
  const headers = readField(error, 'responseHeaders');
  const text = readField(error, 'responseBody');
  const bodies = [typeof text === 'string' ? parseJson(text) : undefined, readField(error, 'data')];
  const facts = bodies.map((body) => readFacts(body, { status, headers })).find((found) => found);
  if (status === undefined && facts === undefined) return undefined;
  // The SDK puts the provider's own sentence into the message, where it could find one.
  const told = facts ?? { words: [], error: undefined, message: messageOf(error) };
  return judgeProvider(told, { status, headers, now });
}

// Not connected, or cut before the answer: the SDK says itself whether that passes.
const readNoAnswer = (error: unknown): HelixErrorInit =>
  verdictOf(['provider_error', readBoolean(error, 'isRetryable') ?? null]);

/** A failure while a good answer was read is what it was before the SDK wrapped it. */
function readBrokenBody(error: unknown, context: Context): HelixErrorInit {
  const cause = readField(error, 'cause');
  if (isAbort(cause)) return verdictOf(['framework_cancelled', false]);
  if (isTimeout(cause)) return verdictOf(['provider_timeout', true]);
  if (isNetworkFailure(cause)) return verdictOf(['provider_error', true]);
  return readCause(error, context) ?? verdictOf(['provider_error', null]);
}

/** The SDK's no is final; its yes, which it says to every 409 and 429, is only a hint. */
function withOwnFlag(error: unknown, init: HelixErrorInit): HelixErrorInit {
  return readBoolean(error, 'isRetryable') === false ? { ...init, retryable: false } : init;
}

function readRetry(error: unknown, context: Context): HelixErrorInit {
  if (readField(error, 'reason') === 'abort') return verdictOf(['framework_cancelled', false]);
  const last = readField(error, 'lastError') ?? readList(error, 'errors')?.at(-1);
  const read = deeper(last, context) ?? readLast(last);
  return { ...read, retryable: false };
}

function readLast(last: unknown): HelixErrorInit {
  if (isAbort(last)) return verdictOf(['framework_cancelled', false]);
  return verdictOf([isTimeout(last) ? 'provider_timeout' : 'provider_error', false]);
}

function readStreamError(error: unknown, { now }: Context): HelixErrorInit {
  const status = readStatus(error, 'statusCode');
  const facts = {
    words: [readName(error, 'code'), readName(error, 'type')].filter((word) => word !== undefined),
    status,
    message: messageOf(error),
    error: undefined,
    otherwise: ['provider_error', null] satisfies Row,
  };
  const init = judgeProvider(facts, { status: undefined, headers: undefined, now });
  return withOwnFlag(error, init ?? verdictOf(facts.otherwise));
}

// --- its output ----------------------------------------------------------------------------------------------------

function readNoObject(error: unknown, context: Context): HelixErrorInit {
  if (readField(error, 'finishReason') === 'content-filter') {
    return verdictOf(['provider_content_filtered', false]);
  }
  const cause = readCause(error, context);
  const isCall = cause?.code?.startsWith('provider_') === true;
  return isCall ? cause : verdictOf(['framework_completion_invalid_output', false]);
}

function readEmptyBody(error: unknown): Verdict {
  // The sentence of the chat's own transport: there the app answered with nothing.
  return readField(error, 'message') === 'The response body is empty.'
    ? verdictOf(['transport_error', null, 'unexpected-response'])
    : verdictOf(['provider_error', true]);
}

// Messages that an app was sent are checked by the same error as what a provider sent; those say what they are of.
function readTypeValidation(error: unknown): Verdict {
  const field = readName(readField(error, 'context'), 'field');
  return verdictOf([
    /^messages?\b/.test(field ?? '') ? 'validation_error' : 'transport_error',
    false,
  ]);
}

// --- its gateway ---------------------------------------------------------------------------------------------------

const isGateway = (error: object): boolean =>
  readField(error, GATEWAY_MARKER) === true ||
  /^Gateway[A-Z][A-Za-z]{1,30}Error$/.test(readName(error, 'name') ?? '');

function readGateway(error: unknown, { now }: Context): HelixErrorInit | undefined {
  const status = readStatus(error, 'statusCode');
  const known = rowAt(GATEWAY, readField(error, 'type'));
  const told = { words: [], error: undefined, message: messageOf(error) };
  const init =
    known === undefined || status === 402 || status === 413
      ? judgeProvider(told, { status, headers: undefined, now })
      : verdictOf(known);
  if (init === undefined) return undefined;
  return withOwnFlag(error, { ...init, ...present({ statusCode: status }) });
}
