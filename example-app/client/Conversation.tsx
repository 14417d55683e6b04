import type { UIMessage } from 'ai';
import type { UseHelixChat } from 'helix-chat/react';
import { ConnectionStatus, MessageError, PendingSends } from 'helix-chat/ui';
import { Fragment } from 'react';
import { MessageRow } from './MessageRow.tsx';
import { useStickToEnd } from './useStickToEnd.ts';

interface ConversationProps {
  readonly chat: UseHelixChat<UIMessage>;
  readonly onEdit: (message: UIMessage) => void;
  readonly onNewReply: (message: UIMessage) => void;
}

/** The messages, the failure at the one it belongs to, and the messages that are not sent yet. */
export function Conversation({ chat, onEdit, onNewReply }: ConversationProps) {
  const { messages, status, pendingSends, failure } = chat;
  const box = useStickToEnd<HTMLDivElement>([messages, pendingSends, failure]);
  const running = status === 'streaming' || status === 'submitted';
  const last = messages.at(-1);
  return (
    <div className="conversation">
      <div className="conversation-status">
        <ConnectionStatus chat={chat} />
      </div>
      <div
        ref={box}
        className="conversation-scroll"
        role="log"
        aria-label="Conversation"
        aria-busy={running}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled box has to be reachable by keyboard
        tabIndex={0}
      >
        <div className="column">
          {messages.length === 0 && pendingSends.length === 0 && (
            <div className="welcome">
              <h2>Ask something, then break it</h2>
              <p>Arm a fault in the panel, send a message, and watch the chat find its way back.</p>
            </div>
          )}
          {messages.map((message) => (
            <Fragment key={message.id}>
              <MessageRow
                message={message}
                writing={status === 'streaming' && message === last && message.role === 'assistant'}
                onEdit={message.role === 'user' && !running ? onEdit : undefined}
                onNewReply={message.role === 'assistant' && !running ? onNewReply : undefined}
              />
              <MessageError chat={chat} messageId={message.id} />
            </Fragment>
          ))}
          <PendingSends chat={chat} />
        </div>
      </div>
    </div>
  );
}
