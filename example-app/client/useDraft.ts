import type { FileUIPart, UIMessage } from 'ai';
import { useCallback, useEffect, useState } from 'react';

/** What stands in the composer. */
export interface Draft {
  readonly text: string;
  readonly files: readonly FileUIPart[];
  /** It is the changed copy of this message, which a send of it replaces. */
  readonly editing?: string | undefined;
  /** What stood there before the edit, and will again after it. */
  readonly aside?: Draft | undefined;
}

const placeOf = (chatId: string) => `helix-example-composer:${chatId}`;
const empty: Draft = { text: '', files: [] };
const textOnly = ({ aside, ...draft }: Draft): Draft => ({
  ...draft,
  files: [],
  aside: aside && textOnly(aside),
});

/** Keeps the text of a draft across reloads; files are too large for the place. */
export function keepDraft(chatId: string, draft: Draft): void {
  sessionStorage.setItem(placeOf(chatId), JSON.stringify(textOnly(draft)));
}

function keptDraft(chatId: string): Draft {
  const kept = sessionStorage.getItem(placeOf(chatId));
  return kept ? JSON.parse(kept) : empty;
}

/** All text that a draft holds, what is set aside last. */
export function textsOf({ text, aside }: Draft): string[] {
  return [text, ...(aside ? textsOf(aside) : [])].filter(Boolean);
}

const editOf = (message: UIMessage, editing: string, aside: Draft): Draft => ({
  text: textOf(message),
  files: filesOf(message),
  editing,
  aside,
});

/** A message that comes back joins what was already typed: as an edit that of the same message, else the new message. */
function join(message: UIMessage, editing: string | undefined, draft: Draft): Draft {
  if (draft.editing === editing) {
    return {
      ...draft,
      text: [textOf(message), draft.text].filter(Boolean).join('\n\n'),
      files: [...filesOf(message), ...draft.files],
    };
  }
  if (editing) return editOf(message, editing, draft);
  return { ...draft, aside: join(message, undefined, draft.aside ?? empty) };
}

/** The text of a message, its parts in order. */
export function textOf(message: UIMessage): string {
  return message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** The files of a message. */
export function filesOf(message: UIMessage): FileUIPart[] {
  return message.parts.filter((part) => part.type === 'file');
}

/** The composer's draft. Its text outlives a reload; an edit sets it aside. */
export function useDraft(chatId: string) {
  const [draft, setDraft] = useState(() => keptDraft(chatId));
  useEffect(() => keepDraft(chatId, draft), [chatId, draft]);
  const put = useCallback((message: UIMessage, editing?: string) => {
    setDraft((present) => join(message, editing, present));
  }, []);
  const edit = useCallback((message: UIMessage) => {
    setDraft((present) =>
      present.editing === message.id ? present : editOf(message, message.id, present),
    );
  }, []);
  /** Empties the composer after a send, or gives up an edit. */
  const clear = useCallback(() => setDraft(({ aside }) => aside ?? empty), []);
  return { draft, setDraft, put, edit, clear };
}
