import { expect, test } from 'vitest';
import { asked, refuse, script, streaming } from '../setup/faultRules.ts';
import { leftovers, type Play, play } from '../setup/playScenario.ts';

const onlyPending = (game: Play): string => game.mounted.chat.pendingSends[0]?.id ?? '';

async function settled(game: Play, questions: readonly string[]): Promise<void> {
  await game.world.advance(120_000);
  expect(await asked(game)).toEqual(questions.map((text) => `user: ${text}`));
  expect(game.mounted.screen()).toEqual(await game.truth());
  expect(game.mounted.pending()).toEqual([]);
  expect(await leftovers(game)).toEqual([]);
}

test('a message that waits for a reply and is changed goes with its new words alone', async () => {
  const game = await play();
  await game.send('one');
  await streaming(game);
  void game.mounted.chat.sendMessage({ text: 'too' });
  await game.world.settle();
  void game.mounted.chat.sendMessage({ text: 'two', messageId: onlyPending(game) });
  await game.world.settle();
  expect(game.mounted.pending()).toEqual(['held: two']);
  await settled(game, ['one', 'two']);
});

test('a refused message that is changed goes with its new words alone', async () => {
  const game = await play();
  script(game, refuse(400));
  await game.send('too');
  await game.rest();
  expect(game.mounted.pending()).toEqual(['failed: too']);
  void game.mounted.chat.sendMessage({ text: 'two', messageId: onlyPending(game) });
  await settled(game, ['two']);
});

test('a refused message of which a new reply is asked goes again, as it is', async () => {
  const game = await play();
  script(game, refuse(400));
  await game.send('one');
  await game.rest();
  void game.mounted.chat.regenerate({ messageId: onlyPending(game) });
  await settled(game, ['one']);
});
