import fc from 'fast-check';
import { expect, test } from 'vitest';
import { steps, walk } from './walk.ts';

const runs = Number(process.env.WALKS ?? 60);

test(`${runs} random walks lose nothing, double nothing, and settle on the transcript`, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (path) => {
      expect(await walk(path)).toEqual([]);
    }),
    {
      numRuns: runs,
      endOnFailure: false,
      ...(process.env.SEED ? { seed: Number(process.env.SEED) } : {}),
    },
  );
}, 600_000);
