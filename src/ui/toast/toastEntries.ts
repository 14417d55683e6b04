import type { AnyChat } from '../acting.ts';
import type { FailureContent } from '../failureContent.ts';

/** An incident that is to be told by a toast now. */
export interface LiveToast {
  readonly id: string;
  readonly content: FailureContent;
  readonly chat?: AnyChat | undefined;
  /** The toast only points there: the failure stands in a place that is off screen. */
  readonly pointer?: HTMLElement | undefined;
}

/**
 * An incident from its first toast to its last. `trying`: a person's or an automatic try is under way. `recovered`: that
 * try went well. `over`: nothing is left to tell. `hidden`: put away, though the failure stands.
 */
export interface ToastEntry extends LiveToast {
  readonly phase: 'failed' | 'waiting' | 'trying' | 'recovered' | 'over' | 'hidden';
  /** How often the incident has failed before the person's eyes. */
  readonly count: number;
  /** What a person has pressed of this content: a try, or something that ends it. */
  readonly pressed?: 'try' | 'end' | undefined;
}

/**
 * The entries after a change: `live` is what is to be told now, `placed` what can be seen in its own place instead,
 * `chats` what their chats do. Newest last.
 */
export function nextEntries(
  entries: readonly ToastEntry[],
  live: readonly LiveToast[],
  placed: ReadonlySet<string>,
  chats: readonly AnyChat[],
): readonly ToastEntry[] {
  const known = new Set(entries.map(({ id }) => id));
  const next = [
    ...entries.flatMap((entry) => {
      const now = live.find(({ id }) => id === entry.id);
      if (now) return [liveEntry(entry, now)];
      // It has not ended: somebody else tells of it now.
      if (placed.has(entry.id)) return [overEntry(entry)];
      return leftEntry(
        entry,
        chats.find(({ id }) => id === entry.chat?.id),
      );
    }),
    ...live.filter(({ id }) => !known.has(id)).map((now) => liveEntry(undefined, now)),
  ];
  const same =
    next.length === entries.length && next.every((entry, index) => entry === entries[index]);
  return same ? entries : next;
}

function liveEntry(before: ToastEntry | undefined, now: LiveToast): ToastEntry {
  const waiting = now.content.waiting !== undefined;
  const phase = waiting ? 'waiting' : 'failed';
  if (!before) return { ...now, phase, count: 1 };
  const sameFailure = before.content.token === now.content.token;
  // What was put away comes back only as a new failure, not as the next of its own tries.
  if (before.phase === 'hidden' && (sameFailure || waiting)) return before;
  const same =
    before.content === now.content &&
    before.chat === now.chat &&
    before.pointer === now.pointer &&
    before.phase === phase;
  if (same) return before;
  const again = !sameFailure && !waiting && triedBefore(before);
  return {
    ...now,
    phase,
    count: before.count + (again ? 1 : 0),
    pressed: sameFailure ? before.pressed : undefined,
  };
}

const triedBefore = ({ phase, pressed }: ToastEntry) => phase === 'trying' || pressed === 'try';

const overEntry = (entry: ToastEntry): ToastEntry =>
  entry.phase === 'over' ? entry : { ...entry, phase: 'over' };

/** What becomes of an entry whose failure does not stand any more. */
function leftEntry(entry: ToastEntry, chat: AnyChat | undefined): readonly ToastEntry[] {
  const { phase, pressed, pointer } = entry;
  if (phase === 'hidden') return [];
  if (phase === 'over' || phase === 'recovered') return [entry];
  const tried = phase === 'waiting' || phase === 'trying' || pressed === 'try';
  if (pointer || pressed === 'end' || !tried || !chat) return [{ ...entry, phase: 'over' }];
  if (isWorking(chat)) return [phase === 'trying' ? entry : { ...entry, phase: 'trying' }];
  return [{ ...entry, phase: wentWell(chat) ? 'recovered' : 'over' }];
}

function isWorking({ recovery: { name } }: AnyChat): boolean {
  return name === 'sending' || name === 'resyncing' || name === 'backing-off';
}

/** A stop leaves the message parked, and another failure is no recovery. */
function wentWell({ failure, pendingSends }: AnyChat): boolean {
  return !failure && !pendingSends.some(({ state }) => state === 'parked' || state === 'failed');
}
