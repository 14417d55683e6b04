import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { build, type Rolldown } from 'vite';
import { beforeAll, describe, expect, test } from 'vitest';
import { HelixError } from '../../src/errors/HelixError.ts';
import type * as Server from '../../src/server/index.ts';
import { createManualWorld } from '../../src/testing/manualWorld.ts';
import { BASE, readEvents, user } from './chatClient.ts';
import { follow, STEP, STEP_END } from './scriptedReply.ts';

const entry = fileURLToPath(new URL('../../src/server/index.ts', import.meta.url));

/** What the code of the entry imports by name, of packages and of Node. */
const named = new Set<string>();

/** The whole entry as one script, with everything that it needs. */
async function bundle(): Promise<string> {
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
      lib: { entry, formats: ['iife'], name: 'helixServer' },
      rolldownOptions: { external: [], platform: 'neutral' },
    },
  })) as Rolldown.RolldownOutput[];
  const chunks = output.flatMap(({ output: files }) => files);
  expect(chunks).toHaveLength(1);
  const [chunk] = chunks;
  return chunk?.type === 'chunk' ? chunk.code : '';
}

// What a worker has: no `process`, no `Buffer`, no `require`, no `window`, no `document`, no `navigator`.
const webApis = {
  ...{ URL, URLSearchParams, Request, Response, Headers, fetch },
  ...{ ReadableStream, WritableStream, TransformStream, TextEncoder, TextDecoder },
  ...{ AbortController, AbortSignal, DOMException, Event, EventTarget },
  ...{ structuredClone, queueMicrotask, setTimeout, clearTimeout, console },
};

let code = '';
let server: typeof Server;
beforeAll(async () => {
  code = await bundle();
  // A worker makes no code of texts either.
  const context = createContext(
    { ...webApis },
    { codeGeneration: { strings: false, wasm: false } },
  );
  server = runInContext(`${code}\nhelixServer`, context) as typeof Server;
}, 60_000);

describe('the server entry, in a world that has only web APIs', () => {
  test('imports zod’s small build of packages, and nothing else', () => {
    expect([...named]).toEqual(['zod/v4/mini']);
  });

  test('asks the world around it for nothing that is not there', () => {
    expect(code).not.toMatch(/\brequire\(|\bimport\(|\bprocess\.|\bBuffer\b|\bReact\b/);
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
