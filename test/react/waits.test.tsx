import { describe, expect, test } from 'vitest';
import { asked, backingOff, refuse, script, turn } from '../setup/faultRules.ts';
import { instead, type Route } from '../setup/networkLayers.ts';
import { arm, leftovers, type Play, play } from '../setup/playScenario.ts';

const TEXT = 'What is a helix?';
const LONG = 20_000;
const WAIT = 20_000;
const stated = (seconds = WAIT / 1000) => ({ 'retry-after': String(seconds) });

/** A send that was refused with a stated wait; `at` is when. */
async function refusedWithWait(online = true): Promise<{ game: Play; at: number }> {
  const game = await play();
  script(game, refuse(503, 1, stated()));
  game.world.setOnline(online);
  await game.send(TEXT);
  await backingOff(game);
  return { game, at: game.world.monotonic() };
}

const secondPost = async (game: Play): Promise<number> => {
  await game.world.runUntil(() => game.posts() === 2, 120_000);
  return game.world.monotonic();
};

describe('a wait that the server states for a send is never cut short', () => {
  test.each([
    ['by `try-now`', (game: Play) => void game.mounted.chat.act('try-now')],
    ['by a tab that is shown again', (game: Play) => game.world.emit('visible')],
    ['by a page that comes back from the cache', (game: Play) => game.world.emit('restored')],
    ['by a network that is back', (game: Play) => game.world.emit('online')],
    ['by `retry`', (game: Play) => void game.mounted.chat.retry()],
  ])('%s', async (_name, hurry) => {
    // Some of these have nothing to do meanwhile, and tell the developer.
    console.warn = () => {};
    const { game, at } = await refusedWithWait();
    hurry(game);
    await game.world.advance(500);
    hurry(game);
    expect((await secondPost(game)) - at).toBeGreaterThanOrEqual(WAIT);
    await game.rest();
    expect(await asked(game)).toEqual([`user: ${TEXT}`]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('by the network being away and back', async () => {
    const { game, at } = await refusedWithWait(false);
    game.world.emit('offline');
    void game.mounted.chat.act('try-now');
    await game.world.advance(500);
    game.world.setOnline(true);
    expect((await secondPost(game)) - at).toBeGreaterThanOrEqual(WAIT);
    await game.rest();
    expect(await leftovers(game)).toEqual([]);
  });

  test('by a stop and a press of `send-again`', async () => {
    const { game, at } = await refusedWithWait();
    await game.mounted.chat.stop();
    await game.world.advance(1000);
    expect(game.mounted.chat.canSend).toBe(false);
    void game.mounted.chat.act('send-again');
    expect((await secondPost(game)) - at).toBeGreaterThanOrEqual(WAIT);
    await game.rest();
    expect(await asked(game)).toEqual([`user: ${TEXT}`]);
    expect(game.mounted.chat.canSend).toBe(true);
    expect(await leftovers(game)).toEqual([]);
  });

  test('by a stop and another message', async () => {
    const { game, at } = await refusedWithWait();
    await game.mounted.chat.stop();
    await game.world.advance(1000);
    await game.send('other');
    expect((await secondPost(game)) - at).toBeGreaterThanOrEqual(WAIT);
    await game.rest();
    expect(await asked(game)).toEqual(['user: other']);
    expect(game.mounted.pending()).toEqual([`parked: ${TEXT}`]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('by a pause of our own that a press may cut short', async () => {
    const game = await play({ recovery: { budget: { moves: 1, perMs: 60_000 } } });
    script(game, refuse(503), refuse(503, 1, stated()));
    await game.send(TEXT);
    await game.world.runUntil(() => game.posts() === 2);
    await game.world.settle();
    const at = game.world.monotonic();
    expect(game.mounted.chat.recovery).toMatchObject({ name: 'backing-off', cause: 'budget' });
    void game.mounted.chat.act('try-now');
    await game.world.runUntil(() => game.posts() === 3, 120_000);
    expect(game.world.monotonic() - at).toBeGreaterThanOrEqual(WAIT);
    await game.rest();
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('a pause of our own ends by a press', () => {
  test('when the budget is spent', async () => {
    const game = await play({ recovery: { budget: { moves: 1, perMs: 60_000 } } });
    script(game, refuse(503, 2));
    await game.send(TEXT);
    await game.world.runUntil(() => game.posts() === 2);
    await game.world.settle();
    const at = game.world.monotonic();
    expect(game.mounted.chat.recovery).toMatchObject({ name: 'backing-off', cause: 'budget' });
    void game.mounted.chat.act('try-now');
    await game.world.settle();
    expect(game.posts()).toBe(3);
    expect(game.world.monotonic()).toBe(at);
    await game.rest();
    expect(await asked(game)).toEqual([`user: ${TEXT}`]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('when nothing has answered five times', async () => {
    const game = await play({ recovery: { repeats: 9 } });
    script(game, { on: 'send', times: 6, fault: { do: 'drop', taken: false } });
    await game.send(TEXT);
    await game.world.runUntil(
      () =>
        game.mounted.chat.recovery.name === 'backing-off' &&
        game.mounted.chat.recovery.cause === 'breaker',
      200_000,
    );
    const posts = game.posts();
    expect(posts).toBeGreaterThanOrEqual(5);
    void game.mounted.chat.act('try-now');
    await game.world.settle();
    expect(game.posts()).toBe(posts + 1);
    await game.rest(200_000);
    expect(await asked(game)).toEqual([`user: ${TEXT}`]);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('a wait that the server states for a read is never cut short', () => {
  /** The times at which a route is asked; it refuses as long as it is told to. */
  function refusing(route: Route, status: number, seconds: number) {
    const times: number[] = [];
    const state = { left: 0 };
    const layer = instead(route, (world) => {
      times.push(world.monotonic());
      if (state.left === 0) return undefined;
      state.left -= 1;
      return new Response('no', { status, headers: stated(seconds) });
    });
    return { times, state, layer };
  }

  test('of the conversation: not by a press, a shown tab or another request for it', async () => {
    const { times, state, layer } = refusing('snapshot', 429, 20);
    const game = await play({}, layer);
    await turn(game, TEXT);
    state.left = 1;
    times.length = 0;
    await game.mounted.chat.resync();
    await game.world.advance(10_000);
    void game.mounted.chat.act('try-now');
    await game.world.advance(1000);
    game.world.emit('visible');
    await game.world.advance(1000);
    void game.mounted.chat.resync();
    await game.world.advance(1000);
    expect(times).toHaveLength(1);
    await game.world.advance(60_000);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(WAIT);
    expect(game.mounted.chat.recovery.name).toBe('idle');
    expect(await leftovers(game)).toEqual([]);
  });

  test('of the conversation, over a minute: nothing is automatic, and the time is told', async () => {
    const { times, state, layer } = refusing('snapshot', 503, 300);
    const game = await play({}, layer);
    await turn(game, TEXT);
    state.left = 99;
    times.length = 0;
    const before = game.mounted.screen();
    await game.mounted.chat.resync();
    await game.world.settle();
    expect(game.mounted.chat.recovery.name).toBe('failed');
    expect(game.mounted.chat.failure?.retryAt).toBe(game.world.now() + 300_000);
    await game.world.advance(120_000);
    expect(times).toHaveLength(1);
    expect(game.mounted.screen()).toEqual(before);
    expect(await leftovers(game)).toEqual([]);
  });

  test('of a live reply that was cut', async () => {
    const { times, state, layer } = refusing('stream', 429, 20);
    const game = await play({}, layer);
    state.left = 1;
    arm(game.server, 'cut');
    await game.send(TEXT);
    await game.world.advance(60_000);
    expect((times[1] ?? Number.POSITIVE_INFINITY) - (times[0] ?? 0)).toBeGreaterThanOrEqual(WAIT);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.posts()).toBe(1);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('automatic work is bounded', () => {
  test('on a server that always says `x-should-retry`', async () => {
    const game = await play();
    script(game, refuse(500, 9999, { 'x-should-retry': 'true' }));
    await game.send(TEXT);
    await game.world.advance(600_000);
    expect(game.posts()).toBe(4);
    expect(game.mounted.chat.recovery.name).toBe('failed');
    expect(game.mounted.pending()).toEqual([`failed: ${TEXT}`]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('on a server that is always busy: one failure with every try', async () => {
    const game = await play();
    script(game, refuse(503, 9999));
    await game.send(TEXT);
    await game.world.advance(600_000);
    expect(game.posts()).toBe(4);
    expect(game.mounted.chat.failure?.attempts).toHaveLength(4);
    expect(game.heard.order).toEqual(['onError', 'onFinish', 'onFailure']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('for an auto-send whose predicate is always true', async () => {
    const game = await play({ sendAutomaticallyWhen: () => true });
    script(game, refuse(500, 99));
    await game.send(TEXT);
    await game.world.advance(50_000);
    expect(game.posts()).toBe(1);
    game.server.disarm();
    await game.mounted.chat.act('send-again');
    await game.world.advance(50_000);
    expect(game.posts()).toBeLessThanOrEqual(3);
    expect(await leftovers(game)).toEqual([]);
  });

  test('after a sleep of twenty minutes the message goes once or waits for a press', async () => {
    const { game } = await refusedWithWait();
    game.world.jumpClock(20 * 60_000);
    game.world.emit('visible');
    await game.world.advance(LONG * 2);
    expect((await asked(game)).length + game.mounted.pending().length).toBe(1);
    expect(game.posts()).toBeLessThanOrEqual(2);
    expect(await leftovers(game)).toEqual([]);
  });
});
