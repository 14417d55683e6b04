import { type Entry, type Model, pendingIdOf, type Turn } from './model.ts';
import type { ChatMessage } from './ports.ts';

const entries = new WeakMap<Turn, Entry>();

/** The changed text that waits for the end of a reply as a pending message, the same object each time; undefined where none waits. */
export function waitingEdit<M extends ChatMessage>({ after }: Model<M>): Entry<M> | undefined {
  const message = after?.message;
  if (after === undefined || message === undefined) return undefined;
  const known = entries.get(after) as Entry<M> | undefined;
  if (known !== undefined) return known;
  const id = pendingIdOf(after, message);
  const pending = { id, message: { ...message, id }, state: 'held', cause: 'own-run' } as const;
  const entry: Entry<M> = { pending, turn: after, newKey: false };
  entries.set(after, entry);
  return entry;
}

/** Everything of the person's that is pending, as it is shown: the queue, and behind it the edit that waits. */
export function pendingOf<M extends ChatMessage>(model: Model<M>): readonly Entry<M>[] {
  const waiting = waitingEdit(model);
  return waiting === undefined ? model.queue : [...model.queue, waiting];
}
