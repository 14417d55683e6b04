import type { UIMessage } from 'ai';
import { fingerprint } from '../recovery/messageIdentity.ts';
import type { PendingSend } from '../recovery/ports.ts';

/** The failed pending message that a new send repeats word for word, if there is one. */
export function foldTarget<M extends UIMessage>(
  queue: readonly { readonly pending: PendingSend<M> }[],
  message: M,
): string | undefined {
  const print = fingerprint(message);
  return queue.find(
    ({ pending }) => pending.state === 'failed' && fingerprint(pending.message) === print,
  )?.pending.id;
}
