import type { Failure, Phase } from '../errors/failure.ts';
import { backoffMs, statedWaitMs } from './backoff.ts';
import { type Draft, enter, isWatching, order, patch, report } from './draft.ts';
import type { Job } from './model.ts';
import type { ChatMessage } from './ports.ts';
import { evidenceOf } from './recoveryReport.ts';
import type { BackoffCause, RecoveryState } from './state.ts';

interface Wait {
  readonly of: 'send' | 'read' | 'load';
  readonly job: Job;
  readonly phase: Phase;
  readonly failure: Failure;
  /** Tries so far of what is repeated, at least 1. */
  readonly tries: number;
  readonly attempts: number;
  /** Whether it counts as a repeat. Default true. */
  readonly costs?: boolean;
}

/** A pause of our own: the budget is spent, or the endpoint does not answer. */
export interface Pause {
  readonly ms: number;
  readonly cause: 'budget' | 'breaker';
}

interface Timed {
  readonly ms: number;
  readonly cause: BackoffCause;
}

/** Chats that wait for one moment come apart over so long. */
const SPREAD_MS = 1_000;

/** A chance part of a second, so that chats that wait for one moment do not all begin at it. */
export const spreadMs = <M extends ChatMessage>(d: Draft<M>): number =>
  Math.ceil(d.env.chance * SPREAD_MS);

const longest = <T extends Timed>(waits: readonly T[]): T | undefined =>
  waits.reduce<T | undefined>(
    (max, wait) => (max === undefined || wait.ms > max.ms ? wait : max),
    undefined,
  );

/** What holds up automatic work at this moment; `costs`: it would count as a repeat. */
export function ownPause<M extends ChatMessage>(d: Draft<M>, costs: boolean): Pause | undefined {
  const { budgetWaitMs, breakerWaitMs } = d.env;
  const pauses: Pause[] = [];
  if (costs && budgetWaitMs > 0) pauses.push({ ms: budgetWaitMs, cause: 'budget' });
  if (breakerWaitMs > 0) pauses.push({ ms: breakerWaitMs, cause: 'breaker' });
  const pause = longest(pauses);
  return pause === undefined ? undefined : { ...pause, ms: pause.ms + spreadMs(d) };
}

/** How long until the next automatic try, and what makes it that long. */
function waitFor<M extends ChatMessage>(d: Draft<M>, wait: Wait): Timed {
  const { env } = d;
  const { error } = wait.failure;
  const own = backoffMs(wait.tries - 1, env.chance, env.policy, error.statusCode === 429);
  const waits: Timed[] = [{ ms: own, cause: 'backoff' }];
  if (error.retryAfterMs !== undefined) {
    waits.push({ ms: statedWaitMs(error.retryAfterMs, env.chance), cause: 'stated-wait' });
  }
  if (!env.online) waits.push({ ms: env.policy.offlineProbeMs, cause: 'offline' });
  const pause = ownPause(d, wait.costs ?? true);
  if (pause !== undefined) waits.push(pause);
  return longest(waits) ?? { ms: own, cause: 'backoff' };
}

/** Enters `backing-off` before the next try of `wait.job`. */
export function backOff<M extends ChatMessage>(d: Draft<M>, wait: Wait): void {
  const { ms: wanted, cause } = waitFor(d, wait);
  const isOwn = cause === 'budget' || cause === 'breaker';
  const ms = isOwn ? withinPatience(d, wanted) : wanted;
  const state: RecoveryState = {
    name: 'backing-off',
    since: d.env.now,
    of: wait.of,
    cause,
    retryAt: d.env.now + ms,
    attempt: wait.tries + 1,
    attempts: wait.attempts,
    phase: wait.phase,
    failure: wait.failure,
  };
  // A message that waits for another's reply goes on waiting, whatever the read of that reply goes through.
  const { retryAfterMs } = wait.failure.error;
  const notBefore = retryAfterMs === undefined ? undefined : d.env.mono + retryAfterMs;
  enter(d, wait.job, isWatching(d) && wait.of !== 'send' ? undefined : state);
  patch(d, {
    troubled: true,
    notBefore,
    ...(notBefore !== undefined && wait.of === 'send'
      ? { gate: { untilMono: notBefore, failure: wait.failure } }
      : {}),
  });
  order(d, { do: 'start-timer', ms });
  report(d, {
    type: 'backing-off',
    phase: wait.phase,
    attempt: wait.tries + 1,
    cause,
    ms,
    ...evidenceOf(wait.failure.error),
  });
}

/** A pause of our own ends with the patience at the latest. Its clock begins with the first one. */
export function withinPatience<M extends ChatMessage>(d: Draft<M>, ms: number): number {
  const { mono, policy } = d.env;
  const pausedAt = d.model.pausedAt ?? mono;
  patch(d, { pausedAt });
  return Math.max(0, Math.min(ms, pausedAt + policy.patienceMs - mono));
}

/** While the platform says offline, a request that nothing answered was a probe, and costs no try. */
export const isTry = <M extends ChatMessage>(d: Draft<M>, status: number | undefined): boolean =>
  d.env.online || status !== undefined;

/** How much of a stated wait is left. */
export const statedLeftMs = <M extends ChatMessage>(d: Draft<M>): number =>
  Math.max(0, (d.model.notBefore ?? 0) - d.env.mono);

/** Waits on before the job under way, as long as a limit says, and never less than a server did. */
export function waitOn<M extends ChatMessage>(d: Draft<M>, ms: number, cause: BackoffCause): void {
  const { state, job } = d.model;
  const { now } = d.env;
  const waits = Math.max(ms, statedLeftMs(d));
  const goesOn: RecoveryState | undefined =
    state.name === 'backing-off' ? { ...state, cause, retryAt: now + waits } : undefined;
  enter(d, job, goesOn);
  order(d, { do: 'start-timer', ms: waits });
  if (state.name === 'backing-off') {
    const { phase, attempt, failure } = state;
    report(d, {
      type: 'backing-off',
      phase,
      attempt,
      cause,
      ms: waits,
      ...evidenceOf(failure.error),
    });
  }
}
