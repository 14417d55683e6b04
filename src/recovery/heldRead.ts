import type { Refusal } from '../transport/turnHost.ts';
import { type Draft, enter, order } from './draft.ts';
import type { ChatMessage } from './ports.ts';

/** What a refused act does when the conversation does not hold its message. */
export type Absent = 'fail' | 'repeat' | 'repeat-new-key';

/** Reads the conversation while a refusal waits for its answer. */
export function heldRead<M extends ChatMessage>(
  d: Draft<M>,
  refusal: Refusal,
  absent: Absent,
): void {
  const { turn } = d.model;
  enter(
    d,
    { at: 'held-read', refusal, absent },
    { name: 'resyncing', since: d.env.now, cause: 'unclear', attached: false },
  );
  order(d, {
    do: 'read-snapshot',
    boundMs: d.env.policy.heldReadMs,
    ...(turn === undefined ? {} : { looksFor: turn }),
  });
}
