import { mkdirSync } from 'node:fs';
import { chromium } from 'playwright';
import { browserArgs, browserPath } from './browser.mjs';
import { serveExample } from './exampleServer.mjs';
import { root } from './packages.mjs';

/**
 * Takes the README's pictures from the running example: a message that waits for another reply to end. `--all` adds
 * the phone and the sheet, for looking at.
 */
const all = process.argv.includes('--all');
const views = [
  { name: 'screenshot', colorScheme: 'light', viewport: { width: 1280, height: 880 } },
  { name: 'screenshot-dark', colorScheme: 'dark', viewport: { width: 1280, height: 880 } },
  ...(all
    ? [
        { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
        { name: 'phone-dark', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
      ]
    : []),
];

async function send(page, text) {
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

async function withPanel(page, narrow, act) {
  if (narrow) await page.getByRole('button', { name: 'Faults', exact: true }).click();
  await act();
  if (narrow) await page.getByRole('button', { name: 'Close the fault panel' }).click();
}

async function takePicture(browser, url, { name, colorScheme, viewport }) {
  const context = await browser.newContext({
    colorScheme,
    viewport,
    deviceScaleFactor: all ? 2 : 1.5,
  });
  const page = await context.newPage();
  const narrow = viewport.width < 1024;
  await page.goto(url);
  await send(page, 'What makes people cancel after the trial?');
  await page.locator('[data-recovery="idle"] [data-role="assistant"]').waitFor();
  await withPanel(page, narrow, async () => {
    await page.getByRole('combobox', { name: 'Fault', exact: true }).selectOption('busy');
    await page.getByRole('button', { name: 'Arm', exact: true }).click();
    await page.getByText('Armed for the next send').waitFor();
  });
  await send(page, 'Thanks. Please put this into a one-page summary for Monday.');
  const reply = page.locator('[data-recovery="waiting-on-run"] [data-role="assistant"]').nth(1);
  await reply.getByText(/(\S+ ){12}/).waitFor();
  await page
    .getByRole('textbox', { name: 'Message', exact: true })
    .fill('And compare it with spring');
  await page.screenshot({ path: `${folder}/${name}.png` });
  if (all && narrow) {
    await page.getByRole('button', { name: 'Faults', exact: true }).click();
    await page.screenshot({ path: `${folder}/${name}-panel.png` });
  }
  await context.close();
}

const folder = all ? `${root}test-results` : `${root}docs`;
mkdirSync(folder, { recursive: true });
const example = await serveExample({ port: 0, host: '127.0.0.1' });
const browser = await chromium.launch({ executablePath: browserPath(), args: browserArgs });
try {
  for (const view of views) await takePicture(browser, example.url, view);
} finally {
  await browser.close();
  await example.close();
}
process.stdout.write(`Pictures are in ${folder}\n`);
process.exit(0);
