import { type Draft, jobMs, report } from './draft.ts';
import { type Job, resyncCauseOf } from './model.ts';
import type { ChatMessage } from './ports.ts';
import type { ReadResult } from './readResult.ts';
import { evidenceOf } from './recoveryReport.ts';
import type { ResyncCause } from './state.ts';

/** What the present job reads the conversation for, and how often it has; undefined for a job that reads nothing. */
function readOf(job: Job): { cause: ResyncCause; attempt: number } | undefined {
  switch (job.at) {
    case 'held-read':
      return { cause: 'unclear', attempt: 1 };
    case 'fail-read':
      return { cause: 'failed', attempt: 1 };
    case 'settling':
      return { cause: 'settle', attempt: job.reads + 1 };
    case 'reading':
      return { cause: resyncCauseOf(job.plan), attempt: job.tries + 1 };
    default:
      return undefined;
  }
}

/** Tells how a read of the conversation has ended. A route that is not there is no failure, and nothing to tell. */
export function reportRead<M extends ChatMessage>(d: Draft<M>, job: Job, result: ReadResult): void {
  const read = readOf(job);
  if (read === undefined || result.kind === 'absent') return;
  const ms = jobMs(d);
  if (result.kind === 'snapshot') {
    const run = result.status ?? 'ended';
    report(d, { type: 'conversation-read', cause: read.cause, run, ms });
    return;
  }
  report(d, {
    type: 'request-refused',
    phase: read.cause === 'load' ? 'load' : 'snapshot',
    attempt: read.attempt,
    ms,
    ...(result.kind === 'timed-out' ? { reason: 'timeout' } : evidenceOf(result.error)),
  });
}
