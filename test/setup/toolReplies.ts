import type { FaultServerOptions, ManualWorld } from 'helix-chat/testing';
import { wordReply } from 'helix-chat/testing';

type Reply = NonNullable<FaultServerOptions['reply']>;
type Context = Parameters<Reply>[0];
type Chunk = Record<string, unknown> & { type: string };
type Part = Context['messages'][number]['parts'][number];

export const TOOL = 'ask-person';
const WORD_MS = 40;

const questionOf = ({ messages }: Context): string =>
  String(
    messages.findLast(({ role }) => role === 'user')?.parts.find(({ type }) => type === 'text')
      ?.text ?? '',
  );

const pause = (world: ManualWorld, ms: number): Promise<void> =>
  new Promise((resolve) => void world.after(ms, resolve));

const outcomeOf = (part: Part): string => {
  const { state, output, errorText, approval } = part as Record<string, unknown>;
  if (state === 'output-available') return String(output);
  if (state === 'output-error') return `error ${String(errorText)}`;
  return (approval as { approved?: boolean } | undefined)?.approved === true ? 'may' : 'may not';
};

/** The calls of the question's steps: `ask t1 t2 then t3`, or `approve t1`. */
function stepsOf(question: string): readonly (readonly string[])[] {
  const asks = /^(?:ask|approve) ([\w ]+?)(?: and talk)?$/.exec(question)?.[1];
  return asks === undefined ? [] : asks.split(' then ').map((step) => step.split(' '));
}

/**
 * A model that calls client tools: `ask t1 t2` calls two in one step, `then t3` one more once they are answered, `approve
 * t1` asks for leave, `and talk` goes on with words behind the calls. When all are answered it says what it was told. A
 * call id that ends in `lapsed` or `open` carries a deadline. Any other question is answered in words.
 */
export const toolReplies =
  (world: ManualWorld): Reply =>
  (context) => {
    const question = questionOf(context);
    const steps = stepsOf(question);
    const last = context.messages.at(-1);
    const parts = last?.role === 'assistant' ? last.parts : [];
    const calls = parts.filter(({ type }) => type === `tool-${TOOL}`);
    const next = steps.find((step) => !calls.some(({ toolCallId }) => toolCallId === step[0]));
    if (steps.length === 0) return wordReply(world, context);
    return next === undefined
      ? says(world, calls.map((part) => `${part.toolCallId} ${outcomeOf(part)}`).join(', '))
      : asks(world, next, question);
  };

function deadlineOf(world: ManualWorld, id: string): object {
  if (id.endsWith('lapsed')) {
    return { providerMetadata: { helix: { deadlineAt: world.now() - 1 } } };
  }
  if (!id.endsWith('open')) return {};
  const deadlineAt = new Date(world.now() + 60_000).toISOString();
  return { providerMetadata: { helix: { deadlineAt } } };
}

async function* asks(
  world: ManualWorld,
  ids: readonly string[],
  question: string,
): AsyncGenerator<Chunk> {
  yield { type: 'start-step' };
  await pause(world, WORD_MS);
  for (const id of ids) {
    yield {
      type: 'tool-input-available',
      toolCallId: id,
      toolName: TOOL,
      input: { of: id },
      ...deadlineOf(world, id),
    };
    if (question.startsWith('approve')) {
      yield { type: 'tool-approval-request', approvalId: `leave-${id}`, toolCallId: id };
    }
  }
  if (question.endsWith('and talk')) yield* words(world, 'While you think, some words go on here.');
  yield { type: 'finish-step' };
  yield { type: 'finish', finishReason: 'tool-calls' };
}

async function* says(world: ManualWorld, told: string): AsyncGenerator<Chunk> {
  yield { type: 'start-step' };
  yield* words(world, `You said: ${told}.`);
  yield { type: 'finish-step' };
  yield { type: 'finish', finishReason: 'stop' };
}

async function* words(world: ManualWorld, text: string): AsyncGenerator<Chunk> {
  const id = `text-${text.length}`;
  yield { type: 'text-start', id };
  for (const delta of text.split(/(?<= )/)) {
    await pause(world, WORD_MS);
    yield { type: 'text-delta', id, delta };
  }
  yield { type: 'text-end', id };
}
