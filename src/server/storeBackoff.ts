import type { World } from '../world.ts';

const FIRST_MS = 100;
const LONGEST_MS = 1_000;

/** The waits between tries of a store that fails, in ms: 100, 200, 400, 800, then a second each. */
export function storeBackoff(): () => number {
  let next = FIRST_MS;
  return () => {
    const wait = next;
    next = Math.min(next * 2, LONGEST_MS);
    return wait;
  };
}

/** Waits on the world's clock. */
export function pause(world: Pick<World, 'after'>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    world.after(ms, resolve);
  });
}
