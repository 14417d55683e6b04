import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { convertToModelMessages, streamText, type UIMessage } from 'ai';
import type { ManualWorld } from 'helix-chat/testing';
import { cross } from './reach.ts';
import { createStockModel, type ModelPlan } from './stockModel.ts';

/** What goes wrong with one POST. */
export type StockFault =
  /** Answered before the route sees it. */
  | {
      readonly do: 'answer';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** The route takes it, and the connection closes before a byte. */
  | { readonly do: 'lose' }
  /** The answer's bytes are changed on their way: after five words. `insert` goes on after these bytes, each of which arrives alone. */
  | { readonly do: 'cut' }
  | { readonly do: 'insert'; readonly bytes: readonly string[] }
  /** The model itself. A second plan is for the model call of a stream retry. */
  | { readonly do: 'model'; readonly plans: readonly ModelPlan[]; readonly streamRetries?: number };

/** How the server answers whatever is not `POST /api/chat`. */
export type Elsewhere = Omit<Extract<StockFault, { do: 'answer' }>, 'do'>;

export interface StockRequest {
  readonly method: string;
  /** Path without `/api/chat`: `` for a send, else as `/c1/stream`. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: { readonly messages?: readonly UIMessage[] } & Record<string, unknown>;
}

/** An AI SDK chat route on real TCP, as its documentation shows it: no header, key or route of helix-chat. */
export interface StockServer {
  readonly origin: string;
  readonly api: string;
  readonly requests: readonly StockRequest[];
  /** How often the route was posted to. */
  posts(): number;
  /** Requests for a route that does not exist here, by its last segment. */
  looks(route: 'stream' | 'snapshot' | 'stop'): number;
  /** The next POSTs go wrong, one after the other. */
  arm(...faults: readonly StockFault[]): void;
  /** User messages that the route has taken, by their text. */
  readonly taken: readonly string[];
  /** No answer is being written. */
  quiet(): boolean;
  close(): Promise<void>;
}

const notFound: Elsewhere = {
  status: 404,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: '<!doctype html><title>404</title><h1>This page could not be found.</h1>',
};

/** Starts the server on 127.0.0.1 at a free port. */
export async function startStockServer(
  world: ManualWorld,
  elsewhere: Elsewhere = notFound,
): Promise<StockServer> {
  const requests: StockRequest[] = [];
  const taken: string[] = [];
  const faults: StockFault[] = [];
  let plans: ModelPlan[] = [];
  let renamed = 0;
  let open = 0;
  const model = createStockModel(world, () => plans.shift() ?? {});

  const route = async (
    body: StockRequest['body'],
    signal: AbortSignal,
    fault: StockFault | undefined,
  ): Promise<Response> => {
    const messages = [...(body.messages ?? [])];
    const last = messages.at(-1);
    if (last?.role === 'user') {
      taken.push(last.parts.map((part) => (part.type === 'text' ? part.text : '')).join(''));
    }
    plans = fault?.do === 'model' ? [...fault.plans] : [];
    const retries = fault?.do === 'model' ? fault.streamRetries : undefined;
    const result = streamText({
      model,
      // A server that keeps messages gives every one an id of its own.
      messages: await convertToModelMessages(
        messages.map((message) => ({ ...message, id: `row_${++renamed}` })),
      ),
      maxRetries: 0,
      abortSignal: signal,
      onError: () => {},
      ...(retries === undefined ? {} : { streamRetries: retries }),
    });
    return result.toUIMessageStreamResponse({
      originalMessages: messages,
      generateMessageId: () => `row_${++renamed}`,
    });
  };

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const left = new AbortController();
    outgoing.on('close', () => {
      if (!outgoing.writableEnded) left.abort();
    });
    const bytes = await readAll(incoming);
    const path = (incoming.url ?? '').replace(/^\/api\/chat/, '');
    const body = bytes === '' ? {} : JSON.parse(bytes);
    requests.push({ method: incoming.method ?? '', path, headers: incoming.headers, body });
    if (incoming.method !== 'POST' || path !== '') {
      answer(outgoing, elsewhere);
      return;
    }
    const fault = faults.shift();
    if (fault?.do === 'answer') {
      answer(outgoing, fault);
      return;
    }
    const response = await route(body, left.signal, fault);
    if (fault?.do === 'lose') {
      void response.body?.cancel();
      outgoing.destroy();
      return;
    }
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    await pipe(response, outgoing, fault);
  };

  const server = createServer((incoming, outgoing) => {
    open += 1;
    outgoing.on('close', () => {
      open -= 1;
    });
    serve(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;

  return {
    origin,
    api: `${origin}/api/chat`,
    requests,
    taken,
    posts: () => requests.filter(({ method, path }) => method === 'POST' && path === '').length,
    looks: (name) => requests.filter(({ path }) => path.endsWith(`/${name}`)).length,
    arm: (...next) => void faults.push(...next),
    quiet: () => open === 0,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of incoming) text += String(chunk);
  return text;
}

function answer(outgoing: ServerResponse, { status, headers, body }: Elsewhere): void {
  outgoing.writeHead(status, { ...headers });
  outgoing.end(body ?? '');
}

/** Hands the answer on, and breaks it after five words where it is to break. */
async function pipe(
  response: Response,
  outgoing: ServerResponse,
  fault: StockFault | undefined,
): Promise<void> {
  let words = 0;
  let changed = false;
  for await (const bytes of response.body ?? []) {
    const frame = new TextDecoder().decode(bytes);
    if (frame.includes('"text-delta"')) words += 1;
    if (words > 5 && !changed) {
      changed = true;
      if (fault?.do === 'cut') {
        outgoing.destroy();
        return;
      }
      for (const inserted of fault?.do === 'insert' ? fault.bytes : []) {
        outgoing.write(inserted);
        await cross();
      }
    }
    outgoing.write(frame);
    if (outgoing.destroyed) return;
  }
  outgoing.end();
}
