import { canonical } from './canonical.ts';
import type { ChatMessage } from './ports.ts';

/** A tool call in a message, static or dynamic, in the shape that the AI SDK gives it. */
export interface ToolPart {
  readonly type: string;
  readonly toolCallId: string;
  readonly state: string;
  readonly [field: string]: unknown;
}

/**
 * Answers that were sent, against the server's view: still waited for, taken as they are, or something else stands there.
 * `calls`: those it holds for.
 */
export interface AnswerFate {
  readonly fate: 'open' | 'taken' | 'other';
  readonly calls: readonly string[];
}

/** The part as a tool call; undefined for any other part. */
export function toolPartOf(part: { readonly type: string }): ToolPart | undefined {
  if (part.type !== 'dynamic-tool' && !part.type.startsWith('tool-')) return undefined;
  const { toolCallId, state } = part as Partial<ToolPart>;
  return typeof toolCallId === 'string' && typeof state === 'string'
    ? (part as ToolPart)
    : undefined;
}

/** Every tool call of these messages, in order. */
export function toolPartsOf(messages: readonly ChatMessage[]): readonly ToolPart[] {
  return messages.flatMap(({ parts }) => parts.flatMap((part) => toolPartOf(part) ?? []));
}

const OPEN = ['input-streaming', 'input-available', 'approval-requested'];
const ANSWERED = ['output-available', 'output-error', 'output-denied', 'approval-responded'];

/** Nothing has answered the call. */
export const isOpen = ({ state }: ToolPart): boolean => OPEN.includes(state);

/** The call has its answer, by result, error, or refusal. */
export const isAnswered = ({ state }: ToolPart): boolean => ANSWERED.includes(state);

/** A call that the client has to run: its input is whole, and the server does not run it. */
export const isForClient = (part: ToolPart): boolean =>
  part.state === 'input-available' && part.providerExecuted !== true;

/** A call that waits for the client or the person: for an output, or for an approval. */
export const waitsForAnswer = (part: ToolPart): boolean =>
  isForClient(part) || part.state === 'approval-requested';

/** The last message, when it is an assistant's. */
export function lastReply<M extends ChatMessage>(messages: readonly M[]): M | undefined {
  const last = messages.at(-1);
  return last?.role === 'assistant' ? last : undefined;
}

/** The id of a part's approval, where it has one. */
export function approvalIdOf(part: ToolPart): string | undefined {
  const id = (part.approval as { id?: unknown } | undefined)?.id;
  return typeof id === 'string' ? id : undefined;
}

/** What a submit of these messages would answer: the message that goes on, and its calls with their answers. */
export function answersIn(messages: readonly ChatMessage[]): {
  readonly targetId: string | undefined;
  readonly answers: readonly ToolPart[];
} {
  const reply = lastReply(messages);
  const parts = reply === undefined ? [] : toolPartsOf([reply]);
  return { targetId: messages.at(-1)?.id, answers: parts.filter(isAnswered) };
}

/** Whether the conversation stands at a call that the client or the person has to answer. */
export const standsAtCall = (messages: readonly ChatMessage[]): boolean => {
  const reply = lastReply(messages);
  return reply !== undefined && toolPartsOf([reply]).some(waitsForAnswer);
};

const approvedOf = (part: ToolPart): unknown =>
  (part.approval as { approved?: unknown } | undefined)?.approved;

function isSameAnswer(ours: ToolPart, theirs: ToolPart): boolean {
  if (ours.state === 'approval-responded') {
    const approved = approvedOf(theirs) ?? (theirs.state === 'output-denied' ? false : undefined);
    return approved === approvedOf(ours);
  }
  const outcome = ({ state, output, errorText }: ToolPart): string =>
    canonical([state, output, errorText]);
  return outcome(ours) === outcome(theirs);
}

/** What became of these answers; undefined for none. One that is still waited for decides. */
export function answerFate(
  answers: readonly ToolPart[],
  server: readonly ChatMessage[],
): AnswerFate | undefined {
  const theirs = new Map(toolPartsOf(server).map((part) => [part.toolCallId, part]));
  const fateOf = (ours: ToolPart): AnswerFate['fate'] => {
    const their = theirs.get(ours.toolCallId);
    if (their === undefined) return 'other';
    if (isOpen(their)) return 'open';
    return isSameAnswer(ours, their) ? 'taken' : 'other';
  };
  const fates = (['open', 'other', 'taken'] as const).map((fate) => ({
    fate,
    calls: answers.filter((part) => fateOf(part) === fate).map(({ toolCallId }) => toolCallId),
  }));
  return fates.find((found) => found.calls.length > 0);
}
