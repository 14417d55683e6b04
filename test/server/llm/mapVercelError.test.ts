import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HelixError } from '../../../src/errors/HelixError.ts';
import { resolveErrorDetail } from '../../../src/errors/resolveErrorDetail.ts';
import type { ErrorCode } from '../../../src/protocol/codes.ts';
import { mapVercelError } from '../../../src/server/mapVercelError.ts';
import { withProviderRetry } from '../../../src/server/withProviderRetry.ts';
import { createManualWorld } from '../../../src/testing/manualWorld.ts';
import { hostileRecipe } from '../../errors/hostileValues.ts';
import {
  breakAfter,
  closeAtOnce,
  closedPort,
  events,
  type ProviderServer,
  resetAtOnce,
  silence,
  stallAfter,
  startProviderServer,
  whole,
} from './providerServer.ts';
import { API_KEY, generated, providers, reply, sdks, streamed } from './sdks.ts';

let server: ProviderServer;
beforeAll(async () => {
  server = await startProviderServer();
});
afterAll(() => server.close());

const now = Date.UTC(2026, 0, 1);

/** The table of statuses, and what the SDK says of repeating each. */
const STATUSES: readonly (readonly [number, ErrorCode, boolean])[] = [
  [401, 'provider_auth_error', false],
  [403, 'provider_auth_error', false],
  [408, 'provider_timeout', true],
  [429, 'provider_rate_limited', true],
  [400, 'provider_invalid_request', false],
  [422, 'provider_invalid_request', false],
  [503, 'provider_overloaded', true],
  [529, 'provider_overloaded', true],
  // Other 5xx.
  [500, 'provider_error', true],
  [502, 'provider_error', true],
  [504, 'provider_error', true],
  // Other 4xx.
  [402, 'provider_invalid_request', false],
  [404, 'provider_invalid_request', false],
  [409, 'provider_invalid_request', true],
  [413, 'provider_invalid_request', false],
  [418, 'provider_invalid_request', false],
];

describe.each(providers)('%s', (_name, sdk, provider) => {
  const call = () => streamed(sdk, { model: provider.model(server.url) });

  test('answers where nothing goes wrong', async () => {
    server.answer(reply(provider));
    const { error, text } = await call();
    expect([error, text.startsWith('Hel')]).toEqual([undefined, true]);
  });

  test.each(STATUSES)('status %i is %s, and the SDK says %s', async (status, code, retryable) => {
    server.answer(whole(status, provider.refusal(status, 'Slow down')));
    const { error } = await call();
    const mapped = mapVercelError(error);
    expect(mapped).toMatchObject({
      code,
      category: 'provider',
      retryable,
      statusCode: status,
      message: 'Slow down',
      cause: error,
    });
    expect((error as { isRetryable: boolean }).isRetryable).toBe(retryable);
  });

  test('a refusal keeps the wait and the support id that it stated', async () => {
    const headers = { 'retry-after': '3', 'x-request-id': 'req_1' };
    server.answer(whole(429, provider.refusal(429, 'Slow down'), headers));
    const { error } = await call();
    expect(mapVercelError(error)).toMatchObject({ retryAfterMs: 3_000, requestId: 'req_1' });
  });

  test('a refusal that is no JSON counts by its status', async () => {
    server.answer(whole(502, '<html>Bad gateway</html>', { 'content-type': 'text/html' }));
    const { error } = await call();
    expect(mapVercelError(error)).toMatchObject({ code: 'provider_error', statusCode: 502 });
  });

  test('retries that ran out are the last error, not retryable, whatever it said', async () => {
    const headers = { 'retry-after-ms': '1' };
    server.answer(
      whole(503, provider.refusal(503, 'Busy'), headers),
      whole(429, provider.refusal(429, 'Rate limited'), headers),
    );
    const error = await generated(sdk, { model: provider.model(server.url), maxRetries: 2 });
    expect([(error as Error).name, server.requests]).toEqual(['AI_RetryError', 3]);
    expect(mapVercelError(error)).toMatchObject({
      code: 'provider_rate_limited',
      retryable: false,
      statusCode: 429,
      message: 'Failed after retries: Rate limited',
      // Time lifts it: no allowance is used up.
      reason: 'rate-limit',
      cause: error,
    });
  });

  test('a used-up allowance says so, before and after retries', async () => {
    const body = {
      error: { message: 'Spent', type: 'insufficient_quota', param: null, code: 'c' },
    };
    server.answer(whole(429, body, { 'retry-after-ms': '1' }));
    const spent = { code: 'provider_rate_limited', reason: 'quota' };
    expect(mapVercelError((await call()).error)).toMatchObject({ ...spent, retryable: true });
    const error = await generated(sdk, { model: provider.model(server.url), maxRetries: 1 });
    expect(mapVercelError(error)).toMatchObject({ ...spent, retryable: false });
    server.answer(whole(402, provider.refusal(402, 'Pay')));
    expect(mapVercelError((await call()).error)).toMatchObject({
      code: 'provider_invalid_request',
      reason: 'quota',
    });
  });

  test.each([
    ['reset', resetAtOnce],
    ['closed', closeAtOnce],
  ])('a connection that is %s before the answer is a retryable provider_error', async (_, how) => {
    server.answer(how);
    const { error } = await call();
    expect(mapVercelError(error)).toMatchObject({
      code: 'provider_error',
      retryable: true,
      statusCode: undefined,
      cause: error,
    });
  });

  test.each(['reset', 'close'] as const)(
    'a connection that breaks (%s) in the middle of a streamed answer is one too',
    async (how) => {
      server.answer(breakAfter('text/event-stream', provider.begin, how));
      const { error, text } = await call();
      expect(text).toBe('Hel');
      expect(mapVercelError(error)).toMatchObject({
        code: 'provider_error',
        retryable: true,
        message: 'terminated',
        cause: error,
      });
    },
  );

  test('so is one that breaks in the body of a whole answer, by the cause of its wrapper', async () => {
    server.answer(breakAfter('application/json', '{"id":', 'reset'));
    const error = await generated(sdk, { model: provider.model(server.url) });
    expect(error).toMatchObject({ message: 'Failed to process successful response' });
    expect(mapVercelError(error)).toMatchObject({
      code: 'provider_error',
      retryable: true,
      message: 'terminated',
      cause: error,
    });
  });

  test('a refused connection is one without a status', async () => {
    const { error } = await streamed(sdk, {
      model: provider.model(`http://127.0.0.1:${await closedPort()}`),
    });
    expect(mapVercelError(error)).toMatchObject({
      code: 'provider_error',
      retryable: true,
      statusCode: undefined,
    });
  });

  test('a name that does not resolve is one without a status', async () => {
    const { error } = await streamed(sdk, { model: provider.model('http://nowhere.invalid') });
    expect(mapVercelError(error)).toMatchObject({
      code: 'provider_error',
      retryable: true,
      statusCode: undefined,
    });
    // Some resolvers take their time to say that there is no such name.
  }, 60_000);

  test('an error event after the first word is what the provider calls it', async () => {
    server.answer(events(provider.begin + provider.streamError));
    const { error, text } = await call();
    const full = provider.name === 'anthropic' || provider.name === 'google';
    expect(text).toBe('Hel');
    expect(mapVercelError(error)).toMatchObject({
      code: full ? 'provider_overloaded' : 'provider_error',
      retryable: true,
      message: 'Too full',
      cause: error,
    });
  });

  test('an error event before the first word is the same', async () => {
    server.answer(events(provider.preamble + provider.streamError));
    const { error, text } = await call();
    const full = provider.name === 'anthropic' || provider.name === 'google';
    expect(text).toBe('');
    expect(mapVercelError(error).code).toBe(full ? 'provider_overloaded' : 'provider_error');
  });

  test.each([
    ['before the answer', silence],
    ['inside it', stallAfter('')],
  ])('a stall %s past a time-out is a provider_timeout', async (_, stall) => {
    server.answer(stall);
    const limit = new AbortController();
    const failing = generated(sdk, {
      model: provider.model(server.url),
      abortSignal: limit.signal,
    });
    await server.reached();
    limit.abort(new DOMException('The operation timed out.', 'TimeoutError'));
    expect(mapVercelError(await failing)).toMatchObject({ code: 'provider_timeout' });
  });

  test.each([
    ['before the answer', silence, ''],
    ['inside it', stallAfter(provider.begin), 'Hel'],
  ])(
    'a stall %s past the SDK’s limit ends a stream with a part, which says so',
    async (_, stall, said) => {
      server.answer(stall);
      const { error, text, aborted } = await streamed(sdk, {
        model: provider.model(server.url),
        timeout: 200,
      });
      expect(text === '' || text === said).toBe(true);
      expect(error).toBeUndefined();
      expect(mapVercelError(aborted)).toMatchObject({ code: 'provider_timeout', retryable: true });
    },
  );

  test('a stop ends a stream with a part, which is no time-out', async () => {
    server.answer(stallAfter(provider.begin));
    const stop = new AbortController();
    const ending = streamed(sdk, { model: provider.model(server.url), abortSignal: stop.signal });
    await server.reached();
    stop.abort();
    const { error, aborted } = await ending;
    expect(mapVercelError(error ?? aborted).code).toBe('framework_cancelled');
  });

  test('an abort is framework_cancelled', async () => {
    server.answer(silence);
    const stop = new AbortController();
    const failing = generated(sdk, { model: provider.model(server.url), abortSignal: stop.signal });
    await server.reached();
    stop.abort();
    expect(mapVercelError(await failing)).toMatchObject({
      code: 'framework_cancelled',
      category: 'framework',
    });
  });

  describe('on a platform that reports failures as workerd does', () => {
    const platform = (fields: object, text = 'Network connection lost.') =>
      Object.assign(new Error(text), fields);
    const refusing = (error: unknown) => async () => Promise.reject(error);
    /** An answer whose body begins and then fails so. */
    const breaking = (error: unknown) => async () => {
      const bytes = new TextEncoder().encode(provider.begin);
      let pulls = 0;
      const body = new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            pulls += 1;
            if (pulls === 1) return controller.enqueue(bytes);
            // What was sent is to be read before its stream breaks.
            await new Promise((resolve) => setImmediate(resolve));
            controller.error(error);
          },
        },
        { highWaterMark: 0 },
      );
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    };
    const model = (fetch: () => Promise<Response>) => provider.model('http://x.test', fetch);

    test('a drop before the answer is a retryable provider_error', async () => {
      const error = platform({ retryable: true, remote: true });
      const heard = await streamed(sdk, { model: model(refusing(error)) });
      expect(mapVercelError(heard.error)).toMatchObject({
        code: 'provider_error',
        retryable: true,
        flags: { remote: true },
      });
    });

    test('so is one in the body', async () => {
      const error = platform({ retryable: true, remote: true });
      const heard = await streamed(sdk, { model: model(breaking(error)) });
      expect(heard.text).toBe('Hel');
      expect(mapVercelError(heard.error)).toMatchObject({
        code: 'provider_error',
        retryable: true,
      });
    });

    test.each([
      ['with no flags, for a name that does not resolve', {}],
      ['marked overloaded, after its own time-out', { overloaded: true, remote: true }],
    ])('a masked failure %s is an unreachable provider', async (_, fields) => {
      const error = platform(fields, 'internal error; reference = abc');
      const world = createManualWorld();
      const wrapped = withProviderRetry(model(refusing(error)), { world, maxRetries: 0 });
      const heard = await streamed(sdk, { model: wrapped });
      expect(mapVercelError(heard.error)).toMatchObject({
        code: 'provider_unreachable',
        retryable: false,
        message: 'The model provider could not be reached.',
      });
      // Where nobody says that it came from the provider's call, it is anybody's.
      const plain = await streamed(sdk, { model: model(refusing(error)) });
      expect(mapVercelError(plain.error).code).toBe('framework_internal_error');
    });
  });

  test('no key and no prompt gets into what may be logged or sent', async () => {
    server.answer(whole(401, provider.refusal(401, `Incorrect API key provided: ${API_KEY}`)));
    const { error } = await call();
    const mapped = mapVercelError(error);
    const sent = JSON.stringify([mapped, mapped.message, resolveErrorDetail(mapped)]);
    expect(sent).not.toContain(API_KEY);
    expect(sent).not.toContain('"Hi"');
  });
});

describe('errors of the SDK itself', () => {
  test.each(sdks.map((sdk) => [sdk.major, sdk] as const))(
    'ai %i: an invalid prompt keeps its own classification',
    async (_, sdk) => {
      const error = await generated(sdk, {
        model: sdk.providers[0]?.model(server.url),
        ...({ prompt: undefined, messages: [{ role: 'nobody' }] } as object),
      });
      expect((error as Error).name).toMatch(/^AI_Invalid/);
      expect(mapVercelError(error, { beforeOutput: true })).toMatchObject({
        code: 'framework_internal_error',
        retryable: undefined,
        cause: error,
      });
    },
  );
});

const lost = { message: 'Network connection lost.' };
const workerd = (fields: object, message = lost.message) =>
  Object.assign(new Error(message), fields);
const undici = (message: string, code: string) =>
  new TypeError(message, { cause: Object.assign(new Error('socket'), { code }) });
const apiError = (fields: object) =>
  Object.assign(new Error('said'), { name: 'AI_APICallError', isRetryable: true, ...fields });
const wrapper = (cause: unknown) =>
  Object.assign(new Error('Failed to process successful response', { cause }), {
    name: 'AI_APICallError',
    statusCode: 200,
    isRetryable: false,
  });
class Subclass extends Error {
  readonly retryable = true;
}

describe('a drop, by structure', () => {
  test.each<[string, unknown]>([
    ['workerd', workerd({ retryable: true, remote: true })],
    ['workerd with any message', workerd({ retryable: true }, 'something else')],
    ['workerd across a boundary', { name: 'Error', ...lost, retryable: true, remote: true }],
    ['undici before the answer, closed', undici('fetch failed', 'UND_ERR_SOCKET')],
    ['undici before the answer, reset', undici('fetch failed', 'ECONNRESET')],
    ['undici in the body, closed', undici('terminated', 'UND_ERR_SOCKET')],
    ['undici in the body, reset', undici('terminated', 'ECONNRESET')],
    ['workerd in a wrapper', wrapper(workerd({ retryable: true }))],
    ['undici in a wrapper', wrapper(undici('terminated', 'UND_ERR_SOCKET'))],
  ])('%s', (_, error) => {
    expect(mapVercelError(error)).toMatchObject({
      code: 'provider_error',
      retryable: true,
      cause: error,
    });
    // Where it came from does not matter.
    expect(mapVercelError(error, { beforeOutput: true }).code).toBe('provider_error');
  });

  test.each<[string, unknown]>([
    ['only its message', new Error('Network connection lost.')],
    ['a TypeError with only its message', new TypeError('fetch failed')],
    ['a TypeError over another code', undici('fetch failed', 'ECONNREFUSED')],
    ['a subclass that carries a flag', new Subclass('Network connection lost.')],
    ['a named error that carries a flag', workerd({ name: 'StoreError', retryable: true })],
    ['one that is marked overloaded', workerd({ retryable: true, overloaded: true })],
    ['one whose flag is not its own', Object.create(workerd({ retryable: true }))],
    [
      'an object whose flag is not its own',
      Object.assign(Object.create({ retryable: true }), { name: 'Error', ...lost }),
    ],
    ['a wrapper of any other failure', wrapper(new Error('bad JSON'))],
    ['a text', 'Network connection lost.'],
    ['nothing', undefined],
  ])('not: %s', (_, error) => {
    expect(mapVercelError(error)).toMatchObject({
      code: 'framework_internal_error',
      retryable: undefined,
    });
  });

  test('not: a HelixError that says so', () => {
    const error = new HelixError({ code: 'tool_timeout', ...lost, retryable: true });
    expect(mapVercelError(error)).toBe(error);
  });

  test('the flags of the platform are kept', () => {
    const error = mapVercelError(workerd({ retryable: true, remote: true }));
    expect(resolveErrorDetail(error)).toMatchObject({ flags: { remote: true } });
  });
});

describe('an APICallError', () => {
  test('that failed to connect is no wrapper, whatever its cause', () => {
    const error = apiError({ cause: workerd({ retryable: true }), isRetryable: false });
    expect(mapVercelError(error)).toMatchObject({ code: 'provider_error', retryable: false });
  });

  test('of an HTTP error is no wrapper, whatever its cause', () => {
    const cause = undici('terminated', 'ECONNRESET');
    expect(mapVercelError(apiError({ statusCode: 401, isRetryable: false, cause }))).toMatchObject({
      code: 'provider_auth_error',
      retryable: false,
    });
  });

  test('that wraps an abort is the abort, and stays its cause', () => {
    const error = wrapper(new DOMException('stopped', 'AbortError'));
    expect(mapVercelError(error)).toMatchObject({ code: 'framework_cancelled', cause: error });
  });

  test('that wraps another failure of a body was answered, so the provider was reached', () => {
    const error = wrapper(new Error('bad frame'));
    expect(mapVercelError(error, { beforeOutput: true }).code).toBe('framework_internal_error');
  });

  test('of a good answer that wraps a drop is the drop, whatever it is called', () => {
    const cause = undici('terminated', 'ECONNRESET');
    const error = apiError({ statusCode: 200, isRetryable: false, cause });
    expect(mapVercelError(error)).toMatchObject({ code: 'provider_error', retryable: true });
  });

  test('of a good answer that could not be read is the provider’s', () => {
    const error = apiError({ statusCode: 200, isRetryable: false, cause: new Error('no JSON') });
    expect(mapVercelError(error)).toMatchObject({
      code: 'provider_error',
      retryable: false,
      statusCode: 200,
    });
  });

  test('that states no flag has the one of its code', () => {
    const error = apiError({ statusCode: 429, isRetryable: undefined });
    expect(mapVercelError(error).retryable).toBe(true);
  });

  test('reads a date against the clock it is given', () => {
    const responseHeaders = { 'retry-after': 'Thu, 01 Jan 2026 00:00:20 GMT' };
    const error = apiError({ statusCode: 429, responseHeaders });
    expect(mapVercelError(error, { now }).retryAfterMs).toBe(20_000);
  });

  test('of another copy of the package is known by its marker', () => {
    const error = Object.assign(new Error('said'), { name: 'Renamed', statusCode: 408 });
    Object.assign(error, { [Symbol.for('vercel.ai.error.AI_APICallError')]: true });
    expect(mapVercelError(error).code).toBe('provider_timeout');
  });
});

describe('a failure that a provider sends in its stream', () => {
  test.each<[string, unknown, ErrorCode, boolean]>([
    ['Anthropic', { type: 'overloaded_error', message: 'Overloaded' }, 'provider_overloaded', true],
    [
      'Anthropic, its limit',
      { type: 'rate_limit_error', message: 'm' },
      'provider_rate_limited',
      true,
    ],
    ['Anthropic, inside', { type: 'api_error', message: 'm' }, 'provider_error', true],
    ['OpenAI', { message: 'm', type: 'server_error', code: null }, 'provider_error', true],
    [
      'OpenAI, its allowance',
      { message: 'm', type: 'insufficient_quota', code: 'insufficient_quota' },
      'provider_rate_limited',
      false,
    ],
    [
      'OpenAI, a key',
      { error: { message: 'm', type: 'invalid_request_error', code: 'invalid_api_key' } },
      'provider_auth_error',
      false,
    ],
    [
      'OpenAI, a prompt',
      { message: 'm', type: 'invalid_request_error', code: 'context_length_exceeded' },
      'provider_invalid_request',
      false,
    ],
    [
      'OpenAI, a failed response',
      { type: 'response.failed', response: { error: { code: 'server_error', message: 'm' } } },
      'provider_error',
      true,
    ],
    ['a number for a code', { message: 'm', code: 503 }, 'provider_overloaded', true],
    ['a text for a code', { message: 'm', code: '429' }, 'provider_rate_limited', true],
    [
      'as the SDK wrote it',
      { message: 'm', statusCode: 500, isRetryable: false },
      'provider_error',
      false,
    ],
  ])('%s', (_, event, code, retryable) => {
    expect(mapVercelError(event)).toMatchObject({ code, retryable, cause: event });
  });

  const marked = (marker: string, fields: object) =>
    Object.assign(new Error('m'), { [Symbol.for(marker)]: true, name: 'Some' }, fields);
  const stream = 'vercel.ai.error.AI_StreamProviderError';

  test.each<[string, unknown, ErrorCode, boolean | undefined]>([
    [
      'an error of `ai` 7, by its status and flag',
      marked(stream, { statusCode: 429, isRetryable: false }),
      'provider_rate_limited',
      false,
    ],
    [
      'one without a status, whose false is a default, by its word',
      marked(stream, { type: 'rate_limit_error', isRetryable: false }),
      'provider_rate_limited',
      true,
    ],
    [
      'one that names nothing, by its flag',
      marked(stream, { type: 'thing', isRetryable: true }),
      'provider_error',
      true,
    ],
    [
      'an error of the gateway',
      marked('vercel.ai.gateway.error', { statusCode: 408, isRetryable: true }),
      'provider_timeout',
      true,
    ],
  ])('%s', (_, error, code, retryable) => {
    expect(mapVercelError(error)).toMatchObject({ code, retryable, message: 'm', cause: error });
  });

  test('is nothing that was thrown by something else, whatever status it carries', () => {
    const error = Object.assign(new Error('m'), { statusCode: 503, isRetryable: true, code: 503 });
    expect(mapVercelError(error).code).toBe('framework_internal_error');
  });

  test('is nothing where no word of it is known', () => {
    expect(mapVercelError({ message: 'm', code: 200 }).code).toBe('framework_internal_error');
    expect(mapVercelError({ message: 'm', type: 'thing' }).code).toBe('framework_internal_error');
    expect(mapVercelError({ message: 'm', code: 42 }).code).toBe('framework_internal_error');
    expect(mapVercelError({ type: 'overloaded_error' }).code).toBe('framework_internal_error');
  });
});

describe('a call that gave nothing', () => {
  test.each<[string, unknown]>([
    ['a plain Error', workerd({ overloaded: true, remote: true }, 'internal error; reference = 1')],
    ['a TypeError', new TypeError('fetch failed')],
  ])('%s is provider_unreachable, in words that a person can read', (_, error) => {
    const mapped = mapVercelError(error, { beforeOutput: true });
    expect(mapped).toMatchObject({
      code: 'provider_unreachable',
      category: 'provider',
      retryable: false,
      message: 'The model provider could not be reached.',
      cause: error,
    });
  });

  test('keeps the flags of the platform, also on the nested cause', () => {
    const error = workerd({ overloaded: true, remote: true }, 'internal error; reference = 1');
    const flags = { overloaded: true, remote: true };
    const mapped = mapVercelError(error, { beforeOutput: true });
    expect(resolveErrorDetail(mapped)).toMatchObject({ flags, cause: { flags } });
  });

  test.each<[string, unknown, string]>([
    ['an error of a class', new RangeError('x'), 'framework_internal_error'],
    ['a text', 'x', 'framework_internal_error'],
    ['an abort', new DOMException('x', 'AbortError'), 'framework_cancelled'],
    ['an HTTP answer', apiError({ statusCode: 503 }), 'provider_overloaded'],
    [
      'a known error',
      Object.assign(new Error('x'), { name: 'StaleStateError' }),
      'state_concurrency_conflict',
    ],
  ])('%s keeps its own classification', (_, error, code) => {
    expect(mapVercelError(error, { beforeOutput: true }).code).toBe(code);
  });
});

describe('a RetryError', () => {
  const retryError = (fields: object) =>
    Object.assign(new Error('spent'), { name: 'AI_RetryError', ...fields });

  test.each<[string, object, ErrorCode]>([
    ['its last error', { lastError: apiError({ statusCode: 503 }) }, 'provider_overloaded'],
    [
      'the last of its list',
      { errors: [1, apiError({ statusCode: 429 })] },
      'provider_rate_limited',
    ],
    ['a drop', { lastError: workerd({ retryable: true }) }, 'provider_error'],
    [
      'another one',
      { lastError: retryError({ lastError: apiError({ statusCode: 401 }) }) },
      'provider_auth_error',
    ],
    ['nothing', {}, 'framework_internal_error'],
  ])('is %s, never retryable', (_, fields, code) => {
    expect(mapVercelError(retryError(fields))).toMatchObject({ code, retryable: false });
  });

  test('says once that there were retries', () => {
    const inner = retryError({ lastError: apiError({ statusCode: 429 }) });
    expect(mapVercelError(retryError({ lastError: inner })).message).toBe(
      'Failed after retries: said',
    );
  });

  test('may hold itself', () => {
    const error = retryError({});
    Object.assign(error, { lastError: error });
    expect(mapVercelError(error).retryable).toBe(false);
    const wrapping = wrapper(undefined);
    Object.defineProperty(wrapping, 'cause', { value: wrapping });
    expect(HelixError.isInstance(mapVercelError(wrapping))).toBe(true);
  });
});

test('no value makes it throw', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(hostileRecipe, (make) => {
      const value = make();
      const mapped = mapVercelError(value, { now, beforeOutput: true });
      if (!HelixError.isInstance(mapped)) throw new Error('no HelixError');
      JSON.stringify(mapped);
    }),
    { numRuns: 10_000 },
  );
});
