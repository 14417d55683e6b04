import {
  type Draft,
  dropEntry,
  findEntry,
  isBusy,
  newTurn,
  order,
  patch,
  usable,
} from './draft.ts';
import { setAside } from './ending.ts';
import type { RecoveryEvent } from './events.ts';
import { fingerprint } from './messageIdentity.ts';
import type { Turn } from './model.ts';
import type { ChatMessage } from './ports.ts';
import { readByPress } from './pressedRead.ts';
import { hold, startTurn } from './queue.ts';
import { dropAfter, stopRequested } from './stopping.ts';

type EventOf<M extends ChatMessage, T extends RecoveryEvent['type']> = Extract<
  RecoveryEvent<M>,
  { type: T }
>;

/** An act of a person or an app: begins it, holds it behind what is under way, or joins it to the same act. */
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
    readByPress(d, { why: 'before-send', entryId: folded.pending.id });
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
  readByPress(d, { why: 'before-continue', ...(keep === undefined ? {} : { keep }) });
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
