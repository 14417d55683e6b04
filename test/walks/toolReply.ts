import { type FaultServerOptions, wordReply } from 'helix-chat/testing';

type Reply = NonNullable<FaultServerOptions['reply']>;
type Context = Parameters<Reply>[0];
type World = Parameters<typeof wordReply>[0];

const TOOL = 'ask-person';

const asksTool = ({ messages }: Context): boolean =>
  messages
    .findLast(({ role }) => role === 'user')
    ?.parts.some(({ type, text }) => type === 'text' && String(text).startsWith('tool')) === true;

async function* callThe(
  context: Context,
): AsyncGenerator<Record<string, unknown> & { type: string }> {
  yield { type: 'start-step' };
  yield {
    type: 'tool-input-available',
    toolCallId: `call-${context.runId}`,
    toolName: TOOL,
    input: { of: context.runId },
  };
  yield { type: 'finish-step' };
  yield { type: 'finish', finishReason: 'tool-calls' };
}

/** Words, or to a question that begins with `tool` first a call that the client has to answer. */
export const toolReply =
  (world: World): Reply =>
  (context) => {
    const answered = context.messages.at(-1)?.role === 'assistant';
    return asksTool(context) && !answered ? callThe(context) : wordReply(world, context);
  };

export { TOOL };
