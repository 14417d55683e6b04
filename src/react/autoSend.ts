import type { UIMessage } from 'ai';
import { canonical } from '../recovery/canonical.ts';
import { toolPartsOf } from '../recovery/toolParts.ts';
import { reportThrown } from './developer.ts';

type Predicate<M extends UIMessage> = (options: {
  messages: M[];
}) => boolean | PromiseLike<boolean>;

interface AutoSendOptions<M extends UIMessage> {
  predicate(): Predicate<M> | undefined;
  /** The sets of answers that have gone out, in the life of the chat. */
  readonly submitted: Set<string>;
}

/** Guards the app's `sendAutomaticallyWhen`, which would loop: the same answers go once. */
export interface AutoSend<M extends UIMessage> {
  /** Whether the app wants these messages to go. Not asked about answers that have gone out. Never rejects. */
  wants(messages: M[]): boolean | Promise<boolean>;
  /** The answers in these messages go out. */
  going(messages: readonly M[]): void;
  /** The answers in these messages may go out once more. */
  free(messages: readonly M[]): void;
}

/** What was answered in the last message: its id, its calls and the answers to them. */
function setOf(messages: readonly UIMessage[]): string {
  const last = messages.at(-1);
  const calls = last === undefined ? [] : toolPartsOf([last]);
  // Without a tool call in it, the message itself is the set: it must not be submitted twice either.
  return canonical([
    last?.id,
    calls.map((call) => [
      call.toolCallId,
      call.state,
      call.output,
      call.errorText,
      (call.approval as { approved?: unknown } | undefined)?.approved,
    ]),
  ]);
}

/** Asks the app's `sendAutomaticallyWhen`. A predicate that throws or rejects says no and is reported. */
export function createAutoSend<M extends UIMessage>({
  predicate,
  submitted,
}: AutoSendOptions<M>): AutoSend<M> {
  const threw = (error: unknown): false => {
    reportThrown('sendAutomaticallyWhen', error);
    return false;
  };
  return {
    wants(messages) {
      const asks = predicate();
      if (asks === undefined || submitted.has(setOf(messages))) return false;
      try {
        const answer = asks({ messages });
        if (typeof answer !== 'object') return Boolean(answer);
        return Promise.resolve(answer).then(Boolean, threw);
      } catch (error) {
        return threw(error);
      }
    },
    going(messages) {
      submitted.add(setOf(messages));
    },
    free(messages) {
      submitted.delete(setOf(messages));
    },
  };
}
