import { fileURLToPath } from 'node:url';
import { ensurePackages } from '../packages.mjs';

/**
 * `npm run bench`: measures what has to keep a shape, whatever the machine: ratios within one run, never seconds. With a
 * name (`npm run bench -- redact`) only that. Ends with 1 when one is off.
 */
ensurePackages();
const { runnerImport } = await import('vite');
const { module } = await runnerImport(fileURLToPath(new URL('benches.ts', import.meta.url)), {
  configFile: false,
  logLevel: 'error',
});
const [wanted] = process.argv.slice(2);
const benches = module.BENCHES.filter(({ name }) => wanted === undefined || name === wanted);
if (benches.length === 0) {
  const names = module.BENCHES.map(({ name }) => name).join(', ');
  process.stderr.write(
    `[helix-chat] bench: nothing is called ${wanted}. Nothing was measured. Give one of: ${names}.\n`,
  );
  process.exit(1);
}
let off = 0;
for (const { name, holds, limit, measure } of benches) {
  process.stdout.write(`${name}: ${holds}\n`);
  for await (const { what, figure } of measure()) {
    const good = figure <= limit;
    if (!good) off += 1;
    process.stdout.write(`  ${good ? ' ' : '!'} ${figure.toFixed(2).padStart(6)}  ${what}\n`);
  }
}
process.stdout.write(off === 0 ? 'all hold\n' : `${off} off\n`);
process.exit(off === 0 ? 0 : 1);
