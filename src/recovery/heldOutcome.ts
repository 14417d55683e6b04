import { reanchorLimit } from '../errors/clientFailures.ts';
import { isOutOfTime } from '../errors/isOutOfTime.ts';
import { toHelixError } from '../errors/toHelixError.ts';
import type { Refusal } from '../transport/turnHost.ts';
import { type Draft, enter, order, patch, usable } from './draft.ts';
import type { Absent } from './heldRead.ts';
import { noteOutcome } from './liveness.ts';
import type { ChatMessage } from './ports.ts';
import type { ReadResult } from './readResult.ts';
import { close, failRefusal, repeat } from './refused.ts';

/** The read that decides whether a message with an unclear fate has arrived. */
export function heldReadDone<M extends ChatMessage>(
  d: Draft<M>,
  refusal: Refusal,
  absent: Absent,
  result: ReadResult,
): void {
  const { turn } = d.model;
  const error = refusal.error;
  if (turn === undefined || error === undefined) return;
  const already = error.code === 'state_request_already_completed';
  // The key that was used goes out no more where the server has answered it.
  const newKey = already || absent === 'repeat-new-key';
  if (result.kind !== 'snapshot') {
    patch(d, { turn: { ...turn, readFailed: result.kind !== 'absent' } });
    failRefusal(d, error, refusal.committed, newKey);
    return;
  }
  if (result.messages !== undefined) patch(d, { acknowledged: true });
  if (result.found) {
    foundWhileHeld(d, refusal, result);
    return;
  }
  if (absent !== 'fail') {
    repeat(d, refusal, error, 'backoff', newKey);
    return;
  }
  if (turn.kind === 'send') patch(d, { toPut: result.messages });
  failRefusal(d, error, refusal.committed, newKey);
}

/** The message has arrived after all: its act goes on with the reply that the server has or writes. */
export function foundWhileHeld<M extends ChatMessage>(
  d: Draft<M>,
  refusal: Refusal,
  result: ReadResult,
): void {
  const { turn } = d.model;
  if (turn === undefined) return;
  patch(d, { troubled: true, turn: { ...turn, accepted: true, unclear: false } });
  if (result.status === 'active') {
    const reanchors = d.model.reanchors + 1;
    patch(d, { reanchors });
    if (reanchors > d.env.policy.reanchors) {
      const limit = reanchorLimit();
      close(d, limit, {
        to: 'fail',
        phase: 'stream',
        committed: 'yes',
        error: limit,
        newKey: false,
      });
      return;
    }
    if (turn.kind === 'continue') {
      // Its live stream begins with what the reply holds already: that takes a call of its own.
      patch(d, { toPut: result.messages, turn: { ...turn, accepted: true } });
      close(d, 'hold', { to: 'read', plan: { why: 'resync' } });
      return;
    }
    if (usable(d.env.routes.stream)) {
      order(d, { do: 'answer-refusal', answer: 'attach' });
      enter(d, { at: 'held-attach', refusal });
      return;
    }
    patch(d, { toPut: result.messages });
    close(d, 'hold', { to: 'read', plan: { why: 'stranded' } });
    return;
  }
  patch(d, { toPut: result.messages });
  if (result.status === 'failed') {
    const error = result.runError ?? toHelixError(undefined);
    const failed = { to: 'fail', phase: 'stream', committed: 'yes', error } as const;
    close(d, error, { ...failed, newKey: false, runFailed: true });
    return;
  }
  patch(d, { paused: result.status === 'paused' });
  close(d, 'hold', { to: 'settled' });
}

/** The live run that a held call was to be answered with has no stream: the message is there, so the call ends quietly. */
export function heldAttachRefused<M extends ChatMessage>(d: Draft<M>, refusal: Refusal): void {
  const { status, error } = refusal;
  noteOutcome(d, status, error);
  if (error !== undefined && isOutOfTime(error)) {
    close(d, error, { to: 'fail', phase: 'stream', committed: 'yes', error, newKey: false });
    return;
  }
  close(d, 'hold', { to: 'read', plan: { why: 'stranded' } });
}
