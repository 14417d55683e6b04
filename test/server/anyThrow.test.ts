import { describe, expect, test } from 'vitest';
import { allAdapters } from '../../src/adapters/allAdapters.ts';
import { parseHelixChatError } from '../../src/errors/parseHelixChatError.ts';
import { isErrorCode } from '../../src/protocol/codes.ts';
import * as server from '../../src/server/index.ts';
import { createManualWorld } from '../../src/testing/manualWorld.ts';
import { ODD_HELIX_ERROR, THROWN } from './thrownValues.ts';

type Use = (thrown: unknown) => unknown;

const { HelixError } = server;

/** A model that fails so, at once, in its stream, or in a whole answer. */
async function failingModel(thrown: unknown): Promise<readonly unknown[]> {
  const world = createManualWorld();
  const fail = async (_options: object): Promise<never> => {
    throw thrown;
  };
  const broken = async (_options: object) => ({
    stream: new ReadableStream<unknown>({ pull: (controller) => controller.error(thrown) }),
  });
  const failures: unknown[] = [];
  for (const doStream of [fail, broken]) {
    const model = server.withProviderRetry({ doStream, doGenerate: fail }, { world });
    const read = async () => (await model.doStream({})).stream.getReader().read();
    for (const call of [read, async () => model.doGenerate({})]) {
      const failed = call().then(
        () => failures.push('answered'),
        (error: unknown) => failures.push(error),
      );
      await world.advance(60_000);
      await failed;
    }
  }
  return failures.map((error) => server.mapVercelError(error));
}

/** Every function of the entry that takes what was thrown, and what it makes of it. */
const USES: Readonly<Record<string, Use>> = {
  chatErrorResponse: (thrown) => server.chatErrorResponse(thrown, { exposeDetail: true }),
  entryFailureResponse: (thrown) =>
    server.entryFailureResponse(thrown, { committed: false, exposeDetail: true }),
  classifyEntryFailure: server.classifyEntryFailure,
  classifyError: server.classifyError,
  classifyKnownError: server.classifyKnownError,
  mapVercelError: (thrown) => server.mapVercelError(thrown, { beforeOutput: true, now: 0 }),
  resolveErrorDetail: (thrown) => server.resolveErrorDetail(thrown),
  attachErrorDetail: (thrown) => void server.attachErrorDetail(thrown, { message: 'm' }),
  errorDetailOf: server.errorDetailOf,
  // It gives back what it was given where that is an Error: its text may be in it.
  ensureError: (thrown) => void server.ensureError(thrown),
  extractErrorMessage: (thrown) => void server.extractErrorMessage(thrown),
  isHelixError: (thrown) => server.isHelixError(thrown),
  isAgentNotFoundError: server.isAgentNotFoundError,
  isRetryableLLMStepError: (thrown) => [
    server.isRetryableLLMStepError(thrown),
    server.isRetryableLLMStepError({ type: 'error', error: thrown }),
  ],
  isTerminalLLMStepError: server.isTerminalLLMStepError,
  parseErrorEvent: (thrown) => void server.parseErrorEvent(thrown),
  redact: server.redact,
  holdLLMErrorReport: (thrown) => {
    const written: unknown[] = [];
    const held = server.holdLLMErrorReport((error) => written.push(error));
    held.onError(thrown);
    held.onError({ error: thrown });
    held.settle(thrown, { retried: true });
    held.settle({ type: 'error', error: thrown, shouldStop: true }, { retried: false });
    held.end(thrown);
    return written;
  },
  HelixError: (thrown) => {
    const error = new HelixError({ code: 'provider_error', cause: thrown });
    return [error, error.message];
  },
  typedErrorBody: (thrown) =>
    server.typedErrorBody(new HelixError({ cause: thrown }), { exposeDetail: true }),
  typedErrorResponse: (thrown) => server.typedErrorResponse(server.classifyError(thrown)),
  httpStatusForHelixError: (thrown) =>
    server.httpStatusForHelixError(server.classifyError(thrown), { committed: false }),
  errorChunks: (thrown) => server.errorChunks(server.classifyError(thrown), { exposeDetail: true }),
  writeErrorChunk: (thrown) => {
    const written: unknown[] = [];
    const writer = { write: (chunk: unknown) => void written.push(chunk) };
    server.writeErrorChunk(writer, server.mapVercelError(thrown));
    return written;
  },
  withProviderRetry: failingModel,
  // A route of its own is played with the same values elsewhere.
  createChatRoute: async (thrown) => {
    const route = server.createChatRoute({
      world: createManualWorld(),
      onError: () => {},
      reply: () => {
        throw thrown;
      },
      authorize: () => {
        throw thrown;
      },
    });
    return route(new Request('http://helix.test/api/chat', { method: 'POST', body: '{}' }));
  },
};

/** Functions and classes that are given no thrown value. */
const OTHERS = [
  ...['createMaxStepsExhaustedError', 'createMemoryStore', 'createRedisStore'],
  ...['agentStepResultSchema'],
  ...['failAgentStreamInputSchema', 'attemptSupersededPart', 'resumeRejectedPart'],
  ...['resyncPart', 'runPart'],
];

const isErrorClass = (value: unknown): boolean =>
  typeof value === 'function' && value.prototype instanceof Error && value !== HelixError;

test('every function of the entry is tried, or takes no thrown value', () => {
  const offered = Object.entries(server)
    .filter(([, value]) => typeof value === 'function' && !isErrorClass(value))
    .map(([name]) => name);
  expect([...Object.keys(USES), ...OTHERS].toSorted()).toEqual(offered.toSorted());
});

/** A result as the text that could be sent or logged. */
async function textOf(result: unknown): Promise<string> {
  const settled = await result;
  if (!(settled instanceof Response)) return JSON.stringify(settled) ?? '';
  const text = await settled.text();
  const body = parseHelixChatError({ status: settled.status, body: text });
  expect(isErrorCode(body?.code)).toBe(true);
  expect(text).not.toContain('PLANTED');
  return `${[...settled.headers]}${text}`;
}

describe.each(THROWN)('%s', (_name, make) => {
  test.each(Object.entries(USES))(
    'does not throw out of %s, and no key gets out',
    async (_, use) => {
      expect(await textOf(use(make()))).not.toContain('sk-live');
    },
  );

  test('is asked of every adapter without a throw, and answered typed', async () => {
    for (const adapter of allAdapters) {
      expect(await textOf(adapter(make(), { now: 0 }))).not.toContain('sk-live');
    }
    const response = server.chatErrorResponse(make(), { adapters: allAdapters, now: 0 });
    expect(await textOf(response)).not.toContain('sk-live');
  });

  test('as the cause of an error class does not throw', async () => {
    for (const [name, Class] of Object.entries(server)) {
      if (!isErrorClass(Class) || name === 'AgentResolutionError') continue;
      const made = new (Class as new (text: string, options: object) => Error)('m', {
        cause: make(),
      });
      const response = server.chatErrorResponse(made, { exposeDetail: true });
      expect(await textOf(response)).not.toContain('sk-live');
    }
    const failed = server.AgentResolutionError.failed('a', make());
    expect(await textOf(server.entryFailureResponse(failed, { committed: true }))).not.toContain(
      'sk-live',
    );
  });
});

describe('a HelixError of another copy that holds what none does', () => {
  test.each(Object.entries(USES))('does not throw out of %s', async (_, use) => {
    await use({ ...ODD_HELIX_ERROR });
  });

  test('is answered by what of it can be read', async () => {
    const response = server.chatErrorResponse({ ...ODD_HELIX_ERROR });
    expect([response.status, await response.json()]).toEqual([
      500,
      {
        error: server.typedErrorBody(new HelixError({ code: 'provider_error' })).error,
        code: 'provider_error',
      },
    ]);
  });
});
