import type { UISettings } from './uiContext.ts';

/** The attributes of every component's outermost element, by which styles and tests find it. */
export function rootAttributes(ui: string, { catalog, locale, theme }: UISettings) {
  return {
    'data-helix-ui': ui,
    'data-helix-theme': theme,
    lang: locale ?? catalog?.locale,
  };
}
