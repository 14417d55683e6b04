import type { Committed, Failure, Phase } from '../errors/failure.ts';
import {
  type ActionAbilities,
  failureActions,
  supportReference,
} from '../errors/failureActions.ts';
import { failureRow } from '../errors/failureTable.ts';
import type { HelixError } from '../errors/HelixError.ts';
import type { RouteKnowledge } from '../transport/turnHost.ts';
import type { Effect } from './effects.ts';
import { type Entry, holdsActs, type Job, type Model, type Turn } from './model.ts';
import type { Move, ResolvedPolicy } from './policy.ts';
import type { ChatMessage } from './ports.ts';
import type { RecoveryFact } from './recoveryReport.ts';
import type { RecoveryState } from './state.ts';

/** What a send does when a reply is still being written for another message of the conversation. */
export type Conflict = 'wait' | 'stop' | 'ask' | 'fail';

/** What a transition may know of the outside, read by the controller just before it. */
export interface Env {
  /** Wall-clock and monotonic ms. */
  readonly now: number;
  readonly mono: number;
  /** In [0, 1): the jitter of whatever wait this transition starts. */
  readonly chance: number;
  readonly policy: ResolvedPolicy;
  readonly online: boolean;
  readonly keyed: boolean;
  readonly routes: Record<'stream' | 'snapshot' | 'stop', RouteKnowledge>;
  readonly budgetWaitMs: number;
  readonly breakerWaitMs: number;
  /** How long until this chat may move without meeting another that woke with it. */
  readonly apartMs: number;
  /** How long nothing has been heard on the request that is out, by the clock that says longer. */
  readonly silentMs: number;
  /** The next automatic request is the probe of an endpoint whose pause is over. */
  readonly probes: boolean;
  readonly canAuthorize: boolean;
  /** A failed run can be gone on with: its route is known, and the conversation can be read before. */
  readonly canContinue: boolean;
  readonly hasDraft: boolean;
  /** An empty reply and telling finish reasons count as failures. */
  readonly seesSoftFailures: boolean;
  readonly stopsServer: 'interrupt' | 'abort' | false;
  /** A component shows the chat. */
  readonly mounted: boolean;
  /** Answers were given here that have not gone out. */
  readonly freshAnswers: boolean;
  conflict(info: { runId?: string; messageId: string }): Conflict;
  allow(move: Move, failure: Failure): boolean;
}

/** A transition in the making: the model and the orders so far. Lives for one call. */
export interface Draft<M extends ChatMessage> {
  model: Model<M>;
  readonly effects: Effect<M>[];
  readonly env: Env;
}

/** Changes parts of the model. */
export function patch<M extends ChatMessage>(d: Draft<M>, change: Partial<Model<M>>): void {
  d.model = { ...d.model, ...change };
}

/** Starts a job: timers and reads of the one before end. */
export function enter<M extends ChatMessage>(d: Draft<M>, job: Job, state?: RecoveryState): void {
  d.model = {
    ...d.model,
    job,
    jobAt: d.env.mono,
    ticket: d.model.ticket + 1,
    wake: undefined,
    ...(state === undefined ? {} : { state }),
  };
}

/** Adds orders behind those that were given already. */
export function order<M extends ChatMessage>(d: Draft<M>, ...effects: Effect<M>[]): void {
  d.effects.push(...effects);
}

/** Tells a developer a fact, with the job and the run that it belongs to. */
export function report<M extends ChatMessage>(d: Draft<M>, fact: RecoveryFact): void {
  order(d, { do: 'report', report: fact });
}

/** How long the present job has been at work, in ms. */
export const jobMs = <M extends ChatMessage>({ model, env }: Draft<M>): number =>
  Math.max(0, env.mono - model.jobAt);

/** Asks the app whether it lets an automatic move happen; tells when it does not. */
export function mayMove<M extends ChatMessage>(d: Draft<M>, move: Move, failure: Failure): boolean {
  if (d.env.allow(move, failure)) return true;
  report(d, { type: 'move-forbidden', move, phase: failure.phase });
  return false;
}

/** Whether the conversation can be read, and the app lets it be read because of this failure. */
export const mayRead = <M extends ChatMessage>(d: Draft<M>, facts: FailureFacts): boolean =>
  usable(d.env.routes.snapshot) && mayMove(d, 'resync', makeFailure(d, facts, true));

/** A route that is known, or may be there: it is worth a request. */
export const usable = (knowledge: RouteKnowledge): boolean => knowledge !== 'absent';

/** The phase that an act's failures have. To go on with a failed run is another try at its reply. */
export const phaseOf = (turn: Turn | undefined): Phase =>
  turn?.kind === 'continue' ? 'regenerate' : (turn?.kind ?? 'stream');

/** What makes a failure, before the actions that follow from it. */
export interface FailureFacts {
  readonly error: HelixError;
  readonly phase: Phase;
  readonly committed: Committed;
  readonly messageId?: string | undefined;
  readonly partial?: string | undefined;
  /** The server says that the run itself has failed. */
  readonly runFailed?: boolean | undefined;
}

/** Turns facts into the failure that views draw. Takes the next failure id. `waiting`: automatic tries go on, so that there is something to hurry or to end. */
export function makeFailure<M extends ChatMessage>(
  d: Draft<M>,
  facts: FailureFacts,
  waiting = false,
): Failure {
  const failure = failureOf(d.model, d.env, facts, waiting);
  patch(d, { nextFailure: d.model.nextFailure + 1 });
  return failure;
}

/** What can be done in this chat about a failure of the act under way. */
function abilitiesOf<M extends ChatMessage>(
  { turn, lastRead }: Model<M>,
  env: Env,
  { error, committed, runFailed }: Pick<FailureFacts, 'error' | 'committed' | 'runFailed'>,
): ActionAbilities {
  return {
    snapshot: usable(env.routes.snapshot),
    checkFirst: turn?.readFailed ?? false,
    keyed: env.keyed,
    draft: env.hasDraft,
    pending: committed !== 'yes' && turn?.message !== undefined,
    reference: supportReference(error) !== undefined,
    continue: env.canContinue,
    failedRun: runFailed ?? false,
    over: lastRead !== undefined && lastRead !== 'active',
    hostStop: usable(env.routes.stop),
  };
}

/** The same without taking its id: for a question about a failure that may not come. */
export function failureOf<M extends ChatMessage>(
  model: Model<M>,
  env: Env,
  facts: FailureFacts,
  waiting: boolean,
): Failure {
  const { error, phase, committed } = facts;
  const { turn } = model;
  const situation = { phase, committed };
  const row = failureRow(error, situation);
  const { actions, primary } = failureActions(error, situation, {
    ...abilitiesOf(model, env, facts),
    waiting,
  });
  return {
    id: `f${model.nextFailure}`,
    error,
    phase,
    severity: row.severity,
    committed,
    attempts: turn?.attempts ?? [],
    actions,
    ...(primary === undefined ? {} : { primary }),
    ...(facts.messageId === undefined ? {} : { messageId: facts.messageId }),
    ...(facts.partial === undefined || facts.partial === '' ? {} : { partial: facts.partial }),
    ...(error.retryAfterMs === undefined ? {} : { retryAt: env.now + error.retryAfterMs }),
  };
}

/** A failure that asks to look whether the message arrived, after somebody has looked and it had not: it can be sent. */
export function lookedFor<M extends ChatMessage>(
  d: Draft<M>,
  failure: Failure,
  turn: Turn<M> | undefined,
): Failure {
  if (!failure.actions.includes('check')) return failure;
  const { error, phase, committed } = failure;
  const model = { ...d.model, turn: turn && { ...turn, readFailed: false } };
  const can = { ...abilitiesOf(model, d.env, failure), waiting: false };
  const { primary: _past, ...kept } = failure;
  return { ...kept, ...failureActions(error, { phase, committed }, can) };
}

/** An act at its beginning, with a number of its own. */
export function newTurn<M extends ChatMessage>(
  d: Draft<M>,
  init: Pick<Turn<M>, 'kind' | 'message' | 'targetId' | 'request'> &
    Partial<Pick<Turn, 'answers' | 'entryId'>>,
): Turn<M> {
  const id = d.model.nextTurn;
  patch(d, { nextTurn: id + 1 });
  return {
    answers: [],
    ...init,
    id,
    attempts: [],
    requests: 0,
    tries: 0,
    conflicts: 0,
    spent: [],
    unclear: false,
    accepted: false,
    readFailed: false,
  };
}

/** Somebody else's reply stands in the way of a held message: what streams now is watched, not ours. */
export const isWatching = <M extends ChatMessage>(d: Draft<M>): boolean =>
  !d.model.own &&
  d.model.queue.some(
    ({ pending }) =>
      pending.state === 'held' && (pending.cause === 'foreign-run' || pending.cause === 'asked'),
  );

/** Whether an act that is requested now has to be held. */
export const isBusy = <M extends ChatMessage>(d: Draft<M>): boolean => holdsActs(d.model);

/** The pending message of that id, if it is pending still. */
export const findEntry = <M extends ChatMessage>(
  model: Model<M>,
  id: string | undefined,
): Entry<M> | undefined => model.queue.find((entry) => entry.pending.id === id);

/** Takes a message out of the pending ones. What waits for its act waits on. */
export function dropEntry<M extends ChatMessage>(d: Draft<M>, id: string): void {
  const queue = d.model.queue.filter((entry) => entry.pending.id !== id);
  patch(d, { queue });
}
