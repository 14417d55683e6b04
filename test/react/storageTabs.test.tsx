import { beforeEach, describe, expect, test } from 'vitest';
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
import { type Browser, type Death, openBrowser, type Tab } from '../setup/openTabs.ts';

describe('two tabs', () => {
  // Both are in one page of the test, of which the developer hears.
  beforeEach(() => {
    collectNotes();
  });

  /** One tab has a message that failed; the other one was opened after that, and shows it too. */
  async function both(
    mode: Mode = MODES[1] as Mode,
  ): Promise<{ browser: Browser; tabs: readonly [Tab, Tab] }> {
    const browser = openBrowser(mode.between);
    const first = await browser.open(mode.options);
    script(browser, first, refused);
    await first.send(TEXT);
    await first.rest();
    expect(first.mounted.pending()).toEqual([`failed: ${TEXT}`]);
    const second = await browser.open(mode.options);
    expect(second.mounted.pending()).toEqual([`restored: ${TEXT}`]);
    return { browser, tabs: [first, second] };
  }

  test.each(MODES)('that press at the same time post once, $name', async (mode) => {
    const { browser, tabs } = await both(mode);
    for (const tab of tabs) void tab.mounted.chat.act('send-again');
    await browser.world.settle();
    for (const tab of tabs) await tab.rest();
    expect(browser.posts()).toBe(2);
    expect(await copies(browser)).toBe(1);
    for (const tab of tabs) {
      expect(tab.mounted.pending()).toEqual([]);
      if (mode.options.resync) expect(tab.mounted.screen()).toEqual(await browser.truth());
    }
    await expectClean(browser);
  });

  test.each([0, 1])(
    'a press in one of them (%i) takes the message out of the other',
    async (which) => {
      const { browser, tabs } = await both();
      const [pressed, other] = [tabs[which], tabs[1 - which]] as [Tab, Tab];
      const id = other.mounted.chat.pendingSends[0]?.id;
      await pressed.press('send-again');
      expect(other.mounted.pending()).toEqual([]);
      await pressed.rest();
      expect(await copies(browser)).toBe(1);
      await other.press('send-again', id);
      await other.rest();
      expect(browser.posts()).toBe(2);
      await expectClean(browser);
    },
  );

  test('what one of them takes back is not handed out by the other', async () => {
    const { browser, tabs } = await both();
    const [first, second] = tabs;
    const given = await Promise.all([
      second.mounted.chat.cancelPendingSend(),
      first.mounted.chat.cancelPendingSend(),
    ]);
    expect(given.filter((message) => message !== undefined)).toHaveLength(1);
    expect(tabs.map((tab) => tab.mounted.pending())).toEqual([[], []]);
    expect(await browser.truth()).toEqual([]);
    await expectClean(browser);
  });

  test('a message that is on its way in one of them is not shown by the other', async () => {
    const browser = openBrowser();
    const first = await browser.open({}, firstAnswerNeverComes);
    await first.send(TEXT);
    const second = await browser.open({ resync: false });
    await browser.world.advance(200_000);
    expect(second.mounted.pending()).toEqual([]);
    await expectCleanUnlessPending(browser);
  });

  test.each<Death>(['reload', 'navigate', 'crash'])(
    'a message of a tab that has died (%s) on its way is shown in time, and goes once',
    async (death) => {
      const browser = openBrowser(keepIds);
      const first = await browser.open({ requestKeys: false }, () => () => new Promise(() => {}));
      await first.send(TEXT);
      await first.die(death);
      const second = await browser.open({ requestKeys: false });
      // A tab that heard of its end has let go; of one that did not nobody knows for a while whether it lives.
      expect(second.mounted.pending()).toEqual(death === 'crash' ? [] : [`restored: ${TEXT}`]);
      await browser.world.advance(90_001);
      expect(second.mounted.pending()).toEqual([`restored: ${TEXT}`]);
      await second.press('send-again');
      await second.rest();
      expect(await copies(browser)).toBe(1);
      expect(second.mounted.pending()).toEqual([]);
      // For a page that may come back it is noted for a day that the message has gone; not its text.
      if (death !== 'reload') {
        expect(stored(browser).map(({ send }) => send)).toEqual([undefined]);
        await browser.world.advance(86_400_000);
        await browser.open();
      }
      await expectClean(browser);
    },
  );

  test('a tab that slept while another one sent its message does not send it again', async () => {
    const browser = openBrowser(keepIds);
    const first = await browser.open({ ...MODES[2]?.options });
    script(browser, first, {
      on: 'send',
      fault: { do: 'refuse', status: 503, headers: { 'retry-after': '50' }, body: 'no' },
    });
    await first.send(TEXT);
    await browser.world.runUntil(() => first.mounted.chat.recovery.name === 'backing-off');
    // It is put away with all its timers, and comes back unchanged.
    first.world.emit('leaving');
    const second = await browser.open({ ...MODES[2]?.options });
    await second.press('send-again');
    await second.rest();
    expect(await copies(browser)).toBe(1);
    first.world.emit('restored');
    await browser.world.advance(120_000);
    expect(await copies(browser)).toBe(1);
    expect(first.mounted.pending()).toEqual([]);
    expect(first.mounted.screen()).toEqual([]);
    expect(first.mounted.chat.recovery.name).toBe('idle');
    await expectClean(browser);
  });

  test('a tab that slept while another one posted its message in the dark looks for it before it repeats', async () => {
    const state = { reads: true };
    const readsFail: Layer = instead('snapshot', () =>
      state.reads ? undefined : new Response('no', { status: 503 }),
    );
    const browser = openBrowser(keepIds);
    const first = await browser.open({ requestKeys: false });
    script(browser, first, {
      on: 'send',
      fault: { do: 'refuse', status: 503, headers: { 'retry-after': '50' }, body: 'no' },
    });
    await first.send(TEXT);
    await browser.world.runUntil(() => first.mounted.chat.recovery.name === 'backing-off');
    first.world.emit('leaving');
    const second = await browser.open({ requestKeys: false }, readsFail);
    script(browser, second, lost(true));
    state.reads = false;
    await second.press('send-again');
    await second.rest();
    expect(second.mounted.pending()).toEqual([`failed: ${TEXT}`]);
    first.world.emit('restored');
    await browser.world.advance(120_000);
    expect(await copies(browser)).toBe(1);
    expect(first.mounted.pending()).toEqual([]);
    expect(first.mounted.screen()).toEqual(await browser.truth());
    // The other one learns that it is there as soon as it can read.
    state.reads = true;
    await second.mounted.chat.resync();
    await second.rest();
    expect(second.mounted.pending()).toEqual([]);
    await expectClean(browser);
  });

  test('each with a message of its own: neither writes over the other', async () => {
    const browser = openBrowser();
    const tabs = [await browser.open(), await browser.open()];
    for (const tab of tabs) {
      script(browser, tab, refused);
      await tab.send(`of ${tab.name}`);
      await tab.rest();
    }
    expect(stored(browser)).toHaveLength(2);
    for (const tab of tabs) await tab.die('crash');
    const third = await browser.open();
    expect(third.mounted.pending()).toEqual(tabs.map(({ name }) => `restored: of ${name}`));
    await expectCleanUnlessPending(browser);
  });

  test('a store that somebody emptied loses nothing that a tab still shows', async () => {
    const { browser, tabs } = await both();
    browser.local.put(browser.local.keys()[0] ?? '', undefined);
    expect(tabs.map((tab) => tab.mounted.pending().length)).toEqual([1, 1]);
    expect(stored(browser)).toHaveLength(1);
    await tabs[0].press('send-again');
    await tabs[0].rest();
    expect(tabs[1].mounted.pending()).toEqual([]);
    expect(await copies(browser)).toBe(1);
    await expectClean(browser);
  });
});
