import type { ResolvedPolicy } from './policy.ts';
import type { RecoveryState } from './state.ts';

const SLOW_SEND_MS = 10_000;
const SLOW_STREAM_MS = 15_000;

/** Monotonic ms of what was last heard. */
export interface Heard {
  readonly stateAt: number;
  readonly bytesAt: number;
  readonly contentAt: number;
}

export interface Deadline {
  /** Monotonic ms. */
  readonly at: number;
  readonly what: 'slow' | 'stalled';
}

/** The next moment at which a state that goes on without news deserves a look; undefined where none does. */
export function nextDeadline(
  state: RecoveryState,
  heard: Heard,
  policy: ResolvedPolicy,
): Deadline | undefined {
  if (state.name === 'sending' && !state.slow) {
    return { at: heard.stateAt + SLOW_SEND_MS, what: 'slow' };
  }
  if (state.name !== 'streaming') return undefined;
  const slow: Deadline = {
    at: Math.max(heard.stateAt, heard.bytesAt) + SLOW_STREAM_MS,
    what: 'slow',
  };
  const stalled: Deadline = {
    at: Math.max(heard.stateAt, heard.contentAt) + policy.progressMs,
    what: 'stalled',
  };
  const due = [...(state.slow ? [] : [slow]), ...(policy.progressMs > 0 ? [stalled] : [])];
  return due.reduce<Deadline | undefined>(
    (first, next) => (first === undefined || next.at < first.at ? next : first),
    undefined,
  );
}
