import type { Env } from '../../../src/recovery/draft.ts';
import { resolvePolicy } from '../../../src/recovery/policy.ts';

/** Small limits, so that each of them is met and crossed within a few facts. */
const POLICY = resolvePolicy({ repeats: 1, reconnects: 1, reconnectsPerTurn: 2, reanchors: 1 });

const known = { stream: 'known', snapshot: 'known', stop: 'known' } as const;

/** What a history begins with: a backend with keys and all routes, and an app that has everything. */
export const atFirst: Env = {
  now: 1_000_000,
  mono: 0,
  chance: 0.5,
  policy: POLICY,
  online: true,
  keyed: true,
  routes: known,
  budgetWaitMs: 0,
  breakerWaitMs: 0,
  apartMs: 0,
  silentMs: 0,
  probes: false,
  canAuthorize: true,
  canContinue: true,
  hasDraft: true,
  seesSoftFailures: true,
  stopsServer: 'interrupt',
  mounted: true,
  freshAnswers: false,
  conflict: () => 'wait',
  allow: () => true,
};

const passes =
  (ms: number) =>
  (env: Env): Env => ({ ...env, now: env.now + ms, mono: env.mono + ms });

const set =
  (change: Partial<Env>) =>
  (env: Env): Env => ({ ...env, ...change });

const routes =
  (change: Partial<Env['routes']>) =>
  (env: Env): Env => ({ ...env, routes: { ...env.routes, ...change } });

/** What can change around a chat, by the words of a history for it. */
export const CIRCUMSTANCES: Record<string, (env: Env) => Env> = {
  'half a second passes': passes(500),
  'two seconds pass': passes(2_000),
  'a minute passes': passes(60_000),
  'five minutes pass': passes(300_000),
  'six minutes pass': passes(360_000),
  'without keys': set({ keyed: false }),
  'with keys': set({ keyed: true }),
  'no routes': set({ routes: { stream: 'absent', snapshot: 'absent', stop: 'absent' } }),
  'all routes': set({ routes: known }),
  'no route is known yet': set({ routes: { stream: 'open', snapshot: 'open', stop: 'open' } }),
  'no stream route': routes({ stream: 'absent' }),
  'no snapshot route': routes({ snapshot: 'absent' }),
  'no stop route': routes({ stop: 'absent' }),
  'the device is offline': set({ online: false }),
  'the device is online': set({ online: true }),
  'the budget is spent for 20 s': set({ budgetWaitMs: 20_000 }),
  'the breaker is open for 30 s': set({ breakerWaitMs: 30_000 }),
  'no limit holds': set({ budgetWaitMs: 0, breakerWaitMs: 0, probes: false, apartMs: 0 }),
  'the next request is the probe': set({ probes: true }),
  'another chat has just moved': set({ apartMs: 700 }),
  'nothing was heard for 20 s': set({ silentMs: 20_000 }),
  'nothing was heard for 30 s': set({ silentMs: 30_000 }),
  'something was heard': set({ silentMs: 0 }),
  'nobody can sign in': set({ canAuthorize: false }),
  'a failed run cannot be gone on with': set({ canContinue: false }),
  'there is no composer': set({ hasDraft: false }),
  'the app sees to soft failures': set({ seesSoftFailures: false }),
  'a stop stays here': set({ stopsServer: false }),
  'a stop aborts': set({ stopsServer: 'abort' }),
  'nothing shows the chat': set({ mounted: false }),
  'the chat is shown': set({ mounted: true }),
  'answers were given': set({ freshAnswers: true }),
  'no answers were given': set({ freshAnswers: false }),
  'a conflict asks': set({ conflict: () => 'ask' }),
  'a conflict stops': set({ conflict: () => 'stop' }),
  'a conflict fails': set({ conflict: () => 'fail' }),
  'a conflict waits': set({ conflict: () => 'wait' }),
  'nothing automatic is allowed': set({ allow: () => false }),
  'no read is allowed': set({ allow: (move) => move !== 'resync' }),
  'no repeat is allowed': set({ allow: (move) => move !== 'repeat' }),
  'no reconnect is allowed': set({ allow: (move) => move !== 'reconnect' }),
  'no held message may go': set({ allow: (move) => move !== 'send-held' }),
  'no answers may go again': set({ allow: (move) => move !== 'submit' }),
  'nothing may be read anew': set({ allow: (move) => move !== 're-anchor' }),
  'everything is allowed': set({ allow: () => true }),
  'chance is low': set({ chance: 0 }),
  'chance is high': set({ chance: 0.99 }),
};
