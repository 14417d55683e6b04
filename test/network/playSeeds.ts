import { playSchedule, type Stage } from './playSchedule.ts';
import { scheduleOfSeed } from './schedule.ts';

/** What came of many schedules. */
export interface SeedsReport {
  /** One text for each schedule that broke a promise. */
  readonly broken: readonly string[];
  /** How many were played, and how often each fault befell a request. */
  readonly summary: string;
}

/** How many are played at once: they wait more than they work. */
const AT_ONCE = 4;

/** Plays the schedules of these seeds. `onBroken` hears of a broken one at once. */
export async function playSeeds(
  stage: Stage,
  seeds: readonly number[],
  onBroken?: (told: string) => void,
): Promise<SeedsReport> {
  const left = [...seeds];
  const broken: string[] = [];
  const counts = new Map<string, number>();
  const playOn = async (): Promise<void> => {
    for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
      const schedule = scheduleOfSeed(seed);
      const outcome = await playSchedule(stage, schedule, seed);
      for (const fault of outcome.faults) counts.set(fault, (counts.get(fault) ?? 0) + 1);
      if (outcome.broken.length === 0) continue;
      const told =
        `Schedule ${seed} on a server with ${schedule.kind} broke a promise:\n${outcome.broken.join('\n')}\n` +
        `${JSON.stringify(schedule)}\n${outcome.story.join('\n')}\nAgain: npm run soak -- network 1 ${seed}`;
      broken.push(told);
      onBroken?.(told);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, playOn));
  const faults = [...counts].sort().map(([fault, count]) => `${fault} ${count}`);
  return {
    broken,
    summary: `${seeds.length - broken.length} of ${seeds.length} schedules clean (${faults.join(', ')})`,
  };
}
