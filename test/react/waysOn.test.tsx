import type { UIMessage } from 'ai';
import type { FaultRule } from 'helix-chat/testing';
import { describe, expect, test } from 'vitest';
import { asked, refuse, refuseTyped, script, turn } from '../setup/faultRules.ts';
import { textOf } from '../setup/mountChat.tsx';
import { instead } from '../setup/networkLayers.ts';
import { leftovers, type Play, play } from '../setup/playScenario.ts';

const TEXT = 'What is a helix?';
const CHANGED = 'What is a spiral?';

/** A send is lost on a backend without keys, and the conversation cannot be read: nobody knows whether it arrived. */
async function sendInTheDark(): Promise<{ game: Play; light(): void }> {
  let dark = true;
  const game = await play({ requestKeys: false, onDraft: () => {} }, (through, world) =>
    instead('snapshot', () => {
      if (dark) throw new TypeError('Failed to fetch');
      return undefined;
    })(through, world),
  );
  await game.rest();
  game.mounted.chat.dismiss();
  script(game, { on: 'send', times: 1, fault: { do: 'drop', taken: false } });
  await turn(game, TEXT);
  return {
    game,
    light() {
      dark = false;
    },
  };
}

describe('a message of which nobody knows whether it arrived', () => {
  test('asks to look first; when it is not there it can be sent', async () => {
    const { game, light } = await sendInTheDark();
    expect(game.mounted.chat.failure).toMatchObject({
      actions: ['check', 'take-back'],
      primary: 'check',
    });
    light();
    await game.mounted.chat.act('check');
    await game.rest();
    expect(game.mounted.pending()).toEqual([`failed: ${TEXT}`]);
    expect(game.mounted.chat.failure).toMatchObject({
      actions: ['send-again', 'take-back'],
      primary: 'send-again',
    });
    expect(game.mounted.chat.pendingSends[0]?.failure).toBe(game.mounted.chat.failure);
    void game.mounted.chat.retry();
    await game.world.settle();
    await game.rest();
    expect(await asked(game)).toEqual([`user: ${TEXT}`]);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('asks again to look while the conversation cannot be read', async () => {
    const { game } = await sendInTheDark();
    void game.mounted.chat.act('check');
    await game.world.advance(120_000);
    await game.rest();
    expect(game.mounted.chat.pendingSends[0]?.failure?.actions).toContain('check');
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('an edit that was refused, after another failure has come and gone', () => {
  /** A changed text waits with its failure, and nothing else is wrong any more. */
  async function refusedEdit(rule: FaultRule, onDraft?: (message: UIMessage) => void) {
    const game = await play({ onDraft: onDraft ?? (() => {}) });
    await turn(game, TEXT);
    const id = game.mounted.chat.messages[0]?.id ?? '';
    script(game, rule);
    void game.mounted.chat.sendMessage({ text: CHANGED, messageId: id });
    await game.world.settle();
    await game.rest();
    game.mounted.chat.dismiss();
    await game.rest();
    expect(game.mounted.chat.failure).toBeUndefined();
    expect(game.mounted.pending()).toEqual([`failed: ${CHANGED}`]);
    const [pending] = game.mounted.chat.pendingSends;
    return { game, id: pending?.id ?? '', offered: pending?.failure?.actions };
  }

  test('`new-reply` on it is the reply to the changed text, and to nothing else', async () => {
    const { game, id, offered } = await refusedEdit(refuse(500));
    expect(offered).toContain('new-reply');
    const posts = game.posts();
    void game.mounted.chat.act('new-reply', { id });
    await game.world.settle();
    await game.rest();
    expect(game.posts()).toBe(posts + 1);
    expect(game.mounted.pending()).toEqual([]);
    expect(await asked(game)).toEqual([`user: ${CHANGED}`]);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('`edit` on it puts its text into the composer', async () => {
    const drafts: string[] = [];
    const { game, id, offered } = await refusedEdit(
      refuseTyped({ code: 'validation_error' }),
      (message) => drafts.push(textOf(message)),
    );
    expect(offered).toContain('edit');
    void game.mounted.chat.act('edit', { id });
    await game.world.settle();
    expect(drafts).toEqual([CHANGED]);
    expect(game.mounted.pending()).toEqual([]);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('a run that the conversation says has failed', () => {
  const failedRun = (): Promise<Play> =>
    play({}, (through) => async (input, init) => {
      const answer = await through(input, init);
      if (!String(input).endsWith('/snapshot') || !answer.ok) return answer;
      const { messages } = (await answer.json()) as { messages: { role: string }[] };
      const error = { code: 'transport_stream_drop', cause: 'run_not_live', error: 'Gone.' };
      const committed = messages.filter(({ role }) => role === 'user');
      return Response.json({ messages: committed, status: 'failed', error });
    });

  test('offers another reply first: reading it once more would say the same', async () => {
    const game = await failedRun();
    await turn(game, TEXT);
    void game.mounted.chat.resync();
    await game.rest();
    expect(game.mounted.screen()).toEqual([`user: ${TEXT}`]);
    expect(game.mounted.chat.failure).toMatchObject({
      actions: ['new-reply'],
      primary: 'new-reply',
    });
    const posts = game.posts();
    void game.mounted.chat.retry();
    await game.world.settle();
    await game.rest();
    expect(game.posts()).toBe(posts + 1);
    expect(game.mounted.chat.recovery.name).toBe('idle');
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });
});
