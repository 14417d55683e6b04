import type { ReactNode } from 'react';
import { useEffect, useMemo, useRef } from 'react';
import type { Failure } from '../errors/failure.ts';
import type { Catalog } from '../i18n/catalog.ts';
import type { World } from '../world.ts';
import { systemWorld } from '../world.ts';
import { holdAnnouncer } from './announcer.ts';
import type { Slots } from './slots.ts';
import type { Action } from './uiContext.ts';
import { NO_SLOTS, UIContextProvider } from './uiContext.ts';

/** Props of `HelixUIProvider`. All are optional. */
export interface HelixUIProviderProps {
  /** The words. Without it English, loaded on its own when the first component mounts. */
  readonly catalog?: Catalog;
  /** BCP 47 tag for numbers, times and the `lang` of what the kit draws. Default: the catalogue's own. */
  readonly locale?: string;
  /** Default: what the nearest `data-helix-theme` says, else what the system prefers. */
  readonly theme?: 'light' | 'dark';
  /** Adds the app's own actions to a failure, or replaces the kit's by id. Must be pure. */
  actions?(failure: Failure): readonly Action[];
  /** The element that takes focus when a surface has left. Default: the nearest `data-helix-composer`. */
  composer?(): HTMLElement | null;
  /** Where the live regions stand; an open modal silences what lies outside it. Default: the document's body. */
  announcerContainer?(): Element | null;
  /** Components of the app in place of parts of the kit. Give it the same object each time. */
  readonly slots?: Slots;
  /** Clock and timers. Default: the real ones. */
  readonly world?: World;
  readonly children?: ReactNode;
}

const realWorld = systemWorld();

/** Carries words, theme and the app's own actions to the components of the kit, and gives the page its voice. */
export function HelixUIProvider({
  catalog,
  locale,
  theme,
  actions,
  composer,
  announcerContainer,
  slots = NO_SLOTS,
  world = realWorld,
  children,
}: HelixUIProviderProps) {
  // Functions written in place change with every render; what is queued or held by them must not.
  const given = useRef({ composer, announcerContainer });
  useEffect(() => {
    given.current = { composer, announcerContainer };
  });
  const stable = useMemo(
    () => ({
      composer: () => given.current.composer?.() ?? null,
      announcerContainer: () => given.current.announcerContainer?.() ?? null,
    }),
    [],
  );
  useEffect(() => {
    const announcer = holdAnnouncer(stable.announcerContainer() ?? document.body, world);
    return () => announcer.release();
  }, [stable, world]);

  const settings = useMemo(
    () => ({ catalog, locale, theme, actions, slots, world, ...stable }),
    [catalog, locale, theme, actions, slots, world, stable],
  );
  return <UIContextProvider value={settings}>{children}</UIContextProvider>;
}
