import { describe, expect, test } from 'vitest';
import {
  collectNotes,
  copies,
  expectClean,
  expectCleanUnlessPending,
  lost,
  MODES,
  type Mode,
  refused,
  script,
  stored,
  TEXT,
} from '../setup/keptTabs.ts';
import { firstAnswerNeverComes, instead, keepIds, type Layer } from '../setup/networkLayers.ts';
import { type Browser, openBrowser } from '../setup/openTabs.ts';
import { CHAT } from '../setup/playScenario.ts';

describe('a store that does not do what it should', () => {
  test.each(['full', 'throws'] as const)(
    'one that is %s is a note for the developer, and nothing else',
    async (trouble) => {
      const notes = collectNotes();
      const browser = openBrowser();
      browser.local.setTrouble(trouble);
      const tab = await browser.open();
      script(browser, tab, refused);
      await tab.send(TEXT);
      await tab.rest();
      expect(tab.mounted.pending()).toEqual([`failed: ${TEXT}`]);
      expect(notes.filter((note) => note.includes('`storage`'))).toHaveLength(1);
      await tab.press('send-again');
      await tab.rest();
      expect(await copies(browser)).toBe(1);
      browser.local.setTrouble(undefined);
      await expectClean(browser);
    },
  );

  test('one that refuses the files keeps the text, and says so to the developer', async () => {
    const notes = collectNotes();
    const browser = openBrowser();
    const { watch: _none, ...session } = browser.local.view();
    const tab = await browser.open({
      storage: {
        ...session,
        set(key, value) {
          if (value.length > 2_000) throw new DOMException('full', 'QuotaExceededError');
          session.set(key, value);
        },
      },
    });
    script(browser, tab, lost(false, 4));
    const url = `data:image/png;base64,${'A'.repeat(4_000)}`;
    const files = [{ type: 'file' as const, mediaType: 'image/png', filename: 'a.png', url }];
    void tab.mounted.chat.sendMessage({ text: TEXT, files });
    await tab.rest();
    expect(notes.filter((note) => note.includes('no room for the files'))).toHaveLength(1);
    await tab.reload();
    expect(tab.mounted.pending()).toEqual([`restored: ${TEXT}`]);
    expect(tab.mounted.chat.pendingSends[0]?.lostFiles).toEqual(['a.png']);
    await expectCleanUnlessPending(browser);
  });

  test('an option that is no store is refused at once', async () => {
    const { createHelixChat } = await import('helix-chat/react');
    for (const storage of ['cookies', {}, { get: () => null, set: () => {} }, 7, null]) {
      expect(() => createHelixChat({ id: CHAT, storage: storage as never })).toThrow(
        /\[helix-chat\] `storage` is .* would be lost.* Give 'session'/,
      );
    }
  });
});

describe('a store of the app’s own that answers by promises', () => {
  const open = async (browser: Browser, ms: number, mode: Mode = MODES[1] as Mode) => {
    const slow = { store: browser.local.slowView(browser.world, ms) };
    return browser.open({ ...mode.options, storage: slow.store });
  };

  test.each([0, 200])(
    'restores after %i ms what a reload left, and keeps what comes',
    async (ms) => {
      const browser = openBrowser(keepIds);
      const tab = await open(browser, ms);
      script(browser, tab, lost(false));
      await tab.send(TEXT);
      await browser.world.advance(1_000);
      await tab.rest();
      await tab.reload();
      await browser.world.advance(1_000);
      expect(tab.mounted.pending()).toEqual([`restored: ${TEXT}`]);
      await tab.press('send-again');
      await browser.world.advance(1_000);
      await tab.rest();
      await browser.world.advance(1_000);
      expect(await copies(browser)).toBe(1);
      expect(tab.mounted.pending()).toEqual([]);
      await expectClean(browser);
    },
  );

  test('a message that the conversation holds is not restored, however late the store answers', async () => {
    const browser = openBrowser(keepIds);
    const store = browser.local.slowView(browser.world, 2_000);
    const tab = await browser.open({ requestKeys: false, storage: store }, firstAnswerNeverComes);
    await tab.send(TEXT);
    await browser.world.advance(20_000);
    expect(stored(browser)).toHaveLength(1);
    expect(await copies(browser)).toBe(1);
    await tab.reload('crash');
    await tab.rest();
    expect(tab.mounted.screen()).toEqual(await browser.truth());
    await browser.world.advance(20_000);
    expect(tab.mounted.pending()).toEqual([]);
    expect(tab.mounted.screen()).toEqual(await browser.truth());
    await expectClean(browser);
  });

  test('two tabs that press at the same time post once', async () => {
    collectNotes();
    const browser = openBrowser(keepIds);
    const first = await open(browser, 100, MODES[2]);
    script(browser, first, refused);
    await first.send(TEXT);
    await browser.world.advance(2_000);
    const second = await open(browser, 100, MODES[2]);
    await browser.world.advance(2_000);
    expect(second.mounted.pending()).toEqual([`restored: ${TEXT}`]);
    for (const tab of [first, second]) void tab.mounted.chat.act('send-again');
    await browser.world.advance(20_000);
    expect(browser.posts()).toBe(2);
    expect(await copies(browser)).toBe(1);
    expect([...first.mounted.pending(), ...second.mounted.pending()]).toEqual([]);
    await expectClean(browser);
  });

  test('two tabs that do not hear of each other: what one posted in the dark the other one looks for', async () => {
    collectNotes();
    const state = { reads: true };
    const readsFail: Layer = instead('snapshot', () =>
      state.reads ? undefined : new Response('no', { status: 503 }),
    );
    const browser = openBrowser(keepIds);
    const openOne = (between?: Layer) =>
      browser.open(
        { requestKeys: false, storage: browser.local.slowView(browser.world, 100) },
        between,
      );
    const first = await openOne(readsFail);
    script(browser, first, refused);
    await first.send(TEXT);
    await browser.world.advance(2_000);
    const second = await openOne();
    await browser.world.advance(2_000);
    script(browser, first, lost(true));
    state.reads = false;
    await first.press('send-again');
    await browser.world.advance(20_000);
    expect(first.mounted.pending()).toEqual([`failed: ${TEXT}`]);
    expect(second.mounted.pending()).toEqual([`restored: ${TEXT}`]);
    await second.press('send-again');
    await browser.world.advance(20_000);
    expect(browser.posts()).toBe(2);
    expect(await copies(browser)).toBe(1);
    expect(second.mounted.pending()).toEqual([]);
    expect(second.mounted.screen()).toEqual(await browser.truth());
    await expectCleanUnlessPending(browser);
  });

  test('one that never answers holds up no message for long', async () => {
    collectNotes();
    const never = () => new Promise<never>(() => {});
    const browser = openBrowser(keepIds);
    const tab = await browser.open({ storage: { get: never, set: never, remove: never } });
    await tab.send(TEXT);
    await tab.rest();
    expect(await copies(browser)).toBe(1);
    await expectCleanUnlessPending(browser);
  });

  test('a stop while it is asked whether another tab has the message sends nothing', async () => {
    const browser = openBrowser(keepIds);
    const tab = await open(browser, 500);
    script(browser, tab, refused);
    await tab.send(TEXT);
    await browser.world.advance(5_000);
    const posts = browser.posts();
    await tab.press('send-again');
    await tab.mounted.chat.stop();
    await browser.world.advance(20_000);
    expect(browser.posts()).toBe(posts);
    expect(tab.mounted.pending()).toEqual([`parked: ${TEXT}`]);
    await expectCleanUnlessPending(browser);
  });
});
