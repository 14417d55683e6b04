import type { Chunk } from './replyMessage.ts';

/** What a host's `reply` may give: a web stream or an async iterable of UI message chunks. */
export type ReplySource = ReadableStream<Chunk> | AsyncIterable<Chunk>;

/** One reader over either form. `leave` tells the source that nobody reads on; it never rejects. */
export interface SourceReader {
  next(): Promise<{ readonly done: boolean; readonly value: unknown }>;
  leave(): void;
}

/** @throws TypeError when the value is neither form. */
export function readSource(source: ReplySource): SourceReader {
  if (isStream(source)) {
    const reader = source.getReader();
    return {
      next: async () => {
        const step = await reader.read();
        return { done: step.done, value: step.value };
      },
      leave: () => quietly(() => reader.cancel()),
    };
  }
  const iterator = iteratorOf(source);
  return {
    next: async () => {
      const step = await iterator.next();
      return { done: step.done === true, value: step.value };
    },
    leave: () => quietly(() => iterator.return?.()),
  };
}

function isStream(source: unknown): source is ReadableStream<Chunk> {
  return typeof (source as { getReader?: unknown } | undefined)?.getReader === 'function';
}

function iteratorOf(source: AsyncIterable<Chunk>): AsyncIterator<Chunk> {
  const start = (source as Partial<AsyncIterable<Chunk>> | undefined)?.[Symbol.asyncIterator];
  if (typeof start !== 'function') {
    throw new TypeError(
      '[helix-chat] `reply` gave neither a ReadableStream nor an async iterable. ' +
        'The run fails. Return `result.toUIMessageStream()` or an async generator of chunks.',
    );
  }
  return start.call(source);
}

function quietly(task: () => unknown): void {
  void Promise.resolve()
    .then(task)
    .catch(() => {});
}
