import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openNetworkClient } from './networkClient.tsx';
import type { Stage } from './playSchedule.ts';
import { playSeeds } from './playSeeds.ts';
import { type BackendKind, scheduleOfSeed } from './schedule.ts';
import { type Bundles, bundle } from './serverProcess.ts';

declare const __AI_MAJOR__: number;

/** How many schedules, each by its own seed. More, or one again: `npm run soak`. */
const soaks = process.env.SCHEDULES !== undefined;
const count = Number(process.env.SCHEDULES ?? 10);
/** In a long run nobody waits for the end to hear of what broke. */
const tell = (text: string): void => void (soaks && process.stdout.write(`${text}\n\n`));
const seed = Number(process.env.SCHEDULE_SEED ?? (__AI_MAJOR__ === 6 ? 20_260_101 : 20_260_201));

let bundles: Bundles;
beforeAll(async () => {
  bundles = await bundle('server');
}, 60_000);
afterAll(() => bundles?.remove());
beforeEach(() => {
  // Clients of several chats of one id on a page are a warning to the developer; here each has a server of its own.
  console.warn = () => {};
});

test.each<BackendKind>(['keys', 'ids only'])(
  'random schedules of network faults, a server with %s: nothing is lost, doubled, wrong on screen or left',
  async (kind) => {
    const stage: Stage = { bundles, open: (_, settings) => openNetworkClient(settings) };
    const seeds = Array.from({ length: count }, (_, at) => seed + at);
    const ofKind = seeds.filter((one) => scheduleOfSeed(one).kind === kind);
    const report = await playSeeds(stage, ofKind, tell);
    tell(report.summary);
    expect(report.broken.join('\n\n')).toBe('');
  },
  3_600_000,
);
