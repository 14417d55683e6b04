import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Failure, FailureAction } from '../errors/failure.ts';
import type { Catalog } from '../i18n/catalog.ts';
import type { World } from '../world.ts';
import { systemWorld } from '../world.ts';
import { currentEnglish, subscribeEnglish } from './english.ts';
import type { Slots } from './slots.ts';

/** An action of the app's own on a failure: signing in, choosing a plan, starting anew. */
export interface Action {
  /** One of the kit's ids, whose action it then replaces, or an id of the app's. */
  readonly id: FailureAction | (string & {});
  readonly label: string;
  /** Draws it filled. At most one of them. */
  readonly primary?: boolean;
  /** Called on a press. */
  onAct(failure: Failure): void;
}

/** What `HelixUIProvider` carries to the components below it. */
export interface UISettings {
  readonly catalog: Catalog | undefined;
  readonly locale: string | undefined;
  readonly theme: 'light' | 'dark' | undefined;
  readonly world: World;
  readonly actions: ((failure: Failure) => readonly Action[]) | undefined;
  readonly composer: (() => HTMLElement | null) | undefined;
  readonly announcerContainer: (() => Element | null) | undefined;
  readonly slots: Slots;
}

/** No part replaced. */
export const NO_SLOTS: Slots = {};

const UIContext = createContext<UISettings>({
  catalog: undefined,
  locale: undefined,
  theme: undefined,
  world: systemWorld(),
  actions: undefined,
  composer: undefined,
  announcerContainer: undefined,
  slots: NO_SLOTS,
});

/** Puts settings below it. */
export const UIContextProvider = UIContext.Provider;

/** The settings around a component. `catalog` is undefined only until English has loaded where no catalogue was given. */
export function useUI(): UISettings {
  const settings = useContext(UIContext);
  const catalog = useSyncExternalStore(
    settings.catalog ? subscribeNever : subscribeEnglish,
    () => settings.catalog ?? currentEnglish(),
    () => settings.catalog,
  );
  return catalog === settings.catalog ? settings : { ...settings, catalog };
}

const subscribeNever = () => () => {};
