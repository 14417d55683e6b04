import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import type { RedisStore } from 'helix-chat/server';
import { toNodeHandler } from 'helix-chat/testing';
import { HelixChatTransport } from 'helix-chat/transport';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { HelixError } from '../../src/errors/HelixError.ts';
import { toHelixError } from '../../src/errors/toHelixError.ts';
import { NO_REDIS, onRedis, startRedis } from '../redis/redisServer.ts';
import {
  type Answer,
  breakAfter,
  events,
  type ProviderServer,
  stallAfter,
  startProviderServer,
  whole,
} from '../server/llm/providerServer.ts';
import { blocks, fences, folder, loadPage, writePage } from './routePage.ts';

// Every block of the page, as it stands there, on its real host, over HTTP, with a model that fails.

const root = fileURLToPath(new URL('../..', import.meta.url));
const SECRET = 'sk-live-abcdefgh12345678';

type Post = (request: Request) => Promise<Response>;

/** A block as a server of Node. */
type Mount = (load: <T>(name: string) => Promise<T>) => Promise<RequestListener>;

const webRoute =
  (name: string): Mount =>
  async (load) => {
    const { POST } = await load<{ POST: Post }>(name);
    return toNodeHandler(POST);
  };
const honoApp =
  (name: string): Mount =>
  async (load) => {
    const { app } = await load<{ app: { fetch: Post } }>(name);
    return getRequestListener(app.fetch);
  };

/** What each block is run as; a block without an entry is a part of others. */
const HOSTS: Readonly<Record<string, Mount>> = {
  'next/before.ts': webRoute('next/before.ts'),
  'next/route.ts': webRoute('next/route.ts'),
  'hono/app.ts': honoApp('hono/app.ts'),
  'express/app.ts': async (load) => (await load<{ app: RequestListener }>('express/app.ts')).app,
  'node/server.ts': async (load) => {
    const { server } = await load<{ server: Server }>('node/server.ts');
    const [listener] = server.listeners('request');
    return listener as RequestListener;
  },
  'refusals/route.ts': webRoute('refusals/route.ts'),
  'vern/route.ts': webRoute('vern/route.ts'),
  'whole/app.ts': honoApp('whole/app.ts'),
};
const PARTS = ['typedReply.ts'];
/** What is run by a test of its own. */
const STORES = ['redis/store.ts', 'redis/checks.ts'];
const TYPED = ['next/route.ts', 'hono/app.ts', 'express/app.ts', 'node/server.ts', 'whole/app.ts'];

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({
    ...{ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm' },
    choices: [{ index: 0, delta, finish_reason: finish }],
  })}\n\n`;
const BEGIN = chunk({ role: 'assistant', content: '' }) + chunk({ content: 'Hel' });
const GOOD = events(`${BEGIN}${chunk({ content: 'lo' })}${chunk({}, 'stop')}data: [DONE]\n\n`);
const refuses = (status: number, headers: Record<string, string> = {}): Answer =>
  whole(
    status,
    { error: { message: `no ${SECRET}`, type: 't', param: null, code: null } },
    headers,
  );

let provider: ProviderServer;
const environment = { ...process.env };
const { error: log } = console;
const logged: string[] = [];
beforeAll(async () => {
  writePage();
  provider = await startProviderServer();
  process.env.OPENAI_API_KEY = SECRET;
  process.env.OPENAI_BASE_URL = provider.url;
}, 60_000);
beforeEach(() => {
  logged.length = 0;
  console.error = (...values: unknown[]) => void logged.push(values.map(String).join(' '));
});
afterEach(() => {
  console.error = log;
});
afterAll(async () => {
  process.env = environment;
  await provider.close();
  rmSync(folder, { recursive: true, force: true });
});

test('every block has a name and is run, by itself or as a part', () => {
  expect(blocks.size).toBe(fences);
  const known = [...Object.keys(HOSTS), ...PARTS, ...STORES];
  expect([...blocks.keys()].toSorted()).toEqual(known.toSorted());
});

test('the hosts are turned typed in a few lines', () => {
  const lines = (name: string) => (blocks.get(name) ?? '').trimEnd().split('\n').length;
  for (const name of TYPED) expect(lines(name)).toBeLessThanOrEqual(20);
  expect(lines('typedReply.ts')).toBeLessThanOrEqual(32);
});

test('every block passes the type check', { timeout: 240_000 }, () => {
  const tsc = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', folder], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(tsc.stdout).toBe('');
  expect(tsc.status).toBe(0);
});

/** What a client of ours has of one message. */
interface Heard {
  readonly text: string;
  readonly error: HelixError | undefined;
}

/** One message to a chat of its own: a route that keeps its chats would know it otherwise. */
async function send(url: string, headers: Record<string, string> = {}): Promise<Heard> {
  const transport = new HelixChatTransport({ api: url, headers });
  let text = '';
  try {
    const stream = await transport.sendMessages({
      chatId: randomUUID(),
      messages: [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
      trigger: 'submit-message',
      messageId: undefined,
      abortSignal: undefined,
    });
    for await (const part of stream as unknown as AsyncIterable<{ type: string; delta?: string }>) {
      if (part.type === 'text-delta') text += part.delta ?? '';
    }
    return { text, error: undefined };
  } catch (error) {
    return { text, error: toHelixError(error) };
  }
}

const post = async (url: string, body: string) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

describe.each([6, 7] as const)('with ai %i', { timeout: 30_000 }, (major) => {
  const servers = new Map<string, { readonly url: string; readonly server: Server }>();
  let page: Awaited<ReturnType<typeof loadPage>>;
  beforeAll(async () => {
    page = await loadPage(major);
    for (const [name, mount] of Object.entries(HOSTS)) {
      const server = createServer(await mount(page.load));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      servers.set(name, { url: `http://127.0.0.1:${port}/api/chat`, server });
    }
  }, 120_000);
  afterAll(async () => {
    for (const { server } of servers.values()) {
      server.closeAllConnections();
      server.close();
    }
    await page.close();
  });
  const urlOf = (name: string) => servers.get(name)?.url ?? '';

  describe.each(TYPED)('%s', (name) => {
    const url = () => urlOf(name);

    test('answers where nothing goes wrong', async () => {
      provider.answer(GOOD);
      expect(await send(url())).toEqual({ text: 'Hello', error: undefined });
    });

    test.each<[string, Answer, object]>([
      [
        'a refused key',
        refuses(401),
        { code: 'provider_auth_error', category: 'provider', retryable: false },
      ],
      [
        'a provider that stays full, after the SDK’s own repeats',
        refuses(503, { 'retry-after-ms': '1' }),
        { code: 'provider_overloaded', retryable: false },
      ],
      [
        'a limit',
        refuses(429, { 'retry-after-ms': '1' }),
        { code: 'provider_rate_limited', retryable: false, reason: 'rate-limit' },
      ],
    ])('%s comes to the client typed, without a word of it', async (_, answer, expected) => {
      // Our own route calls a provider that is full again, for longer than here.
      if (name === 'whole/app.ts' && !('category' in expected)) return;
      provider.answer(answer);
      const { error } = await send(url());
      expect(error).toMatchObject(expected);
      const seen = [JSON.stringify(error), error?.message, error?.serverMessage, ...logged];
      expect(seen.join('\n')).not.toContain('abcdefgh');
    });

    test('a drop in the middle of the words is typed, and the words stay', async () => {
      // Our own route calls again after a drop, and the client shows only what held.
      provider.answer(breakAfter('text/event-stream', BEGIN, 'reset'), GOOD);
      const { text, error } = await send(url());
      if (name === 'whole/app.ts') expect([text, error]).toEqual(['HelHello', undefined]);
      else {
        expect(text).toBe('Hel');
        expect(error).toMatchObject({ code: 'provider_error', retryable: true });
      }
    });

    test('a client that leaves ends the call of the model', async () => {
      // Our own route goes on without its readers.
      if (name === 'whole/app.ts') return;
      let ended = () => {};
      const closed = new Promise<void>((resolve) => {
        ended = resolve;
      });
      provider.answer((request) => void request.socket.once('close', ended));
      const leaving = new AbortController();
      const messages = [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }];
      const asked = fetch(url(), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ messages }),
        signal: leaving.signal,
      }).catch(() => undefined);
      await provider.reached();
      leaving.abort();
      await Promise.all([closed, asked]);
    });

    test.each([
      ['no JSON', '{'],
      ['no chat', '{}'],
    ])('a body that is %s is the caller’s mistake', async (_, body) => {
      const response = await post(url(), body);
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { code: 'validation_error' },
      ]);
    });
  });

  test('a time-out is no stop', async () => {
    // The same code with a shorter limit.
    const hurried = await loadPage(major, { from: 'timeout: 60_000', to: 'timeout: 200' });
    const server = createServer(await webRoute('next/route.ts')(hurried.load));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    provider.answer(stallAfter(BEGIN));
    const { error } = await send(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    server.close();
    await hurried.close();
    expect(error).toMatchObject({ code: 'provider_timeout', retryable: true });
  });

  test('before, a client hears that something failed, and nothing else', async () => {
    provider.answer(refuses(401));
    const { error } = await send(urlOf('next/before.ts'));
    expect([error?.code, error?.serverMessage]).toEqual([undefined, 'An error occurred.']);
  });

  test('a body that is too large is told apart by Express', async () => {
    const response = await post(
      urlOf('express/app.ts'),
      JSON.stringify({ messages: 'x'.repeat(2e6) }),
    );
    expect(response.status).toBe(413);
    const body: unknown = await response.json();
    expect(toHelixError({ status: 413, headers: {}, body }).reason).toBe('too-large');
  });

  test('refusals of your own say who can help', async () => {
    const refused = await send(urlOf('refusals/route.ts'));
    expect(refused.error).toMatchObject({
      reason: 'signed-out',
      statusCode: 401,
      retryable: false,
    });
    const busy = await send(urlOf('refusals/route.ts'), { authorization: 'x' });
    expect(busy.error).toMatchObject({
      code: 'state_already_running',
      runId: 'run_1',
      retryAfterMs: 2_000,
      retryable: true,
    });
  });

  test('errors of another library are typed by the adapters', async () => {
    const url = urlOf('vern/route.ts');
    provider.answer(whole(200, { choices: [{ message: { content: 'Hello' } }] }));
    expect(await send(url)).toEqual({ text: 'Hello', error: undefined });
    provider.answer(refuses(529));
    expect((await send(url)).error).toMatchObject({ code: 'provider_overloaded', retryable: true });
    provider.answer(refuses(401));
    expect((await send(url)).error).toMatchObject({
      code: 'provider_auth_error',
      retryable: false,
    });
  });

  test.each([503, 429])('the whole protocol calls again after a %i', async (status) => {
    provider.answer(refuses(status), GOOD);
    expect(await send(urlOf('whole/app.ts'))).toEqual({ text: 'Hello', error: undefined });
    expect(provider.requests).toBe(2);
  });

  test('the checks of a store are played as they stand', async () => {
    await page.load('redis/checks.ts');
  });

  test.skipIf(NO_REDIS)(onRedis('the store in Redis keeps a chat'), async () => {
    const redis = await startRedis();
    process.env.REDIS_URL = redis.url;
    const { client, store } = await page.load<{
      client: { destroy(): void };
      store: RedisStore;
    }>('redis/store.ts');
    expect(await store.read('nobody')).toBeUndefined();
    store.close();
    client.destroy();
    await redis.close();
  });

  test('the whole protocol answers the other routes, too', async () => {
    const url = urlOf('whole/app.ts');
    provider.answer(refuses(401));
    await post(
      url,
      JSON.stringify({
        id: 'c9',
        messages: [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
        trigger: 'submit-message',
      }),
    ).then((response) => response.text());
    const snapshot = await (await fetch(`${url}/c9/snapshot`)).json();
    expect(snapshot).toMatchObject({ status: 'failed', error: { code: 'provider_auth_error' } });
  });
});
