import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { entryPoints } from '../entryPoints.mjs';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What `npm run mutate` runs for each change: tests of what decides, in Node, without a page and without React. */
export default defineConfig({
  resolve: { alias: entryPoints },
  test: {
    root: at('../..'),
    environment: 'node',
    include: [
      'test/errors/**/*.test.ts',
      'test/adapters/**/*.test.ts',
      'test/recovery/**/*.test.ts',
    ],
    // Hostile values are minutes of work; a whole package of a provider is loaded for long.
    exclude: ['test/*/fuzz.test.ts', 'test/adapters/vernPackage.test.ts'],
    setupFiles: [at('setUp.ts')],
    env: { HELIX_RUNS: '20' },
    // One context for all files of a run: they share nothing that changes.
    isolate: false,
    fileParallelism: false,
  },
});
