import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server does with one request. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A local server that plays a model provider and fails as it is told to. */
export interface ProviderServer {
  readonly url: string;
  /** How many requests have come. */
  readonly requests: number;
  /** Answers in this order; the last one goes on for ever. */
  answer(...answers: readonly Answer[]): void;
  /** Settles when a request has come that has no answer yet. */
  reached(): Promise<void>;
  close(): Promise<void>;
}

export async function startProviderServer(): Promise<ProviderServer> {
  let queue: Answer[] = [];
  let requests = 0;
  let tell = () => {};
  let arrival = new Promise<void>(() => {});
  const server = createServer((request, response) => {
    requests += 1;
    const answer = queue.length > 1 ? queue.shift() : queue[0];
    request.resume();
    request.on('end', () => {
      tell();
      answer?.(request, response);
    });
  });
  await listen(server);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    get requests() {
      return requests;
    },
    answer(...answers) {
      queue = [...answers];
      requests = 0;
      arrival = new Promise((resolve) => {
        tell = resolve;
      });
    },
    reached: () => arrival,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const listen = (server: Server) =>
  new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

/** A port on which nobody listens. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  await listen(server);
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

// --- answers -------------------------------------------------------------------------------------------------------

/** A whole answer. */
export const whole =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
  };

/** A stream of events that ends well. */
export const events =
  (...frames: readonly string[]): Answer =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(frames.join(''));
  };

/** The connection is reset before a byte of the answer. */
export const resetAtOnce: Answer = (request) => {
  request.socket.resetAndDestroy();
};

/** The connection is closed before a byte of the answer. */
export const closeAtOnce: Answer = (request) => {
  request.socket.destroy();
};

/** The answer begins, and then its connection breaks. */
export const breakAfter =
  (contentType: string, text: string, how: 'reset' | 'close'): Answer =>
  (request, response) => {
    response.writeHead(200, { 'content-type': contentType });
    response.write(text, () => {
      // The bytes are to arrive before the break does.
      setImmediate(() => {
        if (how === 'reset') request.socket.resetAndDestroy();
        else request.socket.destroy();
      });
    });
  };

/** The answer begins and never goes on. */
export const stallAfter =
  (text: string): Answer =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    if (text !== '') response.write(text);
  };

/** No answer ever comes. */
export const silence: Answer = () => {};
