import type { Decorator, Preview } from '@storybook/react-vite';
import { HelixUIProvider } from 'helix-chat/ui';
import { StrictMode, useLayoutEffect } from 'react';
import { directionOf, LOCALES, setLook, useLook } from '../stories/support/look.ts';
import type { Stage } from '../stories/support/stage.ts';
import 'helix-chat/styles.css';

/** The words, the theme and the clock around every story. */
const withKit: Decorator = (Story, { loaded }) => {
  const { theme, catalog } = useLook();
  const { world } = (loaded.stage as Stage | undefined) ?? {};
  useLayoutEffect(() => {
    const { documentElement: page } = document;
    page.lang = catalog.locale;
    page.dir = directionOf(catalog);
    page.dataset.page = theme;
  }, [theme, catalog]);
  return (
    <StrictMode>
      <HelixUIProvider catalog={catalog} theme={theme} {...(world && { world })}>
        <Story />
      </HelixUIProvider>
    </StrictMode>
  );
};

const preview: Preview = {
  decorators: [withKit],
  loaders: [
    async ({ globals }) => {
      const locale = globals.locale as keyof typeof LOCALES;
      setLook({
        theme: globals.theme === 'dark' ? 'dark' : 'light',
        catalog: await LOCALES[locale](),
      });
    },
  ],
  initialGlobals: { theme: 'light', locale: 'en' },
  globalTypes: {
    theme: {
      description: 'Theme',
      toolbar: { title: 'Theme', items: ['light', 'dark'], dynamicTitle: true },
    },
    locale: {
      description: 'Language',
      toolbar: { title: 'Language', items: Object.keys(LOCALES), dynamicTitle: true },
    },
  },
  parameters: {
    layout: 'fullscreen',
    controls: { disable: true },
    a11y: {
      test: 'error',
      config: { rules: [{ id: 'target-size', enabled: true }] },
      options: {
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      },
    },
  },
};

export default preview;
