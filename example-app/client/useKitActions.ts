import type { UIMessage } from 'ai';
import type { Failure, PendingSend } from 'helix-chat';
import { en } from 'helix-chat/locales/en';
import type { Action } from 'helix-chat/ui';
import { useCallback } from 'react';
import { type Draft, keepDraft, textOf, textsOf } from './useDraft.ts';

/** What only the app can do about a failure: begin a new chat, which takes all unsent text along. */
export function useKitActions(draft: Draft, pendingSends: readonly PendingSend<UIMessage>[]) {
  return useCallback(
    (failure: Failure): readonly Action[] => {
      if (!failure.actions.includes('start-new')) return [];
      const onAct = () => {
        const chatId = crypto.randomUUID();
        const pending = pendingSends.map(({ message }) => textOf(message));
        const unsent = [...pending, ...textsOf(draft)];
        keepDraft(chatId, { text: unsent.filter(Boolean).join('\n\n'), files: [] });
        location.assign(`/?chat=${chatId}`);
      };
      return [{ id: 'start-new', label: en.actions['start-new'], onAct }];
    },
    [draft, pendingSends],
  );
}
