import { cutFailure, reanchorLimit } from '../errors/clientFailures.ts';
import { HelixError } from '../errors/HelixError.ts';
import { isOutOfTime } from '../errors/isOutOfTime.ts';
import type { Cut, CutAnswer, Trigger, TurnEnd } from '../transport/turnHost.ts';
import { isBareLook, isGone } from './decide.ts';
import {
  type Draft,
  enter,
  isWatching,
  jobMs,
  makeFailure,
  mayMove,
  mayRead,
  order,
  patch,
  phaseOf,
  report,
  usable,
} from './draft.ts';
import { noteOutcome } from './liveness.ts';
import { isUnanswered, type Next, type ReadPlan } from './model.ts';
import type { ChatMessage } from './ports.ts';
import type { ReadResult } from './readResult.ts';
import { evidenceOf } from './recoveryReport.ts';
import type { RecoveryState } from './state.ts';
import { backOff, isTry } from './waiting.ts';

function streamingState<M extends ChatMessage>(d: Draft<M>): RecoveryState {
  const { state } = d.model;
  if (state.name === 'waiting-on-run') return { ...state, attached: true };
  return { name: 'streaming', since: d.env.now, own: d.model.own };
}

/** The server has begun to answer: from now on the message is its own. */
export function streamAccepted<M extends ChatMessage>(d: Draft<M>): void {
  const { job, turn } = d.model;
  const attached = job.at === 'attaching';
  if (!attached && job.at !== 'requesting' && job.at !== 'held-attach') return;
  order(d, { do: 'note-alive' });
  if (!attached && turn !== undefined && turn.kind !== 'send')
    order(d, { do: 'cut-history-again' });
  // Answers that are still waited for are not this run's: it is watched to its end.
  const own = turn !== undefined && !(attached && isUnanswered(turn));
  if (own) patch(d, { turn: { ...turn, accepted: true, unclear: false } });
  patch(d, { own, heardAt: d.env.mono, acknowledged: true, polls: 0, pausedAt: undefined });
  if (!attached) patch(d, { paused: false });
  if (attached) watchedConflicts(d);
  if (!attached && turn?.kind === 'continue' && turn.requests > 0) {
    joinContinued(d);
    return;
  }
  // A trigger has counted already; any other way back into a turn counts when it succeeds.
  if (attached && own && job.plan.why !== 'reanchor') {
    patch(d, { reanchors: d.model.reanchors + 1 });
  }
  reportBegun(d, attached || job.at === 'held-attach');
  const joins = attached ? d.model.run.id : undefined;
  enter(d, { at: 'streaming', ...(joins === undefined ? {} : { joins }) }, streamingState(d));
}

function reportBegun<M extends ChatMessage>(d: Draft<M>, attached: boolean): void {
  const { turn } = d.model;
  const ms = jobMs(d);
  if (attached || turn === undefined) report(d, { type: 'attached', own: d.model.own, ms });
  else {
    report(d, { type: 'reply-started', phase: phaseOf(turn), attempt: turn.requests + 1, ms });
  }
}

/**
 * The answer to a repeat of a continue may begin with what the reply held before, or not: the conversation and its live
 * stream say both without doubt.
 */
function joinContinued<M extends ChatMessage>(d: Draft<M>): void {
  enter(
    d,
    { at: 'closing', next: { to: 'read', plan: { why: 'resync' } } },
    { name: 'resyncing', since: d.env.now, cause: 'unclear', attached: true },
  );
  order(d, { do: 'end-read', boundMs: d.env.policy.stopMs });
}

/** A run that is watched to its end needs no pause after it: only the one conflict counts. */
function watchedConflicts<M extends ChatMessage>(d: Draft<M>): void {
  const [head, ...others] = d.model.queue;
  if (head === undefined || head.turn.conflicts <= 1) return;
  patch(d, { queue: [{ ...head, turn: { ...head.turn, conflicts: 1 } }, ...others] });
}

/** The first new content after a reconnect: the cut is mended. */
export function streamContent<M extends ChatMessage>(d: Draft<M>): void {
  if (d.model.job.at !== 'reconnecting') return;
  report(d, { type: 'spliced', attempt: Math.max(1, d.model.cuts.turn), ms: jobMs(d) });
  enter(d, { at: 'streaming' }, streamingState(d));
}

/** A stream that broke off, or a way back into it that was refused. */
function reportCut<M extends ChatMessage>(d: Draft<M>, cut: Cut): void {
  const attempt = d.model.cuts.turn;
  if (HelixError.isInstance(cut.last)) {
    const refused = { phase: 'stream', attempt, ms: jobMs(d) } as const;
    report(d, { type: 'request-refused', ...refused, ...evidenceOf(cut.last) });
  } else if (cut.last === 'none' || cut.progressed) {
    report(d, { type: 'cut', attempt, ...evidenceOf(cut.error) });
  }
}

const answerCut = <M extends ChatMessage>(d: Draft<M>, answer: CutAnswer): void =>
  order(d, { do: 'answer-cut', answer });

/** The stream ended before its end: reconnects, reads, or leaves what there is, by what the backend can do. */
export function streamCut<M extends ChatMessage>(d: Draft<M>, cut: Cut): void {
  const { job } = d.model;
  if (job.at !== 'streaming' && job.at !== 'reconnecting') {
    answerCut(d, 'leave');
    return;
  }
  const status = HelixError.isInstance(cut.last) ? cut.last.statusCode : undefined;
  const counts = !HelixError.isInstance(cut.last) || isTry(d, status) ? 1 : 0;
  const cuts = {
    turn: d.model.cuts.turn + counts,
    inARow: (cut.progressed ? 0 : d.model.cuts.inARow) + counts,
  };
  patch(d, { cuts, troubled: true });
  reportCut(d, cut);
  if (cut.last === 'gone') {
    leave(d, cut, 'resync');
    return;
  }
  if (cut.last === 'diverged') {
    leave(d, cut, 'reanchor');
    return;
  }
  if (HelixError.isInstance(cut.last)) {
    const { last } = cut;
    noteOutcome(d, last.statusCode, last);
    if (isBareLook(d.model, d.env, 'stream')) {
      leave(d, cut, 'resync');
      return;
    }
    if (last.statusCode === 401 || last.statusCode === 403) {
      answerCut(d, last);
      closing(d, { to: 'fail', phase: 'snapshot', committed: 'yes', error: last, newKey: false });
      return;
    }
    if (isGone(last.statusCode, last)) {
      leave(d, cut, 'resync');
      return;
    }
    if ((last.retryAfterMs ?? 0) > d.env.policy.statedWaitCapMs && !isWatching(d)) {
      answerCut(d, last);
      closing(d, { to: 'fail', phase: 'stream', committed: 'yes', error: last, newKey: false });
      return;
    }
  }
  const { policy } = d.env;
  const within = cuts.inARow <= policy.reconnects && cuts.turn <= policy.reconnectsPerTurn;
  const error = HelixError.isInstance(cut.last) ? cut.last : cut.error;
  const failure = makeFailure(d, { error, phase: 'stream', committed: 'yes' }, true);
  if (!within || !usable(d.env.routes.stream) || !mayMove(d, 'reconnect', failure)) {
    leave(d, cut, 'resync');
    return;
  }

  backOff(d, {
    of: 'read',
    job: { at: 'cut-wait', cut },
    phase: 'stream',
    failure,
    tries: Math.max(1, cuts.inARow),
    attempts: policy.reconnects,
    costs: cuts.inARow > 1,
  });
}

const closing = <M extends ChatMessage>(d: Draft<M>, next: Next): void =>
  enter(d, { at: 'closing', next });

/** Whether the conversation is read instead. A watched reply is read on for the message that waits for its end. */
function mayLeave<M extends ChatMessage>(
  d: Draft<M>,
  cut: Cut,
  why: 'resync' | 'reanchor',
): boolean {
  if (!usable(d.env.routes.snapshot) || isWatching(d)) return usable(d.env.routes.snapshot);
  const facts = { error: cut.error, phase: 'stream', committed: 'yes' } as const;
  return mayMove(d, why === 'reanchor' ? 're-anchor' : 'resync', makeFailure(d, facts, true));
}

/** Splicing does not help: the read ends quietly and the conversation is read, where there is a way to. */
function leave<M extends ChatMessage>(d: Draft<M>, cut: Cut, why: 'resync' | 'reanchor'): void {
  const { own } = d.model;
  if (!mayLeave(d, cut, why)) {
    cutGivenUp(d, cut);
    return;
  }
  answerCut(d, 'leave');
  if (isWatching(d)) {
    closing(d, { to: 'read', plan: { why: 'waiting' } });
    return;
  }
  if (why === 'reanchor') patch(d, { reanchors: d.model.reanchors + 1 });
  const plan: ReadPlan = {
    ...(own ? { why, fallback: cut.error } : foreignPlan(d)),
    ...(HelixError.isInstance(cut.last) && why === 'resync' ? { follows: cut.error } : {}),
  };
  enter(
    d,
    { at: 'closing', next: { to: 'read', plan } },
    { name: 'resyncing', since: d.env.now, cause: 'cut', attached: true },
  );
}

/** The cut stays: what was read of the reply is all that there is of it here. */
export function cutGivenUp<M extends ChatMessage>(d: Draft<M>, { error }: Cut): void {
  if (d.model.own) {
    answerCut(d, 'fail');
    closing(d, { to: 'fail', phase: 'stream', committed: 'yes', error, newKey: false });
    return;
  }
  answerCut(d, 'leave');
  closing(d, isWatching(d) ? { to: 'read', plan: { why: 'waiting' } } : { to: 'settled' });
}

/** Asks for the rest of the cut stream. */
export function reconnectNow<M extends ChatMessage>(d: Draft<M>, cut: Cut): void {
  answerCut(d, 'reconnect');
  const { state } = d.model;
  enter(
    d,
    { at: 'reconnecting', cut },
    isWatching(d) ? state : { name: 'resyncing', since: d.env.now, cause: 'cut', attached: true },
  );
}

const runFailed = (error: HelixError): Next => ({
  to: 'fail',
  phase: 'stream',
  committed: 'yes',
  error,
  newKey: false,
  // A run that takes too long for the app has not failed.
  runFailed: !isOutOfTime(error),
});

/** A typed error event ended the run. Ours: one quiet read, then the failure in the same commit. */
export function streamFailed<M extends ChatMessage>(d: Draft<M>, error: HelixError): void {
  if (!d.model.own) {
    order(d, { do: 'answer-failed', answer: 'leave' });
    closing(d, foreignEnd(d));
    return;
  }
  if (!mayRead(d, { error, phase: 'stream', committed: 'yes' })) {
    order(d, { do: 'answer-failed', answer: 'fail' });
    closing(d, runFailed(error));
    return;
  }
  enter(
    d,
    { at: 'fail-read', error },
    { name: 'resyncing', since: d.env.now, cause: 'failed', attached: true },
  );
  order(d, { do: 'read-snapshot', boundMs: d.env.policy.quietReadMs });
}

/** What is read when a reply that is not ours is over: answers of ours may have waited for its end. */
const foreignPlan = <M extends ChatMessage>(d: Draft<M>): ReadPlan =>
  isUnanswered(d.model.turn) ? { why: 'answers' } : { why: 'foreign-end' };

/** How a reply that is not ours goes on when it ends badly. */
export function foreignEnd<M extends ChatMessage>(d: Draft<M>): Next {
  if (isWatching(d)) return { to: 'read', plan: { why: 'waiting' } };
  const plan = foreignPlan(d);
  const facts = { error: cutFailure(), phase: 'stream', committed: 'yes' } as const;
  return plan.why === 'answers' || mayRead(d, facts) ? { to: 'read', plan } : { to: 'settled' };
}

/** The quiet read before a failure: whatever it brings, the failure follows. A reply that was only late may be whole. */
export function failReadDone<M extends ChatMessage>(
  d: Draft<M>,
  error: HelixError,
  { kind, messages, status }: ReadResult,
): void {
  if (isOutOfTime(error) && kind === 'snapshot' && (status === 'ended' || status === 'paused')) {
    patch(d, { toPut: messages, behind: false, paused: status === 'paused' });
    order(d, { do: 'answer-failed', answer: 'leave' });
    closing(d, { to: 'settled' });
    return;
  }
  // A run that goes on has more than the conversation holds: what was read of it stays.
  const put = isOutOfTime(error) && status === 'active' ? undefined : messages;
  patch(d, { toPut: put, ...(put === undefined ? {} : { behind: false }) });
  order(d, { do: 'answer-failed', answer: 'fail' });
  closing(d, runFailed(error));
}

/** The stream has said its last; the SDK has yet to put the reply away. */
export function streamEnding<M extends ChatMessage>(d: Draft<M>, end: TurnEnd): void {
  const { job, state } = d.model;
  if (job.at !== 'streaming' && job.at !== 'reconnecting') return;
  d.model = {
    ...d.model,
    job: { at: 'streaming', end },
    state: state.name === 'resyncing' ? streamingState(d) : state,
  };
}

/** A trigger ended the read. The server asked for it, so it counts against no budget, only against going round. */
export function streamLeft<M extends ChatMessage>(d: Draft<M>, trigger: Trigger): void {
  const reanchors = d.model.reanchors + 1;
  patch(d, {
    reanchors,
    troubled: true,
    triggers:
      trigger.attemptId === undefined ? d.model.triggers : [...d.model.triggers, trigger.attemptId],
  });
  report(d, { type: 're-anchored', trigger: trigger.name, attempt: reanchors });
  if (isWatching(d)) {
    closing(d, { to: 'read', plan: { why: 'waiting' } });
    return;
  }
  const next: Next =
    reanchors > d.env.policy.reanchors
      ? {
          to: 'fail',
          phase: 'stream',
          committed: 'yes',
          error: reanchorLimit(),
          newKey: false,
        }
      : { to: 'read', plan: { why: 'reanchor' } };
  enter(
    d,
    { at: 'closing', next },
    { name: 'resyncing', since: d.env.now, cause: 'superseded', attached: true },
  );
}

/** The attempt's step is void, but its stream goes on: the step is cut back, and the rest is joined by a call of its own. */
export function stepRestarted<M extends ChatMessage>(d: Draft<M>, trigger: Trigger): void {
  const { attemptId, name } = trigger;
  const attempt = d.model.reanchors + 1;
  patch(d, {
    troubled: true,
    triggers: attemptId === undefined ? d.model.triggers : [...d.model.triggers, attemptId],
  });
  report(d, { type: 're-anchored', trigger: name, attempt });
  closing(d, { to: 'restart' });
}

/** The stream goes on over what is void; once the turn is over, the conversation is read once and the screen settles. */
export function reanchorForbidden<M extends ChatMessage>(d: Draft<M>): void {
  patch(d, { behind: true });
  report(d, { type: 'move-forbidden', move: 're-anchor', phase: 'stream' });
}

/** Joins the run whose last step is written anew. */
export function joinRestarted<M extends ChatMessage>(d: Draft<M>): void {
  const plan: ReadPlan = { why: 'restart', fallback: cutFailure() };
  enter(d, { at: 'attaching', plan, tries: 0 });
  order(d, { do: 'attach' });
}
