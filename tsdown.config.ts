import { readFileSync } from 'node:fs';
import { transform } from 'lightningcss';
import { defineConfig } from 'tsdown';
import { locales } from './scripts/entryPoints.mjs';

const filename = 'src/ui/styles/styles.css';

/** The stylesheet without its comments and spaces: an app that serves it as it is serves less. */
const styles = {
  name: 'styles',
  generateBundle(this: { emitFile(file: object): string }) {
    const { code } = transform({ filename, code: readFileSync(filename), minify: true });
    this.emitFile({ type: 'asset', fileName: 'styles.css', source: code });
  },
};

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
  plugins: [styles],
  publint: { strict: true },
  attw: { profile: 'esm-only', level: 'error', excludeEntrypoints: ['./styles.css'] },
});
