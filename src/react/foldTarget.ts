import type { UIMessage } from 'ai';
import { fingerprint } from '../recovery/messageIdentity.ts';
import type { Entry } from '../recovery/model.ts';

/** The failed pending message that a new send, or an edit of `editOf`, repeats word for word, if there is one. */
export function foldTarget<M extends UIMessage>(
  queue: readonly Entry<M>[],
  message: M,
  editOf: string | undefined,
): string | undefined {
  const print = fingerprint(message);
  return queue.find(
    ({ pending, turn }) =>
      pending.state === 'failed' &&
      turn.targetId === editOf &&
      fingerprint(pending.message) === print,
  )?.pending.id;
}
