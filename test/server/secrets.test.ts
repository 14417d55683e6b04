import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { allAdapters } from '../../src/adapters/allAdapters.ts';
import { HelixError, type HelixErrorInit } from '../../src/errors/HelixError.ts';
import { redact } from '../../src/errors/redact.ts';
import { resolveErrorDetail } from '../../src/errors/resolveErrorDetail.ts';
import { toHelixError } from '../../src/errors/toHelixError.ts';
import { CODES } from '../../src/protocol/codes.ts';
import { REASONS } from '../../src/protocol/reasons.ts';
import {
  chatErrorResponse,
  typedErrorBody,
  typedErrorResponse,
} from '../../src/server/chatErrorResponse.ts';
import { createChatRoute } from '../../src/server/chatRoute.ts';
import { entryFailureResponse } from '../../src/server/entryFailureResponse.ts';
import { holdLLMErrorReport } from '../../src/server/holdErrorReport.ts';
import { mapVercelError } from '../../src/server/mapVercelError.ts';
import { withProviderRetry } from '../../src/server/withProviderRetry.ts';
import { errorChunks } from '../../src/server/writeErrorChunk.ts';
import { createManualWorld } from '../../src/testing/manualWorld.ts';
import { BASE, readEvents, user } from './chatClient.ts';

/** A secret: the text that carries it, and what of it may be seen nowhere. */
interface Secret {
  readonly kind: string;
  readonly text: string;
  readonly hidden: string;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Letters and digits that are the same in every run, and different in every secret. */
function letters(seed: number, length: number): string {
  let state = (seed * 2_654_435_761) % 4_294_967_296;
  return Array.from({ length }, () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return ALPHABET[Math.floor((state / 4_294_967_296) * ALPHABET.length)];
  }).join('');
}

// The last four may be seen of a token; nothing of the others.
const token = (prefix: string) => (body: string) =>
  ({ text: prefix + body, hidden: body.slice(0, -4) }) as const;
const whole = (before: string, after: string) => (body: string) =>
  ({ text: before + body + after, hidden: body }) as const;

const KINDS: readonly (readonly [string, (body: string) => Omit<Secret, 'kind'>])[] = [
  ['OpenAI', token('sk-')],
  ['OpenAI project', token('sk-proj-')],
  ['Anthropic', token('sk-ant-api03-')],
  ['Groq', token('gsk_')],
  ['xAI', token('xai-')],
  ['Hugging Face', token('hf_')],
  ['Google', token('AIza')],
  ['AWS', token('AKIA')],
  ['Slack', token('xoxb-')],
  ['GitHub', token('ghp_')],
  ['GitHub, fine', token('github_pat_')],
  ['bearer', token('Bearer ')],
  ['authorization', token('Authorization: Bearer ')],
  ['basic', token('authorization: Basic ')],
  ['proxy', token('Proxy-Authorization: ')],
  ['header', token('x-api-key: ')],
  ['Google header', token('x-goog-api-key: ')],
  ['Azure header', token('api-key: ')],
  ['JSON field', whole('{"api_key":"', '"}')],
  ['cookie', whole('Cookie: sid=', '; theme=dark')],
  ['set-cookie', whole('set-cookie: sid=', '; Path=/')],
  ['web token', (body) => ({ text: `eyJhbGciOiJIUzI1NiJ9.eyJ${body}.${body}`, hidden: body })],
  ['key block', whole('-----BEGIN PRIVATE KEY-----\n', '\n-----END PRIVATE KEY-----')],
  ['URL key', whole('https://x.test/a?page=2&key=', '&z=1')],
  ['URL token', whole('https://x.test/a?access_token=', '')],
  ['signed URL', whole('https://s3.test/f?X-Amz-Signature=', '&X-Amz-Date=1')],
  ['SAS URL', whole('https://blob.test/f?se=1&sig=', '')],
  ['URL user', whole('postgres://app:', '@db.test/main')],
];

const SECRETS: readonly Secret[] = Array.from({ length: 224 }, (_, at) => {
  const [kind, make] = KINDS[at % KINDS.length] ?? ['', token('')];
  return { kind, ...make(letters(at + 1, 24)) };
});

const inProse = ({ text }: Secret) =>
  `The call to the provider failed.\n${text}\nIt was not repeated.`;

/** An error of a provider's client that holds the secret wherever it can. */
function raw(secret: Secret): Error {
  const inner = Object.assign(new TypeError(inProse(secret)), { code: secret.text });
  return Object.assign(new Error(inProse(secret), { cause: inner }), {
    name: 'AI_APICallError',
    url: secret.text,
    statusCode: 429,
    isRetryable: true,
    responseHeaders: { authorization: secret.text, 'x-request-id': secret.text },
    responseBody: JSON.stringify({ error: { message: secret.text } }),
    requestBodyValues: { messages: [secret.text] },
  });
}

const filled = (secret: Secret, code: string): HelixErrorInit => ({
  code,
  message: inProse(secret),
  detail: inProse(secret),
  serverMessage: inProse(secret),
  cause: raw(secret),
  runId: secret.text,
  requestId: secret.text,
  provider: secret.text,
  wireCode: secret.text,
  currentStatus: secret.text,
  toolCallIds: [secret.text, secret.text],
});

const read = async (response: Response) =>
  JSON.stringify([[...response.headers], await response.text()]);

/** Everything that leaves a server of one error, as one text. */
async function exits(error: HelixError): Promise<string> {
  const exposeDetail = true;
  return [
    JSON.stringify(typedErrorBody(error, { exposeDetail })),
    await read(typedErrorResponse(error, { exposeDetail })),
    await read(chatErrorResponse(error, { exposeDetail, sessionId: 's1' })),
    await read(entryFailureResponse(error, { exposeDetail, committed: false })),
    JSON.stringify(errorChunks(error, { exposeDetail })),
    JSON.stringify(error),
    error.message,
    String(error.detail),
    String(error.serverMessage),
    JSON.stringify(resolveErrorDetail(error)),
  ].join('\n');
}

describe.each(KINDS.map(([kind]) => kind))('%s', (kind) => {
  const planted = SECRETS.filter((secret) => secret.kind === kind);

  test('gets out of no field of a typed error', async () => {
    expect(planted).toHaveLength(8);
    for (const secret of planted) {
      for (const code of ['provider_rate_limited', `provider_${secret.text}`]) {
        expect(await exits(new HelixError(filled(secret, code)))).not.toContain(secret.hidden);
      }
    }
  });

  test.each([1, 2, 3])('gets through no JSON inside JSON, %i deep', (depth) => {
    for (const secret of planted) {
      const shapes = [
        inProse(secret),
        { said: secret.text, more: 1 },
        { headers: { said: inProse(secret) } },
      ];
      for (const shape of shapes) {
        let text = JSON.stringify(shape);
        for (let level = 1; level < depth; level += 1) text = JSON.stringify({ body: text });
        expect(redact(text)).not.toContain(secret.hidden);
        expect(new HelixError({ message: `It said ${text}` }).message).not.toContain(secret.hidden);
      }
    }
  });

  test('is not cut in two where a long text is cut', async () => {
    const secret = planted[0];
    if (secret === undefined) throw new Error('nothing is planted');
    const pieces = Array.from({ length: secret.hidden.length - 7 }, (_, at) =>
      secret.hidden.slice(at, at + 8),
    );
    for (let into = -2; into < secret.text.length + 2; into += 3) {
      const text = `${'word '.repeat(1_000).slice(0, 4_096 - into - 1)} ${secret.text} and more`;
      const init = {
        ...filled(secret, 'provider_error'),
        message: text,
        detail: text,
        runId: text,
      };
      const seen = await exits(new HelixError(init));
      // What a client keeps of an answer that was not made here.
      const body = { error: text, code: 'provider_error', detail: text, runId: text };
      const heard = toHelixError({ status: 500, headers: { 'x-request-id': text }, body });
      const kept = JSON.stringify([heard, heard.message, heard.detail, heard.serverMessage]);
      for (const piece of pieces) expect(seen + kept).not.toContain(piece);
    }
  });

  test('gets out of no error of a provider’s client, mapped or not', async () => {
    for (const secret of planted) {
      const error = raw(secret);
      const seen = [
        await exits(mapVercelError(error)),
        await read(chatErrorResponse(error, { exposeDetail: true })),
        await read(entryFailureResponse(error, { exposeDetail: true, committed: true })),
        JSON.stringify(resolveErrorDetail(error)),
      ];
      expect(seen.join('\n')).not.toContain(secret.hidden);
    }
  });
});

/** The shapes in which other libraries throw, with the secret wherever one of them keeps a text. */
const foreign = (secret: Secret): readonly unknown[] => {
  const { text } = secret;
  const message = inProse(secret);
  const details = {
    statusCode: 429,
    isRetryable: true,
    provider: text,
    requestId: text,
    runId: text,
  };
  const request = { provider: text, model: text, body: { messages: [text] }, headers: { a: text } };
  const body = {
    error: { message, type: 'rate_limit_error', code: text, param: text },
    request_id: text,
  };
  return [
    { name: 'RateLimitError', code: 'rate_limit', message, details },
    { provider: text, kind: 'rate', code: text, body: text, retryAfterMs: 1 },
    {
      ...{ name: 'LLMError', type: 'api', status: 429, retryable: true, code: text },
      ...{ message: `LLM request failed: ${JSON.stringify(body.error)}`, issues: [text] },
      attempts: [{ index: 0, error: { message, type: 'api', retryable: true }, request }],
    },
    raw(secret),
    {
      status: 429,
      headers: { 'x-request-id': text, authorization: text },
      body: JSON.stringify(body),
    },
    { status: 502, headers: {}, body: `<html>${text}` },
  ];
};

describe.each(KINDS.map(([kind]) => kind))('%s, out of another library', (kind) => {
  const planted = SECRETS.filter((secret) => secret.kind === kind).slice(0, 3);

  test('gets out of no adapter, no client and no route', async () => {
    for (const secret of planted) {
      for (const thrown of foreign(secret)) {
        const heard = toHelixError(thrown, { adapters: allAdapters, now: 0 });
        const seen = [
          await exits(heard),
          await read(
            chatErrorResponse(thrown, { adapters: allAdapters, exposeDetail: true, now: 0 }),
          ),
          ...allAdapters.map((adapter) => {
            const init = adapter(thrown, { now: 0 });
            return init === undefined ? '' : JSON.stringify([new HelixError(init)]);
          }),
        ];
        expect(seen.join('\n')).not.toContain(secret.hidden);
      }
    }
  });

  test('gets out of no call that is made again, and of no held report', async () => {
    for (const secret of planted) {
      const world = createManualWorld();
      const told: unknown[] = [];
      const lost = Object.assign(new Error(inProse(secret)), { retryable: true });
      const fail = async (_options: object): Promise<never> => {
        throw lost;
      };
      const model = withProviderRetry(
        { doStream: fail, doGenerate: fail },
        { world, onRetry: ({ error }) => told.push(error, error.message) },
      );
      const failing = model.doGenerate({}).catch((error: unknown) => mapVercelError(error));
      await world.advance(60_000);
      told.push(await exits((await failing) as HelixError));
      const held = holdLLMErrorReport((error) =>
        told.push(error, error.message, errorChunks(error)),
      );
      held.onError({ error: raw(secret) });
      held.end(raw(secret));
      expect(told.length).toBeGreaterThan(6);
      expect(JSON.stringify(told)).not.toContain(secret.hidden);
    }
  });
});

describe('a route that fails with secrets', () => {
  const said: string[] = [];
  const { error: original } = console;
  beforeEach(() => {
    said.length = 0;
    console.error = (...values: unknown[]) => void said.push(values.map(String).join(' '));
  });
  afterEach(() => {
    console.error = original;
  });

  test.each([
    ['an unknown error', raw],
    ['a typed error', (secret: Secret) => new HelixError(filled(secret, 'provider_error'))],
    ['a mapped error', (secret: Secret) => mapVercelError(raw(secret))],
    ['a text', inProse],
  ])('%s: none in its stream, its snapshot or its console', async (_, make) => {
    for (const secret of SECRETS) {
      const world = createManualWorld();
      const route = createChatRoute({
        world,
        exposeDetail: true,
        stepRetry: { limit: 0, delayMs: 0 },
        reply: () => {
          throw make(secret);
        },
      });
      const body = JSON.stringify({
        id: 'c1',
        messages: [user('u1', 'Hi')],
        trigger: 'submit-message',
      });
      const stream = readEvents(await route(new Request(BASE, { method: 'POST', body })));
      await world.advance(1_000);
      const snapshot = await read(await route(new Request(`${BASE}/c1/snapshot`)));
      expect(stream.chunks.at(-1)?.type).toBe('error');
      expect(JSON.stringify([stream.chunks, snapshot])).not.toContain(secret.hidden);
      expect(said.join('\n')).not.toContain(secret.hidden);
    }
    // One line for each: what nobody else hears of is not lost.
    expect(said).toHaveLength(SECRETS.length);
    expect(said[0]).toMatch(
      /^\[helix-chat\] A chat route met a failure in chat c1, run run_\w+\. /,
    );
  });

  test('the console gets no prompt, and an end of what is endless', async () => {
    const world = createManualWorld();
    const cause = new RangeError('no room');
    const error = Object.assign(new Error(`too long ${'x'.repeat(2 ** 20)}`, { cause }), {
      requestBodyValues: { prompt: 'my private words' },
    });
    const route = createChatRoute({
      world,
      reply: () => {
        throw error;
      },
    });
    const body = JSON.stringify({
      id: 'c1',
      messages: [user('u1', 'Hi')],
      trigger: 'submit-message',
    });
    await route(new Request(BASE, { method: 'POST', body }));
    await world.advance(1_000);
    expect(said[0]).toContain('too long');
    expect(said[0]).toContain('caused by RangeError: no room');
    expect(said[0]).not.toContain('private');
    expect(said[0]?.length).toBeLessThan(10_000);
  });
});

describe('ordinary prose', () => {
  const sentences = [
    ...Object.values(CODES).map(({ sentence }) => sentence),
    ...Object.values(REASONS).map(({ sentence }) => sentence),
    'Rate limit reached for gpt-4o in organization org-abc on requests per min: limit 3, used 3.',
    'The bearer of this message asked for a key, a token and a cookie.',
    'Tool call call_9aXk2 of run run_01hzx failed: no such file C:\\tmp\\a.txt.',
    'Use sk-learn, ask-me or https://x.test/page?q=keys&page=2#top.',
  ];

  test.each(sentences)('leaves unharmed: %s', async (detail) => {
    const error = new HelixError({
      code: 'provider_error',
      detail,
      runId: 'run_01hzx9aXk2',
      toolCallIds: ['call_9aXk2bQ'],
      currentStatus: 'paused',
    });
    expect(typedErrorBody(error, { exposeDetail: true })).toMatchObject({
      detail,
      runId: 'run_01hzx9aXk2',
      toolCallIds: ['call_9aXk2bQ'],
      currentStatus: 'paused',
    });
    expect(errorChunks(error, { exposeDetail: true })[0].data).toMatchObject({ detail });
    expect(resolveErrorDetail(new Error(detail))).toEqual({ message: detail });
  });
});
