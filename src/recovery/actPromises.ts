import type { World } from '../world.ts';

/** Who waits for the ends of acts, and for the moment at which nothing is under way. Promises here never reject. */
export interface ActPromises {
  /** Resolves when the act of this turn has settled. */
  ofTurn(turnId: number): Promise<void>;
  /** Who waits for one act waits for another from now on. */
  join(turnId: number, to: number): void;
  settle(turnId: number): void;
  /** Acts that are neither under way nor pending have settled. */
  keepOnly(turnIds: ReadonlySet<number>): void;
  /** Resolves at the next rest, or after `ms`. */
  ofRest(ms: number): Promise<void>;
  atRest(): void;
  /** Everybody is let go. */
  end(): void;
}

/** One a chat. */
export function createActPromises(world: Pick<World, 'after'>): ActPromises {
  const waiters = new Map<number, (() => void)[]>();
  const resting = new Set<() => void>();
  const settle = (turnId: number): void => {
    const waiting = waiters.get(turnId) ?? [];
    waiters.delete(turnId);
    release(waiting);
  };
  return {
    ofTurn: (turnId) =>
      new Promise((resolve) => {
        waiters.set(turnId, [...(waiters.get(turnId) ?? []), resolve]);
      }),
    join(turnId, to) {
      waiters.set(to, [...(waiters.get(to) ?? []), ...(waiters.get(turnId) ?? [])]);
      waiters.delete(turnId);
    },
    settle,
    keepOnly(turnIds) {
      for (const id of [...waiters.keys()]) if (!turnIds.has(id)) settle(id);
    },
    ofRest: (ms) =>
      new Promise((resolve) => {
        const done = (): void => {
          cancel();
          resting.delete(done);
          resolve();
        };
        const cancel = world.after(ms, done);
        resting.add(done);
      }),
    atRest: () => release(resting),
    end() {
      for (const id of [...waiters.keys()]) settle(id);
      release(resting);
    },
  };
}

/** Calls everybody who waits, each once. */
function release(waiting: Iterable<() => void>): void {
  for (const resolve of [...waiting]) resolve();
}
