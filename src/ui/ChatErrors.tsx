import type { ComponentType, HTMLAttributes, ReactNode } from 'react';
import { forwardRef } from 'react';
import type { FailureView } from '../i18n/describeError.ts';
import type { PendingSend } from '../recovery/ports.ts';
import type { AnyChat, OnAction } from './acting.ts';
import type { ConflictNoticeProps, ConflictView } from './ConflictNotice.tsx';
import { ConflictNotice } from './ConflictNotice.tsx';
import type { ConnectionStatusProps, ConnectionView } from './ConnectionStatus.tsx';
import { ConnectionStatus } from './ConnectionStatus.tsx';
import type { ErrorBannerProps } from './ErrorBanner.tsx';
import { ErrorBanner } from './ErrorBanner.tsx';
import { isOfReply, sentMessages } from './failureContent.ts';
import type { MessageErrorProps } from './MessageError.tsx';
import { MessageError } from './MessageError.tsx';
import type { PendingSendsProps } from './PendingSends.tsx';
import { PendingSends } from './PendingSends.tsx';
import { DropInProvider, useIsPlaced } from './placed.ts';
import { rootAttributes } from './rootAttributes.ts';
import type { ErrorToastsProps } from './toast/ErrorToasts.tsx';
import { ErrorToasts } from './toast/ErrorToasts.tsx';
import { useUI } from './uiContext.ts';

/** All that the drop-in shows, as plain data. What is absent is not drawn. */
export interface ChatErrorsView {
  /** Where it stands is its `surface`. */
  readonly failure?: FailureView | undefined;
  readonly connection?: ConnectionView | undefined;
  /** The pending messages, the next one first. */
  readonly pending?: readonly PendingSend[] | undefined;
  readonly conflict?: ConflictView | undefined;
}

/** Props of `ChatErrors`; those not named here go to its outermost element. */
export interface ChatErrorsProps extends Omit<HTMLAttributes<HTMLDivElement>, 'children'> {
  readonly chat?: AnyChat;
  /** In place of `chat`. */
  readonly view?: ChatErrorsView | undefined;
  /** Performs the actions. Default: the chat does. A promise keeps the button busy until it settles. */
  readonly onAction?: OnAction;
  /** Components of the app in place of the kit's. */
  readonly slots?: ChatErrorsSlots;
  /** Arranges the parts; keep their order, which is the order of reading. */
  readonly children?: (parts: ChatErrorsParts) => ReactNode;
}

/** The components that the drop-in puts together. */
export interface ChatErrorsSlots {
  readonly MessageError?: ComponentType<MessageErrorProps>;
  readonly ConnectionStatus?: ComponentType<ConnectionStatusProps>;
  readonly PendingSends?: ComponentType<PendingSendsProps>;
  readonly ConflictNotice?: ComponentType<ConflictNoticeProps>;
  readonly ErrorBanner?: ComponentType<ErrorBannerProps>;
  readonly ErrorToasts?: ComponentType<ErrorToastsProps>;
}

/** What the drop-in draws, in the order of reading. A part is absent where the app has placed its component itself. */
export interface ChatErrorsParts {
  readonly reply: ReactNode;
  readonly status: ReactNode;
  readonly pending: ReactNode;
  readonly conflict: ReactNode;
  readonly banner: ReactNode;
  /** What has no place on the page, and pointers to what is off screen. */
  readonly toasts: ReactNode;
}

const KIT = {
  MessageError,
  ConnectionStatus,
  PendingSends,
  ConflictNotice,
  ErrorBanner,
  ErrorToasts,
};

/**
 * Everything that a chat has to say when it cannot simply go on, each in its place and once: a failure of the last
 * reply, the connection, the messages that are not sent, a conflict or a failure; and toasts for what has no place. Belongs between the conversation and
 * the composer. A component of the kit that the app has placed itself for the same chat is left out here.
 */
export const ChatErrors = forwardRef<HTMLDivElement, ChatErrorsProps>(function ChatErrors(
  { chat, view, onAction, slots = KIT, children, ...rest },
  ref,
) {
  const settings = useUI();
  const given = { ...(chat && { chat }), ...(onAction && { onAction }) };
  const id = chat?.id;
  const last = chat && sentMessages(chat).at(-1)?.id;
  const lastIsPlaced = useIsPlaced('message-error', id, last);
  const statusIsPlaced = useIsPlaced('connection-status', id);
  const pendingIsPlaced = useIsPlaced('pending-sends', id);
  const conflictIsPlaced = useIsPlaced('conflict-notice', id);
  const bannerIsPlaced = useIsPlaced('error-banner', id);
  const toastsArePlaced = useIsPlaced('error-toasts', id);
  const { failure } = view ?? {};
  const at = (place: 'reply' | 'toast' | 'banner') =>
    failure && placeOfView(failure) === place ? failure : undefined;
  const Part = { ...KIT, ...slots };
  const parts: ChatErrorsParts = {
    reply: !lastIsPlaced && (
      <Part.MessageError
        {...given}
        view={at('reply')}
        {...(last !== undefined && { messageId: last })}
      />
    ),
    status: !statusIsPlaced && <Part.ConnectionStatus {...given} view={view?.connection} />,
    pending: !pendingIsPlaced && <Part.PendingSends {...given} view={view?.pending} />,
    conflict: !conflictIsPlaced && <Part.ConflictNotice {...given} view={view?.conflict} />,
    banner: !bannerIsPlaced && <Part.ErrorBanner {...given} view={at('banner')} />,
    toasts: !toastsArePlaced && <Part.ErrorToasts {...given} view={at('toast')} />,
  };
  return (
    <DropInProvider value={true}>
      <div
        {...rootAttributes('chat-errors', settings)}
        {...rest}
        ref={ref}
        data-helix-state={chat?.recovery.name}
      >
        {children ? (
          children(parts)
        ) : (
          <>
            {parts.reply}
            {parts.status}
            {parts.pending}
            {parts.conflict}
            {parts.banner}
            {parts.toasts}
          </>
        )}
      </div>
    </DropInProvider>
  );
});

function placeOfView(failure: FailureView): 'reply' | 'toast' | 'banner' {
  if (isOfReply(failure)) return 'reply';
  return failure.surface === 'toast' ? 'toast' : 'banner';
}
