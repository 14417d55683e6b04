import type { KeyValueStore, World } from '../world.ts';

/** What a store does when it is written to. `full`: nothing more fits. `throws`: it can be neither read nor written. */
export type StoreTrouble = 'full' | 'throws';

/** A storage that does as it is told: shared by any number of tabs, full, forbidden, or slow. */
export interface ManualStore {
  /** What a tab sees of it. Each tab takes a view of its own: changes are told to all views but the one that made them. */
  view(): KeyValueStore;
  /** A view that answers by promises, each after `ms` of this world's time (default 0: at once, but never in the same turn). */
  slowView(world: Pick<World, 'after'>, ms?: number): KeyValueStore;
  /** The names in it, in the order of their making. */
  keys(): readonly string[];
  /** What stands under a name. */
  text(key: string): string | undefined;
  /** Writes past all views and troubles, as a stranger would; undefined removes. Told to all views. */
  put(key: string, value: string | undefined): void;
  /** From now on; undefined: none. */
  setTrouble(trouble: StoreTrouble | undefined): void;
  /** How many listeners are attached. */
  watchers(): number;
}

interface Watcher {
  readonly view: object;
  readonly key: string;
  readonly listener: () => void;
}

/** Makes an empty store. */
export function createManualStore(): ManualStore {
  const held = new Map<string, string>();
  const watchers = new Set<Watcher>();
  let trouble: StoreTrouble | undefined;

  const tell = (key: string, by?: object): void => {
    for (const watcher of [...watchers]) {
      if (watcher.key === key && watcher.view !== by) watcher.listener();
    }
  };
  const write = (key: string, value: string | undefined, by?: object): void => {
    if (held.get(key) === value) return;
    if (value === undefined) held.delete(key);
    else held.set(key, value);
    tell(key, by);
  };
  const refuse = (): void => {
    if (trouble === 'throws') throw new DOMException('The operation is insecure.', 'SecurityError');
  };

  const view = (): KeyValueStore => {
    const self: KeyValueStore = {
      get(key) {
        refuse();
        return held.get(key) ?? null;
      },
      set(key, value) {
        refuse();
        if (trouble === 'full')
          throw new DOMException('The quota is used up.', 'QuotaExceededError');
        write(key, value, self);
      },
      remove(key) {
        refuse();
        write(key, undefined, self);
      },
      watch(key, listener) {
        const watcher = { view: self, key, listener };
        watchers.add(watcher);
        return () => {
          watchers.delete(watcher);
        };
      },
    };
    return self;
  };

  return {
    view,
    slowView(world, ms = 0) {
      const { get, set, remove } = view();
      const later = async <T>(work: () => T): Promise<T> => {
        if (ms > 0) await new Promise<void>((resolve) => world.after(ms, resolve));
        else await Promise.resolve();
        return work();
      };
      return {
        get: (key) => later(() => get(key)),
        set: (key, value) => later(() => set(key, value)),
        remove: (key) => later(() => remove(key)),
      };
    },
    keys: () => [...held.keys()],
    text: (key) => held.get(key),
    put: (key, value) => write(key, value),
    setTrouble(next) {
      trouble = next;
    },
    watchers: () => watchers.size,
  };
}
