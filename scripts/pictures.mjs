import { mkdirSync } from 'node:fs';
import { chromium } from 'playwright';
import { browserArgs, browserPath } from './browser.mjs';
import { serveExample } from './exampleServer.mjs';
import { root } from './packages.mjs';
import { takeStoryPictures } from './storyPictures.mjs';

/**
 * Takes the README's pictures from the running example: a message that waits for another reply to end; and a picture of
 * every story, light and dark, into `test-results/stories`, for looking at. `--all` adds the phone and the sheet.
 * `--stories` takes those of the stories alone; a word after it, of those whose name has it.
 */
const all = process.argv.includes('--all');
const [storiesOnly, only] = process.argv.includes('--stories')
  ? [true, process.argv[process.argv.indexOf('--stories') + 1]]
  : [false, undefined];
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
const browser = await chromium.launch({ executablePath: browserPath(), args: browserArgs });
async function takeExamplePictures() {
  const example = await serveExample({ port: 0, host: '127.0.0.1' });
  try {
    for (const view of views) await takePicture(browser, example.url, view);
  } finally {
    await example.close();
  }
}
try {
  if (!storiesOnly) await takeExamplePictures();
  const count = await takeStoryPictures(browser, `${root}test-results/stories`, only);
  process.stdout.write(`Pictures of ${count} stories are in ${root}test-results/stories\n`);
} finally {
  await browser.close();
}
if (!storiesOnly) process.stdout.write(`Pictures of the example are in ${folder}\n`);
process.exit(0);
