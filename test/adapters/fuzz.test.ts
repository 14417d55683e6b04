import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { allAdapters } from '../../src/adapters/allAdapters.ts';
import { HelixError } from '../../src/errors/HelixError.ts';
import { toHelixError } from '../../src/errors/toHelixError.ts';
import { isErrorCode } from '../../src/protocol/codes.ts';
import { isReason } from '../../src/protocol/reasons.ts';
import { hostileRecipe } from '../errors/hostileValues.ts';
import { decode, NOW } from './decode.ts';
import recorded from './fixtures/foreign.json' with { type: 'json' };

const SECRET = 'XYZZY-PLANTED';
let answered = 0;

type Recipe = () => unknown;

/** Words of the contracts: without them hardly a value would be read at all. */
const word = fc.constantFrom<unknown>(
  ...['error', 'api', 'timeout', 'rate', 'quota', 'content', 'fallback_exhausted', 'validation'],
  ...['rate_limit', 'invalid_request', 'breaker_open', 'held', 'RateLimitError', 'SwarmLeaseError'],
  ...['AI_APICallError', 'AI_RetryError', 'AI_NoObjectGeneratedError', 'ThrottlingException'],
  ...['insufficient_quota', 'overloaded_error', 'content_filter', 'RESOURCE_EXHAUSTED', 'failed'],
  ...['deferred', 'provider-quota', 'prompt', 'response.failed', 'abort', 'step', 'refusal'],
  ...['provider_new', 'tool_new', 'provider_rate_limited', '429', '52s', SECRET],
  ...[0, 200, 401, 402, 403, 413, 429, 500, 529, -1, Number.NaN, 1e300, NOW, NOW + 5_000],
  ...[true, false, null, undefined, 1n, Symbol.iterator, new Date(Number.NaN)],
  'failing fast until 1796059172910.',
  'Request timed out (ttft).',
  'LLM request failed: {"type":"insufficient_quota"}',
  'try again in 7.66s',
  'data: {"type":"error","error":{"type":"overloaded_error"}}\n\n',
  '{"error":{"type":"billing_error","param":null}}',
  '{'.repeat(200),
);
const key = fc.constantFrom(
  ...['name', 'code', 'type', 'kind', 'message', 'status', 'statusCode', 'error', 'details'],
  ...['provider', 'retryable', 'shouldRetry', 'isRetryable', 'retryAfterMs', 'resetAtMs', 'body'],
  ...['responseBody', 'requestBodyValues', 'headers', 'responseHeaders', 'data', 'cause', 'at'],
  ...['attempts', 'lastError', 'errors', 'outcomes', 'llmCalls', 'until', 'issues', 'layer'],
  ...['upstreamType', 'finishReason', 'cooldownUntil', 'metadata', 'reasons', 'innererror'],
  ...['param', 'request_id', 'choices', 'candidates', 'promptFeedback', 'response', 'delta'],
  ...['sequence_number', '$metadata', '__type', 'object', 'detail', 'reason', 'context', 'stack'],
  ...['flagged_input', 'failed_generation', 'request', 'retryDelay', 'violations', 'quotaId'],
  ...['__proto__', 'constructor', 'get', 'retry-after', 'x-amzn-errortype', 'length'],
);

const throws = (): never => {
  throw new Error('hostile');
};

// The stack is written when it is first read, out of a name that may be hostile by then: here it is read before.
function madeError(): Error {
  const error = new Error('m');
  return typeof error.stack === 'string' ? error : new Error('m');
}

const recipe: fc.Arbitrary<Recipe> = fc.letrec<{ recipe: Recipe }>((tie) => {
  const plain = word.map(
    (value): Recipe =>
      () =>
        value,
  );
  const fields = fc
    .array(fc.tuple(key, fc.oneof(plain, tie('recipe'))), { maxLength: 8 })
    .map((entries) => () => {
      const made: Record<string, unknown> = {};
      for (const [name, make] of entries) {
        Object.defineProperty(made, name, { value: make(), enumerable: true, configurable: true });
      }
      return made;
    });
  const json = (value: unknown): string => {
    try {
      return JSON.stringify(value) ?? '';
    } catch {
      return '{';
    }
  };
  return {
    recipe: fc.oneof(
      { depthSize: 'small' },
      plain,
      fields,
      fields.map((make) => () => json(make())),
      fields.map((make) => () => ({ status: 429, headers: make(), body: json(make()) })),
      fields.map((make) => () => ({ status: 200, headers: {}, body: `data: ${json(make())}\n\n` })),
      fields.map((make) => () => {
        const error = madeError();
        for (const [name, value] of Object.entries(make())) {
          Object.defineProperty(error, name, { value, enumerable: true, configurable: true });
        }
        return error;
      }),
      fc.tuple(fields, key).map(
        ([make, name]) =>
          () =>
            Object.defineProperty(make(), name, { get: throws, configurable: true }),
      ),
      fc.tuple(fields, key).map(([make, name]) => () => {
        const made = make();
        return Object.defineProperty(made, name, { value: made, configurable: true });
      }),
      fields.map((make) => () => new Proxy(make(), { get: throws, has: throws, ownKeys: throws })),
      fc.array(tie('recipe'), { maxLength: 3 }).map((list) => () => list.map((make) => make())),
    ),
  };
}).recipe;

function check(value: unknown): void {
  for (const adapter of allAdapters) {
    const init = adapter(value, { now: NOW });
    if (init === undefined) continue;
    answered += 1;
    const { code, reason, retryAfterMs, statusCode, wireCode } = init;
    // A refusal of a host's own route may have no code of its own; a foreign one is never ours.
    if (code !== undefined && !isErrorCode(code)) throw new Error(`a foreign code: ${code}`);
    if (reason !== undefined && !isReason(reason)) throw new Error(`a foreign reason: ${reason}`);
    if (isErrorCode(wireCode)) throw new Error('a code of ours as a foreign one');
    if (retryAfterMs !== undefined && !(retryAfterMs >= 0 && Number.isFinite(retryAfterMs))) {
      throw new Error(`a wait of ${retryAfterMs}`);
    }
    if (statusCode !== undefined && (statusCode < 100 || statusCode > 599)) {
      throw new Error(`a status of ${statusCode}`);
    }
    if (![undefined, null, true, false].includes(init.retryable)) throw new Error('shape');
    for (const text of [init.message, init.serverMessage, init.detail]) {
      if (text !== undefined) throw new Error('keeps a foreign text');
    }
  }
}

describe('no value makes an adapter throw, and none gets a foreign word through', {
  timeout: 60_000,
}, () => {
  test('values in the words of the contracts', () => {
    fc.assert(
      fc.property(recipe, (make) => check(make())),
      { numRuns: 8_000 },
    );
  });

  test('hostile values', () => {
    fc.assert(
      fc.property(hostileRecipe, (make) => check(make())),
      { numRuns: 3_000 },
    );
  });

  test('recorded failures with one field spoilt', () => {
    const inputs = recorded.map(({ input }) =>
      'value' in input ? input.value : { ...input, kind: undefined },
    );
    fc.assert(
      fc.property(fc.constantFrom<object>(...inputs), key, recipe, (input, name, make) => {
        check({ ...input, [name]: make() });
        check(Object.defineProperty({ ...input }, name, { get: throws, enumerable: true }));
      }),
      { numRuns: 3_000 },
    );
  });

  test('through the funnel', () => {
    fc.assert(
      fc.property(recipe, (make) => {
        const error = toHelixError(make(), { adapters: allAdapters, now: NOW });
        if (!HelixError.isInstance(error)) throw new Error('no HelixError');
        JSON.stringify(error);
      }),
      { numRuns: 3_000 },
    );
  });

  afterAll(() => {
    expect(answered).toBeGreaterThan(1_000);
  });
});

describe('extremes', () => {
  const long = 'x'.repeat(2 ** 20);
  const nested = (depth: number, wrap: (inner: unknown) => unknown) => {
    let value: unknown = { type: 'timeout', retryable: true, message: 'm' };
    for (let level = 0; level < depth; level += 1) value = wrap(value);
    return value;
  };
  test.each<[string, unknown]>([
    ['a stream of 4 MiB', { status: 200, body: `data: ${long.repeat(4)}\n\n` }],
    ['a million empty lines', { status: 200, body: `data:\n${'\n'.repeat(2 ** 20)}` }],
    ['a million fields of a stream', `data: 1\n${'data:\n'.repeat(200_000)}`],
    [
      'a message of 1 MiB',
      { type: 'api', retryable: true, message: `LLM request failed: ${long}` },
    ],
    [
      'a message of digits',
      { error: { type: 'rate_limit_error', message: `try again in ${'1m'.repeat(2 ** 19)}` } },
    ],
    [
      'a message of words',
      { error: { type: 'x', param: 1, message: 'too long '.repeat(2 ** 17) } },
    ],
    [
      'fallbacks 10,000 deep',
      nested(10_000, (error) => ({
        ...{ type: 'fallback_exhausted', retryable: true, message: 'm' },
        attempts: [{ error }],
      })),
    ],
    ['errors 10,000 deep', nested(10_000, (error) => ({ error }))],
    ['retries 10,000 deep', nested(10_000, (lastError) => ({ name: 'AI_RetryError', lastError }))],
    [
      'causes 10,000 deep',
      nested(10_000, (cause) => ({ name: 'AI_NoOutputGeneratedError', cause })),
    ],
    ['a list of a million', Array.from({ length: 1_000_000 }, () => 1)],
    [
      'outcomes of a million',
      { llmCalls: 1, outcomes: new Array(1_000_000).fill({ status: 'failed' }) },
    ],
  ])('%s', (_name, value) => {
    expect(() => check(value)).not.toThrow();
  });
});

const KEY = 'sk-ant-api03-Plant3dPlant3dPlant3d';
const texts = {
  body: `{"error":{"message":"${SECRET} ${KEY}"}}`,
  prompt: [{ role: 'user', content: SECRET }],
};

/** Failures that carry what must never leave: prompts, bodies, cookies, keys. */
const LADEN: readonly (readonly [string, unknown])[] = [
  [
    'falai’s body',
    { provider: 'p', kind: 'rate', status: 429, code: SECRET, message: SECRET, body: texts.body },
  ],
  [
    'falai’s outcome',
    {
      llmCalls: 1,
      outcomes: [
        {
          kind: 'prompt',
          status: 'failed',
          code: 'provider-auth',
          message: SECRET,
          detail: SECRET,
          runId: SECRET,
          at: 'x',
        },
      ],
    },
  ],
  [
    'VernLLM’s attempts',
    {
      ...{ name: 'LLMError', type: 'api', status: 503, retryable: true, issues: { input: SECRET } },
      message: `LLM request failed: ${texts.body}`,
      attempts: [
        {
          index: 0,
          request: {
            provider: SECRET,
            model: SECRET,
            body: texts.prompt,
            headers: { cookie: SECRET },
          },
        },
      ],
    },
  ],
  [
    'VernLLM’s fallbacks',
    {
      ...{ name: 'LLMError', type: 'fallback_exhausted', retryable: true, message: SECRET },
      attempts: [
        {
          index: 0,
          provider: SECRET,
          model: SECRET,
          error: { type: 'api', status: 500, retryable: true, message: SECRET },
          request: { body: texts.prompt },
        },
      ],
    },
  ],
  [
    'a call of the AI SDK',
    {
      ...{
        name: 'AI_APICallError',
        url: `https://api.example/?key=${KEY}`,
        requestBodyValues: texts.prompt,
      },
      ...{
        statusCode: 429,
        isRetryable: true,
        responseBody: texts.body,
        message: SECRET,
        data: SECRET,
      },
      responseHeaders: { 'set-cookie': SECRET, authorization: `Bearer ${KEY}` },
    },
  ],
  [
    'output of the AI SDK',
    {
      name: 'AI_NoObjectGeneratedError',
      text: SECRET,
      message: SECRET,
      response: { body: SECRET },
    },
  ],
  [
    'a moderated input',
    {
      status: 403,
      headers: {},
      body: JSON.stringify({
        error: {
          code: 403,
          message: SECRET,
          metadata: {
            reasons: [SECRET],
            flagged_input: SECRET,
            provider_name: SECRET,
            raw: SECRET,
          },
        },
      }),
    },
  ],
  [
    'a failed generation',
    {
      status: 400,
      headers: {},
      body: JSON.stringify({
        error: {
          code: 'json_validate_failed',
          type: 'invalid_request_error',
          message: SECRET,
          failed_generation: SECRET,
        },
      }),
    },
  ],
  [
    'a stream',
    {
      status: 200,
      headers: { 'set-cookie': SECRET },
      body: `data: {"choices":[{"delta":{"content":"${SECRET}"}}]}\n\ndata: {"error":{"code":502,"message":"${SECRET}"}}\n\n`,
    },
  ],
  [
    'a Deuz error',
    {
      name: 'RateLimitError',
      code: 'rate_limit',
      message: `${SECRET} ${KEY}`,
      details: {
        statusCode: 429,
        upstreamType: SECRET,
        provider: `${SECRET} p`,
        requestId: `${SECRET} id`,
        toolName: SECRET,
      },
    },
  ],
  [
    'a Deuz stream',
    {
      status: 200,
      headers: { 'x-deuz-stream': 'v2' },
      body: `data: {"type":"error","message":"Overloaded ${SECRET}"}\n\n`,
    },
  ],
  [
    'a gateway',
    {
      name: 'GatewayRateLimitError',
      type: 'rate_limit_exceeded',
      statusCode: 429,
      message: SECRET,
    },
  ],
];

describe('nothing that a foreign failure carries leaves with it', () => {
  test.each(LADEN)('%s', (_name, value) => {
    const error = decode(value);
    expect(isErrorCode(error.code)).toBe(true);
    const { message, serverMessage, detail, provider, requestId, wireCode, runId } = error;
    const kept = JSON.stringify([
      error,
      message,
      serverMessage,
      detail,
      provider,
      requestId,
      wireCode,
      runId,
    ]);
    expect(kept).not.toContain(SECRET);
    expect(kept).not.toContain('Plant3d');
  });

  test.each(LADEN)('%s, as the cause of another and in a route', (_name, value) => {
    const error = decode(new Error('wrapped', { cause: value }));
    expect(isErrorCode(error.code)).toBe(true);
    expect(JSON.stringify([error, error.message, error.serverMessage])).not.toContain(SECRET);
  });

  test('a key in an id’s place is masked', () => {
    const details = { statusCode: 429, requestId: KEY, provider: KEY };
    const error = decode({ name: 'RateLimitError', code: 'rate_limit', message: 'm', details });
    expect(JSON.stringify(error)).not.toContain('Plant3dPlant3d');
  });
});
