/** Real bytes of an event stream, written by hand. */

const encoder = new TextEncoder();

/** Chunks as the frames of an event stream. */
export function frames(...chunks: readonly unknown[]): string {
  return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
}

export interface BytePipe {
  readonly stream: ReadableStream<Uint8Array>;
  write(text: string): void;
  close(): void;
  breakOff(error: unknown): void;
  /** The reader has let go of it. */
  readonly cancelled: boolean;
}

/** A body that a test writes while it is read. */
export function createBytePipe(): BytePipe {
  let cancelled = false;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const stream = new ReadableStream<Uint8Array>({
    start(own) {
      controller = own;
    },
    cancel() {
      cancelled = true;
    },
  });
  return {
    stream,
    write: (text) => controller?.enqueue(encoder.encode(text)),
    close: () => controller?.close(),
    breakOff: (error) => controller?.error(error),
    get cancelled() {
      return cancelled;
    },
  };
}

/** An answer with an event stream: a text in one packet, or a pipe. */
export function eventStream(
  body: string | BytePipe,
  headers: Record<string, string> = {},
): Response {
  return new Response(typeof body === 'string' ? body : (body.stream as BodyInit), {
    headers: { 'content-type': 'text/event-stream', ...headers },
  });
}

export interface SentRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: unknown;
  readonly credentials: RequestCredentials | undefined;
  readonly signal: AbortSignal | undefined;
}

type Answer = (request: SentRequest) => Response | Promise<Response>;

/** A `fetch` that answers in order, and remembers what was sent. An answer is a response, an error, or a function. */
export function scriptedFetch(...answers: readonly (Response | Error | DOMException | Answer)[]) {
  const sent: SentRequest[] = [];
  const queue = [...answers];
  const fetch = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
    const request: SentRequest = {
      url: String(input),
      method: init.method ?? 'GET',
      headers: new Headers(init.headers),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      credentials: init.credentials,
      signal: init.signal ?? undefined,
    };
    sent.push(request);
    const answer = queue.shift();
    if (answer === undefined) throw new Error(`Nothing was scripted for ${request.url}`);
    if (typeof answer === 'function') return answer(request);
    if (answer instanceof Response) return answer;
    throw answer;
  };
  return { fetch: fetch as typeof globalThis.fetch, sent };
}

/** A `fetch` answer that never comes; it ends with the request's signal. */
export function never(request: SentRequest): Promise<Response> {
  return new Promise((_, reject) => {
    request.signal?.addEventListener('abort', () => {
      reject(new DOMException('This operation was aborted', 'AbortError'));
    });
  });
}
