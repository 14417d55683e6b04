import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { storybookTest } from '@storybook/addon-vitest/vitest-plugin';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { browserArgs, browserPath } from './scripts/browser.mjs';
import { entryPoints } from './scripts/entryPoints.mjs';
import { pinAi } from './scripts/pinAi.mjs';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const sdkInline = [
  /@testing-library\/react/,
  /ai-sdk-react-v[34]/,
  /@ai-sdk\/react/,
  /react-error-boundary/,
  /react-stately/,
  /use-sync-external-store/,
];
const withSdk = [
  'test/transport/**/*.test.{ts,tsx}',
  'test/recovery/**/*.test.{ts,tsx}',
  'test/react/**/*.test.{ts,tsx}',
  'test/behaviours/**/*.test.tsx',
  'test/scenarios/**/*.test.{ts,tsx}',
  'test/walks/**/*.test.{ts,tsx}',
  'test/plain/**/*.test.{ts,tsx}',
  'test/network/**/*.test.tsx',
  'test/hydration/**/*.test.tsx',
];

/** What every corner of the matrix runs: two majors of the AI SDK, newest and floor, on React 19 and 18.3. */
const everywhere = [
  'test/hydration/**/*.test.tsx',
  'test/transport/**/*.test.{ts,tsx}',
  'test/recovery/**/*.test.{ts,tsx}',
  'test/react/**/*.test.{ts,tsx}',
  'test/behaviours/**/*.test.tsx',
  'test/scenarios/**/*.test.{ts,tsx}',
];
const corners = (['6', '7'] as const).flatMap((major) => [
  { major, react: '18', sdk: 'newest' } as const,
  { major, react: '19', sdk: 'floor' } as const,
  { major, react: '18', sdk: 'floor' } as const,
]);
const cornerName = ({ major, react, sdk }: (typeof corners)[number]) =>
  [
    `ai${major}`,
    ...(sdk === 'floor' ? ['floor'] : []),
    ...(react === '18' ? ['react18'] : []),
  ].join('-');

/** What a browser is served in one piece from the start: found late, it would make the page load anew. */
const inBrowser = [
  'react',
  'react-dom',
  'react-dom/client',
  'react/jsx-dev-runtime',
  'react/jsx-runtime',
  'axe-core',
  'vitest-browser-react',
  'zod/v4/mini',
  'ai',
  '@ai-sdk/react',
  'react-error-boundary',
  'react-stately/useToastState',
  'sonner',
];

const chromium = () => ({
  enabled: true,
  headless: true,
  screenshotFailures: false,
  provider: playwright({ launchOptions: { executablePath: browserPath(), args: browserArgs } }),
  instances: [{ browser: 'chromium' as const }],
});

export default defineConfig({
  plugins: [react()],
  resolve: { alias: entryPoints },
  // Packages may stand elsewhere and be linked.
  server: { fs: { allow: [at('.'), realpathSync(at('node_modules'))] } },
  test: {
    reporters: ['default', at('scripts/countReporter.mjs')],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'node',
          include: ['test/**/*.test.ts'],
          exclude: [...withSdk, 'test/ui/**', 'test/e2e/**'],
        },
      },
      ...(['6', '7'] as const).map((major) => ({
        extends: true as const,
        plugins: [pinAi(major)],
        define: { __AI_MAJOR__: major },
        test: {
          name: `ai${major}`,
          environment: 'jsdom',
          include: withSdk,
          setupFiles: [at('test/setup/strictConsole.ts')],
          server: { deps: { inline: sdkInline } },
        },
      })),
      // The same suites at the other corners: what a person sees must be the same.
      ...corners.map((corner) => ({
        extends: true as const,
        plugins: [pinAi(corner.major, corner)],
        define: { __AI_MAJOR__: corner.major },
        test: {
          name: cornerName(corner),
          environment: 'jsdom',
          include: everywhere,
          setupFiles: [at('test/setup/strictConsole.ts')],
          server: { deps: { inline: sdkInline } },
          // One page for all files of a worker: the corners together cost less than one of them with a page a file.
          isolate: false,
        },
      })),
      {
        extends: true,
        optimizeDeps: { include: inBrowser },
        test: {
          name: 'browser',
          include: ['test/ui/**/*.test.tsx'],
          browser: chromium(),
        },
      },
      // Every story, played and looked at in each way: `.storybook/looks.ts`.
      {
        extends: true,
        plugins: [storybookTest({ configDir: at('.storybook') })],
        optimizeDeps: { include: inBrowser },
        test: {
          name: 'stories',
          setupFiles: [at('.storybook/looks.ts')],
          browser: chromium(),
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
