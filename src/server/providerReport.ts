import type { ErrorCode } from '../protocol/codes.ts';
import {
  hasFields,
  parseJson,
  readBoolean,
  readField,
  readName,
  readStatus,
} from '../protocol/readField.ts';

/** What a failed call of a provider says as data, before it is classified. */
export interface ProviderReport {
  /** An HTTP status, or what stands for one in a stream. Undefined: no answer came, or it names none. */
  readonly status: number | undefined;
  /** The SDK's own `isRetryable`, else by its rule. Undefined: nothing is known. */
  readonly retryable: boolean | undefined;
  readonly message: string | undefined;
  /** The provider says that an allowance is used up. */
  readonly spent: boolean;
}

/** The code of a provider's failure by its status. */
export function codeByStatus(status: number | undefined): ErrorCode {
  switch (status) {
    case 401:
    case 403:
      return 'provider_auth_error';
    case 408:
      return 'provider_timeout';
    case 429:
      return 'provider_rate_limited';
    case 503:
    case 529:
      return 'provider_overloaded';
    default:
      return status !== undefined && status >= 400 && status < 500
        ? 'provider_invalid_request'
        : 'provider_error';
  }
}

const marked = (value: unknown, marker: string): boolean =>
  readField(value, Symbol.for(marker)) === true;

/** Whether a value is an `APICallError` of any copy of the AI SDK, or one revived as data. Never throws. */
export function isApiCallError(value: unknown): boolean {
  return (
    marked(value, 'vercel.ai.error.AI_APICallError') ||
    readField(value, 'name') === 'AI_APICallError'
  );
}

/** Whether a value is a `RetryError` of any copy of the AI SDK, or one revived as data. Never throws. */
export function isRetryError(value: unknown): boolean {
  return (
    marked(value, 'vercel.ai.error.AI_RetryError') || readField(value, 'name') === 'AI_RetryError'
  );
}

/** What an `APICallError` says. */
export function readApiCallError(error: unknown): ProviderReport {
  const status = readStatus(error, 'statusCode');
  const text = readField(error, 'responseBody');
  const body = readField(error, 'data') ?? (typeof text === 'string' ? parseJson(text) : undefined);
  return {
    status,
    retryable: flagOf(error),
    message: textOf(error),
    spent: status === 402 || saysSpent(readField(body, 'error')),
  };
}

// What providers call a used-up allowance.
const SPENT: readonly unknown[] = [
  ...['insufficient_quota', 'credit_balance_exhausted', 'billing_hard_limit_reached'],
  ...['billing_not_active', 'usage_limit_reached', 'billing_error'],
];

const saysSpent = (error: unknown): boolean =>
  SPENT.includes(readField(error, 'code')) || SPENT.includes(readField(error, 'type'));

/**
 * What the other failures of the SDK that carry a status say: those of its gateway, and those that a provider sends in a
 * stream that had begun. `ai` 7 makes an error of the latter, `ai` 6 passes them on as the provider wrote them.
 * Undefined for anything else. Never throws.
 */
export function readProviderReport(error: unknown): ProviderReport | undefined {
  const ofSdk =
    marked(error, 'vercel.ai.error.AI_StreamProviderError') ||
    marked(error, 'vercel.ai.gateway.error') ||
    marked(error, 'vercel.ai.providerStreamError');
  if (ofSdk) return readFrame(error) ?? unnamed(error);
  const isThrownError = typeof readField(error, 'stack') === 'string';
  return isThrownError ? undefined : readFrame(innerOf(error));
}

// `{ type: 'error', error: { ... } }`, `{ type: 'response.failed', response: { error: { ... } } }`, or what they hold.
function innerOf(frame: unknown): unknown {
  const inner = readField(readField(frame, 'response'), 'error') ?? readField(frame, 'error');
  return hasFields(inner) ? inner : frame;
}

function readFrame(frame: unknown): ProviderReport | undefined {
  const message = textOf(frame);
  const status = readStatus(frame, 'statusCode') ?? statusByWord(frame);
  if (message === undefined || status === undefined) return undefined;
  // A provider's word that came without a status is all there is: the SDK's `false` is then a default, no statement.
  const stated = readStatus(frame, 'statusCode') === undefined ? undefined : flagOf(frame);
  const spent = status === 402 || saysSpent(frame);
  return { status, retryable: stated ?? retryableByStatus(status, spent), message, spent };
}

const unnamed = (error: unknown): ProviderReport => ({
  status: undefined,
  retryable: flagOf(error),
  message: textOf(error),
  spent: saysSpent(error),
});

// What providers call their failures in a stream, where there is no status line: OpenAI, Anthropic.
const STATUS_BY_WORD: Readonly<Record<string, number>> = {
  authentication_error: 401,
  invalid_api_key: 401,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  invalid_request_error: 400,
  context_length_exceeded: 400,
  billing_error: 402,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
  api_error: 500,
  server_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

function statusByWord(frame: unknown): number | undefined {
  const code = readField(frame, 'code');
  const number = typeof code === 'string' && /^[45]\d\d$/.test(code) ? Number(code) : code;
  const byNumber = readStatus({ number }, 'number');
  if (byNumber !== undefined && byNumber >= 400) return byNumber;
  const word = [readName(frame, 'code'), readName(frame, 'type')].find(
    (name) => name !== undefined && Object.hasOwn(STATUS_BY_WORD, name),
  );
  return word === undefined ? undefined : STATUS_BY_WORD[word];
}

// The SDK's own rule for an answer of which it knows only the status. A used-up allowance does not come back by itself.
function retryableByStatus(status: number, spent: boolean): boolean {
  return !spent && (status === 408 || status === 409 || status === 429 || status >= 500);
}

const flagOf = (error: unknown): boolean | undefined => readBoolean(error, 'isRetryable');

function textOf(error: unknown): string | undefined {
  const message = readField(error, 'message');
  return typeof message === 'string' ? message : undefined;
}
