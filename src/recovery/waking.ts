import { isBareLook } from './decide.ts';
import { type Draft, enter, isWatching, order, patch, usable } from './draft.ts';
import type { CheckCause } from './events.ts';
import { gateLeftMs, type ReadPlan } from './model.ts';
import { moveOn } from './movingOn.ts';
import { heldUp } from './pacing.ts';
import type { ChatMessage } from './ports.ts';
import { startRead } from './reading.ts';
import type { ReadResult } from './readResult.ts';
import { holdAll, moveTimes } from './slept.ts';
import { statedLeftMs, waitOn } from './waiting.ts';

/** How long a request that is out may show life after the page woke up, before anything is asked. */
const LISTEN_MS = 1_000;
/** Nothing heard for so long on waking: the connection is taken for one that did not survive. A keep-alive comes every 15 s. */
const SILENT_MS = 20_000;

const knows = <M extends ChatMessage>(d: Draft<M>, route: 'stream' | 'snapshot'): boolean =>
  usable(d.env.routes[route]) && !isBareLook(d.model, d.env, route);

/**
 * The page woke up: it was shown or restored, its network is back, or its clock jumped. What waits goes on; what is out
 * is looked after; what stands failed for want of a network is looked at once. Nothing healthy is ended, and a wake
 * while something is on its way adds nothing.
 */
export function woken<M extends ChatMessage>(d: Draft<M>): void {
  switch (d.model.job.at) {
    case 'rest':
      lookAgain(d);
      return;
    case 'repeat-wait':
    case 'held-wait':
    case 'answer-wait':
    case 'read-wait':
    case 'attach-wait':
    case 'cut-wait':
    case 'polling':
      hurry(d);
      return;
    case 'streaming':
    case 'requesting':
      listen(d);
      return;
    default:
  }
}

/** The platform says online: what waited for that is looked at now. */
export function cameOnline<M extends ChatMessage>(d: Draft<M>): void {
  order(d, { do: 'reconsider' });
  woken(d);
}

/** The platform says offline: what would soon be tried is left for a probe. */
export function wentOffline<M extends ChatMessage>(d: Draft<M>): void {
  const { state } = d.model;
  if (state.name === 'backing-off' && state.cause === 'backoff') {
    waitOn(d, d.env.policy.offlineProbeMs, 'offline');
  }
}

/** The machine slept, or its clock was set: times move along, and after a long sleep nothing is sent unasked. */
export function clockJumped<M extends ChatMessage>(
  d: Draft<M>,
  { driftMs, sleptMs }: { readonly driftMs: number; readonly sleptMs: number },
): void {
  moveTimes(d, driftMs);
  if (sleptMs > d.env.policy.sleptMs) holdAll(d);
  order(d, { do: 'reconsider' });
  woken(d);
}

/** A wait of our own ends now, but not at the same moment for all chats of a page. A server's is kept. */
function hurry<M extends ChatMessage>(d: Draft<M>): void {
  const { state } = d.model;
  const { apartMs, now } = d.env;
  if (statedLeftMs(d) > 0) return;
  const isSoon = state.name === 'backing-off' && state.retryAt - now <= apartMs;
  if (isSoon && apartMs > 0) return;
  order(d, { do: 'keep-apart' });
  if (apartMs > 0) waitOn(d, apartMs, state.name === 'backing-off' ? state.cause : 'backoff');
  else if (!heldUp(d)) moveOn(d);
}

/** A failure for want of a network may be over: the conversation is read once, behind it. */
function lookAgain<M extends ChatMessage>(d: Draft<M>): void {
  const { state } = d.model;
  if (state.name !== 'failed' || !knows(d, 'snapshot')) return;
  const { failure } = state;
  if (failure.error.category !== 'transport' || failure.phase === 'stop') return;
  if (gateLeftMs(d.model, d.env.mono) > 0) return;
  const why = failure.phase === 'load' ? 'load' : 'resync';
  startRead(d, { why, keep: failure, quiet: true });
}

function listen<M extends ChatMessage>(d: Draft<M>): void {
  const { job, wake } = d.model;
  if (wake?.stage === 'reading') patch(d, { wake: { ...wake, at: d.env.mono, again: true } });
  if (wake !== undefined || (job.at === 'streaming' && job.end !== undefined)) return;
  if (!knows(d, 'snapshot') && (job.at !== 'streaming' || !knows(d, 'stream'))) return;
  patch(d, { wake: { at: d.env.mono, stage: 'listening', again: false } });
  order(d, { do: 'keep-apart' }, { do: 'start-timer', ms: LISTEN_MS + d.env.apartMs });
}

/** Life since the page woke up proves the request that is out. */
const isAlive = <M extends ChatMessage>(d: Draft<M>): boolean =>
  d.model.wake !== undefined && d.env.silentMs < d.env.mono - d.model.wake.at;

/** The moment in which life could show is over. True where there was one. */
export function listened<M extends ChatMessage>(d: Draft<M>): boolean {
  const { wake } = d.model;
  if (wake?.stage !== 'listening') return false;
  if (isAlive(d)) patch(d, { wake: undefined });
  else if (knows(d, 'snapshot')) {
    patch(d, { wake: { ...wake, stage: 'reading' } });
    check(d, 'woken');
  } else {
    patch(d, { wake: undefined });
    endSilent(d);
  }
  return true;
}

function check<M extends ChatMessage>(d: Draft<M>, why: CheckCause): void {
  const { job, turn } = d.model;
  const sought = job.at === 'requesting' && turn !== undefined ? { looksFor: turn } : {};
  order(d, { do: 'check-run', why, boundMs: d.env.policy.heldReadMs, ...sought });
}

function endSilent<M extends ChatMessage>(d: Draft<M>): void {
  if (d.env.silentMs >= SILENT_MS) order(d, { do: 'end-silent' });
}

/** Bytes came for long, but no content: the conversation says whether the run still lives. */
export function stalled<M extends ChatMessage>(d: Draft<M>): boolean {
  const { job } = d.model;
  if (job.at !== 'streaming' && job.at !== 'reconnecting') return false;
  if (!usable(d.env.routes.snapshot)) return false;
  check(d, 'stalled');
  return true;
}

/** What the conversation says of the run whose stream is still read, or of the message whose answer is still awaited. */
export function runChecked<M extends ChatMessage>(
  d: Draft<M>,
  why: CheckCause,
  result: ReadResult,
): void {
  const { job, wake } = d.model;
  const isDone = why === 'woken' && isAlive(d);
  if (why === 'woken') patch(d, { wake: undefined });
  if (isDone) return;
  const read = result.kind === 'snapshot';
  if (job.at === 'requesting') {
    // It has arrived, and no answer will come any more: the request is asked about as one that was lost.
    if (read && result.found) endSilent(d);
  } else if (job.at === 'reconnecting' || (job.at === 'streaming' && job.end === undefined)) {
    if (read && result.status !== 'active') runIsOver(d, result);
    else if (read && why === 'woken' && knows(d, 'stream')) endSilent(d);
  }
  if (wake?.again && d.model.job === job) listen(d);
}

function runIsOver<M extends ChatMessage>(d: Draft<M>, result: ReadResult): void {
  const plan: ReadPlan = isWatching(d)
    ? { why: 'waiting' }
    : { why: d.model.own ? 'resync' : 'foreign-end' };
  enter(
    d,
    { at: 'closing', next: { to: 'read', plan, result } },
    isWatching(d)
      ? undefined
      : { name: 'resyncing', since: d.env.now, cause: 'settle', attached: true },
  );
  order(d, { do: 'end-read', boundMs: d.env.policy.stopMs });
}
