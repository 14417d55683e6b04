import { expect, test } from 'vitest';
import { openBrowser } from '../setup/openTabs.ts';

const TEXT = 'What is a helix?';

test('a message whose answer never came is there after a reload, and goes again with its key', async () => {
  const browser = openBrowser();
  const tab = await browser.open();
  browser.server.arm(
    { name: 'test', rules: [{ on: 'send', times: 2, fault: { do: 'drop', taken: false } }] },
    { client: tab.name, chatId: 'c1' },
  );
  await tab.send(TEXT);
  expect(browser.local.keys()).toHaveLength(1);
  await tab.reload();
  expect(tab.mounted.pending()).toEqual([`restored: ${TEXT}`]);
  expect(await browser.truth()).toEqual([]);
  await tab.press('send-again');
  await tab.rest();
  expect((await browser.truth())[0]).toBe(`user: ${TEXT}`);
  expect(new Set(browser.keys()).size).toBe(1);
  expect(browser.keys().length).toBeGreaterThan(1);
  expect(tab.mounted.pending()).toEqual([]);
  expect(browser.local.keys()).toEqual([]);
  expect(await browser.leftovers()).toEqual([]);
});
