/**
 * A fact that comes true at most once: a turn was stopped, a request was given up. Waiting for it leaves nothing
 * behind: a listener is dropped as soon as the work that it guarded has settled.
 */
export class Latch<R> {
  #reason: { readonly value: R } | undefined;
  readonly #listeners = new Set<() => void>();

  /** Why it was closed; undefined while it is open. */
  get reason(): R | undefined {
    return this.#reason?.value;
  }

  get closed(): boolean {
    return this.#reason !== undefined;
  }

  /** Closes it and tells the listeners, in the order of their coming. The first reason stays. */
  close(reason: R): void {
    if (this.#reason !== undefined) return;
    this.#reason = { value: reason };
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener();
  }

  /** Calls `listener` once when it closes, at once when it is closed already. The returned function takes it back. */
  onClose(listener: () => void): () => void {
    if (this.#reason !== undefined) {
      listener();
      return () => {};
    }
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * The work's own end, or a rejection by `toError` as soon as this closes. A value that comes too late is given to
   * `discard`; a failure that comes too late is dropped.
   */
  race<T>(
    work: PromiseLike<T>,
    toError: (reason: R) => unknown,
    discard?: (late: T) => void,
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let open = true;
      const leave = this.onClose(() => {
        open = false;
        if (this.#reason !== undefined) reject(toError(this.#reason.value));
      });
      work.then(
        (value) => {
          if (!open) {
            discard?.(value);
            return;
          }
          leave();
          resolve(value);
        },
        (error: unknown) => {
          leave();
          reject(error);
        },
      );
    });
  }
}
