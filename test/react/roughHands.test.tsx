import { describe, expect, test } from 'vitest';
import { asked, backingOff, keysOf, refuse, script, streaming, turn } from '../setup/faultRules.ts';
import { textOf } from '../setup/mountChat.tsx';
import { instead, slow } from '../setup/networkLayers.ts';
import { arm, leftovers, type Play, play } from '../setup/playScenario.ts';

const TEXT = 'What is a helix?';
/** Long enough for every turn that a press sets off. */
const LONG = 20_000;

/** How far apart the two presses are, in ms of manual time; `undefined`: within one tick. */
const gaps = [
  ['within one tick', undefined],
  ['a render apart', 0],
  ['200 ms apart', 200],
] as const;

async function pressTwice(game: Play, gap: number | undefined, press: () => unknown) {
  void press();
  if (gap !== undefined) {
    await game.world.settle();
    await game.world.advance(gap);
  }
  void press();
  await game.world.advance(LONG);
}

/** The two places where a text of the person may be. */
const kept = async (game: Play): Promise<string[]> => [
  ...(await asked(game)).map((line) => line.replace('user: ', '')),
  ...game.mounted.pending().map((line) => line.replace(/^\w+: /, '')),
];

async function failedSend(): Promise<Play> {
  const game = await play();
  script(game, refuse(400));
  await turn(game, TEXT);
  expect(game.mounted.pending()).toEqual([`failed: ${TEXT}`]);
  return game;
}

describe.each(gaps)('pressed twice, %s', (_name, gap) => {
  test('`send-again` sends the message once and stops nothing', async () => {
    const game = await failedSend();
    const id = game.mounted.chat.pendingSends[0]?.id ?? '';
    await pressTwice(game, gap, () => game.mounted.chat.act('send-again', { id }));
    expect(game.posts()).toBe(2);
    expect(game.requests('stop')).toBe(0);
    expect(game.mounted.screen()).toHaveLength(2);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.mounted.pending()).toEqual([]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('`retry` repeats once', async () => {
    // The second one has nothing to repeat any more, and tells the developer.
    console.warn = () => {};
    const game = await failedSend();
    await pressTwice(game, gap, () => game.mounted.chat.retry());
    expect(game.posts()).toBe(2);
    expect(game.requests('stop')).toBe(0);
    expect(game.mounted.screen()).toHaveLength(2);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('`new-reply` asks for one reply', async () => {
    const game = await play();
    arm(game.server, 'unclassified');
    await turn(game, TEXT);
    expect(game.mounted.chat.failure?.actions).toContain('new-reply');
    await pressTwice(game, gap, () => game.mounted.chat.act('new-reply'));
    expect(game.posts()).toBe(2);
    expect(game.mounted.screen()).toHaveLength(2);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('`regenerate` ends with one whole reply', async () => {
    const game = await play();
    await turn(game, TEXT);
    const before = game.mounted.screen();
    await pressTwice(game, gap, () => game.mounted.chat.regenerate());
    // The same question has the same answer, so that a part of one would show.
    expect(game.mounted.screen()).toEqual(before);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.mounted.chat.recovery.name).toBe('idle');
    // Presses that meet one request are one press.
    if (gap === undefined) expect([game.posts(), game.requests('stop')]).toEqual([2, 0]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('Save of an edit changes the message, and leaves no second copy', async () => {
    const game = await play();
    await turn(game, 'one');
    const messageId = game.mounted.chat.messages[0]?.id ?? '';
    await pressTwice(game, gap, () => game.mounted.chat.sendMessage({ text: 'uno', messageId }));
    expect(await asked(game)).toEqual(['user: uno']);
    expect(game.mounted.pending()).toEqual([]);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('`stopAndSend` sends the held message once', async () => {
    const game = await play();
    arm(game.server, 'busy');
    await game.send(TEXT);
    await game.world.runUntil(() => game.mounted.chat.recovery.name === 'waiting-on-run');
    await pressTwice(game, gap, () => game.mounted.chat.stopAndSend());
    expect((await asked(game)).filter((line) => line === `user: ${TEXT}`)).toHaveLength(1);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.mounted.pending()).toEqual([]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('`reload` settles on the transcript', async () => {
    const game = await play();
    arm(game.server, 'snapshot-corrupt');
    await turn(game, TEXT);
    expect(game.mounted.chat.recovery.name).toBe('failed');
    await pressTwice(game, gap, () => game.mounted.chat.act('reload'));
    expect(game.mounted.chat.recovery.name).toBe('idle');
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('Send sends both messages, one after the other', async () => {
    const game = await play();
    await pressTwice(game, gap, () => game.mounted.chat.sendMessage({ text: TEXT }));
    // Only an earlier copy that failed is folded; two that are under way are two messages.
    expect(await asked(game)).toEqual([`user: ${TEXT}`, `user: ${TEXT}`]);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('`stop` keeps a message that was on its way', async () => {
    const game = await play({}, slow('send', 500));
    await game.send(TEXT);
    await pressTwice(game, gap, () => game.mounted.chat.stop());
    expect(game.mounted.pending()).toEqual([`parked: ${TEXT}`]);
    expect(await asked(game)).toEqual([]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('`stop` keeps a message that was backing off, behind what was said before', async () => {
    const game = await play();
    await turn(game, 'one');
    script(game, refuse(503, 2));
    await game.send(TEXT);
    await backingOff(game);
    await pressTwice(game, gap, () => game.mounted.chat.stop());
    expect(game.mounted.pending()).toEqual([`parked: ${TEXT}`]);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.posts()).toBe(2);
    expect(await leftovers(game)).toEqual([]);
  });

  test('`take-back` hands the text back once', async () => {
    let drafts = 0;
    const game = await play({
      onDraft: () => {
        drafts += 1;
      },
    });
    script(game, refuse(413));
    await turn(game, TEXT);
    await pressTwice(game, gap, () => game.mounted.chat.act('take-back'));
    expect(drafts).toBe(1);
    expect(game.mounted.pending()).toEqual([]);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('two different presses in one tick', () => {
  test('stop, then another reply: the message that was on its way is kept', async () => {
    const game = await play();
    await turn(game, 'one');
    script(game, refuse(503, 2));
    await game.send(TEXT);
    await backingOff(game);
    void game.mounted.chat.stop();
    void game.mounted.chat.regenerate();
    await game.world.advance(LONG);
    expect(await kept(game)).toEqual(['one', TEXT]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('another reply, then a message: the message follows it', async () => {
    const game = await play();
    await turn(game, 'one');
    void game.mounted.chat.regenerate();
    void game.mounted.chat.sendMessage({ text: 'two' });
    await game.world.advance(LONG);
    expect(await kept(game)).toEqual(['one', 'two']);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('another reply while one is written, then a message: the message follows it', async () => {
    const game = await play();
    await game.send('one');
    await streaming(game);
    await game.world.advance(200);
    const messageId = game.mounted.chat.messages.at(-1)?.id ?? '';
    void game.mounted.chat.regenerate({ messageId });
    void game.mounted.chat.sendMessage({ text: 'two' });
    await game.world.advance(LONG);
    expect(await kept(game)).toEqual(['one', 'two']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('an edit while a reply is written, then a message: both are kept', async () => {
    const game = await play();
    await game.send('one');
    await streaming(game);
    await game.world.advance(200);
    const messageId = game.mounted.chat.messages[0]?.id ?? '';
    void game.mounted.chat.sendMessage({ text: 'uno', messageId });
    await game.world.settle();
    void game.mounted.chat.sendMessage({ text: 'two' });
    await game.world.advance(LONG);
    expect(await kept(game)).toEqual(['uno', 'two']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('another reply while a message is held: the message stays with the person or goes', async () => {
    const game = await play();
    await game.send('one');
    await streaming(game);
    void game.mounted.chat.sendMessage({ text: 'two' });
    await game.world.settle();
    void game.mounted.chat.regenerate();
    await game.world.advance(LONG);
    expect(await kept(game)).toEqual(['one', 'two']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('two edits of one message: the later one stands, the text of the other is kept', async () => {
    const game = await play();
    await turn(game, 'one');
    const messageId = game.mounted.chat.messages[0]?.id ?? '';
    void game.mounted.chat.sendMessage({ text: 'uno', messageId });
    void game.mounted.chat.sendMessage({ text: 'due', messageId });
    await game.world.advance(LONG);
    expect(await asked(game)).toEqual(['user: due']);
    expect(game.mounted.pending()).toEqual(['parked: uno']);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('take back and send again: the text goes one of the two ways', async () => {
    let drafts = 0;
    const game = await play(
      {
        requestKeys: false,
        onDraft: () => {
          drafts += 1;
        },
      },
      slow('snapshot', 300),
    );
    await game.world.advance(1000);
    script(game, { on: 'send', fault: { do: 'drop', taken: false } });
    await turn(game, TEXT);
    expect(game.mounted.pending()).toEqual([`failed: ${TEXT}`]);
    void game.mounted.chat.act('take-back');
    void game.mounted.chat.act('send-again');
    await game.world.advance(LONG);
    expect((await asked(game)).length + drafts).toBe(1);
    expect(game.mounted.pending()).toEqual([]);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('an edit', () => {
  test('refused with a long wait keeps its text when it is sent before its time', async () => {
    const game = await play();
    await turn(game, 'one');
    script(game, refuse(503, 1, { 'retry-after': '120' }));
    const messageId = game.mounted.chat.messages[0]?.id ?? '';
    void game.mounted.chat.sendMessage({ text: 'uno', messageId });
    await game.rest();
    expect(game.mounted.pending()).toEqual(['failed: uno']);
    void game.mounted.chat.act('send-again');
    await game.world.advance(100_000);
    expect(game.posts()).toBe(2);
    expect(game.mounted.pending()).toEqual(['failed: uno']);
    await game.world.advance(30_000);
    void game.mounted.chat.act('send-again');
    await game.world.advance(LONG);
    expect(await asked(game)).toEqual(['user: uno']);
    expect(game.mounted.pending()).toEqual([]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('of an earlier message while a long wait lasts keeps its text', async () => {
    const game = await play();
    await turn(game, 'one');
    script(game, refuse(503, 1, { 'retry-after': '120' }));
    await turn(game, 'two');
    expect(game.mounted.pending()).toEqual(['failed: two']);
    const messageId = game.mounted.chat.messages[0]?.id ?? '';
    void game.mounted.chat.sendMessage({ text: 'uno', messageId });
    await game.world.advance(100_000);
    expect(game.posts()).toBe(2);
    expect(game.mounted.pending().toSorted()).toEqual(['failed: two', 'failed: uno']);
    const uno = game.mounted.chat.pendingSends.find(({ message }) => textOf(message) === 'uno');
    await game.world.advance(30_000);
    void game.mounted.chat.act('send-again', { id: uno?.id ?? '' });
    await game.world.advance(LONG);
    expect(await asked(game)).toEqual(['user: uno']);
    expect(game.mounted.pending()).toEqual(['failed: two']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('taken back leaves the history as it was; the same edit may be made again', async () => {
    const game = await play({ onDraft: () => {} });
    await turn(game, 'one');
    script(game, refuse(413));
    const messageId = game.mounted.chat.messages[0]?.id ?? '';
    void game.mounted.chat.sendMessage({ text: 'uno', messageId });
    await game.rest();
    await game.mounted.chat.cancelPendingSend();
    expect(game.mounted.chat.recovery.name).toBe('idle');
    expect(game.mounted.screen()).toEqual(await game.truth());
    void game.mounted.chat.sendMessage({ text: 'uno', messageId });
    await game.rest();
    expect(await asked(game)).toEqual(['user: uno']);
    expect(game.mounted.pending()).toEqual([]);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('a stop that does not get through', () => {
  test('once goes again by itself', async () => {
    let refusals = 1;
    const game = await play(
      {},
      instead('stop', () => (refusals-- > 0 ? new Response('no', { status: 500 }) : undefined)),
    );
    await game.send(TEXT);
    await streaming(game);
    await game.world.advance(200);
    await game.mounted.chat.stop();
    await game.world.advance(LONG);
    expect(game.mounted.chat.failure).toBeUndefined();
    expect(game.heard.order).toEqual(['onFinish']);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('a message that was stopped while it backed off', () => {
  test('is not folded with an identical one that is sent later', async () => {
    const game = await play();
    script(game, refuse(503));
    await game.send(TEXT);
    await backingOff(game);
    await game.mounted.chat.stop();
    await game.world.advance(5000);
    await turn(game, TEXT);
    // What was parked waits for a press; the fresh one went out.
    expect(game.mounted.pending()).toEqual([`parked: ${TEXT}`]);
    expect(await asked(game)).toEqual([`user: ${TEXT}`]);
    expect(new Set(keysOf(game)).size).toBe(2);
    expect(await leftovers(game)).toEqual([]);
  });
});
