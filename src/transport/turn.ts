import { Latch } from './latch.ts';

/** What ends an SDK call without an error: `useChat` takes an error of this name for a stop. */
export function quietAbort(): DOMException {
  return new DOMException('The read was ended on purpose.', 'AbortError');
}

/**
 * One call of the SDK, from its begin to the last chunk. It holds the only listener on the SDK's abort signal, however
 * many requests the call makes, and takes it away at the end.
 */
export class Turn {
  readonly #over = new Latch<'stopped' | 'ended'>();
  readonly #detach: () => void;

  constructor(signal: AbortSignal | undefined) {
    if (signal === undefined) {
      this.#detach = () => {};
      return;
    }
    const stop = () => this.#over.close('stopped');
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    this.#detach = () => signal.removeEventListener('abort', stop);
  }

  /** The caller has aborted: only this signal decides that, never an error's name. */
  get stopped(): boolean {
    return this.#over.reason === 'stopped';
  }

  /** Calls `listener` once when the caller aborts or the call is over. The returned function takes it back. */
  onOver(listener: () => void): () => void {
    return this.#over.onClose(listener);
  }

  /** Waits for `work`, but not longer than the call lasts: rejects quietly when it is stopped or over. */
  race<T>(work: PromiseLike<T>, discard?: (late: T) => void): Promise<T> {
    return this.#over.race(work, quietAbort, discard);
  }

  /** The call is over: the abort signal is left alone, what still waits ends quietly. Calling it twice is harmless. */
  end(): void {
    this.#detach();
    this.#over.close('ended');
  }
}
