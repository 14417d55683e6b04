import { HelixError } from '../errors/HelixError.ts';
import { answerNow } from './answersRead.ts';
import { type Draft, findEntry, mayRead, usable } from './draft.ts';
import { pauseQueue, rest } from './ending.ts';
import { heldRead } from './heldRead.ts';
import { attach } from './joining.ts';
import { nextHeld, type ReadPlan } from './model.ts';
import type { ChatMessage } from './ports.ts';
import { sendHead } from './queue.ts';
import { startRead } from './reading.ts';
import { requestRepeated } from './refused.ts';
import { settlingTimer } from './stopping.ts';
import { joinRestarted, reconnectNow } from './streaming.ts';

/** The wait of the present job is over: by the clock, by a press, or because the network is back. */
export function moveOn<M extends ChatMessage>(d: Draft<M>): void {
  const { job } = d.model;
  switch (job.at) {
    case 'repeat-wait':
    case 'probing':
      requestRepeated(d, job.newKey);
      return;
    case 'held-wait':
      heldRead(d, job.refusal, job.absent);
      return;
    case 'cut-wait':
      reconnectNow(d, job.cut);
      return;
    case 'read-wait': {
      const { pressed: _wait, ...plan } = job.plan;
      startRead(d, plan, job.tries);
      return;
    }
    case 'attach-wait':
      attach(d, job.plan, job.tries);
      return;
    case 'polling':
      pollFired(d, job.plan);
      return;
    case 'restarting':
      joinRestarted(d);
      return;
    case 'submit-wait':
    case 'answer-wait':
      answerNow(d);
      return;
    case 'drain':
    case 'drain-wait':
      sendWaiting(d, job.at === 'drain-wait' ? job.entryId : undefined);
      return;
    case 'settling':
      if (!job.reading) settlingTimer(d, job.reads);
      return;
    default:
  }
}

/** The next look at a run without a stream may find one: it is tried again each time. */
function pollFired<M extends ChatMessage>(d: Draft<M>, plan: ReadPlan): void {
  const next: ReadPlan = plan.why === 'stranded' ? { ...plan, why: 'resync' } : plan;
  startRead(d, next);
}

/** A message that waits goes out. Where it may have arrived at an earlier try, and no key tells, it is searched for first. */
function sendWaiting<M extends ChatMessage>(d: Draft<M>, named: string | undefined): void {
  const entry = named === undefined ? nextHeld(d.model) : findEntry(d.model, named);
  const isTold = d.env.keyed && entry?.newKey !== true;
  if (!entry?.turn.unclear || isTold || !usable(d.env.routes.snapshot)) {
    sendHead(d, named);
    return;
  }
  const entryId = entry.pending.id;
  const error = new HelixError({ code: 'state_already_running' });
  const facts = { error, phase: 'send', committed: 'unknown', messageId: entryId } as const;
  if (entry.pressed || mayRead(d, facts)) {
    startRead(d, { why: 'before-send', entryId });
    return;
  }
  pauseQueue(d);
  rest(d);
}
