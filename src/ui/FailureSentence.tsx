import type { FailureView } from '../i18n/describeError.ts';
import { describeStatus } from '../i18n/describeError.ts';
import { joinSentences } from '../i18n/format.ts';
import { useUI } from './uiContext.ts';
import type { CopyOutcome } from './useCopy.ts';
import type { Wait } from './useWait.ts';

/** What `FailureSentence` shows. */
export interface FailureSentenceProps {
  readonly view: FailureView;
  /** How copying the reference went: where it failed, the reference stands here to be selected. */
  readonly copied: CopyOutcome;
  readonly wait: Wait | undefined;
  /** The id of the time of the next try. */
  readonly waitId: string;
}

/** The words of a failure under its title, and the time of the next try. */
export function FailureSentence({ view, copied, wait, waitId }: FailureSentenceProps) {
  const { catalog, locale } = useUI();
  const words = joinSentences([view.cause, ...(view.safety === undefined ? [] : [view.safety])]);
  if (!catalog) return null;
  return (
    <>
      {words}
      {copied === 'failed' && (
        <>
          {' '}
          {catalog.causes.situations.copyFailed} {catalog.names.reference}:{' '}
          <bdi dir="ltr">{view.reference}</bdi>
        </>
      )}
      {wait && (
        <>
          {' '}
          <span role="timer" id={waitId}>
            {
              describeStatus(
                { kind: 'next-try', at: wait.until },
                { catalog, ...(locale !== undefined && { locale }), now: wait.until - wait.left },
              ).text
            }
          </span>
        </>
      )}
    </>
  );
}
