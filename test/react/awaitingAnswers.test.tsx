import { describe, expect, test } from 'vitest';
import { asked as questionsOf, refuse, script } from '../setup/faultRules.ts';
import { leftovers } from '../setup/playScenario.ts';
import {
  answer,
  asked,
  playTools,
  seen,
  stored,
  submits,
  type ToolPlay,
} from '../setup/toolPlay.ts';

const waits = (game: ToolPlay): string[] =>
  game.mounted.chat.pendingSends.map(({ state, cause }) => `${state} ${cause}`);

/** Two messages were sent while a reply was written that then came to a call. */
async function held(question = 'ask t1 and talk'): Promise<ToolPlay> {
  const game = await playTools();
  await game.send(question);
  await game.world.runUntil(() => seen(game).length > 0);
  await game.send('first');
  await game.send('second');
  await game.rest();
  return game;
}

describe('messages behind a call that waits for its answer', () => {
  test('wait for the answer, then go by themselves, in order, each once', async () => {
    const game = await held();
    expect(waits(game)).toEqual(['held awaiting-answer', 'held awaiting-answer']);
    expect(game.mounted.chat.status).toBe('ready');
    const polls = game.server.requests.length;
    await game.world.advance(60_000);
    expect(game.server.requests).toHaveLength(polls);
    await answer(game, 't1');
    await game.rest();
    expect(await questionsOf(game)).toEqual([
      'user: ask t1 and talk',
      'user: first',
      'user: second',
    ]);
    expect(await stored(game)).toEqual(['t1 output-available yes']);
    expect(game.posts()).toBe(4);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(waits(game)).toEqual([]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('wait on while a second call follows the first', async () => {
    const game = await held('ask t1 then t2 and talk');
    await answer(game, 't1');
    await game.rest();
    expect(waits(game)).toEqual(['held awaiting-answer', 'held awaiting-answer']);
    await answer(game, 't2');
    await game.rest();
    expect((await questionsOf(game)).slice(1)).toEqual(['user: first', 'user: second']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('go at a press: the call is closed then, and the screen shows it', async () => {
    const game = await held();
    const [first] = game.mounted.chat.pendingSends;
    void game.mounted.chat.act('send-again', { id: first?.id ?? '' });
    await game.rest();
    expect((await questionsOf(game)).slice(1)).toEqual(['user: first', 'user: second']);
    await game.world.advance(1000);
    expect(seen(game)).toEqual(['t1 output-error']);
    expect(seen(game)).toEqual(await stored(game));
    expect(submits(game)).toHaveLength(0);
    expect(await leftovers(game)).toEqual([]);
  });

  test('join them when they are sent while the answer is on its way', async () => {
    const game = await held();
    await answer(game, 't1');
    expect(game.mounted.chat.recovery.name).not.toBe('idle');
    await game.send('third');
    await game.rest();
    expect((await questionsOf(game)).slice(1)).toEqual([
      'user: first',
      'user: second',
      'user: third',
    ]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('are overtaken by one that is sent meanwhile, and follow it', async () => {
    const game = await held();
    await game.send('now');
    await game.rest();
    expect((await questionsOf(game)).slice(1)).toEqual([
      'user: now',
      'user: first',
      'user: second',
    ]);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('wait for a press when the answer fails, and follow it once it is taken', async () => {
    const game = await held();
    script(game, refuse(500));
    await answer(game, 't1');
    await game.rest();
    expect(game.mounted.chat.failure?.phase).toBe('submit');
    expect(waits(game)).toEqual(['held awaiting-answer', 'held awaiting-answer']);
    void game.mounted.chat.retry();
    await game.rest();
    expect((await questionsOf(game)).slice(1)).toEqual(['user: first', 'user: second']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('are handed back when they are taken back', async () => {
    const game = await held();
    const back = await game.mounted.chat.cancelPendingSend();
    expect(back?.parts).toMatchObject([{ text: 'second' }]);
    await answer(game, 't1');
    await game.rest();
    expect((await questionsOf(game)).slice(1)).toEqual(['user: first']);
    expect(await leftovers(game)).toEqual([]);
  });
});

test('a message that waits for the reply of another client waits for the answer to its call too', async () => {
  const game = await playTools();
  await game.server.foreignSend('c1', 'ask t1 and talk', {});
  await game.send('mine');
  await game.world.runUntil(() => game.mounted.chat.recovery.name === 'waiting-on-run');
  await game.rest();
  expect(waits(game)).toEqual(['held awaiting-answer']);
  expect(game.ran).toEqual(['t1']);
  await answer(game, 't1');
  await game.rest();
  expect(await questionsOf(game)).toEqual(['user: ask t1 and talk', 'user: mine']);
  expect(submits(game)).toHaveLength(1);
  expect(game.mounted.screen()).toEqual(await game.truth());
  expect(await leftovers(game)).toEqual([]);
});

test('a message that is sent at a call leaves the screen as the server has it', async () => {
  const game = await playTools();
  await asked(game, 'ask t1');
  await game.send('never mind');
  await game.rest();
  await game.world.advance(1000);
  expect(seen(game)).toEqual(['t1 output-error']);
  expect(seen(game)).toEqual(await stored(game));
  expect(await leftovers(game)).toEqual([]);
});
