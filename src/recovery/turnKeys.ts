import { createRequestKey } from '../protocol/requestKey.ts';
import type { World } from '../world.ts';

/** The request keys of a chat's acts: each act has one for all its requests, until a new one is asked for. */
export interface TurnKeys {
  of(turnId: number): string | undefined;
  /** Gives an act its key, or a new one; `anew`: also where it has one. */
  give(turnId: number, anew: boolean): void;
  /** An act goes on that had this key in an earlier session. */
  takeOver(turnId: number, key: string): void;
  /** Forgets the keys of all other acts. */
  keepOnly(turnIds: ReadonlySet<number>): void;
}

/** One a chat. Keys are drawn from the world's chance. */
export function createTurnKeys(world: Pick<World, 'random'>): TurnKeys {
  const keys = new Map<number, string>();
  return {
    of: (turnId) => keys.get(turnId),
    give(turnId, anew) {
      if (!anew && keys.has(turnId)) return;
      const key = createRequestKey(() => world.random());
      keys.set(turnId, key);
    },
    takeOver: (turnId, key) => void keys.set(turnId, key),
    keepOnly(turnIds) {
      for (const id of keys.keys()) if (!turnIds.has(id)) keys.delete(id);
    },
  };
}
