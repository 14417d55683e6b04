import type { UIMessage } from 'ai';
import { createHelixChat, type HelixChatCallbacks, type HelixChatOptions } from 'helix-chat/react';
import { createFaultServer, createManualWorld, type ScenarioName } from 'helix-chat/testing';
import { afterEach, describe, expect, test } from 'vitest';
import { lines, type MountedChat, mountChat } from '../setup/mountChat.tsx';

const TEXT = 'What is a helix?';

const warn = console.warn;
afterEach(() => {
  console.warn = warn;
});

/** What one component hears, in order. */
function listener(): {
  readonly heard: string[];
  readonly callbacks: HelixChatCallbacks<UIMessage>;
} {
  const heard: string[] = [];
  return {
    heard,
    callbacks: {
      onFinish: ({ isError }) => void heard.push(isError ? 'onFinish error' : 'onFinish'),
      onError: () => void heard.push('onError'),
      onFailure: () => void heard.push('onFailure'),
      onRecovered: () => void heard.push('onRecovered'),
      onData: ({ type }) => void heard.push(type),
    },
  };
}

function start() {
  const world = createManualWorld();
  const server = createFaultServer({ world });
  const make = (id: string, options: HelixChatOptions<UIMessage> = {}) =>
    createHelixChat<UIMessage>({
      id,
      fetch: server.fetch,
      resync: true,
      requestKeys: true,
      ...options,
    });
  const posts = (id: string): number =>
    server.requests.filter(({ route, chatId }) => route === 'send' && chatId === id).length;
  const truth = async (id: string): Promise<string[]> => lines(await server.transcript(id));
  const rest = (mounted: MountedChat) =>
    world.runUntil(() => ['idle', 'failed'].includes(mounted.chat.recovery.name), 60_000);
  const clean = async (...all: readonly MountedChat[]): Promise<void> => {
    for (const mounted of all) await mounted.unmount();
    await world.advance(60_000);
    expect(world.pending()).toBe(0);
    expect(world.listeners()).toBe(0);
    expect(server.settled()).toBe(true);
  };
  return { world, server, make, posts, truth, rest, clean };
}

/** Two components that show one chat. */
async function shareOne(scenario?: ScenarioName, options: HelixChatOptions<UIMessage> = {}) {
  const all = start();
  const chat = all.make('c1', options);
  const [one, two] = [listener(), listener()];
  const first = await mountChat(all.world, { chat, ...one.callbacks });
  const second = await mountChat(all.world, { chat, ...two.callbacks });
  await all.world.advance(100);
  if (scenario !== undefined) all.server.arm(scenario, { chatId: 'c1' });
  return { ...all, chat, first, second, one: one.heard, two: two.heard };
}

describe('two components on one chat object', () => {
  test('are one read and one request; both see it and both hear it once', async () => {
    const { server, posts, truth, rest, clean, first, second, one, two } = await shareOne();
    expect(server.requests.map(({ route }) => route)).toEqual(['snapshot']);
    void first.chat.sendMessage({ text: TEXT });
    await rest(second);
    expect(posts('c1')).toBe(1);
    expect(first.screen()).toEqual(await truth('c1'));
    expect(second.screen()).toEqual(first.screen());
    expect([one, two]).toEqual([['onFinish'], ['onFinish']]);
    await clean(first, second);
  });

  test('see one failure and one draft, and what one does the other sees', async () => {
    const { world, posts, clean, rest, first, second, one, two } = await shareOne('signed-out');
    void first.chat.sendMessage({ text: TEXT });
    await rest(second);
    expect(second.chat.failure).toBe(first.chat.failure);
    expect(second.chat.error).toBe(first.chat.error);
    expect(second.pending()).toEqual([`failed: ${TEXT}`]);
    expect([one, two]).toEqual([
      ['onError', 'onFinish error', 'onFailure'],
      ['onError', 'onFinish error', 'onFailure'],
    ]);
    void second.chat.act('send-again');
    await world.settle();
    await rest(first);
    expect(first.pending()).toEqual([]);
    expect(first.screen()[0]).toBe(`user: ${TEXT}`);
    expect(posts('c1')).toBe(2);
    await clean(first, second);
  });

  test.each(['superseded', 'cut', 'busy', 'overloaded-twice'] as const)(
    'recover once: %s',
    async (scenario) => {
      const { truth, rest, clean, world, first, second, one, two } = await shareOne(scenario);
      void second.chat.sendMessage({ text: TEXT });
      await world.settle();
      await rest(first);
      expect(first.screen()).toEqual(await truth('c1'));
      expect(second.screen()).toEqual(first.screen());
      expect(one.filter((name) => name === 'onFinish')).toHaveLength(1);
      expect(two).toEqual(one);
      await clean(first, second);
    },
  );

  test('the sender may leave: the other goes on, and alone hears the end', async () => {
    const { world, posts, truth, rest, clean, first, second, one, two } = await shareOne();
    void first.chat.sendMessage({ text: TEXT });
    await world.runUntil(() => second.chat.status === 'streaming');
    await first.unmount();
    await rest(second);
    expect(second.screen()).toEqual(await truth('c1'));
    expect([one, two]).toEqual([[], ['onFinish']]);
    expect(posts('c1')).toBe(1);
    await clean(second);
  });

  test('one that comes later sees what is there, and asks for nothing', async () => {
    const { world, server, rest, clean, chat, first, second } = await shareOne();
    void first.chat.sendMessage({ text: TEXT });
    await rest(first);
    const before = server.requests.length;
    const third = await mountChat(world, { chat });
    await world.advance(1_000);
    expect(third.screen()).toEqual(first.screen());
    expect(server.requests).toHaveLength(before);
    await clean(first, second, third);
  });

  test('a callback of one that throws keeps nothing from the other', async () => {
    const all = start();
    const chat = all.make('c1');
    const reported: unknown[] = [];
    const note = (event: ErrorEvent): void => {
      reported.push(event.error);
      event.preventDefault();
    };
    window.addEventListener('error', note);
    const heard: string[] = [];
    const first = await mountChat(all.world, {
      chat,
      onFinish() {
        throw new Error('the app is broken');
      },
    });
    const second = await mountChat(all.world, {
      chat,
      onFinish: () => void heard.push('onFinish'),
    });
    await all.world.advance(100);
    const error = console.error;
    console.error = (...values: unknown[]) => void reported.push(...values);
    void first.chat.sendMessage({ text: TEXT });
    await all.rest(second);
    console.error = error;
    window.removeEventListener('error', note);
    expect(heard).toEqual(['onFinish']);
    expect(first.chat.status).toBe('ready');
    expect(reported.map(String).join()).toContain('the app is broken');
    await all.clean(first, second);
  });
});

describe('a component that turns to another chat', () => {
  const turns: Record<string, string[]> = {
    streaming: ['streaming'],
    'the first request': ['sending'],
    'a wait': ['backing-off'],
    'a run of another client': ['waiting-on-run'],
  };
  const scenarioFor: Record<string, ScenarioName | undefined> = {
    'a wait': 'rate-limited',
    'a run of another client': 'busy',
  };

  test.each(Object.keys(turns))(
    'by its id during %s: nothing of the old one reaches the new one',
    async (when) => {
      const { world, server, posts, clean } = start();
      const { heard, callbacks } = listener();
      // The first request of a send takes half a second, so that there is a time before its answer.
      const slow: typeof fetch = async (input, init) => {
        if (init?.method === 'POST') {
          await new Promise<void>((resolve) => world.after(500, resolve));
          init.signal?.throwIfAborted();
        }
        return server.fetch(input, init);
      };
      const options = (id: string) => ({
        id,
        fetch: slow,
        resync: true,
        requestKeys: true,
        ...callbacks,
      });
      const mounted = await mountChat(world, options('old'));
      await world.advance(100);
      const scenario = scenarioFor[when];
      if (scenario !== undefined) server.arm(scenario, { chatId: 'old' });
      void mounted.chat.sendMessage({ text: TEXT });
      await world.settle();
      await world.runUntil(() => turns[when]?.includes(mounted.chat.recovery.name) ?? false);
      await mounted.rerender(options('new'));
      const from = mounted.frames.length;
      const before = posts('old');
      expect(mounted.chat.id).toBe('new');
      await world.advance(120_000);
      expect(mounted.screen()).toEqual([]);
      expect(mounted.pending()).toEqual([]);
      expect(mounted.chat.recovery.name).toBe('idle');
      expect(
        mounted.frames.slice(from).flatMap(({ texts, pending }) => [...texts, ...pending]),
      ).toEqual([]);
      expect(posts('old')).toBe(before);
      expect(heard).toEqual([]);
      void mounted.chat.sendMessage({ text: 'and a spiral?' });
      await world.runUntil(() => mounted.screen().length === 2);
      await world.runUntil(() => mounted.chat.recovery.name === 'idle');
      expect(mounted.screen()[0]).toBe('user: and a spiral?');
      expect(posts('new')).toBe(1);
      await clean(mounted);
    },
  );

  test('by its object: a failed draft stays with the old one, and is there again', async () => {
    const { world, server, make, rest, clean } = start();
    const [old, next] = [make('old'), make('new')];
    const mounted = await mountChat(world, { chat: old });
    await world.advance(100);
    server.arm('signed-out', { chatId: 'old' });
    void mounted.chat.sendMessage({ text: TEXT });
    await world.settle();
    await rest(mounted);
    expect(mounted.pending()).toEqual([`failed: ${TEXT}`]);
    await mounted.rerender({ chat: next });
    await world.advance(60_000);
    expect(mounted.pending()).toEqual([]);
    expect(mounted.chat.failure).toBeUndefined();
    await mounted.rerender({ chat: old });
    await world.advance(60_000);
    expect(mounted.pending()).toEqual([`failed: ${TEXT}`]);
    void mounted.chat.act('send-again');
    await world.settle();
    await rest(mounted);
    expect(mounted.pending()).toEqual([]);
    expect(mounted.screen()[0]).toBe(`user: ${TEXT}`);
    await clean(mounted);
  });
});

describe('two components with an equal id and no shared object', () => {
  test('are two clients, and the developer is told once', async () => {
    const { world, server, clean } = start();
    const notes: string[] = [];
    console.warn = (text: unknown) => void notes.push(String(text));
    const options = { id: 'c1', fetch: server.fetch, resync: true as const };
    const first = await mountChat(world, options);
    const second = await mountChat(world, options);
    const third = await mountChat(world, options);
    await world.advance(100);
    expect(server.requests.filter(({ route }) => route === 'snapshot')).toHaveLength(3);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(/^\[helix-chat\] .*createHelixChat/);
    await clean(first, second, third);
  });
});
