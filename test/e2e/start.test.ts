import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const running: ChildProcess[] = [];

function start(port: number) {
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), HOST: '127.0.0.1' },
  });
  running.push(child);
  let told = '';
  child.stdout.on('data', (text) => {
    told += text;
  });
  child.stderr.on('data', (text) => {
    told += text;
  });
  return {
    child,
    told: () => told,
    async address() {
      await expect.poll(() => told, { timeout: 30_000 }).toContain('http://');
      return /http:\/\/\S+/.exec(told)?.[0] ?? '';
    },
  };
}

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

test('npm start serves the page at the address it prints, until SIGTERM', async () => {
  const { child, address } = start(0);
  const url = await address();
  const page = await fetch(url);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('<div id="root">');
  child.kill('SIGTERM');
  const [exitCode] = await once(child, 'exit');
  expect(exitCode).toBe(0);
  await expect(fetch(url)).rejects.toThrow();
});

test('a port that is in use is told in words, with what to do', async () => {
  const url = await start(0).address();
  const second = start(Number(new URL(url).port));
  const [exitCode] = await once(second.child, 'exit');
  expect(exitCode).toBe(1);
  expect(second.told()).toMatch(/\[helix-chat\] Port \d+ is in use\. .+ PORT=/);
});
