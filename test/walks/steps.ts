import fc from 'fast-check';
import { CODES, type ErrorCode, type Move } from 'helix-chat';
import type { HelixErrorInit } from 'helix-chat/server';
import { type FaultRule, SCENARIO_NAMES, type ScenarioName } from 'helix-chat/testing';
import { QUESTIONS, type Question } from './replies.ts';
import type { Gust, Weather } from './weather.ts';

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
  'answer',
  'deny',
  'dismiss',
  'offline',
  'online',
  'try-now',
  'wake',
  'hide',
  'show',
  'restored',
  'remount',
  'away',
  'reload',
  'reload',
  'crash',
] as const;

/** What a person does next, by which client, and how long nothing follows: -1 is the same tick. */
export type Action =
  | {
      readonly do: (typeof ACTIONS)[number];
      readonly wait: number;
      readonly who: number;
    }
  /** Sends a text; `ask` says what kind of reply it gets. */
  | {
      readonly do: 'send';
      readonly ask?: Question;
      readonly wait: number;
      readonly who: number;
    }
  /** Presses one of the buttons that failures list, counted around. */
  | {
      readonly do: 'act';
      readonly pick: number;
      readonly wait: number;
      readonly who: number;
    }
  /** The machine sleeps: the wall clock jumps, then the page is seen again. */
  | { readonly do: 'sleep'; readonly ms: number; readonly wait: number; readonly who: number };

/** What a person, the network, the server or another client does next. */
export type Step =
  | Action
  | { readonly do: 'arm'; readonly scenario: ScenarioName }
  | { readonly do: 'rule'; readonly rule: FaultRule }
  | { readonly do: 'weather'; readonly who: number; readonly weather: Weather }
  /** The next message arrives and nobody hears of it; for some time the conversation cannot be read either. */
  | { readonly do: 'dark'; readonly who: number; readonly reads: number }
  | { readonly do: 'kill' }
  | { readonly do: 'foreign'; readonly ms: number; readonly wait: number }
  | { readonly do: 'wait'; readonly ms: number };

/** What an app has chosen; what is left out is the default of the walk. */
export interface App {
  /** Routes and keys are found out instead of promised. */
  readonly learned?: true | undefined;
  readonly onConflict?: 'stop' | 'ask' | 'fail' | 'in-turns' | undefined;
  readonly stopServer?: 'abort' | false | undefined;
  /** What its composer does with a text that comes back. Default: it takes it. */
  readonly composer?: 'throws' | 'absent' | undefined;
  /** The move that it never allows. */
  readonly forbids?: Move | undefined;
  /** Automatic moves that it allows in a minute. Default: those of the policy. */
  readonly moves?: number | undefined;
  /** Renews the sign-in when asked. */
  readonly signsIn?: true | undefined;
  /** How long its own tool runs, in ms. Default: it answers within the callback. */
  readonly toolMs?: number | undefined;
  /** The platform has no locks between tabs. */
  readonly locks?: false | undefined;
  /** Where pending messages are kept; `slow`: a store of its own that answers by promises, shared by its tabs. */
  readonly storage?: 'session' | 'local' | 'slow' | undefined;
  /** The component gives the hook an id instead of a chat. */
  readonly byId?: true | undefined;
  /** Draws pending messages by itself. */
  readonly apart?: true | undefined;
}

/** One walk: how many clients share the chat, how many components show the first one's, and what happens. */
export interface Path {
  readonly clients: 1 | 2;
  readonly hooks?: 2 | undefined;
  readonly app?: App | undefined;
  readonly steps: readonly Step[];
}

const wait = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constant(-1) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 900 }) },
  { weight: 1, arbitrary: fc.integer({ min: 900, max: 9000 }) },
);

const headers = fc.constantFrom<Record<string, string>>(
  { 'content-type': 'text/plain' },
  { 'content-type': 'text/plain', 'retry-after': '7' },
  { 'content-type': 'text/html', 'retry-after': '90' },
  { 'content-type': 'application/json', 'x-should-retry': 'true' },
);
const status = fc.constantFrom(400, 401, 403, 408, 409, 413, 425, 429, 500, 502, 503, 504);

const REASONED: readonly { code: ErrorCode; reason: string }[] = [
  { code: 'state_history_incomplete', reason: 'corrupt_row' },
  { code: 'state_history_incomplete', reason: 'short_read' },
  { code: 'state_history_incomplete', reason: 'store_error' },
  { code: 'state_history_incomplete', reason: 'snapshot_unstable' },
  { code: 'state_run_start_conflict', reason: 'idempotency_mismatch' },
  { code: 'state_run_start_conflict', reason: 'entry_status_changed' },
  { code: 'state_run_start_conflict', reason: 'entry_abandoned' },
  { code: 'state_run_start_conflict', reason: 'request_key_taken' },
  { code: 'state_not_resumable', reason: 'resume_message_unknown' },
  { code: 'state_not_resumable', reason: 'answer_not_stored' },
  { code: 'transport_stream_drop', reason: 'run_not_live' },
  { code: 'provider_rate_limited', reason: 'quota' },
];

const typed: fc.Arbitrary<Extract<Gust, { do: 'refuse-typed' }>['error']> = fc
  .record({
    code: fc.constantFrom(...(Object.keys(CODES) as ErrorCode[])),
    reasoned: fc.option(fc.constantFrom(...REASONED)),
    retryable: fc.constantFrom(undefined, undefined, true, false),
    retryAfterMs: fc.constantFrom(undefined, undefined, 2000, 90_000),
  })
  .map(({ code, reasoned, retryable, retryAfterMs }) => ({
    code,
    ...reasoned,
    ...(retryable === undefined ? {} : { retryable }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  })) as fc.Arbitrary<Extract<Gust, { do: 'refuse-typed' }>['error']>;

/** Conflicts that are answered by a bounded number of repeats. */
const conflict: fc.Arbitrary<Gust> = fc
  .constantFrom<HelixErrorInit>(
    { code: 'state_run_start_conflict', reason: 'entry_status_changed' },
    { code: 'state_run_start_conflict', reason: 'request_key_taken' },
    { code: 'state_request_key_conflict' },
    { code: 'state_concurrency_conflict' },
    { code: 'state_request_already_completed' },
    { code: 'state_already_running' },
  )
  .map((error) => ({ do: 'refuse-typed' as const, error }));

const how = fc.constantFrom(
  'cut' as const,
  'cut' as const,
  'silence' as const,
  'broken-frame' as const,
);
const afterWords = fc.integer({ min: 0, max: 30 });
const times = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 4 }) },
  { weight: 1, arbitrary: fc.integer({ min: 12, max: 40 }) },
);

/** Faults of the script: of one message, and of what follows from it. */
const rule: fc.Arbitrary<FaultRule> = fc.oneof(
  fc.record({
    on: fc.constantFrom('send' as const, 'stream' as const),
    times: fc.integer({ min: 1, max: 3 }),
    fault: fc.record({ do: fc.constant('break' as const), afterWords, how }),
  }),
  fc.record({
    on: fc.constantFrom('send' as const, 'stream' as const, 'snapshot' as const, 'stop' as const),
    times,
    fault: fc.oneof(
      fc.record({ do: fc.constant('drop' as const), taken: fc.boolean() }),
      fc.record({
        do: fc.constant('refuse' as const),
        status,
        headers,
        body: fc.constant('SECRET-BODY'),
      }),
      fc.record({ do: fc.constant('refuse-typed' as const), error: typed }),
    ),
  }),
  fc.record({
    on: fc.constant('send' as const),
    times: fc.integer({ min: 1, max: 2 }),
    fault: fc.oneof(
      fc.record({
        do: fc.constant('reply' as const),
        words: fc.integer({ min: 0, max: 30 }),
        fails: typed,
        attempts: fc.integer({ min: 1, max: 5 }),
      }),
      fc.constant({ do: 'reply' as const, empty: true as const }),
      fc.record({ do: fc.constant('foreign-run' as const), ms: fc.integer({ min: 1, max: 6000 }) }),
      fc.constant({ do: 'overtaken' as const }),
    ),
  }),
);

const anyRoute = fc.constantFrom(
  'send' as const,
  'stream' as const,
  'snapshot' as const,
  'stop' as const,
);
const blowing = (on: fc.Arbitrary<Weather['on']>, gust: fc.Arbitrary<Gust>) =>
  fc.record({ on, times, gust });

/** Faults of the way, whichever message is under way. */
const weather: fc.Arbitrary<Weather> = fc.oneof(
  {
    weight: 4,
    arbitrary: blowing(
      anyRoute,
      fc.oneof(
        fc.record({ do: fc.constant('refuse' as const), status, headers }),
        fc.record({ do: fc.constant('refuse-typed' as const), error: typed }),
        fc.record({ do: fc.constant('drop' as const), taken: fc.boolean() }),
        fc.record({ do: fc.constant('slow' as const), ms: fc.integer({ min: 1, max: 20_000 }) }),
        fc.constant({ do: 'hang' as const }),
        fc.constant({ do: 'page' as const }),
      ),
    ),
  },
  {
    weight: 2,
    arbitrary: blowing(
      fc.constantFrom('send' as const, 'stream' as const),
      fc.record({ do: fc.constant('break' as const), afterWords, how }),
    ),
  },
  {
    weight: 1,
    arbitrary: blowing(
      fc.constant('send' as const),
      fc.oneof(
        fc.record({ do: fc.constant('late' as const), ms: fc.integer({ min: 1, max: 9000 }) }),
        fc.record({
          do: fc.constant('defer' as const),
          retryAfterMs: fc.integer({ min: 1, max: 9000 }),
        }),
      ),
    ),
  },
  { weight: 1, arbitrary: blowing(fc.constant('send' as const), conflict) },
  {
    weight: 1,
    arbitrary: blowing(fc.constant('snapshot' as const), fc.constant({ do: 'lag' as const })),
  },
  {
    weight: 1,
    arbitrary: blowing(fc.constant('stream' as const), fc.constant({ do: 'no-run' as const })),
  },
);

const stepsOf = (clients: 1 | 2): fc.Arbitrary<Step[]> => {
  const who = fc.integer({ min: 0, max: clients - 1 });
  return fc.array(
    fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({ do: fc.constant('send' as const), wait, who }),
      },
      {
        weight: 3,
        arbitrary: fc.record({
          do: fc.constant('send' as const),
          ask: fc.constantFrom(...QUESTIONS),
          wait,
          who,
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          do: fc.constant('arm' as const),
          scenario: fc.constantFrom(...SCENARIO_NAMES),
        }),
      },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('rule' as const), rule }) },
      { weight: 3, arbitrary: fc.record({ do: fc.constant('weather' as const), who, weather }) },
      {
        weight: 1,
        arbitrary: fc.record({
          do: fc.constant('dark' as const),
          who,
          reads: fc.integer({ min: 1, max: 20 }),
        }),
      },
      { weight: 1, arbitrary: fc.constant({ do: 'kill' as const }) },
      {
        weight: 1,
        arbitrary: fc.record({
          do: fc.constant('foreign' as const),
          ms: fc.integer({ min: 500, max: 6000 }),
          wait,
        }),
      },
      {
        weight: 8,
        arbitrary: fc.record({ do: fc.constantFrom(...ACTIONS), wait, who }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ do: fc.constant('act' as const), pick: fc.nat(9), wait, who }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          do: fc.constant('sleep' as const),
          ms: fc.constantFrom(5000, 120_000, 3_600_000, -60_000),
          wait,
          who,
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          do: fc.constant('wait' as const),
          ms: fc.integer({ min: 1, max: 15_000 }),
        }),
      },
    ),
    { minLength: 1, maxLength: 14 },
  );
};

/** Mostly left out, so that a walk shrinks to the choices that matter. */
const rarely = <T>(...values: readonly T[]): fc.Arbitrary<T | undefined> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(...values) },
  );

const oftener = <T>(...values: readonly T[]): fc.Arbitrary<T | undefined> =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(...values) },
  );

const MOVES: readonly Move[] = [
  'repeat',
  'resync',
  'reconnect',
  're-anchor',
  'send-held',
  'submit',
];

const app: fc.Arbitrary<App> = fc.record({
  learned: rarely(true as const),
  onConflict: rarely('stop' as const, 'ask' as const, 'fail' as const, 'in-turns' as const),
  stopServer: rarely<'abort' | false>('abort', false),
  composer: rarely('throws' as const, 'absent' as const),
  forbids: rarely(...MOVES),
  moves: rarely(1, 2),
  signsIn: rarely(true as const),
  toolMs: rarely(1, 700),
  locks: rarely(false as const),
  storage: oftener('session' as const, 'local' as const, 'slow' as const),
  byId: rarely(true as const),
  apart: rarely(true as const),
});

/** Walks of one client, and now and then of two. */
export const paths: fc.Arbitrary<Path> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      clients: fc.constant(1 as const),
      hooks: rarely(2 as const),
      app: fc.option(app, { nil: undefined }),
      steps: stepsOf(1),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      clients: fc.constant(2 as const),
      hooks: rarely(2 as const),
      app: fc.option(app, { nil: undefined }),
      steps: stepsOf(2),
    }),
  },
);
