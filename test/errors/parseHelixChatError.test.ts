import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import * as ai6 from 'ai';
import { describe, expect, test } from 'vitest';
import { HelixError } from '../../src/errors/HelixError.ts';
import { parseHelixChatError } from '../../src/errors/parseHelixChatError.ts';
import { toHelixError } from '../../src/errors/toHelixError.ts';

const require = createRequire(import.meta.url);
const seven = createRequire(require.resolve('ai-sdk-react-v4')).resolve('ai');
const ai7 = (await import(pathToFileURL(seven).href)) as typeof ai6;

const body = { error: 'A run is live.', code: 'state_already_running', retryable: true };
const parsed = { ...body, category: 'state' };
const json = JSON.stringify(body);
const apiCallError = (fields: object) =>
  Object.assign(new Error('message'), { name: 'AI_APICallError', isRetryable: true, ...fields });

describe('a typed body', () => {
  test.each<[string, unknown, object]>([
    ['a plain body', body, parsed],
    ['a JSON text', json, parsed],
    ['an error whose message is the JSON', new Error(json), parsed],
    ['a status with a body', { status: 409, body }, { ...parsed, status: 409 }],
    ['a status with a body text', { status: 409, body: json }, { ...parsed, status: 409 }],
    [
      'an API call error',
      apiCallError({ statusCode: 409, responseBody: json }),
      { ...parsed, status: 409 },
    ],
    [
      'an API call error without its body',
      apiCallError({ statusCode: 409, message: json }),
      { ...parsed, status: 409 },
    ],
    ['a plain form of it', { statusCode: 409, responseBody: json }, { ...parsed, status: 409 }],
    ['an error of another realm', runInNewContext(`new Error(${JSON.stringify(json)})`), parsed],
  ])('is found in %s', (_name, value, expected) => {
    expect(parseHelixChatError(value)).toEqual(expected);
    expect(parseHelixChatError(new Error('outer', { cause: value }))).toEqual(expected);
  });

  test('is found behind 8 causes, not behind 9', () => {
    const behind = (links: number): unknown =>
      links === 0 ? new Error(json) : new Error('x', { cause: behind(links - 1) });
    expect(parseHelixChatError(behind(8))).toEqual(parsed);
    expect(parseHelixChatError(behind(9))).toBeUndefined();
  });

  test('is the outermost of several', () => {
    const inner = new Error(JSON.stringify({ error: 'x', code: 'provider_error' }));
    expect(parseHelixChatError(new Error(json, { cause: inner }))?.code).toBe(
      'state_already_running',
    );
  });

  test('is read back from a HelixError', () => {
    const error = toHelixError({ status: 409, body: { ...body, runId: 'r1' } });
    expect(parseHelixChatError(error)).toEqual({ ...parsed, status: 409, runId: 'r1' });
    expect(parseHelixChatError(new HelixError({ reason: 'network' }))).toBeUndefined();
  });

  test('does not believe the flag of the AI SDK, which says true for a conflict', () => {
    const refusal = JSON.stringify({ error: 'x', code: 'state_run_start_conflict' });
    const error = apiCallError({ statusCode: 409, responseBody: refusal });
    expect(parseHelixChatError(error)?.retryable).toBe(false);
  });

  test.each([
    undefined,
    null,
    7,
    '',
    'A run is live.',
    '<html>502</html>',
    '{"error":{"message":"x","code":"invalid_api_key"}}',
    new Error('boom'),
    Object.assign(new Error('reset'), { code: 'ECONNRESET' }),
    { status: 502, body: '<html></html>' },
    { status: 500, body: '' },
    apiCallError({ statusCode: 500, responseBody: '' }),
    JSON.stringify({ ...body, detail: 'x'.repeat(65_536) }),
  ])('is not in %j', (value) => {
    expect(parseHelixChatError(value)).toBeUndefined();
  });
});

describe.each([
  ['6', ai6, undefined],
  ['7', ai7, 409],
])('the stock transport of ai %s', (_major, { DefaultChatTransport }, status) => {
  const thrownBy = (answer: () => Response) =>
    new DefaultChatTransport({ api: 'http://chat.test/api', fetch: async () => answer() })
      .sendMessages({
        chatId: 'c1',
        messages: [],
        trigger: 'submit-message',
        messageId: undefined,
        abortSignal: undefined,
      })
      .then(
        () => undefined,
        (error: unknown) => error,
      );

  test('throws a refusal that is read whole', async () => {
    const thrown = await thrownBy(() => Response.json({ ...body, runId: 'r1' }, { status: 409 }));
    expect(parseHelixChatError(thrown)).toEqual({
      ...parsed,
      runId: 'r1',
      ...(status !== undefined && { status }),
    });
    expect(toHelixError(thrown)).toMatchObject({
      code: 'state_already_running',
      runId: 'r1',
      retryable: true,
    });
  });

  test('throws a page of markup of which nothing is kept', async () => {
    const thrown = await thrownBy(() => new Response('<html>secret page</html>', { status: 502 }));
    expect(parseHelixChatError(thrown)).toBeUndefined();
    const error = toHelixError(thrown);
    expect([error.message, error.serverMessage, error.detail].join()).not.toContain('secret');
  });
});
