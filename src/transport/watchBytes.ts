import { cutFailure } from '../errors/clientFailures.ts';
import type { Call } from './call.ts';

const COLON = 0x3a;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** Notices the first comment line of an event stream: a keep-alive. Lines may be cut anywhere. */
class KeepAliveWatch {
  seen = false;
  #atLineStart = true;

  read(bytes: Uint8Array): void {
    if (this.seen) return;
    for (const byte of bytes) {
      if (this.#atLineStart && byte === COLON) {
        this.seen = true;
        return;
      }
      this.#atLineStart = byte === NEWLINE || byte === RETURN;
    }
  }
}

/**
 * The body of an event stream, byte for byte, with every arrival counted: comment lines too, which the SDK's parser
 * drops. Nothing is read ahead. Silence is measured only while a read is waiting, so a slow reader is never taken for
 * a silent server. Ends by a typed error: `silent`, `cut`, or the time-out in all.
 *
 * @param everyMs the server's own word on its keep-alive interval, 0 where it gave none
 */
export function watchBytes(
  body: ReadableStream<Uint8Array>,
  call: Call,
  everyMs: number,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const { world, idleMs } = call.options;
  const keepAlive = new KeepAliveWatch();
  keepAlive.seen = everyMs > 0;

  const readOne = async () => {
    const limit = idleMs({ seen: keepAlive.seen, everyMs });
    const disarm = limit > 0 ? world.after(limit, () => call.end('idle')) : undefined;
    try {
      return await call.race(reader.read());
    } finally {
      disarm?.();
    }
  };

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await readOne();
          if (done) {
            onEnd();
            controller.close();
            return;
          }
          keepAlive.read(value);
          call.watcher.bytes(world.monotonic());
          controller.enqueue(value);
        } catch (thrown) {
          onEnd();
          reader.cancel().catch(() => {});
          // The platform's abort and our own reason race for the same read: our own reason counts.
          controller.error(call.endedBy === undefined ? cutFailure(thrown) : call.endError());
        }
      },
      cancel(reason) {
        onEnd();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
