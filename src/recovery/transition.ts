import { timeoutFailure } from '../errors/clientFailures.ts';
import { chatEnded, chatFailed, readEnded } from './closing.ts';
import {
  type Draft,
  dropEntry,
  type Env,
  enter,
  findEntry,
  isBusy,
  isWatching,
  order,
  patch,
  report,
  usable,
} from './draft.ts';
import type { Effect } from './effects.ts';
import { askOrIdle, rest } from './ending.ts';
import type { RecoveryEvent } from './events.ts';
import { noteOutcome } from './liveness.ts';
import { asOwnMessage, type Model } from './model.ts';
import { moveOn } from './movingOn.ts';
import { heldUp, limitsChanged, probed } from './pacing.ts';
import type { ChatMessage } from './ports.ts';
import { bringForward, startTurn } from './queue.ts';
import { answerChecks, attachRefused, readDone, startRead } from './reading.ts';
import type { ReadResult } from './readResult.ts';
import { reportRead } from './reportRead.ts';
import { sendsRestored, takenElsewhere } from './restoring.ts';
import {
  actRequested,
  authorized,
  heldAttachRefused,
  heldReadDone,
  requestRefused,
} from './sending.ts';
import {
  dropAfter,
  lookAgain,
  runStopRequested,
  settlingReadDone,
  stopActRequested,
  stopAnswered,
  stopRequested,
  stopSendRequested,
} from './stopping.ts';
import {
  failReadDone,
  reanchorForbidden,
  stepRestarted,
  streamAccepted,
  streamContent,
  streamCut,
  streamEnding,
  streamFailed,
  streamLeft,
} from './streaming.ts';
import {
  answerGiven,
  answersRejected,
  mounted,
  submitDecided,
  submitRequested,
} from './submitting.ts';
import { statedLeftMs } from './waiting.ts';
import {
  cameOnline,
  clockJumped,
  listened,
  runChecked,
  stalled,
  wentOffline,
  woken,
} from './waking.ts';

/**
 * What a fact does to the chat: the next model, and the orders to carry out, in order. Pure: it reads no clock, draws
 * no chance and touches no network; all of that is in `env`.
 */
export function transition<M extends ChatMessage>(
  model: Model<M>,
  event: RecoveryEvent<M>,
  env: Env,
): { readonly model: Model<M>; readonly effects: readonly Effect<M>[] } {
  const draft: Draft<M> = { model, effects: [], env };
  apply(draft, event);
  if (draft.model.troubled && !model.troubled) patch(draft, { troubledAt: env.mono });
  return { model: draft.model, effects: draft.effects };
}

function apply<M extends ChatMessage>(d: Draft<M>, event: RecoveryEvent<M>): void {
  const { job } = d.model;
  switch (event.type) {
    case 'act-requested':
      if (event.kind === 'submit') submitRequested(d, event);
      else actRequested(d, event);
      return;
    case 'answer-given':
      answerGiven(d, event.toolCallId);
      return;
    case 'submit-decided':
      if (event.ticket === d.model.ticket) submitDecided(d, event);
      return;
    case 'answers-rejected':
      answersRejected(d, event.rejections);
      return;
    case 'look-requested':
      lookAgain(d);
      return;
    case 'mounted':
      mounted(d);
      return;
    case 'attach-begun':
      return;
    case 'request-refused':
      if (event.refusal.stage === 'attach' || job.at === 'held-attach')
        heldAttachRefused(d, event.refusal);
      else if (job.at === 'attaching') attachRefused(d, job.plan, job.tries, event.refusal);
      else if (job.at === 'requesting') requestRefused(d, event.refusal);
      else order(d, { do: 'answer-refusal', answer: 'hold' });
      return;
    case 'stream-accepted':
      streamAccepted(d);
      return;
    case 'stream-cut':
      streamCut(d, event.cut);
      return;
    case 'stream-failed':
      streamFailed(d, event.error);
      return;
    case 'stream-ending':
      streamEnding(d, event.end);
      return;
    case 'stream-left':
      streamLeft(d, event.trigger);
      return;
    case 'step-restarted':
      stepRestarted(d, event.trigger);
      return;
    case 're-anchor-forbidden':
      reanchorForbidden(d);
      return;
    case 'stream-content':
      streamContent(d);
      return;
    case 'run-known':
      runKnown(d, event.run.runId);
      return;
    case 'chat-failed':
      chatFailed(d, event);
      return;
    case 'chat-ended':
      chatEnded(d, event);
      return;
    case 'attach-closed':
      if (job.at === 'attaching' && event.ticket === d.model.ticket) {
        attachRefused(d, job.plan, job.tries, {
          stage: 'request',
          error: undefined,
          status: 204,
          committed: 'yes',
        });
      }
      return;
    case 'read-ended':
      readEnded(d);
      return;
    case 'snapshot-read':
      if (event.ticket === d.model.ticket) snapshotRead(d, event.result);
      return;
    case 'timer-fired':
      if (event.ticket === d.model.ticket && !listened(d) && !heldUp(d)) moveOn(d);
      return;
    case 'authorized':
      if (event.ticket === d.model.ticket) authorized(d, event.ok);
      return;
    case 'stop-answered':
      stopAnswered(d, event);
      return;
    case 'slow':
      slow(d, event.slow);
      return;
    case 'load-requested':
      if (job.at !== 'rest' || d.model.state.name !== 'idle') return;
      if (usable(d.env.routes.snapshot)) startRead(d, { why: 'load' });
      else mounted(d);
      return;
    case 'resync-requested':
      resyncRequested(d);
      return;
    case 'stop-requested':
      dropAfter(d);
      stopRequested(d);
      return;
    case 'run-stop-requested':
      runStopRequested(d, event.mode);
      return;
    case 'stop-send-requested':
      if (event.entryId === undefined && d.model.failedAct !== undefined) {
        stopActRequested(d, d.model.failedAct);
      } else stopSendRequested(d, event.entryId);
      return;
    case 'send-again-requested':
      if (event.asNew) asNewMessage(d, event.entryId);
      sendAgain(d, event.entryId);
      return;
    case 'wait-chosen':
      waitChosen(d, event.entryId);
      return;
    case 'entry-removed':
      entryRemoved(d, event.entryId);
      return;
    case 'try-now-requested':
      if (statedLeftMs(d) === 0) moveOn(d);
      return;
    case 'online':
      cameOnline(d);
      return;
    case 'offline':
      wentOffline(d);
      return;
    case 'woken':
      woken(d);
      return;
    case 'clock-jumped':
      clockJumped(d, event);
      return;
    case 'stalled':
      if (!stalled(d)) slow(d, true);
      return;
    case 'run-checked':
      if (event.ticket !== d.model.ticket) return;
      noteRead(d, event.result);
      runChecked(d, event.why, event.result);
      return;
    case 'limits-changed':
      limitsChanged(d);
      return;
    case 'sends-restored':
      sendsRestored(d, event.lefts, event.from);
      return;
    case 'taken-elsewhere':
      takenElsewhere(d, event.open);
      return;
    case 'entries-found':
      for (const id of event.ids) entryFound(d, id);
      return;
    case 'dismissed':
      if (d.model.state.name === 'failed') askOrIdle(d);
      return;
  }
}

function runKnown<M extends ChatMessage>(d: Draft<M>, runId: string | undefined): void {
  if (runId === undefined || runId === d.model.run.id) return;
  const { job } = d.model;
  const joins =
    job.at === 'attaching' ? d.model.run.id : job.at === 'streaming' ? job.joins : undefined;
  if (joins !== undefined && joins !== runId) {
    // Another run began between the read and the join: its reply would stand under the wrong message.
    const plan = job.at === 'attaching' ? job.plan : { why: 'resync' as const };
    patch(d, { run: { id: runId, stoppedHere: false, stopping: false } });
    enter(d, {
      at: 'closing',
      next: { to: 'read', plan: isWatching(d) ? { why: 'waiting' } : plan },
    });
    order(d, { do: 'end-read', boundMs: d.env.policy.stopMs });
    return;
  }
  patch(d, { run: { id: runId, stoppedHere: false, stopping: d.model.run.stopping } });
}

/** A typed 404 of a chat that was never acknowledged is an empty conversation: nothing of it was written. */
function neverMade<M extends ChatMessage>(d: Draft<M>, result: ReadResult): boolean {
  return result.error?.code === 'state_session_not_found' && !d.model.acknowledged;
}

/** A read that was answered proves a living server; one that was not, within its bound, proves nothing good. */
function noteRead<M extends ChatMessage>(d: Draft<M>, { kind, error }: ReadResult): void {
  if (kind === 'snapshot') order(d, { do: 'note-alive' });
  else if (kind === 'timed-out') noteOutcome(d, undefined, timeoutFailure('total'));
  else if (kind === 'failed') noteOutcome(d, error?.statusCode, error);
}

function snapshotRead<M extends ChatMessage>(d: Draft<M>, read: ReadResult): void {
  const empty = neverMade(d, read) && d.model.job.at !== 'fail-read';
  const result: ReadResult = empty ? { kind: 'snapshot', status: 'ended', found: false } : read;
  const { job } = d.model;
  reportRead(d, job, result);
  noteRead(d, result);
  patch(d, { lastRead: result.kind === 'snapshot' ? result.status : undefined });
  if (result.kind === 'snapshot') answerChecks(d);
  switch (job.at) {
    case 'probing':
      probed(d, job, result);
      return;
    case 'held-read':
      heldReadDone(d, job.refusal, job.absent, result);
      return;
    case 'fail-read':
      failReadDone(d, job.error, result.kind === 'snapshot' ? result.messages : undefined);
      return;
    case 'settling':
      settlingReadDone(d, job.reads, result);
      return;
    case 'reading':
      readDone(d, job.plan, job.tries, result);
      return;
    default:
  }
}

function slow<M extends ChatMessage>(d: Draft<M>, isSlow: boolean): void {
  const { state } = d.model;
  if (state.name !== 'sending' && state.name !== 'streaming') return;
  const { slow: _was, ...kept } = state;
  d.model = { ...d.model, state: isSlow ? { ...kept, slow: true } : kept };
}

/** The app or the person asks for the conversation as the server has it. */
function resyncRequested<M extends ChatMessage>(d: Draft<M>): void {
  const { state, job } = d.model;
  if (!usable(d.env.routes.snapshot)) return;
  if (state.name === 'failed') {
    const { failure } = state;
    const { failedSubmit } = d.model;
    if (failedSubmit !== undefined) {
      const { error, committed } = failure;
      patch(d, { turn: { ...failedSubmit, refused: { error, committed, again: 'no' } } });
      startRead(d, { why: 'answers', keep: failure });
      return;
    }
    startRead(d, { why: failure.phase === 'load' ? 'load' : 'resync', keep: failure });
    return;
  }
  if (state.name === 'idle') {
    startRead(d, { why: 'resync' });
    return;
  }
  if (job.at === 'streaming') {
    enter(
      d,
      { at: 'closing', next: { to: 'read', plan: { why: 'resync' } } },
      { name: 'resyncing', since: d.env.now, cause: 'requested', attached: true },
    );
    order(d, { do: 'end-read', boundMs: d.env.policy.stopMs });
  }
}

/** The message that an edit was to change is gone: its new text is a message like any other. */
function asNewMessage<M extends ChatMessage>(d: Draft<M>, entryId: string): void {
  const queue = d.model.queue.map((entry) =>
    entry.pending.id === entryId
      ? { ...entry, turn: { ...asOwnMessage(entry.turn), message: entry.pending.message } }
      : entry,
  );
  patch(d, { queue });
}

/** A pending message goes out by a press. One with an unclear fate is looked for first. */
function sendAgain<M extends ChatMessage>(d: Draft<M>, entryId: string): void {
  const entry = findEntry(d.model, entryId);
  if (entry === undefined) return;
  if (isBusy(d)) {
    bringForward(d, entryId);
    return;
  }
  const keep = d.model.state.name === 'failed' ? d.model.state.failure : undefined;
  if (entry.turn.unclear && usable(d.env.routes.snapshot)) {
    startRead(d, { why: 'before-send', entryId, ...(keep === undefined ? {} : { keep }) });
    return;
  }
  dropEntry(d, entryId);
  startTurn(d, entry.turn, entry.newKey);
}

/** In `ask` mode the person lets the running reply end first. */
function waitChosen<M extends ChatMessage>(d: Draft<M>, entryId: string | undefined): void {
  const queue = d.model.queue.map((entry) =>
    entry.pending.cause === 'asked' && (entryId === undefined || entry.pending.id === entryId)
      ? { ...entry, pending: { ...entry.pending, cause: 'foreign-run' as const } }
      : entry,
  );
  const { state } = d.model;
  patch(d, { queue });
  if (state.name === 'waiting-on-run') patch(d, { state: { ...state, cause: 'foreign-run' } });
}

/** A pending message turned out to be in the transcript: it lives there. */
function entryFound<M extends ChatMessage>(d: Draft<M>, id: string): void {
  const entry = findEntry(d.model, id);
  if (entry === undefined) return;
  dropEntry(d, id);
  order(d, { do: 'release', entryId: id });
  const { state } = d.model;
  if (state.name === 'failed' && entry.pending.failure?.id === state.failure.id) rest(d);
}

/** A pending message was handed back. What waited only for it ends. */
function entryRemoved<M extends ChatMessage>(d: Draft<M>, entryId: string): void {
  const entry = findEntry(d.model, entryId);
  if (entry === undefined) return;
  dropEntry(d, entryId);
  order(d, { do: 'release', entryId });
  report(d, { type: 'taken-back' });
  const { state, job, after } = d.model;
  // The message that an edit was to change is gone: its new text is a message like any other.
  if (after?.targetId === entryId) {
    patch(d, { after: asOwnMessage(after) });
  }
  if (state.name === 'failed' && entry.pending.failure?.id === state.failure.id) {
    enter(d, { at: 'rest' }, { name: 'idle' });
    return;
  }
  if (d.model.queue.length > 0 || after !== undefined) return;
  if (state.name === 'waiting-on-run') {
    if (job.at === 'streaming') {
      d.model = { ...d.model, state: { name: 'streaming', since: d.env.now, own: d.model.own } };
    } else if (job.at !== 'closing' && job.at !== 'ending') {
      order(d, { do: 'end-read', boundMs: d.env.policy.stopMs });
      rest(d);
    }
    return;
  }
  if (state.name === 'backing-off' && job.at === 'drain-wait') rest(d);
}
