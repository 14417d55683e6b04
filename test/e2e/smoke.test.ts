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
