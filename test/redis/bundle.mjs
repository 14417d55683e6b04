import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { entryPoints } from '../../scripts/entryPoints.mjs';

/** Bundles the server process of these tests into a folder: `node bundle.mjs folder`. */
await build({
  configFile: false,
  root: fileURLToPath(new URL('.', import.meta.url)),
  logLevel: 'error',
  resolve: { alias: entryPoints },
  ssr: { noExternal: true },
  build: {
    ssr: fileURLToPath(new URL('serve.ts', import.meta.url)),
    outDir: process.argv[2],
    target: 'node20',
    rollupOptions: { output: { entryFileNames: 'serve.mjs' } },
  },
});
