import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { toNodeHandler } from 'helix-chat/testing';
import { chromium } from 'playwright';
import { build, createServer as createViteServer } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserArgs, browserPath } from '../../scripts/browser.mjs';
import { entryPoints } from '../../scripts/entryPoints.mjs';
import { startOpenaiStub } from './startOpenaiStub.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = `${root}node_modules/.cache/quick-start`;
const readme = readFileSync(`${root}README.md`, 'utf8');
const block = (language: string) =>
  new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(readme)?.[1] ?? '';

const main = `import { createRoot } from 'react-dom/client';
import { Chat } from './Chat.tsx';
createRoot(document.body.appendChild(document.createElement('div'))).render(<Chat id="c1" />);
`;
const tsconfig = { extends: `${root}tsconfig.json`, files: ['route.ts', 'Chat.tsx'], include: [] };
const vite = {
  configFile: false,
  root: folder,
  logLevel: 'error',
  resolve: { alias: entryPoints },
} as const;

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  const files = {
    'route.ts': block('ts'),
    'Chat.tsx': block('tsx'),
    'main.tsx': main,
    'tsconfig.json': JSON.stringify(tsconfig),
    'index.html': '<!doctype html><body><script type="module" src="/main.tsx"></script>',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(`${folder}/${name}`, text);
});

const provider = await startOpenaiStub(['It ', 'works.']);
afterAll(provider.close);

test('the quick start is at most 30 lines', () => {
  const lines = `${block('ts')}${block('tsx')}`.trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.length).toBeLessThanOrEqual(30);
});

test('pasted, it passes the type check', () => {
  const tsc = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', folder], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(tsc.stdout).toBe('');
  expect(tsc.status).toBe(0);
});

test('pasted, it chats', async () => {
  Object.assign(process.env, provider.environment);
  const [built, loader] = await Promise.all([
    build({ ...vite, build: { write: false } }),
    createViteServer({
      ...vite,
      appType: 'custom',
      server: { middlewareMode: true, hmr: false, ws: false, watch: null },
      optimizeDeps: { noDiscovery: true },
    }),
  ]);
  const { POST } = await loader.ssrLoadModule('/route.ts');
  const answer = toNodeHandler(POST);
  const output = 'output' in built ? built.output : [];
  const files = new Map(
    output.map((file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source]),
  );
  const server = createServer((request, response) => {
    const path = request.url === '/' ? '/index.html' : (request.url ?? '');
    if (path.startsWith('/api/')) answer(request, response);
    else {
      const type = path.endsWith('.js') ? 'text/javascript' : 'text/html';
      response.writeHead(files.has(path) ? 200 : 404, { 'Content-Type': type });
      response.end(files.get(path));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch({ executablePath: browserPath(), args: browserArgs });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await page.getByRole('textbox', { name: 'Message' }).fill('Does it work?');
    await page.keyboard.press('Enter');
    await page.getByText('assistant: It works.').waitFor();
    expect(await page.getByText('user: Does it work?').count()).toBe(1);
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
    await loader.close();
  }
});
