import type { ManualWorld } from 'helix-chat/testing';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Enough turns of the event loop for bytes to cross a real socket both ways and to be drawn. */
const CROSSING = 60;
/** With no timer left to fire only the sockets can bring the end about. */
const AT_MOST = 20_000;

/**
 * Goes on until `predicate` holds: real sockets by turning the event loop, everything else by the manual clock.
 * @throws Error when it does not hold after `maxMs` of manual time
 */
export async function reach(
  world: ManualWorld,
  predicate: () => boolean,
  maxMs = 20_000,
): Promise<void> {
  await world.runUntil(async () => {
    const turns = world.pending() === 0 ? AT_MOST : CROSSING;
    for (let turned = 0; turned < turns; turned += 1) {
      if (predicate()) return true;
      await turn();
    }
    return predicate();
  }, maxMs);
}

/** Lets the sockets come to rest without moving the clock. */
export async function cross(): Promise<void> {
  for (let turned = 0; turned < CROSSING; turned += 1) await turn();
}

/** Moves the clock, with the sockets at rest before and after. */
export async function pass(world: ManualWorld, ms: number): Promise<void> {
  await cross();
  await world.advance(ms);
  await cross();
}
