import { type ChatRouteOptions, createChatRoute } from '../../src/server/chatRoute.ts';
import type { Reply } from '../../src/server/driveRun.ts';
import type { Chunk } from '../../src/server/replyMessage.ts';
import type { ChatStore, StoredMessage } from '../../src/server/store/chatStore.ts';
import { createMemoryStore } from '../../src/server/store/memoryStore.ts';
import { createManualWorld, type ManualWorld } from '../../src/testing/manualWorld.ts';

/** A stream that is being read: what has come so far, and how it ended. */
export interface Read {
  readonly response: Response;
  readonly chunks: Chunk[];
  /** Comment lines. */
  readonly comments: string[];
  ended: 'open' | 'done' | 'broken';
  /** Words of the text deltas, joined. */
  text(): string;
  leave(): Promise<void>;
}

/** A route on a manual clock with what a test needs to talk to it. */
export interface Bench {
  readonly world: ManualWorld;
  readonly store: ChatStore;
  readonly errors: unknown[];
  readonly route: (request: Request) => Promise<Response>;
  post(body: unknown, headers?: Record<string, string>): Promise<Response>;
  send(message: StoredMessage, options?: SendOptions): Promise<Response>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  act(path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  snapshot(chatId?: string): Promise<Snapshot>;
  /** Begins to read an event stream in the background. */
  read(response: Response): Read;
}

export interface Snapshot {
  messages: StoredMessage[];
  status: string;
  runId?: string;
  streamSequence?: number;
  error?: { code: string; error: string; retryable?: boolean; cause?: string };
}

export interface SendOptions {
  chatId?: string;
  key?: string;
  messageId?: string;
  before?: readonly StoredMessage[];
}

export const BASE = 'http://helix.test/api/chat';

export function user(id: string, text: string): StoredMessage {
  return { id, role: 'user', parts: [{ type: 'text', text }] };
}

export function createBench(
  options: Partial<ChatRouteOptions> & { reply: Reply; world?: ManualWorld },
): Bench {
  const world = options.world ?? createManualWorld();
  const store = options.store ?? createMemoryStore({ world });
  const errors: unknown[] = [];
  const route = createChatRoute({
    world,
    onError: (error) => errors.push(error),
    ...options,
    store,
  });
  const request = (url: string, init: RequestInit) => route(new Request(url, init));
  const bench: Bench = {
    world,
    store,
    errors,
    route,
    post: (body, headers = {}) =>
      request(BASE, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    send: (message, { chatId = 'c1', key, messageId, before = [] } = {}) =>
      bench.post(
        {
          id: chatId,
          messages: [...before, message],
          trigger: 'submit-message',
          messageId,
        },
        key === undefined ? {} : { 'X-Helix-Request-Key': key },
      ),
    get: (path, headers = {}) => request(`${BASE}/${path}`, { headers }),
    act: (path, body, headers = {}) =>
      request(`${BASE}/${path}`, {
        method: 'POST',
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    snapshot: async (chatId = 'c1') =>
      (await (await bench.get(`${chatId}/snapshot`)).json()) as Snapshot,
    read: readEvents,
  };
  return bench;
}

export function readEvents(response: Response): Read {
  const reader = response.body?.getReader();
  const read: Read = {
    response,
    chunks: [],
    comments: [],
    ended: 'open',
    text: () =>
      read.chunks
        .filter((chunk) => chunk.type === 'text-delta')
        .map((chunk) => chunk.delta)
        .join(''),
    leave: async () => reader?.cancel(),
  };
  const decoder = new TextDecoder();
  let rest = '';
  const pump = async () => {
    for (;;) {
      const step = await reader?.read();
      if (!step || step.done) break;
      rest += decoder.decode(step.value, { stream: true });
      const frames = rest.split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames) {
        if (frame.startsWith(':')) read.comments.push(frame);
        else if (frame !== 'data: [DONE]') read.chunks.push(JSON.parse(frame.slice(6)) as Chunk);
      }
    }
    read.ended = 'done';
  };
  pump().catch(() => {
    read.ended = 'broken';
  });
  return read;
}

/** The chunk types in order, adjacent equal ones once. */
export function types(chunks: readonly Chunk[]): string[] {
  return chunks.map((chunk) => chunk.type).filter((type, at, all) => type !== all[at - 1]);
}

/** The text of a message. */
export function textOf(message: StoredMessage | undefined): string {
  const texts = message?.parts.filter((part) => part.type === 'text') ?? [];
  return texts.map((part) => String(part.text)).join('');
}
