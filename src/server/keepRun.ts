import { HelixError } from '../errors/HelixError.ts';
import type { World } from '../world.ts';
import type { Interrupt } from './interrupt.ts';
import type { ChatStore, RunChange, StopMode, WriteAnswer } from './store/chatStore.ts';
import { pause, storeBackoff } from './storeBackoff.ts';

/** Why a run is left before its reply is complete. */
export type Word = { readonly kind: 'stop'; readonly mode: StopMode } | { readonly kind: 'fenced' };

/** What a run is kept with. `leaseMs` is in ms. */
export interface KeepDeps {
  readonly store: ChatStore;
  readonly world: World;
  readonly leaseMs: number;
  /** Tells the host's developer. Never throws. */
  readonly report: (error: unknown, where: { chatId: string; runId: string }) => void;
}

/** A run in the hands of the process that drives it. */
export interface KeptRun {
  /**
   * Makes a change exactly once, however often the store has to be asked: a store that fails is asked again until the
   * lease has run out. A run that is no longer ours is told by the interrupt. Rejects with a `StoreFailure`.
   */
  write(change: Omit<RunChange, 'number' | 'leaseMs'>): Promise<void>;
  /** Stops renewing and listening. */
  leave(): void;
}

/** Sets a failure of the store apart from one of the reply. */
export class StoreFailure extends Error {
  constructor(cause: unknown) {
    super('[helix-chat] The chat store failed.', { cause });
  }
}

/** A store that refuses typed has decided, unless it says itself that it may be asked again. */
const isFinal = (error: unknown): boolean =>
  HelixError.isInstance(error) && error.retryable !== true;

/** Renews a run's lease, writes its changes, and gives the interrupt the stops that reach it. */
export function keepRun(
  deps: KeepDeps,
  run: { readonly chatId: string; readonly runId: string },
  interrupt: Interrupt<Word>,
): KeptRun {
  const { store, world, leaseMs, report } = deps;
  const { chatId, runId } = run;
  let live = true;
  let number = 0;
  // Each change renews the lease: when nothing has come through for as long as it lasts, the run is anybody's.
  let leaseEnds = world.monotonic() + leaseMs;

  const ask = async (change: RunChange): Promise<void> => {
    const asked = world.monotonic();
    const answer: WriteAnswer = await store.write(chatId, runId, { ...change, leaseMs });
    if (answer.kind === 'fenced') return interrupt.give({ kind: 'fenced' });
    leaseEnds = asked + leaseMs;
    if (answer.stop) interrupt.give({ kind: 'stop', mode: answer.stop });
  };
  // A failed renewal is not the end: the next one may still come in time.
  const renew = () =>
    ask({}).catch((error: unknown) => {
      if (live) report(error, run);
    });
  let cancel = () => {};
  const schedule = () => {
    cancel = world.after(leaseMs / 3, () => {
      void renew().then(() => {
        if (live) schedule();
      });
    });
  };
  schedule();
  const unsubscribe = store.subscribe(chatId, (change) => {
    if (change === 'stop' && live) void renew();
  });

  return {
    async write(change) {
      number += 1;
      const numbered = { ...change, number };
      const wait = storeBackoff();
      for (let failures = 0; ; failures++) {
        try {
          return await ask(numbered);
        } catch (error) {
          if (interrupt.word?.kind === 'fenced') return;
          if (world.monotonic() >= leaseEnds || isFinal(error)) throw new StoreFailure(error);
          if (failures === 0) report(error, run);
        }
        await pause(world, wait());
      }
    },
    leave() {
      live = false;
      cancel();
      unsubscribe();
    },
  };
}
