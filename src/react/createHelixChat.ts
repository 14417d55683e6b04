import type { UIMessage } from 'ai';
import type { HelixChatOptions } from './chatOptions.ts';
import { mountableChat } from './mountableChat.ts';

/** A chat that several components share by object: `useHelixChat({ chat })`. */
export interface HelixChat<M extends UIMessage = UIMessage> {
  readonly kind: 'helix-chat';
  readonly id: string;
  /** Types the messages; never there at run time. */
  readonly messageType?: M;
}

/**
 * Makes a chat outside React, to be shared by any number of `useHelixChat({ chat })`. Its callbacks are called beside
 * those of the components. Nothing is requested before it is mounted.
 * @throws Error at once, in three parts, on options that would break the chat later.
 */
export function createHelixChat<M extends UIMessage = UIMessage>(
  options: HelixChatOptions<M> = {},
): HelixChat<M> {
  return mountableChat(options);
}
