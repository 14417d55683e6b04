import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { setUpExample } from './setUpExample.ts';
import { said } from './Tab.ts';

const example = setUpExample();

test('a reply arrives, and a reload shows the same conversation', async () => {
  const tab = await example.open();
  await tab.send('What makes a good survey?');
  await tab.settled(1);
  const before = await tab.expectTruth();
  expect(before[0]).toEqual(said('user', 'What makes a good survey?'));
  expect(before).toHaveLength(2);
  await tab.page.reload();
  await tab.settled(1);
  expect(await tab.screen()).toEqual(before);
});

test('a reload in mid-reply joins the running reply', async () => {
  const tab = await example.open();
  await tab.send('Tell me about tea');
  await tab.replies().first().getByText('tea').waitFor();
  await tab.page.reload();
  await tab.settled(1);
  expect(await tab.expectTruth()).toHaveLength(2);
});

test('a file travels with its message and is read by the model', async () => {
  const tab = await example.open();
  await tab.page.locator('input[type=file]').setInputFiles({
    name: 'notes.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('city,answers\nOslo,12\n'),
  });
  await tab.page.getByText('notes.csv').waitFor();
  await tab.send('Sum this up');
  await tab.settled(1);
  await tab.replies().first().getByText('city,answers').waitFor();
  const { messages } = await tab.snapshot();
  expect(messages[0]?.parts.map((part) => part.type)).toEqual(['file', 'text']);
  expect(tab.complaints).toEqual([]);
});

test('another reply takes the place of the last one', async () => {
  const tab = await example.open();
  await tab.send('Name three rivers');
  await tab.settled(1);
  const [, first] = await tab.expectTruth();
  await tab.replies().first().hover();
  await tab.button('Write another reply').click();
  await tab.until('sending', 'streaming');
  await tab.settled(1);
  const after = await tab.expectTruth();
  expect(after).toHaveLength(2);
  expect(after[1]).not.toEqual(first);
});

test('an edited message replaces the old one and what followed it', async () => {
  const tab = await example.open();
  await tab.send('Plan a trip to Rome');
  await tab.settled(1);
  await tab.conversation().locator('[data-role="user"]').hover();
  await tab.button('Edit this message').click();
  await tab.send('Plan a trip to Lima');
  await tab.until('sending', 'streaming');
  await tab.settled(1);
  const after = await tab.expectTruth();
  expect(after).toHaveLength(2);
  expect(after[0]).toEqual(said('user', 'Plan a trip to Lima'));
});

test('a draft outlives a reload', async () => {
  const tab = await example.open();
  await tab.composer().fill('half a thought');
  await tab.page.reload();
  await expect.poll(() => tab.composer().inputValue()).toBe('half a thought');
});

test('on a phone the panel is a sheet that Escape closes', async () => {
  const tab = await example.open();
  await tab.page.setViewportSize({ width: 390, height: 844 });
  await tab.button('Faults').click();
  await tab.page.getByRole('combobox', { name: 'Fault', exact: true }).waitFor();
  await tab.page.keyboard.press('Escape');
  await tab.send('Fits in a pocket');
  await tab.settled(1);
  const width = await tab.page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBe(390);
  await tab.expectTruth();
});

test('the panel logs each request and each state, without announcing them', async () => {
  const tab = await example.open();
  const log = tab.page.getByRole('log', { name: 'Recovery', exact: true });
  expect(await log.getAttribute('aria-live')).toBe('off');
  await tab.arm('unavailable');
  await tab.send('What does the log say?');
  await tab.settled(1);
  const titles = await log.locator('.log-title').allInnerTexts();
  const told = ['Send', 'Send: refused', 'backing-off', 'Send', 'streaming', 'idle'];
  let from = 0;
  for (const title of told) {
    from = titles.indexOf(title, from) + 1;
    expect({ title, found: from > 0 }).toEqual({ title, found: true });
  }
  await tab.page.getByText('2 messages, ended; as on screen').waitFor();
});

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

test.each(['light', 'dark'] as const)('axe finds nothing, %s', async (colorScheme) => {
  const tab = await example.open();
  await tab.page.emulateMedia({ colorScheme });
  await tab.page.reload();
  await tab.send('Is everyone able to read this?');
  await tab.settled(1);
  await tab.arm('busy');
  await tab.send('And this?');
  await tab.until('waiting-on-run');
  await tab.replies().nth(1).waitFor();
  await tab.page.addScriptTag({ path: axe });
  const violations = await tab.page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    const found = await axe.run(document);
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
  expect(violations).toEqual([]);
});
