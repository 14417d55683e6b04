/** How a stream of events goes wrong. */
export interface Breakage {
  readonly afterWords: number;
  readonly how: 'cut' | 'silence' | 'broken-frame';
}

/** What a fetch's body throws when its connection closed in the middle: as undici says it. */
export function connectionClosed(): TypeError {
  const cause = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
  return new TypeError('terminated', { cause });
}

/** Counts the words that the text deltas of a stream have brought. */
export function createWordCount(): { add(delta: unknown): number } {
  let text = '';
  let words = 0;
  return {
    add(delta) {
      if (typeof delta !== 'string') return words;
      text += delta;
      words = text.match(/\S+/g)?.length ?? 0;
      return words;
    },
  };
}

/**
 * The same stream of server-sent events, frame by frame, until so many words have gone through; then it breaks. A reply
 * that is too short breaks before its last chunk.
 */
export function brokenStream(
  body: ReadableStream<Uint8Array>,
  breakage: Breakage,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const frames = createFrames(reader);
  const encoder = new TextEncoder();
  const count = createWordCount();
  let words = 0;
  let broken = false;
  const leave = () => void reader.cancel().catch(() => {});

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!broken && breakage.how !== 'broken-frame' && words >= breakage.afterWords) {
          return breakOff(controller);
        }
        const frame = await frames.next();
        if (frame === undefined) return controller.close();
        const chunk = chunkOf(frame);
        const due = words >= breakage.afterWords || isLast(chunk);
        if (!broken && due && chunk) {
          if (breakage.how !== 'broken-frame') return breakOff(controller);
          broken = true;
          return controller.enqueue(encoder.encode(`${frame.slice(0, frame.length / 2)}\n\n`));
        }
        words = chunk?.type === 'text-delta' ? count.add(chunk.delta) : words;
        controller.enqueue(encoder.encode(frame));
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );

  function breakOff(controller: ReadableStreamDefaultController): Promise<void> | undefined {
    broken = true;
    leave();
    if (breakage.how === 'cut') {
      controller.error(connectionClosed());
      return undefined;
    }
    // Silence: the connection stays open and nothing comes, until the client leaves.
    return new Promise(() => {});
  }
}

/** Splits a byte stream into frames, each with its closing blank line. */
function createFrames(reader: ReadableStreamDefaultReader<Uint8Array>): {
  next(): Promise<string | undefined>;
} {
  const decoder = new TextDecoder();
  let text = '';
  return {
    async next() {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end >= 0) {
          const frame = text.slice(0, end + 2);
          text = text.slice(end + 2);
          return frame;
        }
        const { done, value } = await reader.read();
        if (done) return text === '' ? undefined : takeRest();
        text += decoder.decode(value, { stream: true });
      }
    },
  };

  function takeRest(): string {
    const rest = text;
    text = '';
    return rest;
  }
}

interface SentChunk {
  readonly type: string;
  readonly delta?: unknown;
}

function chunkOf(frame: string): SentChunk | undefined {
  try {
    return JSON.parse(frame.replace(/^data: /, '')) as SentChunk;
  } catch {
    return undefined;
  }
}

function isLast(chunk: SentChunk | undefined): boolean {
  return chunk !== undefined && ['finish', 'abort', 'error'].includes(chunk.type);
}
