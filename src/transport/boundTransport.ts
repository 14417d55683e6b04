import type { ChatTransport, UIMessage, UIMessageChunk } from 'ai';
import { networkFailureError } from '../errors/clientFailures.ts';
import type { Phase } from '../errors/failure.ts';
import { HelixError } from '../errors/HelixError.ts';
import { isAbort, isNetworkFailure } from '../errors/networkFailure.ts';
import { type ErrorAdapter, toHelixError } from '../errors/toHelixError.ts';
import { createRequestKey, REQUEST_KEY_HEADER } from '../protocol/requestKey.ts';
import { DEFAULT_TRIGGERS } from '../protocol/triggers.ts';
import type { World } from '../world.ts';
import { Call, type CallOptions, type CallWatcher } from './call.ts';
import { ChunkSource, holdBy } from './chunkSource.ts';
import { createNotes, developerError, developerText, isDeveloperError } from './developerError.ts';
import { type KeyMode, type ProvenKeys, readOwnKey } from './keys.ts';
import { readSnapshot } from './readSnapshot.ts';
import { committedBy, statusOf } from './refusal.ts';
import { lookOf, type RoutePort } from './routePort.ts';
import { ChatRoutes, type LearnedRoutes, type RouteName, type RoutesOption } from './routes.ts';
import { stopRun } from './stopRun.ts';
import { TransientLog } from './transientLog.ts';
import {
  checkRequestKeys,
  checkRoutes,
  checkTimeouts,
  type RecoveryOptions,
  type Timeouts,
} from './transportOptions.ts';
import { quietAbort, Turn } from './turn.ts';
import type {
  Backend,
  ChatHost,
  Refusal,
  RouteKnowledge,
  RunIdentity,
  SnapshotAnswer,
  StopAnswer,
  TurnCall,
  TurnHost,
} from './turnHost.ts';
import {
  type ContinuedMessage,
  isTerminalChunk,
  type ParkedReply,
  typedChunks,
} from './typedChunks.ts';

/** A transport bound to one chat: the SDK calls it, its host decides, and the host may ask the backend by it. */
export type BoundTransport<M extends UIMessage = UIMessage> = ChatTransport<M> & Backend;

/** What the chat knows when it binds its transport. What is given here wins over the transport's own options. */
export interface BindSettings {
  readonly world: World;
  readonly timeouts?: Timeouts | undefined;
  readonly adapters?: readonly ErrorAdapter[] | undefined;
  /** Hears each developer note once. Default: `console.warn`. */
  readonly onDeveloperNote?: ((text: string) => void) | undefined;
  readonly routes?: RoutesOption | undefined;
  readonly requestKeys?: KeyMode | undefined;
  /** Makes the id of a new reply whose `start` has none, as the chat makes its own. Default: 24 letters and digits. */
  readonly generateId?: (() => string) | undefined;
  /** The id on screen of the reply that is about to be read, for a `start` that has none. Default: one id a run. */
  readonly replyId?: (() => string | undefined) | undefined;
}

/** What a chat binds. */
export interface BindOptions {
  readonly chatId: string;
  readonly host: ChatHost;
  readonly settings: BindSettings;
}

/** A transport that recovery can work with. */
export interface BindableTransport<M extends UIMessage> {
  /**
   * The transport of one chat. URL functions are called here, once.
   * @throws a developer error for a malformed setting or a URL function that throws
   */
  bind(options: BindOptions): BoundTransport<M>;
}

/** What the SDK gives `sendMessages`. */
export type SendOptions<M extends UIMessage> = Parameters<ChatTransport<M>['sendMessages']>[0];
/** What the SDK gives `reconnectToStream`. */
export type ReconnectOptions = Parameters<ChatTransport<UIMessage>['reconnectToStream']>[0];
/** The headers of one send, in the forms that the SDK takes. */
export type HeadersOf = SendOptions<UIMessage>['headers'];

/** Where a request to one of the optional routes goes, with the headers of the latest send. */
export interface RouteAddress {
  readonly chatId: string;
  readonly url: string;
  readonly headers: HeadersOf;
}

/** The way to a backend: one of ours over HTTP, or any other transport. */
export interface Wire<M extends UIMessage> {
  /** The send URL as far as it is known. */
  readonly api: string | undefined;
  /** The send URL without query: that of the latest send, as far as it is known. */
  readonly endpoint: string;
  /** The way to a live run where no URL of it is known. */
  readonly defaultStream: string | undefined;
  /** Headers and bytes of answers can be seen. */
  readonly seesBytes: boolean;
  /** A stream that is joined begins at the reply's beginning. */
  readonly replays: boolean;
  readonly keys: ProvenKeys;
  readonly learned: LearnedRoutes;
  /** Told of what the chat has resolved before its first request. */
  enter(chatId: string, streamUrl: string | undefined): void;
  send(
    options: SendOptions<M>,
    call: Call,
    adapters: readonly ErrorAdapter[],
    mode: KeyMode,
  ): Promise<ReadableStream<UIMessageChunk>>;
  reconnect(
    options: ReconnectOptions,
    call: Call,
    adapters: readonly ErrorAdapter[],
  ): Promise<ReadableStream<UIMessageChunk> | null>;
  /** Asks the server to go on with the failed run; its answer is the rest of the reply. */
  retry(
    to: RouteAddress,
    call: Call,
    adapters: readonly ErrorAdapter[],
    mode: KeyMode,
  ): Promise<ReadableStream<UIMessageChunk>>;
  /** A request of our own with the send's headers, credentials and fetch. */
  request(
    to: RouteAddress & { readonly phase: Phase },
    init: RequestInit,
    call: Call,
    adapters: readonly ErrorAdapter[],
  ): Promise<Response>;
}

/** Who a wire is bound for. Without a host the errors are typed, and that is all. */
export interface BoundFor {
  readonly chatId: string;
  readonly host: ChatHost | undefined;
  readonly settings: BindSettings;
}

const defaults = { connectMs: 60_000, idleMs: 45_000 } as const;
/** How many keep-alives may be missed before a stream counts as silent. */
const missedKeepAlives = 3;
/** Clean ends without a terminal chunk, in a row, after which an endpoint is believed to end so. */
const openEndsBelieved = 3;

/** Binds a wire to one chat. */
export function bindWire<M extends UIMessage>(
  wire: Wire<M>,
  given: RecoveryOptions,
  bound: BoundFor,
): BoundTransport<M> {
  const { settings } = bound;
  checkTimeouts(settings.timeouts);
  checkRoutes(settings.routes);
  checkRequestKeys(settings.requestKeys);
  return new Bound(wire, given, bound);
}

/** One SDK call under way. */
interface Conversation {
  readonly kind: TurnCall['kind'];
  readonly host: TurnHost | undefined;
  readonly turn: Turn;
  readonly continued: ContinuedMessage | undefined;
  readonly run: (run: RunIdentity) => void;
  readonly replyId: () => string;
  /** The POST; undefined for a call that only joins. */
  readonly post: (() => Promise<Attempted>) | undefined;
  readonly join: () => Promise<Attempted>;
}

type Attempted =
  | { readonly source: ChunkSource }
  | { readonly source?: undefined; readonly refusal: Omit<Refusal, 'stage'> };

class Bound<M extends UIMessage> implements Backend {
  readonly resumeStreamIsReplay: boolean;
  readonly #wire: Wire<M>;
  readonly #given: RecoveryOptions;
  readonly #chatId: string;
  readonly #host: ChatHost | undefined;
  readonly #settings: BindSettings;
  readonly #routes: ChatRoutes;
  readonly #note: (text: string) => void;
  readonly #transients = new TransientLog();
  /** The ids made here for replies whose `start` had none, by run. */
  readonly #replyIds = new Map<string, string>();
  #parked: ParkedReply | undefined;
  /** The request of the SDK's call under way. One whose call is over has ended, and does not end again. */
  #latest: Call | undefined;
  /** Headers that came with the latest send, without its key. */
  #headers: HeadersOf;
  /** Monotonic ms until which the reply to the latest send may be read, however many requests it takes. */
  #replyUntil: number | undefined;

  constructor(wire: Wire<M>, given: RecoveryOptions, { chatId, host, settings }: BoundFor) {
    this.#wire = wire;
    this.#given = given;
    this.#chatId = chatId;
    this.#host = host;
    this.#settings = settings;
    this.#note = createNotes(settings.onDeveloperNote);
    this.resumeStreamIsReplay = wire.replays;
    const routes = settings.routes ?? given.routes ?? 'auto';
    const { api, learned, defaultStream } = wire;
    this.#routes = new ChatRoutes(routes, api, chatId, learned, this.#note, defaultStream);
    wire.enter(chatId, this.#routes.givenStreamUrl);
  }

  get endpoint(): string {
    return this.#wire.endpoint;
  }

  get promised(): boolean {
    return this.#routes.promised;
  }

  route(name: RouteName): RouteKnowledge {
    return this.#routes.knowledge(name, this.endpoint);
  }

  keyed(): boolean {
    const mode = this.#keyMode;
    return mode === 'auto' ? this.#wire.keys.has(this.endpoint) : mode;
  }

  readSnapshot(signal: AbortSignal): Promise<SnapshotAnswer> {
    return readSnapshot(this.#port('snapshot'), signal);
  }

  stopRun(mode: 'interrupt' | 'abort', signal: AbortSignal): Promise<StopAnswer> {
    return stopRun(this.#port('stop'), mode, signal);
  }

  endSilent(): void {
    this.#latest?.end(this.#latest.status === undefined ? 'connect' : 'idle');
  }

  close(): void {
    this.#parked?.source.leave();
    this.#parked = undefined;
  }

  async sendMessages(options: SendOptions<M>): Promise<ReadableStream<UIMessageChunk>> {
    const ownKey = readOwnKey(options.headers);
    this.close();
    this.#transients.beginReply();
    const { trigger: kind, messageId, messages } = options;
    const host = this.#host?.begin({ kind, messageId, messages });
    const continues = host?.continues === true;
    if (!continues) this.#headers = options.headers && withoutKey(options.headers);
    const ownCall = createRequestKey(this.#world.random);
    // Read at each try: a host may answer a refused key with another one.
    const key = () => (host === undefined ? ownCall : host.requestKey);
    const last = messages.at(-1);
    const continued = kind === 'submit-message' && last?.role === 'assistant' ? last : undefined;
    // Answers to tool calls carry no key: the server takes one answer a call.
    const answers = continued !== undefined && !continues;
    const keysOf = () => (answers ? NO_KEYS : { key: key(), ownKey });
    const { headers: given, ...others } = options;
    const sent =
      answers && given !== undefined ? { ...others, headers: withoutKey(given) } : options;
    const stream = await this.#converse(kind, host, options.abortSignal, {
      continued,
      post: (turn, watcher) => {
        const way = continues ? this.#retry : this.#send;
        return this.#post((call) => way(sent, call), turn, { ...keysOf(), watcher });
      },
      join: (turn, watcher) => this.#join(this.#rejoin(options), turn, watcher, true),
    });
    // Only a call that began as a join ends without a stream.
    if (stream === null) throw quietAbort();
    return stream;
  }

  async reconnectToStream(
    options: ReconnectOptions,
  ): Promise<ReadableStream<UIMessageChunk> | null> {
    const host = this.#host?.begin({ kind: 'attach', messageId: undefined, messages: [] });
    const parked = this.#parked;
    this.#parked = undefined;
    if (parked === undefined) this.#transients.beginReplay(false);
    return this.#converse('attach', host, options.abortSignal, {
      continued: undefined,
      parked,
      join: (turn, watcher) => this.#join(options, turn, watcher, host?.goesOn ?? false),
    });
  }

  get #world(): World {
    return this.#settings.world;
  }

  get #adapters(): readonly ErrorAdapter[] {
    return this.#settings.adapters ?? this.#given.adapters ?? [];
  }

  get #keyMode(): KeyMode {
    return this.#settings.requestKeys ?? this.#given.requestKeys ?? 'auto';
  }

  /** Begins a turn, and goes on until there is a stream, an end, or an error to throw. */
  async #converse(
    kind: TurnCall['kind'],
    host: TurnHost | undefined,
    signal: AbortSignal | undefined,
    ways: {
      readonly continued: ContinuedMessage | undefined;
      readonly parked?: ParkedReply | undefined;
      readonly post?: (turn: Turn, watcher: CallWatcher) => Promise<Attempted>;
      readonly join: (turn: Turn, watcher: CallWatcher) => Promise<Attempted>;
    },
  ): Promise<ReadableStream<UIMessageChunk> | null> {
    const { continued, parked } = ways;
    const turn = new Turn(signal);
    const reply = this.#replyNames(kind, continued, host);
    const watcher: CallWatcher = {
      bytes: (at) => host?.bytes(at),
      run: (runId) => reply.run({ runId, attemptId: undefined }),
    };
    const conversation: Conversation = {
      ...{ kind, host, turn, continued },
      ...reply,
      post: ways.post && (() => this.#attempt(turn, () => ways.post?.(turn, watcher))),
      join: () => this.#attempt(turn, () => ways.join(turn, watcher)),
    };
    try {
      if (parked !== undefined) {
        parked.source.attach(turn);
        parked.source.call.watcher = watcher;
        this.#latest = parked.source.call;
        host?.accepted();
        return this.#read(conversation, parked.source, parked);
      }
      const source = await this.#untilAccepted(conversation);
      if (source === undefined) {
        turn.end();
        return null;
      }
      host?.accepted();
      return this.#read(conversation, source, undefined);
    } catch (thrown) {
      turn.end();
      throw thrown;
    }
  }

  /** Asks the host about every refusal until a stream comes. Undefined: there is no live run to join. */
  async #untilAccepted(conversation: Conversation): Promise<ChunkSource | undefined> {
    const { kind, host, turn, post, join } = conversation;
    let attempt = post ?? join;
    let lastError: HelixError | undefined;
    for (;;) {
      const { source, ...refused } = await attempt();
      if (source !== undefined) return source;
      if (!('refusal' in refused)) return undefined;
      const { refusal } = refused;
      lastError = refusal.error ?? lastError;
      const stage = post !== undefined && attempt === join ? 'attach' : 'request';
      const answer =
        host === undefined ? 'fail' : await turn.race(host.refused({ stage, ...refusal }));
      if (answer === 'repeat') continue;
      if (answer === 'attach') attempt = join;
      else if (answer === 'hold') throw quietAbort();
      else if (answer !== 'fail') throw answer;
      else if (refusal.error === undefined && kind === 'attach') return undefined;
      else throw lastError ?? quietAbort();
    }
  }

  /** Runs one request of the turn; what it throws is typed by then, or quiet. */
  async #attempt(turn: Turn, work: () => Promise<Attempted> | undefined): Promise<Attempted> {
    const pending = work();
    if (pending === undefined) throw quietAbort();
    return turn.race(pending, (late) => late.source?.leave());
  }

  #replyNames(
    kind: TurnCall['kind'],
    continued: ContinuedMessage | undefined,
    host: TurnHost | undefined,
  ): Pick<Conversation, 'run' | 'replyId'> {
    let runId: string | undefined;
    let made: string | undefined;
    return {
      run: (run) => {
        runId = run.runId ?? runId;
        if (made !== undefined && runId !== undefined) this.#replyIds.set(runId, made);
        host?.run(run);
      },
      replyId: () => {
        made ??=
          continued?.id ??
          (kind === 'attach' ? this.#settings.replyId?.() : undefined) ??
          (runId === undefined ? undefined : this.#replyIds.get(runId)) ??
          this.#settings.generateId?.() ??
          createRequestKey(this.#world.random);
        if (runId !== undefined) this.#replyIds.set(runId, made);
        return made;
      },
    };
  }

  #read(
    { host, turn, continued, run, replyId, join }: Conversation,
    source: ChunkSource,
    resumed: ParkedReply | undefined,
  ): ReadableStream<UIMessageChunk> {
    return typedChunks({
      ...{ source, turn, host, continued, resumed, run, replyId },
      world: this.#world,
      adapters: this.#adapters,
      triggers: this.#given.triggers ?? DEFAULT_TRIGGERS,
      transients: this.#transients,
      isTerminal: this.#given.isTerminal ?? isTerminalChunk,
      whole: this.#wire.replays,
      countsChunks: !this.#wire.seesBytes,
      reconnect: async () => {
        const { source: again, ...refused } = await join();
        if (again !== undefined || !('refusal' in refused)) return again;
        if (refused.refusal.error !== undefined) throw refused.refusal.error;
        return undefined;
      },
      park: (reply) => {
        this.close();
        this.#parked = reply;
      },
      sawEnd: (terminal) => this.#sawEnd(terminal),
    });
  }

  #sawEnd(terminal: boolean): boolean {
    const { openEnds } = this.#wire.learned;
    const { endpoint } = this;
    if (terminal) {
      openEnds.delete(endpoint);
      return true;
    }
    if (this.route('snapshot') === 'known') return false;
    const inARow = (openEnds.get(endpoint) ?? 0) + 1;
    openEnds.set(endpoint, inARow);
    if (inARow < openEndsBelieved) return false;
    this.#note(
      developerText(
        `Replies of ${endpoint} end without a \`finish\` chunk.`,
        'From now on their end counts as whole, so a reply that is cut off cleanly is not noticed.',
        'Let the route send `finish`, or say by `isTerminal` which chunk is the last.',
      ),
    );
    return true;
  }

  readonly #send = (options: SendOptions<M>, call: Call) =>
    this.#wire.send({ ...options, abortSignal: call.signal }, call, this.#adapters, this.#keyMode);

  readonly #retry = (_: SendOptions<M>, call: Call) => {
    const url = this.#routes.url('retry');
    if (url === undefined) {
      throw developerError(
        'A failed reply was to be continued, but no retry route was named.',
        'Nothing was sent.',
        'Name the route in `routes.retry`.',
      );
    }
    const to = { chatId: this.#chatId, url, headers: this.#headers };
    return this.#wire.retry(to, call, this.#adapters, this.#keyMode);
  };

  async #post(
    ask: (call: Call) => Promise<ReadableStream<UIMessageChunk>>,
    turn: Turn,
    asked: {
      readonly key: string | undefined;
      readonly ownKey: string | undefined;
      readonly watcher: CallWatcher;
    },
  ): Promise<Attempted> {
    const { totalMs } = this.#timeouts;
    this.#replyUntil = totalMs > 0 ? this.#world.monotonic() + totalMs : undefined;
    const call = this.#open(asked.watcher, { key: asked.key, ownKey: asked.ownKey, totalMs });
    this.#latest = call;
    const unwatch = holdBy(turn, call);
    try {
      const stream = await ask(call);
      return { source: new ChunkSource(stream, call, unwatch) };
    } catch (thrown) {
      unwatch();
      const error = this.#typed(thrown, call, 'send');
      const status = statusOf(error, call.status);
      const committed = committedBy(error, status, call.sent);
      return { refusal: { error, status, committed } };
    }
  }

  async #join(
    options: ReconnectOptions,
    turn: Turn,
    watcher: CallWatcher,
    isReply: boolean,
  ): Promise<Attempted> {
    const { endpoint } = this;
    const noRun: Attempted = { refusal: { error: undefined, status: 204, committed: 'unknown' } };
    if (this.#host !== undefined && this.route('stream') === 'absent') return noRun;
    const { connectMs } = this.#timeouts;
    const call = this.#open(watcher, {
      ...NO_KEYS,
      totalMs: this.#leftOfReply(isReply),
      // Nothing is lost with a join, so that it is bounded where a send is not.
      connectMs: connectMs ?? defaults.connectMs,
    });
    this.#latest = call;
    const unwatch = holdBy(turn, call);
    try {
      const headers = options.headers && withoutKey(options.headers);
      const stream = await this.#wire.reconnect(
        { ...options, ...(headers !== undefined && { headers }), abortSignal: call.signal },
        call,
        this.#adapters,
      );
      this.#routes.learnKnown('stream', endpoint);
      if (stream !== null) return { source: new ChunkSource(stream, call, unwatch) };
      unwatch();
      return noRun;
    } catch (thrown) {
      unwatch();
      const error = this.#typed(thrown, call, 'stream');
      const status = statusOf(error, call.status);
      const seen = lookOf(error, status);
      // A transport that hides the answer can say "there is no such thing" only by some error of its own.
      const mute = !this.#wire.seesBytes && status === undefined && error.code === undefined;
      const look = { ...seen, foreign: seen.foreign || mute };
      const absent = this.#routes.learnFrom('stream', endpoint, look, this.#world.origin());
      if (absent && this.#host !== undefined) return noRun;
      return { refusal: { error, status, committed: committedBy(error, status, call.sent) } };
    }
  }

  /** What a request threw, typed. Rethrows what must not be asked about: our own quiet end and developer errors. */
  #typed(thrown: unknown, call: Call, phase: 'send' | 'stream'): HelixError {
    if (call.endedBy === 'stopped' || call.endedBy === 'left') throw quietAbort();
    if (HelixError.isInstance(thrown)) return thrown;
    if (isDeveloperError(thrown)) throw thrown;
    if (isAbort(thrown) || isNetworkFailure(thrown)) {
      return networkFailureError(!this.#world.online(), thrown);
    }
    return toHelixError(thrown, { adapters: this.#adapters, phase, now: this.#world.now() });
  }

  #rejoin(options: SendOptions<M>): ReconnectOptions {
    const { chatId, headers, body, metadata } = options;
    return {
      chatId,
      ...(headers !== undefined && { headers }),
      ...(body !== undefined && { body }),
      ...(metadata !== undefined && { metadata }),
    };
  }

  get #timeouts(): Timeouts & { readonly totalMs: number } {
    const given = { ...this.#given.timeouts, ...this.#settings.timeouts };
    return { ...given, totalMs: given.totalMs ?? 0 };
  }

  /** How long a stream that is joined may be read, in ms; 0: as long as it takes. Another client's has no limit here. */
  #leftOfReply(isReply: boolean): number {
    if (this.#host === undefined) return this.#timeouts.totalMs;
    if (!isReply || this.#replyUntil === undefined) return 0;
    return Math.max(1, this.#replyUntil - this.#world.monotonic());
  }

  #open(
    watcher: CallWatcher,
    limits: Pick<CallOptions, 'key' | 'ownKey' | 'totalMs'> & {
      readonly connectMs?: number | undefined;
    },
  ): Call {
    const { connectMs, idleMs } = this.#timeouts;
    const { key, ownKey, totalMs } = limits;
    return new Call({
      ...{ world: this.#world, watcher, key, ownKey, totalMs },
      connectMs: () => limits.connectMs ?? connectMs ?? (this.keyed() ? defaults.connectMs : 0),
      idleMs: ({ seen, everyMs }) => {
        const armed =
          seen || this.route('stream') === 'known' || this.route('snapshot') === 'known';
        return armed ? (idleMs ?? Math.max(defaults.idleMs, missedKeepAlives * everyMs)) : 0;
      },
    });
  }

  #port(phase: Phase): RoutePort {
    return {
      chatId: this.#chatId,
      endpoint: this.endpoint,
      routes: this.#routes,
      world: this.#world,
      adapters: this.#adapters,
      open: (signal) => {
        const call = this.#open({ bytes: () => {}, run: () => {} }, { ...NO_KEYS, totalMs: 0 });
        const stop = () => call.end('stopped');
        signal.addEventListener('abort', stop, { once: true });
        return { call, close: () => signal.removeEventListener('abort', stop) };
      },
      request: (call, url, init) =>
        this.#wire.request(
          { chatId: this.#chatId, url, headers: this.#headers, phase },
          init,
          call,
          this.#adapters,
        ),
    };
  }
}

const NO_KEYS = { key: undefined, ownKey: undefined } as const;

/** The headers of a send for requests that are not that act: without its key. */
function withoutKey(headers: NonNullable<HeadersOf>): Headers {
  const rest = new Headers(headers);
  rest.delete(REQUEST_KEY_HEADER);
  return rest;
}
