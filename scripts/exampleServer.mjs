import { createServer as createHttpServer } from 'node:http';
import { extname } from 'node:path';
import react from '@vitejs/plugin-react';
import { build, createServer as createViteServer } from 'vite';
import { entryPoints } from './entryPoints.mjs';
import { root } from './packages.mjs';

const mediaTypes = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** What the two Vite runs share: the example's folder, and helix-chat by its public names, from source. */
const shared = {
  configFile: false,
  root: `${root}example-app`,
  logLevel: 'error',
  resolve: { alias: entryPoints },
};

/** Builds the page in memory: a map from address to bytes. `development` keeps React's own warnings. */
async function buildPage(mode) {
  const { output } = await build({
    ...shared,
    mode,
    define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
    plugins: [react()],
    build: { write: false, target: 'es2022', modulePreload: { polyfill: false } },
  });
  const files = output.map((item) => [
    item.fileName === 'index.html' ? '/' : `/${item.fileName}`,
    { body: item.type === 'chunk' ? item.code : item.source, type: extname(item.fileName) },
  ]);
  return new Map(files);
}

/** Loads the example's TypeScript server, without a dev server's socket, watcher or pre-bundling. */
async function loadApi(environment) {
  const vite = await createViteServer({
    ...shared,
    appType: 'custom',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  const { createNodeApi } = await vite.ssrLoadModule('/server/createNodeApi.ts');
  return { api: createNodeApi(environment), close: () => vite.close() };
}

function servePage(page, request, response) {
  const path = new URL(request.url, 'http://localhost').pathname;
  const file = page.get(path);
  if (!file || (request.method !== 'GET' && request.method !== 'HEAD')) {
    response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not found\n');
    return;
  }
  response.writeHead(200, { 'Content-Type': mediaTypes[file.type] ?? 'application/octet-stream' });
  response.end(request.method === 'HEAD' ? undefined : file.body);
}

function listen(server, port, host) {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server.address().port));
  });
}

/**
 * Serves the example: the page and its API on one address. Port 0 takes a free one. Answers the address and a function
 * that ends it, open streams included.
 */
export async function serveExample({ port, host, mode = 'production', environment = process.env }) {
  const [page, { api, close }] = await Promise.all([buildPage(mode), loadApi(environment)]);
  const server = createHttpServer((request, response) => {
    if (request.url.startsWith('/api/')) api(request, response);
    else servePage(page, request, response);
  });
  const taken = await listen(server, port, host);
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await close();
    },
  };
}
