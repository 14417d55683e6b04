import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ensurePackages, root } from '../packages.mjs';

/** `npm run docs`: writes every page that is made of tables of the source. A test checks that what is committed is current. */
ensurePackages();
const { runnerImport } = await import('vite');
const { module } = await runnerImport(fileURLToPath(new URL('pages.ts', import.meta.url)), {
  configFile: false,
  logLevel: 'error',
});
for (const { path, write } of module.PAGES) {
  writeFileSync(`${root}${path}`, write());
  process.stdout.write(`${path}\n`);
}
