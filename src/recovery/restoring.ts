import { type Draft, enter, findEntry, order, patch, phaseOf, report, usable } from './draft.ts';
import { rest, setAside } from './ending.ts';
import type { Leftover } from './leftover.ts';
import { pendingIdOf } from './model.ts';
import type { ChatMessage } from './ports.ts';
import { startRead } from './reading.ts';

/** Takes pending messages of an earlier session in, behind those that are there. None of them goes by itself. */
export function sendsRestored<M extends ChatMessage>(
  d: Draft<M>,
  lefts: readonly Leftover<M>[],
  from: 'store' | 'memory',
): void {
  for (const left of lefts) {
    const { pending, turn, newKey } = left.entry;
    const isKnown = findEntry(d.model, pending.id) !== undefined;
    if (isKnown || d.model.turn?.message?.id === pending.id) continue;
    const { cause: _why, ...kept } = pending;
    const state = kept.state === 'held' ? 'parked' : kept.state;
    // Turns are numbered anew with each session; the key stays the act's own.
    const own = { ...turn, id: d.model.nextTurn };
    patch(d, {
      nextTurn: d.model.nextTurn + 1,
      queue: [...d.model.queue, { pending: { ...kept, state }, turn: own, newKey }],
    });
    order(d, { do: 'take-over', turn: own, left, from });
    if (from === 'store') report(d, { type: 'restored', phase: phaseOf(own) });
  }
}

/** Another tab has the message that was about to go out: it is that tab's now, and the conversation shows what it did. */
export function takenElsewhere<M extends ChatMessage>(d: Draft<M>, open: boolean): void {
  const { job, turn } = d.model;
  if (job.at !== 'requesting' || turn === undefined) return;
  report(d, { type: 'taken-elsewhere', phase: phaseOf(turn) });
  if (!open) {
    leaveElsewhere(d);
    return;
  }
  order(d, { do: 'answer-refusal', answer: 'hold' });
  enter(d, { at: 'closing', next: { to: 'elsewhere' } });
}

/** The act ends here without a word to the app: whoever waited for it is let go. */
export function leaveElsewhere<M extends ChatMessage>(d: Draft<M>): void {
  patch(d, { turn: undefined, own: false });
  order(d, { do: 'release', entryId: '' });
  if (usable(d.env.routes.snapshot)) startRead(d, { why: 'resync' });
  else rest(d);
}

/** Another tab has posted these, and does not know whether they arrived: they are searched for before they go again. */
export function sendsUnclear<M extends ChatMessage>(d: Draft<M>, ids: readonly string[]): void {
  const queue = d.model.queue.map((entry) =>
    ids.includes(entry.pending.id) ? { ...entry, turn: { ...entry.turn, unclear: true } } : entry,
  );
  patch(d, { queue });
}

/** The message that was about to go out may have arrived from another tab: the conversation is searched for it first. */
export function postedElsewhere<M extends ChatMessage>(d: Draft<M>, open: boolean): void {
  const { job, turn } = d.model;
  if (job.at !== 'requesting' || turn?.message === undefined) return;
  const unclear = { ...turn, unclear: true };
  patch(d, { turn: unclear });
  if (!usable(d.env.routes.snapshot)) {
    if (open) order(d, { do: 'answer-refusal', answer: 'repeat' });
    else order(d, { do: 'send-message', turn: unclear, newKey: false });
    return;
  }
  if (open) {
    order(d, { do: 'answer-refusal', answer: 'hold' });
    enter(d, { at: 'closing', next: { to: 'park' } });
    return;
  }
  setAside(d, unclear, { state: 'parked' }, false);
  patch(d, { turn: undefined, own: false });
  startRead(d, { why: 'before-send', entryId: pendingIdOf(turn, turn.message) });
}
