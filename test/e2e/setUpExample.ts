import { type Browser, chromium } from 'playwright';
import { afterAll, beforeAll } from 'vitest';
import { browserArgs, browserPath } from '../../scripts/browser.mjs';
import { serveExample } from '../../scripts/exampleServer.mjs';
import { Tab } from './Tab.ts';

/** The example, served for one test file, and a browser that visits it. */
export function setUpExample(environment: Record<string, string> = {}): {
  open(chatId?: string): Promise<Tab>;
} {
  let example: Awaited<ReturnType<typeof serveExample>>;
  let browser: Browser;
  beforeAll(async () => {
    [example, browser] = await Promise.all([
      serveExample({ port: 0, host: '127.0.0.1', mode: 'development', environment }),
      chromium.launch({ executablePath: browserPath(), args: browserArgs }),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await example?.close();
  });
  return {
    async open(chatId = crypto.randomUUID()) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 880 } });
      const tab = new Tab(await context.newPage(), example.url, chatId);
      await tab.open();
      return tab;
    },
  };
}
