import {
  type Draft,
  dropEntry,
  enter,
  findEntry,
  isBusy,
  order,
  patch,
  report,
  usable,
} from './draft.ts';
import { rest } from './ending.ts';
import { asOwnMessage } from './model.ts';
import type { ChatMessage } from './ports.ts';
import { readByPress } from './pressedRead.ts';
import { bringForward, startTurn } from './queue.ts';
import { waitingEdit } from './waitingEdit.ts';

/** The message that an edit was to change is gone: its new text is a message like any other. */
export function asNewMessage<M extends ChatMessage>(d: Draft<M>, entryId: string): void {
  const queue = d.model.queue.map((entry) =>
    entry.pending.id === entryId
      ? { ...entry, turn: { ...asOwnMessage(entry.turn), message: entry.pending.message } }
      : entry,
  );
  patch(d, { queue });
}

/** A pending message goes out by a press. One with an unclear fate is looked for first. */
export function sendAgain<M extends ChatMessage>(d: Draft<M>, entryId: string): void {
  const entry = findEntry(d.model, entryId);
  if (entry === undefined) return;
  if (isBusy(d)) {
    bringForward(d, entryId);
    return;
  }
  const keep = d.model.state.name === 'failed' ? d.model.state.failure : undefined;
  if (entry.turn.unclear && usable(d.env.routes.snapshot)) {
    readByPress(d, { why: 'before-send', entryId, ...(keep === undefined ? {} : { keep }) });
    return;
  }
  dropEntry(d, entryId);
  startTurn(d, entry.turn, entry.newKey);
}

/** In `ask` mode the person lets the running reply end first. */
export function waitChosen<M extends ChatMessage>(d: Draft<M>, entryId: string | undefined): void {
  const queue = d.model.queue.map((entry) =>
    entry.pending.cause === 'asked' && (entryId === undefined || entry.pending.id === entryId)
      ? { ...entry, pending: { ...entry.pending, cause: 'foreign-run' as const } }
      : entry,
  );
  const { state } = d.model;
  patch(d, { queue });
  if (state.name === 'waiting-on-run') patch(d, { state: { ...state, cause: 'foreign-run' } });
}

/** A pending message turned out to be in the transcript: it lives there. */
export function entryFound<M extends ChatMessage>(d: Draft<M>, id: string): void {
  const entry = findEntry(d.model, id);
  if (entry === undefined) return;
  dropEntry(d, id);
  order(d, { do: 'release', entryId: id });
  const { state } = d.model;
  if (state.name === 'failed' && entry.pending.failure?.id === state.failure.id) rest(d);
}

/** The edit that waits for the end of a reply was handed back: that reply stays stopped, and nothing follows it. */
function editTakenBack<M extends ChatMessage>(d: Draft<M>): void {
  const { after } = d.model;
  patch(d, { after: undefined });
  order(d, { do: 'release', entryId: '' });
  report(d, { type: 'taken-back' });
  if (after !== undefined) order(d, { do: 'finish-turn', turn: after, by: 'stop' });
}

/** A pending message was handed back. What waited only for it ends. */
export function entryRemoved<M extends ChatMessage>(d: Draft<M>, entryId: string): void {
  if (waitingEdit(d.model)?.pending.id === entryId) {
    editTakenBack(d);
    return;
  }
  const entry = findEntry(d.model, entryId);
  if (entry === undefined) return;
  dropEntry(d, entryId);
  order(d, { do: 'release', entryId });
  report(d, { type: 'taken-back' });
  const { state, job, after } = d.model;
  // The message that an edit was to change is gone: its new text is a message like any other.
  if (after?.targetId === entryId) {
    patch(d, { after: asOwnMessage(after) });
  }
  if (state.name === 'failed' && entry.pending.failure?.id === state.failure.id) {
    enter(d, { at: 'rest' }, { name: 'idle' });
    return;
  }
  if (d.model.queue.length > 0 || after !== undefined) return;
  if (state.name === 'waiting-on-run') {
    if (job.at === 'streaming') {
      d.model = { ...d.model, state: { name: 'streaming', since: d.env.now, own: d.model.own } };
    } else if (job.at !== 'closing' && job.at !== 'ending') {
      order(d, { do: 'end-read', boundMs: d.env.policy.stopMs });
      rest(d);
    }
    return;
  }
  if (state.name === 'backing-off' && job.at === 'drain-wait') rest(d);
}
