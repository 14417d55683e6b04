import type { UIMessage } from 'ai';
import { HelixProvider, type UseHelixChat, useHelixChat } from 'helix-chat/react';
import {
  CLIENT_HEADER,
  createFaultServer,
  createManualWorld,
  SCENARIO_NAMES,
} from 'helix-chat/testing';
import { createRoot } from 'react-dom/client';
import { describe, expect, test } from 'vitest';
import { textOf } from '../setup/mountChat.tsx';
import { CHAT, TAB } from '../setup/playScenario.ts';

type Chat = UseHelixChat<UIMessage>;

/** A list as most apps draw it: one node a message. */
function List({ fetch, tell }: { fetch: typeof globalThis.fetch; tell: (chat: Chat) => void }) {
  const chat = useHelixChat({
    ...{ id: CHAT, fetch, resync: true, requestKeys: true },
    headers: { [CLIENT_HEADER]: TAB },
  });
  tell(chat);
  return (
    <ol>
      {chat.messages.map((message) => (
        <li key={message.id}>{`${message.role}: ${textOf(message)}`}</li>
      ))}
    </ol>
  );
}

describe('whatever goes wrong', () => {
  test.each(SCENARIO_NAMES)(
    '%s: what was said before stays on the screen, in the same nodes',
    async (name) => {
      const world = createManualWorld();
      const server = createFaultServer({ world });
      const page = document.createElement('div');
      const root = createRoot(page);
      const seen: { chat?: Chat } = {};
      root.render(
        <HelixProvider world={world}>
          <List fetch={server.fetch} tell={(chat) => (seen.chat = chat)} />
        </HelixProvider>,
      );
      await world.settle();
      await world.advance(0);
      void seen.chat?.sendMessage({ text: 'before' });
      await world.runUntil(
        () => seen.chat?.recovery.name === 'idle' && seen.chat.messages.length === 2,
      );
      await world.settle();
      const before = Array.from(page.querySelectorAll('li'));
      const texts = before.map(({ textContent }) => textContent);
      server.arm(name, { client: TAB, chatId: CHAT });
      void seen.chat?.sendMessage({ text: 'and then' });
      await world.settle();
      await world.runUntil(
        () => ['failed', 'idle'].includes(seen.chat?.recovery.name ?? ''),
        400_000,
      );
      await world.settle();
      const after = Array.from(page.querySelectorAll('li'));
      expect(before).toHaveLength(2);
      for (const [index, node] of before.entries()) expect(after[index]).toBe(node);
      expect(after.slice(0, 2).map(({ textContent }) => textContent)).toEqual(texts);
      expect(page.textContent).toContain('user: and then');
      root.unmount();
      await world.advance(60_000);
      expect(world.pending()).toBe(0);
    },
  );
});
