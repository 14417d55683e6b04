import { patienceOver } from '../errors/clientFailures.ts';
import type { Failure } from '../errors/failure.ts';
import { HelixError } from '../errors/HelixError.ts';
import { pollWaitMs, statedWaitMs } from './backoff.ts';
import {
  type Draft,
  dropEntry,
  enter,
  findEntry,
  isWatching,
  makeFailure,
  mayMove,
  order,
  patch,
  phaseOf,
  report,
} from './draft.ts';
import { failWith, pauseQueue, rest, setAside, tellFailure } from './ending.ts';
import {
  ASLEEP,
  type Entry,
  gateLeftMs,
  holdCauseOf,
  isRepeated,
  nextHeld,
  type Turn,
} from './model.ts';
import type { ChatMessage } from './ports.ts';

/** Starts an act: its request goes out now, unless a server's stated wait for this endpoint still lasts. */
export function startTurn<M extends ChatMessage>(
  d: Draft<M>,
  turn: Turn<M>,
  newKey: boolean,
): void {
  const { gate } = d.model;
  const gateMs = gateLeftMs(d.model, d.env.mono);
  if (gate !== undefined && gateMs > 0) {
    if (turn.kind === 'send') holdBehindGate(d, turn, gateMs, newKey);
    else refuseBeforeGate(d, turn, gate.failure, newKey);
    return;
  }
  const started: Turn<M> = {
    ...turn,
    accepted: false,
    tries: 0,
    readFailed: false,
    refused: undefined,
    // The sign-in may have run out once more since, and a sleep before this press holds nothing back any more.
    spent: turn.spent.filter((name) => name !== 'authorize' && name !== ASLEEP),
  };
  // A message closes the calls that wait for an answer: how, only the conversation says.
  const closesCalls = turn.kind !== 'submit' && d.model.paused;
  enter(d, { at: 'requesting' }, { name: 'sending', since: d.env.now, attempt: 1 });
  patch(d, {
    turn: started,
    own: true,
    gate: undefined,
    notBefore: undefined,
    failedAct: undefined,
    pausedAt: undefined,
    failedSubmit: undefined,
    askAfter: undefined,
    rejected: undefined,
    lastRead: undefined,
    leftForeign: false,
    ...(closesCalls ? { paused: false, behind: true } : {}),
    run: { ...d.model.run, stopping: false },
    reanchors: 0,
    triggers: [],
    polls: 0,
    cuts: { turn: 0, inARow: 0 },
    toPut: undefined,
    ...(turn.conflicts === 0 ? { heardAt: d.env.mono } : {}),
  });
  order(d, { do: 'send-message', turn: started, newKey });
  report(d, { type: 'sent', phase: phaseOf(turn), attempt: turn.requests + 1 });
}

/** Another reply before the stated time would only be refused: the failure and its time stay, and an edit's text. */
function refuseBeforeGate<M extends ChatMessage>(
  d: Draft<M>,
  turn: Turn<M>,
  past: Failure,
  newKey: boolean,
): void {
  patch(d, { turn });
  const facts = { error: past.error, phase: phaseOf(turn), committed: 'no' as const };
  const failure: Failure = {
    ...makeFailure(d, { ...facts, messageId: turn.message?.id ?? turn.targetId }),
    ...(past.retryAt === undefined ? {} : { retryAt: past.retryAt }),
  };
  setAside(d, turn, { state: 'failed', failure }, newKey);
  enter(d, { at: 'rest' }, { name: 'failed', failure });
  patch(d, {
    turn: undefined,
    own: false,
    failedAct: isRepeated(turn) ? turn : undefined,
  });
  tellFailure(d, failure);
  order(d, { do: 'finish-turn', turn, by: 'failure' });
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
  patch(d, { queue: [{ pending, turn, newKey }, ...others], turn: undefined });
  if (!brief) {
    enter(d, { at: 'rest' }, { name: 'failed', failure: gate.failure });
    order(d, { do: 'finish-turn', turn, by: 'failure' });
    return;
  }
  const ms = statedWaitMs(gateMs, d.env.chance);
  enter(
    d,
    { at: 'drain-wait', entryId: message.id },
    {
      name: 'backing-off',
      since: d.env.now,
      of: 'send',
      cause: 'stated-wait',
      retryAt: d.env.now + ms,
      attempt: 1,
      attempts: 1,
      phase: phaseOf(turn),
      failure: gate.failure,
    },
  );
  patch(d, { notBefore: gate.untilMono });
  order(d, { do: 'start-timer', ms });
}

/** Keeps a message for later, at the end of the queue. */
export function hold<M extends ChatMessage>(d: Draft<M>, turn: Turn<M>): void {
  const { message } = turn;
  if (message === undefined) return;
  const cause = holdCauseOf(d.model);
  const entry: Entry<M> = {
    pending: { id: message.id, message, state: 'held', cause },
    turn,
    newKey: false,
  };
  patch(d, { queue: [...d.model.queue, entry] });
  report(d, { type: 'held', cause });
}

/** Nothing stands in the way any more: the message that goes next by itself is sent, or the named one. */
export function sendHead<M extends ChatMessage>(d: Draft<M>, entryId?: string): void {
  const head = entryId === undefined ? nextHeld(d.model) : findEntry(d.model, entryId);
  if (head === undefined) {
    rest(d);
    return;
  }
  if (!head.pressed && !maySend(d, head)) {
    pauseQueue(d);
    rest(d);
    return;
  }
  dropEntry(d, head.pending.id);
  const waited = d.env.mono - d.model.heardAt;
  if (head.turn.conflicts > 0 && waited > d.env.policy.patienceMs) {
    patch(d, { turn: head.turn });
    failWith(d, { error: patienceOver(), phase: phaseOf(head.turn), committed: 'no' });
    return;
  }
  startTurn(d, head.turn, head.newKey);
}

/** Whether the app lets a held message go by itself. */
function maySend<M extends ChatMessage>(d: Draft<M>, { pending }: Entry<M>): boolean {
  const error = new HelixError({ code: 'state_already_running' });
  const facts = { error, phase: 'send', committed: 'no', messageId: pending.id } as const;
  return mayMove(d, 'send-held', makeFailure(d, facts, true));
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
    pressed: true,
    pending: { ...kept, state: 'held', cause: isWatching(d) ? 'foreign-run' : 'own-run' },
  };
  const others = d.model.queue.filter((other) => other.pending.id !== id);
  patch(d, { queue: [held, ...others] });
}

/** Held messages stay, but nothing sends them by itself. */
export function parkHeld<M extends ChatMessage>(d: Draft<M>): void {
  const queue = d.model.queue.map((entry) => {
    if (entry.pending.state !== 'held') return entry;
    const { cause: _why, ...kept } = entry.pending;
    return { ...entry, pending: { ...kept, state: 'parked' as const } };
  });
  patch(d, { queue });
}
