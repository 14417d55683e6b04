import { describe, expect, test } from 'vitest';
import {
  asked,
  backingOff,
  refuse,
  refuseTyped,
  script,
  streaming,
  turn,
} from '../setup/faultRules.ts';
import { leftovers, type Play, play } from '../setup/playScenario.ts';

const TEXT = 'What is a helix?';
const MINUTE = 60_000;

const sleep = async (game: Play, ms: number): Promise<void> => {
  game.world.jumpClock(ms);
  game.world.emit('visible');
  await game.world.advance(2_000);
};

const pendingOf = (game: Play) =>
  game.mounted.chat.pendingSends.map(({ state, cause }) => `${state}: ${cause}`);

describe('after a sleep of more than ten minutes', () => {
  test('a message that waited for its next try waits for a press, and then goes once', async () => {
    const game = await play();
    script(game, refuse(503, 1, { 'retry-after': '20' }));
    await game.send(TEXT);
    await backingOff(game);
    await sleep(game, 11 * MINUTE);
    expect(pendingOf(game)).toEqual(['held: slept']);
    expect(game.mounted.chat.status).toBe('ready');
    expect(game.heard.order).toEqual([]);
    await game.world.advance(10 * MINUTE);
    expect(game.posts()).toBe(1);
    await game.mounted.chat.act('send-again');
    await game.rest(MINUTE);
    expect(await asked(game)).toEqual([`user: ${TEXT}`]);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.heard.order).toEqual(['onFinish']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('a message that was out is not repeated when its request fails, and is looked for before it goes by a press', async () => {
    const game = await play();
    script(game, { on: 'send', fault: { do: 'drop', taken: true } });
    void game.mounted.chat.sendMessage({ text: TEXT });
    game.world.jumpClock(20 * MINUTE);
    await game.world.advance(20_000);
    // It had arrived: the read behind the sleep finds it.
    expect(game.posts()).toBe(1);
    expect(pendingOf(game)).toEqual([]);
    expect(await asked(game)).toEqual([`user: ${TEXT}`]);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('an edit that waited for its next try keeps its text, and the history stays', async () => {
    const game = await play();
    await turn(game, TEXT);
    const before = game.mounted.screen();
    const [first] = game.mounted.chat.messages;
    script(game, { on: 'send', fault: { do: 'drop', taken: false } });
    void game.mounted.chat.sendMessage({ text: 'Changed', messageId: first?.id ?? '' });
    await backingOff(game);
    await sleep(game, 11 * MINUTE);
    expect(pendingOf(game)).toEqual(['held: slept']);
    expect(game.mounted.screen()).toEqual(before);
    await game.mounted.chat.act('send-again');
    await game.rest(MINUTE);
    expect(await asked(game)).toEqual(['user: Changed']);
    expect(game.mounted.pending()).toEqual([]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('another reply that waited for its next try is not written by itself', async () => {
    const game = await play();
    await turn(game, TEXT);
    const before = game.mounted.screen();
    script(game, { on: 'send', fault: { do: 'drop', taken: false } });
    void game.mounted.chat.regenerate();
    await backingOff(game);
    const posts = game.posts();
    await sleep(game, 11 * MINUTE);
    await game.rest(MINUTE);
    await game.world.advance(10 * MINUTE);
    expect(game.posts()).toBe(posts);
    expect(game.mounted.chat.failure?.actions).toContain('new-reply');
    expect(game.mounted.screen()).toEqual(before);
    expect(await leftovers(game)).toEqual([]);
  });

  test('a message behind our own reply does not follow it by itself, and the reply is read to its end', async () => {
    const game = await play();
    await game.send(TEXT);
    await streaming(game);
    await game.send('And then?');
    await sleep(game, 11 * MINUTE);
    await game.rest(MINUTE);
    expect(pendingOf(game)).toEqual(['held: slept']);
    expect(await asked(game)).toEqual([`user: ${TEXT}`]);
    await game.mounted.chat.act('send-again');
    await game.rest(MINUTE);
    expect(await asked(game)).toEqual([`user: ${TEXT}`, 'user: And then?']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('a message that another reply holds up does not follow it by itself', async () => {
    const game = await play();
    await game.server.foreignSend('c1', 'foreign', { totalMs: 30_000 });
    await game.send(TEXT);
    await game.world.advance(5_000);
    expect(game.mounted.chat.recovery.name).toBe('waiting-on-run');
    await sleep(game, 11 * MINUTE);
    await game.world.advance(5 * MINUTE);
    expect(game.mounted.chat.recovery.name).toBe('idle');
    expect(pendingOf(game)).toEqual(['held: slept']);
    expect(await asked(game)).toEqual(['user: foreign']);
    expect(game.mounted.screen()).toEqual(await game.truth());
    await game.mounted.chat.act('send-again');
    await game.rest(MINUTE);
    expect(await asked(game)).toEqual(['user: foreign', `user: ${TEXT}`]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('a message can be taken back, and a new one goes beside it', async () => {
    const game = await play();
    script(game, refuse(503, 1, { 'retry-after': '20' }));
    await game.send(TEXT);
    await backingOff(game);
    await sleep(game, 11 * MINUTE);
    await game.world.advance(MINUTE);
    await game.send('Something else');
    await game.rest(MINUTE);
    expect(await asked(game)).toEqual(['user: Something else']);
    expect(pendingOf(game)).toEqual(['held: slept']);
    expect((await game.mounted.chat.cancelPendingSend())?.parts).toEqual([
      { type: 'text', text: TEXT },
    ]);
    expect(game.mounted.pending()).toEqual([]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('a press is a press: `try-now` sends what has waited', async () => {
    const game = await play();
    script(game, refuse(503, 2));
    await game.send(TEXT);
    await game.world.runUntil(() => game.posts() === 2);
    await backingOff(game);
    game.world.jumpClock(20 * MINUTE);
    await game.mounted.chat.act('try-now');
    await game.rest(MINUTE);
    expect(await asked(game)).toEqual([`user: ${TEXT}`]);
    expect(await leftovers(game)).toEqual([]);
  });
});

test('after a shorter sleep what waited goes by itself', async () => {
  const game = await play();
  script(game, refuse(503));
  await game.send(TEXT);
  await backingOff(game);
  await sleep(game, 9 * MINUTE);
  await game.rest(MINUTE);
  expect(await asked(game)).toEqual([`user: ${TEXT}`]);
  expect(game.mounted.pending()).toEqual([]);
  expect(await leftovers(game)).toEqual([]);
});

describe('times on the wall clock stay right when it jumps', () => {
  const left = (game: Play): number => {
    const { recovery } = game.mounted.chat;
    return recovery.name === 'backing-off' ? recovery.retryAt - game.world.now() : Number.NaN;
  };

  test.each([
    ['ahead', 5 * MINUTE],
    ['back', -60 * MINUTE],
  ])('%s, while a stated wait lasts: it is as long as before', async (_way, ms) => {
    const game = await play();
    script(game, refuse(503, 1, { 'retry-after': '30' }));
    await game.send(TEXT);
    await backingOff(game);
    await game.world.advance(10_000);
    const before = left(game);
    game.world.jumpClock(ms);
    game.world.emit('visible');
    await game.world.settle();
    expect(left(game)).toBe(before);
    const at = game.world.monotonic();
    await game.world.runUntil(() => game.posts() === 2, MINUTE);
    expect(game.world.monotonic() - at).toBe(before);
    await game.rest();
    expect(await leftovers(game)).toEqual([]);
  });

  test('and without any event it is right again within ten seconds', async () => {
    const game = await play();
    script(game, refuse(503, 1, { 'retry-after': '40' }));
    await game.send(TEXT);
    await backingOff(game);
    const before = left(game);
    game.world.jumpClock(-5 * MINUTE);
    await game.world.advance(10_000);
    expect(left(game)).toBe(before - 10_000);
    await game.rest(MINUTE);
    expect(await leftovers(game)).toEqual([]);
  });

  test('also of a failure that states a time, and of the message that waits for it', async () => {
    const game = await play();
    script(game, refuseTyped({ code: 'provider_overloaded', retryAfterMs: 5 * MINUTE }));
    await game.send(TEXT);
    await game.rest();
    const at = (game.mounted.chat.failure?.retryAt ?? 0) - game.world.now();
    game.world.jumpClock(3 * MINUTE);
    game.world.emit('visible');
    await game.world.advance(10_000);
    const { failure, pendingSends } = game.mounted.chat;
    expect((failure?.retryAt ?? 0) - game.world.now()).toBe(at - 10_000);
    expect(pendingSends[0]?.failure?.retryAt).toBe(failure?.retryAt);
    expect(game.mounted.chat.canSend).toBe(false);
    await game.world.advance(at);
    await game.mounted.chat.act('send-again');
    await game.rest();
    expect(await asked(game)).toEqual([`user: ${TEXT}`]);
    expect(await leftovers(game)).toEqual([]);
  });
});
