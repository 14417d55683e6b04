import { describe, expect, test } from 'vitest';
import { textOf } from '../setup/mountChat.tsx';
import { arm, CHAT, leftovers, play } from '../setup/playScenario.ts';

const TEXT = 'What is a helix?';

async function busy(change: Parameters<typeof play>[0] = {}) {
  const game = await play(change);
  arm(game.server, 'busy');
  await game.send(TEXT);
  await game.world.runUntil(() => game.mounted.chat.recovery.name === 'waiting-on-run');
  return game;
}

describe('a reply of another client is in the way', () => {
  test('waiting: the person watches it, then the message goes by itself, once, with its key', async () => {
    const game = await busy();
    await game.world.runUntil(
      () =>
        game.mounted.chat.recovery.name === 'waiting-on-run' &&
        game.mounted.chat.status === 'streaming',
    );
    expect(game.mounted.pending()).toEqual([`held: ${TEXT}`]);
    const polls = game.requests('snapshot');
    await game.world.advance(3000);
    expect(game.requests('snapshot')).toBe(polls);
    await game.rest();
    expect(game.posts()).toBe(2);
    const sends = game.server.requests.filter(
      (request) => request.route === 'send' && request.client,
    );
    expect(new Set(sends.map((request) => request.key)).size).toBe(1);
    expect(new Set(sends.map((request) => request.messageId)).size).toBe(1);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.mounted.screen().filter((line) => line === `user: ${TEXT}`)).toHaveLength(1);
    expect(game.heard.order).toEqual(['onFinish']);
    expect(game.heard.finished[0]).toContain(TEXT);
    expect(await leftovers(game)).toEqual([]);
  });

  test('after the live reply has ended one snapshot read is all that stands before the send', async () => {
    const game = await busy();
    await game.world.runUntil(() => game.posts() === 2);
    const log = game.server.requests.filter((request) => request.client !== undefined);
    const second = log.findLastIndex((request) => request.route === 'send');
    const attach = log.findLastIndex(
      (request, index) => index < second && request.route === 'stream',
    );
    expect(log.slice(attach + 1, second).map((request) => request.route)).toEqual(['snapshot']);
    await game.rest();
    expect(await leftovers(game)).toEqual([]);
  });

  test('stop and send: the other reply ends early, the message goes', async () => {
    const game = await busy();
    await game.world.advance(500);
    const before = game.world.monotonic();
    await game.mounted.chat.stopAndSend();
    await game.world.runUntil(() => game.posts() === 2);
    expect(game.world.monotonic() - before).toBeLessThan(3000);
    await game.rest();
    expect(game.requests('stop')).toBe(1);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.mounted.screen().filter((line) => line === `user: ${TEXT}`)).toHaveLength(1);
    expect(game.mounted.pending()).toEqual([]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('take back: the text returns, nothing is sent, the other reply goes on on screen', async () => {
    const game = await busy();
    await game.world.advance(500);
    const message = await game.mounted.chat.cancelPendingSend();
    expect(message && textOf(message)).toBe(TEXT);
    await game.rest();
    expect(game.posts()).toBe(1);
    expect(game.mounted.pending()).toEqual([]);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.heard.order).toEqual([]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('`sendMessage` resolves when its message was taken back', async () => {
    const game = await play();
    arm(game.server, 'busy');
    let done = false;
    void game.mounted.chat.sendMessage({ text: TEXT }).then(() => {
      done = true;
    });
    await game.world.runUntil(() => game.mounted.pending().length === 1);
    expect(done).toBe(false);
    await game.mounted.chat.cancelPendingSend();
    await game.world.settle();
    expect(done).toBe(true);
    await leftovers(game);
  });

  test('`ask` keeps the message until the person chooses; `wait` lets it go at the end', async () => {
    const game = await busy({ onConflict: 'ask' });
    expect(game.mounted.chat.recovery).toMatchObject({ cause: 'asked' });
    expect(game.mounted.chat.pendingSends[0]?.cause).toBe('asked');
    await game.mounted.chat.act('wait');
    await game.world.settle();
    expect(game.mounted.chat.recovery).toMatchObject({ cause: 'foreign-run' });
    await game.rest();
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('`fail` keeps the message with the person', async () => {
    const game = await play({ onConflict: 'fail' });
    arm(game.server, 'busy');
    await game.send(TEXT);
    await game.rest();
    expect(game.mounted.chat.failure?.error.code).toBe('state_already_running');
    expect(game.mounted.pending()).toEqual([`failed: ${TEXT}`]);
    expect(game.mounted.chat.failure?.actions).toContain('stop-send');
    await game.mounted.chat.act('stop-send');
    await game.rest();
    expect((await game.truth()).filter((line) => line === `user: ${TEXT}`)).toHaveLength(1);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('`stop` as the policy stops the other reply by itself', async () => {
    const game = await play({ onConflict: 'stop' });
    arm(game.server, 'busy');
    const before = game.world.monotonic();
    await game.send(TEXT);
    await game.world.runUntil(() => game.posts() === 2);
    expect(game.world.monotonic() - before).toBeLessThan(4000);
    await game.rest();
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('an `onConflict` that throws counts as `wait`', async () => {
    const reported: unknown[] = [];
    console.error = (text: unknown) => reported.push(text);
    const game = await busy({
      onConflict: () => {
        throw new Error('app');
      },
    });
    expect(reported).toHaveLength(1);
    expect(game.mounted.pending()).toEqual([`held: ${TEXT}`]);
    await game.rest();
    expect(game.mounted.screen()).toEqual(await game.truth());
    await leftovers(game);
  });

  test('stop while waiting parks the message and leaves the other reply alone', async () => {
    const game = await busy();
    await game.world.advance(500);
    await game.mounted.chat.stop();
    await game.world.advance(20_000);
    expect(game.mounted.pending()).toEqual([`parked: ${TEXT}`]);
    expect(game.mounted.chat.status).toBe('ready');
    expect(game.posts()).toBe(1);
    expect(game.requests('stop')).toBe(0);
    // What was on screen of the other reply is not left half.
    expect(game.mounted.screen()).toEqual(await game.truth());
    await game.mounted.chat.act('send-again');
    await game.rest();
    expect(game.mounted.pending()).toEqual([]);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('patience: nothing is heard of the run for five minutes, the message returns to the person', async () => {
    const game = await play();
    game.server.arm(
      {
        name: 'always-busy',
        rules: [
          {
            on: 'send',
            times: 1000,
            fault: {
              do: 'refuse-typed',
              error: { code: 'state_already_running', retryable: true },
            },
          },
        ],
      },
      { chatId: CHAT },
    );
    await game.send(TEXT);
    await game.rest(400_000);
    expect(game.mounted.chat.failure?.error.reason).toBe('patience');
    expect(game.mounted.pending()).toEqual([`failed: ${TEXT}`]);
    expect(game.world.monotonic()).toBeGreaterThan(290_000);
    expect(game.posts()).toBeLessThan(60);
    expect(await leftovers(game)).toEqual([]);
  });
});

test('`allow` may forbid that a held message goes by itself: it waits for a press', async () => {
  const asked: string[] = [];
  const game = await busy({
    recovery: {
      allow(move) {
        asked.push(move);
        return move !== 'send-held';
      },
    },
  });
  await game.world.advance(15_000);
  expect(asked).toContain('send-held');
  expect(game.posts()).toBe(1);
  expect(game.mounted.chat.pendingSends[0]).toMatchObject({ state: 'held', cause: 'queue-paused' });
  await game.mounted.chat.act('send-again');
  await game.rest();
  expect(game.mounted.screen()).toEqual(await game.truth());
  expect(await leftovers(game)).toEqual([]);
});

describe('sends while our own reply is written', () => {
  test('are held without a request and go out in order, each once', async () => {
    const game = await play();
    await game.send('one');
    await game.world.runUntil(() => game.mounted.chat.status === 'streaming');
    for (const text of ['two', 'three', 'four']) void game.mounted.chat.sendMessage({ text });
    await game.world.settle();
    expect(game.posts()).toBe(1);
    expect(game.mounted.pending()).toEqual(['held: two', 'held: three', 'held: four']);
    expect(game.mounted.chat.pendingSends[0]?.cause).toBe('own-run');
    await game.rest(60_000);
    const truth = await game.truth();
    expect(truth.filter((line) => line.startsWith('user'))).toEqual([
      'user: one',
      'user: two',
      'user: three',
      'user: four',
    ]);
    expect(game.mounted.screen()).toEqual(truth);
    expect(game.posts()).toBe(4);
    expect(game.heard.order).toEqual(['onFinish', 'onFinish', 'onFinish', 'onFinish']);
    const statuses = game.mounted.frames.map((frame) => frame.status);
    const first = statuses.indexOf('submitted');
    const end = statuses.findLastIndex((status) => status !== 'ready');
    expect(statuses.slice(first, end)).not.toContain('ready');
    expect(await leftovers(game)).toEqual([]);
  });

  test('are shown at the end of `messages`, and of the requests never', async () => {
    const game = await play();
    await game.send('one');
    await game.world.runUntil(() => game.mounted.chat.status === 'streaming');
    void game.mounted.chat.sendMessage({ text: 'two' });
    await game.world.settle();
    expect(game.mounted.chat.messages.map(textOf).at(-1)).toBe('two');
    expect(game.mounted.screen()).not.toContain('user: two');
    await game.rest(60_000);
    await leftovers(game);
  });
});
