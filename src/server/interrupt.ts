/** A signal that cuts waits short, with the word that it was given. Holds at most one wait at a time. */
export interface Interrupt<W> {
  /** The word, once one was given; the first stays. */
  readonly word: W | undefined;
  give(word: W): void;
  /** What the promise gives, or the word when that comes first. A promise that loses may still reject: nobody minds. */
  race<T>(promise: Promise<T>): Promise<{ readonly word: W } | { readonly value: T }>;
}

/** `Promise.race` against one long-lived promise would keep a reaction for every chunk of a reply; this keeps one. */
export function createInterrupt<W>(): Interrupt<W> {
  let given: { readonly word: W } | undefined;
  let cut: ((given: { readonly word: W }) => void) | undefined;
  return {
    get word() {
      return given?.word;
    },
    give(word) {
      given ??= { word };
      cut?.(given);
    },
    race(promise) {
      return new Promise((resolve, reject) => {
        promise.then((value) => resolve({ value }), reject);
        if (given) resolve(given);
        else cut = resolve;
      });
    },
  };
}
