import { networkFailureError, unexpectedResponse } from '../errors/clientFailures.ts';
import type { Phase } from '../errors/failure.ts';
import type { HelixError } from '../errors/HelixError.ts';
import { helixErrorFromResponse } from '../errors/helixErrorFromResponse.ts';
import { isAbort, isNetworkFailure } from '../errors/networkFailure.ts';
import { parseHelixChatError } from '../errors/parseHelixChatError.ts';
import { type ErrorAdapter, toHelixError } from '../errors/toHelixError.ts';
import type { TimeoutLayer } from '../protocol/reasons.ts';
import { isRequestKey, REQUEST_KEY_HEADER } from '../protocol/requestKey.ts';
import { KEEP_ALIVE_HEADER, RUN_ID_HEADER } from '../protocol/triggers.ts';
import type { Call } from './call.ts';
import { type HeaderRecord, headerRecord } from './headerRecord.ts';
import { type KeyMode, readOwnKey, sendsKey } from './keys.ts';
import { readBounded } from './readBounded.ts';
import { watchBytes } from './watchBytes.ts';

/** The platform's `fetch`, or one of the app with its signature. */
export type Fetch = typeof globalThis.fetch;

/** What a typed request stands on. */
export interface FetchSetup {
  readonly call: Call;
  /** The app's own `fetch`; else the platform's, looked up at the call so that a patched one counts. */
  readonly fetch: Fetch | undefined;
  readonly adapters: readonly ErrorAdapter[];
  readonly keyMode: KeyMode;
  readonly phase: Phase;
  /** Any answer has come. `key` is the one that went out. */
  onAnswer(url: string, key: string | undefined, response: Response): void;
}

/**
 * `fetch` for the SDK's HTTP transport: a request that carries its key and ends in an event stream whose bytes are
 * watched, in a 204 to a GET, or in a typed error thrown.
 *
 * @throws `HelixRequestError` for a refusal, `transport_error` for no response or a time-out, a quiet `AbortError` when
 *   the caller has aborted, a developer error when a key given by the app is malformed
 */
export async function typedFetch(
  setup: FetchSetup,
  input: Parameters<Fetch>[0],
  init: RequestInit = {},
): Promise<Response> {
  const { call } = setup;
  const url = urlOf(input);
  const posts = init.method?.toUpperCase() === 'POST';
  const headers = headerRecord(init.headers);
  const key = posts ? keyFor(setup, url, headers) : undefined;
  delete headers[REQUEST_KEY_HEADER.toLowerCase()];
  if (key !== undefined) headers[REQUEST_KEY_HEADER.toLowerCase()] = key;

  const stopTotal = limit(call, call.options.totalMs, 'total');
  let response: Response;
  try {
    response = await answerTo(setup, url, input, { ...init, headers });
    call.answered(response);
    setup.onAnswer(url, key, response);
    const runId = response.headers.get(RUN_ID_HEADER);
    if (runId) call.watcher.run(runId);
    if (!response.ok) throw await refusalOf(setup, response);
  } catch (thrown) {
    stopTotal();
    throw call.endedBy === undefined ? thrown : call.endError();
  }
  if (response.status === 204 && !posts) {
    stopTotal();
    return response;
  }
  return eventStream(setup, response, stopTotal);
}

/** A typed request whose answer is read by the caller: any 2xx is handed back as it is. */
export async function plainFetch(
  setup: FetchSetup,
  url: string,
  init: RequestInit,
): Promise<Response> {
  const { call } = setup;
  try {
    const response = await answerTo(setup, url, url, init);
    call.answered(response);
    setup.onAnswer(url, undefined, response);
    if (!response.ok) throw await refusalOf(setup, response);
    return response;
  } catch (thrown) {
    throw call.endedBy === undefined ? thrown : call.endError();
  }
}

function urlOf(input: Parameters<Fetch>[0]): string {
  return typeof input === 'object' && 'url' in input ? input.url : String(input);
}

function keyFor(setup: FetchSetup, url: string, headers: HeaderRecord): string | undefined {
  const { key, ownKey, world } = setup.call.options;
  const own = ownKey ?? readOwnKey(headers);
  if (own !== undefined) return own;
  return isRequestKey(key) && sendsKey(setup.keyMode, url, world.origin()) ? key : undefined;
}

function limit(call: Call, ms: number, layer: TimeoutLayer): () => void {
  return ms > 0 ? call.options.world.after(ms, () => call.end(layer)) : () => {};
}

/** The answer to one request, or a typed error. Who aborted is decided by our own signals, never by an error's name. */
async function answerTo(
  setup: FetchSetup,
  url: string,
  input: Parameters<Fetch>[0],
  init: RequestInit,
): Promise<Response> {
  const { call } = setup;
  if (call.endedBy !== undefined) throw call.endError();
  const fetch = setup.fetch ?? globalThis.fetch;
  const stopConnect = limit(call, call.options.connectMs(url), 'connect');
  call.sent = true;
  try {
    return await call.race(fetch(input, { ...init, signal: call.signal }), dropBody);
  } catch (thrown) {
    if (call.endedBy !== undefined) throw call.endError();
    if (isNetworkFailure(thrown) || isAbort(thrown)) {
      throw networkFailureError(!call.options.world.online(), thrown);
    }
    const { adapters, phase } = setup;
    throw toHelixError(thrown, { adapters, phase, now: call.options.world.now() });
  } finally {
    stopConnect();
  }
}

function refusalOf(setup: FetchSetup, response: Response): Promise<HelixError> {
  const { call, adapters, phase } = setup;
  const { world } = call.options;
  return call.race(helixErrorFromResponse(response, { adapters, phase, world }));
}

function dropBody(response: Response): void {
  response.body?.cancel().catch(() => {});
}

const eventStreamType = /^\s*text\/event-stream\b/i;
/** Types under which some servers send an event stream all the same; stock `useChat` reads those too. */
const vagueType = /^\s*(?:text\/plain|application\/octet-stream)\b/i;
const eventStreamText = /^[\uFEFF\s]*(?:data|event|id|retry)?:/;

async function eventStream(
  setup: FetchSetup,
  response: Response,
  onEnd: () => void,
): Promise<Response> {
  const { call } = setup;
  const type = response.headers.get('content-type') ?? '';
  const stated = Number(response.headers.get(KEEP_ALIVE_HEADER) ?? 0);
  const everyMs = Number.isFinite(stated) ? stated : 0;
  let body: ReadableStream<Uint8Array> | undefined = response.body ?? undefined;
  try {
    if (body !== undefined && !eventStreamType.test(type)) {
      const mayBe = type === '' || vagueType.test(type);
      const stopIdle = limit(call, call.options.idleMs({ seen: everyMs > 0, everyMs }), 'idle');
      const looked = await call.race(lookInto(body, mayBe)).finally(stopIdle);
      body = looked.body;
      if (!looked.isEventStream) throw await call.race(typedBody(setup, response, body));
    }
    if (body === undefined) throw unexpectedResponse(response);
  } catch (thrown) {
    onEnd();
    body?.cancel().catch(() => {});
    if (call.endedBy !== undefined) throw call.endError();
    throw isNetworkFailure(thrown) || isAbort(thrown)
      ? networkFailureError(!call.options.world.online(), thrown)
      : thrown;
  }
  const watched = watchBytes(body, call, everyMs, onEnd);
  return new Response(watched as ReadableStream<Uint8Array<ArrayBuffer>>, {
    status: response.status,
    headers: response.headers,
  });
}

/** Reads as much of the body as shows whether it is an event stream after all, and gives it back whole. */
async function lookInto(
  body: ReadableStream<Uint8Array>,
  mayBe: boolean,
): Promise<{ readonly isEventStream: boolean; readonly body: ReadableStream<Uint8Array> }> {
  if (!mayBe) return { isEventStream: false, body };
  const reader = body.getReader();
  const first = await reader.read();
  const text = first.done ? '' : new TextDecoder().decode(first.value.subarray(0, 256));
  let begun = false;
  const whole = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = begun ? await reader.read() : first;
        begun = true;
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return { isEventStream: eventStreamText.test(text), body: whole };
}

/** A success without an event stream: its Helix body decoded, else an answer that nobody expected. */
async function typedBody(
  setup: FetchSetup,
  response: Response,
  body: ReadableStream<Uint8Array>,
): Promise<HelixError> {
  const { text } = await readBounded(body, {
    maxBytes: 65_536,
    maxMs: 5_000,
    world: setup.call.options.world,
  });
  return parseHelixChatError(text) === undefined
    ? unexpectedResponse(response)
    : toHelixError(
        { status: response.status, headers: response.headers, body: text },
        { adapters: setup.adapters },
      );
}
