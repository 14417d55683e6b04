import type { RefObject } from 'react';
import { useEffect, useRef } from 'react';

/**
 * A key that leads into the toasts, at the newest, and back to where focus was. Null switches it off. Gives where focus
 * was before.
 */
export function useLandmarkKey(
  region: RefObject<HTMLElement | null>,
  key: string | null,
): RefObject<HTMLElement | null> {
  const origin = useRef<HTMLElement>(null);
  useEffect(() => {
    if (key === null) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const { current } = region;
      if (event.key !== key || event.defaultPrevented || !current) return;
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      const active = document.activeElement;
      if (current.contains(active)) {
        if (origin.current?.isConnected) origin.current.focus();
        return;
      }
      origin.current = active instanceof HTMLElement && active !== document.body ? active : null;
      current.querySelector<HTMLElement>('[data-helix-ui="error-toast"]')?.focus();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [region, key]);
  return origin;
}
