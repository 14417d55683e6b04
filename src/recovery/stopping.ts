import type { HelixError } from '../errors/HelixError.ts';
import { pollWaitMs } from './backoff.ts';
import { isBareLook } from './decide.ts';
import {
  type Draft,
  dropEntry,
  enter,
  findEntry,
  makeFailure,
  order,
  patch,
  report,
  usable,
} from './draft.ts';
import {
  askOrIdle,
  dropSubmit,
  goOn,
  pauseQueue,
  readQuietly,
  rest,
  setAside,
  tellFailure,
} from './ending.ts';
import type { RecoveryEvent } from './events.ts';
import { asOwnMessage, awaitsAnswers, nextHeld, type Turn } from './model.ts';
import type { ChatMessage, PendingSend, StopMode } from './ports.ts';
import { bringForward, parkHeld, startTurn } from './queue.ts';
import { startRead } from './reading.ts';
import type { ReadResult } from './readResult.ts';
import { evidenceOf } from './recoveryReport.ts';
import type { RecoveryState } from './state.ts';

const SETTLING_READS = 3;
/** How often the end of a run is looked for before another act begins: ten reads, a second apart. */
const READS_BEFORE_ACT = 10;
/** With the growing wait between them, about the patience of a held message. */
const READS_OF_FOREIGN = 33;
const SETTLING_MS = 1_000;

/** After a stop: `idle` at once, and in its background the reads that settle the screen. An act may follow. */
export function settleAfterStop<M extends ChatMessage>(d: Draft<M>): void {
  const { turn, after } = d.model;
  if (turn !== undefined) order(d, { do: 'finish-turn', turn, by: 'stop' });
  order(d, { do: 'drop-empty-reply' });
  patch(d, { turn: undefined, own: false, toPut: undefined, troubled: false, behind: true });
  patch(d, { askAfter: undefined });
  dropSubmit(d);
  if (!usable(d.env.routes.snapshot)) {
    endSettling(d);
    return;
  }
  readQuietly(d, after === undefined ? { name: 'idle' } : stoppingFirst(d));
}

function stoppingFirst<M extends ChatMessage>(d: Draft<M>): RecoveryState {
  const { now: since } = d.env;
  return { name: 'waiting-on-run', since, cause: 'own-run', attached: false, stopping: true };
}

/** One read after a stop. It settles once the run is not active; it never attaches, and its failure is ignored. */
export function settlingReadDone<M extends ChatMessage>(
  d: Draft<M>,
  reads: number,
  result: ReadResult,
): void {
  const parked = d.model.queue[0];
  const waits = parked?.pending.state === 'parked' || parked?.pending.cause === 'slept';
  if (result.kind === 'snapshot' && parked !== undefined && waits && result.found) {
    // It had arrived before the stop did: it is in the transcript, and so no longer pending.
    dropEntry(d, parked.pending.id);
    order(d, { do: 'put-messages', messages: result.messages });
  }
  const limit = readsAllowed(d);
  if (result.kind === 'snapshot' && result.status === 'active' && reads + 1 < limit) {
    enter(d, { at: 'settling', reads: reads + 1, reading: false });
    const ms = d.model.leftForeign ? pollWaitMs(reads, d.env.chance, d.env.policy) : SETTLING_MS;
    order(d, { do: 'start-timer', ms });
    return;
  }
  if (result.kind === 'snapshot' && result.status !== 'active') {
    const paused = result.status === 'paused';
    order(d, { do: 'put-messages', messages: result.messages });
    patch(d, { behind: false, paused });
    if (paused) order(d, { do: 'dispatch-open-calls' });
  }
  endSettling(d);
}

/** Another tab has let go of what this one waits for: looks at the conversation in the background of `idle`. */
export function lookAgain<M extends ChatMessage>(d: Draft<M>): void {
  const { state, job } = d.model;
  if (state.name !== 'idle' || job.at !== 'rest' || !usable(d.env.routes.snapshot)) return;
  patch(d, { leftForeign: true });
  readQuietly(d);
}

function readsAllowed<M extends ChatMessage>(d: Draft<M>): number {
  if (d.model.after !== undefined) return READS_BEFORE_ACT;
  return d.model.leftForeign ? READS_OF_FOREIGN : SETTLING_READS;
}

/** The run is over, or has been waited for long enough: the act that waited for it begins. */
function endSettling<M extends ChatMessage>(d: Draft<M>): void {
  const { after } = d.model;
  patch(d, { leftForeign: false });
  if (after === undefined) {
    if (d.model.state.name === 'failed') enter(d, { at: 'rest' });
    // The act was given up meanwhile: what was sent behind it goes on.
    else if (nextHeld(d.model) !== undefined) goOn(d);
    else if (!d.model.paused && d.model.queue.some(awaitsAnswers)) goOn(d);
    else askOrIdle(d);
    return;
  }
  patch(d, { after: undefined });
  const draft = findEntry(d.model, after.targetId);
  if (draft === undefined) {
    startTurn(d, after, false);
    return;
  }
  // The message to edit was stopped on its way and never arrived: its new text is a message like any other.
  dropEntry(d, draft.pending.id);
  startTurn(d, asOwnMessage(after), false);
}

/** Gives up the act that waits for the end of a run; its text stays with the person. */
export function dropAfter<M extends ChatMessage>(
  d: Draft<M>,
  as: Pick<PendingSend<M>, 'state' | 'cause'> = { state: 'parked' },
): void {
  const { after } = d.model;
  if (after === undefined) return;
  patch(d, { after: undefined });
  setAside(d, after, as, false);
  order(d, { do: 'finish-turn', turn: after, by: 'stop' });
}

/** Time for the next look at a run that was asked to stop. */
export function settlingTimer<M extends ChatMessage>(d: Draft<M>, reads: number): void {
  readQuietly(d, d.model.state, reads);
}

/** The person's stop. Never an error; what was not taken is parked, and nothing behind it goes by itself. */
export function stopRequested<M extends ChatMessage>(d: Draft<M>): void {
  const { job, state, own, turn } = d.model;
  if (state.name === 'idle' || state.name === 'failed') return;
  patch(d, { leftForeign: !own && turn === undefined });
  parkHeld(d);
  order(d, { do: 'hold-answers' });
  report(d, { type: 'stopped' });
  const open =
    job.at === 'requesting' ||
    job.at === 'repeat-wait' ||
    job.at === 'probing' ||
    job.at === 'held-wait' ||
    job.at === 'submit-wait' ||
    job.at === 'answer-wait' ||
    job.at === 'held-read' ||
    job.at === 'held-attach' ||
    job.at === 'authorizing';
  const streaming =
    job.at === 'streaming' ||
    job.at === 'cut-wait' ||
    job.at === 'reconnecting' ||
    job.at === 'fail-read';
  if (open && turn !== undefined) {
    // A request that is out may still arrive: what becomes of it is not known.
    if (job.at === 'requesting') patch(d, { turn: { ...turn, unclear: true } });
    enter(d, { at: 'closing', next: turn.accepted ? { to: 'stopped' } : { to: 'park' } });
    order(d, { do: 'end-read', boundMs: d.env.policy.stopMs });
    return;
  }
  if (streaming) {
    enter(d, { at: 'closing', next: { to: 'stopped' } });
    order(d, { do: 'end-read', boundMs: d.env.policy.stopMs });
    if (own) stopServer(d);
    return;
  }
  if (job.at === 'closing') {
    const { next } = job;
    if (next.to === 'hold') enter(d, { at: 'closing', next: { to: 'park' } });
    else if (next.to !== 'fail' && next.to !== 'park') {
      enter(d, { at: 'closing', next: { to: 'stopped' } });
    }
    return;
  }
  if (state.name === 'backing-off' && state.of === 'load') {
    rest(d);
    return;
  }
  order(d, { do: 'end-read', boundMs: d.env.policy.stopMs });
  if (own) stopServer(d);
  settleAfterStop(d);
}

function stopServer<M extends ChatMessage>(d: Draft<M>): void {
  const mode = d.env.stopsServer;
  if (mode === false || !usable(d.env.routes.stop)) return;
  patch(d, { run: { ...d.model.run, stoppedHere: true } });
  order(d, { do: 'stop-run', mode, repeated: false });
}

/** Stops the run but keeps reading it to its end. */
export function runStopRequested<M extends ChatMessage>(d: Draft<M>, mode: StopMode): void {
  patch(d, { run: { ...d.model.run, stoppedHere: true } });
  markStopping(d);
  order(d, { do: 'stop-run', mode, repeated: false });
}

function markStopping<M extends ChatMessage>(d: Draft<M>): void {
  const { state } = d.model;
  patch(d, {
    run: { ...d.model.run, stopping: true },
    ...(state.name === 'waiting-on-run' ? { state: { ...state, stopping: true } } : {}),
  });
}

/** Stops the reply in the way, then sends the message: the named one, else the first that waits. */
export function stopSendRequested<M extends ChatMessage>(
  d: Draft<M>,
  entryId: string | undefined,
): void {
  const id = entryId ?? d.model.queue[0]?.pending.id;
  if (id === undefined || findEntry(d.model, id) === undefined) return;
  bringForward(d, id);
  const { job, state } = d.model;
  if (usable(d.env.routes.stop)) {
    patch(d, { run: { ...d.model.run, stoppedHere: true } });
    order(d, { do: 'stop-run', mode: 'interrupt', repeated: false });
  } else if (d.model.own && job.at === 'streaming') {
    // No way to tell the server: the local read ends, and the message goes out next.
    enter(d, { at: 'closing', next: { to: 'settled' } });
    order(d, { do: 'end-read', boundMs: d.env.policy.stopMs });
    return;
  }
  if (state.name === 'idle' || state.name === 'failed') startRead(d, { why: 'waiting' });
  markStopping(d);
}

/** The server's answer to a stop, or that there was none. */
export function stopAnswered<M extends ChatMessage>(
  d: Draft<M>,
  { answer, repeated, mode, ms }: Extract<RecoveryEvent<M>, { type: 'stop-answered' }>,
): void {
  if (answer.kind !== 'failed') {
    lookNow(d);
    return;
  }
  const { error } = answer;
  if (isBareLook(d.model, d.env, 'stop')) return;
  const refused = { phase: 'stop', attempt: repeated ? 2 : 1, ms } as const;
  report(d, { type: 'request-refused', ...refused, ...evidenceOf(error) });
  if (error.statusCode !== undefined && error.statusCode < 500 && error.statusCode !== 429) {
    // `state_not_stoppable`: it is over already, and the wish is fulfilled.
    lookNow(d);
    return;
  }
  if (!repeated) {
    order(d, { do: 'stop-run', mode, repeated: true });
    return;
  }
  stopFailed(d, error);
}

/** A held message that waits without a stream need not wait for its next look. */
function lookNow<M extends ChatMessage>(d: Draft<M>): void {
  const { job, state } = d.model;
  if (job.at === 'polling') startRead(d, job.plan);
  // The stop got through after all: its notice goes, and the screen settles.
  if (state.name === 'failed' && state.failure.phase === 'stop') {
    patch(d, { behind: true });
    rest(d);
  }
}

/** Stops the run that refused a regenerate or an edit, then repeats that act. */
export function stopActRequested<M extends ChatMessage>(d: Draft<M>, turn: Turn<M>): void {
  patch(d, { after: turn, run: { ...d.model.run, stoppedHere: true } });
  if (usable(d.env.routes.stop)) {
    order(d, { do: 'stop-run', mode: 'interrupt', repeated: false });
  }
  settleAfterStop(d);
}

function stopFailed<M extends ChatMessage>(d: Draft<M>, error: HelixError): void {
  patch(d, { run: { ...d.model.run, stopping: false, stoppedHere: false } });
  const { state, job } = d.model;
  if (state.name === 'waiting-on-run') patch(d, { state: { ...state, stopping: false } });
  const failure = makeFailure(d, { error, phase: 'stop', committed: 'yes' });
  tellFailure(d, failure);
  // A reply that is still read goes on; the notice takes the screen only where nothing else is under way.
  if (job.at === 'rest' || job.at === 'settling') {
    // An act that waited for that end does not begin; its text stays.
    dropAfter(d);
    enter(d, { at: 'rest' }, { name: 'failed', failure });
    pauseQueue(d);
  }
}
