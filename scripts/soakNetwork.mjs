import { runTool } from './packages.mjs';

/** How many schedules are played in Chromium too: they are slower, and the same ones. */
const IN_BROWSER = 20;

/** Plays random schedules of network faults in Node, and the first of them in Chromium. Answers an exit code. */
export function soakNetwork(count, seed) {
  const inBrowser = Math.min(count, IN_BROWSER);
  process.stdout.write(
    `${count} schedules of network faults on either major of the AI SDK, from seed ${seed} on, ${inBrowser} of them in Chromium too. ` +
      `Again: npm run soak -- network ${count} ${seed}\n`,
  );
  const shared = { SCHEDULE_SEED: String(seed) };
  const inNode = runTool(
    'vitest/vitest.mjs',
    ['run', '--project', 'ai6', '--project', 'ai7', 'test/network'],
    { ...shared, SCHEDULES: String(count) },
  );
  const inChromium = runTool(
    'vitest/vitest.mjs',
    ['run', '--project', 'e2e', 'test/e2e/network.test.ts'],
    { ...shared, BROWSER_SCHEDULES: String(inBrowser) },
  );
  return inNode || inChromium;
}
