import { useCallback, useMemo, useState } from 'react';
import type { FailureView } from '../../i18n/describeError.ts';
import type { AnyChat } from '../acting.ts';
import type { FailureContent } from '../failureContent.ts';
import { bannerContent, givenContent } from '../failureContent.ts';
import { usePlacedAll } from '../placed.ts';
import { usePlaces } from '../places.ts';
import { useUI } from '../uiContext.ts';
import type { LiveToast, ToastEntry } from './toastEntries.ts';
import { nextEntries } from './toastEntries.ts';

/** The incidents that toasts tell of, and what can happen to them. */
export interface ToastEntries {
  readonly entries: readonly ToastEntry[];
  /** A person has pressed an action of this incident. */
  readonly press: (id: string, meaning: 'try' | 'end') => void;
  /** It is put away, though its failure may stand. */
  readonly hide: (id: string) => void;
  /** Its last toast is gone. */
  readonly drop: (id: string) => void;
}

/** Follows the chats, or failures in words, from one incident to the next. */
export function useToastEntries(
  chat: AnyChat | readonly AnyChat[] | undefined,
  view: FailureView | readonly FailureView[] | undefined,
  route: 'placeless' | 'all',
): ToastEntries {
  const { catalog, locale, actions, world } = useUI();
  const chats = useMemo(() => listOf(chat), [chat]);
  usePlacedAll('error-toasts', chats);
  usePlacedAll('all-error-toasts', route === 'all' ? chats : NONE);
  const told = useMemo((): readonly LiveToast[] => {
    if (view) return listOf(view).map((words) => liveToast(givenContent(words)));
    if (!catalog) return [];
    const words = { catalog, locale, actions, world };
    return chats.flatMap((each) => {
      const content = bannerContent(each, words, 'all');
      return content && hasWords(content) ? [liveToast(content, each)] : [];
    });
  }, [view, chats, catalog, locale, actions, world]);

  const placeOf = usePlaces(told.map(({ id }) => id));
  const live =
    view || route === 'all'
      ? told
      : told.flatMap((toast) => {
          const place = placeOf(toast.id);
          if (place === 'nowhere') return [toast];
          return place === 'seen' ? [] : [{ ...toast, pointer: place }];
        });

  const [entries, setEntries] = useState<readonly ToastEntry[]>([]);
  const placed = new Set(told.map(({ id }) => id));
  for (const { id } of live) placed.delete(id);
  const next = nextEntries(entries, live, placed, chats);
  if (next !== entries) setEntries(next);

  const change = useCallback(
    (id: string, to: (entry: ToastEntry) => readonly ToastEntry[]) =>
      setEntries((all) => all.flatMap((entry) => (entry.id === id ? to(entry) : [entry]))),
    [],
  );
  return {
    entries: next,
    press: useCallback((id, pressed) => change(id, (entry) => [{ ...entry, pressed }]), [change]),
    hide: useCallback((id) => change(id, (entry) => [{ ...entry, phase: 'hidden' }]), [change]),
    drop: useCallback((id) => change(id, () => []), [change]),
  };
}

const NONE: readonly AnyChat[] = [];

function listOf<T extends object>(given: T | readonly T[] | undefined): readonly T[] {
  if (given === undefined) return [];
  return Array.isArray(given) ? given : [given as T];
}

function liveToast(content: FailureContent, chat?: AnyChat): LiveToast {
  return { id: content.view.failureId, content, ...(chat && { chat }) };
}

/** What is quiet by design, or a line of the connection's, makes no toast. */
function hasWords({ view: { surface } }: FailureContent): boolean {
  return surface !== 'none' && surface !== 'status';
}
