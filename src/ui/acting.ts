import type { FailureAction } from '../errors/failure.ts';
import type { ChatMessage, HelixChatHandle } from '../recovery/ports.ts';

/** Performs an action of the kit. `id` names the pending message that is meant. */
export type OnAction = (
  action: FailureAction,
  options?: { readonly id?: string },
) => void | Promise<void>;

/** A chat of any kind of message: views only read from it. */
export type AnyChat = HelixChatHandle<ChatMessage>;

/** Who performs actions: the owner's own handler, else the chat. */
export function actor(chat: AnyChat | undefined, onAction: OnAction | undefined): OnAction {
  return (action, options) => (onAction ? onAction(action, options) : chat?.act(action, options));
}
