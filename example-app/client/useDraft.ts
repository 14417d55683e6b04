import type { FileUIPart, UIMessage } from 'ai';
import { useCallback, useEffect, useState } from 'react';

/** What stands in the composer. `editing` is the message that a send of it replaces. */
export interface Draft {
  readonly text: string;
  readonly files: readonly FileUIPart[];
  readonly editing?: string | undefined;
}

/** Where the draft of a chat is kept across reloads. */
export const draftPlace = (chatId: string) => `helix-example-draft:${chatId}`;

const empty: Draft = { text: '', files: [] };

/** The text of a message, its parts in order. */
export function textOf(message: UIMessage): string {
  return message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** The files of a message. */
export function filesOf(message: UIMessage): FileUIPart[] {
  return message.parts.filter((part) => part.type === 'file');
}

/** The composer's draft. Its text outlives a reload; a message that comes back joins what was already typed. */
export function useDraft(chatId: string) {
  const place = draftPlace(chatId);
  const [draft, setDraft] = useState<Draft>(() => ({
    ...empty,
    text: sessionStorage.getItem(place) ?? '',
  }));
  useEffect(() => {
    if (draft.text) sessionStorage.setItem(place, draft.text);
    else sessionStorage.removeItem(place);
  }, [draft.text, place]);
  const clear = useCallback(() => setDraft(empty), []);
  const put = useCallback((message: UIMessage, editing?: string) => {
    setDraft((present) => ({
      text: [textOf(message), present.text].filter(Boolean).join('\n\n'),
      files: [...filesOf(message), ...present.files],
      editing,
    }));
  }, []);
  return { draft, setDraft, clear, put };
}
