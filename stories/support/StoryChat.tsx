import type { UIMessage } from 'ai';
import { HelixProvider, type UseHelixChat, useHelixChat } from 'helix-chat/react';
import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react';
import type { Stage } from './stage.ts';
import './page.css';

/** What a story puts into the page around its chat. */
export interface StoryParts {
  /** Over the conversation. */
  readonly top?: (chat: UseHelixChat<UIMessage>) => ReactNode;
  /** In the row of a message, as its last child. */
  readonly row?: (chat: UseHelixChat<UIMessage>, messageId: string) => ReactNode;
  /** In place of the conversation. */
  readonly list?: (chat: UseHelixChat<UIMessage>) => ReactNode;
  /** At the end of the conversation. */
  readonly end?: (chat: UseHelixChat<UIMessage>) => ReactNode;
  /** Between conversation and composer. */
  readonly dock?: (chat: UseHelixChat<UIMessage>) => ReactNode;
}

/** A plain chat page on a stage: conversation, what the story is about, composer. */
export function StoryChat({ stage, parts }: { stage: Stage; parts: StoryParts }) {
  return (
    <HelixProvider world={stage.world}>
      <ChatPage stage={stage} parts={parts} />
    </HelixProvider>
  );
}

function ChatPage({ stage, parts }: { stage: Stage; parts: StoryParts }) {
  const [draft, setDraft] = useState('');
  const chat = useHelixChat<UIMessage>({
    ...stage.options,
    onDraft: (message) => setDraft(textOf(message)),
  });
  useLayoutEffect(() => stage.see(chat));
  useEffect(() => stage.keepTime(), [stage]);
  return (
    <main className="story-chat">
      <h1 className="story-title">June survey</h1>
      <div className="story-list" data-top={parts.top ? '' : undefined}>
        {parts.top?.(chat)}
        {parts.list?.(chat)}
        {(parts.list ? [] : chat.messages).map((message) => (
          <article
            key={message.id}
            className="story-message"
            data-role={message.role}
            data-helix-message={message.id}
            aria-label={message.role === 'user' ? 'Your message' : 'Reply'}
          >
            <p>{textOf(message)}</p>
            {parts.row?.(chat, message.id)}
          </article>
        ))}
        {parts.end?.(chat)}
      </div>
      {parts.dock?.(chat)}
      <form
        className="story-composer"
        onSubmit={(event) => {
          event.preventDefault();
          setDraft('');
          void chat.sendMessage({ text: draft });
        }}
      >
        <textarea
          data-helix-composer=""
          aria-label="Message"
          rows={2}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
        />
        <button type="submit">Send</button>
      </form>
    </main>
  );
}

/** The text of a message. */
export function textOf({ parts }: UIMessage): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
