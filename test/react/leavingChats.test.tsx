import { CLIENT_HEADER } from 'helix-chat/testing';
import { describe, expect, test } from 'vitest';
import { backingOff, refuse, script, streaming } from '../setup/faultRules.ts';
import { slow } from '../setup/networkLayers.ts';
import { arm, CHAT, leftovers, type Play, play, TAB } from '../setup/playScenario.ts';

const TEXT = 'What is a helix?';
const LONG = 30_000;

const shown = (game: Play, id: string) =>
  game.mounted.rerender({
    id,
    fetch: game.server.fetch,
    headers: { [CLIENT_HEADER]: TAB },
    requestKeys: true,
    resync: true,
  });

const postsOf = (game: Play, chatId: string): number =>
  game.server.requests.filter((request) => request.route === 'send' && request.chatId === chatId)
    .length;

/** Each way to be busy when the person opens another chat. */
const STATES: readonly [string, () => Promise<Play>][] = [
  [
    'while the message is sent',
    async () => {
      const game = await play({}, slow('send', 5_000));
      await game.send(TEXT);
      expect(game.mounted.chat.recovery.name).toBe('sending');
      return game;
    },
  ],
  [
    'while the reply is written',
    async () => {
      const game = await play();
      await game.send(TEXT);
      await streaming(game);
      await game.world.advance(100);
      return game;
    },
  ],
  [
    'while it waits for the next try',
    async () => {
      const game = await play();
      script(game, refuse(503, 3));
      await game.send(TEXT);
      await backingOff(game);
      return game;
    },
  ],
  [
    'while it waits for another reply',
    async () => {
      const game = await play();
      arm(game.server, 'busy');
      await game.send(TEXT);
      await game.world.runUntil(() => game.mounted.chat.recovery.name === 'waiting-on-run');
      return game;
    },
  ],
  [
    'while the conversation is read',
    async () => {
      const game = await play({}, slow('snapshot', 5_000));
      expect(game.mounted.chat.recovery.name).toBe('resyncing');
      return game;
    },
  ],
  [
    'when it has failed',
    async () => {
      const game = await play();
      script(game, refuse(400));
      await game.send(TEXT);
      await game.rest();
      return game;
    },
  ],
];

describe('another chat is opened', () => {
  test.each(STATES)('%s: nothing of the first one reaches it', async (_state, begin) => {
    const game = await begin();
    const heard = [...game.heard.order];
    await shown(game, 'c2');
    const frame = game.mounted.frames.length;
    const posts = postsOf(game, CHAT);
    await game.world.advance(LONG);
    expect(postsOf(game, CHAT)).toBe(posts);
    expect(postsOf(game, 'c2')).toBe(0);
    for (const drawn of game.mounted.frames.slice(frame - 1)) {
      expect(drawn).toMatchObject({ texts: [], pending: [], failure: undefined });
    }
    expect(game.mounted.chat.recovery.name).toBe('idle');
    expect(game.heard.order).toEqual(heard);
    expect(await leftovers(game)).toEqual([]);
  });

  test.each(STATES.filter(([state]) => state !== 'while the conversation is read'))(
    '%s: back in the first one, the text is in one place, and was posted once',
    async (_state, begin) => {
      const game = await begin();
      await shown(game, 'c2');
      await game.world.advance(LONG);
      await shown(game, CHAT);
      await game.world.advance(LONG);
      const { chat } = game.mounted;
      const places = [...game.mounted.screen(), ...game.mounted.pending()];
      expect(places.filter((line) => line.endsWith(TEXT))).toHaveLength(1);
      expect(game.mounted.screen()).toEqual(await game.truth());
      expect(['idle', 'failed']).toContain(chat.recovery.name);
      expect(postsOf(game, CHAT)).toBeLessThanOrEqual(1);
      expect(await leftovers(game)).toEqual([]);
    },
  );

  test('a message that is sent in it is its own', async () => {
    const game = await play();
    script(game, refuse(400));
    await game.send(TEXT);
    await game.rest();
    await shown(game, 'c2');
    void game.mounted.chat.sendMessage({ text: 'another' });
    await game.world.settle();
    await game.rest();
    expect(game.mounted.screen()[0]).toBe('user: another');
    expect(await game.truth()).toEqual([]);
    await shown(game, CHAT);
    await game.world.advance(1000);
    expect(game.mounted.pending()).toEqual([`failed: ${TEXT}`]);
    expect(await leftovers(game)).toEqual([]);
  });
});
