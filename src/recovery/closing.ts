import { filteredReply, finishErrorReply, lengthReply } from '../errors/clientFailures.ts';
import type { HelixError } from '../errors/HelixError.ts';
import type { TurnEnd } from '../transport/turnHost.ts';
import {
  type Draft,
  enter,
  isWatching,
  makeFailure,
  mayMove,
  order,
  patch,
  phaseOf,
  report,
  usable,
} from './draft.ts';
import { failWith, pauseQueue, putKept, rest, setAside, settle } from './ending.ts';
import type { RecoveryEvent } from './events.ts';
import { attachRefused } from './joining.ts';
import { isUnanswered, type Next, nextHeld, type ReadPlan, type Turn } from './model.ts';
import { readAfterFailure } from './pacing.ts';
import type { ChatMessage } from './ports.ts';
import { readDone, startRead } from './reading.ts';
import { leaveElsewhere } from './restoring.ts';
import { keepAsleep } from './slept.ts';
import type { RecoveryState } from './state.ts';
import { settleAfterStop } from './stopping.ts';
import { foreignEnd } from './streaming.ts';
import { backOff } from './waiting.ts';

type EventOf<M extends ChatMessage, T extends RecoveryEvent['type']> = Extract<
  RecoveryEvent<M>,
  { type: T }
>;

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
  if (!own && (turn === undefined || isUnanswered(turn))) {
    afterClose(d, foreignEnd(d));
    return;
  }
  const sent = turn === undefined || turn.accepted;
  failWith(d, {
    error: event.error,
    phase: sent ? 'stream' : phaseOf(turn),
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
  patch(d, { paused: !event.aborted && event.atCall === true });
  if (!own) {
    foreignReplyEnded(d, event.atCall === true);
    return;
  }
  const end = job.at === 'streaming' ? job.end : undefined;
  if (event.aborted || end?.by === 'abort' || end?.finishReason === 'interrupted') {
    // A stop that was asked for so that a held message can go is followed by that message.
    const goesOn = nextHeld(d.model) !== undefined;
    if (d.model.run.stopping && goesOn) {
      order(d, { do: 'drop-empty-reply' });
      settle(d, 'stop');
    } else {
      // Nobody here asked for this stop: what waits for the reply waits for a press now, as after a stop of one's own.
      pauseQueue(d);
      afterClose(d, { to: 'stopped' });
    }
    return;
  }
  const { rejected, turn } = d.model;
  if (rejected !== undefined && turn !== undefined) {
    rejectedAnswers(d, turn, rejected);
    return;
  }
  const notice =
    event.softFailure ??
    (d.env.seesSoftFailures ? finishNotice(end, event.hasText ?? true) : undefined);
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

/** The reply is there, but answers did not apply: the conversation says what stands in their place, then it is told. */
function rejectedAnswers<M extends ChatMessage>(
  d: Draft<M>,
  turn: Turn<M>,
  error: HelixError,
): void {
  patch(d, { turn: { ...turn, refused: { error, committed: 'yes', again: 'no' } } });
  if (usable(d.env.routes.snapshot)) startRead(d, { why: 'answers' });
  else failWith(d, { error, phase: 'submit', committed: 'yes' });
}

function finishNotice(end: TurnEnd | undefined, hasText: boolean): HelixError | undefined {
  switch (end?.finishReason) {
    case 'content-filter':
      return filteredReply(hasText);
    case 'length':
      return lengthReply(hasText);
    case 'error':
      return finishErrorReply(hasText);
    default:
      return undefined;
  }
}

function foreignReplyEnded<M extends ChatMessage>(d: Draft<M>, atCall: boolean): void {
  if (isWatching(d)) {
    startRead(d, { why: 'waiting' });
    return;
  }
  if (isUnanswered(d.model.turn)) {
    startRead(d, { why: 'answers' });
    return;
  }
  if (atCall) order(d, { do: 'dispatch-open-calls' });
  rest(d);
}

/** What was to follow once the SDK's call is over. */
function afterClose<M extends ChatMessage>(d: Draft<M>, next: Next): void {
  const { turn } = d.model;
  switch (next.to) {
    case 'fail':
      failNow(d, next);
      return;
    case 'settled':
      putKept(d);
      if (d.model.paused) order(d, { do: 'dispatch-open-calls' });
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
      if (turn !== undefined) {
        if (turn.kind === 'edit' || turn.kind === 'regenerate') {
          order(d, { do: 'restore-history' });
        }
        setAside(d, turn, { state: 'parked' }, false);
      }
      settleAfterStop(d);
      return;
    case 'elsewhere':
      if (turn?.message !== undefined && turn.kind === 'send') {
        order(d, { do: 'take-out', messageId: turn.message.id });
      } else order(d, { do: 'restore-history' });
      order(d, { do: 'drop-empty-reply' });
      leaveElsewhere(d);
      return;
    case 'sleep':
      keepAsleep(d, next.newKey);
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
  order(d, { do: 'note-taken' });
  if (turn !== undefined && turn.kind !== 'send') order(d, { do: 'cut-history-again' });
  const phase = phaseOf(turn);
  const failure = makeFailure(d, { error, phase, committed: 'yes' }, true);
  if (!mayMove(d, 'resync', failure)) {
    settle(d, 'read');
    return;
  }
  const job = { at: 'read-wait', plan, tries: 0 } as const;
  backOff(d, { of: 'read', job, phase, failure, tries: 1, attempts: 1 });
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
  report(d, { type: 'held', cause });
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

/** The stream that was left is closed: what waited for its end begins. */
export function readEnded<M extends ChatMessage>(d: Draft<M>): void {
  const { job } = d.model;
  if (job.at !== 'ending') return;
  const { next } = job;
  if (next.to !== 'read') rest(d);
  else if (next.result === undefined) readAfterFailure(d, next.plan);
  else readDone(d, next.plan, 0, next.result);
}

/** Ends the turn by the failure that its close was ordered with, and with what the SDK has told meanwhile. */
function failNow<M extends ChatMessage>(
  d: Draft<M>,
  next: Extract<Next, { to: 'fail' }>,
  extra: { partial?: string; messageId?: string } = {},
): void {
  failWith(d, {
    error: next.error,
    phase: next.phase,
    committed: next.committed,
    newKey: next.newKey,
    runFailed: next.runFailed,
    ...extra,
  });
}
