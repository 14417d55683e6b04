import type { ErrorCode } from '../protocol/codes.ts';
import type { Reason } from '../protocol/reasons.ts';
import type { Policy } from '../recovery/policy.ts';
import type { FaultRule, FaultScript } from './faultScript.ts';

/** How a scenario ends, as far as it can be told without looking at a screen. */
export interface ScenarioPromise {
  /** How often the server's transcript holds the person's message. */
  readonly sent: 'once' | 'zero';
  readonly ends: 'idle' | 'failed';
  /** Of the failure; `null` when it has none. Absent where the scenario ends well. */
  readonly code?: ErrorCode | (string & {}) | null;
  readonly reason?: Reason;
  /** Where the text is at the end. */
  readonly text: 'on-screen' | 'draft';
  /** The screen is what was delivered and is marked as incomplete, instead of equal to the transcript. */
  readonly incomplete?: true;
}

/** A fault script with what a client of ours promises to make of it. */
export interface Scenario extends FaultScript {
  readonly name: ScenarioName;
  /** One line for a menu. */
  readonly title: string;
  /** What the scenario needs of the client's policy to end within 20 s. */
  readonly policy?: Policy;
  /** With request keys and promised routes. */
  readonly promise: ScenarioPromise;
  /** On a first send whose keys are not proven yet. Absent where that is not played. */
  readonly unproven?: ScenarioPromise;
}

/** The names of all scenarios, in the order of a menu. */
export const SCENARIO_NAMES = [
  'rate-limited',
  'rate-limited-429',
  'overloaded-twice',
  'auth',
  'signed-out',
  'unclassified',
  'unknown-code',
  'superseded',
  'cut',
  'silent',
  'busy',
  'lost-response',
  'unavailable',
  'key-conflict',
  'already-completed',
  'html-502',
  'login-200',
  'empty',
  'broken-frame',
  'snapshot-unstable',
  'snapshot-corrupt',
] as const;

/** The name of one scenario. */
export type ScenarioName = (typeof SCENARIO_NAMES)[number];

const RECOVERED: ScenarioPromise = { sent: 'once', ends: 'idle', text: 'on-screen' };
const WORDS = 5;

const cut: FaultRule = { on: 'send', fault: { do: 'break', afterWords: WORDS, how: 'cut' } };
const noRun: FaultRule = { on: 'stream', fault: { do: 'no-run' } };

const htmlPage = (title: string, text: string) =>
  `<!doctype html><html><head><title>${title}</title></head><body><h1>${text}</h1></body></html>`;

const failedReply = (code: string | null): ScenarioPromise => ({
  sent: 'once',
  ends: 'failed',
  code,
  text: 'on-screen',
});

const table: Record<ScenarioName, Omit<Scenario, 'name'>> = {
  'rate-limited': {
    title: 'The model asks to wait two seconds',
    rules: [
      {
        on: 'send',
        fault: {
          do: 'refuse-typed',
          error: { code: 'provider_rate_limited', retryAfterMs: 2000 },
        },
      },
    ],
    promise: RECOVERED,
  },
  'rate-limited-429': {
    title: 'A gateway asks to wait two seconds',
    rules: [
      {
        on: 'send',
        fault: {
          do: 'refuse',
          status: 429,
          headers: { 'content-type': 'text/plain', 'retry-after': '2' },
          body: 'Too Many Requests',
        },
      },
    ],
    promise: RECOVERED,
  },
  'overloaded-twice': {
    title: 'The model is overloaded, twice',
    rules: [
      {
        on: 'send',
        times: 2,
        fault: { do: 'refuse-typed', error: { code: 'provider_overloaded' } },
      },
    ],
    promise: RECOVERED,
  },
  auth: {
    title: 'The model refuses the server’s key',
    rules: [
      {
        on: 'send',
        fault: { do: 'reply', words: 0, fails: { code: 'provider_auth_error', retryable: false } },
      },
    ],
    promise: failedReply('provider_auth_error'),
  },
  'signed-out': {
    title: 'The session has ended',
    rules: [
      {
        on: 'send',
        fault: {
          do: 'refuse',
          status: 401,
          headers: { 'content-type': 'text/plain' },
          body: 'Unauthorized',
        },
      },
    ],
    promise: { sent: 'zero', ends: 'failed', code: null, reason: 'signed-out', text: 'draft' },
  },
  unclassified: {
    title: 'The reply fails and nobody knows why',
    rules: [{ on: 'send', fault: { do: 'reply', words: 3, fails: {} } }],
    promise: failedReply(null),
  },
  'unknown-code': {
    title: 'The reply fails with a code from the future',
    rules: [
      { on: 'send', fault: { do: 'reply', words: 3, fails: { code: 'provider_quota_drained' } } },
    ],
    promise: failedReply('provider_quota_drained'),
  },
  superseded: {
    title: 'The model starts over after five words',
    rules: [
      {
        on: 'send',
        fault: { do: 'reply', words: WORDS, fails: { code: 'provider_error', retryable: true } },
      },
    ],
    promise: RECOVERED,
  },
  cut: {
    title: 'The connection closes after five words',
    rules: [cut],
    promise: RECOVERED,
  },
  silent: {
    title: 'The connection falls silent after five words',
    rules: [{ on: 'send', fault: { do: 'break', afterWords: WORDS, how: 'silence' } }],
    policy: { idleMs: 2000 },
    promise: RECOVERED,
  },
  busy: {
    title: 'Another tab’s reply is in the way',
    rules: [{ on: 'send', fault: { do: 'foreign-run', ms: 6000 } }],
    promise: RECOVERED,
  },
  'lost-response': {
    title: 'The answer gets lost',
    rules: [{ on: 'send', fault: { do: 'drop', taken: true } }],
    promise: RECOVERED,
    unproven: {
      sent: 'once',
      ends: 'failed',
      code: 'transport_error',
      reason: 'network',
      text: 'draft',
    },
  },
  unavailable: {
    title: 'The server is not available for a moment',
    rules: [
      {
        on: 'send',
        fault: { do: 'refuse-typed', error: { code: 'framework_agent_resolution_failed' } },
      },
    ],
    promise: RECOVERED,
  },
  'key-conflict': {
    title: 'The request key is taken',
    rules: [
      {
        on: 'send',
        fault: {
          do: 'refuse-typed',
          error: { code: 'state_request_key_conflict', runId: 'run_that_holds_the_key' },
        },
      },
    ],
    promise: RECOVERED,
    unproven: { sent: 'zero', ends: 'failed', code: 'state_request_key_conflict', text: 'draft' },
  },
  'already-completed': {
    title: 'The message was answered long ago',
    rules: [{ on: 'send', fault: { do: 'overtaken' } }],
    promise: RECOVERED,
  },
  'html-502': {
    title: 'A proxy answers with an error page',
    rules: [
      {
        on: 'send',
        fault: {
          do: 'refuse',
          status: 502,
          headers: { 'content-type': 'text/html; charset=utf-8' },
          body: htmlPage('502 Bad Gateway', 'Bad Gateway nginx/1.27'),
        },
      },
    ],
    promise: RECOVERED,
    unproven: { sent: 'zero', ends: 'failed', code: 'transport_error', text: 'draft' },
  },
  'login-200': {
    title: 'A login page answers instead of the chat',
    rules: [
      {
        on: 'send',
        fault: {
          do: 'refuse',
          status: 200,
          headers: { 'content-type': 'text/html; charset=utf-8' },
          body: htmlPage('Sign in', 'Please sign in'),
        },
      },
    ],
    promise: {
      sent: 'zero',
      ends: 'failed',
      code: 'transport_error',
      reason: 'unexpected-response',
      text: 'draft',
    },
  },
  empty: {
    title: 'The reply has nothing in it',
    rules: [{ on: 'send', fault: { do: 'reply', empty: true } }],
    promise: {
      sent: 'once',
      ends: 'failed',
      code: 'framework_internal_error',
      reason: 'empty-reply',
      text: 'on-screen',
    },
  },
  'broken-frame': {
    title: 'A line of the reply arrives broken',
    rules: [{ on: 'send', fault: { do: 'break', afterWords: WORDS, how: 'broken-frame' } }],
    promise: RECOVERED,
  },
  'snapshot-unstable': {
    title: 'The connection closes, and the conversation cannot be read at first',
    rules: [
      cut,
      noRun,
      {
        on: 'snapshot',
        times: 2,
        fault: {
          do: 'refuse-typed',
          error: {
            code: 'state_history_incomplete',
            reason: 'snapshot_unstable',
            retryable: true,
          },
        },
      },
    ],
    promise: RECOVERED,
  },
  'snapshot-corrupt': {
    title: 'The connection closes, and the conversation cannot be read',
    rules: [
      cut,
      noRun,
      {
        on: 'snapshot',
        fault: {
          do: 'refuse-typed',
          error: { code: 'state_history_incomplete', reason: 'corrupt_row', retryable: false },
        },
      },
    ],
    promise: {
      sent: 'once',
      ends: 'failed',
      code: 'state_history_incomplete',
      reason: 'corrupt_row',
      text: 'on-screen',
      incomplete: true,
    },
  },
};

/** All scenarios, in the order of a menu. */
export const SCENARIOS: readonly Scenario[] = SCENARIO_NAMES.map((name) => ({
  name,
  ...table[name],
}));

/** The scenario of a name; undefined for any other text. */
export function scenarioOf(name: string): Scenario | undefined {
  return SCENARIOS.find((scenario) => scenario.name === name);
}
