import type { HelixError } from '../errors/HelixError.ts';
import { mapVercelError } from './mapVercelError.ts';
import type { Chunk } from './replyMessage.ts';

/** What the AI SDK's `streamText` gives, by structure. */
export interface StreamedText {
  toUIMessageStream(options: {
    readonly onError: (error: unknown) => string;
  }): ReadableStream<Chunk> | AsyncIterable<Chunk>;
}

/** What a host's `reply` may give: the result of `streamText`, or a web stream or async iterable of UI message chunks. */
export type ReplySource = ReadableStream<Chunk> | AsyncIterable<Chunk> | StreamedText;

/** One reader over any form. `leave` tells the source that nobody reads on; it never rejects. */
export interface SourceReader {
  next(): Promise<{ readonly done: boolean; readonly value: unknown }>;
  leave(): void;
  /** What a failure of this source means, where more is known of it than of any other. */
  typed?(thrown: unknown): HelixError;
}

/** @throws TypeError when the value is none of the forms. */
export function readSource(source: ReplySource): SourceReader {
  if (isStreamedText(source)) {
    // Else the SDK makes a text of the error, which says nothing of its kind.
    const onError = (error: unknown): never => {
      throw error;
    };
    return { ...readSource(source.toUIMessageStream({ onError })), typed: mapVercelError };
  }
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

function isStreamedText(source: unknown): source is StreamedText {
  const { toUIMessageStream } = Object(source) as Partial<StreamedText>;
  return typeof toUIMessageStream === 'function';
}

function isStream(source: unknown): source is ReadableStream<Chunk> {
  return typeof (source as { getReader?: unknown } | undefined)?.getReader === 'function';
}

function iteratorOf(source: ReplySource): AsyncIterator<Chunk> {
  const start = (source as Partial<AsyncIterable<Chunk>> | undefined)?.[Symbol.asyncIterator];
  if (typeof start !== 'function') {
    throw new TypeError(
      '[helix-chat] `reply` gave no result of `streamText`, no ReadableStream and no async iterable. ' +
        'The run fails. Return what `streamText` gives, or an async generator of chunks.',
    );
  }
  return start.call(source as AsyncIterable<Chunk>);
}

function quietly(task: () => unknown): void {
  void Promise.resolve()
    .then(task)
    .catch(() => {});
}
