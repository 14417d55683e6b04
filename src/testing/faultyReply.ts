import { HelixError } from '../errors/HelixError.ts';
import type { Chunk } from '../server/replyMessage.ts';
import { type ReplySource, readSource } from '../server/replySource.ts';
import { createWordCount } from './brokenStream.ts';
import type { Fault } from './faultScript.ts';

/** A fault of what the model writes. */
export type ReplyFault = Extract<Fault, { do: 'reply' }>;

/** A reply that goes wrong as told: so many words of the real one and then its error, or nothing at all. */
export async function* faultyReply(
  fault: ReplyFault,
  real: () => ReplySource | Promise<ReplySource>,
): AsyncGenerator<Chunk> {
  if ('empty' in fault) {
    yield { type: 'finish', finishReason: 'stop' };
    return;
  }
  if (fault.words > 0) yield* wordsOf(await real(), fault.words);
  throw new HelixError(fault.fails);
}

/** The source's chunks up to the one that brings the last of these words. */
async function* wordsOf(source: ReplySource, words: number): AsyncGenerator<Chunk> {
  const reader = readSource(source);
  const count = createWordCount();
  try {
    for (;;) {
      const { done, value } = await reader.next();
      const chunk = value as Chunk;
      if (done || chunk.type === 'finish' || chunk.type === 'finish-step') return;
      yield chunk;
      if (chunk.type === 'text-delta' && count.add(chunk.delta) >= words) return;
    }
  } finally {
    reader.leave();
  }
}
