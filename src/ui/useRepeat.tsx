import type { HelixError } from '../errors/HelixError.ts';
import { fill } from '../i18n/format.ts';
import type { Blocked } from './ActionButton.tsx';
import type { AnyChat } from './acting.ts';
import { CountdownRing } from './CountdownRing.tsx';
import type { DrawnAction, FailureContent } from './failureContent.ts';
import { Icon } from './Icon.tsx';
import { useUI } from './uiContext.ts';
import { useWait } from './useWait.ts';

/** The actions that do the failed thing once more, in the order in which one of them is the repeat. */
const REPEATS: ReadonlySet<string> = new Set([
  'send-again',
  'new-reply',
  'reload',
  'check',
  'answer-again',
  'continue',
  'try-now',
]);

/** Those that begin something on the server, which has to wait for a reply that is being written. */
const STARTS: ReadonlySet<string> = new Set([
  'send-again',
  'new-reply',
  'answer-again',
  'continue',
]);

/** From this many ms on a clock says more than a ring. */
const LONG_MS = 60_000;

/** Whether an action repeats what failed. */
export function isRepeat(action: DrawnAction): boolean {
  return REPEATS.has(action.id);
}

/** What a press means for the surface it was made on. */
export function meaningOf(action: string | undefined): 'try' | 'end' | undefined {
  if (action === undefined) return undefined;
  return REPEATS.has(action) ? 'try' : 'end';
}

/** Why a repeat would be refused now, if it would: a server's stated wait, or a reply that is being written. */
export function useBlocked(
  content: FailureContent | undefined,
  chat: Pick<AnyChat, 'recovery'> | undefined,
  running: boolean | undefined,
): (action: DrawnAction) => Blocked | undefined {
  const { catalog } = useUI();
  const wait = useWait(content?.closedUntil, content?.waiting?.since);
  const name = chat?.recovery.name;
  const live = running ?? (name === 'streaming' || name === 'waiting-on-run');
  return (action) => {
    if (!catalog || !isRepeat(action)) return undefined;
    if (wait) {
      return {
        reason: content?.waiting
          ? undefined
          : fill(catalog.wait.possibleAgain, { when: wait.when }),
        icon:
          wait.left > LONG_MS ? (
            <Icon name="clock" />
          ) : (
            <CountdownRing key={wait.until} left={wait.left} total={wait.total} size={16} />
          ),
      };
    }
    return live && STARTS.has(action.id) ? { reason: catalog.wait.replyRunning } : undefined;
  };
}

/** The icon of an action: a repeat has one, but none where the server did not say that repeating helps, so that the button promises less. */
export function repeatIcon(action: DrawnAction, error: HelixError | undefined) {
  if (!isRepeat(action) || action.id === 'try-now') return undefined;
  return !error || error.retryable === true ? ('retry' as const) : undefined;
}
