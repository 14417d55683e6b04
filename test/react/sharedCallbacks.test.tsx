import { createHelixChat } from 'helix-chat/react';
import { createFaultServer, createManualWorld } from 'helix-chat/testing';
import { expect, test } from 'vitest';
import { mountChat } from '../setup/mountChat.tsx';

test('a shared chat calls its own callbacks beside those of the components', async () => {
  const world = createManualWorld();
  const server = createFaultServer({ world });
  const heard: string[] = [];
  const chat = createHelixChat({
    id: 'shared',
    fetch: server.fetch,
    world,
    onFinish: () => void heard.push('chat'),
  });
  const mounted = await mountChat(world, { chat, onFinish: () => void heard.push('component') });
  void mounted.chat.sendMessage({ text: 'hi' });
  await world.runUntil(() => mounted.chat.status === 'ready' && heard.length > 0);
  expect(heard).toEqual(['chat', 'component']);
  await mounted.unmount();
});

test('`onUnauthorized` renews the sign-in once and the request goes again with fresh headers', async () => {
  const world = createManualWorld();
  const server = createFaultServer({ world });
  let token = 'old';
  let asked = 0;
  const seen: (string | null)[] = [];
  const guarded: typeof fetch = async (input, init) => {
    const sent = new Headers(init?.headers).get('authorization');
    if (init?.method === 'POST') seen.push(sent);
    return sent === 'new' ? server.fetch(input, init) : new Response('no', { status: 401 });
  };
  const mounted = await mountChat(world, {
    id: 'guarded',
    fetch: guarded,
    headers: () => ({ authorization: token }),
    resync: false,
    async onUnauthorized() {
      asked += 1;
      token = 'new';
    },
  });
  void mounted.chat.sendMessage({ text: 'hi' });
  await world.runUntil(() => mounted.screen().length === 2 && mounted.chat.status === 'ready');
  expect(asked).toBe(1);
  expect(seen).toEqual(['old', 'new']);
  expect(mounted.chat.failure).toBeUndefined();
  await mounted.unmount();
});

test('a sign-in that cannot be renewed ends as signed out, with the text kept', async () => {
  const world = createManualWorld();
  const mounted = await mountChat(world, {
    id: 'guarded',
    fetch: async () => new Response('no', { status: 401 }),
    resync: false,
    onUnauthorized: () => false,
  });
  void mounted.chat.sendMessage({ text: 'hi' });
  await world.settle();
  expect(mounted.chat.failure?.error.reason).toBe('signed-out');
  expect(mounted.pending()).toEqual(['failed: hi']);
  await mounted.unmount();
});

test('`allow` may forbid an automatic repeat', async () => {
  const world = createManualWorld();
  let posts = 0;
  const mounted = await mountChat(world, {
    id: 'c',
    fetch: async () => {
      posts += 1;
      return new Response('busy', { status: 503 });
    },
    resync: false,
    recovery: { allow: (move) => move !== 'repeat' },
  });
  void mounted.chat.sendMessage({ text: 'hi' });
  await world.advance(60_000);
  expect(posts).toBe(1);
  expect(mounted.pending()).toEqual(['failed: hi']);
  await mounted.unmount();
});

const eventStream = (...chunks: object[]) =>
  new Response(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  });
const said = (text: string) => [
  { type: 'start' },
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: text },
  { type: 'text-end', id: 't' },
  { type: 'finish', finishReason: 'stop' },
];

test('`detectSoftFailure` may name a failure of a settled reply; `false` switches all such rules off', async () => {
  const world = createManualWorld();
  const told = await mountChat(world, {
    id: 'soft',
    resync: false,
    fetch: async () => eventStream(...said('I cannot help with that.')),
    detectSoftFailure: (message) =>
      JSON.stringify(message.parts).includes('cannot') ? { code: 'provider_refused' } : undefined,
  });
  void told.chat.sendMessage({ text: 'hi' });
  await world.settle();
  expect(told.chat.failure?.error.code).toBe('provider_refused');
  expect(told.screen()).toHaveLength(2);
  await told.unmount();

  const off = await mountChat(world, {
    id: 'hard',
    resync: false,
    fetch: async () => eventStream({ type: 'start' }, { type: 'finish', finishReason: 'stop' }),
    detectSoftFailure: false,
  });
  void off.chat.sendMessage({ text: 'hi' });
  await world.settle();
  expect(off.chat.failure).toBeUndefined();
  expect(off.chat.status).toBe('ready');
  await off.unmount();
});
