import type { UIMessageChunk } from 'ai';
import { canonical } from './splice.ts';

type Counts = Map<string, number>;

/**
 * The transient parts that reached the app in one reply. Some servers repeat them in a replay, ours leaves them out; the
 * app is told of each once either way.
 */
export class TransientLog {
  #seen: Counts = new Map();
  /** Those that came after the last chunk that stays: a replay may hold them behind what both sides know. */
  #tail: Counts = new Map();
  #replayed: Counts | undefined;
  #compared = false;

  /** Another reply begins. */
  beginReply(): void {
    this.#seen = new Map();
    this.#tail = new Map();
    this.#replayed = undefined;
  }

  /** A stream begins that may repeat what was seen. `compared`: `caughtUp` will be told. */
  beginReplay(compared: boolean): void {
    this.#compared = compared;
    this.#replayed = new Map(this.#seen);
  }

  /** The replay has repeated every chunk that stays. */
  caughtUp(): void {
    if (this.#replayed !== undefined) this.#replayed = new Map(this.#tail);
  }

  /** A new chunk that stays was handed on: nothing after it is a repetition. */
  progressed(): void {
    this.#tail = new Map();
    if (this.#compared) this.#replayed = undefined;
  }

  /** Whether the part is new; it counts as handed on then. */
  admits(chunk: UIMessageChunk): boolean {
    const part = canonical(chunk);
    const left = this.#replayed?.get(part) ?? 0;
    if (left > 0) {
      this.#replayed?.set(part, left - 1);
      return false;
    }
    this.#seen.set(part, (this.#seen.get(part) ?? 0) + 1);
    this.#tail.set(part, (this.#tail.get(part) ?? 0) + 1);
    return true;
  }
}
