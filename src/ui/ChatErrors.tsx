import type { HTMLAttributes } from 'react';
import { forwardRef } from 'react';
import type { Failure } from '../errors/failure.ts';
import { failureRow } from '../errors/failureTable.ts';
import type { FailureView } from '../i18n/describeError.ts';
import type { PendingSend } from '../recovery/ports.ts';
import type { AnyChat, OnAction } from './acting.ts';
import type { ConflictView } from './ConflictNotice.tsx';
import { ConflictNotice } from './ConflictNotice.tsx';
import type { ConnectionView } from './ConnectionStatus.tsx';
import { ConnectionStatus } from './ConnectionStatus.tsx';
import { ErrorBanner } from './ErrorBanner.tsx';
import { isOfReply, placeOf, sentMessages } from './failureContent.ts';
import { MessageError } from './MessageError.tsx';
import { PendingSends } from './PendingSends.tsx';
import { DropInProvider, useIsPlaced } from './placed.ts';
import { rootAttributes } from './rootAttributes.ts';
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
export interface ChatErrorsProps extends HTMLAttributes<HTMLDivElement> {
  readonly chat?: AnyChat;
  /** In place of `chat`. */
  readonly view?: ChatErrorsView | undefined;
  /** Performs the actions. Default: the chat does. A promise keeps the button busy until it settles. */
  readonly onAction?: OnAction;
}

/**
 * Everything that a chat has to say when it cannot simply go on, each in its place and once: a failure of the last
 * reply, the connection, the messages that are not sent, a conflict or a failure. Belongs between the conversation and
 * the composer. A component of the kit that the app has placed itself for the same chat is left out here.
 */
export const ChatErrors = forwardRef<HTMLDivElement, ChatErrorsProps>(function ChatErrors(
  { chat, view, onAction, ...rest },
  ref,
) {
  const settings = useUI();
  const given = { ...(chat && { chat }), ...(onAction && { onAction }) };
  const id = chat?.id;
  const last = chat && sentMessages(chat).at(-1)?.id;
  const place = chat?.failure && placeOf(chat, chat.failure);
  const lastIsPlaced = useIsPlaced('message-error', id, last);
  const placeIsPlaced = useIsPlaced('message-error', id, place);
  // A failure of a reply that has no slot on the page stands where every person looks.
  const homeless = place !== last && !placeIsPlaced;
  const statusIsPlaced = useIsPlaced('connection-status', id);
  const pendingIsPlaced = useIsPlaced('pending-sends', id);
  const conflictIsPlaced = useIsPlaced('conflict-notice', id);
  const bannerIsPlaced = useIsPlaced('error-banner', id);
  const atReply = view?.failure && isOfReply(view.failure);
  return (
    <DropInProvider value={true}>
      <div
        {...rootAttributes('chat-errors', settings)}
        {...rest}
        ref={ref}
        data-helix-state={chat?.recovery.name}
      >
        {!lastIsPlaced && (
          <MessageError
            {...given}
            view={atReply ? view.failure : undefined}
            {...(last !== undefined && { messageId: last })}
          />
        )}
        {!statusIsPlaced && <ConnectionStatus {...given} view={view?.connection} />}
        {!pendingIsPlaced && <PendingSends {...given} view={view?.pending} />}
        {!conflictIsPlaced && <ConflictNotice {...given} view={view?.conflict} />}
        {!bannerIsPlaced && (
          <ErrorBanner
            {...given}
            view={atReply ? undefined : view?.failure}
            all={ofReply(chat?.failure) && (last === undefined || homeless)}
          />
        )}
      </div>
    </DropInProvider>
  );
});

function ofReply(failure: Failure | undefined): boolean {
  return failure !== undefined && isOfReply(failureRow(failure.error, failure));
}
