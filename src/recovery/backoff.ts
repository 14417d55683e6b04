import type { ResolvedPolicy } from './policy.ts';

/** Full-jitter exponential back-off in ms: `chance * min(cap, base * 2^n)`, n from 0; twice that after a 429. */
export function backoffMs(
  n: number,
  chance: number,
  policy: ResolvedPolicy,
  doubled = false,
): number {
  const ceiling = Math.min(policy.backoffCapMs, policy.backoffMs * 2 ** Math.min(n, 30));
  return Math.round(chance * ceiling * (doubled ? 2 : 1));
}

/** A wait that a server stated, never shortened, plus at most a second so that clients do not return as one. */
export function statedWaitMs(waitMs: number, chance: number): number {
  return Math.ceil(waitMs + chance * Math.min(1_000, waitMs));
}

/** The time to the n-th look at a run that has no stream, n from 0, jittered to between half and the whole. */
export function pollWaitMs(n: number, chance: number, policy: ResolvedPolicy): number {
  const ceiling = Math.min(policy.pollCapMs, policy.pollMs * 2 ** Math.min(n, 30));
  return Math.round(ceiling * (0.75 + 0.25 * chance));
}
