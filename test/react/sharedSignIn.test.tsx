import type { UIMessage } from 'ai';
import {
  HelixProvider,
  type UseHelixChat,
  type UseHelixChatOptions,
  useHelixChat,
} from 'helix-chat/react';
import { createManualWorld } from 'helix-chat/testing';
import { createElement, type ReactElement, useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { describe, expect, test } from 'vitest';
import { textOf } from '../setup/mountChat.tsx';

interface OneProps {
  readonly options: UseHelixChatOptions<UIMessage>;
  readonly onCommit: (chat: UseHelixChat<UIMessage>) => void;
}

function One({ options, onCommit }: OneProps): null {
  const chat = useHelixChat(options);
  useLayoutEffect(() => onCommit(chat));
  return null;
}

const reply = (): Response =>
  new Response(
    ['start', 'text-start', 'text-delta', 'text-end', 'finish']
      .map((type) => `data: ${JSON.stringify({ type, ...PARTS[type] })}\n\n`)
      .join(''),
    { headers: { 'content-type': 'text/event-stream' } },
  );
const PARTS: Record<string, object> = {
  start: { messageId: 'r' },
  'text-start': { id: 't' },
  'text-delta': { id: 't', delta: 'Hi' },
  'text-end': { id: 't' },
};

type SignIn = 'provider' | 'chats';

/** Chats of one page whose server refuses everybody until a sign-in. `latencies`: of the answers of each, in ms. */
async function page(whose: SignIn, latencies: readonly number[] = [0, 0]) {
  const world = createManualWorld();
  const asked: { answer(ok: boolean): void; refuse(): void }[] = [];
  let signedIn = false;
  let posts = 0;
  const onUnauthorized = (): Promise<unknown> =>
    new Promise((resolve, reject) => {
      asked.push({
        answer(ok) {
          signedIn = ok;
          resolve(ok);
        },
        refuse: () => reject(new Error('closed')),
      });
    });
  const chats: UseHelixChat<UIMessage>[] = [];
  const optionsOf = (index: number): UseHelixChatOptions<UIMessage> => ({
    id: `c${index}`,
    resync: false,
    async fetch() {
      posts += 1;
      const allowed = signedIn;
      await new Promise<void>((resolve) => world.after(latencies[index] ?? 0, resolve));
      return allowed ? reply() : new Response('no', { status: 401 });
    },
    // A function of its own in each chat, as an inline one is.
    ...(whose === 'chats' ? { onUnauthorized: () => onUnauthorized() } : {}),
  });
  const root = createRoot(document.createElement('div'));
  const each = latencies.map((_, index) => ({
    key: String(index),
    options: optionsOf(index),
    onCommit: (chat: UseHelixChat<UIMessage>) => {
      chats[index] = chat;
    },
  }));
  const draw = async (shown = each): Promise<void> => {
    const children: ReactElement[] = shown.map((props) => createElement(One, props));
    root.render(
      <HelixProvider world={world} {...(whose === 'provider' ? { onUnauthorized } : {})}>
        {children}
      </HelixProvider>,
    );
    await world.settle();
    await world.advance(0);
  };
  await draw();
  return {
    world,
    asked,
    chats,
    posts: () => posts,
    states: () => chats.map(({ recovery }) => recovery.name),
    pending: () =>
      chats.map(({ pendingSends }) => pendingSends.map(({ message }) => textOf(message)).join()),
    async send(...indexes: number[]) {
      for (const index of indexes) void chats[index]?.sendMessage({ text: `from ${index}` });
      await world.advance(50);
    },
    drop: (index: number) => draw(each.filter(({ key }) => key !== String(index))),
    async leave() {
      root.unmount();
      await world.advance(60_000);
      expect([world.pending(), world.listeners()]).toEqual([0, 0]);
    },
  };
}

describe('chats of one page that are refused because the person is signed out', () => {
  test.each<SignIn>(['provider', 'chats'])(
    'ask for one sign-in, and all go on after it: `onUnauthorized` of the %s',
    async (whose) => {
      const game = await page(whose, [0, 0, 0]);
      await game.send(0, 1, 2);
      expect([game.asked.length, game.posts()]).toEqual([1, 3]);
      game.asked[0]?.answer(true);
      await game.world.advance(1_000);
      expect(game.states()).toEqual(['idle', 'idle', 'idle']);
      expect([game.asked.length, game.posts()]).toEqual([1, 6]);
      expect(game.chats.map(({ messages }) => messages.map(textOf))).toEqual(
        [0, 1, 2].map((index) => [`from ${index}`, 'Hi']),
      );
      await game.leave();
    },
  );

  test.each<[string, (question: { answer(ok: boolean): void; refuse(): void }) => void]>([
    ['answered by false', (question) => question.answer(false)],
    ['rejected', (question) => question.refuse()],
  ])(
    'fail one by one where it is %s; each keeps its text, and a press asks anew',
    async (_, end) => {
      const game = await page('provider');
      await game.send(0, 1);
      const [question] = game.asked;
      expect(question).toBeDefined();
      if (question !== undefined) end(question);
      await game.world.advance(1_000);
      expect(game.states()).toEqual(['failed', 'failed']);
      expect(game.chats.map(({ failure }) => failure?.error.reason)).toEqual([
        'signed-out',
        'signed-out',
      ]);
      expect(game.pending()).toEqual(['from 0', 'from 1']);
      expect([game.asked.length, game.posts()]).toEqual([1, 2]);
      for (const chat of game.chats) void chat.act('send-again');
      await game.world.advance(50);
      expect(game.asked).toHaveLength(2);
      game.asked[1]?.answer(true);
      await game.world.advance(1_000);
      expect(game.states()).toEqual(['idle', 'idle']);
      expect(game.pending()).toEqual(['', '']);
      await game.leave();
    },
  );

  test('a request that was out while another chat signed in goes once more, without a question', async () => {
    const game = await page('provider', [0, 5_000]);
    await game.send(0, 1);
    game.asked[0]?.answer(true);
    await game.world.advance(1_000);
    expect(game.states()).toEqual(['idle', 'sending']);
    await game.world.advance(15_000);
    expect(game.states()).toEqual(['idle', 'idle']);
    expect([game.asked.length, game.posts()]).toEqual([1, 4]);
    await game.leave();
  });

  test('a stop gives up the message of that chat alone', async () => {
    const game = await page('provider');
    await game.send(0, 1);
    void game.chats[0]?.stop();
    await game.world.advance(50);
    game.asked[0]?.answer(true);
    await game.world.advance(1_000);
    expect(game.states()).toEqual(['idle', 'idle']);
    expect(game.pending()).toEqual(['from 0', '']);
    expect(game.chats[1]?.messages.map(textOf)).toEqual(['from 1', 'Hi']);
    await game.leave();
  });

  test('a chat that asked by itself and has gone takes its question with it: the next one asks', async () => {
    const game = await page('chats');
    await game.send(0, 1);
    expect(game.asked).toHaveLength(1);
    await game.drop(0);
    await game.world.advance(1_000);
    expect(game.asked).toHaveLength(2);
    game.asked[0]?.answer(false);
    await game.world.advance(50);
    expect(game.chats[1]?.recovery.name).toBe('sending');
    game.asked[1]?.answer(true);
    await game.world.advance(1_000);
    expect(game.chats[1]?.messages.map(textOf)).toEqual(['from 1', 'Hi']);
    await game.leave();
  });
});
