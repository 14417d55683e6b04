import { readFileSync } from 'node:fs';
import { type Browser, chromium } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserArgs, browserPath } from '../../scripts/browser.mjs';
import type { ClientSettings, Press } from '../network/networkClient.tsx';
// What the page adds to its window.
import type {} from '../network/page.tsx';
import type { RemoteClient, Stage } from '../network/playSchedule.ts';
import { playSeeds } from '../network/playSeeds.ts';
import { type Bundles, bundle } from '../network/serverProcess.ts';

/** How many schedules, each by its own seed. More, or one again: `npm run soak`. */
const count = Number(process.env.BROWSER_SCHEDULES ?? 2);
const seed = Number(process.env.SCHEDULE_SEED ?? 20_260_101);

let bundles: Bundles;
let browser: Browser;
beforeAll(async () => {
  [bundles, browser] = await Promise.all([
    bundle('server', 'page'),
    chromium.launch({ executablePath: browserPath(), args: browserArgs }),
  ]);
});
afterAll(async () => {
  await browser?.close();
  bundles?.remove();
});

const HTML = '<!doctype html><meta charset="utf-8"><script type="module" src="/page.js"></script>';

/** Opens a client in a page of its own, which comes through the same proxy as its requests. */
async function openInBrowser(url: string, settings: ClientSettings): Promise<RemoteClient> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (line) => {
    // What the browser says of a request that was lost is its own.
    if (line.type() === 'error' && !line.text().startsWith('Failed to load resource')) {
      complaints.push(line.text());
    }
  });
  await page.goto(url);
  await page.waitForFunction(() => 'openClient' in window);
  await page.evaluate((given) => window.openClient(given), settings);
  return {
    view: () => page.evaluate(() => window.client.view()),
    press: (press: Press) => page.evaluate((given) => window.client.press(given), press),
    unmount: () => page.evaluate(() => window.client.unmount()),
    async close() {
      await context.close();
      expect(complaints).toEqual([]);
    },
  };
}

test('random schedules of network faults in Chromium: nothing is lost, doubled, wrong on screen or left', async () => {
  const script = readFileSync(bundles.page, 'utf8');
  const stage: Stage = {
    bundles,
    open: openInBrowser,
    page(path) {
      if (path === '/') return { type: 'text/html', body: HTML };
      return path === '/page.js' ? { type: 'text/javascript', body: script } : undefined;
    },
  };
  const report = await playSeeds(
    stage,
    Array.from({ length: count }, (_, at) => seed + at),
  );
  if (process.env.BROWSER_SCHEDULES !== undefined) process.stdout.write(`${report.summary}\n`);
  expect(report.broken.join('\n\n')).toBe('');
}, 3_600_000);
