import type { UIMessage } from 'ai';
import {
  HelixProvider,
  type UseHelixChat,
  type UseHelixChatOptions,
  useHelixChat,
} from 'helix-chat/react';
import { createManualStore, createManualWorld, type ManualWorld } from 'helix-chat/testing';
import { type ReactElement, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { textOf } from '../setup/mountChat.tsx';

const TEXT = 'What is a helix?';
const options: UseHelixChatOptions<UIMessage> = {
  id: 'c1',
  storage: 'local',
  fetch: () => Promise.reject(new TypeError('no network here')),
};

/** As last drawn. A click would be the page's last event, by which React 18 draws whatever comes after it at once. */
let latest: UseHelixChat<UIMessage> | undefined;

function Chat(): ReactElement {
  const chat = useHelixChat<UIMessage>(options);
  latest = chat;
  return (
    <ul>
      {chat.messages.map((message) => (
        <li key={message.id}>{textOf(message)}</li>
      ))}
      {chat.pendingSends.map(({ id, state }) => (
        <li key={`state of ${id}`}>{state}</li>
      ))}
      <li>{chat.status}</li>
    </ul>
  );
}

const page = (world: ManualWorld): ReactElement => (
  <StrictMode>
    <HelixProvider world={world}>
      <Chat />
    </HelixProvider>
  </StrictMode>
);

const items = (host: Element): (string | null)[] =>
  [...host.querySelectorAll('li')].map(({ textContent }) => textContent);

test('a page that a server has drawn takes over without a mismatch, and shows what was kept at once', async () => {
  const local = createManualStore();
  let reads: string[] = [];
  const open = (seed: number): ManualWorld => {
    const world = createManualWorld({ seed, stores: { local } });
    return {
      ...world,
      storage(kind) {
        reads.push(kind);
        return world.storage?.(kind);
      },
    };
  };

  const hydrate = async (world: ManualWorld) => {
    reads = [];
    const host = document.createElement('div');
    document.body.append(host);
    host.innerHTML = renderToString(page(world));
    expect(reads).toEqual([]);
    expect(items(host)).toEqual(['ready']);
    const mismatches: unknown[] = [];
    const root = hydrateRoot(host, page(world), {
      onRecoverableError: (error) => mismatches.push(error),
    });
    await world.settle();
    expect(mismatches).toEqual([]);
    expect(reads).toContain('local');
    return {
      host,
      async leave() {
        root.unmount();
        await world.advance(0);
        host.remove();
      },
    };
  };

  const before = open(1);
  const first = await hydrate(before);
  expect(items(first.host)).toEqual(['ready']);
  void latest?.sendMessage({ text: TEXT });
  await before.advance(60_000);
  expect(items(first.host)).toEqual([TEXT, 'failed', 'error']);
  await first.leave();

  const after = open(2);
  const second = await hydrate(after);
  expect(items(second.host)).toEqual([TEXT, 'restored', 'ready']);
  await second.leave();
  expect(after.pending()).toBe(0);
});
