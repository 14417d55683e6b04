import type { UIMessage } from 'ai';
import { describe, expect, test } from 'vitest';
import { asked, streaming, turn } from '../setup/faultRules.ts';
import { textOf } from '../setup/mountChat.tsx';
import { type Layer, slow } from '../setup/networkLayers.ts';
import { leftovers, type Play, play } from '../setup/playScenario.ts';

const CHANGED = 'What is a spiral?';

/** The server takes so long to say that the run has ended that an edit is seen to wait. */
const lateReads: Layer = slow('snapshot', 700);

/** A chat that streams its second reply while the first question is changed. */
async function editing(change: Parameters<typeof play>[0] = {}): Promise<Play> {
  const game = await play(change, lateReads);
  await game.rest();
  await turn(game, 'one');
  await game.send('two');
  await streaming(game);
  await game.world.advance(100);
  const messageId = game.mounted.chat.messages[0]?.id ?? '';
  void game.mounted.chat.sendMessage({ text: CHANGED, messageId });
  await game.world.advance(200);
  return game;
}

const tail = (game: Play): string | undefined => {
  const last = game.mounted.chat.messages.at(-1);
  return last && `${last.role}: ${textOf(last)}`;
};

describe('an edit that waits for the end of the reply under way', () => {
  test('is on screen as pending until it goes, and takes its place then', async () => {
    const game = await editing();
    expect(game.mounted.pending()).toEqual([`held: ${CHANGED}`]);
    expect(game.mounted.chat.pendingSends[0]).toMatchObject({ cause: 'own-run' });
    expect(tail(game)).toBe(`user: ${CHANGED}`);
    expect(game.mounted.chat.status).toBe('submitted');
    await game.rest();
    expect(game.mounted.pending()).toEqual([]);
    expect(await asked(game)).toEqual([`user: ${CHANGED}`]);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.mounted.frames.filter(({ pending }) => pending.length > 1)).toEqual([]);
    expect(await leftovers(game)).toEqual([]);
  });

  test.each([true, false])(
    'goes back into the composer by `take-back`, named: %s',
    async (named) => {
      const drafts: [UIMessage, string, (string | undefined)?][] = [];
      const game = await editing({ onDraft: (...draft) => void drafts.push(draft) });
      const [first] = game.mounted.chat.messages;
      const id = game.mounted.chat.pendingSends[0]?.id ?? '';
      await game.mounted.chat.act('take-back', named ? { id } : {});
      await game.world.settle();
      expect(drafts.map(([message, why, of]) => [textOf(message), why, of])).toEqual([
        [CHANGED, 'edit', first?.id],
      ]);
      expect(game.mounted.pending()).toEqual([]);
      await game.rest();
      expect(await asked(game)).toEqual(['user: one', 'user: two']);
      expect(game.mounted.screen()).toEqual(await game.truth());
      expect(game.mounted.chat.recovery.name).toBe('idle');
      expect(await leftovers(game)).toEqual([]);
    },
  );

  test('is handed back by `cancelPendingSend`, and its promise ends', async () => {
    const game = await play({}, lateReads);
    await game.rest();
    await turn(game, 'one');
    await game.send('two');
    await streaming(game);
    let ended = false;
    const messageId = game.mounted.chat.messages[0]?.id ?? '';
    void game.mounted.chat.sendMessage({ text: CHANGED, messageId }).then(() => {
      ended = true;
    });
    await game.world.advance(100);
    const back = await game.mounted.chat.cancelPendingSend();
    await game.world.settle();
    expect([back && textOf(back), ended]).toEqual([CHANGED, true]);
    await game.rest();
    expect(await asked(game)).toEqual(['user: one', 'user: two']);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('is parked by a stop, in one piece, and can be sent after it', async () => {
    const game = await editing();
    await game.mounted.chat.stop();
    await game.rest();
    expect(game.mounted.pending()).toEqual([`parked: ${CHANGED}`]);
    expect(await asked(game)).toEqual(['user: one', 'user: two']);
    void game.mounted.chat.act('send-again');
    await game.world.settle();
    await game.rest();
    expect(await asked(game)).toEqual([`user: ${CHANGED}`]);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('is changed in its place by a second edit: one text waits, and goes', async () => {
    const game = await editing();
    const messageId = game.mounted.chat.pendingSends[0]?.id ?? '';
    void game.mounted.chat.sendMessage({ text: 'What is a coil?', messageId });
    await game.world.advance(50);
    expect(game.mounted.pending()).toEqual(['held: What is a coil?']);
    await game.rest();
    expect(game.mounted.pending()).toEqual([]);
    expect(await asked(game)).toEqual(['user: What is a coil?']);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('is no part of what `setMessages` is given', async () => {
    const game = await editing();
    game.mounted.chat.setMessages((messages) => [...messages]);
    await game.world.settle();
    expect(game.mounted.pending()).toEqual([`held: ${CHANGED}`]);
    await game.rest();
    expect(await asked(game)).toEqual([`user: ${CHANGED}`]);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('is met again, unsent, when the chat is left for another and come back to', async () => {
    const game = await editing();
    const posts = game.posts();
    const options = (id: string) => ({ id, fetch: game.server.fetch, resync: true as const });
    await game.mounted.rerender(options('c2'));
    await game.world.advance(5_000);
    expect(game.mounted.pending()).toEqual([]);
    await game.mounted.rerender(options('c1'));
    await game.world.advance(5_000);
    expect(game.mounted.pending()).toEqual([`parked: ${CHANGED}`]);
    expect(game.posts()).toBe(posts);
    expect(await leftovers(game)).toEqual([]);
  });
});
