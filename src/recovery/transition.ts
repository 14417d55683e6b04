import { chatEnded, chatFailed, readEnded } from './closing.ts';
import { type Draft, type Env, order, patch, usable } from './draft.ts';
import type { Effect } from './effects.ts';
import { askOrIdle } from './ending.ts';
import { asNewMessage, entryFound, entryRemoved, sendAgain, waitChosen } from './entries.ts';
import type { RecoveryEvent } from './events.ts';
import { heldAttachRefused } from './heldOutcome.ts';
import { attachRefused } from './joining.ts';
import type { Model } from './model.ts';
import { moveOn } from './movingOn.ts';
import { heldUp, limitsChanged } from './pacing.ts';
import type { ChatMessage } from './ports.ts';
import { startRead } from './reading.ts';
import { authorized, requestRefused } from './refused.ts';
import { postedElsewhere, sendsRestored, sendsUnclear, takenElsewhere } from './restoring.ts';
import { resyncRequested } from './resyncRequested.ts';
import { runKnown } from './runKnown.ts';
import { actRequested } from './sending.ts';
import { noteRead, snapshotRead } from './snapshotRead.ts';
import {
  dropAfter,
  lookAgain,
  runStopRequested,
  stopActRequested,
  stopAnswered,
  stopRequested,
  stopSendRequested,
} from './stopping.ts';
import {
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
    case 'posted-elsewhere':
      postedElsewhere(d, event.open);
      return;
    case 'sends-unclear':
      sendsUnclear(d, event.ids);
      return;
    case 'entries-found':
      for (const id of event.ids) entryFound(d, id);
      return;
    case 'dismissed':
      if (d.model.state.name === 'failed') askOrIdle(d);
      return;
  }
}

function slow<M extends ChatMessage>(d: Draft<M>, isSlow: boolean): void {
  const { state } = d.model;
  if (state.name !== 'sending' && state.name !== 'streaming') return;
  const { slow: _was, ...kept } = state;
  d.model = { ...d.model, state: isSlow ? { ...kept, slow: true } : kept };
}
