import { reanchorLimit } from '../errors/clientFailures.ts';
import type { HelixError } from '../errors/HelixError.ts';
import { toHelixError } from '../errors/toHelixError.ts';
import type { Refusal } from '../transport/turnHost.ts';
import { decideRefusal, type Verdict } from './decide.ts';
import { decideSubmit, type SubmitVerdict } from './decideSubmit.ts';
import {
  type Draft,
  dropEntry,
  enter,
  type FailureFacts,
  findEntry,
  isBusy,
  jobMs,
  makeFailure,
  mayMove,
  mayRead,
  newTurn,
  order,
  patch,
  phaseOf,
  report,
  usable,
} from './draft.ts';
import { failWith, setAside } from './ending.ts';
import type { RecoveryEvent } from './events.ts';
import { noteOutcome } from './liveness.ts';
import { fingerprint } from './messageIdentity.ts';
import { ASLEEP, isAsleep, type Next, type Turn } from './model.ts';
import type { ChatMessage } from './ports.ts';
import { hold, startTurn } from './queue.ts';
import { startRead } from './reading.ts';
import type { ReadResult } from './readResult.ts';
import { evidenceOf } from './recoveryReport.ts';
import { dropAfter, stopRequested } from './stopping.ts';
import { readAnswers } from './submitting.ts';
import { backOff, isTry, ownPause } from './waiting.ts';

type EventOf<M extends ChatMessage, T extends RecoveryEvent['type']> = Extract<
  RecoveryEvent<M>,
  { type: T }
>;

export function actRequested<M extends ChatMessage>(
  d: Draft<M>,
  event: EventOf<M, 'act-requested'>,
): void {
  const folded = event.foldInto === undefined ? undefined : findEntry(d.model, event.foldInto);
  const { failedAct: last } = d.model;
  const failedAct = event.again && last?.kind === event.kind ? last : undefined;
  const turn: Turn<M> =
    folded?.turn ??
    failedAct ??
    newTurn(d, {
      kind: event.kind,
      message: event.message,
      targetId: event.targetId,
      entryId: event.entryId === event.message?.id ? undefined : event.entryId,
      request: event.request,
    });
  if (folded !== undefined) dropEntry(d, folded.pending.id);
  if (event.park) {
    setAside(d, turn, { state: 'parked' }, false);
    order(d, { do: 'release', entryId: '' });
    return;
  }
  if (event.kind === 'continue') {
    goOn(d, turn);
    return;
  }
  if (isBusy(d)) {
    if (event.kind === 'send') hold(d, turn);
    else afterThis(d, turn);
    return;
  }
  if (folded?.turn.unclear && usable(d.env.routes.snapshot)) {
    // It may have arrived at the first try: the conversation is searched before it is posted again.
    patch(d, { queue: [folded, ...d.model.queue] });
    startRead(d, { why: 'before-send', entryId: folded.pending.id });
    return;
  }
  startTurn(d, turn, folded?.newKey ?? false);
}

/**
 * Goes on with the failed run. What is on screen of it is settled first: only then does it stand where the server goes on.
 * While something else is under way there is no failed run to go on with.
 */
function goOn<M extends ChatMessage>(d: Draft<M>, turn: Turn<M>): void {
  if (isBusy(d)) {
    order(d, { do: 'release', entryId: '' });
    return;
  }
  const keep = d.model.state.name === 'failed' ? d.model.state.failure : undefined;
  patch(d, { turn });
  startRead(d, { why: 'before-continue', ...(keep === undefined ? {} : { keep }) });
}

/**
 * A regenerate or an edit while something is under way: that is stopped first, and the act begins when it has ended.
 * The same act again, before it was taken, is a second press of one button.
 */
function afterThis<M extends ChatMessage>(d: Draft<M>, turn: Turn<M>): void {
  const same = [d.model.turn, d.model.after].find(
    (other) => other !== undefined && !other.accepted && isSameAct(other, turn),
  );
  if (same !== undefined) {
    order(d, { do: 'join', turnId: turn.id, to: same.id });
    return;
  }
  dropAfter(d);
  patch(d, { after: turn });
  stopRequested(d);
}

const isSameAct = (a: Turn, b: Turn): boolean =>
  a.kind === b.kind &&
  a.targetId === b.targetId &&
  (a.message === undefined || b.message === undefined
    ? a.message === b.message
    : fingerprint(a.message) === fingerprint(b.message));

/** Ends the open transport call; the SDK's callback that follows runs `next`. */
export function close<M extends ChatMessage>(
  d: Draft<M>,
  answer: 'hold' | 'fail' | HelixError,
  next: Next,
): void {
  order(d, { do: 'answer-refusal', answer });
  enter(d, { at: 'closing', next });
}

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
      if (!mayRead(d, heldFacts(turn, refusal, error))) {
        const committed = refusal.committed === 'no' ? 'no' : 'unknown';
        failRefusal(d, error, committed, verdict.absent === 'repeat-new-key');
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
      patch(d, { turn: { ...turn, spent: [...turn.spent, 'authorize'] } });
      enter(d, { at: 'authorizing', refusal });
      report(d, { type: 'sign-in-asked', phase: phaseOf(turn) });
      order(d, { do: 'ask-authorization', error });
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
type Absent = 'fail' | 'repeat' | 'repeat-new-key';

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

export function heldRead<M extends ChatMessage>(
  d: Draft<M>,
  refusal: Refusal,
  absent: Absent,
): void {
  const { turn } = d.model;
  enter(
    d,
    { at: 'held-read', refusal, absent },
    { name: 'resyncing', since: d.env.now, cause: 'unclear', attached: false },
  );
  order(d, {
    do: 'read-snapshot',
    boundMs: d.env.policy.heldReadMs,
    ...(turn === undefined ? {} : { looksFor: turn }),
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

function failRefusal<M extends ChatMessage>(
  d: Draft<M>,
  error: HelixError,
  committed: Refusal['committed'],
  newKey: boolean,
): void {
  const phase = phaseOf(d.model.turn);
  close(d, 'fail', { to: 'fail', phase, committed, error, newKey });
}

function repeat<M extends ChatMessage>(
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
    failRefusal(d, error, refusal.committed, newKey);
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

export function requestRepeated<M extends ChatMessage>(d: Draft<M>, newKey: boolean): void {
  const { turn } = d.model;
  const attempt = (turn?.requests ?? 0) + 1;
  report(d, { type: 'sent', phase: phaseOf(turn), attempt });
  order(d, { do: 'answer-refusal', answer: 'repeat', newKey });
  enter(d, { at: 'requesting' }, { name: 'sending', since: d.env.now, attempt });
}

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
  if (result.kind !== 'snapshot') {
    patch(d, { turn: { ...turn, readFailed: result.kind !== 'absent' } });
    const committed = refusal.committed === 'no' ? 'no' : 'unknown';
    failRefusal(d, error, committed, absent === 'repeat-new-key');
    return;
  }
  if (result.messages !== undefined) patch(d, { acknowledged: true });
  if (result.found) {
    foundWhileHeld(d, refusal, result);
    return;
  }
  if (absent !== 'fail') {
    repeat(d, refusal, error, 'backoff', absent === 'repeat-new-key');
    return;
  }
  if (turn.kind === 'send') patch(d, { toPut: result.messages });
  const already = error.code === 'state_request_already_completed';
  failRefusal(
    d,
    error,
    refusal.committed === 'yes' || already ? 'unknown' : refusal.committed,
    already,
  );
}

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
  noteOutcome(d, refusal.status, refusal.error);
  close(d, 'hold', { to: 'read', plan: { why: 'stranded' } });
}

export function failNow<M extends ChatMessage>(
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
