import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { runTool } from './packages.mjs';

/** What the files of a built Storybook are. */
const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Serves a folder on this machine alone, on a free port. */
function serveFolder(folder) {
  const server = createServer((request, response) => {
    const path = join(folder, normalize(new URL(request.url, 'http://localhost').pathname));
    if (!path.startsWith(folder) || !existsSync(path)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' });
    createReadStream(path).pipe(response);
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

/**
 * Takes a picture of every story, light and dark, once its steps are played: `NAME-light.png` and `NAME-dark.png` in
 * `folder`. `only`: a part of the names of the stories that are wanted.
 */
export async function takeStoryPictures(browser, folder, only = '') {
  const built = mkdtempSync(join(tmpdir(), 'helix-stories-'));
  const exit = runTool('storybook/dist/bin/dispatcher.js', ['build', '--quiet', '-o', built], {
    STORYBOOK_DISABLE_TELEMETRY: '1',
  });
  if (exit !== 0)
    throw new Error(
      '[helix-chat] Storybook could not be built. No pictures of stories were taken. Read its message above.',
    );
  const server = await serveFolder(built);
  mkdirSync(folder, { recursive: true });
  const { entries } = JSON.parse(readFileSync(join(built, 'index.json'), 'utf8'));
  const stories = Object.keys(entries).filter((id) => id.includes(only));
  try {
    for (const theme of ['light', 'dark']) {
      const context = await browser.newContext({
        colorScheme: theme,
        viewport: { width: 760, height: 560 },
        deviceScaleFactor: 1.5,
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      for (const id of stories) {
        const { port } = server.address();
        await page.goto(
          `http://127.0.0.1:${port}/iframe.html?viewMode=story&still&id=${id}&globals=theme:${theme}`,
        );
        await page.locator('[data-story-told]').waitFor({ state: 'attached' });
        await page.screenshot({ path: join(folder, `${id}-${theme}.png`), fullPage: true });
      }
      await context.close();
    }
  } finally {
    server.close();
    rmSync(built, { recursive: true, force: true });
  }
  return stories.length;
}
