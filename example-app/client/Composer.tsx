import { type ChangeEvent, type KeyboardEvent, useRef, useState } from 'react';
import { FileChip } from './FileChip.tsx';
import { fileLimit, readFilePart } from './fileParts.ts';
import { Icon } from './Icon.tsx';
import type { Draft } from './useDraft.ts';

interface ComposerProps {
  readonly draft: Draft;
  readonly onDraft: (change: (draft: Draft) => Draft) => void;
  readonly onSend: () => void;
  readonly onCancelEdit: () => void;
  /** Present while there is something to stop. */
  readonly onStop: (() => void) | undefined;
}

const enterSends = (event: KeyboardEvent) =>
  event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing;

/** Where a message is written: text, files, send and stop. */
export function Composer({ draft, onDraft, onSend, onCancelEdit, onStop }: ComposerProps) {
  const picker = useRef<HTMLInputElement>(null);
  const [remark, setRemark] = useState('');
  const ready = draft.text.trim() !== '' || draft.files.length > 0;

  async function attach(event: ChangeEvent<HTMLInputElement>) {
    const chosen = [...(event.target.files ?? [])];
    event.target.value = '';
    const fitting = chosen.filter((file) => file.size <= fileLimit);
    setRemark(fitting.length < chosen.length ? 'Files over 4 MB are left out.' : '');
    const files = await Promise.all(fitting.map(readFilePart));
    onDraft((present) => ({ ...present, files: [...present.files, ...files] }));
  }

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) onSend();
      }}
    >
      {draft.editing && (
        <p className="composer-mode">
          Editing an earlier message
          <button type="button" className="quiet-button" onClick={onCancelEdit}>
            Keep it as it was
          </button>
        </p>
      )}
      {draft.files.length > 0 && (
        <ul className="composer-files">
          {draft.files.map((file, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same file may be attached twice; the list has no other identity
            <li key={`${index}:${file.filename}`}>
              <FileChip
                file={file}
                onRemove={() =>
                  onDraft((present) => ({
                    ...present,
                    files: present.files.filter((other) => other !== file),
                  }))
                }
              />
            </li>
          ))}
        </ul>
      )}
      <textarea
        data-helix-composer
        aria-label="Message"
        placeholder="Write a message"
        rows={1}
        value={draft.text}
        onChange={(event) => {
          const text = event.target.value;
          onDraft((present) => ({ ...present, text }));
        }}
        onKeyDown={(event) => {
          if (!enterSends(event)) return;
          event.preventDefault();
          if (ready) onSend();
        }}
      />
      <div className="composer-bar">
        <input ref={picker} type="file" multiple hidden onChange={(event) => void attach(event)} />
        <button
          type="button"
          className="icon-button"
          aria-label="Attach a file"
          onClick={() => picker.current?.click()}
        >
          <Icon name="plus" />
        </button>
        <span className="composer-remark" role="status">
          {remark}
        </span>
        {onStop && (
          <button type="button" className="round-button" aria-label="Stop" onClick={onStop}>
            <Icon name="stop" size={18} />
          </button>
        )}
        <button
          type="submit"
          className="round-button filled"
          aria-label="Send"
          aria-disabled={!ready}
        >
          <Icon name="send" />
        </button>
      </div>
    </form>
  );
}
