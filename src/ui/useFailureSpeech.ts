import type { RefObject } from 'react';
import { useMemo } from 'react';
import { describeStatus, spokenText } from '../i18n/describeError.ts';
import type { FailureContent } from './failureContent.ts';
import { useUI } from './uiContext.ts';
import { useAnnouncement } from './useAnnouncement.ts';
import type { useCopy } from './useCopy.ts';

/** Says a failure once an incident, the wait for its next try once, and how copying its reference went. */
export function useFailureSpeech(
  content: FailureContent | undefined,
  copied: ReturnType<typeof useCopy>['outcome'],
  from?: RefObject<HTMLElement | null>,
): { forget(incident: string): void } {
  const { catalog, locale, world } = useUI();
  const spoken = useMemo(() => {
    if (!catalog || !content) return undefined;
    const { view, waiting } = content;
    const text = spokenText(view);
    if (!waiting) return { incident: view.failureId, text, say: view.announce };
    const line = describeStatus(
      { kind: 'next-try', at: waiting.until },
      { catalog, ...(locale !== undefined && { locale }), now: world.now() },
    );
    return {
      incident: `${view.failureId}:waiting`,
      text: `${text} ${line.text}`,
      say: view.announce,
      once: true,
    };
  }, [catalog, content, locale, world]);
  const { forget } = useAnnouncement(spoken, from);
  useAnnouncement(
    copied && catalog && content
      ? {
          incident: `${content.view.failureId}:copy`,
          text:
            copied === 'copied'
              ? catalog.names.referenceCopied
              : catalog.causes.situations.copyFailed,
          say: 'polite',
        }
      : undefined,
  );
  return { forget };
}
