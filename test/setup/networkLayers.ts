import type { ManualWorld } from 'helix-chat/testing';

/** A network between the chat and the server: the second argument of `play`. */
export type Layer = (through: typeof fetch, world: ManualWorld) => typeof fetch;

export type Route = 'send' | 'stream' | 'snapshot' | 'stop' | 'retry';

type Input = Parameters<typeof fetch>[0];
type Init = Parameters<typeof fetch>[1];

const isFor = (route: Route, input: Input, init: Init): boolean =>
  route === 'send'
    ? init?.method === 'POST' && String(input).endsWith('/chat')
    : String(input).endsWith(`/${route}`);

/** Answers the requests of a route in the server's place, as long as `answer` has something to say. */
export const instead =
  (
    route: Route,
    answer: (world: ManualWorld) => Response | undefined | Promise<Response | undefined>,
  ): Layer =>
  (through, world) =>
  async (input, init) =>
    (isFor(route, input, init) ? await answer(world) : undefined) ?? through(input, init);

/** Every request of a route takes so long before it reaches the server; one that is aborted meanwhile never does. */
export const slow =
  (route: Route, ms: number): Layer =>
  (through, world) =>
  async (input, init) => {
    if (isFor(route, input, init)) {
      await new Promise<void>((resolve) => world.after(ms, resolve));
      init?.signal?.throwIfAborted();
    }
    return through(input, init);
  };

/** The stream of each answer is this text instead: of the sends, or of the reads of a live run too. */
export const replaced =
  (routes: readonly Route[], frames: readonly object[]): Layer =>
  (through) =>
  async (input, init) => {
    const answer = await through(input, init);
    const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (!isStream || !routes.some((route) => isFor(route, input, init))) return answer;
    // The run goes on behind it, as it does behind a proxy.
    void answer.text().catch(() => {});
    const text = frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('');
    return new Response(text, { status: 200, headers: answer.headers });
  };

/** The server takes the first send, but its answer never comes: that request ends when it is aborted. */
export const firstAnswerNeverComes: Layer = (through) => {
  let isFirst = true;
  return async (input, init) => {
    if (!isFirst || !isFor('send', input, init)) return through(input, init);
    isFirst = false;
    const { signal, ...rest } = init ?? {};
    const taken = await through(input, rest);
    void taken.text().catch(() => {});
    return new Promise<Response>((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    });
  };
};

/**
 * A backend that keeps the ids of messages, but takes each post of one for a new message: only an equal request key, or
 * a look at the transcript beforehand, keeps a message from standing there twice.
 */
export const keepIds: Layer = (through) => {
  const rowOf = new Map<string, string>();
  const rowOfKey = new Map<string, string>();
  let rows = 0;
  const newRow = (id: string, key: string | null): string => {
    const known = key === null ? undefined : rowOfKey.get(key);
    if (known !== undefined) return known;
    rows += 1;
    const row = `${id}~~${rows}`;
    if (key !== null) rowOfKey.set(key, row);
    return row;
  };
  return async (input, init) => {
    if (isFor('send', input, init)) {
      const body = JSON.parse(String(init?.body)) as {
        trigger?: string;
        messageId?: string;
        messages: { id: string; role: string }[];
      };
      const stored = (id: string): string => rowOf.get(id) ?? id;
      const last = body.messages.at(-1);
      const isNew = body.trigger === 'submit-message' && body.messageId === undefined;
      if (isNew && last?.role === 'user') {
        rowOf.set(last.id, newRow(last.id, new Headers(init?.headers).get('x-helix-request-key')));
      }
      const messages = body.messages.map((message) => ({ ...message, id: stored(message.id) }));
      const target = body.messageId === undefined ? {} : { messageId: stored(body.messageId) };
      return through(input, { ...init, body: JSON.stringify({ ...body, ...target, messages }) });
    }
    const answer = await through(input, init);
    if (!isFor('snapshot', input, init)) return answer;
    const text = (await answer.text()).replace(/~~\d+/g, '');
    return new Response(text, { status: answer.status, headers: answer.headers });
  };
};

/** A network whose open streams can die without a word, as they do while a page is frozen; new ones live. */
export function mortalStreams(): { readonly layer: Layer; kill(): void } {
  let open = new Set<{ dead: boolean }>();
  return {
    kill() {
      for (const line of open) line.dead = true;
      open = new Set();
    },
    layer: (through) => async (input, init) => {
      const answer = await through(input, init);
      if (!isStream(answer) || answer.body === null) return answer;
      const reader = answer.body.getReader();
      const line = { dead: false };
      open.add(line);
      const body = new ReadableStream<Uint8Array>(
        {
          start(controller) {
            init?.signal?.addEventListener('abort', () => {
              void reader.cancel().catch(() => {});
              controller.error(new DOMException('aborted', 'AbortError'));
            });
          },
          async pull(controller) {
            const { done, value } = await reader.read();
            if (line.dead || init?.signal?.aborted) return new Promise<void>(() => {});
            if (done) controller.close();
            else controller.enqueue(value);
          },
          cancel: (reason) => reader.cancel(reason),
        },
        { highWaterMark: 0 },
      );
      return new Response(body, { status: answer.status, headers: answer.headers });
    },
  };
}

const isStream = (answer: Response): boolean =>
  answer.headers.get('content-type')?.startsWith('text/event-stream') === true;

/** Nothing gets through while it is down. Counts what was tried then, and when. */
export function breakableNetwork(): {
  readonly layer: Layer;
  readonly tried: number[];
  down: boolean;
} {
  const network = {
    down: false,
    tried: [] as number[],
    layer: ((through, world) => async (input, init) => {
      if (!network.down) return through(input, init);
      network.tried.push(world.monotonic());
      throw new TypeError('fetch failed');
    }) satisfies Layer,
  };
  return network;
}
