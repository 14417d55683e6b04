import type { UIMessage } from 'ai';
import { createHelixChat } from 'helix-chat/react';
import { type FaultRule, type ManualWorld, SCENARIOS, type Scenario } from 'helix-chat/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { mountChat } from '../setup/mountChat.tsx';
import { arm, CHAT, leftovers, type Play, play, TAB } from '../setup/playScenario.ts';

const TEXT = 'What is a helix?';

/** The states in which a chat was unmounted by these tests. */
const left = new Set<string>();

afterAll(() => {
  expect([...left].sort()).toEqual(
    ['backing-off', 'failed', 'idle', 'resyncing', 'sending', 'streaming', 'waiting-on-run'].sort(),
  );
});

/** How often the state has changed on screen, counted from frame `from`. */
const changes = (game: Play, from: number): number =>
  game.mounted.frames
    .slice(from)
    .filter((frame, index, all) => frame.state !== all[index - 1]?.state).length;

/** Nothing goes out, is heard or is left after the chat has gone. */
async function expectNothingAfter(game: Play): Promise<void> {
  left.add(game.mounted.chat.recovery.name);
  const sent = game.server.requests.filter(({ client }) => client === TAB).length;
  const heard = game.heard.order.length;
  const drawn = game.mounted.frames.length;
  expect(await leftovers(game)).toEqual([]);
  expect(game.server.requests.filter(({ client }) => client === TAB)).toHaveLength(sent);
  expect(game.heard.order).toHaveLength(heard);
  expect(game.mounted.frames).toHaveLength(drawn);
}

interface Started {
  readonly game: Play;
  /** The number of the frame before the send. */
  readonly from: number;
}

async function begin(scenario: Scenario): Promise<Started> {
  const game = await play(scenario.policy === undefined ? {} : { recovery: scenario.policy });
  arm(game.server, scenario.name);
  const from = game.mounted.frames.length;
  await game.send(TEXT);
  return { game, from };
}

const isOver = ({ mounted }: Play): boolean =>
  ['idle', 'failed'].includes(mounted.chat.recovery.name);

/** When the state changes in a scenario that is left alone: ms from the send. */
async function momentsOf(scenario: Scenario): Promise<number[]> {
  const { game, from } = await begin(scenario);
  const start = game.world.monotonic();
  const moments: number[] = [0];
  for (let change = 2; !isOver(game); change += 1) {
    await game.world.runUntil(() => isOver(game) || changes(game, from) >= change, 60_000);
    moments.push(game.world.monotonic() - start);
  }
  await expectNothingAfter(game);
  return moments;
}

describe('unmounting leaves no timer, request, listener or reader, and posts nothing', () => {
  test.each(SCENARIOS)(
    '$name: at every change of state, and between two of them',
    async (scenario) => {
      const moments = await momentsOf(scenario);
      const between = moments.slice(1).map((at, index) => (at + (moments[index] ?? 0)) / 2);
      for (const at of new Set([...moments, ...between])) {
        const { game } = await begin(scenario);
        await game.world.advance(at);
        await expectNothingAfter(game);
      }
    },
  );

  test('in the same tick as the send: that one press goes out, and nothing follows it', async () => {
    const game = await play();
    const posts = game.posts();
    void game.mounted.chat.sendMessage({ text: TEXT });
    expect(await leftovers(game)).toEqual([]);
    expect(game.posts() - posts).toBeLessThanOrEqual(1);
    expect(game.heard.order).toEqual([]);
  });

  /** Every read of the conversation takes a second and may fail. */
  const reads =
    (status: number) =>
    (through: typeof fetch, world: ManualWorld): typeof fetch =>
    async (input, init) => {
      if (!String(input).endsWith('/snapshot')) return through(input, init);
      await new Promise<void>((resolve) => world.after(1_000, resolve));
      return status === 200 ? through(input, init) : new Response('no', { status });
    };

  test.each([200, 503])(
    'while the chat is loaded (%i), and while it waits to be',
    async (status) => {
      for (const ms of [0, 500, 1_000, 1_200, 2_600]) {
        const game = await play({}, reads(status));
        await game.world.advance(ms);
        await expectNothingAfter(game);
      }
    },
  );

  const script = (game: Play, ...rules: FaultRule[]) =>
    game.server.arm({ name: 'test', rules }, { client: TAB, chatId: CHAT });

  test('after a stop, while the transcript settles', async () => {
    for (const ms of [0, 10, 500, 1_500]) {
      const game = await play();
      await game.send(TEXT);
      await game.world.runUntil(() => game.mounted.chat.status === 'streaming');
      await game.world.advance(200);
      void game.mounted.chat.stop();
      await game.world.settle();
      await game.world.advance(ms);
      await expectNothingAfter(game);
    }
  });

  test('with a message held behind our own reply, and with one that asks', async () => {
    const held = await play();
    await held.send(TEXT);
    await held.send('and a spiral?');
    expect(held.mounted.pending()).toEqual(['held: and a spiral?']);
    await expectNothingAfter(held);
    const asking = await play({ onConflict: 'ask' });
    script(asking, { on: 'send', fault: { do: 'foreign-run', ms: 6_000 } });
    await asking.send(TEXT);
    await asking.world.advance(1_000);
    expect(asking.mounted.chat.recovery).toMatchObject({ name: 'waiting-on-run', cause: 'asked' });
    await expectNothingAfter(asking);
  });

  test('while a sign-in is renewed', async () => {
    const game = await play({ onUnauthorized: () => new Promise(() => {}) });
    arm(game.server, 'signed-out');
    await game.send(TEXT);
    expect(game.mounted.chat.recovery.name).toBe('sending');
    await expectNothingAfter(game);
  });

  test('while offline', async () => {
    const game = await play();
    game.world.setOnline(false);
    script(game, { on: 'send', times: 9, fault: { do: 'drop', taken: false } });
    await game.send(TEXT);
    await game.world.advance(5_000);
    expect(game.mounted.chat.recovery.name).toBe('backing-off');
    await expectNothingAfter(game);
  });
});

describe('a chat that is mounted again', () => {
  test('by its object has its messages and what was pending', async () => {
    const first = await play();
    const chat = createHelixChat<UIMessage>({
      id: 'c9',
      world: first.world,
      fetch: first.server.fetch,
      resync: true,
      requestKeys: true,
    });
    const one = await mountChat(first.world, { chat });
    void one.chat.sendMessage({ text: TEXT });
    await first.world.runUntil(() => one.chat.status === 'streaming');
    void one.chat.sendMessage({ text: 'and a spiral?' });
    await first.world.settle();
    await one.unmount();
    await first.world.advance(60_000);
    const two = await mountChat(first.world, { chat });
    await first.world.advance(1_000);
    expect(two.screen()[0]).toBe(`user: ${TEXT}`);
    expect(two.screen()[1]).toMatch(/^assistant: You asked/);
    expect(two.pending()).toEqual(['parked: and a spiral?']);
    await two.unmount();
    expect(await leftovers(first)).toEqual([]);
  });
});
