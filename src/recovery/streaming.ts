import {
  cutFailure,
  filteredReply,
  finishErrorReply,
  lengthReply,
  reanchorLimit,
} from '../errors/clientFailures.ts';
import { HelixError } from '../errors/HelixError.ts';
import type { Cut, CutAnswer, Trigger, TurnEnd } from '../transport/turnHost.ts';
import { isBareLook } from './decide.ts';
import {
  type Draft,
  enter,
  isWatching,
  makeFailure,
  order,
  patch,
  report,
  usable,
} from './draft.ts';
import { failWith, putKept, rest, setAside, settle } from './ending.ts';
import type { RecoveryEvent } from './events.ts';
import type { Next, ReadPlan } from './model.ts';
import type { ChatMessage } from './ports.ts';
import { attachRefused, startRead } from './reading.ts';
import { failNow } from './sending.ts';
import type { RecoveryState } from './state.ts';
import { settleAfterStop } from './stopping.ts';
import { backOff } from './waiting.ts';

type EventOf<M extends ChatMessage, T extends RecoveryEvent['type']> = Extract<
  RecoveryEvent<M>,
  { type: T }
>;

function streamingState<M extends ChatMessage>(d: Draft<M>): RecoveryState {
  const { state } = d.model;
  if (state.name === 'waiting-on-run') return { ...state, attached: true };
  return { name: 'streaming', since: d.env.now, own: d.model.own };
}

export function streamAccepted<M extends ChatMessage>(d: Draft<M>): void {
  const { job, turn } = d.model;
  const attached = job.at === 'attaching';
  if (!attached && job.at !== 'requesting' && job.at !== 'held-attach') return;
  order(d, { do: 'note-alive' });
  if (!attached && turn !== undefined && turn.kind !== 'send')
    order(d, { do: 'cut-history-again' });
  if (turn !== undefined) patch(d, { turn: { ...turn, accepted: true, unclear: false } });
  patch(d, { own: turn !== undefined, heardAt: d.env.mono, acknowledged: true, polls: 0 });
  if (attached) watchedConflicts(d);
  // A trigger has counted already; any other way back into a turn counts when it succeeds.
  if (attached && turn !== undefined && job.plan.why !== 'reanchor') {
    patch(d, { reanchors: d.model.reanchors + 1 });
  }
  enter(d, { at: 'streaming' }, streamingState(d));
  report(d, { type: attached ? 'attached' : 'reply-started' });
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
  enter(d, { at: 'streaming' }, streamingState(d));
  report(d, { type: 'spliced' });
}

const answerCut = <M extends ChatMessage>(d: Draft<M>, answer: CutAnswer): void =>
  order(d, { do: 'answer-cut', answer });

const isGone = (error: HelixError): boolean =>
  error.statusCode === 404 ||
  error.statusCode === 409 ||
  error.statusCode === 410 ||
  (error.statusCode === 503 && error.reason === 'run_not_live');

export function streamCut<M extends ChatMessage>(d: Draft<M>, cut: Cut): void {
  const { job } = d.model;
  if (job.at !== 'streaming' && job.at !== 'reconnecting') {
    answerCut(d, 'leave');
    return;
  }
  if (cut.last === 'none' || cut.progressed) report(d, { type: 'cut' });
  const cuts = {
    turn: d.model.cuts.turn + 1,
    inARow: (cut.progressed ? 0 : d.model.cuts.inARow) + 1,
  };
  patch(d, { cuts, troubled: true });
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
    if (isBareLook(d.model, d.env, 'stream')) {
      leave(d, cut, 'resync');
      return;
    }
    if (last.statusCode === 401 || last.statusCode === 403) {
      answerCut(d, last);
      closing(d, { to: 'fail', phase: 'snapshot', committed: 'yes', error: last, newKey: false });
      return;
    }
    if (isGone(last)) {
      leave(d, cut, 'resync');
      return;
    }
  }
  const { policy } = d.env;
  const within = cuts.inARow <= policy.reconnects && cuts.turn <= policy.reconnectsPerTurn;
  const failure = makeFailure(d, { error: cut.error, phase: 'stream', committed: 'yes' }, true);
  if (!within || !usable(d.env.routes.stream) || !d.env.allow('reconnect', failure)) {
    leave(d, cut, 'resync');
    return;
  }

  backOff(d, {
    of: 'read',
    job: { at: 'cut-wait', cut },
    phase: 'stream',
    failure,
    tries: cuts.inARow,
    attempts: policy.reconnects,
  });
}

const closing = <M extends ChatMessage>(d: Draft<M>, next: Next): void =>
  enter(d, { at: 'closing', next });

/** Splicing does not help: the read ends quietly and the conversation is read, where there is a way to. */
function leave<M extends ChatMessage>(d: Draft<M>, cut: Cut, why: 'resync' | 'reanchor'): void {
  const { own } = d.model;
  if (!usable(d.env.routes.snapshot)) {
    if (own) {
      answerCut(d, 'fail');
      closing(d, {
        to: 'fail',
        phase: 'stream',
        committed: 'yes',
        error: cut.error,
        newKey: false,
      });
      return;
    }
    answerCut(d, 'leave');
    closing(d, isWatching(d) ? { to: 'read', plan: { why: 'waiting' } } : { to: 'settled' });
    return;
  }
  answerCut(d, 'leave');
  if (isWatching(d)) {
    closing(d, { to: 'read', plan: { why: 'waiting' } });
    return;
  }
  if (why === 'reanchor') patch(d, { reanchors: d.model.reanchors + 1 });
  const plan: ReadPlan = own ? { why, fallback: cut.error } : { why: 'foreign-end' };
  enter(
    d,
    { at: 'closing', next: { to: 'read', plan } },
    { name: 'resyncing', since: d.env.now, cause: 'cut', attached: true },
  );
}

export function reconnectNow<M extends ChatMessage>(d: Draft<M>, cut: Cut): void {
  answerCut(d, 'reconnect');
  const { state } = d.model;
  enter(
    d,
    { at: 'reconnecting', cut },
    isWatching(d) ? state : { name: 'resyncing', since: d.env.now, cause: 'cut', attached: true },
  );
}

/** A typed error event ended the run. Ours: one quiet read, then the failure in the same commit. */
export function streamFailed<M extends ChatMessage>(d: Draft<M>, error: HelixError): void {
  if (!d.model.own) {
    order(d, { do: 'answer-failed', answer: 'leave' });
    closing(d, foreignEnd(d));
    return;
  }
  if (!usable(d.env.routes.snapshot)) {
    order(d, { do: 'answer-failed', answer: 'fail' });
    closing(d, { to: 'fail', phase: 'stream', committed: 'yes', error, newKey: false });
    return;
  }
  enter(
    d,
    { at: 'fail-read', error },
    { name: 'resyncing', since: d.env.now, cause: 'failed', attached: true },
  );
  order(d, { do: 'read-snapshot', boundMs: d.env.policy.quietReadMs });
}

function foreignEnd<M extends ChatMessage>(d: Draft<M>): Next {
  if (isWatching(d)) return { to: 'read', plan: { why: 'waiting' } };
  if (!usable(d.env.routes.snapshot)) return { to: 'settled' };
  return { to: 'read', plan: { why: 'foreign-end' } };
}

/** The quiet read before a failure: whatever it brings, the failure follows. */
export function failReadDone<M extends ChatMessage>(
  d: Draft<M>,
  error: HelixError,
  messages: unknown,
): void {
  patch(d, { toPut: messages });
  order(d, { do: 'answer-failed', answer: 'fail' });
  closing(d, { to: 'fail', phase: 'stream', committed: 'yes', error, newKey: false });
}

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
  report(d, { type: 're-anchored', reason: trigger.name });
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
  patch(d, {
    troubled: true,
    triggers: attemptId === undefined ? d.model.triggers : [...d.model.triggers, attemptId],
  });
  report(d, { type: 're-anchored', reason: name });
  closing(d, { to: 'restart' });
}

export function joinRestarted<M extends ChatMessage>(d: Draft<M>): void {
  const plan: ReadPlan = { why: 'restart', fallback: cutFailure() };
  enter(d, { at: 'attaching', plan, tries: 0 });
  order(d, { do: 'attach' });
}

/** The SDK's call ended in an error. */
export function chatFailed<M extends ChatMessage>(
  d: Draft<M>,
  event: EventOf<M, 'chat-failed'>,
): void {
  const { job, turn, own } = d.model;
  const extra = {
    ...(event.partial === undefined ? {} : { partial: event.partial }),
    ...(event.messageId === undefined ? {} : { messageId: event.messageId }),
  };
  if (job.at === 'closing' && job.next.to === 'fail') {
    failNow(d, job.next, job.next.phase === 'stream' ? extra : {});
    return;
  }
  if (job.at === 'closing') {
    chatEnded(d, { type: 'chat-ended', aborted: true });
    return;
  }
  if (job.at === 'attaching') {
    attachRefused(d, job.plan, job.tries, {
      stage: 'request',
      error: event.error,
      status: event.error.statusCode,
      committed: 'yes',
    });
    return;
  }
  if (!own && turn === undefined) {
    afterClose(d, foreignEnd(d));
    return;
  }
  const sent = turn === undefined || turn.accepted;
  failWith(d, {
    error: event.error,
    phase: sent ? 'stream' : (turn?.kind ?? 'stream'),
    committed: sent ? 'yes' : turn.requests === 0 ? 'no' : 'unknown',
    ...(sent ? extra : {}),
  });
}

/** The SDK's call ended without an error: by its end, or quietly because it was told to. */
export function chatEnded<M extends ChatMessage>(
  d: Draft<M>,
  event: EventOf<M, 'chat-ended'>,
): void {
  const { job, own } = d.model;
  if (job.at === 'closing') {
    afterClose(d, job.next);
    return;
  }
  if (job.at !== 'streaming' && job.at !== 'requesting' && job.at !== 'reconnecting') return;
  if (!own) {
    foreignReplyEnded(d);
    return;
  }
  const end = job.at === 'streaming' ? job.end : undefined;
  if (event.aborted || end?.by === 'abort' || end?.finishReason === 'interrupted') {
    // A stop that was asked for so that a held message can go is followed by that message.
    const goesOn = !d.model.paused && d.model.queue[0]?.pending.state === 'held';
    if (d.model.run.stopping && goesOn) settle(d, 'stop');
    else afterClose(d, { to: 'stopped' });
    return;
  }
  const notice = event.softFailure ?? finishNotice(end);
  if (notice !== undefined) {
    failWith(d, {
      error: notice,
      phase: 'stream',
      committed: 'yes',
      ...(event.messageId === undefined ? {} : { messageId: event.messageId }),
    });
    return;
  }
  settle(d, 'reply');
}

function finishNotice(end: TurnEnd | undefined): HelixError | undefined {
  switch (end?.finishReason) {
    case 'content-filter':
      return filteredReply(end.content);
    case 'length':
      return lengthReply(end.content);
    case 'error':
      return finishErrorReply(end.content);
    default:
      return undefined;
  }
}

function foreignReplyEnded<M extends ChatMessage>(d: Draft<M>): void {
  if (isWatching(d)) {
    startRead(d, { why: 'waiting' });
    return;
  }
  rest(d);
}

/** What was to follow once the SDK's call is over. */
export function afterClose<M extends ChatMessage>(d: Draft<M>, next: Next): void {
  const { turn } = d.model;
  switch (next.to) {
    case 'fail':
      failNow(d, next);
      return;
    case 'settled':
      putKept(d);
      settle(d, 'read');
      return;
    case 'stopped':
      settleAfterStop(d);
      return;
    case 'restart':
      enter(d, { at: 'restarting' });
      order(d, { do: 'cut-back-step' }, { do: 'soon' });
      return;
    case 'park':
      if (turn !== undefined) setAside(d, turn, { state: 'parked' }, false);
      patch(d, { paused: true });
      settleAfterStop(d);
      return;
    case 'read':
      putKept(d);
      enter(d, { at: 'ending', next });
      order(d, { do: 'end-read', boundMs: d.env.policy.stopMs });
      return;
    case 'wait-read':
      deferred(d, next.plan, next.error);
      return;
    case 'hold':
      heldNow(d, next.how);
      return;
  }
}

/** The server has the message and answers later, by itself: its time is waited for, then the conversation is read once. */
function deferred<M extends ChatMessage>(d: Draft<M>, plan: ReadPlan, error: HelixError): void {
  const { turn } = d.model;
  if (turn !== undefined) patch(d, { turn: { ...turn, accepted: true } });
  const failure = makeFailure(d, { error, phase: 'send', committed: 'yes' }, true);
  const job = { at: 'read-wait', plan, tries: 0 } as const;
  backOff(d, { of: 'read', job, phase: 'send', failure, tries: 1, attempts: 1 });
}

/** A conflict: the message leaves the chat for the pending ones, and the run in its way is watched. */
function heldNow<M extends ChatMessage>(d: Draft<M>, how: 'wait' | 'stop' | 'ask'): void {
  const { turn } = d.model;
  if (turn === undefined) return;
  const cause = how === 'ask' ? 'asked' : 'foreign-run';
  setAside(
    d,
    { ...turn, conflicts: turn.conflicts + 1, unclear: false },
    { state: 'held', cause },
    false,
  );
  report(d, { type: 'held', reason: cause });
  const first = turn.conflicts === 0;
  patch(d, {
    turn: undefined,
    own: false,
    polls: 0,
    troubled: true,
    ...(first ? { heardAt: d.env.mono } : {}),
    run: { ...d.model.run, stopping: how === 'stop' },
  });
  const waiting: RecoveryState = {
    name: 'waiting-on-run',
    since: d.env.now,
    cause,
    attached: false,
    stopping: how === 'stop',
    ...(d.model.run.id === undefined ? {} : { runId: d.model.run.id }),
  };
  enter(d, { at: 'ending', next: { to: 'read', plan: { why: 'waiting' } } }, waiting);
  order(d, { do: 'end-read', boundMs: d.env.policy.stopMs });
  if (how === 'stop' && usable(d.env.routes.stop)) {
    order(d, { do: 'stop-run', mode: 'interrupt', repeated: false });
  }
}

export function readEnded<M extends ChatMessage>(d: Draft<M>): void {
  const { job } = d.model;
  if (job.at !== 'ending') return;
  if (job.next.to === 'read') startRead(d, job.next.plan);
  else rest(d);
}
