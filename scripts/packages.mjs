import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder that holds package.json, with a trailing slash. */
export const root = fileURLToPath(new URL('..', import.meta.url));

function readLock(path) {
  try {
    return JSON.parse(readFileSync(`${root}${path}`, 'utf8')).packages ?? {};
  } catch {
    return undefined;
  }
}

/** Whether node_modules holds what package-lock.json names, by npm's own record of the last install. */
function installed() {
  const wanted = readLock('package-lock.json');
  const present = readLock('node_modules/.package-lock.json');
  if (!wanted || !present) return false;
  return Object.entries(wanted).every(
    ([path, { version, optional, link }]) =>
      path === '' || optional || link || present[path]?.version === version,
  );
}

/** Installs the locked packages when they are missing or differ. Ends the process with npm's exit code when that fails. */
export function ensurePackages() {
  if (installed()) return;
  process.stdout.write('Installing packages ...\n');
  const npm = process.env.npm_execpath;
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const run =
    npm && existsSync(npm)
      ? spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: 'inherit' })
      : spawnSync('npm', args, {
          cwd: root,
          stdio: 'inherit',
          shell: process.platform === 'win32',
        });
  if (run.status === 0) return;
  process.stderr.write(
    '[helix-chat] The packages could not be installed. Nothing can be started or tested without them. Read npm’s message above, then run `npm ci`.\n',
  );
  process.exit(run.status ?? 1);
}

/** Runs a program of an installed package by its file, in the project's root, and answers its exit code. */
export function runTool(file, args, env = {}) {
  const run = spawnSync(process.execPath, [`${root}node_modules/${file}`, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  return run.status ?? 1;
}
