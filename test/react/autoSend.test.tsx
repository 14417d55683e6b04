import {
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
} from 'ai';
import { describe, expect, test } from 'vitest';
import { refuse, refuseTyped, script, turn } from '../setup/faultRules.ts';
import { replaced } from '../setup/networkLayers.ts';
import { CHAT, leftovers, play } from '../setup/playScenario.ts';
import { answer, asked, otherTab, playTools, seen, stored, submits } from '../setup/toolPlay.ts';

const always = { sendAutomaticallyWhen: () => true };

describe('an app that always wants to send', () => {
  test('sends a message that fails once', async () => {
    const game = await play(always);
    script(game, refuse(500, 99));
    await game.send('Hello');
    await game.world.advance(60_000);
    expect(game.posts()).toBe(1);
    expect(await leftovers(game)).toEqual([]);
  });

  test('sends answers that fail once', async () => {
    const game = await playTools(always);
    await asked(game, 'ask t1');
    const before = game.posts();
    script(game, refuse(500, 99));
    await answer(game, 't1');
    await game.world.advance(60_000);
    expect(game.posts() - before).toBe(1);
    expect(game.mounted.chat.failure?.phase).toBe('submit');
    game.mounted.chat.dismiss();
    await game.world.advance(60_000);
    expect(game.posts() - before).toBe(1);
    expect(await leftovers(game)).toEqual([]);
  });

  test('sends the same answers once where the reply takes none of them', async () => {
    const frames = [{ type: 'start' }, { type: 'finish' }];
    const game = await playTools(
      { ...always, resync: false },
      (through, world) => (input, init) =>
        String(init?.body).includes('output-available')
          ? replaced(['send'], frames)(through, world)(input, init)
          : through(input, init),
    );
    await asked(game, 'ask t1');
    await answer(game, 't1');
    await game.world.advance(60_000);
    // One for the message that calls, before it was answered, and one for the answer.
    expect(submits(game).filter(({ answers }) => answers[0]?.includes('yes'))).toHaveLength(1);
    expect(await leftovers(game)).toEqual([]);
  });

  test('sends each answer as it comes: what is stored is asked for no more', async () => {
    const game = await playTools(always);
    await asked(game, 'ask t1 t2');
    game.mounted.chat.dismiss();
    await answer(game, 't1');
    await game.rest();
    expect(await stored(game)).toEqual(['t1 output-available yes', 't2 input-available']);
    expect(game.mounted.chat.failure).toBeUndefined();
    await answer(game, 't2', 'no');
    await game.rest();
    expect(game.mounted.screen()).toContain('assistant: You said: t1 yes, t2 no.');
    expect(await leftovers(game)).toEqual([]);
  });

  test('does not lose an answer that comes while another is on its way', async () => {
    const game = await playTools(always);
    await asked(game, 'ask t1 t2');
    game.mounted.chat.dismiss();
    await Promise.all([
      game.mounted.chat.addToolOutput({
        ...{ tool: 'ask-person', toolCallId: 't1', output: 'yes' },
      } as never),
      game.world.settle().then(() => answer(game, 't2', 'no')),
    ]);
    await game.rest();
    expect(seen(game)).toEqual(['t1 output-available yes', 't2 output-available no']);
    expect(await stored(game)).toEqual(seen(game));
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('answers go by themselves', () => {
  test('when the app says so only later', async () => {
    let say: (wanted: boolean) => void = () => {};
    const game = await playTools({
      sendAutomaticallyWhen: ({ messages }) =>
        lastAssistantMessageIsCompleteWithToolCalls({ messages })
          ? new Promise<boolean>((resolve) => {
              say = resolve;
            })
          : false,
    });
    await asked(game, 'ask t1');
    await answer(game, 't1');
    expect(game.mounted.chat.status).toBe('ready');
    expect(submits(game)).toHaveLength(0);
    say(true);
    await game.world.settle();
    await game.rest();
    expect(submits(game)).toHaveLength(1);
    expect(await leftovers(game)).toEqual([]);
  });

  test('and an app that never says holds nothing up', async () => {
    const game = await playTools({ sendAutomaticallyWhen: () => new Promise<boolean>(() => {}) });
    await asked(game, 'ask t1');
    await game.send('Hello');
    await game.rest();
    expect(game.mounted.screen()).toEqual(await game.truth());
    await game.world.advance(60_000);
    expect(submits(game)).toHaveLength(0);
    expect(await leftovers(game)).toEqual([]);
  });

  test('but not where the app throws, which is reported', async () => {
    const reported: unknown[] = [];
    globalThis.reportError = (error: unknown) => void reported.push(error);
    const game = await playTools({
      sendAutomaticallyWhen: () => {
        throw new Error('app');
      },
    });
    await asked(game, 'ask t1');
    await answer(game, 't1');
    await game.world.advance(10_000);
    expect(submits(game)).toHaveLength(0);
    expect(reported).toHaveLength(2);
    expect(game.mounted.chat.recovery.name).toBe('idle');
    Reflect.deleteProperty(globalThis, 'reportError');
    expect(await leftovers(game)).toEqual([]);
  });

  test('not after a reply to another client, unless they were given here', async () => {
    let asks = 0;
    const game = await playTools({
      sendAutomaticallyWhen: () => {
        asks += 1;
        return true;
      },
    });
    await game.server.foreignSend(CHAT, 'ask t1', {});
    void game.mounted.chat.resync();
    await game.rest();
    expect(seen(game)).toEqual(['t1 input-available']);
    expect([asks, submits(game).length]).toEqual([0, 0]);
    await answer(game, 't1');
    await game.rest();
    expect(submits(game)).toHaveLength(1);
    expect(game.mounted.screen().at(-1)).toBe('assistant: You said: t1 yes.');
    expect(await leftovers(game)).toEqual([]);
  });

  test('not while a failure stands; when it is dismissed they go', async () => {
    const game = await playTools();
    await asked(game, 'ask t1');
    script(game, refuse(500));
    void game.mounted.chat.regenerate();
    await game.rest();
    expect(game.mounted.chat.failure?.phase).toBe('regenerate');
    await answer(game, 't1');
    await game.world.advance(10_000);
    expect(submits(game)).toHaveLength(0);
    game.mounted.chat.dismiss();
    await game.rest();
    expect(submits(game)).toHaveLength(1);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('when they are words on approvals, each given once', async () => {
    const game = await playTools({
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    });
    await asked(game, 'approve t1 t2');
    const { chat } = game.mounted;
    await chat.addToolApprovalResponse({ id: 'leave-t1', approved: true });
    await chat.addToolApprovalResponse({ id: 'leave-t1', approved: false });
    await chat.addToolApprovalResponse({ id: 'leave-t2', approved: false, reason: 'no' });
    await chat.addToolApprovalResponse({ id: 'leave-t2', approved: true });
    await game.rest();
    expect(submits(game)).toHaveLength(1);
    expect(submits(game)[0]?.answers).toEqual([
      't1 approval-responded true',
      't2 approval-responded false',
    ]);
    expect(game.mounted.screen().at(-1)).toBe('assistant: You said: t1 may, t2 may not.');
    expect(await leftovers(game)).toEqual([]);
  });

  test('when words on approvals get no answer: once more, if they are waited for', async () => {
    const game = await playTools({
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    });
    await asked(game, 'approve t1');
    script(game, { on: 'send', fault: { do: 'drop', taken: false } });
    await game.mounted.chat.addToolApprovalResponse({ id: 'leave-t1', approved: true });
    await game.rest();
    expect(submits(game)).toHaveLength(2);
    expect(game.mounted.screen().at(-1)).toBe('assistant: You said: t1 may.');
    expect(await leftovers(game)).toEqual([]);
  });

  test('when words on approvals were taken and the response was lost: not again', async () => {
    const game = await playTools({
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    });
    await asked(game, 'approve t1');
    script(game, { on: 'send', fault: { do: 'drop', taken: true } });
    await game.mounted.chat.addToolApprovalResponse({ id: 'leave-t1', approved: false });
    await game.rest();
    expect(submits(game)).toHaveLength(1);
    expect(game.mounted.screen().at(-1)).toBe('assistant: You said: t1 may not.');
    expect(game.mounted.chat.recovery.name).toBe('idle');
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('an app that sends by itself, without a message', () => {
  const byHand = { sendAutomaticallyWhen: () => false };

  test('sends the answers, and a second press joins the first', async () => {
    const game = await playTools(byHand);
    await asked(game, 'ask t1');
    await answer(game, 't1');
    expect(submits(game)).toHaveLength(0);
    const { chat } = game.mounted;
    let ended = 0;
    for (const press of [chat.sendMessage(), chat.sendMessage()]) {
      void press.then(() => {
        ended += 1;
      });
    }
    await game.rest();
    expect(submits(game)).toHaveLength(1);
    expect(ended).toBe(2);
    expect(await leftovers(game)).toEqual([]);
  });

  test('while a reply is written: they go when it has ended', async () => {
    const game = await playTools(byHand);
    await game.send('ask t1 and talk');
    await game.world.runUntil(() => seen(game).length === 1);
    await answer(game, 't1');
    let ended = false;
    void game.mounted.chat.sendMessage().then(() => {
      ended = true;
    });
    await game.rest();
    expect(submits(game)).toHaveLength(1);
    expect(ended).toBe(true);
    expect(game.mounted.screen().at(-1)).toMatch(/You said: t1 yes\.$/);
    expect(await leftovers(game)).toEqual([]);
  });

  test('while a reply is written that is then stopped: nothing goes, and the press has ended', async () => {
    const game = await playTools(byHand);
    await game.send('ask t1 and talk');
    await game.world.runUntil(() => seen(game).length === 1);
    await answer(game, 't1');
    let ended = false;
    void game.mounted.chat.sendMessage().then(() => {
      ended = true;
    });
    await game.mounted.chat.stop();
    await game.world.advance(10_000);
    expect(submits(game)).toHaveLength(0);
    expect(ended).toBe(true);
    expect(await leftovers(game)).toEqual([]);
  });

  test('an answer is submitted at a press after its failure was dismissed', async () => {
    const game = await playTools();
    await asked(game, 'ask t1');
    script(game, refuseTyped({ code: 'framework_internal_error' }));
    await answer(game, 't1');
    await game.rest();
    game.mounted.chat.dismiss();
    void game.mounted.chat.sendMessage();
    await game.rest();
    expect(submits(game)).toHaveLength(2);
    expect(game.mounted.screen().at(-1)).toBe('assistant: You said: t1 yes.');
    expect(await leftovers(game)).toEqual([]);
  });
});

test('a chat without tools is never asked to send twice what it sent', async () => {
  const game = await playTools({ sendAutomaticallyWhen: () => true });
  await turn(game, 'Hello');
  const posts = game.posts();
  const other = await otherTab(game);
  await game.world.advance(60_000);
  expect(game.posts()).toBe(posts);
  expect(posts).toBeLessThanOrEqual(2);
  await other.mounted.unmount();
  expect(await leftovers(game)).toEqual([]);
});
