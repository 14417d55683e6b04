import { readField, readName } from '../protocol/readField.ts';

const PREAMBLE: ReadonlySet<unknown> = new Set([
  'stream-start',
  'response-metadata',
  'raw',
  'ping',
  'text-start',
  'reasoning-start',
]);

/** Whether a part of a model's stream comes before the model has said anything. */
function isPreamble(part: unknown): boolean {
  const type = readField(part, 'type');
  // Anthropic tells by a part of its own that a message begins.
  if (type === 'custom') return readName(part, 'kind')?.endsWith('.message_start') === true;
  return PREAMBLE.has(type);
}

type Step = ReadableStreamReadResult<unknown>;

/** A model's stream that was read up to its first output, or the failure that came in its place. */
export type HeldStream =
  | { readonly stream: ReadableStream<unknown> }
  | { readonly failed: unknown };

/**
 * Reads a model's stream until it has output, fails, ends, or is aborted. A failure before output that `isLost` names is
 * given back; any other stream goes on as it would have, from its first part. `released` is called when it is over.
 */
export async function untilOutput(
  stream: ReadableStream<unknown>,
  about: {
    readonly isLost: (error: unknown) => boolean;
    readonly signal: AbortSignal | undefined;
    readonly released: () => void;
  },
): Promise<HeldStream> {
  const reader = stream.getReader();
  const held: unknown[] = [];
  const aborted = whenAborted(about.signal);
  try {
    for (;;) {
      const next = reader.read();
      const seen = await Promise.race([look(next), aborted.promise]);
      if (seen === 'aborted') return goOn(reader, held, next, about.released);
      if ('error' in seen) {
        if (!about.isLost(seen.error)) return goOn(reader, held, next, about.released);
        return lose(reader, seen.error);
      }
      const { done, value } = seen.step;
      if (done) return goOn(reader, held, next, about.released);
      const reported = readField(value, 'type') === 'error' ? readField(value, 'error') : undefined;
      if (about.isLost(reported)) return lose(reader, reported);
      held.push(value);
      if (!isPreamble(value)) return goOn(reader, held, undefined, about.released);
    }
  } finally {
    aborted.forget();
  }
}

type Seen = { readonly step: Step } | { readonly error: unknown };

const look = (next: Promise<Step>): Promise<Seen> =>
  next.then(
    (step) => ({ step }),
    (error: unknown) => ({ error }),
  );

function whenAborted(signal: AbortSignal | undefined) {
  let listener = () => {};
  const promise = new Promise<'aborted'>((resolve) => {
    listener = () => resolve('aborted');
    if (signal?.aborted) listener();
    signal?.addEventListener('abort', listener, { once: true });
  });
  return { promise, forget: () => signal?.removeEventListener('abort', listener) };
}

function lose(reader: ReadableStreamDefaultReader<unknown>, failed: unknown): HeldStream {
  reader.cancel(failed).catch(() => {});
  return { failed };
}

/** The stream from its first part. `next` is a read that was begun and whose result was not taken. */
function goOn(
  reader: ReadableStreamDefaultReader<unknown>,
  held: unknown[],
  next: Promise<Step> | undefined,
  released: () => void,
): HeldStream {
  let begun = next;
  const stream = new ReadableStream<unknown>(
    {
      async pull(controller) {
        if (held.length > 0) return controller.enqueue(held.shift());
        const read = begun ?? reader.read();
        begun = undefined;
        try {
          const { done, value } = await read;
          if (!done) return controller.enqueue(value);
          released();
          controller.close();
        } catch (error) {
          released();
          controller.error(error);
        }
      },
      cancel(reason) {
        released();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return { stream };
}
