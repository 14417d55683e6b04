import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import * as ai6 from 'ai';
import { describe, expect, test } from 'vitest';
import { allAdapters } from '../../src/adapters/allAdapters.ts';
import { vercelAdapter } from '../../src/adapters/vercel.ts';
import { toHelixError } from '../../src/errors/toHelixError.ts';
import { decode, NOW, reading } from './decode.ts';

const require = createRequire(import.meta.url);
const seven = createRequire(require.resolve('ai-sdk-react-v4')).resolve('ai');
const ai7 = (await import(pathToFileURL(seven).href)) as typeof ai6;

type Ai = typeof ai6;
type Make = (ai: Ai) => unknown;
interface StreamProviderFields {
  readonly message: string;
  readonly type?: string;
  readonly code?: string;
  readonly statusCode?: number;
  readonly isRetryable?: boolean;
}
type Only7 = Ai & {
  StreamProviderError: new (fields: StreamProviderFields) => Error;
  NoSuchProviderReferenceError: new (fields: object) => Error;
  NoTranslationGeneratedError: new (fields: object) => Error;
  Experimental_DecisionRefusalError: new (fields: object) => Error;
  Experimental_ExtractionRefusalError: new (fields: object) => Error;
};

const call = (fields: Partial<ConstructorParameters<Ai['APICallError']>[0]>): Make => {
  const given = { message: 'm', url: 'https://api.example', requestBodyValues: {}, ...fields };
  return (ai) => new ai.APICallError(given);
};
const noObject = (finishReason: 'stop' | 'content-filter', cause?: unknown): Make => {
  const usage = {} as never;
  const response = { id: 'r', timestamp: new Date(0), modelId: 'm' };
  return (ai) =>
    new ai.NoObjectGeneratedError({
      ...{ text: 'SECRET TEXT', response, usage, finishReason },
      ...(cause instanceof Error && { cause }),
    });
};
const retries = (reason: 'maxRetriesExceeded' | 'abort', ...errors: Make[]): Make => {
  return (ai) =>
    new ai.RetryError({ message: 'm', reason, errors: errors.map((make) => make(ai)) });
};
const reset = Object.assign(new TypeError('terminated'), { cause: { code: 'UND_ERR_SOCKET' } });

/** What both majors throw. */
const BOTH: readonly (readonly [string, Make, readonly unknown[]])[] = [
  ...(
    [
      [401, ['provider_auth_error', false]],
      [403, ['provider_auth_error', false]],
      [404, ['provider_invalid_request', false]],
      [408, ['provider_timeout', true]],
      [409, ['provider_invalid_request', false]],
      [413, ['provider_invalid_request', false, 'too-long']],
      [429, ['provider_rate_limited', true]],
      [400, ['provider_invalid_request', false]],
      [422, ['provider_invalid_request', false]],
      [500, ['provider_error', true]],
      [502, ['provider_error', true]],
      [503, ['provider_overloaded', true]],
      [529, ['provider_overloaded', true]],
    ] as const
  ).map(
    ([statusCode, expected]) =>
      [`APICallError ${statusCode}`, call({ statusCode }), expected] as const,
  ),
  ['APICallError 402', call({ statusCode: 402 }), ['provider_rate_limited', false, 'quota']],
  [
    'APICallError 429, a flag of false',
    call({ statusCode: 429, isRetryable: false }),
    ['provider_rate_limited', false],
  ],
  [
    'APICallError with a typed body',
    call({
      statusCode: 429,
      responseBody:
        '{"error":{"message":"m","type":"insufficient_quota","code":"insufficient_quota"}}',
    }),
    ['provider_rate_limited', false, 'quota'],
  ],
  [
    'APICallError with parsed data only',
    call({
      statusCode: 400,
      data: { error: { message: 'm', type: null, code: 'content_filter' } },
    }),
    ['provider_content_filtered', false],
  ],
  [
    'APICallError with a page of HTML',
    call({ statusCode: 502, responseBody: '<html>SECRET</html>' }),
    ['provider_error', true],
  ],
  [
    'APICallError, not connected',
    call({ message: 'Cannot connect to API: m', isRetryable: true }),
    ['provider_error', true],
  ],
  [
    'APICallError, not connected, not to be repeated',
    call({ message: 'm' }),
    ['provider_error', false],
  ],
  [
    'a broken body',
    call({ message: 'Failed to process successful response', statusCode: 200, cause: reset }),
    ['provider_error', true],
  ],
  [
    'an unreadable body',
    call({ message: 'Invalid JSON response', statusCode: 200, cause: new Error('m') }),
    ['provider_error', undefined],
  ],
  [
    'a body that the SDK could not parse',
    (ai) =>
      call({
        message: 'm',
        statusCode: 200,
        cause: new ai.JSONParseError({ text: 'SECRET', cause: new Error('m') }),
      })(ai),
    ['transport_error', false],
  ],
  [
    'RetryError',
    retries('maxRetriesExceeded', call({ statusCode: 401 }), call({ statusCode: 429 })),
    ['provider_rate_limited', false],
  ],
  [
    'RetryError by an abort',
    retries('abort', () => new DOMException('m', 'AbortError')),
    ['framework_cancelled', false],
  ],
  ['RetryError of no error', retries('maxRetriesExceeded'), ['provider_error', false]],
  ['NoObjectGeneratedError', noObject('stop'), ['framework_completion_invalid_output', false]],
  [
    'NoObjectGeneratedError, filtered',
    noObject('content-filter'),
    ['provider_content_filtered', false],
  ],
  [
    'NoOutputGeneratedError',
    (ai) => new ai.NoOutputGeneratedError(),
    ['provider_error', undefined],
  ],
  [
    'NoOutputGeneratedError by a refused call',
    (ai) =>
      new ai.NoOutputGeneratedError({
        cause: new ai.APICallError({
          message: 'm',
          url: 'u',
          requestBodyValues: {},
          statusCode: 401,
        }),
      }),
    ['provider_auth_error', false],
  ],
  ['NoContentGeneratedError', (ai) => new ai.NoContentGeneratedError(), ['provider_error', true]],
  ['EmptyResponseBodyError', (ai) => new ai.EmptyResponseBodyError(), ['provider_error', true]],
  [
    'EmptyResponseBodyError of the chat’s transport',
    (ai) => new ai.EmptyResponseBodyError({ message: 'The response body is empty.' }),
    ['transport_error', undefined, 'unexpected-response'],
  ],
  [
    'InvalidResponseDataError',
    (ai) => new ai.InvalidResponseDataError({ data: 'SECRET' }),
    ['provider_error', undefined],
  ],
  [
    'JSONParseError',
    (ai) => new ai.JSONParseError({ text: 'SECRET', cause: new Error('m') }),
    ['transport_error', false],
  ],
  [
    'TypeValidationError',
    (ai) => new ai.TypeValidationError({ value: 'SECRET', cause: new Error('m') }),
    ['transport_error', false],
  ],
  [
    'InvalidStreamPartError',
    (ai) => new ai.InvalidStreamPartError({ chunk: {} as never, message: 'm' }),
    ['transport_error', false],
  ],
  [
    'UIMessageStreamError',
    (ai) => new ai.UIMessageStreamError({ chunkType: 'text-delta', chunkId: 'c', message: 'm' }),
    ['transport_stream_drop', true, 'cut'],
  ],
  [
    'InvalidToolInputError',
    (ai) =>
      new ai.InvalidToolInputError({ toolName: 't', toolInput: 'SECRET', cause: new Error('m') }),
    ['tool_input_invalid', false],
  ],
  ['NoSuchToolError', (ai) => new ai.NoSuchToolError({ toolName: 't' }), ['tool_not_found', false]],
  [
    'ToolCallRepairError',
    (ai) =>
      new ai.ToolCallRepairError({
        cause: new Error('m'),
        originalError: new ai.NoSuchToolError({ toolName: 't' }),
      }),
    ['tool_not_found', false],
  ],
  [
    'ToolChoiceViolationError',
    (ai) =>
      new ai.ToolChoiceViolationError({
        toolChoice: { type: 'none' },
        finishReason: 'stop',
        provider: 'p',
        modelId: 'm',
        content: [],
      }),
    ['framework_completion_protocol_violation', false],
  ],
  [
    'InvalidToolApprovalError',
    (ai) => new ai.InvalidToolApprovalError({ approvalId: 'a' }),
    ['state_not_resumable', false, 'answer-rejected'],
  ],
  [
    'MissingToolResultsError',
    (ai) => new ai.MissingToolResultsError({ toolCallIds: ['c'] }),
    ['validation_error', false],
  ],
  [
    'InvalidPromptError',
    (ai) => new ai.InvalidPromptError({ prompt: 'SECRET', message: 'm' }),
    ['validation_error', false],
  ],
  [
    'InvalidMessageRoleError',
    (ai) => new ai.InvalidMessageRoleError({ role: 'x' }),
    ['validation_error', false],
  ],
  [
    'InvalidDataContentError',
    (ai) => new ai.InvalidDataContentError({ content: 'SECRET' }),
    ['validation_error', false],
  ],
  [
    'DownloadError',
    (ai) => new ai.DownloadError({ url: 'https://x/?sig=SECRET', statusCode: 404 }),
    ['validation_error', undefined],
  ],
  [
    'InvalidArgumentError',
    (ai) => new ai.InvalidArgumentError({ parameter: 'p', value: 'SECRET', message: 'm' }),
    ['framework_internal_error', false],
  ],
  [
    'LoadSettingError',
    (ai) => new ai.LoadSettingError({ message: 'm' }),
    ['framework_internal_error', false],
  ],
  [
    'LoadAPIKeyError',
    (ai) => new ai.LoadAPIKeyError({ message: 'm' }),
    ['provider_auth_error', false],
  ],
  [
    'NoSuchModelError',
    (ai) => new ai.NoSuchModelError({ modelId: 'm', modelType: 'languageModel' }),
    ['provider_invalid_request', false],
  ],
  [
    'UnsupportedFunctionalityError',
    (ai) => new ai.UnsupportedFunctionalityError({ functionality: 'f' }),
    ['framework_not_supported', false],
  ],
  [
    'NoImageGeneratedError',
    (ai) => new ai.NoImageGeneratedError({}),
    ['provider_error', undefined],
  ],
];

describe.each([
  ['6', ai6],
  ['7', ai7],
])('the errors of ai %s', (_major, ai) => {
  test.each(BOTH)('%s, alive', (_name, make, expected) => {
    expect(reading(make(ai))).toEqual(expected);
  });

  test.each(BOTH)('%s, by its name once it was JSON', (_name, make, expected) => {
    const revived: unknown = JSON.parse(JSON.stringify(withName(make(ai))));
    expect(vercelAdapter(revived, { now: NOW })?.code).toBe(expected[0]);
  });

  test.each(BOTH)('%s, as the cause of another', (_name, make, expected) => {
    expect(vercelAdapter(new Error('wrapped', { cause: make(ai) }), { now: NOW })?.code).toBe(
      expected[0],
    );
  });

  test.each(BOTH)('%s keeps nothing of what it holds', (_name, make) => {
    const error = decode(make(ai));
    const { serverMessage, detail, message } = error;
    expect(JSON.stringify([error, serverMessage, detail, message])).not.toContain('SECRET');
  });

  test('a wait that the provider stated', () => {
    const limited = call({ statusCode: 429, responseHeaders: { 'retry-after': '7' } });
    expect(decode(limited(ai)).retryAfterMs).toBe(7_000);
  });

  test('an error of the SDK of no known name is left alone', () => {
    const error = new ai.AISDKError({ name: 'AI_NewError', message: 'm' });
    expect(vercelAdapter(error, { now: NOW })).toBeUndefined();
  });
});

/** What of an error is own and enumerable, with its name: what a log or a queue keeps. */
function withName(error: unknown): object {
  const { name, message } = error as Error;
  return { ...(error as object), name, message };
}

describe('ai 7 alone', () => {
  const only = ai7 as Only7;
  const stream = (fields: Omit<StreamProviderFields, 'message'>) =>
    new only.StreamProviderError({ message: 'm', ...fields });

  test.each([
    [stream({ type: 'overloaded_error', statusCode: 529 }), ['provider_overloaded', true]],
    [
      stream({ code: 'insufficient_quota', statusCode: 429, isRetryable: false }),
      ['provider_rate_limited', false, 'quota'],
    ],
    [stream({ type: 'new', statusCode: 500 }), ['provider_error', true]],
    [
      stream({ type: 'server_error', statusCode: 500, isRetryable: false }),
      ['provider_error', false],
    ],
    [stream({ isRetryable: true }), ['provider_error', undefined]],
  ])('StreamProviderError %#', (error, expected) => {
    expect(reading(error)).toEqual(expected);
  });

  test.each([
    [
      new only.NoSuchProviderReferenceError({ provider: 'p', reference: {} }),
      'provider_invalid_request',
    ],
    [new only.NoTranslationGeneratedError({ response: {} }), 'provider_error'],
    [
      new only.Experimental_DecisionRefusalError({
        questionIds: ['q'],
        provider: 'p',
        modelId: 'm',
      }),
      'provider_refused',
    ],
    [
      new only.Experimental_ExtractionRefusalError({
        fieldIds: ['f'],
        provider: 'p',
        modelId: 'm',
      }),
      'provider_refused',
    ],
  ])('%s', (error, code) => {
    expect(decode(error).code).toBe(code);
  });

  test('a message of the app that did not pass its check', () => {
    const cause = new Error('m');
    const context = { field: 'messages[0].parts[1]', entityName: 'tool' };
    const fields: ConstructorParameters<Ai['TypeValidationError']>[0] = { value: {}, cause };
    const error = new ai7.TypeValidationError({ ...fields, ...{ context } });
    expect(reading(error)).toEqual(['validation_error', false]);
  });

  test('the error chunk of an app is not read for what it is not', () => {
    const error = new ai7.UIMessageStreamError({ chunkType: 'error', chunkId: '', message: 'm' });
    expect(vercelAdapter(error, { now: NOW })).toBeUndefined();
  });
});

describe('what a stock transport throws about the app’s own route', () => {
  const refusal = async (status: number, body: string) => {
    const fetch = async () => new Response(body, { status });
    const transport = new ai7.DefaultChatTransport({ fetch });
    const send = { chatId: 'c', messages: [], trigger: 'submit-message' as const };
    return transport
      .sendMessages({ ...send, messageId: undefined, abortSignal: undefined })
      .catch((error: unknown) => error);
  };

  test.each([401, 403, 404, 429, 500])('is no answer of a provider: %i', async (status) => {
    const error = await refusal(status, '{"message":"of the app"}');
    expect(ai7.APICallError.isInstance(error)).toBe(true);
    expect(vercelAdapter(error, { now: NOW })).toBeUndefined();
    const read = (adapters: typeof allAdapters) => {
      const { code, reason, retryable } = toHelixError(error, { adapters, now: NOW });
      return { code, reason, retryable };
    };
    expect(read(allAdapters)).toEqual(read([]));
  });

  test('may still pass a provider’s body on', async () => {
    const body = '{"type":"error","error":{"type":"overloaded_error","message":"m"}}';
    expect(reading(await refusal(529, body))).toEqual(['provider_overloaded', true]);
  });
});

interface GatewayFields {
  readonly message?: string;
  readonly statusCode?: number;
}
type GatewayClass = new (fields: GatewayFields) => Error;
const fromAi = createRequire(require.resolve('ai'));
const gateway = (await import(pathToFileURL(fromAi.resolve('@ai-sdk/gateway')).href)) as Readonly<
  Record<string, GatewayClass>
>;

describe('the gateway', () => {
  test.each([
    ['GatewayAuthenticationError', 401, ['provider_auth_error', false]],
    ['GatewayForbiddenError', 403, ['provider_auth_error', false]],
    ['GatewayInvalidRequestError', 400, ['provider_invalid_request', false]],
    ['GatewayInvalidRequestError', 402, ['provider_rate_limited', false, 'quota']],
    ['GatewayModelNotFoundError', 404, ['provider_invalid_request', false]],
    ['GatewayFailedDependencyError', 424, ['provider_invalid_request', false]],
    ['GatewayRateLimitError', 429, ['provider_rate_limited', true]],
    ['GatewayInternalServerError', 500, ['provider_error', true]],
    ['GatewayInternalServerError', 503, ['provider_overloaded', true]],
    ['GatewayResponseError', 502, ['provider_error', true]],
  ] as const)('%s %i', (name, statusCode, expected) => {
    const Made = gateway[name];
    if (Made === undefined) throw new Error(`${name} is not exported`);
    const error = new Made({ message: 'm', statusCode });
    expect(reading(error)).toEqual(expected);
    expect(decode(Object.assign(error, { isRetryable: false })).retryable).toBe(false);
  });
});
