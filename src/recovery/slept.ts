import type { Failure } from '../errors/failure.ts';
import { answersGivenUp } from './answersRead.ts';
import { type Draft, enter, order, patch, report, usable } from './draft.ts';
import { dropSubmit, readQuietly, rest, restore, setAside } from './ending.ts';
import { type Entry, goesByItself, type Job, type Next, type ReadPlan } from './model.ts';
import type { ChatMessage } from './ports.ts';
import { leaveAsleep, markAsleep } from './refused.ts';
import { dropAfter } from './stopping.ts';

/**
 * The page has slept for so long that nobody expects what was pending to go any more: all of it waits for a press. What
 * is being read goes on.
 */
export function holdAll<M extends ChatMessage>(d: Draft<M>): void {
  const { job } = d.model;
  const named = job.at === 'drain-wait' ? job.entryId : undefined;
  const queue = d.model.queue.map((entry) => {
    const goes = goesByItself(entry) || entry.pending.cause === 'awaiting-answer';
    return goes || entry.pending.id === named ? asleep(d, entry) : entry;
  });
  patch(d, { queue });
  dropAfter(d, { state: 'held', cause: 'slept' });
  dropSubmit(d);
  leave(d, job);
}

function asleep<M extends ChatMessage>(d: Draft<M>, entry: Entry<M>): Entry<M> {
  report(d, { type: 'held', cause: 'slept' });
  const { pressed: _before, ...kept } = entry;
  return { ...kept, pending: { ...entry.pending, state: 'held', cause: 'slept' } };
}

/** What the job would send by itself is left; a live run that was watched for it is read to its end. */
function leave<M extends ChatMessage>(d: Draft<M>, job: Job): void {
  const { state } = d.model;
  switch (job.at) {
    case 'repeat-wait':
    case 'probing':
      leaveAsleep(d, job.refusal, job.newKey);
      return;
    case 'requesting':
    case 'held-wait':
    case 'held-read':
    case 'held-attach':
    case 'authorizing':
      markAsleep(d);
      return;
    case 'answer-wait':
      answersGivenUp(d);
      return;
    case 'drain':
    case 'drain-wait':
      patch(d, { troubled: false });
      rest(d);
      return;
    case 'reading':
    case 'read-wait':
    case 'attaching':
    case 'attach-wait':
    case 'polling':
      leaveRead(d, job.plan);
      return;
    case 'closing':
    case 'ending':
      d.model = { ...d.model, job: { ...job, next: nextAsleep(job.next) } };
      return;
    case 'streaming':
      if (state.name === 'waiting-on-run') {
        patch(d, { state: { name: 'streaming', since: state.since, own: d.model.own } });
      }
      return;
    default:
  }
}

/** The end of a run that is still looked for, but nothing waits for it. */
const TO_ITS_END: ReadPlan = { why: 'foreign-end' };

function leaveRead<M extends ChatMessage>(d: Draft<M>, plan: ReadPlan): void {
  if (plan.why === 'before-send' || plan.why === 'before-continue') {
    if (plan.keep === undefined) rest(d);
    else restore(d, plan.keep);
    return;
  }
  if (plan.why === 'answers') markAsleep(d);
  if (plan.why !== 'waiting') return;
  enter(
    d,
    { at: 'ending', next: { to: 'read', plan: TO_ITS_END } },
    { name: 'resyncing', since: d.env.now, cause: 'settle', attached: true },
  );
  order(d, { do: 'end-read', boundMs: d.env.policy.stopMs });
}

function nextAsleep(next: Next): Next {
  if (next.to === 'hold') return { to: 'sleep', newKey: false };
  return next.to === 'read' && next.plan.why === 'waiting'
    ? { to: 'read', plan: TO_ITS_END }
    : next;
}

/** The SDK's call of an act is closed: its message is kept until it is sent by a press. */
export function keepAsleep<M extends ChatMessage>(d: Draft<M>, newKey: boolean): void {
  const { turn } = d.model;
  patch(d, { turn: undefined, own: false, troubled: false });
  if (turn !== undefined) {
    setAside(d, turn, { state: 'held', cause: 'slept' }, newKey);
    report(d, { type: 'held', cause: 'slept' });
  }
  // It may have arrived before the sleep: then it is no longer pending.
  if (turn?.unclear && usable(d.env.routes.snapshot)) readQuietly(d);
  else rest(d);
}

/** Times on the wall clock, moved with it: what is left of a wait stays what it was. */
export function moveTimes<M extends ChatMessage>(d: Draft<M>, driftMs: number): void {
  if (driftMs === 0) return;
  const { state, queue, gate } = d.model;
  const moved = (failure: Failure): Failure =>
    failure.retryAt === undefined ? failure : { ...failure, retryAt: failure.retryAt + driftMs };
  patch(d, {
    queue: queue.map((entry) => {
      const { failure } = entry.pending;
      if (failure?.retryAt === undefined) return entry;
      return { ...entry, pending: { ...entry.pending, failure: moved(failure) } };
    }),
    ...(gate === undefined ? {} : { gate: { ...gate, failure: moved(gate.failure) } }),
  });
  if (state.name === 'failed') patch(d, { state: { ...state, failure: moved(state.failure) } });
  if (state.name === 'backing-off') {
    const { retryAt, failure } = state;
    patch(d, { state: { ...state, retryAt: retryAt + driftMs, failure: moved(failure) } });
  }
}
