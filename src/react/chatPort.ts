import type { Chat } from '@ai-sdk/react';
import type { UIMessage } from 'ai';
import type { Answers } from '../recovery/answers.ts';
import type { ChatPort } from '../recovery/chatPort.ts';
import { messageSize, messageText } from '../recovery/messageIdentity.ts';
import type { Turn } from '../recovery/model.ts';

type FilePart = Extract<UIMessage['parts'][number], { type: 'file' }>;

const isFile = (part: UIMessage['parts'][number]): part is FilePart => part.type === 'file';

/**
 * An edit as the SDK takes it: files and one text in its own short form, which leaves no stray `messageId` in the
 * message; anything else part by part.
 */
function editInput<M extends UIMessage>(message: M, messageId: string) {
  const files = message.parts.filter(isFile);
  const texts = message.parts.filter((part) => part.type === 'text');
  const [text] = texts;
  const isShort =
    text !== undefined &&
    texts.length === 1 &&
    files.length + 1 === message.parts.length &&
    message.parts.at(-1) === text;
  const { metadata, role, parts } = message;
  return isShort
    ? { text: text.text, files, metadata, messageId }
    : { role, parts, metadata, messageId };
}

/** The chat port of the SDK's `Chat`, with the shield that keeps a reply on screen while its replay catches up. */
export interface SdkChatPort<M extends UIMessage> extends ChatPort<M> {
  /** The chat's messages; a reply that a replay has not caught up with is drawn as it was. */
  shielded(messages: readonly M[]): readonly M[];
}

interface HeldReply<M> {
  readonly reply: M;
  readonly until: 'begun' | 'caught-up';
}

/** The messages with a reply in its place that the live one has not taken yet. */
function showing<M extends UIMessage>(
  messages: readonly M[],
  { reply, until }: HeldReply<M>,
): readonly M[] {
  const live = messages.at(-1);
  if (live?.role !== 'assistant') return [...messages, reply];
  const begun = messageText(live).trim() !== '';
  const enough = until === 'begun' ? begun : messageSize(live) >= messageSize(reply);
  return enough ? messages : [...messages.slice(0, -1), reply];
}

interface ChatPortOptions<M extends UIMessage> {
  /** What was answered here stays answered on screen while a replay shows the call as open. */
  readonly answers: Pick<Answers, 'apply'>;
  /** The conversation stands at this part of its last message. */
  onOpenCall(part: M['parts'][number]): void;
  /** The answers in the chat's messages go out. */
  onSubmit(): void;
}

/** The SDK's chat as recovery uses it. */
export function createChatPort<M extends UIMessage>(
  chat: Chat<M>,
  options: ChatPortOptions<M>,
): SdkChatPort<M> {
  /** A committed reply that a replay repeats from its start. */
  let kept: M | undefined;
  /** A reply that the snapshot does not hold, of a run that goes on. */
  let held: HeldReply<M> | undefined;
  type SendInput = Parameters<Chat<M>['sendMessage']>;
  return {
    id: chat.id,
    messages: () => chat.messages,
    setMessages(messages) {
      chat.messages = [...messages];
    },
    keepShowing(reply, until) {
      held = { reply, until };
    },
    showAsIs() {
      held = undefined;
    },
    call(turn: Turn<M>) {
      kept = undefined;
      held = undefined;
      const request = turn.request as SendInput[1];
      const { message, targetId } = turn;
      switch (turn.kind) {
        case 'send':
          return chat.sendMessage(message as unknown as SendInput[0], request);
        case 'edit':
          return message === undefined || targetId === undefined
            ? Promise.resolve()
            : chat.sendMessage(editInput(message, targetId) as SendInput[0], request);
        case 'regenerate':
          return chat.regenerate({
            ...request,
            ...(targetId === undefined ? {} : { messageId: targetId }),
          });
        case 'submit':
          options.onSubmit();
          return chat.sendMessage(undefined, request);
        case 'continue':
          return chat.sendMessage(undefined, request);
      }
    },
    attach(reply) {
      kept = reply;
      return chat.resumeStream();
    },
    stop: () => chat.stop(),
    dispatchOpenCalls() {
      const last = chat.messages.at(-1);
      if (last?.role !== 'assistant') return;
      for (const part of last.parts) options.onOpenCall(part);
    },
    shielded(all) {
      const answered = options.answers.apply(all);
      const messages = held === undefined ? answered : showing(answered, held);
      if (kept === undefined) return messages;
      const shield = kept;
      const index = messages.findIndex((message) => message.id === shield.id);
      const live = messages[index];
      if (live === undefined || messageSize(live) >= messageSize(shield)) return messages;
      return messages.map((message, at) => (at === index ? shield : message));
    },
  };
}
