import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { KNOWN_WALKS } from './knownWalks.ts';
import { printWalk } from './printWalk.ts';
import { SERVER_MODES, type ServerMode } from './serverModes.ts';
import { type Path, paths } from './steps.ts';
import { walk } from './walk.ts';

declare const __AI_MAJOR__: number;

/** How many walks on each kind of server: 500 on both majors together. Another seed or number: `npm run soak`. */
const runs = Number(process.env.WALKS ?? 63);
/** Each major and each kind of server walks paths of its own. */
const seedOf = (mode: ServerMode): number =>
  Number(process.env.WALK_SEED ?? 20_260_101) + 10 * SERVER_MODES.indexOf(mode) + __AI_MAJOR__;
const again = process.env.WALK;

beforeEach(() => {
  // Two clients of one chat on a page are a warning to the developer, and here they are meant; so is a broken composer.
  console.warn = () => {};
});

async function walkAtRandom(mode: ServerMode): Promise<void> {
  const result = await fc.check(
    fc.asyncProperty(paths, async (path) => {
      const broken = await walk(path, mode);
      if (broken.length > 0) throw new Error(broken.join('\n'));
    }),
    { numRuns: runs, seed: seedOf(mode) },
  );
  const [path] = result.counterexample ?? [];
  if (!result.failed || path === undefined) return;
  const broken = await walk(path, mode);
  throw new Error(
    `Walk ${result.numRuns} of seed ${result.seed}, shrunk ${result.numShrinks} times, on a server with ${mode.name}, ` +
      `broke a promise:\n${broken.join('\n')}\n\n${printWalk(path, broken)}`,
  );
}

if (again !== undefined) {
  test.each(SERVER_MODES)('one walk again, a server with $name', async (mode) => {
    expect((await walk(JSON.parse(again) as Path, mode)).join('\n')).toBe('');
  });
} else {
  describe.each(Object.entries(KNOWN_WALKS))('%s: not any more', (_name, path) => {
    test.each(SERVER_MODES)('on a server with $name', async (mode) => {
      expect((await walk(path, mode)).join('\n')).toBe('');
    });
  });

  test.each(SERVER_MODES)('random walks, a server with $name', walkAtRandom, 7_200_000);
}
