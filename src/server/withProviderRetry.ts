import type { HelixError } from '../errors/HelixError.ts';
import { readField } from '../protocol/readField.ts';
import { systemWorld, type World } from '../world.ts';
import { isConnectionDrop, isPlainFailure } from './connectionDrop.ts';
import { untilOutput } from './heldStream.ts';
import { mapVercelError, unreachable, withoutRepeat } from './mapVercelError.ts';
import { isApiCallError, readApiCallError } from './providerReport.ts';

/** As much of a model object of the AI SDK as is wrapped; any version of its interface fits. */
export interface ProviderModel {
  doStream(options: never): PromiseLike<{ readonly stream: ReadableStream<unknown> }>;
  doGenerate(options: never): PromiseLike<unknown>;
}

/** A call that is about to be made again. */
export interface ProviderRetry {
  readonly error: HelixError;
  /** Counted from 1. */
  readonly retry: number;
  readonly delayMs: number;
}

/** How often a call is repeated, and how long its answer may take to begin. */
export interface ProviderRetryOptions {
  /** Calls after the first where the connection dropped before any output. 0 turns it off. Default 3. */
  readonly maxRetries?: number | undefined;
  /**
   * How long a streamed call may take until its answer begins, in ms; then it is aborted and counts as unreachable.
   * Default: no limit, because a proxy that buffers an answer before its own headers would fail every long call. Some
   * provider packages hand over an answer only with its first token.
   */
  readonly connectTimeoutMs?: number | undefined;
  /** Default: the real world. */
  readonly world?: Pick<World, 'after'> | undefined;
  /** Hears of each call that is made again: for a log. */
  readonly onRetry?: ((about: ProviderRetry) => void) | undefined;
}

/**
 * A model object of the AI SDK that calls its provider again when a call gave nothing: after 2, 4 and 8 s where the
 * connection dropped or was not made, once where the provider could not be reached, never where its platform says that
 * it is overloaded, where it answered, or where the call was aborted. What is spent ends as a `HelixError` that is not
 * retryable, so no retry around it (the SDK's own, a route's `stepRetry`) multiplies these. An answer with an error
 * status stays the SDK's to retry.
 * @throws Error at once for a model that is only named by a text, and for an option that cannot work.
 */
export function withProviderRetry<M extends ProviderModel>(
  model: M,
  options: ProviderRetryOptions = {},
): M {
  check(model, options);
  const caller = new Caller(options);
  const methods: Readonly<Record<PropertyKey, unknown>> = {
    doStream: (given: CallOptions) =>
      caller.stream(async (own) => model.doStream(own as never), given ?? {}),
    doGenerate: (given: CallOptions) =>
      caller.whole(async (own) => model.doGenerate(own as never), given ?? {}),
  };
  return new Proxy(model, {
    get(target, key) {
      if (Object.hasOwn(methods, key)) return methods[key];
      // A model's private fields are only to be had on the model itself.
      const field: unknown = Reflect.get(target, key, target);
      return typeof field === 'function' ? field.bind(target) : field;
    },
  });
}

interface CallOptions {
  readonly abortSignal?: AbortSignal | undefined;
}

interface StreamResult {
  readonly stream: ReadableStream<unknown>;
}

type Call<T> = (options: CallOptions) => Promise<T>;

type Outcome<T> =
  | { readonly value: T }
  | { readonly thrown: unknown; readonly failure: Failure | undefined };

/** A call that gave nothing, and how often such a call is made again at most. */
interface Failure {
  readonly kind: 'dropped' | 'unreachable';
  readonly error: HelixError;
  readonly limit: number;
}

const FIRST_DELAY_MS = 2_000;

class Caller {
  readonly #maxRetries: number;
  readonly #connectTimeoutMs: number | undefined;
  readonly #world: Pick<World, 'after'>;
  readonly #onRetry: ProviderRetryOptions['onRetry'];

  constructor(options: ProviderRetryOptions) {
    this.#maxRetries = options.maxRetries ?? 3;
    this.#connectTimeoutMs = options.connectTimeoutMs;
    this.#world = options.world ?? systemWorld();
    this.#onRetry = options.onRetry;
  }

  stream(call: Call<StreamResult>, given: CallOptions): Promise<StreamResult> {
    return this.#repeat(given.abortSignal, () => this.#streamOnce(call, given));
  }

  whole<T>(call: Call<T>, given: CallOptions): Promise<T> {
    return this.#repeat(given.abortSignal, async () => {
      try {
        return { value: await call(given) };
      } catch (thrown) {
        return { thrown, failure: this.#failureOf(thrown) };
      }
    });
  }

  async #streamOnce(call: Call<StreamResult>, given: CallOptions): Promise<Outcome<StreamResult>> {
    const line = this.#connectTimeoutMs === undefined ? undefined : linkedTo(given.abortSignal);
    const released = () => line?.release();
    try {
      const result = await this.#opened(call, given, line);
      const signal = given.abortSignal;
      const held = await untilOutput(result.stream, { isLost: isDropped, signal, released });
      if ('stream' in held) return { value: { ...result, stream: held.stream } };
      released();
      return { thrown: held.failed, failure: this.#failureOf(held.failed) };
    } catch (thrown) {
      released();
      return { thrown, failure: this.#failureOf(thrown) };
    }
  }

  /** The answer's beginning, or the failure that there was none in time. */
  async #opened(
    call: Call<StreamResult>,
    given: CallOptions,
    line: Line | undefined,
  ): Promise<StreamResult> {
    const limit = this.#connectTimeoutMs;
    if (limit === undefined || line === undefined) return call(given);
    const opening = call({ ...given, abortSignal: line.signal });
    let cancel = () => {};
    const late = new Promise<never>((_, reject) => {
      cancel = this.#world.after(limit, () => {
        reject(new Error(`The model provider did not begin to answer within ${limit} ms.`));
        line.abort(new DOMException('The model provider did not begin to answer.', 'AbortError'));
        // One that ignores the signal may still come.
        opening.then(({ stream }) => stream.cancel()).catch(() => {});
      });
    });
    try {
      return await Promise.race([opening, late]);
    } finally {
      cancel();
    }
  }

  #failureOf(thrown: unknown): Failure | undefined {
    if (isDropped(thrown) || isNotConnected(thrown)) {
      return { kind: 'dropped', error: mapVercelError(thrown), limit: this.#maxRetries };
    }
    if (!isPlainFailure(thrown)) return undefined;
    const limit = readField(thrown, 'overloaded') === true ? 0 : Math.min(this.#maxRetries, 1);
    return { kind: 'unreachable', error: unreachable(thrown), limit };
  }

  async #repeat<T>(
    signal: AbortSignal | undefined,
    attempt: () => Promise<Outcome<T>>,
  ): Promise<T> {
    for (let retries = 0; ; retries += 1) {
      const outcome = await attempt();
      if ('value' in outcome) return outcome.value;
      const { thrown, failure } = outcome;
      if (failure === undefined || signal?.aborted) throw thrown;
      if (retries >= failure.limit) throw ending(failure, retries, thrown);
      await this.#wait(failure.error, retries, signal);
    }
  }

  async #wait(error: HelixError, retries: number, signal: AbortSignal | undefined): Promise<void> {
    const delayMs = FIRST_DELAY_MS * 2 ** retries;
    try {
      this.#onRetry?.({ error, retry: retries + 1, delayMs });
    } catch {
      // Who only listens does not decide.
    }
    let stop = () => {};
    try {
      await new Promise<void>((resolve, reject) => {
        const cancel = this.#world.after(delayMs, resolve);
        stop = () => {
          cancel();
          reject(new DOMException('The model call was aborted between two tries.', 'AbortError'));
        };
        if (signal?.aborted) stop();
        else signal?.addEventListener('abort', stop, { once: true });
      });
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }
}

/** What is thrown in the end. A failure that was never repeated stays as it came, for whoever repeats it. */
function ending({ kind, error }: Failure, retries: number, thrown: unknown): unknown {
  if (kind === 'unreachable') return error;
  return retries === 0 ? thrown : withoutRepeat(error, thrown);
}

/** A drop, as it is or in the wrapper that newer provider packages put around one in the body of a good answer. */
function isDropped(error: unknown): boolean {
  if (isConnectionDrop(error)) return true;
  return (
    isApiCallError(error) &&
    isGood(readApiCallError(error).status) &&
    isConnectionDrop(readField(error, 'cause'))
  );
}

/** What provider packages make of a `fetch failed`: no answer came, and the SDK itself would repeat it. */
function isNotConnected(error: unknown): boolean {
  if (!isApiCallError(error)) return false;
  const { status, retryable } = readApiCallError(error);
  return status === undefined && retryable === true;
}

const isGood = (status: number | undefined): boolean =>
  status !== undefined && status >= 200 && status <= 299;

/** A signal of our own that also obeys another one, until it is released. */
interface Line {
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
  release(): void;
}

function linkedTo(outer: AbortSignal | undefined): Line {
  const controller = new AbortController();
  const follow = () => controller.abort(outer?.reason);
  if (outer?.aborted) follow();
  else outer?.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release: () => outer?.removeEventListener('abort', follow),
  };
}

function check(model: unknown, options: ProviderRetryOptions): void {
  if (typeof readField(model, 'doStream') !== 'function') {
    throw new Error(
      '[helix-chat] withProviderRetry: the model is no model object. Its calls would not be repeated. ' +
        "Pass an object such as openai('gpt-4o-mini'); one that is only named by a text cannot be wrapped.",
    );
  }
  const { maxRetries, connectTimeoutMs } = options;
  if (maxRetries !== undefined && !(Number.isInteger(maxRetries) && maxRetries >= 0)) {
    throw new Error(
      `[helix-chat] withProviderRetry: \`maxRetries\` is ${maxRetries}. Calls would be repeated never or for ever. ` +
        'Give a whole number of at least 0.',
    );
  }
  if (
    connectTimeoutMs !== undefined &&
    !(Number.isFinite(connectTimeoutMs) && connectTimeoutMs > 0)
  ) {
    throw new Error(
      `[helix-chat] withProviderRetry: \`connectTimeoutMs\` is ${connectTimeoutMs}. Every call would end at once or never. ` +
        'Give a number of ms above 0, or leave it out.',
    );
  }
}
