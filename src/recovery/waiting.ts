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
}

/** How long until the next automatic try, and what makes it that long. */
export function waitFor<M extends ChatMessage>(
  d: Draft<M>,
  failure: Failure,
  tries: number,
): { ms: number; cause: BackoffCause } {
  const { env } = d;
  const { error } = failure;
  const own = backoffMs(tries - 1, env.chance, env.policy, error.statusCode === 429);
  const waits: { ms: number; cause: BackoffCause }[] = [{ ms: own, cause: 'backoff' }];
  if (error.retryAfterMs !== undefined) {
    waits.push({ ms: statedWaitMs(error.retryAfterMs, env.chance), cause: 'stated-wait' });
  }
  if (!env.online) waits.push({ ms: env.policy.offlineProbeMs, cause: 'offline' });
  if (env.budgetWaitMs > 0) waits.push({ ms: env.budgetWaitMs, cause: 'budget' });
  if (env.breakerWaitMs > 0) waits.push({ ms: env.breakerWaitMs, cause: 'breaker' });
  return waits.reduce((longest, wait) => (wait.ms > longest.ms ? wait : longest));
}

/** Enters `backing-off` before the next try of `wait.job`. */
export function backOff<M extends ChatMessage>(d: Draft<M>, wait: Wait): void {
  const { ms, cause } = waitFor(d, wait.failure, wait.tries);
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
