import type { MessageMemory } from './messageIdentity.ts';
import { type Entry, goesByItself, type Model, pendingIdOf, type Turn } from './model.ts';
import type { ChatMessage } from './ports.ts';

/** A message that would be lost with its chat, and all that its act needs to go on later. */
export interface Leftover<M extends ChatMessage = ChatMessage> extends MessageMemory {
  readonly entry: Entry<M>;
  /** The request key of its act. */
  readonly key: string | undefined;
}

/** A leftover, and what this chat is doing about it. */
export interface InHand<M extends ChatMessage = ChatMessage> {
  readonly left: Leftover<M>;
  /** It is on its way, or goes by itself once nothing stands in its way. */
  readonly going: boolean;
  /** It may have arrived, by what was known here before the request that is out or about to go. */
  readonly unclear: boolean;
}

/** What is known of an act outside of the model. */
export interface ActMemory<M extends ChatMessage> {
  keyOf(turn: Turn<M>): string | undefined;
  memoryOf(message: M): MessageMemory;
}

/** Every message of the person's that is not in the transcript: what is on its way and not yet accepted, what comes after it, what is pending. */
export function leftoversOf<M extends ChatMessage>(
  model: Model<M>,
  memory: ActMemory<M>,
): readonly InHand<M>[] {
  const { turn, after, job, queue } = model;
  const out = job.at === 'requesting';
  const leftover = (entry: Entry<M>): Leftover<M> => {
    const { message } = entry.turn;
    return {
      entry,
      key: memory.keyOf(entry.turn),
      ...(message === undefined ? {} : memory.memoryOf(message)),
    };
  };
  const acts = [...(turn === undefined ? [] : [turn]), ...(after === undefined ? [] : [after])];
  return [
    ...acts.flatMap((present) => {
      const { unclear } = present;
      // A request that is out may arrive: what becomes of it is not known.
      const act = { ...present, unclear: unclear || (present === turn && out) };
      const { message } = act;
      if (message === undefined || act.accepted) return [];
      const id = pendingIdOf(act, message);
      const pending = { id, message: { ...message, id }, state: 'parked' } as const;
      return [{ left: leftover({ pending, turn: act, newKey: false }), going: true, unclear }];
    }),
    ...queue.map((entry) => ({
      left: leftover(entry),
      going: goesByItself(entry),
      unclear: entry.turn.unclear,
    })),
  ];
}
