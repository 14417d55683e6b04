import { HelixUIProvider, type Slots } from 'helix-chat/ui';
import { type ReactNode, StrictMode, useLayoutEffect, useMemo } from 'react';
import { directionOf, useLook } from './look.ts';
import { ownActions } from './ownActions.ts';
import type { Stage } from './stage.ts';
import 'helix-chat/styles.css';

interface StoryPageProps {
  readonly stage: Stage | undefined;
  readonly slots?: Slots | undefined;
  readonly children: ReactNode;
}

/** The words, the theme and the clock around every story. */
export function StoryPage({ stage, slots, children }: StoryPageProps) {
  const { theme, catalog } = useLook();
  const actions = useMemo(() => ownActions(catalog), [catalog]);
  useLayoutEffect(() => {
    const { documentElement: page } = document;
    page.lang = catalog.locale;
    page.dir = directionOf(catalog);
    page.dataset.page = theme;
  }, [theme, catalog]);
  return (
    <StrictMode>
      <HelixUIProvider
        catalog={catalog}
        theme={theme}
        actions={actions}
        {...(stage && { world: stage.world })}
        {...(slots && { slots })}
      >
        {children}
      </HelixUIProvider>
    </StrictMode>
  );
}
