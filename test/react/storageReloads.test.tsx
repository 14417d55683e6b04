import { SCENARIOS, type Scenario } from 'helix-chat/testing';
import { describe, expect, test } from 'vitest';
import { copies, expectClean, MODES, TEXT } from '../setup/keptTabs.ts';
import { type Browser, type Death, openBrowser, type Tab } from '../setup/openTabs.ts';
import { CHAT } from '../setup/playScenario.ts';

describe.each(MODES)('a reload at every moment of a send, $name', ({ options, between }) => {
  async function begin(scenario: Scenario): Promise<{ browser: Browser; tab: Tab; from: number }> {
    const browser = openBrowser(between);
    const recovery = scenario.policy === undefined ? {} : { recovery: scenario.policy };
    const tab = await browser.open({ ...options, ...recovery });
    browser.server.arm(scenario.name, { client: tab.name, chatId: CHAT });
    const from = tab.mounted.frames.length;
    await tab.send(TEXT);
    return { browser, tab, from };
  }

  const isOver = ({ mounted }: Tab): boolean =>
    ['idle', 'failed'].includes(mounted.chat.recovery.name);

  const changes = ({ mounted }: Tab, from: number): number =>
    mounted.frames.slice(from).filter((frame, index, all) => frame.state !== all[index - 1]?.state)
      .length;

  /** When the state changes in a scenario that is left alone, and the middle of each state: ms from the send. */
  async function momentsOf(scenario: Scenario): Promise<number[]> {
    const { browser, tab, from } = await begin(scenario);
    const start = browser.world.monotonic();
    const at: number[] = [0];
    for (let change = 2; !isOver(tab); change += 1) {
      await browser.world.runUntil(() => isOver(tab) || changes(tab, from) >= change, 60_000);
      at.push(browser.world.monotonic() - start);
    }
    await browser.leftovers();
    return [...new Set(at.flatMap((ms, index) => [ms, (ms + (at[index + 1] ?? ms)) / 2]))];
  }

  test.each(SCENARIOS)(
    '$name: the message is there once, or waits for the person',
    async (scenario) => {
      const moments = await momentsOf(scenario);
      for (const [index, ms] of moments.entries()) {
        const death: Death = index % 2 === 0 ? 'reload' : 'crash';
        const { browser, tab } = await begin(scenario);
        await browser.world.advance(ms);
        await tab.reload(death);
        const posts = browser.posts();
        await tab.rest(60_000);
        const where = `${death} after ${ms} ms`;
        expect(await copies(browser), where).toBeLessThanOrEqual(1);
        const waiting = tab.mounted.pending();
        expect(waiting.length + (await copies(browser)), where).toBeGreaterThanOrEqual(1);
        expect(
          waiting.every((line) => line === `restored: ${TEXT}`),
          where,
        ).toBe(true);
        // Nothing went by itself.
        expect(browser.posts(), where).toBe(posts);
        for (let press = 0; press < 8 && tab.mounted.pending().length > 0; press += 1) {
          await tab.press('send-again');
          await tab.rest(120_000);
        }
        expect(tab.mounted.pending(), where).toEqual([]);
        if (options.resync) {
          expect(await copies(browser), where).toBe(1);
          // A conversation that cannot be read when the page opens is not on screen.
          if (tab.mounted.chat.failure?.phase !== 'load') {
            expect(tab.mounted.screen(), where).toEqual(await browser.truth());
          }
        }
        await expectClean(browser);
      }
    },
  );
});
