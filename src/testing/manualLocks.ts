import type { LockOptions } from '../world.ts';

/** Locks as the tabs of one browser share them. Give the same to several manual worlds: each is a tab then. */
export interface ManualLocks {
  /** What `World.lock` does. */
  request(name: string, task: () => Promise<void>, options: LockOptions): Promise<boolean>;
  /** How many are held or waited for. Zero when nothing is left. */
  count(): number;
}

/** Makes locks that are all free. First come, first served. */
export function createManualLocks(): ManualLocks {
  const held = new Set<string>();
  const waiting: { readonly name: string; readonly take: () => void }[] = [];

  const release = (name: string): void => {
    held.delete(name);
    const at = waiting.findIndex((other) => other.name === name);
    const [next] = at === -1 ? [] : waiting.splice(at, 1);
    if (next === undefined) return;
    held.add(name);
    next.take();
  };

  /** True once the lock is ours; false when the signal ended the wait. */
  const turn = (name: string, signal: AbortSignal): Promise<boolean> =>
    new Promise((resolve) => {
      const entry = {
        name,
        take: () => {
          signal.removeEventListener('abort', giveUp);
          resolve(true);
        },
      };
      const giveUp = (): void => {
        waiting.splice(waiting.indexOf(entry), 1);
        resolve(false);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      waiting.push(entry);
    });

  return {
    async request(name, task, { wait, signal }) {
      if (signal.aborted) return false;
      if (held.has(name) && !(wait && (await turn(name, signal)))) return false;
      held.add(name);
      try {
        await task();
      } finally {
        release(name);
      }
      return true;
    },
    count: () => held.size + waiting.length,
  };
}
