import type { HelixErrorInit } from 'helix-chat';
import { HelixError } from 'helix-chat';
import type { FaultServerOptions, ManualWorld } from 'helix-chat/testing';

type Reply = NonNullable<FaultServerOptions['reply']>;
type Context = Parameters<Reply>[0];
type Chunk = Record<string, unknown> & { type: string };

/** One step of a reply: its text, word by word; a failure; a finish reason of its own. */
export type Step = string | HelixErrorInit | { readonly finish: string };

/** Ms between two words. */
const WORD_MS = 10;

async function* stepsOf(
  world: ManualWorld,
  { signal }: Context,
  steps: readonly Step[],
): AsyncGenerator<Chunk> {
  for (const [at, step] of steps.entries()) {
    if (typeof step !== 'string') {
      if ('finish' in step) {
        yield { type: 'finish', finishReason: step.finish };
        return;
      }
      throw new HelixError(step);
    }
    const id = `text-${at}`;
    yield { type: 'start-step' };
    yield { type: 'text-start', id };
    for (const delta of step.split(/(?<= )/)) {
      await new Promise<void>((resolve) => world.after(WORD_MS, resolve));
      if (signal.aborted) return;
      yield { type: 'text-delta', id, delta };
    }
    // The step that a failure or an end of its own follows stays open until then.
    const next = steps[at + 1];
    const isLast = next === undefined;
    if (!isLast && typeof next !== 'string' && !('finish' in next)) throw new HelixError(next);
    yield { type: 'text-end', id };
    yield { type: 'finish-step' };
    if (isLast) yield { type: 'finish', finishReason: 'stop' };
  }
}

/** A model that answers its calls in turn by these steps; the last list serves all further ones. */
export const stepReply =
  (...replies: readonly (readonly Step[])[]) =>
  (world: ManualWorld): { reply: Reply } => {
    let call = 0;
    return {
      reply(context) {
        const steps = replies[Math.min(call, replies.length - 1)] ?? [];
        call += 1;
        return stepsOf(world, context, steps);
      },
    };
  };
