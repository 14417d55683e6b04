import { runTool } from './packages.mjs';

/** Races pairs of sends to two server processes on one Redis. Chance is the machine's: the seed says nothing here. */
export function soakRaces(count) {
  process.stdout.write(`${count} pairs of sends at once. Again: npm run soak -- races ${count}\n`);
  const only = ['-t', 'pairs of sends at once'];
  return runTool(
    'vitest/vitest.mjs',
    ['run', '--project', 'unit', 'test/redis/processes.test.ts', ...only],
    { HELIX_RACES: String(count) },
  );
}
