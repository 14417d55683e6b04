import type { UIMessage } from 'ai';
import { describe, expect, test } from 'vitest';
import { arm, CHAT, leftovers, type Play, play, TAB } from '../setup/playScenario.ts';

/** A chat whose reads of the conversation can be made to lag, as a replica does: they repeat an older answer. */
async function playLagging(): Promise<{ game: Play; lag(reads: number): void }> {
  let last: string | undefined;
  let left = 0;
  const game = await play({}, (through) => async (input, init) => {
    if (!String(input).endsWith('/snapshot')) return through(input, init);
    if (left > 0 && last !== undefined) {
      left -= 1;
      return new Response(last, { headers: { 'content-type': 'application/json' } });
    }
    const answer = await through(input, init);
    if (answer.ok) last = await answer.clone().text();
    return answer;
  });
  await game.send('first');
  await game.rest();
  await game.mounted.chat.resync();
  await game.rest();
  return {
    game,
    lag(reads) {
      left = reads;
    },
  };
}

describe('a snapshot from before a message that was taken', () => {
  test.each(['unclassified', 'auth', 'snapshot-unstable', 'cut', 'superseded'] as const)(
    'takes nothing off the screen: %s',
    async (scenario) => {
      const { game, lag } = await playLagging();
      arm(game.server, scenario);
      lag(3);
      await game.send('second');
      await game.rest(60_000);
      for (const frame of game.mounted.frames.slice(-20)) {
        if (frame.texts.length > 2) expect(frame.texts).toContain('user: second');
      }
      expect(game.mounted.screen()).toContain('user: second');
      await game.world.advance(20_000);
      await game.mounted.chat.resync();
      await game.rest();
      expect(game.mounted.screen()).toEqual(await game.truth());
      expect(await leftovers(game)).toEqual([]);
    },
  );

  test('nor after a stop', async () => {
    const { game, lag } = await playLagging();
    lag(1);
    await game.send('second');
    await game.world.runUntil(() => game.mounted.chat.status === 'streaming');
    await game.mounted.chat.stop();
    await game.world.advance(10_000);
    expect(game.mounted.screen()).toContain('user: second');
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('a conversation that is gone', () => {
  test('gives a held message back to the person, with the reason', async () => {
    let gone = false;
    const game = await play(
      {},
      (through) => async (input, init) =>
        gone && String(input).endsWith('/snapshot')
          ? Response.json({ error: 'x', code: 'state_session_not_found' }, { status: 404 })
          : through(input, init),
    );
    await game.send('first');
    await game.rest();
    arm(game.server, 'busy');
    await game.send('second');
    await game.world.runUntil(() => game.mounted.chat.status === 'streaming');
    gone = true;
    await game.rest(30_000);
    expect(game.mounted.chat.failure?.error.code).toBe('state_session_not_found');
    expect(game.mounted.pending()).toEqual(['failed: second']);
    expect(game.mounted.screen()).toContain('user: first');
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('messages that failed', () => {
  test('stand in the order in which they were sent', async () => {
    const game = await play();
    for (const text of ['A', 'B', 'C']) {
      arm(game.server, 'signed-out');
      await game.send(text);
      await game.rest();
    }
    expect(game.mounted.pending()).toEqual(['failed: A', 'failed: B', 'failed: C']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('a refused edit goes back to the composer as an edit, and again as one', async () => {
    const drafts: unknown[] = [];
    const game = await play({
      onDraft: (message: UIMessage, why, messageId) =>
        void drafts.push([why, messageId, message.parts.length]),
    });
    await game.send('first');
    await game.rest();
    const [first] = game.mounted.chat.messages;
    const edit = async () => {
      arm(game.server, 'signed-out');
      void game.mounted.chat.sendMessage({ text: 'changed', messageId: first?.id ?? '' });
      await game.rest();
    };
    await edit();
    await game.mounted.chat.act('take-back');
    expect(drafts).toEqual([['edit', first?.id, 1]]);
    expect(game.mounted.pending()).toEqual([]);
    await edit();
    void game.mounted.chat.act('new-reply');
    await game.rest();
    expect((await game.truth())[0]).toBe('user: changed');
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('an edit that was answered long ago is read, not put back', async () => {
    const game = await play();
    await game.send('first');
    await game.rest();
    game.server.arm('already-completed', { client: TAB, chatId: CHAT });
    const [first] = game.mounted.chat.messages;
    void game.mounted.chat.sendMessage({ text: 'changed', messageId: first?.id ?? '' });
    await game.rest();
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.mounted.chat.recovery.name).toBe('idle');
    expect(await leftovers(game)).toEqual([]);
  });
});
