/**
 * Everything from outside that decides when or whether something happens: clocks, timers, chance, network status, page
 * life cycle and locks between tabs. The only file that names them. They are read from `globalThis` inside functions, so that importing
 * this file on a server or in a worker touches nothing.
 */

/** Why the page woke up or fell asleep. `leaving`: it goes away, perhaps for good, and `gone`: it does not come back; `restored`: it came back unchanged. */
export type PageEvent =
  | 'online'
  | 'offline'
  | 'visible'
  | 'hidden'
  | 'leaving'
  | 'gone'
  | 'restored';

/**
 * Texts kept by name, as Web storage keeps them. Each function may answer at once or by a promise, and may throw or
 * reject: whoever calls it reckons with that.
 */
export interface KeyValueStore {
  /** What was kept under this name; null or undefined where nothing is. */
  get(key: string): unknown;
  set(key: string, value: string): unknown;
  remove(key: string): unknown;
  /** Tells of changes that others made under this name, until the returned function is called. Absent: nobody tells. */
  watch?(key: string, listener: () => void): () => void;
}

/** `session`: lives as long as the tab, and through reloads. `local`: shared by all tabs of the origin, for good. */
export type StorageKind = 'session' | 'local';

/** The port through which helix-chat meets the outside. `systemWorld()` is the real one, `createManualWorld()` of `helix-chat/testing` the fake. */
export interface World {
  /** Wall-clock time in ms since the epoch: for dates shown to people and for dates a server sent. */
  now(): number;
  /** Monotonic time in ms from an arbitrary start: for every wait. */
  monotonic(): number;
  /** Runs `task` once, not earlier than `ms` from now. The returned function cancels it; cancelling twice is harmless. */
  after(ms: number, task: () => void): () => void;
  /** A number in [0, 1): jitter, ids. Not for secrets. */
  random(): number;
  /** What the platform believes about its network: a hint, never proof. True where nothing is known. */
  online(): boolean;
  /** Whether a person can see the page. True where there is no page. */
  visible(): boolean;
  /** The page's origin, or undefined where there is no page. */
  origin(): string | undefined;
  /** Tells of page events until the returned function is called. Does nothing where there is no page. */
  onPageEvent(listener: (event: PageEvent) => void): () => void;
  /** The page's storage, the same object each time; undefined where there is none. Absent in a world without any. */
  storage?(kind: StorageKind): KeyValueStore | undefined;
  /** Puts a text on the clipboard; rejects where the platform does not let it. Absent in a world without one. */
  copy?(text: string): Promise<void>;
  /**
   * Runs `task` while nobody else in any tab of this origin holds `name`, and holds it until the task has settled. With
   * `wait` it waits for its turn until `signal` aborts; without, a name that is held is left alone. Resolves to whether
   * the task ran; rejects only by what the task rejects with. Absent in a world without locks.
   */
  lock?(name: string, task: () => Promise<void>, options: LockOptions): Promise<boolean>;
}

/** How a lock is asked for. */
export interface LockOptions {
  readonly wait: boolean;
  readonly signal: AbortSignal;
}

/** Web Locks. A platform without them, or one that refuses them to this page, runs the task unlocked. */
async function lockByPlatform(
  name: string,
  task: () => Promise<void>,
  { wait, signal }: LockOptions,
): Promise<boolean> {
  let ran = false;
  const run = async (): Promise<void> => {
    ran = true;
    await task();
  };
  const locks = globalThis.navigator?.locks;
  try {
    // The platform takes a signal only from those who wait.
    await locks?.request(name, wait ? { signal } : { ifAvailable: true }, async (lock) => {
      if (lock !== null) await run();
    });
    if (locks !== undefined) return ran;
  } catch (error) {
    if (ran) throw error;
  }
  if (signal.aborted) return false;
  await run();
  return true;
}

/** The real world, read anew at each call. */
export function systemWorld(): World {
  return {
    now: () => Date.now(),
    monotonic: () => globalThis.performance?.now() ?? Date.now(),
    after(ms, task) {
      const timer = globalThis.setTimeout(task, ms);
      return () => globalThis.clearTimeout(timer);
    },
    random: () => Math.random(),
    online: () => globalThis.navigator?.onLine !== false,
    visible: () => globalThis.document?.visibilityState !== 'hidden',
    origin: () => globalThis.location?.origin,
    storage: webStorage,
    copy: async (text) => globalThis.navigator.clipboard.writeText(text),
    lock: lockByPlatform,
    onPageEvent(listener) {
      const page = globalThis.window;
      const view = globalThis.document;
      if (!page?.addEventListener) return () => {};
      const online = () => listener('online');
      const offline = () => listener('offline');
      const restored = (event: { persisted?: boolean }) => {
        if (event.persisted) listener('restored');
      };
      const leaving = (event: { persisted?: boolean }) =>
        listener(event.persisted === false ? 'gone' : 'leaving');
      const visibility = () => listener(view.visibilityState === 'hidden' ? 'hidden' : 'visible');
      page.addEventListener('online', online);
      page.addEventListener('offline', offline);
      page.addEventListener('pageshow', restored);
      page.addEventListener('pagehide', leaving);
      view?.addEventListener('visibilitychange', visibility);
      return () => {
        page.removeEventListener('online', online);
        page.removeEventListener('offline', offline);
        page.removeEventListener('pageshow', restored);
        page.removeEventListener('pagehide', leaving);
        view?.removeEventListener('visibilitychange', visibility);
      };
    },
  };
}

const stores = new Map<StorageKind, KeyValueStore>();

/** One object a kind for the whole page. What the platform refuses (a full or forbidden storage) it throws. */
function webStorage(kind: StorageKind): KeyValueStore | undefined {
  const page = globalThis.window;
  // A server may have a global of that name, shared by all whom it serves.
  if (!page?.addEventListener) return undefined;
  const known = stores.get(kind);
  if (known !== undefined) return known;
  const area = (): Storage => (kind === 'session' ? page.sessionStorage : page.localStorage);
  const store: KeyValueStore = {
    get: (key) => area().getItem(key),
    set: (key, value) => area().setItem(key, value),
    remove: (key) => area().removeItem(key),
    watch(key, listener) {
      const changed = (event: StorageEvent) => {
        if (event.storageArea === area() && (event.key === key || event.key === null)) listener();
      };
      page.addEventListener('storage', changed);
      return () => page.removeEventListener('storage', changed);
    },
  };
  stores.set(kind, store);
  return store;
}
