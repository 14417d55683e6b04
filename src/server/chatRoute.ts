import { HelixError } from '../errors/HelixError.ts';
import { DEFAULT_LLM_STEP_RETRY, type StepRetryPolicy } from '../errors/stepRetry.ts';
import type { ErrorAdapter } from '../errors/toHelixError.ts';
import { present } from '../protocol/present.ts';
import { isRequestKey, REQUEST_KEY_HEADER, REQUEST_KEY_PARAMETER } from '../protocol/requestKey.ts';
import { type SnapshotStatus, writeSnapshot } from '../protocol/snapshot.ts';
import { KEEP_ALIVE_HEADER, RUN_ID_HEADER, resumeRejectedPart } from '../protocol/triggers.ts';
import { systemWorld, type World } from '../world.ts';
import { type ChatAct, fingerprintOf, readChatId, readChatPost, readStopMode } from './chatAct.ts';
import { chatErrorResponse } from './chatErrorResponse.ts';
import {
  driveRun,
  entry,
  failureChange,
  type Reply,
  type ReplyContext,
  type RunDeps,
} from './driveRun.ts';
import { type EventStreamOptions, openEventStream } from './eventStream.ts';
import { logError } from './logError.ts';
import { type EntryPlan, planEntry } from './planEntry.ts';
import { replayMessage } from './replayMessage.ts';
import {
  type ChatRouteName,
  ROUTE_METHODS,
  type RoutePath,
  readRoutePath,
  trimBasePath,
} from './routePath.ts';
import type {
  ChatRecord,
  ChatStore,
  RunStart,
  RunStatus,
  StopAnswer,
  StopMode,
} from './store/chatStore.ts';
import { createMemoryStore } from './store/memoryStore.ts';
import { pause, storeBackoff } from './storeBackoff.ts';

/** Where something went wrong, for the host's developer. */
export interface ChatErrorInfo {
  readonly chatId?: string;
  readonly runId?: string;
}

/** What a chat backend is made of. Only `reply` has to be given. */
export interface ChatRouteOptions {
  /**
   * Gives the reply to the conversation so far: what `streamText` gives, or UI message chunks. Call `streamText` with
   * `maxRetries: 0`: the route repeats a failed call itself (`stepRetry`), and the SDK's own repeats would come on top.
   */
  readonly reply: Reply;
  /** Default: a new memory store. */
  readonly store?: ChatStore;
  /** Default: the real world. */
  readonly world?: World;
  /** Path of the send route; the others lie below it. Default `/api/chat`. */
  readonly basePath?: string;
  /**
   * How long a run counts as live without a sign of its process, in ms. Renewed three times in it, and by all that is
   * written. A store that is away for shorter than that costs nothing: what is to be written waits. Default 10_000.
   */
  readonly leaseMs?: number;
  /** A comment line after each silence of this many ms. Default 15_000. */
  readonly keepAliveMs?: number;
  /** How often a model call that failed retryably is called again. Default: 3 times, after 1, 2 and 4 s. */
  readonly stepRetry?: StepRetryPolicy;
  /** What makes a foreign error a typed one; the first that answers. */
  readonly adapters?: readonly ErrorAdapter[];
  /** Who may do this: a `Response` refuses, a thrown `HelixError` too. Called before the session is read. */
  readonly authorize?: (
    request: Request,
    about: { readonly chatId: string; readonly route: ChatRouteName },
  ) => Response | undefined | Promise<Response | undefined>;
  /** Sends developer texts to clients, redacted. Default false. */
  readonly exposeDetail?: boolean;
  /**
   * Hears of every failure that a person is not told in full: of `reply`, the store, a malformed chunk. It gets the
   * failure as it was, with whatever secrets it holds. Default: the console, without them.
   */
  readonly onError?: (error: unknown, info: ChatErrorInfo) => void;
}

/** Attempts to start a run against a session that keeps changing under it. */
const START_TRIES = 5;
/** How often a store is asked for one start: for about 1.5 s where it fails at once. */
const START_ASKS = 5;

const EXPOSED = [
  REQUEST_KEY_HEADER,
  RUN_ID_HEADER,
  KEEP_ALIVE_HEADER,
  'Retry-After',
  'Retry-After-Ms',
  'X-Request-Id',
].join(', ');

/**
 * A whole chat backend as one function of a request: send, regenerate, edit and tool answers (`POST {base}`), the live
 * stream (`GET {base}/{id}/stream`), the transcript (`GET {base}/{id}/snapshot`), stop (`POST {base}/{id}/stop`) and
 * retry (`POST {base}/{id}/retry`). A run goes on when its browser has left. Every failure is a typed answer; the
 * returned function never rejects.
 * @throws Error at once for an option that cannot work.
 */
export function createChatRoute(
  options: ChatRouteOptions,
): (request: Request) => Promise<Response> {
  checkOptions(options);
  const route = new ChatRoute(options);
  return (request) => route.answer(request);
}

interface Call extends RoutePath {
  readonly request: Request;
  /** Undefined when the request has none, or a malformed one. */
  readonly key: string | undefined;
}

/** The key as sent: by the header or, where a client cannot set one, by the parameter. */
const sentRequestKey = (request: Request): string | null =>
  request.headers.get(REQUEST_KEY_HEADER) ??
  new URL(request.url).searchParams.get(REQUEST_KEY_PARAMETER);

class ChatRoute {
  readonly #deps: RunDeps;
  readonly #options: ChatRouteOptions;
  readonly #base: string;
  readonly #keepAliveMs: number;

  constructor(options: ChatRouteOptions) {
    const world = options.world ?? systemWorld();
    this.#options = options;
    this.#base = trimBasePath(options.basePath ?? '/api/chat');
    this.#keepAliveMs = options.keepAliveMs ?? 15_000;
    this.#deps = {
      store: options.store ?? createMemoryStore({ world }),
      world,
      reply: options.reply,
      leaseMs: options.leaseMs ?? 10_000,
      stepRetry: options.stepRetry ?? DEFAULT_LLM_STEP_RETRY,
      adapters: options.adapters,
      exposeDetail: options.exposeDetail === true,
      report: (error, where) => this.#report(error, where),
      createId: (prefix) => `${prefix}_${randomText(world, 20)}`,
    };
  }

  async answer(request: Request): Promise<Response> {
    const found = this.#find(request);
    const sentKey = sentRequestKey(request);
    const key = isRequestKey(sentKey) ? sentKey : undefined;
    const response =
      found instanceof Response
        ? found
        : await this.#dispatch({ ...found, request, key }, sentKey).catch((error: unknown) =>
            this.#refuse(error, found.id),
          );
    return this.#dressed(response, request, key);
  }

  /** The route that a path and method name, or the plain answer that there is none. */
  #find(request: Request): RoutePath | Response {
    const path = readRoutePath(new URL(request.url).pathname, this.#base);
    if (!path) return new Response('Not found', { status: 404 });
    const allow = ROUTE_METHODS[path.route];
    if (request.method === allow) return path;
    return new Response('Method not allowed', { status: 405, headers: { allow } });
  }

  async #dispatch(call: Call, sentKey: string | null): Promise<Response> {
    if (sentKey !== null && call.key === undefined) {
      // Answered before anything is read; the key is not echoed.
      throw new HelixError({ code: 'validation_error', detail: 'malformed request key' });
    }
    if (call.route === 'send') {
      const { chatId, act } = readChatPost(await readJson(call.request));
      return (await this.#authorize(call, chatId)) ?? (await this.#enter(call, chatId, act));
    }
    const chatId = readChatId(decodePath(call.id ?? ''));
    const refused = await this.#authorize(call, chatId);
    if (refused) return refused;
    switch (call.route) {
      case 'stream':
        return this.#stream(call, chatId);
      case 'snapshot':
        return this.#snapshot(call, chatId);
      case 'stop':
        return this.#stop(call, chatId);
      case 'retry':
        return this.#enter(call, chatId, { kind: 'retry' });
    }
  }

  async #authorize(call: Call, chatId: string): Promise<Response | undefined> {
    const word = await this.#options.authorize?.(call.request, { chatId, route: call.route });
    return word ?? undefined;
  }

  /** Reads the session, decides, and writes; begins again when it changed in between. */
  async #enter(call: Call, chatId: string, act: ChatAct): Promise<Response> {
    const keyed = call.key === undefined ? undefined : fingerprintOf(act);
    const key = keyed === undefined ? undefined : call.key;
    for (let attempt = 0; attempt < START_TRIES; attempt++) {
      const record = await this.#read(chatId, key);
      const plan = planEntry(record, act, keyed);
      const answer = await this.#perform(call, chatId, act, record, plan, keyed);
      if (answer !== 'changed') return answer;
    }
    throw new HelixError({ code: 'state_concurrency_conflict', retryable: false });
  }

  async #perform(
    call: Call,
    chatId: string,
    act: ChatAct,
    record: ChatRecord | undefined,
    plan: EntryPlan,
    keyed: string | undefined,
  ): Promise<Response | 'changed'> {
    const { store } = this.#deps;
    switch (plan.kind) {
      case 'refuse':
        throw plan.error;
      case 'keep': {
        const kept = await store.putMessages(chatId, record?.revision ?? 0, plan.messages);
        return kept === 'changed' ? 'changed' : this.#refuse(plan.error, chatId, true);
      }
      case 'replay':
        if (!record?.run) return 'changed';
        return this.#open(call, { chatId, run: record.run, replayTo: record.sequence });
      case 'start':
        return this.#start(call, chatId, act, record, plan, keyed);
    }
  }

  async #start(
    call: Call,
    chatId: string,
    act: ChatAct,
    record: ChatRecord | undefined,
    plan: Extract<EntryPlan, { kind: 'start' }>,
    keyed: string | undefined,
  ): Promise<Response | 'changed'> {
    const { leaseMs, createId } = this.#deps;
    const { continued, rejections = [] } = plan;
    const run = {
      id: createId('run'),
      attemptId: createId('att'),
      replyId: continued?.id ?? createId('msg'),
    };
    const entries = [
      entry('content', { type: 'start', messageId: run.replyId }),
      ...(continued ? replayMessage(continued) : []).map((chunk) => entry('prefix', chunk)),
      ...(rejections.length > 0 ? [entry('transient', resumeRejectedPart(rejections))] : []),
    ];
    const outcome = await this.#startOnce(chatId, {
      revision: record?.revision,
      messages: plan.messages,
      run,
      leaseMs,
      entries,
      ...(keyed !== undefined && call.key !== undefined
        ? { key: { value: call.key, fingerprint: keyed } }
        : {}),
    });
    if (outcome === 'changed') return 'changed';
    void driveRun(this.#deps, {
      chatId,
      runId: run.id,
      attemptId: run.attemptId,
      replyId: run.replyId,
      trigger: triggerOf(act),
      messages: plan.messages.filter((message) => message.id !== continued?.id),
      continued,
    });
    const fresh = {
      status: 'active',
      committedTo: 0,
      superseded: [],
      leaseLeftMs: leaseMs,
    } as const;
    return this.#open(call, { chatId, run: { ...run, ...fresh }, replayTo: 0 });
  }

  /**
   * A store that fails may have done what it was asked: the same start again finds out, and starts nothing twice. One
   * that refuses typed has decided.
   */
  async #startOnce(chatId: string, start: RunStart): Promise<'started' | 'changed'> {
    const { store, world } = this.#deps;
    const wait = storeBackoff();
    for (let failures = 1; ; failures++) {
      try {
        return await store.startRun(chatId, start);
      } catch (error) {
        if (failures >= START_ASKS || HelixError.isInstance(error)) throw error;
      }
      await pause(world, wait());
    }
  }

  #open(call: Call, options: EventStreamOptions): Response {
    const deps = {
      ...this.#deps,
      keepAliveMs: this.#keepAliveMs,
      checkLease: async (chatId: string) => (await this.#settle(chatId)).record?.run,
    };
    const body = openEventStream(deps, { ...options, signal: call.request.signal });
    return new Response(body, {
      headers: {
        'content-type': 'text/event-stream',
        'cache-control': 'no-cache, no-transform',
        'x-vercel-ai-ui-message-stream': 'v1',
        'x-accel-buffering': 'no',
        [RUN_ID_HEADER]: options.run.id,
        [KEEP_ALIVE_HEADER]: String(this.#keepAliveMs),
      },
    });
  }

  async #stream(call: Call, chatId: string): Promise<Response> {
    const { record, lapsed } = await this.#settle(chatId);
    if (lapsed) throw notLive();
    const run = record?.run;
    if (run?.status !== 'active') return new Response(null, { status: 204, headers: NO_STORE });
    return this.#open(call, { chatId, run, replayTo: record?.sequence ?? 0 });
  }

  async #snapshot(call: Call, chatId: string): Promise<Response> {
    const record = await this.#read(chatId);
    if (!record) throw new HelixError({ code: 'state_session_not_found' });
    const etag = `"${record.revision}-${record.run?.id ?? ''}-${record.sequence}"`;
    const headers = { ...NO_STORE, etag };
    if (call.request.headers.get('if-none-match') === etag) {
      return new Response(null, { status: 304, headers });
    }
    const snapshot = writeSnapshot({
      messages: record.messages,
      status: statusOf(record.run?.status),
      streamSequence: record.sequence,
      timestamp: this.#deps.world.now(),
      ...present({ runId: record.run?.id, error: record.run?.error }),
    });
    return Response.json(snapshot, { headers });
  }

  async #stop(call: Call, chatId: string): Promise<Response> {
    const mode = readStopMode(await readJson(call.request, { mayBeEmpty: true }));
    const record = await this.#read(chatId);
    if (!record) throw new HelixError({ code: 'state_session_not_found' });
    const run = record.run;
    const answer = run && (await this.#askStop(chatId, run.id, mode));
    if (answer?.kind === 'stopping') {
      const body = { runId: run?.id, status: 'stopping' };
      return Response.json(body, { status: 202, headers: NO_STORE });
    }
    throw new HelixError({
      code: 'state_not_stoppable',
      currentStatus: statusOf(answer?.status ?? run?.status),
    });
  }

  /** A stop may be asked for again: it names its run, so it never stops a later one. */
  async #askStop(chatId: string, runId: string, mode: StopMode): Promise<StopAnswer> {
    try {
      return await this.#deps.store.requestStop(chatId, runId, mode);
    } catch (cause) {
      this.#report(cause, { chatId, runId });
      throw new HelixError({ code: 'framework_internal_error', retryable: true, cause });
    }
  }

  async #read(chatId: string, key?: string): Promise<ChatRecord | undefined> {
    return (await this.#settle(chatId, key)).record;
  }

  /** Reads a session; a run whose lease has lapsed is marked failed by this read. */
  async #settle(
    chatId: string,
    key?: string,
  ): Promise<{ record: ChatRecord | undefined; lapsed: boolean }> {
    const { store } = this.#deps;
    const read = () => store.read(chatId, present({ key }));
    try {
      const record = await read();
      const run = record?.run;
      if (run?.status !== 'active' || run.leaseLeftMs > 0) return { record, lapsed: false };
      const failed = failureChange(this.#deps, run.id, notLive());
      await store.write(chatId, run.id, { ...failed, onlyIfLost: true });
      const after = await read();
      return { record: after, lapsed: after?.run?.id === run.id && after.run.status === 'failed' };
    } catch (error) {
      if (HelixError.isInstance(error)) throw error;
      const code = 'state_history_incomplete';
      this.#report(error, { chatId });
      throw new HelixError({ code, reason: 'store_error', retryable: true, cause: error });
    }
  }

  #refuse(error: unknown, chatId: string | undefined, committed = false): Response {
    if (!HelixError.isInstance(error)) this.#report(error, present({ chatId }));
    const { adapters } = this.#options;
    return chatErrorResponse(error, {
      adapters,
      now: this.#deps.world.now(),
      exposeDetail: this.#deps.exposeDetail,
      ...(committed ? { committed } : {}),
    });
  }

  /** What every answer carries: the key it was sent, a support id, and leave for other origins to read them. */
  #dressed(response: Response, request: Request, key: string | undefined): Response {
    const headers = new Headers(response.headers);
    if (key !== undefined) headers.set(REQUEST_KEY_HEADER, key);
    if (!headers.has('x-request-id')) headers.set('x-request-id', this.#requestId(request));
    if (request.headers.has('origin')) headers.append('access-control-expose-headers', EXPOSED);
    const { status, statusText } = response;
    return new Response(response.body, { status, statusText, headers });
  }

  #requestId(request: Request): string {
    const given = request.headers.get('x-request-id') ?? '';
    return /^[\w.:-]{1,128}$/.test(given) ? given : this.#deps.createId('req');
  }

  #report(error: unknown, info: ChatErrorInfo): void {
    const tell: (error: unknown, info: ChatErrorInfo) => unknown =
      this.#options.onError ?? logError;
    try {
      const { chatId, runId } = info;
      const told = tell(error, present({ chatId, runId }));
      // One that answers later may fail later.
      Promise.resolve(told).catch(() => {});
    } catch {}
  }
}

const NO_STORE = { 'cache-control': 'no-store' } as const;

function notLive(): HelixError {
  return new HelixError({ code: 'transport_stream_drop', reason: 'run_not_live' });
}

function statusOf(status: RunStatus | undefined): SnapshotStatus {
  return status === undefined || status === 'interrupted' ? 'ended' : status;
}

function triggerOf(act: ChatAct): ReplyContext['trigger'] {
  if (act.kind === 'retry') return 'retry';
  return act.kind === 'regenerate' ? 'regenerate-message' : 'submit-message';
}

/** @throws HelixError for a text that is no JSON: the caller's mistake, and no news for the host's developer. */
async function readJson(request: Request, options?: { mayBeEmpty: boolean }): Promise<unknown> {
  const text = await request.text();
  if (text.trim() === '' && options?.mayBeEmpty) return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new HelixError({ code: 'validation_error', detail: 'the body is no JSON', cause });
  }
}

/** @throws HelixError for a path that is no URI component. */
function decodePath(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new HelixError({ code: 'validation_error', detail: 'malformed chat id in the path' });
  }
}

function randomText(world: World, length: number): string {
  const digits = 'abcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from({ length }, () =>
    digits.charAt(Math.floor(world.random() * digits.length)),
  ).join('');
}

function checkOptions(options: ChatRouteOptions): void {
  if (typeof options?.reply !== 'function') {
    throw new Error(
      '[helix-chat] createChatRoute: `reply` is not a function. No message could be answered. ' +
        'Pass a function that returns a stream of UI message chunks.',
    );
  }
  const numbers = {
    leaseMs: options.leaseMs,
    keepAliveMs: options.keepAliveMs,
    'stepRetry.limit': options.stepRetry?.limit,
    'stepRetry.delayMs': options.stepRetry?.delayMs,
  };
  for (const [name, value] of Object.entries(numbers)) {
    const least = name.startsWith('stepRetry') ? 0 : 1;
    if (value !== undefined && !(Number.isFinite(value) && value >= least)) {
      throw new Error(
        `[helix-chat] createChatRoute: \`${name}\` is ${value}. Runs would be lost or never retried as meant. ` +
          `Give a number of at least ${least}.`,
      );
    }
  }
  if (options.basePath !== undefined && !options.basePath.startsWith('/')) {
    throw new Error(
      `[helix-chat] createChatRoute: \`basePath\` "${options.basePath}" does not begin with a slash. ` +
        'No request would ever match it. Give a path such as "/api/chat".',
    );
  }
}
