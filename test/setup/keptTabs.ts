import type { FaultRule } from 'helix-chat/testing';
import { expect, onTestFinished } from 'vitest';
import { keepIds, type Layer } from './networkLayers.ts';
import type { Browser, Tab } from './openTabs.ts';
import { CHAT } from './playScenario.ts';

/** The message of these tests. */
export const TEXT = 'What is a helix?';

/** How often the conversation holds it. */
export const copies = async (browser: Browser, text = TEXT): Promise<number> =>
  (await browser.truth()).filter((line) => line === `user: ${text}`).length;

/** What goes wrong with the next requests of a tab. */
export const script = (browser: Browser, tab: Tab, ...rules: FaultRule[]): void =>
  browser.server.arm({ name: 'test', rules }, { client: tab.name, chatId: CHAT });

/** The next sends get no answer; the server has taken them, or not. */
export const lost = (taken: boolean, times = 1): FaultRule => ({
  on: 'send',
  times,
  fault: { do: 'drop', taken },
});

/** The next send is refused for good. */
export const refused: FaultRule = {
  on: 'send',
  fault: { do: 'refuse', status: 400, headers: {}, body: 'no' },
};

/** The sends in the store, as they stand there. */
export function stored(
  browser: Browser,
): { id: string; send?: Record<string, unknown>; claim?: unknown }[] {
  const [key] = browser.local.keys();
  const text = key === undefined ? undefined : browser.local.text(key);
  return text === undefined ? [] : JSON.parse(text).entries;
}

/** Nothing is left, in the store either. */
export async function expectClean(browser: Browser): Promise<void> {
  expect(browser.local.keys()).toEqual([]);
  await expectCleanUnlessPending(browser);
}

/** Nothing runs any more; the store may keep what nobody has sent. */
export async function expectCleanUnlessPending(browser: Browser): Promise<void> {
  expect(await browser.leftovers()).toEqual([]);
}

/** What the developer is told until the test ends; any note that nobody collects fails a test. */
export function collectNotes(): readonly string[] {
  const notes: string[] = [];
  const { warn } = console;
  console.warn = (text: string) => notes.push(text);
  onTestFinished(() => {
    console.warn = warn;
  });
  return notes;
}

/** What a chat knows of its server. */
export interface Mode {
  readonly name: string;
  readonly options: { readonly requestKeys: boolean; readonly resync: boolean };
  readonly between: Layer;
}

/** With keys; with a snapshot route alone; with neither. */
export const MODES: readonly Mode[] = [
  {
    name: 'with keys',
    options: { requestKeys: true, resync: true },
    between: (through) => through,
  },
  {
    name: 'without keys, on a server that takes each post for a new message',
    options: { requestKeys: false, resync: true },
    between: keepIds,
  },
  {
    name: 'without keys and routes',
    options: { requestKeys: false, resync: false },
    between: keepIds,
  },
];
