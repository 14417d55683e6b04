import type { RefObject } from 'react';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import type { World } from '../../world.ts';

/**
 * Whether toasts wait: while a pointer or focus is among them, while the page is hidden, and while the window is not in
 * use. `stands`: the region is on the page.
 */
export function useToastPause(
  region: RefObject<HTMLElement | null>,
  stands: boolean,
  world: World,
): boolean {
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const [unused, setUnused] = useState(false);
  if (!stands && hovered) setHovered(false);
  if (!stands && focused) setFocused(false);
  const visible = useSyncExternalStore(
    useCallback((changed: () => void) => world.onPageEvent(changed), [world]),
    () => world.visible(),
    () => true,
  );

  useEffect(() => {
    if (!stands) return;
    const isInside = (target: EventTarget | null) =>
      target instanceof Node && region.current?.contains(target) === true;
    const stop = new AbortController();
    const on = <Type extends keyof DocumentEventMap>(
      type: Type,
      listener: (event: DocumentEventMap[Type]) => void,
    ) => document.addEventListener(type, listener, { signal: stop.signal });
    // By what is entered: a control that goes while it is pointed at or focused is never left.
    on('pointerover', ({ target }) => setHovered(isInside(target)));
    on('pointerout', ({ relatedTarget, pointerType }) => {
      if (relatedTarget === null || pointerType === 'touch') setHovered(false);
    });
    on('focusin', ({ target }) => setFocused(isInside(target)));
    on('focusout', ({ relatedTarget }) => {
      if (relatedTarget === null) setFocused(false);
    });
    return () => stop.abort();
  }, [region, stands]);

  useEffect(() => {
    const leave = (event: Event) => {
      if (event.target === window) setUnused(true);
    };
    const come = () => setUnused(false);
    window.addEventListener('blur', leave);
    window.addEventListener('focus', come);
    return () => {
      window.removeEventListener('blur', leave);
      window.removeEventListener('focus', come);
    };
  }, []);

  return hovered || focused || unused || !visible;
}
