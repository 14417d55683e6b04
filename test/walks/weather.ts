import { HelixError, type HelixErrorInit, typedErrorResponse } from 'helix-chat/server';
import { type Breakage, brokenStream, type ManualWorld } from 'helix-chat/testing';
import type { WalkBackend } from './backend.ts';

/** A route of the chat backend, as far as something can go wrong with it. */
export type Route = 'send' | 'stream' | 'snapshot' | 'stop';

/**
 * What goes wrong with one request on its way, whichever message it is about.
 *
 * `refuse` and `refuse-typed` answer in the server's place. `drop` loses the answer; with `taken` the server has the
 * request. `late` loses the answer, and the server gets the request only so many ms later. `slow` brings the answer so
 * late. `hang` lets the server take it and never answers. `lag` shows the conversation as it was before the latest
 * message. `defer` lets the server take it and says that the reply comes by itself. `no-run` answers 204. `break` breaks
 * the stream. `page` answers with a page that is no answer.
 */
export type Gust =
  | {
      readonly do: 'refuse';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly do: 'refuse-typed'; readonly error: HelixErrorInit }
  | { readonly do: 'drop'; readonly taken: boolean }
  | { readonly do: 'late'; readonly ms: number }
  | { readonly do: 'slow'; readonly ms: number }
  | { readonly do: 'hang' }
  | { readonly do: 'lag' }
  | { readonly do: 'defer'; readonly retryAfterMs: number }
  | { readonly do: 'no-run' }
  | { readonly do: 'page' }
  | ({ readonly do: 'break' } & Breakage);

/** A gust, the route whose next requests it befalls, and how many of them. */
export interface Weather {
  readonly on: Route;
  readonly times: number;
  readonly gust: Gust;
}

/** What lies between one tab and the server. */
export interface Air {
  readonly fetch: typeof fetch;
  /** What goes wrong next; the oldest first. */
  blow(weather: Weather): void;
  /** From now on nothing goes wrong. */
  calm(): void;
}

/** So often in a row a replica may be behind, before the truth reaches everybody. */
const LATE_READS = 3;
/** Words that no person may ever read. */
export const SECRET = 'SECRET-BODY';

export function lost(): TypeError {
  const cause = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
  return new TypeError('fetch failed', { cause });
}

const routeOf = (url: string, method: string | undefined): Route | undefined => {
  if (method === 'POST' && url.endsWith('/chat')) return 'send';
  return (['stream', 'snapshot', 'stop'] as const).find((route) => url.endsWith(`/${route}`));
};

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });

const isReply = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') === true;

/** Nobody reads the answer; what it belongs to goes on. */
const ignore = (response: Response): void => void response.body?.cancel().catch(() => {});

/**
 * The air of one tab. `through` leads to the server; `remembers` says that replicas may lag, so that the conversation is
 * looked at before each post.
 */
export function createAir(
  world: ManualWorld,
  backend: WalkBackend,
  through: typeof fetch,
  replica: Replica | undefined,
): Air {
  let ahead: { readonly weather: Weather; left: number }[] = [];

  const next = (route: Route | undefined): Gust | undefined => {
    const due = ahead.find(({ weather, left }) => weather.on === route && left > 0);
    if (due === undefined) return undefined;
    due.left -= 1;
    return due.weather.gust;
  };

  /** What the server answers, as long as its process lives. */
  const ask: typeof fetch = async (input, init) => {
    const process = backend.deaths();
    const response = await through(input, init);
    if (backend.deaths() === process) return mortalBody(response, backend);
    ignore(response);
    throw lost();
  };

  const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> => {
    let cancel = (): void => {};
    const over = new Promise<void>((resolve) => {
      cancel = world.after(ms, resolve);
    });
    return signal === undefined
      ? over
      : Promise.race([over, aborted(signal)]).finally(() => cancel());
  };

  const perform = async (
    gust: Gust | undefined,
    input: Parameters<typeof fetch>[0],
    init: Parameters<typeof fetch>[1],
  ): Promise<Response> => {
    const signal = init?.signal ?? undefined;
    const { signal: _gone, ...kept } = init ?? {};
    const again = (): Promise<Response> => ask(input, init);
    switch (gust?.do) {
      case undefined:
        return again();
      case 'refuse':
        return new Response(SECRET, { status: gust.status, headers: gust.headers });
      case 'refuse-typed':
        return typedErrorResponse(new HelixError(gust.error));
      case 'no-run':
        return new Response(null, { status: 204 });
      case 'page':
        return new Response(`<h1>${SECRET}</h1>`, { headers: { 'content-type': 'text/html' } });
      case 'drop':
        if (gust.taken) ignore(await again());
        throw lost();
      case 'late':
        world.after(gust.ms, () => void ask(input, kept).then(ignore, () => {}));
        throw lost();
      case 'slow': {
        const answer = await again();
        await pause(gust.ms, signal).catch((error: unknown) => {
          ignore(answer);
          throw error;
        });
        return answer;
      }
      case 'hang': {
        ignore(await again());
        return signal === undefined ? new Promise<Response>(() => {}) : aborted(signal);
      }
      case 'lag':
        return replica?.behind() ?? again();
      case 'defer': {
        const answer = await again();
        // Only a server that has taken the message can say so; what else answers well may be anybody's page.
        if (!isReply(answer)) return answer;
        ignore(answer);
        const { retryAfterMs } = gust;
        const error = { code: 'framework_internal_error', reason: 'deferred', retryAfterMs };
        return typedErrorResponse(new HelixError({ ...error, retryable: false } as HelixErrorInit));
      }
      case 'break': {
        const answer = await again();
        if (!isReply(answer) || answer.body === null) return answer;
        return new Response(brokenStream(answer.body, gust), answer);
      }
    }
  };

  return {
    async fetch(input, init) {
      const url = String(input);
      const route = routeOf(url, init?.method);
      const gust = next(route);
      if (route === 'send') await replica?.remember();
      init?.signal?.throwIfAborted();
      const answer = await perform(gust, input, init);
      if (route === 'snapshot' && gust?.do !== 'lag') replica?.caughtUp();
      return answer;
    },
    blow(weather) {
      ahead.push({ weather, left: weather.times });
    },
    calm() {
      ahead = [];
    },
  };
}

/** A copy of the conversation that may be behind. */
export interface Replica {
  /** Keeps the conversation as it is now, before a request changes it. */
  remember(): Promise<void>;
  /** The conversation as it was; undefined where there is nothing older, or it has been behind for too long. */
  behind(): Response | undefined;
  caughtUp(): void;
}

export function createReplica(through: typeof fetch, snapshotUrl: string): Replica {
  let older: string | undefined;
  let late = 0;
  return {
    async remember() {
      const answer = await through(snapshotUrl);
      if (answer.ok) older = await answer.text();
    },
    behind() {
      late += 1;
      if (older === undefined || late > LATE_READS) return undefined;
      return new Response(older, { headers: { 'content-type': 'application/json' } });
    },
    caughtUp() {
      late = 0;
      // Who has been shown the newer conversation is not sent back to the older one.
      older = undefined;
    },
  };
}

/** The same answer; its body breaks when the process behind it dies. */
function mortalBody(response: Response, backend: WalkBackend): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  const reader = body.getReader();
  let forget = (): void => {};
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        forget = backend.onDeath(() => {
          forget();
          controller.error(lost());
          void reader.cancel().catch(() => {});
        });
      },
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          forget();
          controller.close();
        } catch (error) {
          forget();
          controller.error(error);
        }
      },
      cancel(reason) {
        forget();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(stream, { status, statusText, headers });
}
