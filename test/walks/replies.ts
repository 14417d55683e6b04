import { type FaultServerOptions, wordReply } from 'helix-chat/testing';

type Reply = NonNullable<FaultServerOptions['reply']>;
type Context = Parameters<Reply>[0];
type World = Parameters<typeof wordReply>[0];
type Chunk = Record<string, unknown> & { type: string };

/** A tool that a person answers, one that the app runs by itself, and one that needs a person's leave. */
export const TOOLS = { asked: 'ask-person', run: 'look-up', approved: 'delete-file' } as const;

/** What one step of a reply does: say words, or call tools. */
type StepPlan = 'words' | readonly (keyof typeof TOOLS)[];

/** What a reply is made of, by the first word of the question. */
const PLANS = {
  text: ['words'],
  steps: ['words', 'words'],
  tool: [['asked'], 'words'],
  auto: [['run'], 'words'],
  approve: [['approved'], 'words'],
  both: [['run', 'asked'], 'words'],
  twice: [['run'], ['asked'], 'words'],
  length: ['words'],
  filtered: ['words'],
  broken: ['words'],
} as const satisfies Record<string, readonly StepPlan[]>;

/** The kinds of question that a person of a walk asks. */
export type Question = keyof typeof PLANS;
export const QUESTIONS = Object.keys(PLANS) as readonly Question[];

const REASONS: Partial<Record<Question, string>> = {
  length: 'length',
  filtered: 'content-filter',
  broken: 'error',
};

/** The kind of a text that begins with its name; any other text asks for words. */
export function questionOf(text: string): Question {
  const word = text.split(' ')[0] ?? '';
  return Object.hasOwn(PLANS, word) ? (word as Question) : 'text';
}

function askedIn({ messages }: Context): Question {
  const last = messages.findLast(({ role }) => role === 'user');
  const part = last?.parts.find(({ type }) => type === 'text');
  return questionOf(String(part?.text ?? ''));
}

/** Steps that are in the transcript already: the reply goes on behind them. */
function stepsDone({ messages }: Context): number {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return 0;
  return last.parts.filter(({ type }) => type === 'step-start').length;
}

function* calls(context: Context, step: number, names: readonly (keyof typeof TOOLS)[]) {
  yield { type: 'start-step' };
  for (const [at, name] of names.entries()) {
    const toolCallId = `call-${context.attemptId}-${step}-${at}`;
    yield { type: 'tool-input-available', toolCallId, toolName: TOOLS[name], input: { step } };
    if (name === 'approved') {
      yield { type: 'tool-approval-request', toolCallId, approvalId: `approval-${toolCallId}` };
    }
  }
  yield { type: 'finish-step' };
  yield { type: 'finish', finishReason: 'tool-calls' };
}

/** What became of the calls that a person let run, or did not. */
function* outcomes({ messages }: Context) {
  for (const part of messages.at(-1)?.parts ?? []) {
    if (part.state !== 'approval-responded') continue;
    const { toolCallId, approval } = part;
    yield (approval as { approved?: unknown }).approved === true
      ? { type: 'tool-output-available', toolCallId, output: 'done' }
      : { type: 'tool-output-denied', toolCallId };
  }
}

async function* answer(world: World, context: Context): AsyncGenerator<Chunk> {
  const kind = askedIn(context);
  const plan: readonly StepPlan[] = PLANS[kind];
  // A reply to answers that the plan has nothing more for is words.
  const from = Math.min(stepsDone(context), plan.length - 1);
  for (let step = from; step < plan.length; step += 1) {
    const does = plan[step] ?? 'words';
    if (does !== 'words') {
      yield* calls(context, step, does);
      return;
    }
    const isLast = step === plan.length - 1;
    for await (const chunk of wordReply(world, context)) {
      if (chunk.type === 'finish') {
        if (isLast) yield { ...chunk, finishReason: REASONS[kind] ?? 'stop' };
      } else yield chunk;
      if (chunk.type === 'start-step') yield* outcomes(context);
    }
  }
}

/** Replies whose steps, tool calls and end follow from the question's first word. */
export const replies =
  (world: World): Reply =>
  (context) =>
    answer(world, context);
