import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensurePackages, root } from '../packages.mjs';
import { LEFT_OUT, OPTIONS } from './options.mjs';

/**
 * `npm run mutate`: changes the errors and the pure parts of recovery in thousands of small ways, and counts the changes
 * that no test notices. Writes `docs/mutation.md`. With patterns (`npm run mutate -- src/recovery/decide.ts`) only those
 * files, and the page stays as it is. `--page` only writes the page, from the report of the last run; `--concurrency`
 * says how many run side by side; `--force` forgets what earlier runs have found. Ends with 1 below the score that the
 * page promises.
 */
const LOWEST = 85;
const PAGE = 'docs/mutation.md';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    page: { type: 'boolean' },
    force: { type: 'boolean' },
    concurrency: { type: 'string' },
  },
});

ensurePackages();
const whole = positionals.length === 0;
const report = `${root}${whole ? OPTIONS.jsonReporter.fileName : 'reports/mutation/part.json'}`;

if (values.page !== true) {
  const { Stryker } = await import('@stryker-mutator/core');
  const stryker = new Stryker({
    ...OPTIONS,
    jsonReporter: { fileName: report },
    ...(whole ? {} : { mutate: positionals, incremental: false }),
    ...(values.concurrency === undefined ? {} : { concurrency: Number(values.concurrency) }),
    ...(values.force === true ? { force: true } : {}),
  });
  await stryker.runMutationTest();
}

const { runnerImport } = await import('vite');
const { module } = await runnerImport(fileURLToPath(new URL('page.ts', import.meta.url)), {
  configFile: false,
  logLevel: 'error',
});
const { files } = JSON.parse(readFileSync(report, 'utf8'));
const score = module.scoreOf(Object.values(files));
if (whole) {
  writeFileSync(`${root}${PAGE}`, module.mutationPage(files, LEFT_OUT, LOWEST));
  process.stdout.write(`${PAGE}\n`);
}
process.stdout.write(`${score.toFixed(1)} % of the changes are noticed\n`);
process.exit(score < LOWEST ? 1 : 0);
