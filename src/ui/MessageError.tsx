import type { HTMLAttributes, ReactNode } from 'react';
import { forwardRef, useMemo } from 'react';
import type { FailureView } from '../i18n/describeError.ts';
import type { AnyChat, OnAction } from './acting.ts';
import { FailureCard } from './FailureCard.tsx';
import { givenContent, messageContent, stoppedContent, wasStopped } from './failureContent.ts';
import { useIsPlaced, usePlaced } from './placed.ts';
import type { CardParts } from './slots.ts';
import { useUI } from './uiContext.ts';

/** Props of `MessageError`; those not named here go to its outermost element. */
export interface MessageErrorProps extends Omit<HTMLAttributes<HTMLDivElement>, 'children'> {
  readonly chat?: AnyChat;
  /** The message in whose row it stands. */
  readonly messageId?: string;
  /** In place of `chat` and `messageId`: a failure in words. Undefined draws nothing. */
  readonly view?: FailureView | undefined;
  /** Performs the actions. Default: the chat does. A promise keeps the button busy until it settles. */
  readonly onAction?: OnAction;
  /** Arranges the parts; the element around them stays the kit's. */
  readonly children?: (parts: CardParts) => ReactNode;
}

/** A failure at the reply it belongs to. Goes into each row as its last child; all but one of them draw nothing. */
export const MessageError = forwardRef<HTMLDivElement, MessageErrorProps>(function MessageError(
  { chat, messageId, view, onAction, children, ...rest },
  ref,
) {
  const { catalog, locale, actions, world } = useUI();
  usePlaced('message-error', chat?.id, messageId);
  const routed = useIsPlaced('all-error-toasts', chat?.id);
  const { failure, messages, pendingSends } = chat ?? {};
  const failed = useMemo(() => {
    if (view) return givenContent(view);
    if (!failure || !messages || !pendingSends || !catalog || messageId === undefined) {
      return undefined;
    }
    const words = { catalog, locale, actions, world };
    return messageContent({ failure, messages, pendingSends }, messageId, words, routed);
  }, [view, messageId, catalog, locale, actions, world, failure, messages, pendingSends, routed]);
  const stopped = messages && messageId !== undefined && wasStopped(messages, messageId);
  const mark = useMemo(
    () => (stopped && catalog ? stoppedContent(messageId, { catalog }) : undefined),
    [stopped, messageId, catalog],
  );
  const content = failed ?? mark;
  return (
    <FailureCard
      {...rest}
      ui="message-error"
      content={content}
      chat={chat}
      onAction={onAction}
      arrange={children}
      leaveTo={['action', 'message', 'composer', 'surface']}
      messageId={messageId}
      forwarded={ref}
    />
  );
});
