import { describe, expect, test } from 'vitest';
import { setUpExample } from './setUpExample.ts';
import { said } from './Tab.ts';

const example = setUpExample();
const question = 'How do rivers find the sea?';

describe('faults that mend themselves', () => {
  const mended = [
    'rate-limited',
    'overloaded-twice',
    'superseded',
    'cut',
    'lost-response',
    'html-502',
  ];
  test.each(mended)('%s: sent once, answered once, no word of failure stays', async (scenario) => {
    const tab = await example.open();
    await tab.arm(scenario);
    await tab.send(question);
    await tab.settled(1);
    const truth = await tab.expectTruth();
    expect(truth).toHaveLength(2);
    expect(truth[0]).toEqual(said('user', question));
    await tab.expectNoServerText();
    expect(await tab.composer().inputValue()).toBe('');
  });
});

describe('faults that need a person', () => {
  test.each(['auth', 'unclassified'])(
    '%s: kept by the server, told in our own words',
    async (scenario) => {
      const tab = await example.open();
      await tab.arm(scenario);
      await tab.send(question);
      await tab.until('failed');
      expect(await tab.expectTruth()).toEqual([said('user', question)]);
      await tab.expectNoServerText();
    },
  );

  test('after an unclassified failure another reply is one press away', async () => {
    const tab = await example.open();
    await tab.arm('unclassified');
    await tab.send(question);
    await tab.until('failed');
    await tab.act('new-reply');
    await tab.settled(1);
    const truth = await tab.expectTruth();
    expect(truth).toHaveLength(2);
    expect(truth[0]).toEqual(said('user', question));
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
    expect(truth[2]).toEqual(said('user', question));
    await tab.expectNoServerText();
  });

  test('stop and send: that reply ends, the message goes at once', async () => {
    const tab = await example.open();
    await tab.arm('busy');
    await tab.send(question);
    await tab.until('waiting-on-run');
    await tab.act('stop-send');
    await tab.settled(2);
    const truth = await tab.expectTruth();
    expect(truth.filter(({ role }) => role === 'user')).toHaveLength(2);
    expect(truth.filter(({ text }) => text === said('user', question).text)).toHaveLength(1);
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
    expect(truth.map(({ text }) => text)).not.toContain(said('user', question).text);
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
    expect(truth[0]).toEqual(said('user', question));
  });

  test('stop: the reply ends where it is, and nothing is called an error', async () => {
    const tab = await example.open();
    await tab.send(question);
    await tab.replies().first().getByText('rivers').waitFor();
    await tab.button('Stop').click();
    await tab.until('idle');
    const truth = await tab.expectTruth();
    expect(truth[0]).toEqual(said('user', question));
    expect(await tab.page.getByRole('alert').allInnerTexts()).toEqual([]);
    expect(await tab.page.locator('[data-recovery="failed"]').count()).toBe(0);
  });
});
