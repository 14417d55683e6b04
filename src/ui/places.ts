import type { RefObject } from 'react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { createPageNews, useBeforePaint } from './pageNews.ts';

/*
 * Where each failure stands on the page, by the id of its incident: a toast tells of what has no place, and points to
 * what is off screen.
 */
const places = new Map<string, Set<Element>>();
const news = createPageNews();
let version = 0;

function changed(): void {
  version += 1;
  news.tell();
}

/** Tells that the failure of this id stands at `root`, for as long as it does. */
export function usePlace(failureId: string | undefined, root: RefObject<Element | null>): void {
  // Else a toast would appear for what has a place.
  useBeforePaint(() => {
    const element = root.current;
    if (failureId === undefined || !element) return;
    const elements = places.get(failureId) ?? new Set();
    places.set(failureId, elements.add(element));
    changed();
    return () => {
      elements.delete(element);
      if (elements.size === 0 && places.get(failureId) === elements) places.delete(failureId);
      changed();
    };
  }, [failureId, root]);
}

/** Where a failure stands: nowhere, where it can be seen (or nobody knows yet), or at an element that is off screen. */
export type Place = 'nowhere' | 'seen' | HTMLElement;

/** Where the failures of these ids stand now. */
export function usePlaces(ids: readonly string[]): (id: string) => Place {
  const now = useSyncExternalStore(
    news.subscribe,
    () => version,
    () => 0,
  );
  const [hidden, setHidden] = useState<ReadonlySet<Element>>(new Set());
  const wanted = ids.join('\n');
  useEffect(() => {
    // A change of the registry is a reason to look anew.
    void now;
    const elements = wanted.split('\n').flatMap((id) => [...(places.get(id) ?? [])]);
    if (elements.length === 0 || typeof IntersectionObserver === 'undefined') return;
    const observer = new IntersectionObserver((seen) => {
      setHidden((before) => {
        const after = new Set([...before].filter((element) => element.isConnected));
        for (const { target, isIntersecting } of seen) {
          if (isIntersecting) after.delete(target);
          else after.add(target);
        }
        return after;
      });
    });
    for (const element of elements) observer.observe(element);
    return () => observer.disconnect();
  }, [wanted, now]);
  return (id) => {
    const elements = [...(places.get(id) ?? [])];
    if (elements.length === 0) return 'nowhere';
    const [first] = elements;
    const off = elements.every((element) => hidden.has(element));
    return off && first instanceof HTMLElement ? first : 'seen';
  };
}

/** Brings a place on screen and focus to the first thing that can be done there. */
export function goToPlace(place: HTMLElement): void {
  place.scrollIntoView({ block: 'center' });
  const control = place.querySelector<HTMLElement>('[data-helix-button]');
  if (!control) place.setAttribute('tabindex', '-1');
  (control ?? place).focus({ preventScroll: true });
}
