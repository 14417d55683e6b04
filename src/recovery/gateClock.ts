import type { World } from '../world.ts';

/** Platforms fire a timer that is longer than this at once. */
const LONGEST_MS = 2_147_483_647;

interface GateClockOptions {
  readonly world: World;
  /** Monotonic ms before which nothing goes out; undefined where nothing is in the way. */
  until(): number | undefined;
  /** The time has come: what is offered has changed, though nothing happened. */
  onOver(): void;
}

/** Tells when a stated wait is over, so that a composer which it has closed opens again. One timer at most. */
export interface GateClock {
  /** Looks at the wait anew. */
  look(): void;
  end(): void;
}

/** One a chat. */
export function createGateClock(options: GateClockOptions): GateClock {
  const { world } = options;
  let watched: number | undefined;
  let cancel = (): void => {};
  let ended = false;
  const came = (): void => {
    watched = undefined;
    look();
    if (watched === undefined) options.onOver();
  };
  const look = (): void => {
    const until = options.until();
    const left = until === undefined ? 0 : until - world.monotonic();
    const wanted = left > 0 && !ended ? until : undefined;
    if (wanted === watched) return;
    cancel();
    watched = wanted;
    cancel = wanted === undefined ? () => {} : world.after(Math.min(left, LONGEST_MS), came);
  };
  return {
    look,
    end() {
      ended = true;
      cancel();
    },
  };
}
