import type { ReplyContext } from '../../src/server/driveRun.ts';
import type { Chunk } from '../../src/server/replyMessage.ts';
import type { World } from '../../src/world.ts';

/** What a scripted model does next: say a word, give a chunk as it is, wait, or throw. */
export type Line = string | Chunk | number | Error;

/** A model that follows a script on the world's clock. Adjacent words make one text part; it ends with `finish`. */
export async function* follow(
  world: World,
  lines: readonly Line[],
  context?: ReplyContext,
): AsyncGenerator<Chunk> {
  let texts = 0;
  let open = false;
  const close = function* (): Generator<Chunk> {
    if (open) yield { type: 'text-end', id: `t${texts}` };
    open = false;
  };
  for (const line of lines) {
    if (context?.signal.aborted) return;
    if (typeof line === 'number') {
      await new Promise<void>((resolve) => {
        const cancel = world.after(line, resolve);
        context?.signal.addEventListener('abort', () => {
          cancel();
          resolve();
        });
      });
    } else if (typeof line === 'string') {
      if (!open) yield { type: 'text-start', id: `t${++texts}` };
      open = true;
      yield { type: 'text-delta', id: `t${texts}`, delta: line };
    } else if (line instanceof Error) {
      throw line;
    } else {
      yield* close();
      yield line;
      if (line.type === 'finish') return;
    }
  }
  yield* close();
  yield { type: 'finish', finishReason: 'stop' };
}

export const STEP: Chunk = { type: 'start-step' };
export const STEP_END: Chunk = { type: 'finish-step' };
