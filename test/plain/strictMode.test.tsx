import type { UIMessage } from 'ai';
import type { UseHelixChatOptions } from 'helix-chat/react';
import { createFaultServer, createManualWorld } from 'helix-chat/testing';
import { describe, expect, test } from 'vitest';
import { lines, mountChat } from '../setup/mountChat.tsx';

const TEXT = 'What is a helix?';

/** A protocol server on which another client's reply is being written, or has been. */
async function serverWithReply(state: 'running' | 'over') {
  const world = createManualWorld();
  const server = createFaultServer({ world });
  const turn = await server.foreignSend('c1', TEXT, { totalMs: 2_000 });
  await world.advance(state === 'running' ? 600 : 10_000);
  if (state === 'over') await turn.ended();
  const before = server.requests.length;
  const since = (route: string): number =>
    server.requests.slice(before).filter((request) => request.route === route).length;
  const mount = (options: UseHelixChatOptions<UIMessage> = {}) =>
    mountChat(world, { id: 'c1', fetch: server.fetch, resync: true, ...options });
  const truth = async (): Promise<string[]> => lines(await server.transcript('c1'));
  return { world, server, since, mount, truth };
}

describe('in StrictMode', () => {
  test.each([{}, { resume: true }])(
    'a mount while a reply runs is one read and one stream (%o)',
    async (options) => {
      const { world, since, mount, truth } = await serverWithReply('running');
      const mounted = await mount(options);
      await world.runUntil(() => mounted.chat.status === 'streaming');
      expect([since('snapshot'), since('stream')]).toEqual([1, 1]);
      await world.runUntil(() => mounted.chat.recovery.name === 'idle');
      await world.advance(60_000);
      expect([since('snapshot'), since('stream'), since('send')]).toEqual([1, 1, 0]);
      expect(mounted.screen()).toEqual(await truth());
      await mounted.unmount();
    },
  );

  test('a mount when all is over is one read and no stream', async () => {
    const { world, since, mount, truth } = await serverWithReply('over');
    const mounted = await mount();
    await world.advance(60_000);
    expect([since('snapshot'), since('stream'), since('send')]).toEqual([1, 0, 0]);
    expect(mounted.screen()).toEqual(await truth());
    await mounted.unmount();
  });

  test('`resume: false` reads nothing on mount', async () => {
    const { world, since, mount } = await serverWithReply('running');
    const mounted = await mount({ resume: false });
    await world.advance(60_000);
    expect([since('snapshot'), since('stream'), since('send')]).toEqual([0, 0, 0]);
    await mounted.unmount();
  });

  test('a rerender with new option objects reads and sends nothing', async () => {
    const { world, server, since, mount } = await serverWithReply('over');
    const mounted = await mount();
    await world.advance(1_000);
    for (let again = 0; again < 5; again += 1) {
      await mounted.rerender({ id: 'c1', fetch: server.fetch, resync: true, headers: { a: 'b' } });
    }
    expect([since('snapshot'), since('stream'), since('send')]).toEqual([1, 0, 0]);
    await mounted.unmount();
  });

  test('a send is one request, with the headers and body of the latest render', async () => {
    const { world, server, since, mount } = await serverWithReply('over');
    const seen: (string | null)[] = [];
    const fetch: typeof globalThis.fetch = (input, init) => {
      seen.push(new Headers(init?.headers).get('x-tenant'));
      return server.fetch(input, init);
    };
    const mounted = await mount({ fetch, headers: { 'X-Tenant': 'old' }, resume: false });
    await mounted.rerender({ id: 'c1', fetch, resync: true, headers: { 'X-Tenant': 'new' } });
    void mounted.chat.sendMessage({ text: 'and a spiral?' });
    await world.runUntil(() => mounted.chat.status === 'streaming');
    await world.runUntil(() => mounted.chat.recovery.name === 'idle');
    expect(since('send')).toBe(1);
    expect(seen).toEqual(['new']);
    await mounted.unmount();
  });
});
