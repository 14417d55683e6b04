import type { RefObject } from 'react';
import { useEffect } from 'react';
import { holdAnnouncer } from './announcer.ts';
import { useUI } from './uiContext.ts';

/** A text for the ear. */
export interface SpokenText {
  /** The incident: within one, the same text is spoken once. */
  readonly incident: string;
  readonly text: string;
  readonly say: 'assertive' | 'polite' | 'none';
  /** At most once an incident, even if the text has changed. */
  readonly once?: boolean;
}

/** Speaks while `spoken` stands; what has not been said when it changes or goes is withdrawn. */
export function useAnnouncement(
  spoken: SpokenText | undefined,
  /** The surface that speaks: within a list that is itself live it leaves polite speech to that list. */
  from?: RefObject<HTMLElement | null>,
): {
  /** Lets an incident speak again, since a person has started a new try. */
  forget(incident: string): void;
} {
  const { world, announcerContainer, locale } = useUI();
  // The regions must be there before the first failure, so that text in them counts as news.
  useEffect(() => {
    const announcer = holdAnnouncer(announcerContainer?.() ?? document.body, world);
    return () => announcer.release();
  }, [announcerContainer, world]);

  const incident = spoken?.incident;
  const text = spoken?.text;
  const say = spoken?.say ?? 'none';
  const once = spoken?.once;
  useEffect(() => {
    if (incident === undefined || text === undefined || say === 'none') return;
    if (say === 'polite' && from?.current?.closest('[role="log"], [aria-live="polite"]')) return;
    const announcer = holdAnnouncer(announcerContainer?.() ?? document.body, world);
    const withdraw = announcer.say({
      incident,
      text,
      once,
      assertive: say === 'assertive',
      lang: locale,
    });
    return () => {
      withdraw();
      announcer.release();
    };
  }, [incident, text, say, once, from, locale, announcerContainer, world]);

  return {
    forget(forgotten) {
      const announcer = holdAnnouncer(announcerContainer?.() ?? document.body, world);
      announcer.forget(forgotten);
      announcer.release();
    },
  };
}
