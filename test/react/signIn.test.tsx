import { describe, expect, test } from 'vitest';
import { asked, refuse, script, streaming, turn } from '../setup/faultRules.ts';
import { instead } from '../setup/networkLayers.ts';
import { leftovers, play } from '../setup/playScenario.ts';

const TEXT = 'What is a helix?';

describe('a send that is refused because the person is signed out', () => {
  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('No sign-in here.');
      },
    ],
    ['rejects', () => Promise.reject(new Error('No sign-in here.'))],
    ['answers false', () => false],
    ['answers false later', async () => false],
  ])('is asked about once, and kept when `onUnauthorized` %s', async (_, onUnauthorized) => {
    let asks = 0;
    const game = await play({
      onUnauthorized: () => {
        asks += 1;
        return onUnauthorized();
      },
    });
    script(game, refuse(401, 3));
    await turn(game, TEXT);
    expect([asks, game.posts()]).toEqual([1, 1]);
    expect(game.mounted.chat.failure?.error.reason).toBe('signed-out');
    expect(game.mounted.pending()).toEqual([`failed: ${TEXT}`]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('is asked about again at the next press: the sign-in may have run out once more', async () => {
    let asks = 0;
    const game = await play({
      onUnauthorized: () => {
        asks += 1;
        return asks > 1;
      },
    });
    script(game, refuse(401, 2));
    await turn(game, TEXT);
    expect(game.mounted.pending()).toEqual([`failed: ${TEXT}`]);
    void game.mounted.chat.act('send-again');
    await game.world.settle();
    await game.rest();
    expect([asks, game.posts()]).toEqual([2, 3]);
    expect(await asked(game)).toEqual([`user: ${TEXT}`]);
    expect(game.mounted.pending()).toEqual([]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('is repeated once; a second refusal is not asked about', async () => {
    let asks = 0;
    const game = await play({
      onUnauthorized: () => {
        asks += 1;
      },
    });
    script(game, refuse(401, 3));
    await turn(game, TEXT);
    expect([asks, game.posts()]).toEqual([1, 2]);
    expect(game.mounted.pending()).toEqual([`failed: ${TEXT}`]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('is given up by a stop while the sign-in never comes to an end, and can be sent again', async () => {
    const game = await play({ onUnauthorized: () => new Promise(() => {}) });
    script(game, refuse(401));
    await game.send(TEXT);
    await game.world.advance(60_000);
    expect(game.mounted.chat.status).toBe('submitted');
    await game.mounted.chat.stop();
    await game.world.advance(30_000);
    expect(game.mounted.chat.status).toBe('ready');
    expect(game.mounted.pending()).toEqual([`parked: ${TEXT}`]);
    await game.mounted.chat.act('send-again');
    await game.rest();
    expect(await asked(game)).toEqual([`user: ${TEXT}`]);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('a read that is refused because the person is signed out', () => {
  const signedOut = () => new Response('no', { status: 401 });

  test('on load: one failure, and what is on screen stays', async () => {
    const past = { id: 'p', role: 'user' as const, parts: [{ type: 'text' as const, text: 'Hi' }] };
    const game = await play({ messages: [past] }, instead('snapshot', signedOut));
    await game.rest();
    expect(game.mounted.chat.failure).toMatchObject({ phase: 'load' });
    expect(game.mounted.chat.failure?.error.reason).toBe('signed-out');
    expect(game.mounted.screen()).toEqual(['user: Hi']);
    expect(game.requests('snapshot')).toBe(0);
    expect(await leftovers(game)).toEqual([]);
  });

  test('of a live reply that was cut: signed out, and the part stays', async () => {
    const game = await play({}, instead('stream', signedOut));
    script(game, { on: 'send', fault: { do: 'break', afterWords: 5, how: 'cut' } });
    await turn(game, TEXT);
    expect(game.mounted.chat.failure?.error.reason).toBe('signed-out');
    expect(game.mounted.screen()[1]).toMatch(/^assistant: You asked:/);
    expect(await leftovers(game)).toEqual([]);
  });

  test('of a stop: the reading ends all the same', async () => {
    const game = await play({}, instead('stop', signedOut));
    await game.send(TEXT);
    await streaming(game);
    await game.mounted.chat.stop();
    await game.world.advance(60_000);
    expect(game.mounted.chat.canStop).toBe(false);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });
});
