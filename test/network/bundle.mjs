import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { entryPoints } from '../../scripts/entryPoints.mjs';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const [what, folder] = process.argv.slice(2);

/** Bundles the server, or the page, of these tests into a folder: `node bundle.mjs server|page folder`. */
const shared = {
  configFile: false,
  root: at('.'),
  logLevel: 'error',
  resolve: { alias: entryPoints },
};

if (what === 'server') {
  await build({
    ...shared,
    ssr: { noExternal: true },
    build: {
      ssr: at('serve.ts'),
      outDir: join(folder, 'server'),
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'serve.mjs' } },
    },
  });
} else {
  await build({
    ...shared,
    mode: 'development',
    define: { 'process.env.NODE_ENV': JSON.stringify('development') },
    plugins: [react()],
    build: {
      lib: { entry: at('page.tsx'), formats: ['es'], fileName: () => 'page.js' },
      outDir: join(folder, 'page'),
      target: 'es2022',
    },
  });
}
