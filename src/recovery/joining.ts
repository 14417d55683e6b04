import { reanchorLimit, strandedRun } from '../errors/clientFailures.ts';
import type { HelixError } from '../errors/HelixError.ts';
import { isOutOfTime } from '../errors/isOutOfTime.ts';
import type { Refusal } from '../transport/turnHost.ts';
import { pollWaitMs } from './backoff.ts';
import { isGone } from './decide.ts';
import {
  type Draft,
  enter,
  jobMs,
  makeFailure,
  mayMove,
  mayRead,
  order,
  patch,
  report,
  usable,
} from './draft.ts';
import { failWith } from './ending.ts';
import { noteOutcome } from './liveness.ts';
import { type ReadPlan, resyncCauseOf } from './model.ts';
import type { ChatMessage } from './ports.ts';
import { drainLater } from './queue.ts';
import { evidenceOf } from './recoveryReport.ts';
import type { RecoveryState } from './state.ts';
import { backOff, isTry } from './waiting.ts';

/** The read is for a run that a held message waits for. */
export const isWaiting = (plan: ReadPlan): boolean => plan.why === 'waiting';

/** What a person sees while the conversation is read, or its live run is joined. */
export function readingState<M extends ChatMessage>(d: Draft<M>, plan: ReadPlan): RecoveryState {
  const { state } = d.model;
  if (isWaiting(plan)) {
    return state.name === 'waiting-on-run'
      ? { ...state, attached: false }
      : {
          name: 'waiting-on-run',
          since: d.env.now,
          cause: 'foreign-run',
          attached: false,
          stopping: d.model.run.stopping,
        };
  }
  if (plan.quiet && plan.keep !== undefined) return { name: 'failed', failure: plan.keep };
  const cause = resyncCauseOf(plan);
  return {
    name: 'resyncing',
    since: state.name === 'resyncing' ? state.since : d.env.now,
    cause,
    attached: d.model.turn?.accepted ?? false,
  };
}

/** Joins the live run, unless it has been joined too often without anything new, or has no stream. */
export function joinLiveRun<M extends ChatMessage>(d: Draft<M>, plan: ReadPlan): void {
  if (plan.why === 'stranded' || !usable(d.env.routes.stream)) {
    poll(d, plan);
    return;
  }
  const counts = !isWaiting(plan) && plan.why !== 'load' && plan.why !== 'reanchor';
  if (counts && d.model.reanchors >= d.env.policy.reanchors) {
    failWith(d, { error: reanchorLimit(), phase: 'stream', committed: 'yes' });
    return;
  }
  attach(d, plan, 0);
}

/** Joins the live run's stream. */
export function attach<M extends ChatMessage>(d: Draft<M>, plan: ReadPlan, tries: number): void {
  enter(d, { at: 'attaching', plan, tries }, readingState(d, plan));
  patch(d, { lastRead: undefined });
  order(d, { do: 'attach' });
}

const STRANDED = { phase: 'stream', committed: 'yes' } as const;

/** Active, but there is nothing to attach to: it is starting, or stranded. Looks again until one of both changes. */
export function poll<M extends ChatMessage>(d: Draft<M>, plan: ReadPlan, failing = false): void {
  if (d.env.mono - d.model.heardAt > d.env.policy.patienceMs) {
    outOfPatience(d, plan);
    return;
  }
  if (!isWaiting(plan) && !mayRead(d, { ...STRANDED, error: strandedRun() })) {
    failWith(d, { ...STRANDED, error: strandedRun() });
    return;
  }
  const polls = d.model.polls;
  patch(d, { polls: polls + 1, troubled: true });
  enter(d, { at: 'polling', plan, polls, failing }, readingState(d, plan));
  order(d, { do: 'start-timer', ms: pollWaitMs(polls, d.env.chance, d.env.policy) });
}

/** The run has shown no life for too long: a held message is tried anew, anything else fails as stranded. */
export function outOfPatience<M extends ChatMessage>(d: Draft<M>, plan: ReadPlan): void {
  if (isWaiting(plan)) {
    // The person's message goes on by the queue's own judgement of patience.
    drainLater(d, 0);
    return;
  }
  failWith(d, { ...STRANDED, error: strandedRun() });
}

/** A run that is not live is an answer; anything else is a refusal to tell of. */
function reportRefusedJoin<M extends ChatMessage>(
  d: Draft<M>,
  tries: number,
  { error, status }: Refusal,
): void {
  if (error === undefined) return;
  const refused = { phase: 'stream', attempt: tries + 1, ms: jobMs(d) } as const;
  report(d, { type: 'request-refused', ...refused, ...evidenceOf(error, status) });
}

/** A join was answered by no stream: looks again, tries again after a pause, or fails, by the server's answer. */
export function attachRefused<M extends ChatMessage>(
  d: Draft<M>,
  plan: ReadPlan,
  tries: number,
  refusal: Refusal,
): void {
  const { status, error } = refusal;
  noteOutcome(d, status, error);
  order(d, { do: 'answer-refusal', answer: 'hold' });
  reportRefusedJoin(d, tries, refusal);
  if (error === undefined || isGone(status, error)) {
    poll(d, plan);
    return;
  }
  if (status === 401 || status === 403) {
    failWith(d, { error, phase: 'snapshot', committed: 'yes' });
    return;
  }
  if (isOutOfTime(error)) {
    failWith(d, { error, phase: 'stream', committed: 'yes' });
    return;
  }
  const failure = makeFailure(d, { error, phase: 'stream', committed: 'yes' }, true);
  const { reconnects } = d.env.policy;
  const counts = isTry(d, status);
  const tooLong = (error.retryAfterMs ?? 0) > d.env.policy.statedWaitCapMs;
  if (tooLong && !isWaiting(plan)) {
    failWith(d, { error, phase: 'stream', committed: 'yes' });
    return;
  }
  if (reconnects > 0 && (tries + 1 < reconnects || !counts) && mayMove(d, 'reconnect', failure)) {
    backOff(d, {
      of: plan.why === 'load' ? 'load' : 'read',
      job: { at: 'attach-wait', plan, tries: counts ? tries + 1 : tries },
      phase: 'stream',
      failure,
      tries: Math.min(tries + 1, reconnects),
      attempts: reconnects,
    });
    return;
  }
  poll(d, plan, true);
}

/** The live run is not joined by itself any more. */
export function attachGivenUp<M extends ChatMessage>(
  d: Draft<M>,
  plan: ReadPlan,
  error: HelixError | undefined,
): void {
  if (isWaiting(plan)) outOfPatience(d, plan);
  else failWith(d, { error: error ?? strandedRun(), phase: 'stream', committed: 'yes' });
}
