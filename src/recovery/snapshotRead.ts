import { timeoutFailure } from '../errors/clientFailures.ts';
import { type Draft, order, patch } from './draft.ts';
import { heldReadDone } from './heldOutcome.ts';
import { noteOutcome } from './liveness.ts';
import { probed } from './pacing.ts';
import type { ChatMessage } from './ports.ts';
import { answerChecks, readDone } from './reading.ts';
import type { ReadResult } from './readResult.ts';
import { reportRead } from './reportRead.ts';
import { settlingReadDone } from './stopping.ts';
import { failReadDone } from './streaming.ts';

/** A typed 404 of a chat that was never acknowledged is an empty conversation: nothing of it was written. */
function neverMade<M extends ChatMessage>(d: Draft<M>, result: ReadResult): boolean {
  return result.error?.code === 'state_session_not_found' && !d.model.acknowledged;
}

/** A read that was answered proves a living server; one that was not, within its bound, proves nothing good. */
export function noteRead<M extends ChatMessage>(d: Draft<M>, { kind, error }: ReadResult): void {
  if (kind === 'snapshot') order(d, { do: 'note-alive' });
  else if (kind === 'timed-out') noteOutcome(d, undefined, timeoutFailure('connect'));
  else if (kind === 'failed') noteOutcome(d, error?.statusCode, error);
}

/** The read of the present job was answered, or was not. */
export function snapshotRead<M extends ChatMessage>(d: Draft<M>, read: ReadResult): void {
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
      failReadDone(d, job.error, result);
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
