import type { Failure } from '../errors/failure.ts';

/** An automatic move that `Policy.allow` may forbid. */
export type Move = 'repeat' | 'resync' | 'reconnect' | 're-anchor' | 'send-held' | 'submit';

/** Every number of recovery. Times in ms; 0 switches a time-out layer off. */
export interface Policy {
  /** Automatic repeats of one act after its first request. Default 3. */
  readonly repeats?: number;
  /** First back-off ceiling; doubles with each try. Default 500. */
  readonly backoffMs?: number;
  /** Largest back-off ceiling. Default 30,000. */
  readonly backoffCapMs?: number;
  /** A wait that a server states is sat out up to this; beyond it nothing is automatic. Default 60,000. */
  readonly statedWaitCapMs?: number;
  /** Automatic repeats of one endpoint in a rolling window. Default 10 in 60,000. */
  readonly budget?: { readonly moves: number; readonly perMs: number };
  /** Consecutive failures of one endpoint that pause automatic work, and for how long. Default 5, 30,000. */
  readonly breaker?: { readonly failures: number; readonly pauseMs: number };
  /** From the request to its headers. Default 0, or 60,000 where request keys are proven. */
  readonly connectMs?: number;
  /** Silence on a stream, counted on raw bytes. Default 45,000. */
  readonly idleMs?: number;
  /** Bytes without content. Default 300,000. */
  readonly progressMs?: number;
  /** A whole reply. Default 0. */
  readonly totalMs?: number;
  /** How long a held message waits while nothing is heard of the run it waits for. Default 300,000. */
  readonly patienceMs?: number;
  /** First and largest wait between two looks at a run that has no stream. Default 1,000 and 10,000. */
  readonly pollMs?: number;
  readonly pollCapMs?: number;
  /** Reconnects in a row without anything new. Default 3. */
  readonly reconnects?: number;
  /** Reconnects of one turn. Default 20. */
  readonly reconnectsPerTurn?: number;
  /** Re-anchors without new committed content in between. Default 5. */
  readonly reanchors?: number;
  /** Bound of a read that only settles the screen. Default 3,000. */
  readonly quietReadMs?: number;
  /** Bound of a read that decides whether a message arrived. Default 10,000. */
  readonly heldReadMs?: number;
  /** Bound of ending a read. Default 2,000. */
  readonly stopMs?: number;
  /** Between two probes while the platform says offline. Default 30,000. */
  readonly offlineProbeMs?: number;
  /** A clock jump beyond this holds what is pending. Default 600,000. */
  readonly sleptMs?: number;
  /** May forbid an automatic move, never force one. A throw counts as true and is reported. */
  allow?(move: Move, failure: Failure): boolean;
}

/** A policy with every default filled in. */
export type ResolvedPolicy = Required<Omit<Policy, 'allow' | 'connectMs'>> &
  Pick<Policy, 'allow'> & { readonly connectMs: number | undefined };

const DEFAULTS: ResolvedPolicy = {
  repeats: 3,
  backoffMs: 500,
  backoffCapMs: 30_000,
  statedWaitCapMs: 60_000,
  budget: { moves: 10, perMs: 60_000 },
  breaker: { failures: 5, pauseMs: 30_000 },
  connectMs: undefined,
  idleMs: 45_000,
  progressMs: 300_000,
  totalMs: 0,
  patienceMs: 300_000,
  pollMs: 1_000,
  pollCapMs: 10_000,
  reconnects: 3,
  reconnectsPerTurn: 20,
  reanchors: 5,
  quietReadMs: 3_000,
  heldReadMs: 10_000,
  stopMs: 2_000,
  offlineProbeMs: 30_000,
  sleptMs: 600_000,
};

const invalid = (name: string, value: unknown): Error =>
  new Error(
    `[helix-chat] The recovery policy has ${name}: ${String(value)}. Waits and limits would not end as stated. ` +
      `Give a finite number of at least 0.`,
  );

const invalidAllow = (value: unknown): Error =>
  new Error(
    `[helix-chat] The recovery policy has allow: ${String(value)}. No automatic move could be asked about. ` +
      'Give a function of a move and a failure that answers a boolean.',
  );

const unknown = (name: string): Error =>
  new Error(
    `[helix-chat] The recovery policy has ${name}, which is none of its limits. It would have no effect. ` +
      `Known are ${Object.keys(DEFAULTS).join(', ')} and allow.`,
  );

/** The numbers of one limit: itself, or those of the pair that stands in its place. */
function numbersOf(name: string, value: unknown): readonly unknown[] {
  if (name !== 'budget' && name !== 'breaker') return [value];
  const fields: readonly string[] = Object.keys(DEFAULTS[name]);
  const pair = typeof value === 'object' && value !== null ? value : {};
  return fields.map((field) => (pair as Record<string, unknown>)[field]);
}

/** Fills a policy with its defaults. Throws at once on a number that is negative or not finite, and on an unknown name. */
export function resolvePolicy(policy: Policy = {}): ResolvedPolicy {
  if (typeof policy !== 'object' || policy === null) throw unknown(String(policy));
  const resolved: Record<string, unknown> = { ...DEFAULTS };
  for (const [name, value] of Object.entries(policy)) {
    if (value === undefined) continue;
    if (name === 'allow') {
      if (typeof value !== 'function') throw invalidAllow(value);
    } else if (!Object.hasOwn(DEFAULTS, name)) throw unknown(name);
    else {
      for (const number of numbersOf(name, value)) {
        if (typeof number !== 'number' || !Number.isFinite(number) || number < 0) {
          throw invalid(name, number);
        }
      }
    }
    resolved[name] = value;
  }
  return resolved as unknown as ResolvedPolicy;
}
