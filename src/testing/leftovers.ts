import type { World } from '../world.ts';

/** Counts what is under way, so that something that was left behind shows. */
export interface Leftovers {
  /** The same world, whose timers are counted. */
  world(world: World): World;
  /** The same body, counted until it was read to its end, broke or was cancelled. */
  body(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array>;
  /** The same promise, counted until it settles. */
  task<T>(task: Promise<T>): Promise<T>;
  /** Nothing is under way. */
  none(): boolean;
}

/** A count that begins at nothing. */
export function createLeftovers(): Leftovers {
  let count = 0;
  /** Counts one thing; the returned function takes it off, once. */
  const begin = () => {
    let open = true;
    count += 1;
    return () => {
      if (open) count -= 1;
      open = false;
    };
  };
  return {
    world: (world) => ({
      now: () => world.now(),
      monotonic: () => world.monotonic(),
      random: () => world.random(),
      online: () => world.online(),
      visible: () => world.visible(),
      origin: () => world.origin(),
      onPageEvent: (listener) => world.onPageEvent(listener),
      after(ms, task) {
        const end = begin();
        const cancel = world.after(ms, () => {
          end();
          task();
        });
        return () => {
          end();
          cancel();
        };
      },
    }),
    body(body) {
      const end = begin();
      const reader = body.getReader();
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            try {
              const { done, value } = await reader.read();
              if (!done) return controller.enqueue(value);
              end();
              controller.close();
            } catch (error) {
              end();
              controller.error(error);
            }
          },
          cancel(reason) {
            end();
            return reader.cancel(reason);
          },
        },
        { highWaterMark: 0 },
      );
    },
    async task(task) {
      const end = begin();
      try {
        return await task;
      } finally {
        end();
      }
    },
    none: () => count === 0,
  };
}
