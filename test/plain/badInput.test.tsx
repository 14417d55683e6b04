import { Chat } from '@ai-sdk/react';
import { DefaultChatTransport, type UIMessage } from 'ai';
import {
  createHelixChat,
  HelixChatTransport,
  HelixProvider,
  type UseHelixChatOptions,
  useHelixChat,
} from 'helix-chat/react';
import { createManualWorld, type ManualWorld } from 'helix-chat/testing';
import { renderToString } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { type MountedChat, mountChat } from '../setup/mountChat.tsx';

type Options = UseHelixChatOptions<UIMessage>;

/** What a developer wrote in JavaScript, where no type was in the way. */
const untyped = (options: object): Options => options as Options;

function Probe({ options }: { readonly options: Options }) {
  useHelixChat(options);
  return null;
}

/** What happened, what it causes, what to do: three sentences after the name of the package. */
function expectThreeParts(thrown: unknown): void {
  expect(thrown).toBeInstanceOf(Error);
  const { message } = thrown as Error;
  expect(message).toMatch(/^\[helix-chat\] /);
  expect(
    message.slice('[helix-chat] '.length).split(/(?<=[.)"'])\s+(?=[A-Z`'])/).length,
    message,
  ).toBeGreaterThanOrEqual(3);
}

const thrownBy = (run: () => unknown): unknown => {
  try {
    run();
  } catch (thrown) {
    return thrown;
  }
  return undefined;
};

const stock = new DefaultChatTransport<UIMessage>({ api: '/api/chat' });
const throwing = () => {
  throw new Error('no tenant yet');
};

const malformed: Record<string, () => Options> = {
  'a negative time': () => ({ recovery: { idleMs: -1 } }),
  'a time that is no number': () => ({ recovery: { backoffMs: Number.NaN } }),
  'a wait without an end': () => ({ recovery: { patienceMs: Number.POSITIVE_INFINITY } }),
  'a negative budget': () => ({ recovery: { budget: { moves: -1, perMs: 60_000 } } }),
  'a text for a limit': () => untyped({ recovery: { repeats: '3' } }),
  'a list for a limit': () => untyped({ recovery: { repeats: [3] } }),
  'a limit that does not exist': () => untyped({ recovery: { idelMs: 5_000 } }),
  'a policy that is none': () => untyped({ recovery: 'fast' }),
  '`allow` that is no function': () => untyped({ recovery: { allow: true } }),
  'an unknown conflict policy': () => untyped({ onConflict: 'queue' }),
  'an unknown stop mode': () => untyped({ stopServer: 'kill' }),
  'a URL function that throws': () => ({ resync: { snapshot: throwing } }),
  'a URL function that gives nothing': () => untyped({ resync: { stop: () => undefined } }),
  'a route that does not exist': () => untyped({ resync: { snapshots: '/x' } }),
  'routes that are a list': () => untyped({ resync: ['/x'] }),
  'routes that are a word': () => untyped({ resync: 'yes' }),
  'keys that are a word': () => untyped({ requestKeys: 'always' }),
  'adapters that are no list': () => untyped({ adapters: () => undefined }),
  'a world that is none': () => untyped({ world: {} }),
  'a transport that sends nothing': () => untyped({ transport: {} }),
  'a stock `Chat`': () => untyped({ chat: new Chat<UIMessage>({ transport: stock }) }),
  'nothing as a shared chat': () => untyped({ chat: undefined }),
  '`experimental_queue`': () => untyped({ experimental_queue: true }),
  'routes in two places': () => ({
    resync: true,
    transport: new HelixChatTransport({ routes: true }),
  }),
  'keys in two places': () => ({
    requestKeys: true,
    transport: new HelixChatTransport({ requestKeys: false }),
  }),
  'adapters in two places': () => ({
    adapters: [],
    transport: new HelixChatTransport({ adapters: [() => undefined] }),
  }),
  '`api` beside a transport': () => ({ api: '/api/chat', transport: stock }),
  '`headers` beside a transport': () => ({ headers: { a: 'b' }, transport: stock }),
  '`body` beside a transport': () => ({ body: {}, transport: stock }),
  '`credentials` beside a transport': () => ({ credentials: 'include', transport: stock }),
  '`fetch` beside a transport': () => ({ fetch, transport: stock }),
  'a prepared send beside a transport': () => ({
    prepareSendMessagesRequest: () => ({ body: {} }),
    transport: stock,
  }),
  'a prepared join beside a transport': () => ({
    prepareReconnectToStreamRequest: () => ({}),
    transport: stock,
  }),
};

describe('a malformed option is an error in three parts as soon as it is drawn', () => {
  test.each(Object.entries(malformed))('%s', (_, options) => {
    expectThreeParts(thrownBy(() => renderToString(<Probe options={options()} />)));
  });

  test.each(
    Object.entries(malformed).filter(
      ([name]) => !/URL|Chat`|shared|two places|world|adapters|route|keys|sends/.test(name),
    ),
  )('%s, in `createHelixChat` before anything is drawn', (_, options) => {
    expectThreeParts(thrownBy(() => createHelixChat(options() as object)));
  });

  test.each([
    { timeouts: { idleMs: -1 } },
    { timeouts: { idleMs: Number.NaN } },
    { timeouts: { idelMs: 1 } },
    { triggers: ['superseded'] },
    { isTerminal: true },
    { routes: 'no' },
  ])('%o, in a HelixChatTransport when it is made', (options) => {
    expectThreeParts(thrownBy(() => new HelixChatTransport(options as object)));
  });

  test('a negative time in a provider', () => {
    expectThreeParts(
      thrownBy(() => renderToString(<HelixProvider recovery={{ pollMs: -1 }}>x</HelixProvider>)),
    );
  });

  test.each(['__proto__', 'constructor', 'a/b?c#d', '..', 'é', ''])(
    'the chat id %j is none of them',
    (id) => {
      expect(thrownBy(() => renderToString(<Probe options={{ id }} />))).toBeUndefined();
    },
  );
});

/** A chat whose every request would be counted. */
async function mountCounted(
  options: Options = {},
): Promise<MountedChat & { readonly world: ManualWorld; requests(): number; posts(): number }> {
  const world = createManualWorld();
  const methods: string[] = [];
  const mounted = await mountChat(world, {
    messages: [
      { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'one' }] },
      { id: 'a1', role: 'assistant', parts: [{ type: 'text', text: 'two' }] },
    ],
    fetch: (_, init) => {
      methods.push(init?.method ?? 'GET');
      return Promise.resolve(new Response(null, { status: 404 }));
    },
    ...options,
  });
  return Object.assign(mounted, {
    world,
    requests: () => methods.length,
    posts: () => methods.filter((method) => method === 'POST').length,
  });
}

describe('a call that cannot be meant is an error in three parts, and nothing is sent', () => {
  const text = 'three';
  const calls: Record<string, (chat: MountedChat['chat']) => Promise<unknown>> = {
    'a request key with a space': (chat) =>
      chat.sendMessage({ text }, { headers: { 'X-Helix-Request-Key': 'a b' } }),
    'an empty request key': (chat) =>
      chat.sendMessage({ text }, { headers: { 'x-helix-request-key': '' } }),
    'a request key that is too long': (chat) =>
      chat.sendMessage(
        { text },
        { headers: new Headers({ 'X-Helix-Request-Key': 'k'.repeat(129) }) },
      ),
    'a request key with a space, for another reply': (chat) =>
      chat.regenerate({ headers: { 'X-Helix-Request-Key': 'a b' } }),
    'another reply to a message that does not exist': (chat) =>
      chat.regenerate({ messageId: 'nobody' }),
    'an edit of a message that does not exist': (chat) =>
      chat.sendMessage({ text, messageId: 'nobody' }),
    'an edit of the assistant’s message': (chat) => chat.sendMessage({ text, messageId: 'a1' }),
  };
  test.each(Object.entries(calls))('%s', async (_, call) => {
    const mounted = await mountCounted();
    const before = mounted.chat.messages;
    expectThreeParts(
      await call(mounted.chat).then(
        () => undefined,
        (thrown: unknown) => thrown,
      ),
    );
    expect(mounted.chat.messages).toBe(before);
    expect(mounted.chat.recovery.name).toBe('idle');
    expect(mounted.chat.pendingSends).toEqual([]);
    expect(mounted.requests()).toBe(0);
    await mounted.unmount();
  });

  test('another reply in an empty chat', async () => {
    const mounted = await mountCounted({ messages: [] });
    expectThreeParts(
      await mounted.chat.regenerate().then(
        () => undefined,
        (thrown: unknown) => thrown,
      ),
    );
    expect(mounted.requests()).toBe(0);
    await mounted.unmount();
  });

  test('a malformed key among the headers of all sends keeps the text', async () => {
    const mounted = await mountCounted({ headers: { 'X-Helix-Request-Key': 'a b' } });
    void mounted.chat.sendMessage({ text });
    await mounted.world.runUntil(() => mounted.chat.recovery.name === 'failed');
    expectThreeParts(mounted.chat.error?.cause);
    expect(mounted.posts()).toBe(0);
    expect(mounted.pending()).toEqual([`failed: ${text}`]);
    await mounted.unmount();
  });
});
