import type { Chat } from '@ai-sdk/react';
import type { UIMessage } from 'ai';
import type { ChatPort } from '../recovery/controller.ts';
import { messageSize } from '../recovery/messageIdentity.ts';
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

export function createChatPort<M extends UIMessage>(
  chat: Chat<M>,
  onToolCall: (part: M['parts'][number]) => void,
): SdkChatPort<M> {
  let kept: M | undefined;
  type SendInput = Parameters<Chat<M>['sendMessage']>;
  return {
    id: chat.id,
    messages: () => chat.messages,
    setMessages(messages) {
      chat.messages = [...messages];
    },
    call(turn: Turn<M>) {
      kept = undefined;
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
      for (const part of last.parts) onToolCall(part);
    },
    shielded(messages) {
      if (kept === undefined) return messages;
      const shield = kept;
      const index = messages.findIndex((message) => message.id === shield.id);
      const live = messages[index];
      if (live === undefined || messageSize(live) >= messageSize(shield)) return messages;
      return messages.map((message, at) => (at === index ? shield : message));
    },
  };
}
