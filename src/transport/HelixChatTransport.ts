import { DefaultChatTransport, type UIMessage, type UIMessageChunk } from 'ai';
import type { Phase } from '../errors/failure.ts';
import type { ErrorAdapter } from '../errors/toHelixError.ts';
import { readField } from '../protocol/readField.ts';
import { REQUEST_KEY_HEADER } from '../protocol/requestKey.ts';
import { KEEP_ALIVE_HEADER, RUN_ID_HEADER } from '../protocol/triggers.ts';
import { systemWorld } from '../world.ts';
import {
  type BindableTransport,
  type BindOptions,
  type BoundTransport,
  bindWire,
  type HeadersOf,
  type ReconnectOptions,
  type SendOptions,
  type Wire,
} from './boundTransport.ts';
import { Call } from './call.ts';
import { createNotes } from './developerError.ts';
import { type HeaderRecord, headerRecord } from './headerRecord.ts';
import { endpointOf, type KeyMode, ProvenKeys } from './keys.ts';
import { readChunks } from './readChunks.ts';
import { resolved } from './resolved.ts';
import { createLearnedRoutes, type LearnedRoutes } from './routes.ts';
import {
  checkRecoveryOptions,
  type HelixChatTransportOptions,
  type RecoveryOptions,
} from './transportOptions.ts';
import { type Fetch, type FetchSetup, plainFetch, typedFetch } from './typedFetch.ts';

// Registered, so that it holds across versions and bundles, where `instanceof` does not.
const marker = Symbol.for('helix-chat.HelixChatTransport');

interface Registered {
  readonly call: Call;
  readonly adapters: readonly ErrorAdapter[];
  readonly keyMode: KeyMode;
  readonly phase: Phase;
  /** Told where a send went: the app may have named another address for it. */
  readonly sentTo?: (url: string) => void;
}

type PrepareJoin = NonNullable<
  HelixChatTransportOptions<UIMessage>['prepareReconnectToStreamRequest']
>;
type JoinRequest = Parameters<PrepareJoin>[0];
type PreparedJoin = Awaited<ReturnType<PrepareJoin>>;

/**
 * The SDK's `DefaultChatTransport` with typed errors. It takes the same options and sends the same requests; given to
 * `useHelixChat` it recovers too, given to the SDK's own `useChat` its errors are typed, and that is all.
 *
 * A subclass may override `sendMessages` and `reconnectToStream`: both are called for every request of the chat, and
 * what they return is what is read. They must hand on the abort signal that they were given.
 *
 * @throws a developer error when an option is malformed
 */
export class HelixChatTransport<M extends UIMessage = UIMessage>
  extends DefaultChatTransport<M>
  implements BindableTransport<M>
{
  /** The options of helix-chat that this transport was given. */
  readonly given: RecoveryOptions;
  readonly #calls = new WeakMap<AbortSignal, Registered>();
  readonly #keys = new ProvenKeys();
  readonly #learned: LearnedRoutes = createLearnedRoutes();
  readonly #streamUrls = new Map<string, string>();
  /** Headers that the app's `prepareSendMessagesRequest` put in the place of all others, by chat. */
  readonly #preparedHeaders = new Map<string, HeaderRecord>();
  readonly #note: (text: string) => void;
  readonly #prepareReconnect: HelixChatTransportOptions<M>['prepareReconnectToStreamRequest'];
  readonly #ownFetch: Fetch | undefined;
  #listener: ((text: string) => void) | undefined;

  constructor(options: HelixChatTransportOptions<M> = {}) {
    const { routes, requestKeys, timeouts, adapters, world, triggers, isTerminal, ...stock } =
      options;
    const given = { routes, requestKeys, timeouts, adapters, world, triggers, isTerminal };
    checkRecoveryOptions(given);
    super(stock as HelixChatTransportOptions<M>);
    Object.defineProperty(this, marker, { value: true });
    this.given = given;
    this.#note = createNotes((text) => (this.#listener ?? console.warn)(text));
    this.#ownFetch = stock.fetch;
    this.#prepareReconnect = stock.prepareReconnectToStreamRequest;
    this.fetch = (input, init) => this.#fetch(input, init);
    this.prepareReconnectToStreamRequest = (request) => this.#prepareJoin(request);
    const prepareSend = stock.prepareSendMessagesRequest;
    if (prepareSend !== undefined) {
      this.prepareSendMessagesRequest = async (request) => {
        const prepared = await prepareSend(request);
        if (prepared.headers !== undefined) {
          const headers = headerRecord(prepared.headers);
          for (const name of ofOneBody) delete headers[name];
          this.#preparedHeaders.set(request.id, headers);
        }
        return prepared;
      };
    }
  }

  /** Whether a value is a HelixChatTransport of any version or bundle. Never throws. */
  static isInstance(value: unknown): value is HelixChatTransport<UIMessage> {
    return readField(value, marker) === true;
  }

  bind({ chatId, host, settings }: BindOptions): BoundTransport<M> {
    this.#listener ??= settings.onDeveloperNote;
    const wire = this.#wire({
      send: (options) => this.sendMessages(options),
      reconnect: (options) => this.reconnectToStream(options),
    });
    return bindWire(wire, this.given, { chatId, host, settings });
  }

  override async sendMessages(options: SendOptions<M>): Promise<ReadableStream<UIMessageChunk>> {
    const { abortSignal } = options;
    if (abortSignal !== undefined && this.#calls.has(abortSignal)) {
      return super.sendMessages(options);
    }
    return this.#unbound(options.chatId).sendMessages(options);
  }

  override async reconnectToStream(
    options: ReconnectOptions,
  ): Promise<ReadableStream<UIMessageChunk> | null> {
    const { abortSignal } = options;
    if (abortSignal !== undefined && this.#calls.has(abortSignal)) {
      return super.reconnectToStream(options);
    }
    return this.#unbound(options.chatId).reconnectToStream(options);
  }

  protected override processResponseStream(
    stream: ReadableStream<Uint8Array<ArrayBufferLike>>,
  ): ReadableStream<UIMessageChunk> {
    return readChunks(stream, this.#note);
  }

  /** As stock `useChat` uses it: one call, no host. */
  #unbound(chatId: string): BoundTransport<M> {
    const wire = this.#wire({
      send: (options) => super.sendMessages(options),
      reconnect: (options) => super.reconnectToStream(options),
    });
    const settings = { world: this.given.world ?? systemWorld(), onDeveloperNote: this.#note };
    return bindWire(wire, this.given, { chatId, host: undefined, settings });
  }

  #wire(ways: {
    send(options: SendOptions<M>): Promise<ReadableStream<UIMessageChunk>>;
    reconnect(options: ReconnectOptions): Promise<ReadableStream<UIMessageChunk> | null>;
  }): Wire<M> {
    const { api } = this;
    let endpoint = endpointOf(api);
    return {
      api,
      get endpoint() {
        return endpoint;
      },
      defaultStream: undefined,
      seesBytes: true,
      replays: this.resumeStreamIsReplay,
      keys: this.#keys,
      learned: this.#learned,
      enter: (chatId, streamUrl) => {
        if (streamUrl !== undefined) this.#streamUrls.set(chatId, streamUrl);
      },
      send: (options, call, adapters, keyMode) => {
        const sentTo = (url: string) => {
          endpoint = endpointOf(url);
        };
        this.#calls.set(call.signal, { call, adapters, keyMode, phase: 'send', sentTo });
        return ways.send(options);
      },
      reconnect: (options, call, adapters) => {
        this.#calls.set(call.signal, { call, adapters, keyMode: false, phase: 'stream' });
        return ways.reconnect(options);
      },
      retry: async (to, call, adapters, keyMode) => {
        const { headers, credentials } = await this.#joinRequest(to.chatId, to.headers);
        const setup = this.#setup({ call, adapters, keyMode, phase: 'regenerate' });
        const { body } = await typedFetch(setup, to.url, {
          method: 'POST',
          ...(credentials !== undefined && { credentials }),
          headers,
        });
        return this.processResponseStream(body as ReadableStream<Uint8Array<ArrayBufferLike>>);
      },
      request: async (to, init, call, adapters) => {
        const { headers, credentials } = await this.#joinRequest(to.chatId, to.headers);
        const setup = this.#setup({ call, adapters, keyMode: false, phase: to.phase });
        return plainFetch(setup, to.url, {
          ...init,
          ...(credentials !== undefined && { credentials }),
          headers: { ...headers, ...headerRecord(init.headers) },
        });
      },
    };
  }

  #setup({ call, adapters, keyMode, phase, sentTo }: Registered): FetchSetup {
    return {
      ...{ call, adapters, keyMode, phase },
      fetch: this.#ownFetch,
      onAnswer: (url: string, key: string | undefined, response: Response) => {
        const endpoint = endpointOf(url);
        sentTo?.(url);
        this.#keys.sawAnswer(url, key, response.headers);
        this.#learned.answering.add(endpoint);
        const ours = [REQUEST_KEY_HEADER, RUN_ID_HEADER, KEEP_ALIVE_HEADER];
        if (ours.some((name) => response.headers.has(name))) this.#learned.ours.add(endpoint);
      },
    };
  }

  /** The SDK's `fetch`: the request's own call is found by its signal. */
  async #fetch(input: Parameters<Fetch>[0], init: RequestInit | undefined): Promise<Response> {
    const signal = init?.signal ?? undefined;
    const registered = signal === undefined ? undefined : this.#calls.get(signal);
    if (registered !== undefined) return typedFetch(this.#setup(registered), input, init);
    // A subclass has put another signal in its place: the request is typed all the same.
    const call = new Call({
      world: this.given.world ?? systemWorld(),
      key: undefined,
      ownKey: undefined,
      connectMs: () => this.given.timeouts?.connectMs ?? 0,
      idleMs: () => 0,
      totalMs: this.given.timeouts?.totalMs ?? 0,
      watcher: { bytes: () => {}, run: () => {} },
    });
    if (signal?.aborted) call.end('stopped');
    signal?.addEventListener('abort', () => call.end('stopped'), { once: true });
    const adapters = this.given.adapters ?? [];
    return typedFetch(this.#setup({ call, adapters, keyMode: false, phase: 'send' }), input, init);
  }

  /** The join's address and headers: the app's own preparation first, then what its sends were prepared with. */
  async #prepareJoin(request: JoinRequest): Promise<PreparedJoin> {
    const prepared: PreparedJoin | undefined = await this.#prepareReconnect?.(request);
    const api = prepared?.api ?? this.#streamUrls.get(request.id);
    const sent =
      this.#prepareReconnect === undefined ? this.#preparedHeaders.get(request.id) : undefined;
    const headers = prepared?.headers ?? { ...headerRecord(request.headers), ...sent };
    return { ...prepared, headers, ...(api !== undefined && { api }) };
  }

  async #joinRequest(chatId: string, perSend: HeadersOf) {
    const credentials = await resolved(this.credentials);
    const own = headerRecord(await resolved(this.headers));
    const body = await resolved(this.body);
    const { api } = this;
    const headers = { ...own, ...headerRecord(perSend) };
    const prepared = await this.#prepareJoin({
      ...{ id: chatId, api, headers, credentials, requestMetadata: undefined },
      body: body === undefined ? undefined : { ...body },
    });
    return {
      headers: headerRecord(prepared.headers),
      credentials: prepared.credentials ?? credentials,
    };
  }
}

/** Headers that belong to one body or one act. */
const ofOneBody = ['content-type', 'content-length', REQUEST_KEY_HEADER.toLowerCase()];
