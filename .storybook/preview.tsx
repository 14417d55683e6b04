import type { Decorator, Preview } from '@storybook/react-vite';
import type { Slots } from 'helix-chat/ui';
import { LOCALES, setLook } from '../stories/support/look.ts';
import { StoryPage } from '../stories/support/StoryPage.tsx';
import type { Stage } from '../stories/support/stage.ts';

const withPage: Decorator = (Story, { loaded, parameters }) => (
  <StoryPage
    stage={loaded.stage as Stage | undefined}
    slots={parameters.slots as Slots | undefined}
  >
    <Story />
  </StoryPage>
);

const preview: Preview = {
  decorators: [withPage],
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
