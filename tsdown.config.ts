import { defineConfig } from 'tsdown';
import { locales } from './scripts/entryPoints.mjs';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    transport: 'src/transport/index.ts',
    react: 'src/react/index.ts',
    ui: 'src/ui/index.ts',
    ...Object.fromEntries(locales.map((tag) => [`locales/${tag}`, `src/i18n/${tag}.ts`])),
    server: 'src/server/index.ts',
    adapters: 'src/adapters/index.ts',
    testing: 'src/testing/index.ts',
  },
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  tsconfig: 'tsconfig.build.json',
  dts: true,
  sourcemap: true,
  clean: true,
  hash: false,
  failOnWarn: true,
  // How long a plugin takes depends on the machine: no reason to fail.
  inputOptions: { checks: { pluginTimings: false } },
  copy: ['src/ui/styles/styles.css'],
  publint: { strict: true },
  attw: { profile: 'esm-only', level: 'error', excludeEntrypoints: ['./styles.css'] },
});
