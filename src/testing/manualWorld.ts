import type { PageEvent, StorageKind, World } from '../world.ts';
import { createManualLocks, type ManualLocks } from './manualLocks.ts';
import { createManualStore, type ManualStore } from './manualStore.ts';

/** How a manual world begins. Everything has a fixed default, so that two runs of one test are the same run. */
export interface ManualWorldOptions {
  /** Wall-clock ms since the epoch. Default: 2026-01-01T00:00:00Z. */
  readonly now?: number;
  /** Seed of `random()`. Default 1. */
  readonly seed?: number;
  /** Default `http://helix.test`; `null` for a world without a page. */
  readonly origin?: string | null;
  /**
   * The page's storage, to be shared by worlds: tabs of one browser share `local`, a page and its reload both. Default:
   * empty ones of its own. `null`: a world without storage.
   */
  readonly stores?: Partial<Readonly<Record<StorageKind, ManualStore>>> | null;
  /** Locks that it shares with other worlds, as tabs do. Default: its own; `null` for a world without any. */
  readonly locks?: ManualLocks | null;
}

/** A `World` whose time moves only when it is told to. For tests, stories and demos; runs in browsers too. */
export interface ManualWorld extends World {
  /**
   * Moves both clocks by `ms`. Timers that fall due fire in order of their time (then of their making), each after the
   * clocks stand at its time, and everything that a timer sets off settles before the next one fires.
   */
  advance(ms: number): Promise<void>;
  /** Lets pending promises, streams and macrotasks run without moving time. Timers that are due at once do not fire. */
  settle(): Promise<void>;
  /**
   * Advances from timer to timer until `predicate` holds.
   * @throws Error when it does not hold after `maxMs`. Default 60_000.
   */
  runUntil(predicate: () => boolean | Promise<boolean>, maxMs?: number): Promise<void>;
  /** Moves the wall clock alone, as a laptop that slept does. No timer fires. */
  jumpClock(ms: number): void;
  /** Sets what `online()` answers and tells the listeners when it changed. */
  setOnline(online: boolean): void;
  /** Sets what `visible()` answers and tells the listeners when it changed. */
  setVisible(visible: boolean): void;
  /** Tells the listeners of a page event as it is, without changing what `online()` and `visible()` answer. */
  emit(event: PageEvent): void;
  /** How many timers wait. Zero when nothing is left running. */
  pending(): number;
  /** How many page-event listeners are attached. */
  listeners(): number;
  /** How many locks are held or waited for, by anybody who shares them. */
  locks(): number;
}

interface Timer {
  readonly due: number;
  readonly order: number;
  readonly task: () => void;
}

/** Enough macrotask turns for a chain of streams and a render to come to rest; found by doubling what the SDK's pipeline needs. */
const TURNS = 8;

/** Makes a manual world. Nothing in it waits for real time. */
export function createManualWorld(options: ManualWorldOptions = {}): ManualWorld {
  const timers = new Set<Timer>();
  const listeners = new Set<(event: PageEvent) => void>();
  const random = seededRandom(options.seed ?? 1);
  const { stores = {} } = options;
  const views = {
    session: (stores?.session ?? createManualStore()).view(),
    local: (stores?.local ?? createManualStore()).view(),
  };
  const origin = options.origin === null ? undefined : (options.origin ?? 'http://helix.test');
  const locks = options.locks === null ? undefined : (options.locks ?? createManualLocks());
  let wall = options.now ?? Date.UTC(2026, 0, 1);
  let elapsed = 0;
  let order = 0;
  let online = true;
  let visible = true;

  const emit = (event: PageEvent) => {
    for (const listener of [...listeners]) listener(event);
  };
  const moveTo = (time: number) => {
    wall += time - elapsed;
    elapsed = time;
  };
  /** Fires the earliest timer due by `limit`; false when there is none. */
  const fireNext = async (limit: number): Promise<boolean> => {
    const timer = earliest(timers);
    if (timer === undefined || timer.due > limit) return false;
    timers.delete(timer);
    moveTo(Math.max(elapsed, timer.due));
    timer.task();
    await settle();
    return true;
  };

  return {
    now: () => wall,
    monotonic: () => elapsed,
    random,
    online: () => online,
    visible: () => visible,
    origin: () => origin,
    storage: (kind) => (stores === null ? undefined : views[kind]),
    after(ms, task) {
      const timer = { due: elapsed + Math.max(0, ms || 0), order: order++, task };
      timers.add(timer);
      return () => {
        timers.delete(timer);
      };
    },
    onPageEvent(listener) {
      // Each subscription is its own entry, so that one function may listen twice.
      const entry = (event: PageEvent) => listener(event);
      listeners.add(entry);
      return () => {
        listeners.delete(entry);
      };
    },
    ...(locks === undefined ? {} : { lock: locks.request }),
    async advance(ms) {
      const target = elapsed + Math.max(0, ms);
      await settle();
      while (await fireNext(target));
      moveTo(target);
      await settle();
    },
    settle,
    async runUntil(predicate, maxMs = 60_000) {
      const limit = elapsed + maxMs;
      await settle();
      while (!(await predicate())) {
        if (!(await fireNext(limit))) {
          throw new Error(
            `[helix-chat] runUntil: the condition did not come true within ${maxMs} ms of manual time. ` +
              `The clock stands at ${elapsed} ms and ${timers.size} timer(s) wait. ` +
              'Check the condition, or give runUntil more time.',
          );
        }
      }
    },
    jumpClock(ms) {
      wall += ms;
    },
    setOnline(next) {
      if (online === next) return;
      online = next;
      emit(next ? 'online' : 'offline');
    },
    setVisible(next) {
      if (visible === next) return;
      visible = next;
      emit(next ? 'visible' : 'hidden');
    },
    emit,
    pending: () => timers.size,
    listeners: () => listeners.size,
    locks: () => locks?.count() ?? 0,
  };
}

function earliest(timers: ReadonlySet<Timer>): Timer | undefined {
  let first: Timer | undefined;
  for (const timer of timers) {
    const sooner =
      first === undefined ||
      timer.due < first.due ||
      (timer.due === first.due && timer.order < first.order);
    if (sooner) first = timer;
  }
  return first;
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await macrotask();
}

/** One turn of the event loop without a clock: `setImmediate` where there is one, else a message to ourselves. */
function macrotask(): Promise<void> {
  const immediate = (globalThis as { setImmediate?: (task: () => void) => unknown }).setImmediate;
  return new Promise((resolve) => {
    if (immediate) {
      immediate(resolve);
      return;
    }
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** Mulberry32: small, fast, and the same everywhere. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
