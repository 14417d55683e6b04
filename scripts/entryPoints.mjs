import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The tags of the catalogues: each file of `src/i18n` that is named after a language. */
export const locales = readdirSync(at('src/i18n')).flatMap(
  (name) => /^([a-z]{2}(?:-[A-Z]{2})?)\.ts$/.exec(name)?.[1] ?? [],
);

/** The package's public entry points, served from source: what the example app and the tests import by name. */
export const entryPoints = [
  { find: /^helix-chat$/, replacement: at('src/index.ts') },
  {
    find: /^helix-chat\/(transport|react|ui|server|adapters|testing)$/,
    replacement: at('src/$1/index.ts'),
  },
  { find: /^helix-chat\/locales\/(.+)$/, replacement: at('src/i18n/$1.ts') },
  { find: /^helix-chat\/styles\.css$/, replacement: at('src/ui/styles/styles.css') },
];
