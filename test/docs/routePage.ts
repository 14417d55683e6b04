import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import { entryPoints } from '../../scripts/entryPoints.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

const cache = `${root}node_modules/.cache`;
mkdirSync(cache, { recursive: true });

/** Where the page's code is written to: inside the project, so that it finds the packages as an app would. */
export const folder = mkdtempSync(`${cache}/route-page-`);

const page = readFileSync(`${root}docs/writing-a-route.md`, 'utf8');

/** Every block of code on the page, by the name that stands at it. */
export const blocks: ReadonlyMap<string, string> = new Map(
  [...page.matchAll(/^```ts (\S+)\n(.*?)^```$/gms)].map(([, name = '', code = '']) => [name, code]),
);

/** How many fences the page has: each is to be a block with a name. */
export const fences = [...page.matchAll(/^```\S/gm)].length;

/** The one file that a block imports and the page leaves to the reader. */
const LLM = `import { fromFetch, VernLLM } from 'vern-llm';
export const llm = new VernLLM({
  model: 'm',
  maxRetries: 0,
  logger: 'silent',
  client: fromFetch({
    url: String(process.env.OPENAI_BASE_URL),
    mapRequest: (request) => request,
    mapResponse: (json) => (json as { choices: { message: { content: string } }[] }).choices[0]?.message ?? {},
  }),
});
`;

const tsconfig = {
  extends: `${root}tsconfig.json`,
  include: ['**/*.ts'],
  // The page writes ESM of Node as an app would, with nothing of this project beside it.
  compilerOptions: { rootDir: root, allowImportingTsExtensions: true, noEmit: true },
};

/** Writes the page's code as files. */
export function writePage(): void {
  const files = { ...Object.fromEntries(blocks), 'vern/llm.ts': LLM };
  for (const [name, code] of Object.entries(files)) {
    mkdirSync(dirname(`${folder}/${name}`), { recursive: true });
    writeFileSync(`${folder}/${name}`, code);
  }
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(tsconfig));
}

const AI_7 = `${root}node_modules/ai-sdk-react-v4/node_modules/ai/dist/index.js`;

/** A way to run the page's code with one major of the AI SDK, with one thing in it changed where that is asked for. */
export async function loadPage(
  major: 6 | 7,
  change?: { readonly from: string; readonly to: string },
) {
  const newest = [
    { find: /^ai$/, replacement: AI_7 },
    { find: /^@ai-sdk\/openai$/, replacement: 'ai-sdk-openai-v4' },
  ];
  const vite = await createServer({
    configFile: false,
    root: folder,
    logLevel: 'error',
    appType: 'custom',
    plugins:
      change === undefined
        ? []
        : [
            {
              name: 'change',
              enforce: 'pre',
              transform: (code) => code.replace(change.from, change.to),
            },
          ],
    resolve: { alias: major === 7 ? [...entryPoints, ...newest] : entryPoints },
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  return {
    load: async <T>(name: string) => (await vite.ssrLoadModule(`/${name}`)) as T,
    close: () => vite.close(),
  };
}
