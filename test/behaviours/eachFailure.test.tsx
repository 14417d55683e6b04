import { HelixError } from 'helix-chat';
import { describe, expect, test } from 'vitest';
import { turn } from '../setup/faultRules.ts';
import { instead, type Layer, replaced } from '../setup/networkLayers.ts';
import { leftovers, play } from '../setup/playScenario.ts';

const TEXT = 'What is a helix?';

const throwing =
  (thrown: unknown): Layer =>
  (through) =>
  async (input, init) => {
    if (init?.method === 'POST') throw thrown;
    return through(input, init);
  };

describe('whatever goes wrong with a send', () => {
  test.each<[string, Layer]>([
    ['a refusal', instead('send', () => new Response('no', { status: 400 }))],
    ['a page', instead('send', () => new Response('<p>hi</p>', { status: 200 }))],
    ['an error event', replaced(['send'], [{ type: 'error', errorText: 'x' }])],
    ['a TypeError', throwing(new TypeError('Failed to fetch'))],
    ['a SyntaxError', throwing(new SyntaxError('Unexpected token <'))],
    ['a text that is thrown', throwing('Oops, an error occurred')],
    ['nothing that is thrown', throwing(undefined)],
  ])('%s is one failure: told once, typed, with a way on', async (_, layer) => {
    const game = await play({ requestKeys: false, resync: false }, layer);
    await turn(game, TEXT);
    const { chat } = game.mounted;
    expect(game.heard.order).toEqual(['onError', 'onFinish', 'onFailure']);
    expect(chat.error).toBeInstanceOf(HelixError);
    expect(game.heard.errors).toEqual([chat.error]);
    expect(chat.failure?.actions.length).toBeGreaterThan(0);
    expect([...game.mounted.screen(), ...game.mounted.pending()].join()).toContain(TEXT);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('what no repeat can change', () => {
  test.each<[string, number, string]>([
    ['a used-up allowance', 402, ''],
    ['a used-up allowance by its word', 429, '{"code":"insufficient_quota"}'],
    ['a missing sign-in', 401, ''],
    ['a missing right', 403, ''],
    ['a missing route', 404, ''],
  ])('%s fails at once, by one request', async (_, status, body) => {
    let posts = 0;
    const refusing = instead('send', () => {
      posts += 1;
      return new Response(body, { status });
    });
    const game = await play({}, refusing);
    const begun = game.world.monotonic();
    await game.send(TEXT);
    expect(game.mounted.chat.recovery.name).toBe('failed');
    expect(game.world.monotonic()).toBe(begun);
    await game.world.advance(60_000);
    expect(posts).toBe(1);
    expect(game.mounted.pending()).toEqual([`failed: ${TEXT}`]);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('an app whose callbacks throw', () => {
  const thrower = () => {
    throw new Error('app');
  };

  test.each<[string, Layer | undefined, string]>([
    ['after a reply', undefined, 'ready'],
    ['after a failure', instead('send', () => new Response('no', { status: 400 })), 'error'],
    ['during a reply', undefined, 'ready'],
  ])('%s is told, and the chat is what it would be without', async (when, layer, status) => {
    const told: string[] = [];
    console.error = (text: unknown) => told.push(String(text));
    const during = when === 'during a reply';
    const game = await play(
      during
        ? { onData: thrower, onEvent: thrower }
        : { onError: thrower, onFinish: thrower, onFailure: thrower },
      layer,
    );
    let settled = false;
    void game.mounted.chat.sendMessage({ text: TEXT }).then(() => {
      settled = true;
    });
    await game.rest();
    expect(settled).toBe(true);
    expect(game.mounted.chat.status).toBe(status);
    expect(told.length).toBeGreaterThan(0);
    expect(told.every((text) => text.startsWith('[helix-chat]'))).toBe(true);
    await turn(game, 'next');
    expect(game.mounted.chat.status).toBe(status);
    expect(await leftovers(game)).toEqual([]);
  });
});
