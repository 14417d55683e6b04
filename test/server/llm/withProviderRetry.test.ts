import { createOpenAI } from '@ai-sdk/openai';
import { streamText } from 'ai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HelixError } from '../../../src/errors/HelixError.ts';
import { resolveErrorDetail } from '../../../src/errors/resolveErrorDetail.ts';
import { mapVercelError } from '../../../src/server/mapVercelError.ts';
import { type ProviderRetry, withProviderRetry } from '../../../src/server/withProviderRetry.ts';
import { createManualWorld, type ManualWorld } from '../../../src/testing/manualWorld.ts';
import { createBench, user } from '../chatClient.ts';
import {
  breakAfter,
  closedPort,
  type ProviderServer,
  resetAtOnce,
  silence,
  startProviderServer,
  whole,
} from './providerServer.ts';
import { providers, reply, streamed } from './sdks.ts';

const drop = () => Object.assign(new Error('Network connection lost.'), { retryable: true });
const masked = (fields: object = {}) =>
  Object.assign(new Error('internal error; reference = x1'), fields);
const answered = (statusCode: number | undefined, isRetryable: boolean) =>
  Object.assign(new Error('said'), { name: 'AI_APICallError', statusCode, isRetryable });

const START = { type: 'stream-start', warnings: [] };
const META = { type: 'response-metadata', id: 'r1' };
const OPEN = { type: 'text-start', id: 't' };
const WORD = { type: 'text-delta', id: 't', delta: 'Hi' };
const END = { type: 'finish' };

type Step = object | Error;

/** A stream that gives parts and then ends, or fails with the error that stands last. */
function streamOf(steps: readonly Step[]): ReadableStream<unknown> {
  const rest = [...steps];
  return new ReadableStream(
    {
      pull(controller) {
        const step = rest.shift();
        if (step === undefined) controller.close();
        else if (step instanceof Error) controller.error(step);
        else controller.enqueue(step);
      },
    },
    { highWaterMark: 0 },
  );
}

interface Given {
  readonly abortSignal?: AbortSignal;
}

/** What a call does: fails, or gives a stream. */
type Script = Error | string | readonly Step[] | ((given: Given) => Promise<never>);

class ScriptedModel {
  readonly specificationVersion = 'v3';
  readonly #id = 'm1';
  readonly calls: Given[] = [];
  readonly #scripts: Script[];

  constructor(scripts: readonly Script[]) {
    this.#scripts = [...scripts];
  }

  get modelId() {
    return this.#id;
  }

  ownId() {
    return this.#id;
  }

  async #next(given: Given) {
    this.calls.push(given);
    const script = this.#scripts.shift();
    if (script === undefined) throw new RangeError('Nothing was scripted.');
    if (typeof script === 'function') return script(given);
    if (typeof script === 'string' || script instanceof Error) throw script;
    return script;
  }

  async doStream(given: Given) {
    return { stream: streamOf(await this.#next(given)), response: { headers: { a: '1' } } };
  }

  async doGenerate(given: Given) {
    return { content: await this.#next(given) };
  }
}

interface Run {
  readonly world: ManualWorld;
  readonly model: ScriptedModel;
  readonly retries: ProviderRetry[];
  readonly wrapped: ScriptedModel;
}

function wrap(
  scripts: readonly Script[],
  options: { maxRetries?: number; connectTimeoutMs?: number } = {},
): Run {
  const world = createManualWorld();
  const model = new ScriptedModel(scripts);
  const retries: ProviderRetry[] = [];
  const onRetry = (about: ProviderRetry) => retries.push(about);
  return {
    world,
    model,
    retries,
    wrapped: withProviderRetry(model, { world, onRetry, ...options }),
  };
}

const settled = (promise: Promise<unknown>) =>
  promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

/** Plays a call to its end and says what came of it. */
async function play(run: Run, given: Given = {}) {
  const parts: unknown[] = [];
  const reading = settled(
    (async () => {
      const { stream } = await run.wrapped.doStream(given);
      for await (const part of stream as unknown as AsyncIterable<unknown>) parts.push(part);
    })(),
  );
  await run.world.advance(120_000);
  const outcome = await reading;
  const error = 'error' in outcome ? outcome.error : undefined;
  expect(run.world.pending()).toBe(0);
  return { parts, error, calls: run.model.calls.length, waits: run.retries.map((r) => r.delayMs) };
}

describe('a call that drops before output', () => {
  test('is made again after 2, 4 and 8 s, and its reader sees only the one that held', async () => {
    const good = [START, META, OPEN, WORD, END];
    const run = wrap([
      drop(),
      [START, drop()],
      [START, META, OPEN, { type: 'error', error: drop() }],
      good,
    ]);
    expect(await play(run)).toEqual({
      parts: good,
      error: undefined,
      calls: 4,
      waits: [2_000, 4_000, 8_000],
    });
    expect(run.retries[0]).toMatchObject({ retry: 1, error: { code: 'provider_error' } });
  });

  test('ends, when the retries run out, as one that nobody repeats', async () => {
    const { error, calls } = await play(wrap([drop(), drop(), drop(), drop(), [WORD]]));
    expect(calls).toBe(4);
    expect(error).toMatchObject({
      code: 'provider_error',
      retryable: false,
      message: 'Failed after retries: Network connection lost.',
    });
    expect(mapVercelError(error)).toBe(error);
  });

  test('stays as it came, retryable, where retries are off', async () => {
    const error = drop();
    expect(await play(wrap([error], { maxRetries: 0 }))).toMatchObject({ error, calls: 1 });
    expect(mapVercelError(error)).toMatchObject({ code: 'provider_error', retryable: true });
  });

  test('is left, where its stream only reported the drop', async () => {
    const world = createManualWorld();
    let left: unknown;
    const parts = [START, { type: 'error', error: drop() }];
    const reporting = {
      doStream: async (_given: object) => ({
        stream: new ReadableStream<unknown>({
          pull: (controller) => controller.enqueue(parts.shift() ?? WORD),
          cancel: (reason) => {
            left ??= reason;
          },
        }),
      }),
      doGenerate: async () => ({}),
    };
    const calling = settled(withProviderRetry(reporting, { world }).doStream({}));
    await world.advance(2_000);
    expect(await calling).toHaveProperty('value');
    expect(left).toMatchObject({ message: 'Network connection lost.' });
  });

  test('may be retried 5 times, for 62 s in all', async () => {
    const { waits } = await play(wrap(Array.from({ length: 6 }, drop), { maxRetries: 5 }));
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 32_000]);
  });

  test('is the same for a call that gives its answer whole', async () => {
    const run = wrap([drop(), [WORD]]);
    const reading = settled(run.wrapped.doGenerate({}));
    await run.world.advance(2_000);
    expect(await reading).toEqual({ value: { content: [WORD] } });
  });

  test('and one that was not connected, as provider packages report it', async () => {
    const lost = answered(undefined, true);
    const { calls, error } = await play(wrap([lost, lost], { maxRetries: 1 }));
    expect(calls).toBe(2);
    expect(error).toMatchObject({ code: 'provider_error', retryable: false });
  });
});

describe('a call that is not made again', () => {
  test.each<[string, Error | string]>([
    ['one that was answered with 429', answered(429, true)],
    ['one that was answered with 503', answered(503, true)],
    ['one that could not connect for good', answered(undefined, false)],
    ['an error of a class', new RangeError('x')],
    ['a HelixError', new HelixError({ code: 'tool_timeout', retryable: true })],
    ['an abort', new DOMException('x', 'AbortError')],
    ['a text', 'x'],
  ])('%s is thrown as it came', async (_, error) => {
    expect(await play(wrap([error]))).toMatchObject({ error, calls: 1, waits: [] });
  });

  test('one that drops after its first word: what was shown stays', async () => {
    const error = drop();
    const played = await play(wrap([[START, WORD, error]]));
    expect(played).toMatchObject({ parts: [START, WORD], error, calls: 1 });
  });

  test('one whose stream fails otherwise before output: it goes on as it was', async () => {
    const error = new Error('bad frame');
    expect(await play(wrap([[START, error]]))).toMatchObject({ parts: [START], error, calls: 1 });
    const reported = { type: 'error', error: { type: 'overloaded_error', message: 'm' } };
    const played = await play(wrap([[START, reported, END]]));
    expect(played).toMatchObject({ parts: [START, reported, END], error: undefined, calls: 1 });
  });

  test('one that ends without a word', async () => {
    expect(await play(wrap([[START]]))).toMatchObject({ parts: [START], calls: 1 });
  });
});

describe('a provider that is not reached', () => {
  test.each([
    ['a plain Error', masked()],
    ['a TypeError', new TypeError('fetch failed')],
  ])('by %s is asked once more after 2 s, and never again', async (_, error) => {
    const played = await play(wrap([error, error, [WORD]]));
    expect(played).toMatchObject({
      calls: 2,
      waits: [2_000],
      error: {
        code: 'provider_unreachable',
        retryable: false,
        message: 'The model provider could not be reached.',
        cause: error,
      },
    });
  });

  test('answers at the second try', async () => {
    expect(await play(wrap([masked(), [WORD]]))).toMatchObject({ parts: [WORD], calls: 2 });
  });

  test('is not asked again where its platform is overloaded', async () => {
    const flags = { overloaded: true, remote: true };
    const { calls, error } = await play(wrap([masked(flags)]));
    expect([calls, resolveErrorDetail(error)]).toMatchObject([
      1,
      { code: 'provider_unreachable', flags, cause: { flags } },
    ]);
  });

  test('nor where retries are off', async () => {
    expect(await play(wrap([masked()], { maxRetries: 0 }))).toMatchObject({
      calls: 1,
      error: { code: 'provider_unreachable', retryable: false },
    });
  });
});

describe('a limit on the time until an answer begins', () => {
  const forever = (): Promise<never> => new Promise(() => {});

  test('aborts the call, asks once more, and ends as unreachable', async () => {
    const run = wrap([forever, forever], { connectTimeoutMs: 15_000 });
    const played = await play(run);
    expect(played).toMatchObject({ calls: 2, error: { code: 'provider_unreachable' } });
    expect(run.model.calls.map(({ abortSignal }) => abortSignal?.aborted)).toEqual([true, true]);
  });

  test('leaves an answer that comes too late', async () => {
    const world = createManualWorld();
    let begin = (_result: { stream: ReadableStream<unknown> }) => {};
    let left = false;
    const late = {
      doStream: (_given: object) =>
        new Promise<{ stream: ReadableStream<unknown> }>((resolve) => {
          begin = resolve;
        }),
      doGenerate: async () => ({}),
    };
    const options = { world, connectTimeoutMs: 10, maxRetries: 0 };
    const calling = settled(withProviderRetry(late, options).doStream({}));
    await world.advance(10);
    begin({
      stream: new ReadableStream({
        cancel: () => {
          left = true;
        },
      }),
    });
    expect(await calling).toMatchObject({ error: { code: 'provider_unreachable' } });
    await world.settle();
    expect(left).toBe(true);
  });

  test('does not touch an answer that has begun', async () => {
    const run = wrap([[START, WORD, END]], { connectTimeoutMs: 1 });
    expect(await play(run)).toMatchObject({ parts: [START, WORD, END], calls: 1 });
    expect(run.model.calls[0]?.abortSignal?.aborted).toBe(false);
  });

  test('lets go of the caller’s signal when the stream is over or left', async () => {
    const listeners = new Set<unknown>();
    const { signal } = new AbortController();
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners.add(args[1]);
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners.delete(args[1]);
      remove(...args);
    };
    const timed = { connectTimeoutMs: 1_000 };
    const scripts = [drop(), [START, drop()], [START, WORD, END]];
    await play(wrap(scripts, timed), { abortSignal: signal });
    expect(listeners.size).toBe(0);
    const { stream } = await wrap([[WORD, END]], timed).wrapped.doStream({ abortSignal: signal });
    await stream.cancel();
    expect(listeners.size).toBe(0);
  });
});

describe('an abort', () => {
  test('ends the wait between two tries, and no call follows', async () => {
    const stop = new AbortController();
    const run = wrap([drop(), [WORD]]);
    const calling = settled(run.wrapped.doStream({ abortSignal: stop.signal }));
    await run.world.advance(1_000);
    stop.abort();
    const outcome = await calling;
    expect(outcome).toMatchObject({ error: { name: 'AbortError' } });
    expect(mapVercelError((outcome as { error: unknown }).error).code).toBe('framework_cancelled');
    expect([run.model.calls.length, run.world.pending()]).toEqual([1, 0]);
  });

  test('during a call is passed on as it came, even as a drop', async () => {
    const stop = new AbortController();
    const error = drop();
    const run = wrap([
      async () => {
        stop.abort();
        throw error;
      },
    ]);
    expect(await play(run, { abortSignal: stop.signal })).toMatchObject({ error, calls: 1 });
  });

  test('reaches the call through the limit’s own signal', async () => {
    const stop = new AbortController();
    const waits = ({ abortSignal }: Given) =>
      new Promise<never>((_, reject) => {
        abortSignal?.addEventListener('abort', () => reject(abortSignal.reason));
      });
    const run = wrap([waits], { connectTimeoutMs: 60_000 });
    const calling = settled(run.wrapped.doStream({ abortSignal: stop.signal }));
    await run.world.settle();
    stop.abort();
    expect(await calling).toMatchObject({ error: { name: 'AbortError' } });
    expect(run.world.pending()).toBe(0);
  });

  test('while a stream has said nothing hands it over as it is', async () => {
    const stop = new AbortController();
    const world = createManualWorld();
    let left: unknown = 'not';
    const deaf = {
      doStream: async () => ({
        stream: new ReadableStream<unknown>({
          cancel(reason) {
            left = reason;
          },
        }),
      }),
      doGenerate: async () => ({}),
    };
    const calling = withProviderRetry(deaf, { world }).doStream as unknown as (
      given: Given,
    ) => Promise<{ stream: ReadableStream<unknown> }>;
    const opening = calling({ abortSignal: stop.signal });
    await world.settle();
    stop.abort();
    await (await opening).stream.cancel('enough');
    expect(left).toBe('enough');
  });
});

describe('the wrapped model', () => {
  test('is the model in everything else, private fields too', () => {
    const { wrapped } = wrap([]);
    expect(wrapped.modelId).toBe('m1');
    expect(wrapped.ownId()).toBe('m1');
    expect(wrapped.specificationVersion).toBe('v3');
    expect(wrapped).toBeInstanceOf(ScriptedModel);
  });

  test('is a model to the SDK’s own types', () => {
    const model = withProviderRetry(createOpenAI({ apiKey: 'x' }).chat('m'), { maxRetries: 1 });
    const call = () => streamText({ model, prompt: 'Hi' });
    expect([model.modelId, model.provider, typeof call]).toEqual(['m', 'openai.chat', 'function']);
  });

  test('keeps what an answer says beside its stream', async () => {
    const { wrapped } = wrap([[WORD]]);
    expect((await wrapped.doStream({})).response).toEqual({ headers: { a: '1' } });
  });

  test.each([
    ['a model that is only named', 'openai/gpt', {}],
    ['a negative number of retries', new ScriptedModel([]), { maxRetries: -1 }],
    ['half a retry', new ScriptedModel([]), { maxRetries: 0.5 }],
    ['no time at all', new ScriptedModel([]), { connectTimeoutMs: 0 }],
  ])('cannot be made of %s', (_, model, options) => {
    expect(() => withProviderRetry(model as ScriptedModel, options)).toThrow(
      /^\[helix-chat\] withProviderRetry: /,
    );
  });

  test('does not mind a listener that throws', async () => {
    const world = createManualWorld();
    const model = new ScriptedModel([drop(), [WORD]]);
    const onRetry = () => {
      throw new Error('log is full');
    };
    const calling = settled(withProviderRetry(model, { world, onRetry }).doStream({}));
    await world.advance(2_000);
    expect(await calling).toHaveProperty('value');
  });
});

describe('inside a route', () => {
  /** How often the model is called, and how the run ends, when a reply always fails so. */
  async function runOf(script: Script, options: { maxRetries?: number } = {}) {
    const model = new ScriptedModel(Array.from({ length: 40 }, () => script));
    const bench = createBench({
      reply: async function* () {
        const wrapped = withProviderRetry(model, { world: bench.world, ...options });
        const { stream } = await wrapped.doStream({}).catch((error: unknown) => {
          throw mapVercelError(error);
        });
        for await (const part of stream as unknown as AsyncIterable<{ type: string }>) yield part;
      },
    });
    const read = bench.read(await bench.send(user('u1', 'Hi')));
    await bench.world.advance(300_000);
    const { status, error } = await bench.snapshot();
    const errors = read.chunks.filter(({ type }) => type === 'error').length;
    return { calls: model.calls.length, status, code: error?.code, errors };
  }

  test.each<[string, Script, number, string]>([
    ['a drop', drop(), 4, 'provider_error'],
    ['an unreachable provider', masked(), 2, 'provider_unreachable'],
    ['an overloaded platform', masked({ overloaded: true }), 1, 'provider_unreachable'],
  ])('the step retry does not multiply the calls for %s', async (_, script, calls, code) => {
    expect(await runOf(script)).toEqual({ calls, status: 'failed', code, errors: 1 });
  });

  test('the step retry is what repeats a drop where these retries are off', async () => {
    expect(await runOf(drop(), { maxRetries: 0 })).toMatchObject({ calls: 4, errors: 1 });
  });
});

describe.each(providers)('%s over HTTP', (_name, sdk, provider) => {
  let server: ProviderServer;
  beforeAll(async () => {
    server = await startProviderServer();
  });
  afterAll(() => server.close());

  /** A call on a manual clock that moves as soon as somebody waits on it. */
  async function call(url: string, options: { maxRetries?: number; sdkRetries?: number } = {}) {
    const world = createManualWorld();
    const waits: number[] = [];
    const model = withProviderRetry(provider.model(url), {
      world,
      maxRetries: options.maxRetries,
      onRetry: ({ delayMs }) => {
        waits.push(delayMs);
        queueMicrotask(() => void world.advance(delayMs));
      },
    });
    const { error, text } = await streamed(sdk, { model, maxRetries: options.sdkRetries ?? 0 });
    return { error, text, waits, mapped: error === undefined ? undefined : mapVercelError(error) };
  }

  test('a reset before the answer and one before the first word leave no trace', async () => {
    server.answer(
      resetAtOnce,
      breakAfter('text/event-stream', provider.preamble, 'reset'),
      reply(provider),
    );
    const { error, text, waits } = await call(server.url);
    expect([error, waits, server.requests]).toEqual([undefined, [2_000, 4_000], 3]);
    expect(text.startsWith('Hel')).toBe(true);
  });

  test('the SDK’s own retries do not multiply ours', async () => {
    server.answer(resetAtOnce);
    const { mapped } = await call(server.url, { sdkRetries: 2 });
    expect(server.requests).toBe(4);
    expect(mapped).toMatchObject({ code: 'provider_error', retryable: false });
    expect(mapped?.message).toMatch(/^Failed after retries: Cannot connect to API: /);
  });

  test('a refused connection is tried again, and ends as one that nobody repeats', async () => {
    const { mapped, waits } = await call(`http://127.0.0.1:${await closedPort()}`);
    expect(waits).toEqual([2_000, 4_000, 8_000]);
    expect(mapped).toMatchObject({ code: 'provider_error', retryable: false });
  });

  test('a drop after the first word is not tried again', async () => {
    server.answer(breakAfter('text/event-stream', provider.begin, 'reset'));
    const { text, mapped } = await call(server.url);
    expect([text, server.requests]).toEqual(['Hel', 1]);
    expect(mapped).toMatchObject({ code: 'provider_error', retryable: true });
  });

  test('an answer with a status is left to the SDK', async () => {
    server.answer(whole(503, provider.refusal(503, 'Busy')));
    const { mapped } = await call(server.url);
    expect(server.requests).toBe(1);
    expect(mapped).toMatchObject({ code: 'provider_overloaded', retryable: true });
  });

  test('silence past the limit is an unreachable provider', async () => {
    server.answer(silence);
    const world = createManualWorld();
    const model = withProviderRetry(provider.model(server.url), { world, connectTimeoutMs: 5_000 });
    const calling = streamed(sdk, { model });
    await server.reached();
    await world.runUntil(() => server.requests === 2 && world.pending() > 0);
    await world.advance(5_000);
    expect(mapVercelError((await calling).error)).toMatchObject({
      code: 'provider_unreachable',
      retryable: false,
    });
    expect(server.requests).toBe(2);
  });
});
