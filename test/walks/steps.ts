import fc from 'fast-check';
import { type FaultRule, SCENARIO_NAMES, type ScenarioName } from 'helix-chat/testing';

/** What a person can do to a chat. Two names for one thing differ in what they are done to: the newest or the first. */
const ACTIONS = [
  'stop',
  'stop-run',
  'stop-waiting',
  'retry',
  'new-reply',
  'regenerate',
  'regenerate-first',
  'edit',
  'edit-first',
  'take-back',
  'take-back-first',
  'hand-back',
  'resync',
  'stop-send',
  'send-again',
  'send-again-last',
  'same',
  'answer',
  'dismiss',
  'offline',
  'online',
  'try-now',
  'wake',
  'remount',
  'away',
] as const;

/** What a person does next, by which client, and how long nothing follows: -1 is the same tick. */
export interface Action {
  readonly do: 'send' | 'ask-tool' | (typeof ACTIONS)[number];
  readonly wait: number;
  readonly who: number;
}

/** What a person, the network or another client does next. */
export type Step =
  | Action
  | { readonly do: 'arm'; readonly scenario: ScenarioName }
  | { readonly do: 'rule'; readonly rule: FaultRule }
  | { readonly do: 'foreign'; readonly ms: number; readonly wait: number }
  | { readonly do: 'wait'; readonly ms: number };

/** One walk: how many clients share the chat, and what happens. */
export interface Path {
  readonly clients: 1 | 2;
  readonly steps: readonly Step[];
}

const wait = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constant(-1) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 900 }) },
  { weight: 1, arbitrary: fc.integer({ min: 900, max: 9000 }) },
);

const refusal = fc.record({
  do: fc.constant('refuse' as const),
  status: fc.constantFrom(400, 401, 403, 408, 409, 413, 425, 429, 500, 502, 503, 504),
  headers: fc.constantFrom<Record<string, string>>(
    { 'content-type': 'text/plain' },
    { 'content-type': 'text/plain', 'retry-after': '7' },
    { 'content-type': 'text/plain', 'retry-after': '90' },
  ),
  body: fc.constant('SECRET-BODY'),
});

const rule: fc.Arbitrary<FaultRule> = fc.oneof(
  fc.record({
    on: fc.constantFrom('send' as const, 'stream' as const),
    times: fc.integer({ min: 1, max: 3 }),
    fault: fc.record({
      do: fc.constant('break' as const),
      afterWords: fc.integer({ min: 0, max: 12 }),
      how: fc.constantFrom('cut' as const, 'broken-frame' as const),
    }),
  }),
  fc.record({
    on: fc.constantFrom('send' as const, 'stream' as const, 'snapshot' as const, 'stop' as const),
    times: fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 1, max: 4 }) },
      { weight: 1, arbitrary: fc.integer({ min: 12, max: 40 }) },
    ),
    fault: fc.oneof(fc.record({ do: fc.constant('drop' as const), taken: fc.boolean() }), refusal),
  }),
);

const stepsOf = (clients: 1 | 2): fc.Arbitrary<Step[]> => {
  const who = fc.integer({ min: 0, max: clients - 1 });
  const action = (kinds: readonly Action['do'][]): fc.Arbitrary<Action> =>
    fc.record({ do: fc.constantFrom(...kinds), wait, who });
  return fc.array(
    fc.oneof(
      { weight: 5, arbitrary: action(['send']) },
      { weight: 1, arbitrary: action(['ask-tool']) },
      {
        weight: 2,
        arbitrary: fc.record({
          do: fc.constant('arm' as const),
          scenario: fc.constantFrom(...SCENARIO_NAMES),
        }),
      },
      { weight: 3, arbitrary: fc.record({ do: fc.constant('rule' as const), rule }) },
      {
        weight: 1,
        arbitrary: fc.record({
          do: fc.constant('foreign' as const),
          ms: fc.integer({ min: 500, max: 6000 }),
          wait,
        }),
      },
      { weight: 8, arbitrary: action(ACTIONS) },
      {
        weight: 2,
        arbitrary: fc.record({
          do: fc.constant('wait' as const),
          ms: fc.integer({ min: 1, max: 15_000 }),
        }),
      },
    ),
    { minLength: 1, maxLength: 12 },
  );
};

/** Walks of one client, and now and then of two. */
export const paths: fc.Arbitrary<Path> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ clients: fc.constant(1 as const), steps: stepsOf(1) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ clients: fc.constant(2 as const), steps: stepsOf(2) }),
  },
);
