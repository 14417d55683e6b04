import type { UIMessage } from 'ai';
import { createHelixChat, HelixProvider, useHelixChat } from 'helix-chat/react';
import { createFaultServer, createManualWorld } from 'helix-chat/testing';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { mountChat } from '../setup/mountChat.tsx';

declare const __AI_MAJOR__: 6 | 7;

const WORDS = 5_000;

test('a replay of five thousand pieces in one burst is drawn as seldom as the SDK draws, and is whole', async () => {
  const world = createManualWorld();
  const chunks = [
    { type: 'start', messageId: 'a1' },
    { type: 'text-start', id: 't' },
    ...Array.from({ length: WORDS }, () => ({ type: 'text-delta', id: 't', delta: 'x' })),
    { type: 'text-end', id: 't' },
    { type: 'finish', finishReason: 'stop' },
  ];
  const user = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Count.' }] };
  const reply = { id: 'a1', role: 'assistant', parts: [{ type: 'text', text: 'x'.repeat(WORDS) }] };
  let reads = 0;
  const mounted = await mountChat(world, {
    id: 'c',
    resync: true,
    fetch: async (input) => {
      if (String(input).endsWith('/stream')) {
        return new Response(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(''), {
          headers: { 'content-type': 'text/event-stream' },
        });
      }
      reads += 1;
      return Response.json(
        reads === 1
          ? { status: 'active', messages: [user] }
          : { status: 'ended', messages: [user, reply] },
      );
    },
  });
  await world.runUntil(() => mounted.chat.messages.length === 2 && !mounted.chat.canStop);
  expect(mounted.screen()).toEqual(['user: Count.', `assistant: ${'x'.repeat(WORDS)}`]);
  // `@ai-sdk/react` 3 draws each piece by itself unless the app gives a `throttle`; we add nothing to that.
  expect(mounted.frames.length).toBeLessThan(__AI_MAJOR__ === 7 ? 50 : WORDS + 50);
  await mounted.unmount();
}, 60_000);

function Listener({ chat }: { chat: ReturnType<typeof createHelixChat<UIMessage>> }) {
  return useHelixChat({ chat }).status;
}

test('twenty components on one chat read it once', async () => {
  const world = createManualWorld();
  const server = createFaultServer({ world });
  const chat = createHelixChat<UIMessage>({ id: 'c', fetch: server.fetch, resync: true, world });
  const root = createRoot(document.createElement('div'));
  root.render(
    <HelixProvider world={world}>
      {Array.from({ length: 20 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
        <Listener key={index} chat={chat} />
      ))}
    </HelixProvider>,
  );
  await world.settle();
  await world.advance(60_000);
  expect(server.requests.map(({ route }) => route)).toEqual(['snapshot']);
  root.unmount();
  await world.advance(0);
});
