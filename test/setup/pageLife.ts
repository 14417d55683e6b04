import type { KeyValueStore, StorageKind } from 'helix-chat';
import { createManualWorld, type ManualStore, type ManualWorld } from 'helix-chat/testing';

/** A page of a tab: what it is given stops working when the page dies. */
export interface PageLife {
  readonly world: ManualWorld;
  isAlive(): boolean;
  /** Tells this page alone. */
  emit: ManualWorld['emit'];
  /** The page's way to the server. Its requests end with it. */
  readonly fetch: (through: typeof fetch) => typeof fetch;
  /** The page is gone, in the middle of whatever it does. */
  end(): void;
}

/** Opens a page: `base` is the time and the locks that all pages share, `stores` what its browser and its tab keep. */
export function openPage(
  base: ManualWorld,
  stores: Record<StorageKind, ManualStore>,
  seed: number,
): PageLife {
  let alive = true;
  const dead = new AbortController();
  const ended = new Promise<void>((resolve) => {
    dead.signal.addEventListener('abort', () => resolve());
  });
  const own = createManualWorld({ seed });
  const cancels = new Set<() => void>();
  const view = (store: ManualStore): KeyValueStore => {
    const inner = store.view();
    // A page that is no more writes nothing, and hears of nothing.
    return {
      get: (key) => (alive ? inner.get(key) : null),
      set: (key, value) => alive && inner.set(key, value),
      remove: (key) => alive && inner.remove(key),
      watch(key, listener) {
        const stop = inner.watch?.(key, listener) ?? (() => {});
        cancels.add(stop);
        return stop;
      },
    };
  };
  const views = { session: view(stores.session), local: view(stores.local) };
  const { lock, ...shared } = base;
  return {
    world: {
      ...shared,
      ...(lock === undefined
        ? {}
        : {
            lock: (name, task, { wait, signal }) =>
              lock(name, () => Promise.race([task(), ended]), {
                wait,
                signal: AbortSignal.any([signal, dead.signal]),
              }),
          }),
      random: own.random,
      emit: own.emit,
      onPageEvent(listener) {
        const stops = [base, own].map((world) => world.onPageEvent(listener));
        const stop = (): void => {
          for (const each of stops) each();
          cancels.delete(stop);
        };
        cancels.add(stop);
        return stop;
      },
      storage: (kind) => views[kind],
      after(ms, task) {
        if (!alive) return () => {};
        const cancel = base.after(ms, () => {
          cancels.delete(cancel);
          if (alive) task();
        });
        cancels.add(cancel);
        return () => {
          cancels.delete(cancel);
          cancel();
        };
      },
    },
    isAlive: () => alive,
    emit: own.emit,
    fetch: (through) => async (input, init) => {
      dead.signal.throwIfAborted();
      const signal = AbortSignal.any([dead.signal, ...(init?.signal ? [init.signal] : [])]);
      const answer = await through(input, { ...init, signal });
      dead.signal.throwIfAborted();
      return answer;
    },
    end() {
      alive = false;
      for (const cancel of [...cancels]) cancel();
      dead.abort();
    },
  };
}
