import { createManualWorld, type FaultRule } from 'helix-chat/testing';
import { describe, expect, test } from 'vitest';
import { lines, mountChat } from '../setup/mountChat.tsx';
import { CHAT, leftovers, type Play, play, TAB } from '../setup/playScenario.ts';

const TEXT = 'What is a helix?';
const script = (game: Play, ...rules: FaultRule[]) =>
  game.server.arm({ name: 'test', rules }, { client: TAB, chatId: CHAT });
const cut = (on: 'send' | 'stream', afterWords: number, times = 1): FaultRule => ({
  on,
  times,
  fault: { do: 'break', afterWords, how: 'cut' },
});

/** A server whose whole reply is this text of an event stream; the snapshot route is absent unless given. */
function scripted(answers: Record<'send' | 'stream' | 'snapshot', (n: number) => Response>): {
  fetch: typeof fetch;
  count(route: 'send' | 'stream' | 'snapshot'): number;
} {
  const counts = { send: 0, stream: 0, snapshot: 0 };
  return {
    count: (route) => counts[route],
    async fetch(input, init) {
      const url = String(input);
      const route =
        init?.method === 'POST' ? 'send' : url.endsWith('/snapshot') ? 'snapshot' : 'stream';
      counts[route] += 1;
      return answers[route](counts[route]);
    },
  };
}

const events = (...chunks: object[]) =>
  new Response(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  });
const text = (...words: string[]) => [
  { type: 'text-start', id: 't' },
  ...words.map((delta) => ({ type: 'text-delta', id: 't', delta })),
  { type: 'text-end', id: 't' },
];
const snapshot = (status: string, ...messages: object[]) => Response.json({ status, messages });
const user = { id: 'm1', role: 'user', parts: [{ type: 'text', text: TEXT }] };
const none = () => new Response(null, { status: 404 });

async function mountScripted(
  answers: Parameters<typeof scripted>[0],
  options: Parameters<typeof mountChat>[1] = {},
) {
  const world = createManualWorld();
  const server = scripted(answers);
  const order: string[] = [];
  let ids = 0;
  const mounted = await mountChat(world, {
    id: 'c',
    fetch: server.fetch,
    resync: { snapshot: '/api/chat/c/snapshot' },
    resume: false,
    generateId: () => {
      ids += 1;
      return `m${ids}`;
    },
    onError: () => void order.push('onError'),
    onFinish: () => void order.push('onFinish'),
    onFailure: () => void order.push('onFailure'),
    ...options,
  });
  void mounted.chat.sendMessage({ text: TEXT });
  await world.settle();
  return { world, server, mounted, order };
}

describe('a reply that is cut', () => {
  test('three times in a row is spliced, without a flash and with one onFinish', async () => {
    const game = await play();
    script(game, cut('send', 3), cut('stream', 6), cut('stream', 9));
    await game.send(TEXT);
    await game.rest();
    expect(game.requests('stream')).toBe(3);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.heard.order).toEqual(['onFinish']);
    const sizes = game.mounted.frames.map((frame) => frame.texts.join('').length);
    sizes.forEach((size, index) => {
      expect(size).toBeGreaterThanOrEqual(sizes[index - 1] ?? 0);
    });
    expect(await leftovers(game)).toEqual([]);
  });

  test('again and again without anything new: three reconnects, then the conversation is read', async () => {
    const game = await play();
    script(game, cut('send', 3), cut('stream', 1, 50));
    await game.send(TEXT);
    await game.world.runUntil(() => game.requests('snapshot') > 1);
    const routes = game.server.requests.map((request) => request.route);
    expect(routes.slice(0, routes.lastIndexOf('snapshot'))).toEqual([
      'snapshot',
      'send',
      'stream',
      'stream',
      'stream',
    ]);
    await game.rest(60_000);
    await game.world.advance(20_000);
    expect(game.requests('stream')).toBeLessThan(30);
    expect(await leftovers(game)).toEqual([]);
  });

  test('without a stream route and without a snapshot route: the part stays, marked as cut', async () => {
    const notes: unknown[] = [];
    console.warn = (note: unknown) => notes.push(note);
    const { world, mounted, order, server } = await mountScripted(
      {
        send: () => events({ type: 'start' }, ...text('Half').slice(0, 2)),
        stream: none,
        snapshot: none,
      },
      { resync: 'auto' },
    );
    await world.runUntil(() => mounted.chat.recovery.name === 'failed');
    expect(mounted.chat.failure?.error).toMatchObject({
      code: 'transport_stream_drop',
      reason: 'cut',
    });
    expect(lines(mounted.chat.messages)).toEqual([`user: ${TEXT}`, 'assistant: Half']);
    expect(mounted.chat.failure?.actions).toContain('new-reply');
    expect(order).toEqual(['onError', 'onFinish', 'onFailure']);
    expect(server.count('stream')).toBeLessThanOrEqual(1);
    expect(server.count('snapshot')).toBeLessThanOrEqual(1);
    expect(notes).toHaveLength(2);
    await mounted.unmount();
    expect(world.pending()).toBe(0);
  });
});

describe('a run that is active but has no stream', () => {
  test('is looked at until patience is over, then it is a failure that can be reloaded', async () => {
    const { world, mounted, server } = await mountScripted({
      send: () => events({ type: 'start' }, ...text('Half').slice(0, 2)),
      stream: () => new Response(null, { status: 204 }),
      snapshot: () => snapshot('active', user),
    });
    await world.runUntil(() => mounted.chat.recovery.name === 'failed', 600_000);
    expect(mounted.chat.failure?.error.reason).toBe('run_not_live');
    expect(mounted.chat.failure?.actions).toContain('reload');
    expect(world.monotonic()).toBeGreaterThan(290_000);
    expect(server.count('snapshot')).toBeLessThan(60);
    expect(server.count('send')).toBe(1);
    await mounted.unmount();
    expect(world.pending()).toBe(0);
  });

  test('that ends meanwhile settles on its transcript', async () => {
    const reply = {
      id: 'a1',
      role: 'assistant',
      parts: [{ type: 'text', text: 'Half and whole' }],
    };
    const { world, mounted, order } = await mountScripted({
      send: () => events({ type: 'start', messageId: 'a1' }, ...text('Half').slice(0, 2)),
      stream: () => new Response(null, { status: 204 }),
      snapshot: (n) => (n < 4 ? snapshot('active', user) : snapshot('ended', user, reply)),
    });
    await world.runUntil(() => mounted.chat.recovery.name === 'idle', 60_000);
    expect(lines(mounted.chat.messages)).toEqual([`user: ${TEXT}`, 'assistant: Half and whole']);
    expect(order).toEqual(['onFinish']);
    await mounted.unmount();
    expect(world.pending()).toBe(0);
  });
});

describe('a model that starts over', () => {
  test('again and again without committed content is re-anchored five times, then it is a failure', async () => {
    const attempt = (n: number) =>
      events({ type: 'start', messageId: 'a1' }, ...text(`try ${n}`), {
        type: 'data-attempt-superseded',
        data: { attemptId: `t${n}` },
        transient: true,
      });
    const { world, mounted, server } = await mountScripted({
      send: () => attempt(0),
      stream: attempt,
      snapshot: () => snapshot('active', user),
    });
    await world.runUntil(() => mounted.chat.recovery.name === 'failed', 60_000);
    expect(mounted.chat.failure?.error.reason).toBe('re-anchor-limit');
    expect(server.count('stream')).toBe(5);
    await mounted.unmount();
    expect(world.pending()).toBe(0);
  });
});

describe('how a reply ends', () => {
  const finish = (finishReason: string) => ({ type: 'finish', finishReason });
  const ending = (...chunks: object[]) =>
    mountScripted(
      {
        send: () => events({ type: 'start', messageId: 'a1' }, ...chunks),
        stream: none,
        snapshot: none,
      },
      { resync: false },
    );

  test.each([
    ['length', 'provider_error', 'length'],
    ['content-filter', 'provider_content_filtered', 'filtered'],
    ['error', 'provider_error', 'finish-error'],
  ])('finish reason %s keeps the reply and adds a notice', async (reason, code, expected) => {
    const { world, mounted, order } = await ending(...text('Some text'), finish(reason));
    await world.settle();
    expect(mounted.chat.failure).toMatchObject({ severity: 'notice', messageId: 'a1' });
    expect(mounted.chat.failure?.error).toMatchObject({ code, reason: expected });
    expect(mounted.chat.status).toBe('ready');
    expect(mounted.chat.error).toBeUndefined();
    expect(lines(mounted.chat.messages)[1]).toBe('assistant: Some text');
    expect(order).toEqual(['onFinish', 'onFailure']);
    await mounted.unmount();
  });

  test('an `abort` chunk is a stop somewhere, no failure', async () => {
    const { world, mounted, order } = await ending(...text('Some'), { type: 'abort' });
    await world.settle();
    expect(mounted.chat.recovery.name).toBe('idle');
    expect(order).toEqual(['onFinish']);
    await mounted.unmount();
  });

  test('an empty reply leaves no blank bubble', async () => {
    const { world, mounted } = await ending(finish('stop'));
    await world.settle();
    expect(mounted.chat.failure?.error.reason).toBe('empty-reply');
    expect(lines(mounted.chat.messages)).toEqual([`user: ${TEXT}`]);
    await mounted.unmount();
  });

  test('the text of a failed attempt is kept in the failure when the transcript leaves it out', async () => {
    const { world, mounted } = await mountScripted({
      send: () =>
        events({ type: 'start', messageId: 'a1' }, ...text('Half a reply').slice(0, 2), {
          type: 'error',
          errorText: 'An error occurred.',
        }),
      stream: none,
      snapshot: () => snapshot('failed', user),
    });
    await world.settle();
    expect(mounted.chat.failure?.partial).toBe('Half a reply');
    expect(lines(mounted.chat.messages)).toEqual([`user: ${TEXT}`]);
    expect(mounted.frames.at(-1)?.state).toBe('failed');
    const torn = mounted.frames.filter(
      (frame) => frame.state === 'failed' && frame.texts.some((line) => line.includes('Half')),
    );
    expect(torn).toEqual([]);
    await mounted.unmount();
  });
});
