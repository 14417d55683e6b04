import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { KNOWN_WALKS } from './knownWalks.ts';
import { SERVER_MODES, type ServerMode } from './serverModes.ts';
import { type Path, paths } from './steps.ts';
import { walk } from './walk.ts';

declare const __AI_MAJOR__: number;

/** How many walks a mode. Another seed or number, or one walk again: `npm run soak`. */
const runs = Number(process.env.WALKS ?? (__AI_MAJOR__ === 6 ? 120 : 60));
const seed = Number(process.env.WALK_SEED ?? 20_260_101);
const again = process.env.WALK;

beforeEach(() => {
  // Two clients of one chat on a page are a warning to the developer, and here they are meant.
  console.warn = () => {};
});

async function judge(mode: ServerMode): Promise<void> {
  if (again !== undefined) {
    expect(await walk(JSON.parse(again) as Path, mode)).toEqual([]);
    return;
  }
  const result = await fc.check(
    fc.asyncProperty(paths, async (path) => {
      const broken = await walk(path, mode);
      if (broken.length > 0) throw new Error(broken.join('\n'));
    }),
    {
      numRuns: runs + KNOWN_WALKS.length,
      seed,
      examples: KNOWN_WALKS.map((path): [Path] => [path]),
    },
  );
  if (!result.failed) return;
  const [path] = result.counterexample ?? [];
  throw new Error(
    `Walk ${result.numRuns} of seed ${result.seed} on a server with ${mode.name} broke a promise:\n` +
      `${String((result.errorInstance as Error | null)?.message)}\n` +
      `Again: WALK='${JSON.stringify(path)}' npm run soak`,
  );
}

test.each(SERVER_MODES)('random walks, a server with $name', (mode) => judge(mode), 7_200_000);
