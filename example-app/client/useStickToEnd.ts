import { useEffect, useLayoutEffect, useRef } from 'react';

const near = 48;

/** Keeps a scrolled box at its end while its content grows, unless the person has scrolled away from there. */
export function useStickToEnd<E extends HTMLElement>(content: unknown) {
  const box = useRef<E>(null);
  const stuck = useRef(true);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = () => {
      stuck.current = element.scrollHeight - element.scrollTop - element.clientHeight < near;
    };
    const settle = () => {
      if (stuck.current) element.scrollTop = element.scrollHeight;
    };
    element.addEventListener('scroll', look, { passive: true });
    const sizes = new ResizeObserver(settle);
    sizes.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      sizes.disconnect();
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: content is what makes the box grow
  useLayoutEffect(() => {
    const element = box.current;
    if (element && stuck.current) element.scrollTop = element.scrollHeight;
  }, [content]);
  return box;
}
