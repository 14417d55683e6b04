import { describe, expect, test } from 'vitest';
import { asked, refuse, streaming } from '../setup/faultRules.ts';
import { CHAT, leftovers, type Play, play, TAB } from '../setup/playScenario.ts';

/** A reply is being written, and three messages wait for its end. */
async function waiting(change: Parameters<typeof play>[0] = {}): Promise<Play> {
  const game = await play(change);
  await game.send('one');
  await streaming(game);
  for (const text of ['two', 'three', 'four']) void game.mounted.chat.sendMessage({ text });
  await game.world.settle();
  expect(game.mounted.pending()).toEqual(['held: two', 'held: three', 'held: four']);
  return game;
}

const idOf = (game: Play, text: string): string => {
  const found = game.mounted.chat.pendingSends.find(({ message }) =>
    JSON.stringify(message.parts).includes(text),
  );
  return found?.id ?? '';
};

const inTheEnd = async (game: Play, questions: readonly string[]): Promise<void> => {
  await game.world.advance(120_000);
  expect(await asked(game)).toEqual(questions.map((text) => `user: ${text}`));
  expect(game.mounted.screen()).toEqual(await game.truth());
};

describe('of three messages that wait for a reply', () => {
  test.each(['two', 'three', 'four'])(
    '"%s" may be taken back; the others go in order',
    async (text) => {
      const game = await waiting();
      const back = await game.mounted.chat.cancelPendingSend(idOf(game, text));
      expect(JSON.stringify(back?.parts)).toContain(text);
      await inTheEnd(
        game,
        ['one', 'two', 'three', 'four'].filter((other) => other !== text),
      );
      expect(game.posts()).toBe(3);
      expect(await leftovers(game)).toEqual([]);
    },
  );

  test('one that is refused keeps those behind it until a press', async () => {
    const game = await waiting();
    // Armed for the next send of this tab: "two" goes out first, and "three" is refused.
    await game.world.runUntil(() => game.posts() === 2);
    game.server.arm({ name: 'test', rules: [refuse(400)] }, { client: TAB, chatId: CHAT });
    await game.world.runUntil(() => game.mounted.chat.recovery.name === 'failed', 60_000);
    await game.world.advance(60_000);
    expect(game.mounted.pending()).toEqual(['failed: three', 'held: four']);
    expect(game.mounted.chat.pendingSends[1]?.cause).toBe('queue-paused');
    expect(await asked(game)).toEqual(['user: one', 'user: two']);
    await game.mounted.chat.act('send-again', { id: idOf(game, 'three') });
    await game.rest(60_000);
    await game.mounted.chat.act('send-again', { id: idOf(game, 'four') });
    await inTheEnd(game, ['one', 'two', 'three', 'four']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('none goes by itself after a stop, and each goes by a press', async () => {
    const game = await waiting();
    await game.mounted.chat.stop();
    await game.world.advance(60_000);
    expect(game.mounted.pending()).toEqual(['parked: two', 'parked: three', 'parked: four']);
    expect(await asked(game)).toEqual(['user: one']);
    for (const text of ['two', 'three', 'four']) {
      await game.mounted.chat.act('send-again', { id: idOf(game, text) });
      await game.rest(60_000);
    }
    await inTheEnd(game, ['one', 'two', 'three', 'four']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('another reply pressed in between loses none of them', async () => {
    const game = await waiting();
    void game.mounted.chat.regenerate();
    await game.world.advance(120_000);
    const pending = game.mounted.pending().map((line) => line.replace(/^\w+: /, ''));
    const sent = (await asked(game)).map((line) => line.replace('user: ', ''));
    expect([...sent, ...pending].sort()).toEqual(['four', 'one', 'three', 'two']);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });
});
