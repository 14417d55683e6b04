import { patienceOver } from '../errors/clientFailures.ts';
import type { Failure } from '../errors/failure.ts';
import { pollWaitMs, statedWaitMs } from './backoff.ts';
import { type Draft, dropEntry, enter, findEntry, order, patch, report } from './draft.ts';
import { failWith } from './ending.ts';
import { type Entry, holdCauseOf, type Turn } from './model.ts';
import type { ChatMessage } from './ports.ts';

/** Starts an act: its request goes out now, unless a server's stated wait for this endpoint still lasts. */
export function startTurn<M extends ChatMessage>(
  d: Draft<M>,
  turn: Turn<M>,
  newKey: boolean,
): void {
  const { gate } = d.model;
  const gateMs = gate === undefined ? 0 : gate.untilMono - d.env.mono;
  if (gate !== undefined && gateMs > 0) {
    if (turn.kind === 'send') holdBehindGate(d, turn, gateMs, newKey);
    else refuseBeforeGate(d, gate.failure);
    return;
  }
  const started: Turn<M> = { ...turn, accepted: false, tries: 0, readFailed: false };
  enter(d, { at: 'requesting' }, { name: 'sending', since: d.env.now, attempt: 1 });
  patch(d, {
    turn: started,
    own: true,
    gate: undefined,
    run: { ...d.model.run, stopping: false },
    reanchors: 0,
    triggers: [],
    polls: 0,
    cuts: { turn: 0, inARow: 0 },
    toPut: undefined,
    ...(turn.conflicts === 0 ? { heardAt: d.env.mono } : {}),
  });
  order(d, { do: 'send-message', turn: started, newKey });
  report(d, { type: 'sent', phase: turn.kind });
}

/** Another reply before the stated time would only be refused: the failure and its time stay. */
function refuseBeforeGate<M extends ChatMessage>(d: Draft<M>, failure: Failure): void {
  enter(d, { at: 'rest' }, { name: 'failed', failure });
  order(d, { do: 'release', entryId: '' });
}

/** A stated wait is sat out when it is short, else the message stays with the person, with the time. */
function holdBehindGate<M extends ChatMessage>(
  d: Draft<M>,
  turn: Turn<M>,
  gateMs: number,
  newKey: boolean,
): void {
  const { gate } = d.model;
  const { message } = turn;
  if (gate === undefined || message === undefined) return;
  const brief = gateMs <= d.env.policy.statedWaitCapMs;
  const pending = brief
    ? ({ id: message.id, message, state: 'held', cause: 'queue-paused' } as const)
    : ({ id: message.id, message, state: 'failed', failure: gate.failure } as const);
  const others = d.model.queue.filter((entry) => entry.pending.id !== message.id);
  patch(d, { queue: [{ pending, turn, newKey }, ...others], paused: !brief, turn: undefined });
  if (!brief) {
    enter(d, { at: 'rest' }, { name: 'failed', failure: gate.failure });
    return;
  }
  const ms = statedWaitMs(gateMs, d.env.chance);
  enter(
    d,
    { at: 'drain-wait' },
    {
      name: 'backing-off',
      since: d.env.now,
      of: 'send',
      cause: 'stated-wait',
      retryAt: d.env.now + ms,
      attempt: 1,
      attempts: 1,
      phase: turn.kind,
      failure: gate.failure,
    },
  );
  order(d, { do: 'start-timer', ms });
}

/** Keeps a message for later, at the end of the queue. */
export function hold<M extends ChatMessage>(d: Draft<M>, turn: Turn<M>): void {
  const { message } = turn;
  if (message === undefined) return;
  const cause = holdCauseOf(d.model.state, d.model.paused);
  const entry: Entry<M> = {
    pending: { id: message.id, message, state: 'held', cause },
    turn,
    newKey: false,
  };
  patch(d, { queue: [...d.model.queue, entry] });
  report(d, { type: 'held', reason: cause });
}

/** The run that was waited for is over: the first held message goes, after its poll time when it was refused before. */
export function sendHead<M extends ChatMessage>(d: Draft<M>): void {
  const head = d.model.queue[0];
  if (head === undefined || head.pending.state !== 'held' || d.model.paused) {
    enter(d, { at: 'rest' }, { name: 'idle' });
    return;
  }
  const waited = d.env.mono - d.model.heardAt;
  if (head.turn.conflicts > 0 && waited > d.env.policy.patienceMs) {
    dropEntry(d, head.pending.id);
    patch(d, { turn: head.turn });
    failWith(d, { error: patienceOver(), phase: head.turn.kind, committed: 'no' });
    return;
  }
  dropEntry(d, head.pending.id);
  startTurn(d, head.turn, head.newKey);
}

/** Waits before the head goes: a run that ended by the snapshot and refuses by 409 all the same must not make a loop. */
export function drainLater<M extends ChatMessage>(d: Draft<M>, conflicts: number): void {
  const ms = conflicts <= 1 ? 0 : pollWaitMs(conflicts - 2, d.env.chance, d.env.policy);
  if (ms === 0) {
    sendHead(d);
    return;
  }
  enter(d, { at: 'drain-wait' });
  order(d, { do: 'start-timer', ms });
}

/** Puts an entry at the front as a held one, ready to go. */
export function bringForward<M extends ChatMessage>(d: Draft<M>, id: string): void {
  const entry = findEntry(d.model, id);
  if (entry === undefined) return;
  const { failure: _past, cause: _why, ...kept } = entry.pending;
  const held: Entry<M> = {
    ...entry,
    pending: { ...kept, state: 'held', cause: holdCauseOf(d.model.state, false) },
  };
  const others = d.model.queue.filter((other) => other.pending.id !== id);
  patch(d, { queue: [held, ...others], paused: false });
}

/** Held messages stay, but nothing sends them by itself. */
export function parkHeld<M extends ChatMessage>(d: Draft<M>): void {
  const queue = d.model.queue.map((entry) => {
    if (entry.pending.state !== 'held') return entry;
    const { cause: _why, ...kept } = entry.pending;
    return { ...entry, pending: { ...kept, state: 'parked' as const } };
  });
  patch(d, { queue, paused: queue.length > 0 });
}
