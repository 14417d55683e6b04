import type { World } from '../world.ts';
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

/** When to look next at a state that goes on without news. */
export interface Deadline {
  /** Monotonic ms. */
  readonly at: number;
  readonly what: 'slow' | 'stalled';
}

/** Whether a stream is read: our own, one that is taken up again after a cut, or another client's. */
const isRead = (state: RecoveryState): boolean =>
  state.name === 'streaming' || ('attached' in state && state.attached);

/** The next moment at which a state that goes on without news deserves a look; undefined where none does. */
export function nextDeadline(
  state: RecoveryState,
  heard: Heard,
  policy: ResolvedPolicy,
): Deadline | undefined {
  if (state.name === 'sending' && !state.slow) {
    return { at: heard.stateAt + SLOW_SEND_MS, what: 'slow' };
  }
  const slow: Deadline = {
    at: Math.max(heard.stateAt, heard.bytesAt) + SLOW_STREAM_MS,
    what: 'slow',
  };
  const stalled: Deadline = {
    at: Math.max(heard.stateAt, heard.contentAt) + policy.progressMs,
    what: 'stalled',
  };
  const due = [
    ...(state.name === 'streaming' && !state.slow ? [slow] : []),
    ...(isRead(state) && policy.progressMs > 0 ? [stalled] : []),
  ];
  return due.reduce<Deadline | undefined>(
    (first, next) => (first === undefined || next.at < first.at ? next : first),
    undefined,
  );
}

interface WatchOptions {
  readonly world: World;
  readonly policy: ResolvedPolicy;
  state(): RecoveryState;
  /** Nothing was heard for longer than a person would wait without a word. */
  onSlow(): void;
  /** Bytes came, but no content for `progressMs`. */
  onStalled(): void;
}

/** Watches one chat for silence. One timer at most, and none where nothing is under way. */
export interface Watch {
  bytes(at: number): void;
  content(at: number): void;
  /** Looks at the state anew. */
  look(): void;
  /** How long nothing has been heard, in ms, by the clock that says longer: in a sleep one of them may stand still. */
  silentMs(): number;
  end(): void;
}

/** One a chat, for all its streams. */
export function createWatch(options: WatchOptions): Watch {
  const { world, policy } = options;
  let heard: Heard = { stateAt: 0, bytesAt: 0, contentAt: 0 };
  let newsAt: number | undefined;
  let looked = '';
  let cancel = (): void => {};
  let ended = false;
  const arm = (): void => {
    cancel();
    const deadline = nextDeadline(options.state(), heard, policy);
    if (deadline === undefined || ended) {
      cancel = () => {};
      return;
    }
    cancel = world.after(Math.max(0, deadline.at - world.monotonic()), came);
  };
  // Bytes move the deadline without moving the timer: it looks again when it fires early.
  const came = (): void => {
    const deadline = nextDeadline(options.state(), heard, policy);
    if (deadline === undefined || deadline.at > world.monotonic()) {
      arm();
      return;
    }
    if (deadline.what === 'stalled') {
      heard = { ...heard, contentAt: world.monotonic() };
      arm();
      options.onStalled();
      return;
    }
    options.onSlow();
  };
  return {
    bytes(at) {
      heard = { ...heard, bytesAt: at };
      newsAt = world.now();
    },
    content(at) {
      heard = { ...heard, contentAt: at };
    },
    look() {
      const state = options.state();
      // Joining a stream is news, though what the chat waits for stays the same.
      const seen = state.name === 'waiting-on-run' && state.attached ? 'watching' : state.name;
      if (seen !== looked) {
        looked = seen;
        heard = { ...heard, stateAt: world.monotonic() };
        newsAt = world.now();
      }
      arm();
    },
    silentMs() {
      const mono = world.monotonic() - Math.max(heard.stateAt, heard.bytesAt);
      return Math.max(0, mono, newsAt === undefined ? 0 : world.now() - newsAt);
    },
    end() {
      ended = true;
      cancel();
    },
  };
}
