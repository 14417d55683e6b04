import { ensurePackages, runTool } from './packages.mjs';

/** The fast gate: format and lint, types, and the rules only eslint has. Runs all, then says which failed. */
const steps = {
  'format and lint (biome)': [
    '@biomejs/biome/bin/biome',
    ['ci', '--colors=off', '--error-on-warnings', '.'],
  ],
  'types (tsc)': ['typescript/bin/tsc', ['-p', '.']],
  'hooks and promises (eslint)': ['eslint/bin/eslint.js', ['--max-warnings=0', '.']],
};

ensurePackages();
const failed = Object.entries(steps)
  .filter(([, [file, args]]) => runTool(file, args) !== 0)
  .map(([name]) => name);
process.stdout.write(failed.length > 0 ? `check failed: ${failed.join('; ')}\n` : 'check passed\n');
process.exit(failed.length > 0 ? 1 : 0);
