import type { HelixError } from '../errors/HelixError.ts';
import type { StopAnswer } from '../transport/turnHost.ts';
import { isBareLook } from './decide.ts';
import {
  type Draft,
  enter,
  findEntry,
  makeFailure,
  order,
  patch,
  report,
  usable,
} from './draft.ts';
import { readQuietly, rest } from './ending.ts';
import type { ReadResult } from './events.ts';
import type { ChatMessage, StopMode } from './ports.ts';
import { bringForward, parkHeld } from './queue.ts';
import { startRead } from './reading.ts';

const SETTLING_READS = 3;
const SETTLING_MS = 1_000;

/** After a stop: `idle` at once, and in its background the reads that settle the screen. */
export function settleAfterStop<M extends ChatMessage>(d: Draft<M>): void {
  const { turn } = d.model;
  if (turn !== undefined) order(d, { do: 'finish-turn', turn, by: 'stop' });
  order(d, { do: 'drop-empty-reply' });
  patch(d, { turn: undefined, own: false, toPut: undefined, troubled: false, behind: true });
  if (!usable(d.env.routes.snapshot)) {
    enter(d, { at: 'rest' }, { name: 'idle' });
    return;
  }
  readQuietly(d);
}

/** One read after a stop. It settles once the run is not active; it never attaches, and its failure is ignored. */
export function settlingReadDone<M extends ChatMessage>(
  d: Draft<M>,
  reads: number,
  result: ReadResult,
): void {
  const parked = d.model.queue[0];
  if (result.kind === 'snapshot' && parked?.pending.state === 'parked' && result.found) {
    // It had arrived before the stop did: it is in the transcript, and so no longer pending.
    patch(d, { queue: d.model.queue.slice(1), paused: d.model.queue.length > 1 });
    settled(d, result);
    return;
  }
  if (result.kind !== 'snapshot' || (result.status === 'active' && reads + 1 >= SETTLING_READS)) {
    enter(d, { at: 'rest' });
    return;
  }
  if (result.status === 'active') {
    enter(d, { at: 'settling', reads: reads + 1, reading: false });
    order(d, { do: 'start-timer', ms: SETTLING_MS });
    return;
  }
  settled(d, result);
}

function settled<M extends ChatMessage>(d: Draft<M>, result: ReadResult): void {
  order(d, { do: 'put-messages', messages: result.messages });
  patch(d, { behind: false });
  enter(d, { at: 'rest' });
}

export function settlingTimer<M extends ChatMessage>(d: Draft<M>, reads: number): void {
  enter(d, { at: 'settling', reads, reading: true });
  order(d, { do: 'read-snapshot', boundMs: d.env.policy.quietReadMs });
}

/** The person's stop. Never an error; what was not taken is parked, and nothing behind it goes by itself. */
export function stopRequested<M extends ChatMessage>(d: Draft<M>): void {
  const { job, state, own, turn } = d.model;
  if (state.name === 'idle' || state.name === 'failed') return;
  parkHeld(d);
  report(d, { type: 'stopped' });
  const open =
    job.at === 'requesting' ||
    job.at === 'repeat-wait' ||
    job.at === 'held-read' ||
    job.at === 'held-attach' ||
    job.at === 'authorizing';
  const streaming =
    job.at === 'streaming' ||
    job.at === 'cut-wait' ||
    job.at === 'reconnecting' ||
    job.at === 'fail-read';
  if (open && turn !== undefined) {
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
    else if (next.to !== 'fail') enter(d, { at: 'closing', next: { to: 'stopped' } });
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

export function stopAnswered<M extends ChatMessage>(
  d: Draft<M>,
  answer: StopAnswer,
  repeated: boolean,
  mode: StopMode,
): void {
  if (answer.kind !== 'failed') {
    lookNow(d);
    return;
  }
  const { error } = answer;
  if (isBareLook(d.model, d.env, 'stop')) return;
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
  const { job } = d.model;
  if (job.at === 'polling') startRead(d, job.plan);
}

function stopFailed<M extends ChatMessage>(d: Draft<M>, error: HelixError): void {
  patch(d, { run: { ...d.model.run, stopping: false, stoppedHere: false } });
  const { state, job } = d.model;
  if (state.name === 'waiting-on-run') patch(d, { state: { ...state, stopping: false } });
  const failure = makeFailure(d, { error, phase: 'stop', committed: 'yes' });
  order(d, { do: 'tell-failure', failure });
  // A reply that is still read goes on; the notice takes the screen only where nothing else is under way.
  if (job.at === 'rest' || job.at === 'settling') {
    enter(d, { at: 'rest' }, { name: 'failed', failure });
    patch(d, { paused: d.model.queue.length > 0 });
  }
}
