import type { UIMessage } from 'ai';
import { memo } from 'react';
import { FileChip } from './FileChip.tsx';
import { Icon } from './Icon.tsx';
import { Prose } from './Prose.tsx';
import { filesOf, textOf } from './useDraft.ts';

interface MessageRowProps {
  readonly message: UIMessage;
  /** A reply is arriving in this row. */
  readonly writing: boolean;
  /** Present where the message may be changed and sent anew. */
  readonly onEdit?: ((message: UIMessage) => void) | undefined;
  /** Present where another reply may be asked for in place of this one. */
  readonly onNewReply?: ((message: UIMessage) => void) | undefined;
}

/** One message. Drawn anew only when its own object or its own state changes. */
export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { message, writing, onEdit, onNewReply } = props;
  const text = textOf(message);
  const files = filesOf(message);
  const own = message.role === 'user';
  return (
    <article
      className="message"
      data-role={message.role}
      data-message-id={message.id}
      aria-label={own ? 'Your message' : 'Reply'}
    >
      {files.map((file, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the files of a sent message never change their order
        <FileChip key={index} file={file} />
      ))}
      {own ? text && <p className="bubble">{text}</p> : <Prose text={text} writing={writing} />}
      <div className="message-acts">
        {onEdit && (
          <button
            type="button"
            className="icon-button small"
            aria-label="Edit this message"
            title="Edit"
            onClick={() => onEdit(message)}
          >
            <Icon name="pen" size={14} />
          </button>
        )}
        {onNewReply && (
          <button
            type="button"
            className="icon-button small"
            aria-label="Write another reply"
            title="Another reply"
            onClick={() => onNewReply(message)}
          >
            <Icon name="retry" size={14} />
          </button>
        )}
      </div>
    </article>
  );
});
