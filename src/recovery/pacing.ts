import type { Refusal } from '../transport/turnHost.ts';
import { answersNotTaken } from './answersRead.ts';
import { isBareLook } from './decide.ts';
import { type Draft, enter, makeFailure, order, patch, usable } from './draft.ts';
import { foundWhileHeld, heldReadDone } from './heldOutcome.ts';
import { attachGivenUp, outOfPatience } from './joining.ts';
import { livenessOf } from './liveness.ts';
import type { Job, Model, ReadPlan } from './model.ts';
import type { ChatMessage } from './ports.ts';
import { readGivenUp, startRead } from './reading.ts';
import type { ReadResult } from './readResult.ts';
import { refusalGivenUp, requestRepeated } from './refused.ts';
import { cutGivenUp } from './streaming.ts';
import { ownPause, type Pause, spreadMs, waitOn, withinPatience } from './waiting.ts';

// Automatic requests that follow a failure pass here: the limits that chats share decide when they go.

type Paced = Extract<
  Job,
  {
    at:
      | 'repeat-wait'
      | 'held-wait'
      | 'answer-wait'
      | 'read-wait'
      | 'attach-wait'
      | 'cut-wait'
      | 'polling';
  }
>;

function isPaced(job: Job): job is Paced {
  switch (job.at) {
    case 'repeat-wait':
    case 'held-wait':
    case 'answer-wait':
    case 'read-wait':
    case 'attach-wait':
    case 'cut-wait':
      return true;
    case 'polling':
      return job.failing;
    default:
      return false;
  }
}

/** The first reconnect after a cut only mends it, and a deferred reply was promised: neither counts as a repeat. */
function costsOf<M extends ChatMessage>(d: Draft<M>, job: Paced): boolean {
  if (job.at === 'cut-wait') return d.model.cuts.inARow > 1;
  return job.at !== 'read-wait' || job.plan.why !== 'deferred';
}

/** Whether a limit of our own is what the job waits for: the end of another chat's probe may end it. */
export function waitsForLimits({
  job,
  state,
  pausedAt,
}: Pick<Model, 'job' | 'state' | 'pausedAt'>): boolean {
  if (!isPaced(job)) return false;
  if (state.name !== 'backing-off') return pausedAt !== undefined;
  return state.cause === 'breaker' || state.cause === 'offline';
}

/**
 * The wait before an automatic move is over by the clock. True: a limit holds it up further, it was given up, or a read
 * of the conversation goes first. False: it may go now, and is paid for.
 */
export function heldUp<M extends ChatMessage>(d: Draft<M>): boolean {
  const { job } = d.model;
  if (!isPaced(job)) return false;
  if (job.at === 'read-wait' && job.plan.pressed) return false;
  const costs = costsOf(d, job);
  const pause = ownPause(d, costs);
  if (pause !== undefined) {
    pauseFor(d, job, pause);
    return true;
  }
  if (costs) order(d, { do: 'spend-budget' });
  if (!d.env.probes) return false;
  order(d, { do: 'claim-probe' });
  if (job.at !== 'repeat-wait' || !readsToProbe(d)) return false;
  enter(d, { ...job, at: 'probing' });
  const { turn } = d.model;
  order(d, {
    do: 'read-snapshot',
    boundMs: d.env.policy.heldReadMs,
    ...(turn === undefined ? {} : { looksFor: turn }),
  });
  return true;
}

const readsToProbe = <M extends ChatMessage>(d: Draft<M>): boolean =>
  usable(d.env.routes.snapshot) && !isBareLook(d.model, d.env, 'snapshot');

function pauseFor<M extends ChatMessage>(d: Draft<M>, job: Paced, pause: Pause): void {
  const { env, model } = d;
  const spent = model.pausedAt !== undefined && env.mono - model.pausedAt >= env.policy.patienceMs;
  if (spent && env.online) {
    giveUp(d, job);
    return;
  }
  // While the platform says offline nothing is given up: the patience begins anew.
  if (spent) patch(d, { pausedAt: undefined });
  waitOn(d, withinPatience(d, pause.ms), pause.cause);
}

/** Our patience with a pause of our own is over: what waited ends with the failure that it began with. */
function giveUp<M extends ChatMessage>(d: Draft<M>, job: Paced): void {
  const { state } = d.model;
  const error = state.name === 'backing-off' ? state.failure.error : undefined;
  switch (job.at) {
    case 'repeat-wait':
      refusalGivenUp(d, job.refusal, job.newKey);
      return;
    case 'held-wait':
      heldReadDone(d, job.refusal, job.absent, { kind: 'timed-out' });
      return;
    case 'answer-wait':
      answersNotTaken(d, { why: 'answers' });
      return;
    case 'read-wait':
      readGivenUp(d, job.plan, error);
      return;
    case 'attach-wait':
      attachGivenUp(d, job.plan, error);
      return;
    case 'cut-wait':
      cutGivenUp(d, job.cut);
      return;
    case 'polling':
      outOfPatience(d, job.plan);
  }
}

/** A limit has changed: what waits for it goes soon, but not all chats at once, or waits on. */
export function limitsChanged<M extends ChatMessage>(d: Draft<M>): void {
  const { job, state } = d.model;
  if (!isPaced(job) || !waitsForLimits(d.model)) return;
  const pause = ownPause(d, costsOf(d, job));
  if (pause === undefined) {
    order(d, { do: 'keep-apart' });
    waitOn(d, d.env.apartMs, 'backoff');
  } else if (state.name !== 'backing-off' || state.cause !== 'offline') {
    waitOn(d, withinPatience(d, pause.ms), pause.cause);
  }
}

/** What the probe before a repeat brought. Its server lives: the message is there, or the repeat goes out. */
export function probed<M extends ChatMessage>(
  d: Draft<M>,
  job: { readonly refusal: Refusal; readonly newKey: boolean },
  result: ReadResult,
): void {
  if (result.kind === 'snapshot' && result.found) {
    foundWhileHeld(d, job.refusal, result);
    return;
  }
  const { error } = result;
  const answered =
    result.kind === 'snapshot' ||
    result.kind === 'absent' ||
    livenessOf(error?.statusCode, error) === 'alive';
  enter(d, { ...job, at: 'repeat-wait' });
  if (!answered) {
    // The breaker hears of it first, and then says how long.
    order(d, { do: 'note-dead', answered: false }, { do: 'start-timer', ms: 0 });
    return;
  }
  if (d.env.budgetWaitMs > 0) {
    waitOn(d, withinPatience(d, d.env.budgetWaitMs + spreadMs(d)), 'budget');
    return;
  }
  order(d, { do: 'spend-budget' });
  requestRepeated(d, job.newKey);
}

/** Reads the conversation after `plan.follows` failed: at once, or as soon as the limits let it. */
export function readAfterFailure<M extends ChatMessage>(
  d: Draft<M>,
  { follows, ...plan }: ReadPlan,
): void {
  const pause = follows === undefined ? undefined : ownPause(d, true);
  if (follows === undefined || pause === undefined) {
    if (follows !== undefined) order(d, { do: 'spend-budget' });
    startRead(d, plan);
    return;
  }
  const phase = plan.why === 'answers' ? 'submit' : 'stream';
  const failure = makeFailure(d, { error: follows, phase, committed: 'yes' }, true);
  enter(
    d,
    { at: 'read-wait', plan, tries: 0 },
    {
      name: 'backing-off',
      since: d.env.now,
      of: 'read',
      cause: pause.cause,
      retryAt: d.env.now,
      attempt: 1,
      attempts: 1,
      phase,
      failure,
    },
  );
  waitOn(d, withinPatience(d, pause.ms), pause.cause);
}
