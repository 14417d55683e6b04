import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBrowser } from './ensureBrowser.mjs';
import { ensurePackages, root, runTool } from './packages.mjs';

/** Everything that has to hold, from a fresh clone on: packages, a browser, the fast gate, all tests. Arguments go to Vitest. */
function finish(passed, failed, exitCode, tail = '') {
  process.stdout.write(`\n${passed} passed, ${failed} failed${tail}\n`);
  process.exit(exitCode);
}

/** Runs all tests and reads back what the count reporter wrote; undefined when the run did not get so far. */
function runTests(args) {
  const folder = mkdtempSync(join(tmpdir(), 'helix-chat-'));
  const file = join(folder, 'count.json');
  const exitCode = runTool('vitest/vitest.mjs', ['run', ...args], { HELIX_COUNT_FILE: file });
  try {
    return { exitCode, count: JSON.parse(readFileSync(file, 'utf8')) };
  } catch {
    return { exitCode, count: undefined };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

ensurePackages();
if (!ensureBrowser()) finish(0, 1, 1);
if (runTool('../scripts/check.mjs', []) !== 0) finish(0, 1, 1);
process.chdir(root);
const { exitCode, count } = runTests(process.argv.slice(2));
if (!count) finish(0, 1, exitCode || 1);
const tail = count.skipped > 0 ? `, ${count.skipped} skipped` : '';
const failed = count.failed === 0 && exitCode !== 0 ? 1 : count.failed;
finish(count.passed, failed, exitCode, tail);
