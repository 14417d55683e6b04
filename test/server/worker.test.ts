import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import ts from 'typescript';
import { build, type Rolldown } from 'vite';
import { beforeAll, describe, expect, test } from 'vitest';
import type * as Adapters from '../../src/adapters/index.ts';
import { HelixError } from '../../src/errors/HelixError.ts';
import type * as Server from '../../src/server/index.ts';
import { createManualWorld } from '../../src/testing/manualWorld.ts';
import { nodesOf, parseSource } from '../architecture/sources.ts';
import { BASE, readEvents, user } from './chatClient.ts';
import { follow, STEP, STEP_END } from './scriptedReply.ts';

/** An entry as one script, and what its code imports by name, of packages and of Node. */
interface Bundle {
  readonly code: string;
  readonly named: ReadonlySet<string>;
}

/** The whole entry as one script, with everything that it needs. */
async function bundle(room: 'server' | 'adapters'): Promise<Bundle> {
  const entry = fileURLToPath(new URL(`../../src/${room}/index.ts`, import.meta.url));
  const named = new Set<string>();
  const output = (await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'names',
        enforce: 'pre',
        resolveId(id, importer) {
          const ownImport = importer?.includes('/src/') === true;
          if (ownImport && !/^[./]/.test(id)) named.add(id);
          // A bundler for browsers would put an empty module in its place, and hide it.
          if (isBuiltin(id)) throw new Error(`${importer} imports ${id} of Node`);
          return null;
        },
      },
    ],
    build: {
      write: false,
      // Without comments, so that a word in the code is code.
      minify: true,
      target: 'es2022',
      lib: { entry, formats: ['iife'], name: 'helixEntry' },
      rolldownOptions: { external: [], platform: 'neutral' },
    },
  })) as Rolldown.RolldownOutput[];
  const chunks = output.flatMap(({ output: files }) => files);
  expect(chunks).toHaveLength(1);
  const [chunk] = chunks;
  return { code: chunk?.type === 'chunk' ? chunk.code : '', named };
}

// Node's, React's, and what only a page has.
const FOREIGN: readonly string[] = [
  ...['require', 'process', 'Buffer', '__dirname', 'React', 'self'],
  ...['window', 'document', 'navigator', 'localStorage', 'sessionStorage', 'HTMLElement', 'Image'],
];

/** The names of that kind that a script uses by themselves: not as a field, nor as the key of one. */
function foreignNames(code: string): readonly string[] {
  const { tree } = parseSource('entry.ts', code);
  return [...nodesOf(tree)].flatMap((node) => {
    if (!ts.isIdentifier(node) || !FOREIGN.includes(node.text)) return [];
    const { parent } = node;
    const isField =
      (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
      ((ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent)) &&
        parent.name === node) ||
      (ts.isBindingElement(parent) && parent.propertyName === node);
    return isField ? [] : [node.text];
  });
}

// What a worker has: no `process`, no `Buffer`, no `require`, no `window`, no `document`, no `navigator`.
const webApis = {
  ...{ URL, URLSearchParams, Request, Response, Headers, fetch },
  ...{ ReadableStream, WritableStream, TransformStream, TextEncoder, TextDecoder },
  ...{ AbortController, AbortSignal, DOMException, Event, EventTarget },
  ...{ structuredClone, queueMicrotask, setTimeout, clearTimeout, console },
};

/** What an entry offers in such a world. A worker makes no code of texts either. */
function load<T>({ code }: Bundle): T {
  const context = createContext(
    { ...webApis },
    { codeGeneration: { strings: false, wasm: false } },
  );
  return runInContext(`${code}\nhelixEntry`, context) as T;
}

let bundles: Readonly<Record<'server' | 'adapters', Bundle>>;
let server: typeof Server;
let adapters: typeof Adapters;
beforeAll(async () => {
  bundles = { server: await bundle('server'), adapters: await bundle('adapters') };
  server = load(bundles.server);
  adapters = load(bundles.adapters);
}, 60_000);

describe('the adapters entry, in a world that has only web APIs', () => {
  test('imports zod’s small build of packages at most', () => {
    expect([...bundles.adapters.named].filter((name) => name !== 'zod/v4/mini')).toEqual([]);
  });

  test('a name of another world is found', () => {
    expect(foreignNames('var a = window.b; x.document; ({ self: 1 }); typeof process')).toEqual([
      'window',
      'process',
    ]);
  });

  test('asks the world around it for nothing that is not there', () => {
    expect(foreignNames(bundles.adapters.code)).toEqual([]);
  });

  test('loads, and offers what it offers elsewhere', async () => {
    const elsewhere = await import('../../src/adapters/index.ts');
    expect(Object.keys(adapters).toSorted()).toEqual(Object.keys(elsewhere).toSorted());
  });

  test('types a foreign error for a route of the server entry', async () => {
    const thrown = { name: 'LLMError', message: 'm', type: 'timeout', retryable: true };
    const response = server.chatErrorResponse(thrown, { adapters: adapters.allAdapters });
    expect([response.status, await response.json()]).toMatchObject([
      503,
      { code: 'provider_timeout' },
    ]);
  });
});

describe('the server entry, in a world that has only web APIs', () => {
  test('imports zod’s small build of packages, and nothing else', () => {
    expect([...bundles.server.named]).toEqual(['zod/v4/mini']);
  });

  test('asks the world around it for nothing that is not there', () => {
    expect(foreignNames(bundles.server.code)).toEqual([]);
    expect(bundles.server.code).not.toMatch(/\bimport\(/);
  });

  test('loads, and offers what it offers elsewhere', async () => {
    const elsewhere = await import('../../src/server/index.ts');
    expect(Object.keys(server).toSorted()).toEqual(Object.keys(elsewhere).toSorted());
  });

  test('answers a conversation', async () => {
    const world = createManualWorld();
    const route = server.createChatRoute({
      world,
      reply: (context) => follow(world, [STEP, 'Hello', STEP_END], context),
    });
    const body = JSON.stringify({
      id: 'c1',
      messages: [user('u1', 'Hi')],
      trigger: 'submit-message',
    });
    const read = readEvents(await route(new Request(BASE, { method: 'POST', body })));
    await world.advance(1_000);
    expect([read.text(), read.ended]).toEqual(['Hello', 'done']);
    const snapshot = await route(new Request(`${BASE}/c1/snapshot`));
    expect(await snapshot.json()).toMatchObject({ status: 'ended', messages: [{}, {}] });
  });

  test('answers on its own clock and chance too', async () => {
    const route = server.createChatRoute({
      reply: async function* () {
        yield { type: 'text-start', id: 't' };
        yield { type: 'text-delta', id: 't', delta: 'Hello' };
        yield { type: 'text-end', id: 't' };
      },
    });
    const body = JSON.stringify({
      id: 'c1',
      messages: [user('u1', 'Hi')],
      trigger: 'submit-message',
    });
    const response = await route(new Request(BASE, { method: 'POST', body }));
    expect(await response.text()).toContain('"delta":"Hello"');
  });

  test('types what a provider failed with, and repeats what gave nothing', async () => {
    const world = createManualWorld();
    const lost = Object.assign(new Error('Network connection lost.'), { retryable: true });
    let calls = 0;
    const model = {
      doStream: async (_options: object): Promise<{ stream: ReadableStream<unknown> }> => {
        calls += 1;
        throw lost;
      },
      doGenerate: async (_options: object) => ({}),
    };
    const calling = server
      .withProviderRetry(model, { world })
      .doStream({})
      .catch((error: unknown) => error);
    await world.advance(60_000);
    const error = server.mapVercelError(await calling);
    expect([calls, error.code, error.retryable]).toEqual([4, 'provider_error', false]);
    // Made in one bundle, known in another.
    expect(HelixError.isInstance(error)).toBe(true);
    const response = server.chatErrorResponse(error, { sessionId: 's1' });
    expect([response.status, await response.json()]).toMatchObject([
      500,
      { code: 'provider_error' },
    ]);
  });

  test('refuses typed', async () => {
    const route = server.createChatRoute({
      reply: () => {
        throw new Error('never asked');
      },
    });
    const response = await route(new Request(BASE, { method: 'POST', body: '{' }));
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { code: 'validation_error' },
    ]);
  });

  test('checks what crosses a boundary', () => {
    const input = { sessionId: 's1', error: 'x', errorCode: 'provider_error' };
    expect(server.failAgentStreamInputSchema().parse(input)).toEqual(input);
  });
});
