import { SCENARIOS } from 'helix-chat/testing';
import { describe, expect, test } from 'vitest';
import { setUpExample } from './setUpExample.ts';
import { said } from './Tab.ts';

const example = setUpExample();
const question = 'How do rivers find the sea?';
const asked = said('user', question);

describe('each fault of the panel ends as it promises', () => {
  test.each(SCENARIOS)('$name', async ({ name, promise }) => {
    const tab = await example.open();
    await tab.arm(name);
    await tab.send(question);
    if (promise.ends === 'idle') await tab.settled(1);
    else await tab.until('failed');
    await tab.quietServer();
    const copies = (await tab.truth()).filter(({ text }) => text === asked.text);
    expect(copies).toHaveLength(promise.sent === 'once' ? 1 : 0);
    if (promise.incomplete) {
      await tab.page.locator('[data-helix-ui="error-banner"]').waitFor();
      expect(tab.complaints).toEqual([]);
    } else await tab.expectTruth();
    await tab.conversation().getByText(question, { exact: true }).waitFor();
    await tab.expectNoServerText();
  });
});

describe('faults that need a person', () => {
  test('after an unclassified failure another reply is one press away', async () => {
    const tab = await example.open();
    await tab.arm('unclassified');
    await tab.send(question);
    await tab.until('failed');
    await tab.act('new-reply');
    await tab.settled(1);
    const truth = await tab.expectTruth();
    expect(truth).toHaveLength(2);
    expect(truth[0]).toEqual(asked);
  });
});

describe('a reload', () => {
  test('of a page with a message that did not get through: it waits, and goes once', async () => {
    const tab = await example.open();
    await tab.arm('signed-out');
    await tab.send(question);
    await tab.until('failed');
    await tab.page.reload();
    await tab.composer().waitFor();
    const waiting = tab.page.locator(
      '[data-helix-ui="pending-sends"] [data-helix-state="restored"]',
    );
    await waiting.getByText(question, { exact: true }).waitFor();
    expect(await tab.truth()).toEqual([]);
    await waiting.locator('[data-helix-action="send-again"]').click();
    await tab.settled(1);
    const truth = await tab.expectTruth();
    expect(truth).toHaveLength(2);
    expect(truth[0]).toEqual(asked);
    await tab.page.reload();
    await tab.settled(1);
    await tab.expectTruth();
    expect(tab.complaints).toEqual([]);
  });
});

describe('the composer', () => {
  test('an edit sets the draft aside, and giving it up brings the draft back', async () => {
    const tab = await example.open();
    await tab.send(question);
    await tab.settled(1);
    await tab.composer().fill('What I was about to write');
    await tab.button('Edit this message').click();
    await expect.poll(() => tab.composer().inputValue()).toBe(question);
    await tab.composer().fill('Changed');
    await tab.button('Edit this message').click();
    expect(await tab.composer().inputValue()).toBe('Changed');
    await tab.button('Keep it as it was').click();
    expect(await tab.composer().inputValue()).toBe('What I was about to write');
    await tab.expectTruth();
  });

  test('arming another fault leaves a failure and its message where they are', async () => {
    const tab = await example.open();
    await tab.arm('auth');
    await tab.send(question);
    await tab.until('failed');
    await tab.arm('silent');
    await tab.until('failed');
    await tab.conversation().getByText(question, { exact: true }).waitFor();
    await tab.page.locator('[data-helix-action]').first().waitFor();
  });
});

describe('another reply is in the way', () => {
  test('waiting: the message goes by itself when that reply has ended', async () => {
    const tab = await example.open();
    await tab.arm('busy');
    await tab.send(question);
    await tab.until('waiting-on-run');
    await tab.settled(2);
    const truth = await tab.expectTruth();
    expect(truth).toHaveLength(4);
    expect(truth[2]).toEqual(asked);
    await tab.expectNoServerText();
  });

  test('stop and send: that reply ends, the message goes at once', async () => {
    const tab = await example.open();
    await tab.arm('busy');
    await tab.send(question);
    await tab.until('waiting-on-run');
    await tab.act('stop-send');
    await tab.settled(2);
    expect(await tab.page.locator('[data-helix-ui="conflict-notice"]').count()).toBe(0);
    expect(await tab.composer().evaluate((box) => box === document.activeElement)).toBe(true);
    const truth = await tab.expectTruth();
    expect(truth.filter(({ role }) => role === 'user')).toHaveLength(2);
    expect(truth.filter(({ text }) => text === asked.text)).toHaveLength(1);
  });

  test('take back: the text returns to the composer and was never sent', async () => {
    const tab = await example.open();
    await tab.arm('busy');
    await tab.send(question);
    await tab.until('waiting-on-run');
    await tab.act('take-back');
    await expect.poll(() => tab.composer().inputValue()).toBe(question);
    await tab.settled(1);
    const truth = await tab.expectTruth();
    expect(truth).toHaveLength(2);
    expect(truth.map(({ text }) => text)).not.toContain(asked.text);
  });

  test('two tabs of one chat: both messages arrive, each once', async () => {
    const first = await example.open();
    const second = await example.open(first.chatId);
    await first.send('From the first tab');
    await first.replies().first().getByText('first tab').waitFor();
    await second.send('From the second tab');
    await second.until('waiting-on-run');
    await second.settled(2);
    const truth = await second.expectTruth();
    expect(truth.filter(({ role }) => role === 'user')).toEqual([
      said('user', 'From the first tab'),
      said('user', 'From the second tab'),
    ]);
    expect(first.complaints).toEqual([]);
  });
});

describe('connection and stop', () => {
  test('offline, then online: the message waits and is sent once', async () => {
    const tab = await example.open();
    await tab.page.context().setOffline(true);
    await tab.send(question);
    await tab.until('backing-off');
    expect(await tab.truth()).toEqual([]);
    await tab.page.context().setOffline(false);
    await tab.settled(1);
    const truth = await tab.expectTruth();
    expect(truth).toHaveLength(2);
    expect(truth[0]).toEqual(asked);
  });

  test('stop: the reply ends where it is, and nothing is called an error', async () => {
    const tab = await example.open();
    await tab.send(question);
    await tab.replies().first().getByText('rivers').waitFor();
    await tab.button('Stop').click();
    await tab.until('idle');
    const truth = await tab.expectTruth();
    expect(truth[0]).toEqual(asked);
    await tab.page.locator('[data-truth="same"]').getByText('ended').waitFor();
    const alerts = await tab.page.getByRole('alert').allInnerTexts();
    expect(alerts.filter((text) => text !== '')).toEqual([]);
    expect(await tab.page.locator('[data-recovery="failed"]').count()).toBe(0);
  });
});
