import { createMiddleware, fromFetch, isLLMError, VernLLM } from 'vern-llm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allAdapters } from '../../src/adapters/allAdapters.ts';
import { helixErrorFromResponse } from '../../src/errors/helixErrorFromResponse.ts';
import { CODES, isErrorCode } from '../../src/protocol/codes.ts';
import { chatErrorResponse } from '../../src/server/chatErrorResponse.ts';
import {
  type Answer,
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
} from '../server/llm/providerServer.ts';
import { decode, NOW, reading } from './decode.ts';
import recorded from './fixtures/foreign.json' with { type: 'json' };

// The package itself, as it is installed, against a provider that fails over HTTP.

const SECRET = 'sk-live-abcdefgh12345678';
const PROMPT = 'MY PRIVATE WORDS';

let server: ProviderServer;
let deadUrl = '';
beforeAll(async () => {
  server = await startProviderServer();
  deadUrl = `http://127.0.0.1:${await closedPort()}`;
});
afterAll(() => server.close());

type Options = Omit<ConstructorParameters<typeof VernLLM>[0], 'client' | 'model'>;
type Params = Parameters<VernLLM['call']>[0];
type Message = { content?: string; tool_calls?: { id: string; name: string; arguments: string }[] };

const client = (url: string) =>
  fromFetch({
    url,
    headers: { authorization: `Bearer ${SECRET}`, 'x-gateway-key': SECRET },
    mapRequest: (request) => request,
    mapResponse: (json) => {
      const message = (json as { choices: { message: Message }[] }).choices[0]?.message ?? {};
      const { content, tool_calls: toolCalls } = message;
      return { ...(content !== undefined && { content }), ...(toolCalls && { toolCalls }) };
    },
    mapStreamEvent: (event) => {
      const { choices } = event as { choices: { delta: { content: string } }[] };
      return { type: 'text-delta', delta: choices[0]?.delta.content ?? '' };
    },
  });

const llm = (options: Options = {}, url = server.url) =>
  new VernLLM({
    ...{ client: client(url), model: 'm', maxRetries: 0, baseDelayMs: 1, logger: 'silent' },
    ...options,
  });

/** What a call failed with. */
async function failing(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error('It did not fail.');
}

const call = (model: VernLLM, params: Partial<Params> = {}) =>
  failing(model.call({ userContent: PROMPT, jsonMode: false, ...params } as Params));

/** A streamed call, read to its end. */
async function streaming(model: VernLLM): Promise<unknown> {
  return failing(
    (async () => {
      const { chunks, finalResult } = await model.call({
        ...{ userContent: PROMPT, jsonMode: false, stream: true },
      });
      // It fails by both; whoever reads the one still has to hear the other.
      const ending = finalResult.then(
        () => undefined,
        (error: unknown) => error,
      );
      for await (const _ of chunks) {
        // Read to the end.
      }
      const failed = await ending;
      if (failed !== undefined) throw failed;
    })(),
  );
}

const replies = (message: Message): Answer => whole(200, { choices: [{ message }] });
const refuses = (status: number, error: object = { message: 'm' }, headers = {}): Answer =>
  whole(status, { error }, headers);
const word = `data: ${JSON.stringify({ choices: [{ delta: { content: 'Hel' } }] })}\n\n`;

const tools = [{ name: 'get_weather', description: 'd', parameters: { type: 'object' } }];
const calls = (...named: readonly (readonly [id: string, name: string, args?: string])[]) =>
  replies({ tool_calls: named.map(([id, name, args = '{}']) => ({ id, name, arguments: args })) });
const history = (...ids: readonly string[]) => [
  { role: 'user' as const, content: 'a' },
  {
    role: 'assistant' as const,
    toolCalls: ['c1', 'c2'].map((id) => ({ id, name: 'get_weather', arguments: {} })),
  },
  { role: 'tool' as const, toolResults: ids.map((toolCallId) => ({ toolCallId, content: 'x' })) },
];

interface Expected {
  readonly type: string;
  readonly code?: string;
  /** Code, flag and reason as they are read. */
  readonly read: readonly unknown[];
}

type Provoke = () => Promise<unknown>;
type Row = readonly [name: string, provoke: Provoke, expected: Expected];

/** A call that the server answers so. */
const answered =
  (answer: Answer, options: Options = {}, params: Partial<Params> = {}): Provoke =>
  () => {
    server.answer(answer);
    return call(llm(options), params);
  };

const AUTH = ['provider_auth_error', false] as const;
const INVALID = ['provider_invalid_request', false] as const;
const QUOTA = ['provider_rate_limited', false, 'quota'] as const;
const QUEUE = ['provider_rate_limited', false, 'rate-limit'] as const;
const FAILED = ['provider_error', true] as const;
const BUSY = ['provider_overloaded', true] as const;
const UNREACHED = ['provider_unreachable', true] as const;
const BROKEN = ['framework_completion_protocol_violation', false] as const;
const BAD_INPUT = ['validation_error', false] as const;
const OUTPUT = ['framework_completion_invalid_output', false] as const;
const HOOK = ['framework_hook_failed', false] as const;

const STATUSES: readonly (readonly [number, string | undefined, readonly unknown[], object?])[] = [
  [400, undefined, INVALID],
  [
    400,
    undefined,
    ['provider_invalid_request', false, 'too-long'],
    { message: 'm', code: 'context_length_exceeded' },
  ],
  [401, 'authentication', AUTH],
  [402, undefined, QUOTA],
  [403, 'authorization', AUTH],
  [404, 'not_found', INVALID],
  [408, undefined, ['provider_timeout', true]],
  [409, undefined, INVALID],
  [413, 'payload_too_large', ['provider_invalid_request', false, 'too-long']],
  [422, undefined, INVALID],
  [429, 'provider_rate_limited', ['provider_rate_limited', true]],
  [429, 'provider_rate_limited', QUOTA, { message: 'm', type: 'insufficient_quota' }],
  [500, 'server_error', FAILED],
  [503, 'server_error', BUSY],
  [529, 'server_error', BUSY],
];

const ROWS: readonly Row[] = [
  ...STATUSES.map(
    ([status, code, read, error]): Row => [
      `an answer of ${status}${error === undefined ? '' : `: ${JSON.stringify(error)}`}`,
      answered(refuses(status, error)),
      { type: 'api', ...(code !== undefined && { code }), read },
    ],
  ),
  [
    'a page in place of an answer',
    answered(whole(503, '<html>busy</html>')),
    { type: 'api', code: 'server_error', read: BUSY },
  ],
  [
    'an empty reply',
    answered(replies({ content: '' })),
    { type: 'api', code: 'empty_response', read: FAILED },
  ],
  [
    'a reply that the host does not take',
    answered(replies({ content: 'N/A' }), { detectSoftFailure: () => 'soft_failure_detected' }),
    { type: 'api', code: 'soft_failure_detected', read: FAILED },
  ],
  [
    'silence',
    answered(silence, { timeoutMs: 40 }),
    { type: 'timeout', code: 'request_timeout', read: ['provider_timeout', true] },
  ],
  [
    'a stream that falls silent',
    () => {
      server.answer(stallAfter(word));
      return streaming(llm({ chunkIdleTimeoutMs: 40 }));
    },
    { type: 'timeout', code: 'idle_timeout', read: ['provider_timeout', true] },
  ],
  [
    'a hook that hangs',
    answered(silence, {
      middlewareTimeoutMs: 10,
      middleware: [createMiddleware({ transform: () => new Promise(() => {}) })],
    }),
    { type: 'timeout', code: 'middleware_timeout', read: HOOK },
  ],
  [
    'a hook that throws',
    answered(silence, {
      middleware: [
        createMiddleware({
          transform: () => {
            throw new Error('hook');
          },
        }),
      ],
    }),
    { type: 'invalid_params', code: 'middleware_threw', read: HOOK },
  ],
  [
    'a refused connection',
    () => call(llm({}, deadUrl)),
    { type: 'network', code: 'connection_failed', read: UNREACHED },
  ],
  [
    'a name that does not resolve',
    () => call(llm({}, 'http://nowhere.invalid')),
    { type: 'network', code: 'connection_failed', read: UNREACHED },
  ],
  [
    'a reset before the answer',
    answered(resetAtOnce),
    { type: 'network', code: 'connection_failed', read: UNREACHED },
  ],
  [
    'a connection that is closed before the answer',
    answered(closeAtOnce),
    { type: 'network', code: 'connection_failed', read: UNREACHED },
  ],
  [
    'a reset in the body',
    answered(breakAfter('application/json', '{"choices":', 'reset')),
    { type: 'unknown', read: FAILED },
  ],
  [
    'a reset in a stream',
    () => {
      server.answer(breakAfter('text/event-stream', word, 'reset'));
      return streaming(llm());
    },
    { type: 'unknown', read: FAILED },
  ],
  [
    'a frame that is no JSON',
    () => {
      server.answer(events(word, 'data: {oops\n\n'));
      return streaming(llm());
    },
    { type: 'parse', code: 'stream_frame_invalid', read: ['transport_error', false] },
  ],
  [
    'a reply that is no JSON where one was asked for',
    answered(replies({ content: 'no' }), {}, { jsonMode: true }),
    { type: 'parse', read: OUTPUT },
  ],
  [
    'arguments that are no JSON',
    answered(calls(['c1', 'get_weather', '{oops']), {}, { tools }),
    { type: 'parse', code: 'tool_arguments_parse_failed', read: ['tool_input_invalid', false] },
  ],
  [
    'a reply that its schema does not take',
    answered(replies({ content: '{"a":1}' }), {}, {
      jsonMode: true,
      schema: { safeParse: () => ({ success: false, error: { issues: [{ path: ['city'] }] } }) },
    } as Partial<Params>),
    { type: 'validation', read: OUTPUT },
  ],
  [
    'a tool that was not offered',
    answered(calls(['c1', 'nope']), {}, { tools }),
    { type: 'validation', code: 'unknown_tool', read: ['tool_not_found', false] },
  ],
  [
    'two calls of one id',
    answered(calls(['c1', 'get_weather'], ['c1', 'get_weather']), {}, { tools }),
    { type: 'validation', code: 'duplicate_tool_call_id', read: BROKEN },
  ],
  [
    'a call where none was allowed',
    answered(calls(['c1', 'get_weather']), {}, { tools, toolChoice: 'none' }),
    { type: 'validation', code: 'tool_choice_none_violated', read: BROKEN },
  ],
  [
    'a call where no tool was sent',
    answered(calls(['c1', 'get_weather'])),
    { type: 'validation', code: 'unexpected_tool_calls', read: BROKEN },
  ],
  [
    'a client that cannot stream',
    () => {
      const { chat } = client(server.url);
      const { create } = chat.completions;
      const plain = { chat: { completions: { create } } };
      return streaming(new VernLLM({ client: plain, model: 'm', logger: 'silent' }));
    },
    {
      type: 'invalid_params',
      code: 'unsupported_capability',
      read: ['framework_not_supported', false],
    },
  ],
  [
    'tools of one name',
    answered(silence, {}, { tools: [...tools, ...tools] }),
    { type: 'invalid_params', code: 'duplicate_tool_names', read: BAD_INPUT },
  ],
  [
    'a choice of a tool that was not sent',
    answered(silence, {}, { tools, toolChoice: { name: 'other' } }),
    { type: 'invalid_params', code: 'unknown_tool_choice', read: BAD_INPUT },
  ],
  [
    'a result twice',
    answered(silence, {}, { tools, history: history('c1', 'c1') }),
    { type: 'invalid_params', code: 'duplicate_tool_result_ids', read: BAD_INPUT },
  ],
  [
    'a result of no call',
    answered(silence, {}, { tools, history: history('c1', 'c2', 'c9') }),
    { type: 'invalid_params', code: 'unknown_tool_result_ids', read: BAD_INPUT },
  ],
  [
    'a call without its result',
    answered(silence, {}, { tools, history: history('c1') }),
    { type: 'invalid_params', code: 'missing_tool_results', read: BAD_INPUT },
  ],
  [
    'a turn of tools without any result',
    answered(silence, {}, { tools, history: history() }),
    { type: 'invalid_params', read: BAD_INPUT },
  ],
  [
    'more than a minute’s tokens',
    answered(silence, { rateLimit: { tokensPerMinute: 1 } }),
    { type: 'rate_limited', code: 'rate_limit_capacity_exceeded', read: INVALID },
  ],
  [
    'a full queue',
    async () => {
      server.answer(silence);
      const model = llm({ rateLimit: { maxConcurrent: 1, maxQueueSize: 1 }, timeoutMs: 60 });
      const before = [call(model), call(model)];
      const failed = await call(model);
      await Promise.all(before);
      return failed;
    },
    { type: 'rate_limited', code: 'rate_limit_queue_full', read: QUEUE },
  ],
  [
    'a queue in which it waited too long',
    async () => {
      server.answer(silence);
      const model = llm({ rateLimit: { maxConcurrent: 1, maxQueueMs: 10 }, timeoutMs: 80 });
      const before = call(model);
      const failed = await call(model);
      await before;
      return failed;
    },
    { type: 'rate_limited', code: 'rate_limit_queue_timeout', read: QUEUE },
  ],
  [
    'a spent budget of retries, which is what happened before',
    answered(refuses(503), {
      maxRetries: 3,
      retryBudget: { windowMs: 60_000, minCalls: 1, retryRatio: 0.1 },
    }),
    {
      type: 'rate_limited',
      code: 'retry_budget_exhausted',
      read: ['provider_overloaded', false],
    },
  ],
  [
    'a plan that refuses',
    answered(silence, {}, { reserveUsage: async () => Promise.reject(new Error('no plan')) }),
    { type: 'quota_exceeded', read: QUOTA },
  ],
  [
    'an open circuit',
    async () => {
      server.answer(refuses(503));
      const model = llm({ circuitBreaker: { threshold: 1, cooldownMs: 60_000 } });
      await call(model);
      return call(model);
    },
    { type: 'circuit_open', code: 'circuit_cooling_down', read: BUSY },
  ],
  [
    'a circuit that tries one',
    async () => {
      server.answer(refuses(503));
      const model = llm({ circuitBreaker: { threshold: 1, cooldownMs: 0 } });
      await call(model);
      server.answer(silence);
      const stop = new AbortController();
      const trial = call(model, { signal: stop.signal });
      await server.reached();
      const failed = await call(model);
      stop.abort();
      await trial;
      return failed;
    },
    { type: 'circuit_open', code: 'circuit_trial_in_flight', read: BUSY },
  ],
  [
    'a chain of which every target failed',
    () => {
      server.answer(refuses(529), refuses(429, { message: 'slow down' }, { 'retry-after': '2' }));
      const fallback = { client: client(server.url), model: 'n', name: 'second', maxRetries: 0 };
      return call(llm({ name: 'first', fallback }));
    },
    {
      type: 'fallback_exhausted',
      code: 'fallback_exhausted',
      read: ['provider_rate_limited', true],
    },
  ],
  [
    'a stop',
    async () => {
      server.answer(silence);
      const stop = new AbortController();
      const failed = call(llm(), { signal: stop.signal });
      await server.reached();
      stop.abort();
      return failed;
    },
    { type: 'aborted', read: ['framework_cancelled', false] },
  ],
  [
    'a deadline of the whole call',
    answered(silence, {}, { deadlineMs: 30 }),
    { type: 'aborted', code: 'deadline_exceeded', read: ['provider_timeout', false] },
  ],
];

describe('an error that the package threw', () => {
  test.each(ROWS)(
    '%s',
    async (_name, provoke, { type, code, read }) => {
      const error = await provoke();
      expect(isLLMError(error)).toBe(true);
      expect(error).toMatchObject({ type });
      expect((error as { code?: unknown }).code).toBe(code);
      const sent = JSON.stringify(error);
      expect([reading(error), reading(JSON.parse(sent))]).toEqual([read, read]);
      // Over a route that asks the adapters, and by one that only sends it on.
      const response = chatErrorResponse(error, { adapters: allAdapters, now: NOW });
      const answer = await response.text();
      const typed = await helixErrorFromResponse(new Response(answer, { status: response.status }));
      expect(typed.code).toBe(read[0]);
      expect(typed.reason).toBe(
        ['quota', 'rate-limit'].includes(String(read[2])) ? read[2] : undefined,
      );
      expect(reading({ status: 500, headers: {}, body: sent })).toEqual(read);
      // What the package keeps of the prompt and of keys stays out.
      const decoded = decode(error);
      const kept = [
        JSON.stringify(decoded),
        decoded.message,
        decoded.detail,
        decoded.serverMessage,
      ];
      expect(`${kept.join()}${answer}`).not.toMatch(/PRIVATE|abcdefgh1234/);
      expect(isErrorCode(decoded.code) && CODES[decoded.code].category).toBe(decoded.category);
    },
    60_000,
  );

  test('all twelve types and all 33 codes were provoked', () => {
    const types = new Set(ROWS.map(([, , { type }]) => type));
    const codes = new Set(ROWS.flatMap(([, , { code }]) => code ?? []));
    expect([types.size, codes.size]).toEqual([12, 33]);
  });

  test('keeps the waits that it states', async () => {
    server.answer(refuses(429, { message: 'm' }, { 'retry-after': '30' }));
    // It cuts a stated wait at 10 s itself.
    expect(decode(await call(llm())).retryAfterMs).toBe(10_000);
    server.answer(refuses(503));
    const model = llm({ circuitBreaker: { threshold: 1, cooldownMs: 60_000 } });
    await call(model);
    expect(decode(await call(model)).retryAfterMs).toBe(60_000);
  });
});

describe('what was recorded of it', () => {
  const shape = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shape);
    if (typeof value !== 'object' || value === null) return typeof value;
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, shape(field)]));
  };
  /** The recorded rows, and how the same is provoked. */
  const AGAIN: Readonly<Record<string, Provoke>> = {
    'aborted deadline_exceeded': answered(silence, {}, { deadlineMs: 30 }),
    'api server_error 529 after retries': answered(refuses(529), { maxRetries: 1 }),
    'fallback_exhausted, last target 429': () => {
      server.answer(refuses(529), refuses(429, { message: 'slow down' }, { 'retry-after': '2' }));
      const fallback = { client: client(server.url), model: 'n', name: 'openai', maxRetries: 0 };
      return call(llm({ name: 'anthropic', fallback }));
    },
    'aborted by the caller': async () => {
      server.answer(silence);
      const stop = new AbortController();
      const failed = call(llm(), { signal: stop.signal });
      await server.reached();
      stop.abort();
      return failed;
    },
    'validation with schema issues': answered(replies({ content: '{}' }), {}, {
      jsonMode: true,
      schema: {
        safeParse: () => ({
          success: false,
          error: { issues: [{ path: ['city'], code: 'invalid_type', message: 'Required' }] },
        }),
      },
    } as Partial<Params>),
    'api provider_rate_limited, Retry-After 30': answered(
      refuses(429, { message: 'm' }, { 'retry-after': '30' }),
    ),
    'validation unknown_tool': answered(calls(['c1', 'nope']), {}, { tools }),
    'api empty_response': answered(replies({ content: '' })),
  };
  const rows = recorded.flatMap(({ system, name, input }) =>
    system === 'vern' && 'value' in input ? [[name, input.value] as const] : [],
  );

  test('is all provoked again', () => {
    expect(rows.map(([name]) => name).toSorted()).toEqual(Object.keys(AGAIN).toSorted());
  });

  test.each(rows)('%s: the same fields, and read alike', async (name, value) => {
    const error: unknown = JSON.parse(JSON.stringify(await AGAIN[name]?.()));
    expect(reading(error)).toEqual(reading(value));
    const { attempts: recordedAttempts, ...recordedFields } = value as Record<string, unknown>;
    const { attempts, ...fields } = error as Record<string, unknown>;
    expect(shape(fields)).toEqual(shape(recordedFields));
    expect(Array.isArray(attempts)).toBe(Array.isArray(recordedAttempts));
    const facts = ['type', 'status', 'code', 'retryable', 'retryAfterMs'];
    for (const fact of facts) expect([fact, fields[fact]]).toEqual([fact, recordedFields[fact]]);
  });
});
