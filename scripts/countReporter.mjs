import { writeFileSync } from 'node:fs';

function countOf(modules, unhandledErrors) {
  const count = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
  for (const module of modules) {
    const tests = [...module.children.allTests()];
    if (module.state() === 'failed' && tests.every((test) => test.result().state !== 'failed')) {
      count.failed += 1;
    }
    for (const test of tests) {
      const { state } = test.result();
      count[state === 'passed' || state === 'failed' ? state : 'skipped'] += 1;
    }
  }
  return count;
}

/**
 * A Vitest reporter for machines that read a run: one plain line, `N passed, N failed`. `npm test` prints that line
 * itself, as its last, and asks for the figures in the file that `HELIX_COUNT_FILE` names.
 */
export default class CountReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const count = countOf(modules, unhandledErrors);
    const file = process.env.HELIX_COUNT_FILE;
    if (file) writeFileSync(file, JSON.stringify(count));
    else {
      const tail = count.skipped > 0 ? `, ${count.skipped} skipped` : '';
      process.stdout.write(`\n${count.passed} passed, ${count.failed} failed${tail}\n`);
    }
  }
}
