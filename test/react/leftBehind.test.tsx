import type { UIMessage } from 'ai';
import { createHelixChat, type HelixChat } from 'helix-chat/react';
import { createFaultServer, createManualWorld, type FaultServer } from 'helix-chat/testing';
import { describe, expect, test } from 'vitest';
import { asked } from '../setup/faultRules.ts';
import { lines, type MountedChat, mountChat } from '../setup/mountChat.tsx';
import { firstAnswerNeverComes, instead } from '../setup/networkLayers.ts';
import { CHAT, leftovers, type Play, play } from '../setup/playScenario.ts';

const FIRST = 'What is a helix?';
const CHANGED = 'What is a spiral?';

/** What has become of a request whose answer never comes. */
type Lost = 'arrived' | 'been lost';

interface Page {
  readonly world: ReturnType<typeof createManualWorld>;
  readonly server: FaultServer;
  readonly chat: HelixChat<UIMessage>;
  mounted: MountedChat;
  /** From now on answers to sends do not come. */
  lose(lost: Lost): void;
  remount(): Promise<void>;
}

/** A chat of its own that is mounted, left while a request is under way, and mounted again. */
async function openPage(requestKeys: boolean): Promise<Page> {
  const world = createManualWorld();
  const server = createFaultServer({ world });
  let losing: Lost | undefined;
  const chat = createHelixChat<UIMessage>({
    id: CHAT,
    world,
    requestKeys,
    resync: true,
    async fetch(input, init) {
      const isSend = init?.method === 'POST' && String(input).endsWith('/chat');
      if (!isSend || losing === undefined) return server.fetch(input, init);
      const { signal, ...rest } = init;
      if (losing === 'arrived') void (await server.fetch(input, rest)).text().catch(() => {});
      return new Promise<Response>((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
      });
    },
  });
  const page: Page = {
    world,
    server,
    chat,
    mounted: await mountChat(world, { chat }),
    lose(lost) {
      losing = lost;
    },
    async remount() {
      await page.mounted.unmount();
      losing = undefined;
      page.mounted = await mountChat(world, { chat });
    },
  };
  return page;
}

const rest = (page: Page): Promise<void> =>
  page.world.runUntil(() => page.mounted.chat.recovery.name === 'idle', 20_000);

const texts = (page: Page): string[] =>
  page.mounted.frames.flatMap((frame) => [
    ...new Set(
      frame.texts.filter(
        (line, at) => line.startsWith('user: ') && frame.texts.indexOf(line) !== at,
      ),
    ),
  ]);

describe.each([
  ['with keys', true],
  ['without keys', false],
])('left while an edit is under way, %s', (_name, requestKeys) => {
  async function leaveAnEdit(lost: Lost): Promise<Page> {
    const page = await openPage(requestKeys);
    void page.mounted.chat.sendMessage({ text: FIRST });
    await page.world.settle();
    await rest(page);
    page.lose(lost);
    const id = page.mounted.chat.messages[0]?.id ?? '';
    void page.mounted.chat.sendMessage({ text: CHANGED, messageId: id });
    await page.world.advance(100);
    await page.remount();
    return page;
  }

  test('an edit that had arrived stands in the conversation when the person is back, and nowhere else', async () => {
    const page = await leaveAnEdit('arrived');
    await rest(page);
    await page.world.advance(20_000);
    expect(page.mounted.pending()).toEqual([]);
    expect(page.mounted.screen()).toEqual(lines(await page.server.transcript(CHAT)));
    expect(page.mounted.screen()[0]).toBe(`user: ${CHANGED}`);
    expect(texts(page)).toEqual([]);
    await page.mounted.unmount();
  });

  test('an edit that had not arrived waits with its text when the person is back, and the history is what it was', async () => {
    const page = await leaveAnEdit('been lost');
    await rest(page);
    await page.world.advance(20_000);
    expect(page.mounted.pending()).toEqual([`parked: ${CHANGED}`]);
    expect(page.mounted.screen()).toEqual(lines(await page.server.transcript(CHAT)));
    expect(page.mounted.screen()[0]).toBe(`user: ${FIRST}`);
    expect(texts(page)).toEqual([]);
    await page.mounted.unmount();
  });
});

test.each<Lost>(['arrived', 'been lost'])(
  'left while another reply is asked for, which had %s: the reply that was is there when the person is back',
  async (lost) => {
    const page = await openPage(true);
    void page.mounted.chat.sendMessage({ text: FIRST });
    await page.world.settle();
    await rest(page);
    const before = page.mounted.screen();
    page.lose(lost);
    void page.mounted.chat.regenerate();
    await page.world.advance(100);
    expect(page.mounted.screen()).toHaveLength(1);
    await page.remount();
    expect(page.mounted.frames[0]?.texts).toEqual(before);
    await rest(page);
    await page.world.advance(20_000);
    expect(page.mounted.screen()).toEqual(lines(await page.server.transcript(CHAT)));
    await page.mounted.unmount();
  },
);

describe.each([
  ['with keys', true],
  ['without keys', false],
])('an edit of a message that is stopped on its way, %s', (_name, requestKeys) => {
  /** The server takes a message, its answer does not come; nothing can be read for a while; the person changes it. */
  async function editOnItsWay(): Promise<Play> {
    let dark = true;
    const game = await play({ requestKeys }, (through, world) => {
      const unread = instead('snapshot', () => {
        if (dark) throw new TypeError('Failed to fetch');
        return undefined;
      });
      return firstAnswerNeverComes(unread(through, world), world);
    });
    await game.rest();
    game.mounted.chat.dismiss();
    await game.send(FIRST);
    const id = game.mounted.chat.messages[0]?.id ?? '';
    void game.mounted.chat.sendMessage({ text: CHANGED, messageId: id });
    await game.world.advance(1500);
    dark = false;
    await game.world.advance(60_000);
    return game;
  }

  test('is not lost when that message had arrived after all', async () => {
    const game = await editOnItsWay();
    for (const { id } of game.mounted.chat.pendingSends) {
      void game.mounted.chat.act('send-again', { id });
      await game.world.advance(20_000);
    }
    void game.mounted.chat.resync();
    await game.world.advance(20_000);
    const there = await asked(game);
    expect(there.filter((line) => line === `user: ${CHANGED}`)).toHaveLength(1);
    expect(there.filter((line) => line === `user: ${FIRST}`).length).toBeLessThan(2);
    expect(game.mounted.pending()).toEqual([]);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });
});
