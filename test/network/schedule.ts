import fc from 'fast-check';
import type { Ending, FaultRule, NetworkFault, Place } from './networkFault.ts';

/** How a server tells a message that it has from a new one. */
export type BackendKind = 'keys' | 'ids only';

/** When a step is taken: at once, when so many bytes of replies have come, at the next request, when the server is there, or when nothing is under way. */
export type When =
  | { readonly after: 'nothing' | 'request' | 'server' | 'rest' }
  | { readonly after: 'bytes'; readonly count: number };

/** What a person or the network does next. Times in ms. */
export type Step =
  | {
      readonly do:
        | 'send'
        | 'edit-last'
        | 'edit-first'
        | 'stop'
        | 'stop-run'
        | 'retry'
        | 'regenerate'
        | 'take-back'
        | 'send-first'
        | 'stop-send'
        | 'try-now'
        | 'resync'
        | 'remount';
      readonly when: When;
    }
  | { readonly do: 'fault'; readonly rule: FaultRule }
  | { readonly do: 'kill'; readonly downMs: number; readonly when: When };

/** One schedule: what happens, on which kind of server. */
export interface Schedule {
  readonly kind: BackendKind;
  /** Pace of replies. */
  readonly wordMs: number;
  /** How patient the client is between two tries. */
  readonly backoffMs: number;
  /** What a request meets while the server is down. */
  readonly whenDown: 'reset' | 'gateway';
  readonly steps: readonly Step[];
}

const bytes = fc.oneof(
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 200 }) },
  { weight: 2, arbitrary: fc.integer({ min: 200, max: 2500 }) },
);
const when: fc.Arbitrary<When> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      after: fc.constantFrom('nothing' as const, 'request' as const, 'server' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ after: fc.constant('bytes' as const), count: bytes }) },
  { weight: 3, arbitrary: fc.record({ after: fc.constant('rest' as const) }) },
);
const place = fc.constantFrom<Place>('anywhere', 'in-character', 'in-frame', 'between-frames');
const ending = fc.constantFrom<Ending>('reset', 'closed', 'complete');
const downMs = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 1200 }));
const shortWait = fc.integer({ min: 5, max: 900 });
/** Now and then something stands still until the faults end. */
const still = fc.oneof(
  { weight: 2, arbitrary: fc.record({ ms: shortWait }) },
  { weight: 1, arbitrary: fc.constant<{ ms?: number }>({}) },
);

const fault: fc.Arbitrary<NetworkFault> = fc.oneof(
  fc.record({
    do: fc.constant('reset' as const),
    when: fc.constantFrom('at-once' as const, 'forwarded' as const, 'answered' as const),
  }),
  fc.record({
    do: fc.constant('gateway' as const),
    status: fc.constantFrom(502 as const, 504 as const),
    taken: fc.boolean(),
  }),
  fc.constant({ do: 'portal' as const }),
  still.map((wait) => ({ do: 'hold-head' as const, ...wait })),
  fc.record({ do: fc.constant('cut' as const), from: bytes, place, how: ending }),
  fc.record({ do: fc.constant('cut' as const), from: bytes, place, how: ending }),
  fc.record({ from: bytes, place, wait: still }).map(({ from, place: where, wait }) => ({
    do: 'stall' as const,
    from,
    place: where,
    ...wait,
  })),
  fc.constant({ do: 'trickle' as const }),
  fc.constant({ do: 'half-close' as const }),
  fc.record({ do: fc.constant('kill' as const), from: bytes, downMs, how: ending }),
);

const rule: fc.Arbitrary<FaultRule> = fc.record({
  on: fc.oneof(
    { weight: 3, arbitrary: fc.constant('send' as const) },
    { weight: 2, arbitrary: fc.constant('stream' as const) },
    { weight: 2, arbitrary: fc.constant('snapshot' as const) },
    { weight: 1, arbitrary: fc.constant('stop' as const) },
    { weight: 2, arbitrary: fc.constant('any' as const) },
  ),
  fault,
});

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 7,
    arbitrary: fc.record({ do: fc.constant('fault' as const), rule }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('send' as const), when }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'edit-last' as const,
        'edit-first' as const,
        'stop' as const,
        'stop-run' as const,
        'retry' as const,
        'regenerate' as const,
        'take-back' as const,
        'send-first' as const,
        'stop-send' as const,
        'try-now' as const,
        'resync' as const,
        'remount' as const,
      ),
      when,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('kill' as const), downMs, when }),
  },
);

const scheduleOf = (kind: BackendKind): fc.Arbitrary<Schedule> =>
  fc
    .record({
      wordMs: fc.integer({ min: 1, max: 10 }),
      backoffMs: fc.constantFrom(10, 60, 250),
      whenDown: fc.constantFrom('reset' as const, 'gateway' as const),
      before: fc.array(fc.record({ do: fc.constant('fault' as const), rule }), { maxLength: 2 }),
      steps: fc.array(step, { minLength: 2, maxLength: 9 }),
    })
    .map(({ before, steps, ...pace }) => ({
      kind,
      ...pace,
      steps: [...before, { do: 'send', when: { after: 'nothing' } }, ...steps],
    }));

/** The schedule of a seed: always the same for the same one. Even seeds are for one kind of server, odd ones for the other. */
export function scheduleOfSeed(seed: number): Schedule {
  const kind = seed % 2 === 0 ? 'keys' : 'ids only';
  const [schedule] = fc.sample(fc.noBias(scheduleOf(kind)), { seed, numRuns: 1 });
  if (schedule === undefined) throw new Error('No schedule was made.');
  return schedule;
}
