/** As much of `http.IncomingMessage` as the handler uses; by structure, so that this file imports nothing of Node's. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** As much of `http.ServerResponse` as the handler uses. */
export interface NodeResponse {
  readonly writableEnded: boolean;
  writeHead(status: number, headers: Record<string, string | string[]>): unknown;
  flushHeaders(): void;
  write(chunk: Uint8Array, sent: (error?: Error | null) => void): boolean;
  end(): unknown;
  destroy(): unknown;
  on(event: 'close', listener: () => void): unknown;
}

/**
 * Serves a request handler with `node:http`: `http.createServer(toNodeHandler(server.handle))`. A body is written chunk
 * by chunk, each after the one before has left this process. A body that breaks, and `Response.error()`, close the socket.
 * A client that leaves aborts `request.signal` and cancels the body.
 */
export function toNodeHandler(
  handle: (request: Request) => Promise<Response>,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return async (incoming, outgoing) => {
    const left = new AbortController();
    outgoing.on('close', () => {
      if (!outgoing.writableEnded) left.abort();
    });
    try {
      const response = await handle(await readRequest(incoming, left.signal));
      if (response.type === 'error') outgoing.destroy();
      else await writeResponse(response, outgoing, left.signal);
    } catch {
      outgoing.destroy();
    }
  };
}

async function readRequest(incoming: NodeRequest, signal: AbortSignal): Promise<Request> {
  const method = incoming.method ?? 'GET';
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  const url = new URL(incoming.url ?? '/', `http://${headers.get('host') ?? 'localhost'}`);
  const withBody = method !== 'GET' && method !== 'HEAD';
  const body = withBody ? await readBytes(incoming) : null;
  return new Request(url, { method, headers, body, signal });
}

async function readBytes(incoming: NodeRequest): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const bytes = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

async function writeResponse(
  response: Response,
  outgoing: NodeResponse,
  signal: AbortSignal,
): Promise<void> {
  const headers: Record<string, string | string[]> = Object.fromEntries(response.headers);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) headers['set-cookie'] = cookies;
  outgoing.writeHead(response.status, headers);
  outgoing.flushHeaders();
  const reader = response.body?.getReader();
  if (reader) await pipe(reader, outgoing, signal);
  if (!signal.aborted) outgoing.end();
}

async function pipe(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  outgoing: NodeResponse,
  signal: AbortSignal,
): Promise<void> {
  let sent = () => {};
  const leave = () => {
    sent();
    void reader.cancel().catch(() => {});
  };
  signal.addEventListener('abort', leave);
  if (signal.aborted) leave();
  for (;;) {
    const { done, value } = await reader.read();
    if (done || signal.aborted) break;
    await new Promise<void>((resolve) => {
      sent = resolve;
      outgoing.write(value, () => resolve());
    });
  }
  signal.removeEventListener('abort', leave);
}
