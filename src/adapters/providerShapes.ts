import { isErrorLike, openAnswer } from '../errors/openAnswer.ts';
import {
  hasFields,
  hasOwnField,
  readField,
  readList,
  readName,
  readNumber,
} from '../protocol/readField.ts';
import { readHeader } from '../protocol/readHeader.ts';
import { saysFiltered } from './providerProse.ts';
import { PROVIDER_WORDS, WEAK_WORDS } from './providerWords.ts';
import { plainId, type Row, rowAt } from './verdict.ts';

/** What one body of a model provider shows, before anything is concluded from it. */
export interface Facts {
  /** Types, codes and statuses as written, the most specific first. */
  readonly words: readonly string[];
  /** An HTTP status that the body itself names. */
  readonly status?: number | undefined;
  readonly message?: string | undefined;
  /** The error object, for what it states of a wait. */
  readonly error: unknown;
  readonly provider?: string | undefined;
  readonly requestId?: string | undefined;
  /** OpenRouter counts its codes as HTTP does, in numbers. */
  readonly numericCode?: boolean | undefined;
  /** What holds where nothing above says anything: a failure it is. */
  readonly otherwise?: Row;
}

const FAILED: Row = ['provider_error', null];

/** The facts of a body that is shaped as a provider's; undefined for any other. Never throws. */
export function readFacts(
  value: unknown,
  answer: { readonly status: number | undefined; readonly headers: unknown },
): Facts | undefined {
  return (
    ofAws(value, answer.headers) ??
    ofEnvelope(value) ??
    ofResponsesEvent(value) ??
    ofMistral(value, answer.status) ??
    ofAzureGateway(value) ??
    ofSoftFailure(value)
  );
}

const words = (...found: readonly unknown[]): readonly string[] =>
  found.filter((word): word is string => typeof word === 'string' && word.length <= 100);

const isKnownWord = (word: string): boolean =>
  rowAt(PROVIDER_WORDS, word) !== undefined || rowAt(WEAK_WORDS, word) !== undefined;

// `{ error: { message, type, code, ... } }`, in the dialects of OpenAI, Anthropic, Google, Azure, OpenRouter and Groq.
function ofEnvelope(value: unknown): Facts | undefined {
  const error = readField(value, 'error');
  if (!hasFields(error)) return undefined;
  // Anthropic's client keeps the whole body under `error`.
  return hasFields(readField(error, 'error')) ? ofError(error) : ofError(value);
}

function ofError(value: unknown): Facts | undefined {
  const error = readField(value, 'error');
  if (!hasFields(error)) return undefined;
  const code = readField(error, 'code');
  const named = words(
    readField(readField(error, 'innererror'), 'code'),
    ...(readList(error, 'details') ?? []).map((detail) => readField(detail, 'reason')),
    readField(readField(error, 'metadata'), 'error_type'),
    // In capitals, backends of all kinds write such words; Google's stand beside a number.
    isCapitals(code) ? undefined : code,
    typeof code === 'number' || code === null ? readField(error, 'status') : undefined,
    readField(error, 'type'),
  );
  const status = httpStatus(code) ?? httpStatus(readField(error, 'status'));
  const isAnthropic = readField(value, 'type') === 'error' && readName(error, 'type') !== undefined;
  const isOpenAI = hasOwnField(error, 'param') && hasOwnField(error, 'type');
  const isTyped = named.some(isKnownWord) || isAnthropic || isOpenAI;
  if (!isTyped && (status === undefined || mayBeOwn(value, error, status))) return undefined;
  return {
    words: named,
    status,
    message: readName(error, 'message'),
    error,
    provider: providerOf(value, error, isAnthropic),
    requestId: plainId(readField(value, 'request_id')),
    numericCode: typeof code === 'number' && readName(error, 'status') === undefined,
  };
}

// `{ error: { code: 401, message } }` is what many an app says of its own sign-in, too, where it would name another one
// who can help. Providers that write no more than that are told by their wording.
const OWN_STATUSES: readonly number[] = [401, 403, 404];
const REFUSING =
  /auth(?:entication)? (?:credentials|header)|invalid credentials|user not found|\bapi key|key limit|subscription key|\bmodels?\b|endpoints? found|deployment|data policy|guardrail/i;

function mayBeOwn(value: unknown, error: unknown, status: number): boolean {
  return (
    OWN_STATUSES.includes(status) &&
    // A client library threw it: then it was a provider's call.
    !isErrorLike(value) &&
    !hasFields(readField(error, 'metadata')) &&
    readField(value, 'user_id') === undefined &&
    !REFUSING.test((readName(error, 'message') ?? '').slice(0, 500)) &&
    !saysFiltered(readName(error, 'message'))
  );
}

const isCapitals = (code: unknown): boolean =>
  typeof code === 'string' && /^[A-Z][A-Z_]{2,99}$/.test(code);

function providerOf(value: unknown, error: unknown, isAnthropic: boolean): string | undefined {
  if (isAnthropic && plainId(readField(value, 'request_id')) !== undefined) return 'anthropic';
  const isGoogle = typeof readField(error, 'code') === 'number' && readName(error, 'status');
  if (isGoogle && /^[A-Z_]{3,40}$/.test(isGoogle)) return 'google';
  return hasFields(readField(error, 'innererror')) ? 'azure' : undefined;
}

/** A code that is an HTTP status, also one written as a text (Azure's `"429"`). */
function httpStatus(code: unknown): number | undefined {
  const number = typeof code === 'string' && /^[45]\d\d$/.test(code) ? Number(code) : code;
  return typeof number === 'number' && Number.isInteger(number) && number >= 400 && number <= 599
    ? number
    : undefined;
}

// OpenAI's Responses stream, whose errors come after a 200.
function ofResponsesEvent(value: unknown): Facts | undefined {
  switch (readField(value, 'type')) {
    case 'response.failed': {
      const error = readField(readField(value, 'response'), 'error');
      return { words: words(readField(error, 'code')), error, otherwise: FAILED, ...said(error) };
    }
    case 'response.incomplete': {
      const details = readField(readField(value, 'response'), 'incomplete_details');
      const reason = readField(details, 'reason');
      return reason === 'content_filter' ? { words: [reason], error: undefined } : undefined;
    }
    case 'error': {
      const isEvent =
        typeof readField(value, 'message') === 'string' &&
        (readNumber(value, 'sequence_number') !== undefined ||
          readField(value, 'param') !== undefined);
      return isEvent
        ? {
            words: words(readField(value, 'code')),
            error: value,
            otherwise: FAILED,
            ...said(value),
          }
        : undefined;
    }
    default:
      return undefined;
  }
}

const said = (error: unknown) => ({ message: readName(error, 'message') });

function ofMistral(value: unknown, status: number | undefined): Facts | undefined {
  const isOwn = readField(value, 'object') === 'error';
  const isGateway =
    typeof readField(value, 'message') === 'string' &&
    plainId(readField(value, 'request_id')) !== undefined &&
    !isErrorLike(value) &&
    status !== undefined &&
    status >= 400;
  if (isOwn || isGateway) {
    return {
      words: words(readField(value, 'code'), readField(value, 'type')),
      status: httpStatus(readField(value, 'raw_status_code')),
      error: value,
      provider: isOwn ? 'mistral' : undefined,
      requestId: plainId(readField(value, 'request_id')),
      ...said(value),
    };
  }
  return status === 422 && isValidationList(value)
    ? { words: ['invalid_request'], error: undefined }
    : undefined;
}

function isValidationList(value: unknown): boolean {
  const [first] = readList(value, 'detail') ?? [];
  return readList(first, 'loc') !== undefined && readName(first, 'msg') !== undefined;
}

const AWS_EVENTS = [
  'internalServerException',
  'modelStreamErrorException',
  'modelTimeoutException',
  'serviceUnavailableException',
  'throttlingException',
  'validationException',
] as const;

// Bedrock names the kind in a header, in `__type`, in the key of a stream's event, or in the name of the SDK's error.
function ofAws(value: unknown, headers: unknown): Facts | undefined {
  const metadata = readField(value, '$metadata');
  const event = AWS_EVENTS.find((key) => hasFields(readField(value, key)));
  const error = event === undefined ? value : readField(value, event);
  const name =
    (hasFields(value) ? readHeader(headers, 'x-amzn-errortype')?.split(':')[0] : undefined) ??
    readName(value, '__type')?.split('#').at(-1)?.split(':')[0] ??
    (hasFields(metadata) ? readName(value, 'name') : undefined) ??
    event?.replace(/^./, (first) => first.toUpperCase());
  // Other services of AWS, which may stand before any backend, write such names too.
  if (name === undefined || rowAt(PROVIDER_WORDS, name) === undefined) return undefined;
  return {
    words: [name],
    status: httpStatus(readField(metadata, 'httpStatusCode')),
    error,
    provider: 'bedrock',
    requestId:
      plainId(readField(metadata, 'requestId')) ?? plainId(readHeader(headers, 'x-amzn-requestid')),
    message: messageOfAws(error),
  };
}

function messageOfAws(error: unknown): string | undefined {
  const bodies = [...openAnswer(error).bodies, error];
  return bodies.map((body) => readName(body, 'message')).find((message) => message !== undefined);
}

// Any backend may answer `{ statusCode, message }`: the gateway of Azure is told by its own words.
const AZURE_WORDING =
  /subscription key|^(?:Rate|Token|Quota) limit is exceeded|Out of call volume quota|(?:Token|Rate) limit is exceeded/i;

function ofAzureGateway(value: unknown): Facts | undefined {
  const status = httpStatus(readField(value, 'statusCode'));
  const message = readName(value, 'message');
  if (status === undefined || message === undefined || isErrorLike(value)) return undefined;
  return AZURE_WORDING.test(message.slice(0, 500))
    ? { words: [], status, message, error: undefined, provider: 'azure' }
    : undefined;
}

const BLOCKED: readonly unknown[] = [
  ...['SAFETY', 'PROHIBITED_CONTENT', 'BLOCKLIST', 'SPII', 'RECITATION', 'IMAGE_SAFETY'],
];

// A reply of a 200 that is none: the prompt was blocked, a filter ended it, the model declined, or it broke off.
function ofSoftFailure(value: unknown): Facts | undefined {
  const blocked = readField(readField(value, 'promptFeedback'), 'blockReason');
  const [candidate] = readList(value, 'candidates') ?? [];
  if (
    (typeof blocked === 'string' && blocked !== '' && blocked !== 'BLOCK_REASON_UNSPECIFIED') ||
    BLOCKED.includes(readField(candidate, 'finishReason'))
  ) {
    return { words: ['content_filter'], error: undefined, provider: 'google' };
  }
  const stop =
    readField(value, 'stop_reason') ?? readField(readField(value, 'delta'), 'stop_reason');
  if (stop === 'refusal') return { words: ['refusal'], error: undefined, provider: 'anthropic' };
  const [choice] = readList(value, 'choices') ?? [];
  switch (readField(choice, 'finish_reason')) {
    case 'content_filter':
      return { words: ['content_filter'], error: undefined };
    case 'error':
      return ofEnvelope(choice) ?? { words: [], error: undefined, otherwise: FAILED };
    default:
      return undefined;
  }
}
