import type { ChatMessage } from './ports.ts';
import {
  approvalIdOf,
  isForClient,
  isOpen,
  lastReply,
  type ToolPart,
  toolPartOf,
  toolPartsOf,
} from './toolParts.ts';

/** What the person or the app answered to a call. */
export type ToolAnswer =
  | {
      readonly toolCallId: string;
      readonly state: 'output-available' | 'output-error';
      readonly output: unknown;
      readonly errorText: string | undefined;
    }
  | {
      readonly approvalId: string;
      readonly approved: boolean;
      readonly reason: string | undefined;
    };

/** Answers given here that the server is not known to have. They outlive replays, snapshots and the session. */
export interface Answers {
  /** Remembers an answer, in place of an earlier one to the same call. `request`: options of the send that it sets off. */
  note(answer: ToolAnswer, request: unknown): void;
  /** The server has not been seen to take an answer to this call. */
  holds(part: ToolPart): boolean;
  /** Some answer to the last reply of these messages has not gone out yet. */
  fresh(messages: readonly ChatMessage[]): boolean;
  /** The request options of the freshest of those. */
  request(messages: readonly ChatMessage[]): unknown;
  /** The answers to these calls are on their way, or do not go by themselves any more. */
  going(parts: readonly ToolPart[]): void;
  /** The server has an answer to these calls. */
  forget(parts: readonly ToolPart[]): void;
  /** The messages with every remembered answer in its place; the same list where nothing changes. */
  apply<M extends ChatMessage>(messages: readonly M[]): readonly M[];
}

interface Kept {
  readonly answer: ToolAnswer;
  readonly request: unknown;
  fresh: boolean;
}

const callKey = (toolCallId: string): string => `call ${toolCallId}`;
const approvalKey = (id: string): string => `approval ${id}`;

const keysOf = (part: ToolPart): string[] => {
  const approvalId = approvalIdOf(part);
  return [callKey(part.toolCallId), ...(approvalId === undefined ? [] : [approvalKey(approvalId)])];
};

/** An empty book of answers; one a chat, which outlives its controller. */
export function createAnswers(): Answers {
  const kept = new Map<string, Kept>();

  /** In the order in which they were given. */
  const freshIn = (messages: readonly ChatMessage[]): readonly Kept[] => {
    const reply = lastReply(messages);
    if (reply === undefined || kept.size === 0) return [];
    const keys = new Set(toolPartsOf([reply]).flatMap(keysOf));
    return [...kept].flatMap(([key, entry]) => (entry.fresh && keys.has(key) ? entry : []));
  };

  const answered = (part: ToolPart): ToolPart => {
    const output = isForClient(part) ? kept.get(callKey(part.toolCallId))?.answer : undefined;
    if (output !== undefined && 'toolCallId' in output) {
      const { state, output: value, errorText } = output;
      return { ...part, state, output: value, errorText };
    }
    const approvalId = part.state === 'approval-requested' ? approvalIdOf(part) : undefined;
    const word = approvalId === undefined ? undefined : kept.get(approvalKey(approvalId))?.answer;
    if (word === undefined || !('approvalId' in word)) return part;
    const { approved, reason } = word;
    const approval = { ...(part.approval as object), approved, reason };
    return { ...part, state: 'approval-responded', approval };
  };

  const applyTo = <M extends ChatMessage>(message: M): M => {
    let changed = false;
    const parts = message.parts.map((part) => {
      const tool = toolPartOf(part);
      const next = tool === undefined || !isOpen(tool) ? part : answered(tool);
      changed ||= next !== part;
      return next;
    });
    return changed ? { ...message, parts } : message;
  };

  return {
    note(answer, request) {
      const key =
        'toolCallId' in answer ? callKey(answer.toolCallId) : approvalKey(answer.approvalId);
      kept.delete(key);
      kept.set(key, { answer, request, fresh: true });
    },
    holds: (part) => keysOf(part).some((key) => kept.has(key)),
    fresh: (messages) => freshIn(messages).length > 0,
    request: (messages) => freshIn(messages).at(-1)?.request,
    going(parts) {
      for (const key of parts.flatMap(keysOf)) {
        const entry = kept.get(key);
        if (entry !== undefined) entry.fresh = false;
      }
    },
    forget(parts) {
      for (const key of parts.flatMap(keysOf)) kept.delete(key);
    },
    apply(messages) {
      if (kept.size === 0) return messages;
      const applied = messages.map(applyTo);
      return applied.some((message, at) => message !== messages[at]) ? applied : messages;
    },
  };
}
