import { useEffect, useLayoutEffect } from 'react';

/** Who listens for changes of what the components of a page tell each other. */
export interface PageNews {
  /** Tells everybody that something has changed. */
  tell(): void;
  /** For `useSyncExternalStore`. */
  readonly subscribe: (listener: () => void) => () => void;
}

/** One for each thing that is told. */
export function createPageNews(): PageNews {
  const listeners = new Set<() => void>();
  return {
    tell() {
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

/** Settles what one component leaves to another before the page is painted; on a server there is nothing to settle. */
export const useBeforePaint = typeof document === 'undefined' ? useEffect : useLayoutEffect;
