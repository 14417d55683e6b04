import type { ErrorAdapter } from 'helix-chat';
import { describe, expect, test } from 'vitest';
import { asked, keysOf, refuse, refuseTyped, script, turn } from '../setup/faultRules.ts';
import { instead, type Layer } from '../setup/networkLayers.ts';
import { leftovers, play } from '../setup/playScenario.ts';

const TEXT = 'What is a helix?';
const running = { code: 'state_already_running', retryable: true } as const;

/** What another backend says of a thread that is locked, in the words of this one. */
const locked: ErrorAdapter = (thrown) =>
  JSON.stringify(thrown).includes('THREAD_LOCK_FAILED')
    ? { code: 'state_already_running', retryable: true }
    : undefined;

/** Everything that was posted, in order. */
function bodies(): { readonly posted: string[]; readonly layer: Layer } {
  const posted: string[] = [];
  const layer: Layer = (through) => async (input, init) => {
    if (init?.method === 'POST' && String(input).endsWith('/chat')) posted.push(String(init.body));
    return through(input, init);
  };
  return { posted, layer };
}

describe('a message that meets a lock which outlives its run', () => {
  test('goes once more with the same id, the same key and the same text, and no trouble shows', async () => {
    const { posted, layer } = bodies();
    const game = await play({}, layer);
    script(game, refuseTyped(running));
    await game.send(TEXT);
    await game.rest(60_000);
    expect(posted).toHaveLength(2);
    expect(posted[1]).toBe(posted[0]);
    expect(new Set(keysOf(game)).size).toBe(1);
    expect(await asked(game)).toEqual([`user: ${TEXT}`]);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.mounted.frames.every(({ failure }) => failure === undefined)).toBe(true);
    const statuses = game.mounted.frames.map(({ status }) => status);
    const order = statuses.filter((status, index) => status !== statuses[index - 1]);
    expect(order).toEqual(['ready', 'submitted', 'streaming', 'ready']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('is told in another backend’s own words: an adapter that knows them is all it takes', async () => {
    const body = { error: { code: 'THREAD_LOCK_FAILED', category: 'conflict', retryable: true } };
    const game = await play({ adapters: [locked] });
    script(game, refuse(409, 1, { 'content-type': 'application/json' }, JSON.stringify(body)));
    await game.send(TEXT);
    await game.rest(60_000);
    expect(game.posts()).toBe(2);
    expect(await asked(game)).toEqual([`user: ${TEXT}`]);
    expect(game.mounted.frames.every(({ failure }) => failure === undefined)).toBe(true);
    expect(await leftovers(game)).toEqual([]);
  });

  test('and is locked still is not hurried: the next try comes half a second later at the earliest', async () => {
    const game = await play();
    script(game, refuseTyped(running, 2));
    await game.send(TEXT);
    await game.rest(60_000);
    const [, second = 0, third = 0] = game.server.requests
      .filter(({ route }) => route === 'send')
      .map(({ at }) => at);
    expect(third - second).toBeGreaterThanOrEqual(500);
    expect(game.posts()).toBe(3);
    expect(await asked(game)).toEqual([`user: ${TEXT}`]);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('another conflict than a live reply', () => {
  test('is no busy chat: it is not waited for, and the message returns to the person', async () => {
    const game = await play();
    const body = '{"error":"conflict","kind":"version"}';
    script(game, refuse(409, 1, { 'content-type': 'application/json' }, body));
    await turn(game, TEXT);
    const { failure } = game.mounted.chat;
    expect(failure?.error.code).not.toBe('state_already_running');
    expect(game.mounted.frames.some(({ state }) => state === 'waiting-on-run')).toBe(false);
    expect(game.posts()).toBe(1);
    expect(game.mounted.pending()).toEqual([`failed: ${TEXT}`]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('nor is a server that cannot be reached', async () => {
    const game = await play({ recovery: { repeats: 0 } }, (through) => async (input, init) => {
      if (init?.method === 'POST') throw new TypeError('Failed to fetch');
      return through(input, init);
    });
    await turn(game, TEXT);
    expect(game.mounted.chat.failure?.error.reason).toBe('network');
    expect(game.mounted.frames.some(({ state }) => state === 'waiting-on-run')).toBe(false);
    expect(await leftovers(game)).toEqual([]);
  });
});

test('the first message of a new chat meets a conflict: nobody ever sees trouble', async () => {
  let refused = false;
  const once = instead('send', () => {
    if (refused) return undefined;
    refused = true;
    return Response.json({ error: 'x', ...running }, { status: 409 });
  });
  const game = await play({}, once);
  await game.send(TEXT);
  await game.rest(60_000);
  const seen = game.mounted.frames;
  expect(seen.every(({ failure, status }) => failure === undefined && status !== 'error')).toBe(
    true,
  );
  expect(
    seen.filter(({ texts }) => texts.length > 0).every(({ texts }) => texts.join().includes(TEXT)),
  ).toBe(true);
  expect(game.heard.order).toEqual(['onFinish']);
  expect(await asked(game)).toEqual([`user: ${TEXT}`]);
  expect(await leftovers(game)).toEqual([]);
});
