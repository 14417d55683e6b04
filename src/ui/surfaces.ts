import { useSyncExternalStore } from 'react';
import { createPageNews, useBeforePaint } from './pageNews.ts';

/*
 * Which surfaces stand on the page, by name: a row of pending sends leaves its buttons out while a banner or a notice
 * offers the same act.
 */
const standing = new Map<string, number>();
const news = createPageNews();

/** The name under which a banner tells that it shows this failure; with `:take-back`, that it offers this action. */
export function failureName(failureId: string): string {
  return `failure:${failureId}`;
}

function change(name: string, by: 1 | -1): void {
  const count = (standing.get(name) ?? 0) + by;
  if (count > 0) standing.set(name, count);
  else standing.delete(name);
  news.tell();
}

/** Tells that the surface of this name stands, for as long as it does. */
export function useStanding(name: string | undefined): void {
  useStandings(name === undefined ? NONE : [name]);
}

const NONE: readonly string[] = [];

/** As `useStanding`, for several names. */
export function useStandings(names: readonly string[]): void {
  const list = names.join('\n');
  useBeforePaint(() => {
    const all = list === '' ? [] : list.split('\n');
    for (const name of all) change(name, 1);
    return () => {
      for (const name of all) change(name, -1);
    };
  }, [list]);
}

/** Whether a surface of this name stands. False on a server. */
export function useIsStanding(name: string): boolean {
  return useSyncExternalStore(
    news.subscribe,
    () => standing.has(name),
    () => false,
  );
}
