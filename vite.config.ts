import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { browserArgs, browserPath } from './scripts/browser.mjs';
import { entryPoints } from './scripts/entryPoints.mjs';
import { pinAi } from './scripts/pinAi.mjs';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const sdkInline = [/@testing-library\/react/, /ai-sdk-react-v4/, /@ai-sdk\/react/];
const withSdk = [
  'test/transport/**/*.test.{ts,tsx}',
  'test/recovery/**/*.test.{ts,tsx}',
  'test/react/**/*.test.{ts,tsx}',
  'test/scenarios/**/*.test.{ts,tsx}',
  'test/walks/**/*.test.{ts,tsx}',
  'test/plain/**/*.test.{ts,tsx}',
  'test/network/**/*.test.tsx',
];

export default defineConfig({
  plugins: [react()],
  resolve: { alias: entryPoints },
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
      // The hook on React 18.3: what a person sees must be the same.
      ...(['6', '7'] as const).map((major) => ({
        extends: true as const,
        plugins: [pinAi(major, '18')],
        define: { __AI_MAJOR__: major },
        test: {
          name: `ai${major}-react18`,
          environment: 'jsdom',
          include: ['test/react/**/*.test.{ts,tsx}', 'test/scenarios/**/*.test.{ts,tsx}'],
          setupFiles: [at('test/setup/strictConsole.ts')],
          server: { deps: { inline: sdkInline } },
        },
      })),
      {
        extends: true,
        optimizeDeps: {
          include: [
            'react',
            'react-dom',
            'react-dom/client',
            'react/jsx-dev-runtime',
            'react/jsx-runtime',
            'axe-core',
            'vitest-browser-react',
            'zod/v4/mini',
          ],
        },
        test: {
          name: 'browser',
          include: ['test/ui/**/*.test.tsx'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { executablePath: browserPath(), args: browserArgs },
            }),
            instances: [{ browser: 'chromium' }],
          },
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
