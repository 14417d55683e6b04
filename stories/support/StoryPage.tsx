import { HelixUIProvider } from 'helix-chat/ui';
import { type ReactNode, StrictMode, useLayoutEffect, useMemo } from 'react';
import { directionOf, useLook } from './look.ts';
import { ownActions } from './ownActions.ts';
import type { Stage } from './stage.ts';
import 'helix-chat/styles.css';

/** The words, the theme and the clock around every story. */
export function StoryPage({ stage, children }: { stage: Stage | undefined; children: ReactNode }) {
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
      >
        {children}
      </HelixUIProvider>
    </StrictMode>
  );
}
