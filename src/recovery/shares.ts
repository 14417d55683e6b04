import type { World } from '../world.ts';
import type { Breaker } from './breaker.ts';
import type { Budget } from './budget.ts';
import type { Env } from './draft.ts';
import type { Job, Model } from './model.ts';
import { waitsForLimits } from './pacing.ts';

interface SharesOptions {
  readonly world: World;
  readonly budget: Budget;
  readonly breaker: Breaker;
  endpoint(): string;
  /** A limit that this chat waits for has changed. */
  onChange(alive: boolean): void;
}

/** One chat's place in the limits that it shares with others. */
export interface Shares {
  waits(): Pick<Env, 'budgetWaitMs' | 'breakerWaitMs' | 'probes' | 'apartMs'>;
  spend(): void;
  claimProbe(): void;
  noteAlive(): void;
  noteDead(): void;
  /** The probe of this chat, if it has one, has said nothing. */
  probeOver(): void;
  reconsider(): void;
  keepApart(): void;
  /** After each change of the chat: takes or leaves its places by what it waits for now. */
  look(model: Pick<Model, 'job' | 'state' | 'pausedAt'>): void;
  end(): void;
}

/** Jobs that have a request out: any of them may be the probe. */
const OUT: readonly Job['at'][] = [
  'requesting',
  'probing',
  'held-read',
  'held-attach',
  'reading',
  'attaching',
  'reconnecting',
];

/** One a chat. Budget and breaker are shared with other chats; places in them are left at `end`. */
export function createShares(options: SharesOptions): Shares {
  const { world, budget, breaker, endpoint } = options;
  const who = {};
  let inLine = false;
  let probing = false;
  let forget: (() => void) | undefined;
  const listen = (waits: boolean): void => {
    if (!waits) {
      forget?.();
      forget = undefined;
      return;
    }
    forget ??= breaker.onChange((of, change) => {
      // Any answer proves the network; the rest is the endpoint's own.
      if (change === 'alive' || of === endpoint()) options.onChange(change === 'alive');
    });
  };
  const endProbe = (): void => {
    if (!probing) return;
    probing = false;
    breaker.release(who);
  };
  return {
    waits() {
      const mono = world.monotonic();
      return {
        budgetWaitMs: budget.waitMs(endpoint(), mono, who),
        breakerWaitMs: breaker.waitMs(endpoint(), mono, who),
        probes: breaker.probes(endpoint(), mono),
        apartMs: budget.apartMs(endpoint(), mono),
      };
    },
    spend: () => budget.spend(endpoint(), world.monotonic()),
    claimProbe() {
      probing = true;
      breaker.claim(endpoint(), world.monotonic(), who);
    },
    noteAlive() {
      probing = false;
      breaker.alive(endpoint());
    },
    noteDead() {
      probing = false;
      breaker.failed(endpoint(), world.monotonic());
    },
    probeOver: endProbe,
    keepApart: () => budget.keepApart(endpoint(), world.monotonic()),
    reconsider: () => breaker.reconsider(endpoint(), world.monotonic()),
    look(model) {
      const { state, job } = model;
      const queues = state.name === 'backing-off' && state.cause === 'budget';
      if (queues) budget.queue(endpoint(), who);
      else if (inLine) budget.leave(who);
      inLine = queues;
      listen(waitsForLimits(model));
      if (!OUT.includes(job.at)) endProbe();
    },
    end() {
      budget.leave(who);
      listen(false);
      endProbe();
    },
  };
}
