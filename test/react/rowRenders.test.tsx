import type { UIMessage } from 'ai';
import {
  HelixProvider,
  type UseHelixChat,
  type UseHelixChatOptions,
  useHelixChat,
} from 'helix-chat/react';
import { createMemoryStore } from 'helix-chat/server';
import {
  CLIENT_HEADER,
  createFaultServer,
  createManualWorld,
  type FaultRule,
} from 'helix-chat/testing';
import { memo, useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { describe, expect, test } from 'vitest';
import { lines } from '../setup/mountChat.tsx';
import { CHAT, TAB } from '../setup/playScenario.ts';

const LENGTH = 1_000;
const TEXT = 'What is a helix?';

type Line = (typeof history)[number];

const history = Array.from({ length: LENGTH }, (_, index) => ({
  id: `h${index}`,
  role: index % 2 === 0 ? 'user' : 'assistant',
  parts: [{ type: 'text', text: `Line ${index}` }],
}));

interface Drawn {
  readonly message: UIMessage;
  readonly onRender: (id: string) => void;
}

const Row = memo(function Row({ message, onRender }: Drawn) {
  onRender(message.id);
  return null;
});

interface ChatProps {
  readonly options: UseHelixChatOptions<UIMessage>;
  readonly onRender: (id: string) => void;
  readonly onCommit: (chat: UseHelixChat<UIMessage>) => void;
}

function Chat({ options, onRender, onCommit }: ChatProps) {
  const chat = useHelixChat(options);
  useLayoutEffect(() => onCommit(chat));
  return chat.messages.map((message) => (
    <Row key={message.id} message={message} onRender={onRender} />
  ));
}

/** A conversation of a thousand messages on the server and on the screen, one memoised row a message. */
async function longChat(known: readonly Line[] = history) {
  const world = createManualWorld();
  const store = createMemoryStore({ world });
  await store.startRun(CHAT, {
    revision: undefined,
    messages: known,
    run: { id: 'past', replyId: `h${LENGTH - 1}`, attemptId: 'a' },
    leaseMs: 1_000,
    entries: [],
  });
  await store.write(CHAT, 'past', { end: { status: 'ended' } });
  const server = createFaultServer({ world, store });
  const renders = new Map<string, number>();
  const onRender = (id: string): void => {
    renders.set(id, (renders.get(id) ?? 0) + 1);
  };
  const seen: { chat?: UseHelixChat<UIMessage> } = {};
  const root = createRoot(document.createElement('div'));
  root.render(
    <HelixProvider world={world}>
      <Chat
        options={{
          id: CHAT,
          messages: structuredClone(history) as unknown as UIMessage[],
          fetch: server.fetch,
          headers: { [CLIENT_HEADER]: TAB },
          requestKeys: true,
          resync: true,
        }}
        onRender={onRender}
        onCommit={(chat) => {
          seen.chat = chat;
        }}
      />
    </HelixProvider>,
  );
  const current = (): UseHelixChat<UIMessage> => {
    if (seen.chat === undefined) throw new Error('The chat has not been drawn.');
    return seen.chat;
  };
  const rest = async (): Promise<void> => {
    await world.runUntil(() => ['idle', 'failed'].includes(current().recovery.name));
    await world.settle();
  };
  await world.settle();
  await world.advance(0);
  return {
    world,
    chat: current,
    rest,
    /** Rows of the past that were drawn more often than once, with how often. */
    pastAgain: () => [...renders].filter(([id, times]) => /^h\d/.test(id) && times > 1),
    rendersOf: (id: string) => renders.get(id) ?? 0,
    script: (...rules: FaultRule[]) =>
      server.arm({ name: 'test', rules }, { client: TAB, chatId: CHAT }),
    requests: (route: string) =>
      server.requests.filter((request) => request.route === route && request.client === TAB).length,
    truth: async () => lines(await server.transcript(CHAT)),
    async unmount() {
      root.unmount();
      await world.advance(60_000);
      return [world.pending(), world.listeners(), server.settled()];
    },
  };
}

const NOTHING_LEFT = [0, 0, true];

describe('in a conversation of a thousand messages', () => {
  test('a load that brings what is on screen draws no row again', async () => {
    const game = await longChat();
    await game.rest();
    expect(game.requests('snapshot')).toBe(1);
    expect(game.chat().messages).toHaveLength(LENGTH);
    expect(game.pastAgain()).toEqual([]);
    expect(await game.unmount()).toEqual(NOTHING_LEFT);
  });

  test('a load that brings one changed message draws that row again, and no other', async () => {
    const changed = history.map((line) =>
      line.id === 'h41' ? { ...line, parts: [{ type: 'text', text: 'Said otherwise' }] } : line,
    );
    const game = await longChat(changed);
    await game.rest();
    expect(lines(game.chat().messages)).toEqual(await game.truth());
    expect(game.pastAgain()).toEqual([['h41', 2]]);
    expect(await game.unmount()).toEqual(NOTHING_LEFT);
  });

  test.each<[string, FaultRule]>([
    [
      'a re-anchor after a superseded attempt',
      {
        on: 'send',
        fault: { do: 'reply', words: 5, fails: { code: 'provider_overloaded' }, attempts: 1 },
      },
    ],
    ['a cut that is spliced', { on: 'send', fault: { do: 'break', afterWords: 5, how: 'cut' } }],
    [
      'an error event',
      { on: 'send', fault: { do: 'reply', words: 5, fails: { code: 'provider_auth_error' } } },
    ],
  ] as [string, FaultRule][])('%s draws the new rows, and no row of the past', async (_, rule) => {
    const game = await longChat();
    await game.rest();
    game.script(rule);
    void game.chat().sendMessage({ text: TEXT });
    await game.world.settle();
    await game.rest();
    expect(lines(game.chat().messages)).toEqual(await game.truth());
    expect(game.pastAgain()).toEqual([]);
    const asked = game.chat().messages[LENGTH];
    // Drawn when it was sent; the server's copy is the same message.
    expect(game.rendersOf(asked?.id ?? '')).toBe(1);
    expect(await game.unmount()).toEqual(NOTHING_LEFT);
  });

  test('a cut whose stream cannot be joined is read again, and no row of the past is drawn', async () => {
    const game = await longChat();
    await game.rest();
    game.script(
      { on: 'send', fault: { do: 'break', afterWords: 5, how: 'cut' } },
      { on: 'stream', times: 9, fault: { do: 'no-run' } },
    );
    void game.chat().sendMessage({ text: TEXT });
    await game.world.settle();
    await game.rest();
    expect(game.requests('snapshot')).toBeGreaterThan(1);
    expect(lines(game.chat().messages)).toEqual(await game.truth());
    expect(game.pastAgain()).toEqual([]);
    expect(await game.unmount()).toEqual(NOTHING_LEFT);
  });

  test('a message that is held and taken back draws no other row', async () => {
    const game = await longChat();
    await game.rest();
    void game.chat().sendMessage({ text: TEXT });
    await game.world.advance(200);
    void game.chat().sendMessage({ text: 'And another' });
    await game.world.settle();
    const [held] = game.chat().pendingSends;
    expect(game.rendersOf(held?.id ?? '')).toBe(1);
    await game.chat().cancelPendingSend();
    await game.rest();
    expect(game.pastAgain()).toEqual([]);
    expect(await game.unmount()).toEqual(NOTHING_LEFT);
  });
});
