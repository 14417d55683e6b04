import type { HelixError } from '../errors/HelixError.ts';
import type { Refusal } from '../transport/turnHost.ts';
import { decideRefusal, type Verdict } from './decide.ts';
import { decideSubmit, type SubmitVerdict } from './decideSubmit.ts';
import {
  type Draft,
  enter,
  type FailureFacts,
  jobMs,
  makeFailure,
  mayMove,
  mayRead,
  order,
  patch,
  phaseOf,
  report,
} from './draft.ts';
import { type Absent, heldRead } from './heldRead.ts';
import { noteOutcome } from './liveness.ts';
import { ASLEEP, isAsleep, type Next, type Turn } from './model.ts';
import type { ChatMessage } from './ports.ts';
import { evidenceOf } from './recoveryReport.ts';
import { readAnswers } from './submitting.ts';
import { backOff, isTry, ownPause } from './waiting.ts';

/** Ends the open transport call; the SDK's callback that follows runs `next`. */
export function close<M extends ChatMessage>(
  d: Draft<M>,
  answer: 'hold' | 'fail' | HelixError,
  next: Next,
): void {
  order(d, { do: 'answer-refusal', answer });
  enter(d, { at: 'closing', next });
}

/** A request was answered by a refusal, or by nothing: counts it, and does what the table says. */
export function requestRefused<M extends ChatMessage>(d: Draft<M>, refusal: Refusal): void {
  const { turn } = d.model;
  if (turn === undefined) return;
  const { error, status } = refusal;
  // While the platform says offline a request is a probe and costs no try.
  const counted: Turn<M> = {
    ...turn,
    requests: turn.requests + 1,
    tries: turn.tries + (isTry(d, status) ? 1 : 0),
    unclear: turn.unclear || refusal.committed !== 'no',
    attempts: [
      ...turn.attempts,
      {
        at: d.env.now,
        ...(status === undefined ? {} : { status }),
        ...(error?.code === undefined ? {} : { code: error.code }),
        ...(error?.reason === undefined ? {} : { reason: error.reason }),
      },
    ],
  };
  patch(d, { turn: counted });
  noteOutcome(d, status, error);
  if (turn.kind === 'regenerate' || turn.kind === 'edit') order(d, { do: 'restore-history' });
  report(d, {
    type: 'request-refused',
    phase: phaseOf(turn),
    attempt: counted.requests,
    ms: jobMs(d),
    ...evidenceOf(error, status),
  });
  if (error === undefined) return;
  const decide = turn.kind === 'submit' ? decideSubmit : decideRefusal;
  applyVerdict(d, counted, refusal, error, decide(counted, refusal, d.env));
}

function applyVerdict<M extends ChatMessage>(
  d: Draft<M>,
  turn: Turn<M>,
  refusal: Refusal,
  error: HelixError,
  verdict: Verdict | SubmitVerdict,
): void {
  const spend = 'spend' in verdict ? verdict.spend : undefined;
  if (spend !== undefined) patch(d, { turn: { ...turn, spent: [...turn.spent, spend] } });
  switch (verdict.do) {
    case 'repeat':
      repeat(d, refusal, error, verdict.wait, verdict.newKey ?? false);
      return;
    case 'read':
      // The server says that it has the message: a read without it is an old one.
      if (error.code === 'state_request_already_completed') order(d, { do: 'note-taken' });
      if (!mayRead(d, heldFacts(turn, refusal, error))) {
        failRefusal(d, error, refusal.committed, verdict.absent === 'repeat-new-key');
        return;
      }
      heldReadSoon(d, turn, refusal, error, verdict.absent);
      return;
    case 'read-answers':
      if (!mayRead(d, heldFacts(turn, refusal, error))) {
        failRefusal(d, error, refusal.committed, false);
        return;
      }
      readAnswers(d, turn, { error, committed: refusal.committed, again: verdict.again });
      return;
    case 'hold':
      holdOn(d, turn, error);
      return;
    case 'authorize':
      askSignIn(d, turn, refusal, error);
      return;
    case 'defer':
      close(d, 'hold', { to: 'wait-read', plan: { why: 'deferred' }, error });
      return;
    case 'fail':
      failRefusal(d, error, verdict.committed, verdict.newKey ?? false);
  }
}

const heldFacts = (turn: Turn, { committed }: Refusal, error: HelixError): FailureFacts => ({
  error,
  phase: phaseOf(turn),
  committed,
  messageId: turn.message?.id,
});

/** The read that decides about a refused act: at once, or when a pause of our own is over. */
function heldReadSoon<M extends ChatMessage>(
  d: Draft<M>,
  turn: Turn<M>,
  refusal: Refusal,
  error: HelixError,
  absent: Absent,
): void {
  if (ownPause(d, true) === undefined) {
    order(d, { do: 'spend-budget' });
    heldRead(d, refusal, absent);
    return;
  }
  backOff(d, {
    of: 'send',
    job: { at: 'held-wait', refusal, absent },
    phase: phaseOf(turn),
    failure: makeFailure(d, heldFacts(turn, refusal, error), true),
    tries: Math.max(1, turn.tries),
    attempts: d.env.policy.repeats + 1,
  });
}

/** Nothing repeats this act by itself any more. */
export function refusalGivenUp<M extends ChatMessage>(
  d: Draft<M>,
  { error, committed }: Refusal,
  newKey: boolean,
): void {
  if (error !== undefined) failRefusal(d, error, committed, newKey);
}

/** Ends the held call with the refusal as its failure. */
export function failRefusal<M extends ChatMessage>(
  d: Draft<M>,
  error: HelixError,
  committed: Refusal['committed'],
  newKey: boolean,
): void {
  const { turn } = d.model;
  // A refusal that says it was taken, and brings no reply: the text stays with the person until it is seen there.
  const unseen = committed === 'yes' && turn?.message !== undefined;
  const known = unseen ? 'unknown' : committed;
  close(d, 'fail', { to: 'fail', phase: phaseOf(turn), committed: known, error, newKey });
}

/** The same request once more, after its pause, where limits, sleep and the app allow it; else it fails. */
export function repeat<M extends ChatMessage>(
  d: Draft<M>,
  refusal: Refusal,
  error: HelixError,
  wait: 'backoff' | 'none',
  newKey: boolean,
): void {
  const { turn } = d.model;
  if (turn === undefined) return;
  const failure = makeFailure(d, heldFacts(turn, refusal, error), true);
  if (!mayMove(d, 'repeat', failure)) {
    refusalGivenUp(d, { ...refusal, error }, newKey);
    return;
  }
  if (isAsleep(turn)) {
    leaveAsleep(d, refusal, newKey);
    return;
  }
  if (wait === 'none' && ownPause(d, true) === undefined) {
    order(d, { do: 'spend-budget' });
    requestRepeated(d, newKey);
    return;
  }
  backOff(d, {
    of: 'send',
    job: { at: 'repeat-wait', refusal, newKey },
    phase: phaseOf(turn),
    failure,
    tries: Math.max(1, turn.tries),
    attempts: d.env.policy.repeats + 1,
  });
}

/** The request that is out may still be answered; if it is refused, nothing repeats it without a press. */
export function markAsleep<M extends ChatMessage>(d: Draft<M>): void {
  const { turn } = d.model;
  if (turn !== undefined) patch(d, { turn: { ...turn, spent: [...turn.spent, ASLEEP] } });
}

/** An act that nothing repeats any more after a sleep: its message waits for a press, any other act ends by its failure. */
export function leaveAsleep<M extends ChatMessage>(
  d: Draft<M>,
  refusal: Refusal,
  newKey: boolean,
): void {
  if (d.model.turn?.message === undefined) refusalGivenUp(d, refusal, newKey);
  else close(d, 'hold', { to: 'sleep', newKey });
}

/** A conflict: the message is kept, by the app's choice. A regenerate is never held. */
function holdOn<M extends ChatMessage>(d: Draft<M>, turn: Turn<M>, error: HelixError): void {
  const { message } = turn;
  const refuse = (): void =>
    close(d, 'fail', { to: 'fail', phase: phaseOf(turn), committed: 'no', error, newKey: false });
  if (message === undefined || turn.kind !== 'send') {
    refuse();
    return;
  }
  if (isAsleep(turn)) {
    close(d, 'hold', { to: 'sleep', newKey: false });
    return;
  }
  const runId = error.runId;
  const mine = runId !== undefined && runId === d.model.run.id && d.model.run.stoppedHere;
  const how = mine
    ? 'stop'
    : d.env.conflict({ messageId: message.id, ...(runId === undefined ? {} : { runId }) });
  if (how === 'fail') {
    refuse();
    return;
  }
  patch(d, { run: { ...d.model.run, id: runId ?? d.model.run.id } });
  close(d, 'hold', { to: 'hold', how });
}

/** The request of the act goes out again in its own held call. */
export function requestRepeated<M extends ChatMessage>(d: Draft<M>, newKey: boolean): void {
  const { turn } = d.model;
  const attempt = (turn?.requests ?? 0) + 1;
  report(d, { type: 'sent', phase: phaseOf(turn), attempt });
  order(d, { do: 'answer-refusal', answer: 'repeat', newKey });
  enter(d, { at: 'requesting' }, { name: 'sending', since: d.env.now, attempt });
}

function askSignIn<M extends ChatMessage>(
  d: Draft<M>,
  turn: Turn<M>,
  refusal: Refusal,
  error: HelixError,
): void {
  const since = d.model.jobAt;
  patch(d, { turn: { ...turn, spent: [...turn.spent, 'authorize'] } });
  enter(d, { at: 'authorizing', refusal });
  report(d, { type: 'sign-in-asked', phase: phaseOf(turn) });
  order(d, { do: 'ask-authorization', error, since });
}

/** The app has renewed the sign-in, or has not: the request goes once more, or the refusal stands. */
export function authorized<M extends ChatMessage>(d: Draft<M>, ok: boolean): void {
  const { job, turn } = d.model;
  if (job.at !== 'authorizing' || turn === undefined) return;
  const { refusal } = job;
  if (ok) {
    if (isAsleep(turn)) leaveAsleep(d, refusal, false);
    else requestRepeated(d, false);
    return;
  }
  if (refusal.error !== undefined) failRefusal(d, refusal.error, refusal.committed, false);
}
