import type { UIMessage } from 'ai';
import { createHelixChat } from 'helix-chat/react';
import {
  CLIENT_HEADER,
  createFaultServer,
  createManualWorld,
  type FaultRule,
} from 'helix-chat/testing';
import { describe, expect, test } from 'vitest';
import { asked, backingOff, refuse, script, turn } from '../setup/faultRules.ts';
import { lines, mountChat } from '../setup/mountChat.tsx';
import {
  firstAnswerNeverComes,
  instead,
  keepIds,
  type Layer,
  slow,
} from '../setup/networkLayers.ts';
import { CHAT, leftovers, type Play, play, TAB } from '../setup/playScenario.ts';

const TEXT = 'What is a helix?';
const LONG = 20_000;
const lost: FaultRule = { on: 'send', fault: { do: 'drop', taken: true } };

/** Reads of the conversation that can be made to fail from outside. */
function reads() {
  const state = { fail: false };
  const layer: Layer = instead('snapshot', () =>
    state.fail ? new Response('no', { status: 503 }) : undefined,
  );
  return { state, layer };
}

describe('message ids only, on a server that takes each post for a new message', () => {
  /** The server has the message, but its answer was lost and the conversation could not be read. */
  async function lostAndUnread(): Promise<Play> {
    const { state, layer } = reads();
    const game = await play({ requestKeys: false }, (through, world) =>
      layer(keepIds(through, world), world),
    );
    script(game, lost);
    state.fail = true;
    await turn(game, TEXT);
    await game.world.advance(10_000);
    state.fail = false;
    expect(game.mounted.pending()).toEqual([`failed: ${TEXT}`]);
    expect(await asked(game)).toEqual([`user: ${TEXT}`]);
    return game;
  }

  /** The server has the message; the person stopped before an answer came, and the quiet read failed. */
  async function stoppedAndUnread(): Promise<Play> {
    const { state, layer } = reads();
    const game = await play({ requestKeys: false }, (through, world) =>
      layer(firstAnswerNeverComes(keepIds(through, world), world), world),
    );
    await game.send(TEXT);
    await game.world.advance(5000);
    state.fail = true;
    await game.mounted.chat.stop();
    await game.world.advance(10_000);
    state.fail = false;
    expect(game.mounted.pending()).toEqual([`parked: ${TEXT}`]);
    expect(await asked(game)).toEqual([`user: ${TEXT}`]);
    return game;
  }

  test('a lost answer: the conversation is read, the message is found and nothing is posted again', async () => {
    const game = await play({ requestKeys: false }, keepIds);
    script(game, lost);
    await turn(game, TEXT);
    expect(game.posts()).toBe(1);
    expect(await asked(game)).toEqual([`user: ${TEXT}`]);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.mounted.pending()).toEqual([]);
    expect(await leftovers(game)).toEqual([]);
  });

  describe.each([
    ['whose answer was lost', lostAndUnread],
    ['stopped before an answer', stoppedAndUnread],
  ])('a message %s', (_name, begin) => {
    test('is searched for when it is to be sent again, and not doubled', async () => {
      const game = await begin();
      void game.mounted.chat.act('send-again');
      await game.world.advance(LONG);
      expect(game.posts()).toBe(1);
      expect(await asked(game)).toEqual([`user: ${TEXT}`]);
      expect(game.mounted.pending()).toEqual([]);
      expect(game.mounted.screen()).toEqual(await game.truth());
      expect(await leftovers(game)).toEqual([]);
    });

    test('is searched for when it is to be taken back, and stays as sent', async () => {
      const game = await begin();
      expect(await game.mounted.chat.cancelPendingSend()).toBeUndefined();
      await game.world.advance(LONG);
      expect(game.mounted.pending()).toEqual([]);
      expect(game.mounted.screen()[0]).toBe(`user: ${TEXT}`);
      expect(await leftovers(game)).toEqual([]);
    });

    test('leaves the pending ones when a later read shows it', async () => {
      const game = await begin();
      await game.mounted.chat.resync();
      await game.world.advance(LONG);
      expect(game.mounted.pending()).toEqual([]);
      expect(game.mounted.screen()).toEqual(await game.truth());
      expect(game.mounted.screen().filter((line) => line === `user: ${TEXT}`)).toHaveLength(1);
      expect(await leftovers(game)).toEqual([]);
    });

    test('leaves the pending ones when the next message goes out', async () => {
      const game = await begin();
      await turn(game, 'next');
      await game.mounted.chat.resync();
      await game.world.advance(LONG);
      expect(game.mounted.pending()).toEqual([]);
      expect((await asked(game)).toSorted()).toEqual([`user: ${TEXT}`, 'user: next']);
      expect(game.mounted.screen()).toEqual(await game.truth());
      expect(await leftovers(game)).toEqual([]);
    });
  });

  test('a message that never arrived is posted by the press, once', async () => {
    const game = await play({ requestKeys: false }, keepIds);
    script(game, { on: 'send', fault: { do: 'drop', taken: false } });
    await turn(game, TEXT);
    expect(game.posts()).toBe(1);
    expect(game.mounted.pending()).toEqual([`failed: ${TEXT}`]);
    void game.mounted.chat.act('send-again');
    await game.rest();
    expect(game.posts()).toBe(2);
    expect(await asked(game)).toEqual([`user: ${TEXT}`]);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('a stop while the conversation is searched leaves the message in one place', async () => {
    const game = await play({ requestKeys: false }, (through, world) =>
      slow('snapshot', 800)(keepIds(through, world), world),
    );
    await game.world.advance(2000);
    script(game, lost);
    await game.send(TEXT);
    await game.world.advance(100);
    expect(game.mounted.chat.recovery.name).toBe('resyncing');
    await game.mounted.chat.stop();
    await game.world.advance(LONG);
    const places = [...game.mounted.pending(), ...game.mounted.screen()];
    expect(places.filter((line) => line.endsWith(`: ${TEXT}`))).toHaveLength(1);
    expect(await asked(game)).toEqual([`user: ${TEXT}`]);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('a shared chat that leaves the page', () => {
  function shared(change: { resync: boolean; repeats: number }) {
    const world = createManualWorld();
    const server = createFaultServer({ world });
    const chat = createHelixChat<UIMessage>({
      id: CHAT,
      world,
      fetch: keepIds(server.fetch, world),
      headers: { [CLIENT_HEADER]: TAB },
      requestKeys: true,
      resync: change.resync,
      recovery: { repeats: change.repeats },
    });
    const questions = async () =>
      lines(await server.transcript(CHAT)).filter((line) => line.startsWith('user: '));
    const rule = (fault: FaultRule) =>
      server.arm({ name: 'test', rules: [fault] }, { client: TAB, chatId: CHAT });
    const isClean = async () => {
      await world.advance(60_000);
      expect([world.pending(), world.listeners(), server.settled()]).toEqual([0, 0, true]);
    };
    return { world, server, chat, questions, rule, isClean };
  }

  test('while a message backs off: it is there again on return, and goes by a press', async () => {
    const { world, chat, questions, rule, isClean } = shared({ resync: true, repeats: 3 });
    const before = await mountChat(world, { chat });
    void before.chat.sendMessage({ text: 'one' });
    await world.advance(10_000);
    rule(refuse(503, 2));
    void before.chat.sendMessage({ text: TEXT });
    await world.runUntil(() => before.chat.recovery.name === 'backing-off');
    await before.unmount();
    await world.advance(1000);
    const after = await mountChat(world, { chat });
    await world.advance(LONG);
    expect(after.pending()).toEqual([`parked: ${TEXT}`]);
    expect(await questions()).toEqual(['user: one']);
    void after.chat.act('send-again');
    await world.advance(LONG);
    expect(after.pending()).toEqual([]);
    expect(await questions()).toEqual(['user: one', `user: ${TEXT}`]);
    await after.unmount();
    await isClean();
  });

  test('with a message whose answer was lost: it keeps its key, and is not doubled', async () => {
    const { world, server, chat, questions, rule, isClean } = shared({ resync: false, repeats: 0 });
    const before = await mountChat(world, { chat });
    rule(lost);
    void before.chat.sendMessage({ text: TEXT });
    await world.advance(LONG);
    expect(before.pending()).toEqual([`failed: ${TEXT}`]);
    await before.unmount();
    await world.advance(1000);
    const after = await mountChat(world, { chat });
    expect(after.pending()).toEqual([`failed: ${TEXT}`]);
    void after.chat.act('send-again');
    await world.advance(LONG);
    const keys = server.requests.filter(({ route }) => route === 'send').map(({ key }) => key);
    expect(keys).toHaveLength(2);
    expect(keys[1]).toBe(keys[0]);
    expect(await questions()).toEqual([`user: ${TEXT}`]);
    await after.unmount();
    await isClean();
  });
});

describe('a chat left for another by its id', () => {
  const options = (game: Play) => ({
    fetch: game.server.fetch,
    headers: { [CLIENT_HEADER]: TAB },
    requestKeys: true,
    resync: true,
  });

  test('keeps its failed text for the return, and shows it nowhere else', async () => {
    const game = await play();
    script(game, refuse(400));
    await turn(game, TEXT);
    await game.mounted.rerender({ ...options(game), id: 'c2' });
    expect(game.mounted.pending()).toEqual([]);
    expect(game.mounted.chat.messages).toEqual([]);
    await game.mounted.rerender({ ...options(game), id: CHAT });
    await game.world.advance(1000);
    expect(game.mounted.pending()).toEqual([`failed: ${TEXT}`]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('keeps the text that was on its way', async () => {
    const game = await play();
    script(game, refuse(503, 2));
    await game.send(TEXT);
    await backingOff(game);
    await game.mounted.rerender({ ...options(game), id: 'c2' });
    await game.world.advance(LONG);
    expect(game.mounted.pending()).toEqual([]);
    await game.mounted.rerender({ ...options(game), id: CHAT });
    await game.world.advance(LONG);
    expect(game.mounted.pending()).toEqual([`parked: ${TEXT}`]);
    expect(game.posts()).toBe(1);
    expect(await leftovers(game)).toEqual([]);
  });

  test('takes no part of a reply that was being written along', async () => {
    const game = await play();
    await game.send(TEXT);
    await game.world.runUntil(() => game.mounted.chat.status === 'streaming');
    await game.world.advance(100);
    await game.mounted.rerender({ ...options(game), id: 'c2' });
    await game.world.advance(LONG);
    expect(game.mounted.chat.messages).toEqual([]);
    expect(game.mounted.chat.status).toBe('ready');
    expect(await leftovers(game)).toEqual([]);
  });
});
