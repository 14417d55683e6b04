import type { ReplyContext } from '../server/driveRun.ts';
import type { Chunk } from '../server/replyMessage.ts';
import type { StoredMessage } from '../server/store/chatStore.ts';
import type { World } from '../world.ts';

/** How a word reply is paced: so many ms between words, or so many in all. */
export type WordPace = { readonly wordMs: number } | { readonly totalMs: number };

/** The text that a word reply gives to this question: the same question, the same text. */
export function wordReplyText(question: string): string {
  const asked = question.trim().replace(/\s+/g, ' ').slice(0, 200) || 'nothing at all';
  return (
    `You asked: ${asked} — here is a plain answer that comes word by word, ` +
    'so that there is time to break it, and that is always the same for the same question.'
  );
}

/** A deterministic reply on the world's clock, in the chunks that the AI SDK makes of a text: one step, one text part, one delta a word. */
export async function* wordReply(
  world: World,
  context: Pick<ReplyContext, 'messages' | 'signal'>,
  pace: WordPace = { wordMs: 40 },
): AsyncGenerator<Chunk> {
  const words = wordReplyText(questionOf(context.messages)).split(/(?<= )/);
  // Whole milliseconds that add up to the total.
  const dueAt = (at: number) =>
    'wordMs' in pace ? at * pace.wordMs : Math.round((pace.totalMs * at) / words.length);
  yield { type: 'start-step' };
  yield { type: 'text-start', id: 'text-1' };
  for (const [at, delta] of words.entries()) {
    const wait = dueAt(at + 1) - dueAt(at);
    if (wait > 0) await pause(world, wait, context.signal);
    if (context.signal.aborted) return;
    yield { type: 'text-delta', id: 'text-1', delta };
  }
  yield { type: 'text-end', id: 'text-1' };
  yield { type: 'finish-step' };
  yield { type: 'finish', finishReason: 'stop' };
}

function questionOf(messages: readonly StoredMessage[]): string {
  const last = messages.findLast((message) => message.role === 'user');
  const texts = last?.parts.filter((part) => part.type === 'text') ?? [];
  return texts.map((part) => String(part.text ?? '')).join(' ');
}

/** Waits on the world's clock; an abort ends the wait and takes its timer along. */
function pause(world: World, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = world.after(ms, done);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}
