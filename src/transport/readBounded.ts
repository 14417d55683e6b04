import type { World } from '../world.ts';

/** How much of a body is read, and for how long. */
export interface Bounds {
  readonly maxBytes: number;
  readonly maxMs: number;
  readonly world: World;
}

/** The text of a body, at most so many bytes and ms of it. `complete` is false when a bound ended the reading. */
export async function readBounded(
  body: ReadableStream<Uint8Array>,
  { maxBytes, maxMs, world }: Bounds,
): Promise<{ readonly text: string; readonly complete: boolean }> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  let late = false;
  const disarm = world.after(maxMs, () => {
    late = true;
    reader.cancel().catch(() => {});
  });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { text: text + decoder.decode(), complete: !late };
      bytes += value.byteLength;
      if (bytes > maxBytes) {
        reader.cancel().catch(() => {});
        return { text, complete: false };
      }
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    disarm();
  }
}
