import type { UIMessage } from 'ai';

type Predicate<M extends UIMessage> = (options: {
  messages: M[];
}) => boolean | PromiseLike<boolean>;

interface AutoSendOptions<M extends UIMessage> {
  /** False while a failure stands, or after a stop. */
  mayAsk(): boolean;
  /** Whether the stream that just ended was a reply to this client. */
  lastTurnWasOurs(): boolean;
  predicate(): Predicate<M> | undefined;
}

/** What was answered in a message: its id, its calls and the answers to them. */
function answersOf(message: UIMessage | undefined): string | undefined {
  if (message === undefined) return undefined;
  const calls = message.parts.filter(
    (part) => part.type === 'dynamic-tool' || part.type.startsWith('tool-'),
  ) as { toolCallId?: unknown; state?: unknown; output?: unknown; approval?: unknown }[];
  if (calls.length === 0) return undefined;
  return JSON.stringify([
    message.id,
    calls.map((call) => [call.toolCallId, call.state, call.output, call.approval]),
  ]);
}

/** Guards the app's `sendAutomaticallyWhen`, which the SDK would ask until it loops: the same answers go once. */
export function createAutoSend<M extends UIMessage>(options: AutoSendOptions<M>) {
  const submitted = new Set<string>();
  let answers = 0;
  return {
    async when({ messages }: { messages: M[] }): Promise<boolean> {
      const predicate = options.predicate();
      if (predicate === undefined || !options.mayAsk()) return false;
      if (answers === 0 && !options.lastTurnWasOurs()) return false;
      // Without a tool call in it, the message itself is the set: it must not be submitted twice either.
      const set = answersOf(messages.at(-1)) ?? `message:${messages.at(-1)?.id}`;
      if (submitted.has(set)) return false;
      let asked = false;
      try {
        asked = await predicate({ messages });
      } catch (error) {
        console.error(
          '[helix-chat] `sendAutomaticallyWhen` threw. Nothing was sent automatically. Mend the predicate.',
          error,
        );
        return false;
      }
      if (!asked) return false;
      submitted.add(set);
      return true;
    },
    async answering<T>(work: () => Promise<T>): Promise<T> {
      answers += 1;
      try {
        return await work();
      } finally {
        answers -= 1;
      }
    },
  };
}
