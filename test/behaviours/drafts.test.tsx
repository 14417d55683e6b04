import type { UIMessage } from 'ai';
import { createManualStore } from 'helix-chat/testing';
import { describe, expect, test } from 'vitest';
import { asked, refuse, refuseTyped, script, streaming, turn } from '../setup/faultRules.ts';
import { textOf } from '../setup/mountChat.tsx';
import { instead } from '../setup/networkLayers.ts';
import { CHAT, leftovers, play } from '../setup/playScenario.ts';

const TEXT = 'What is a helix?';

const file = (name: string) =>
  ({
    type: 'file',
    mediaType: 'text/plain',
    filename: name,
    url: 'data:text/plain;base64,YQ==',
  }) as const;

/** Where a text stands: among the messages or among the pending ones. */
const places = (game: Awaited<ReturnType<typeof play>>, text: string): string[] =>
  [...game.mounted.screen(), ...game.mounted.pending()].filter((line) => line.endsWith(text));

describe('a message with files and metadata that is refused', () => {
  test('comes back whole: its text, both files and its metadata', async () => {
    const drafts: UIMessage[] = [];
    const game = await play({ onDraft: (message) => drafts.push(message) });
    script(game, refuse(400));
    void game.mounted.chat.sendMessage({
      text: TEXT,
      files: [file('one.txt'), file('two.txt')],
      metadata: { quote: 'q1' },
    });
    await game.rest();
    expect(game.mounted.pending()).toEqual([`failed: ${TEXT}`]);
    await game.mounted.chat.act('take-back');
    const [draft] = drafts;
    expect(draft && textOf(draft)).toBe(TEXT);
    expect(draft?.parts.filter(({ type }) => type === 'file')).toEqual([
      file('one.txt'),
      file('two.txt'),
    ]);
    expect(draft?.metadata).toEqual({ quote: 'q1' });
    expect(places(game, TEXT)).toEqual([]);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('a message that is stopped before anything has left', () => {
  test('is never posted, stands in one place, and the next one goes', async () => {
    let ready: () => void = () => {};
    let slow = true;
    const game = await play({
      headers: async () => {
        if (slow) await new Promise<void>((resolve) => (ready = resolve));
        return { 'x-helix-client': 'tab-1' };
      },
    });
    void game.mounted.chat.sendMessage({ text: TEXT });
    await game.world.settle();
    await game.mounted.chat.stop();
    slow = false;
    ready();
    await game.world.advance(5_000);
    expect(await asked(game)).toEqual([]);
    expect(places(game, TEXT)).toHaveLength(1);
    await turn(game, 'next');
    expect(await asked(game)).toEqual(['user: next']);
    expect(places(game, TEXT)).toEqual([`parked: ${TEXT}`]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('and sent anew in the same breath: the later one goes once', async () => {
    const game = await play();
    void game.mounted.chat.sendMessage({ text: 'one' });
    void game.mounted.chat.stop();
    void game.mounted.chat.sendMessage({ text: 'two' });
    await game.world.advance(20_000);
    expect((await asked(game)).filter((line) => line === 'user: two').length).toBeLessThanOrEqual(
      1,
    );
    expect(places(game, 'one')).toHaveLength(1);
    expect(places(game, 'two')).toHaveLength(1);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('a sign-in that ran out', () => {
  test('keeps the draft in the store until the message is taken', async () => {
    const store = createManualStore();
    const kept = store.view();
    const game = await play({ storage: kept });
    script(game, refuse(401));
    await turn(game, TEXT);
    expect(JSON.stringify(store.keys().map((key) => kept.get(key)))).toContain(TEXT);
    expect(game.mounted.chat.failure?.error.reason).toBe('signed-out');
    void game.mounted.chat.act('send-again');
    await game.rest();
    expect(await asked(game)).toEqual([`user: ${TEXT}`]);
    expect(store.keys()).toEqual([]);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('`retry()`', () => {
  test('after a refused send sends the same message, and there is one of it', async () => {
    const game = await play();
    script(game, refuse(400));
    await turn(game, TEXT);
    void game.mounted.chat.retry();
    await game.world.settle();
    await game.rest();
    const ids = game.server.requests
      .filter(({ route }) => route === 'send')
      .map(({ messageId }) => messageId);
    expect(ids).toHaveLength(2);
    expect(ids[1]).toBe(ids[0]);
    expect(await asked(game)).toEqual([`user: ${TEXT}`]);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('after a reply that broke off puts another reply in its place, and asks no second question', async () => {
    const game = await play();
    script(game, {
      on: 'send',
      fault: {
        do: 'reply',
        words: 3,
        attempts: 10,
        fails: { code: 'provider_error', retryable: true },
      },
    });
    await turn(game, TEXT);
    expect(game.mounted.chat.failure?.actions[0]).toBe('new-reply');
    void game.mounted.chat.retry();
    await game.world.settle();
    await game.rest();
    expect(game.mounted.screen()).toHaveLength(2);
    expect(await asked(game)).toEqual([`user: ${TEXT}`]);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('that fails too leaves the message and the way on: the failure is never cleared before it is settled', async () => {
    const game = await play();
    script(game, refuse(400, 2));
    await turn(game, TEXT);
    const from = game.mounted.frames.length;
    void game.mounted.chat.retry();
    await game.world.settle();
    await game.rest();
    const frames = game.mounted.frames.slice(from);
    expect(frames.every(({ status }) => status !== 'ready')).toBe(true);
    expect(places(game, TEXT)).toEqual([`failed: ${TEXT}`]);
    expect(game.mounted.chat.failure?.error.statusCode).toBe(400);
    expect(game.mounted.chat.failure?.actions).toContain('send-again');
    void game.mounted.chat.retry();
    await game.world.settle();
    await game.rest();
    expect(places(game, TEXT)).toHaveLength(1);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('a new message after one that failed', () => {
  test('is the only new question of its request', async () => {
    const bodies: { messages: { role: string }[] }[] = [];
    const game = await play({}, (through) => async (input, init) => {
      if (init?.method === 'POST') bodies.push(JSON.parse(String(init.body)));
      return through(input, init);
    });
    await turn(game, 'before');
    script(game, refuse(400));
    await turn(game, TEXT);
    await turn(game, 'next');
    const roles = bodies.at(-1)?.messages.map(({ role }) => role);
    expect(roles?.at(-1)).toBe('user');
    expect(roles?.at(-2)).not.toBe('user');
    expect(game.mounted.pending()).toEqual([`failed: ${TEXT}`]);
    expect(await asked(game)).toEqual(['user: before', 'user: next']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('that still backs off waits behind it, and the page’s end ends both', async () => {
    const game = await play();
    script(game, refuse(503, 3, { 'retry-after': '20' }));
    await game.send(TEXT);
    await game.world.runUntil(() => game.mounted.chat.recovery.name === 'backing-off');
    void game.mounted.chat.sendMessage({ text: 'next' });
    await game.world.settle();
    expect(game.posts()).toBe(1);
    expect(await leftovers(game)).toEqual([]);
    expect(game.posts()).toBe(1);
  });
});

test('a message that fails after the chat was left stays with its chat', async () => {
  const answer = instead('send', async (world) => {
    await new Promise<void>((resolve) => void world.after(1_000, resolve));
    return new Response('no', { status: 400 });
  });
  const game = await play({}, answer);
  await game.send(TEXT);
  const options = { fetch: game.server.fetch, requestKeys: true, resync: true } as const;
  await game.mounted.rerender({ ...options, id: 'c2' });
  await game.world.advance(5_000);
  expect(game.mounted.pending()).toEqual([]);
  expect(game.mounted.screen()).toEqual([]);
  await game.mounted.rerender({ ...options, id: CHAT });
  await game.world.advance(5_000);
  expect(places(game, TEXT)).toHaveLength(1);
  expect(await leftovers(game)).toEqual([]);
});

test('a wait that the server states as two seconds is kept, then the message goes once more', async () => {
  const game = await play();
  script(
    game,
    refuseTyped({
      code: 'provider_rate_limited',
      retryable: true,
      retryAfterMs: 2_000,
      statusCode: 429,
    }),
  );
  await game.send(TEXT);
  const from = game.world.monotonic();
  await game.world.runUntil(() => game.posts() === 2);
  expect(game.world.monotonic() - from).toBeGreaterThanOrEqual(2_000);
  await streaming(game);
  await game.rest();
  expect(await asked(game)).toEqual([`user: ${TEXT}`]);
  expect(await leftovers(game)).toEqual([]);
});
