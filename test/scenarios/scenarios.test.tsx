import { SCENARIOS, type ScenarioPromise } from 'helix-chat/testing';
import { describe, expect, test } from 'vitest';
import { arm, leftovers, type Play, play } from '../setup/playScenario.ts';

const TEXT = 'What is a helix?';

const count = (lines: readonly string[]): number =>
  lines.filter((line) => line === `user: ${TEXT}`).length;

async function expectPromise(game: Play, promise: ScenarioPromise): Promise<void> {
  const { mounted, heard } = game;
  const { chat } = mounted;
  // What a client cannot read any more, the server still ends by itself.
  if (promise.incomplete) await game.world.advance(10_000);
  const truth = await game.truth();
  expect(count(truth)).toBe(promise.sent === 'once' ? 1 : 0);
  expect(chat.recovery.name).toBe(promise.ends);
  if (promise.ends === 'failed') {
    expect(chat.failure?.error.code ?? null).toBe(promise.code ?? null);
    if (promise.reason !== undefined) expect(chat.failure?.error.reason).toBe(promise.reason);
    expect(chat.failure?.actions.length).toBeGreaterThan(0);
    expect(heard.order).toEqual(['onError', 'onFinish', 'onFailure']);
    expect(chat.error).toBe(chat.failure?.error);
    expect(heard.errors).toEqual([chat.error]);
    expect(chat.status).toBe('error');
  } else {
    expect(heard.order).toEqual(['onFinish']);
    expect(chat.status).toBe('ready');
  }
  if (promise.text === 'draft') expect(mounted.pending()).toEqual([`failed: ${TEXT}`]);
  else expect(mounted.screen()).toContain(`user: ${TEXT}`);
  expect(chat.failure?.incomplete).toBe(promise.incomplete);
  if (promise.incomplete) {
    expect(mounted.screen()[0]).toBe(`user: ${TEXT}`);
    expect(truth[1]?.startsWith(mounted.screen()[1] ?? '-')).toBe(true);
  } else {
    expect(mounted.screen()).toEqual(truth);
  }
}

/** From the send to the end no commit says `ready` or `error`, and none is blank where text was. */
function expectNoFlash(game: Play): void {
  const { frames } = game.mounted;
  const start = frames.findIndex((frame) => frame.status !== 'ready');
  const end = frames.findLastIndex((frame) => ['idle', 'failed'].includes(frame.state));
  const last = frames.findIndex(
    (frame, index) => index > start && ['idle', 'failed'].includes(frame.state),
  );
  expect(last).toBeGreaterThan(start);
  expect(end).toBeGreaterThanOrEqual(last);
  for (const frame of frames.slice(start, last)) {
    expect(['submitted', 'streaming']).toContain(frame.status);
    expect(frame.texts).toContain(`user: ${TEXT}`);
  }
  const inTurn = frames.slice(start, last);
  const replying = (frame: (typeof frames)[number]): boolean =>
    frame.texts.some(
      (line) => line.startsWith('assistant: ') && line.length > 'assistant: '.length,
    );
  const first = inTurn.findIndex(replying);
  if (first !== -1) expect(inTurn.slice(first).filter((frame) => !replying(frame))).toEqual([]);
}

describe('each scenario with request keys and promised routes', () => {
  test.each(SCENARIOS)('$name: $title', async (scenario) => {
    const game = await play(scenario.policy === undefined ? {} : { recovery: scenario.policy });
    arm(game.server, scenario.name);
    await game.send(TEXT);
    await game.rest();
    await expectPromise(game, scenario.promise);
    expectNoFlash(game);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('on a first send, before keys are proven, without routes', () => {
  const table = SCENARIOS.flatMap((scenario) =>
    scenario.unproven === undefined ? [] : [{ ...scenario, promise: scenario.unproven }],
  );
  test.each(table)('$name: failed, draft kept, nothing doubled', async (scenario) => {
    const game = await play({ requestKeys: 'auto', resync: false });
    arm(game.server, scenario.name);
    await game.send(TEXT);
    await game.rest();
    await game.world.advance(10_000);
    expect(game.posts()).toBe(1);
    expect(count(await game.truth())).toBe(scenario.promise.sent === 'once' ? 1 : 0);
    expect(game.mounted.chat.failure?.error.code).toBe(scenario.promise.code);
    expect(game.mounted.pending()).toEqual([`failed: ${TEXT}`]);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('without any fault', () => {
  test('a turn is one request, one onFinish, and the screen is the transcript', async () => {
    const game = await play();
    await game.send(TEXT);
    await game.rest();
    expect(game.posts()).toBe(1);
    expect(game.heard.order).toEqual(['onFinish']);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });
});
