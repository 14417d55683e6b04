import type { ButtonHTMLAttributes } from 'react';
import { forwardRef, useMemo, useRef, useState } from 'react';
import type { FailureAction } from '../errors/failure.ts';
import type { FailureView } from '../i18n/describeError.ts';
import { ActionButton } from './ActionButton.tsx';
import type { AnyChat, OnAction } from './acting.ts';
import { actor } from './acting.ts';
import { failedContent, givenContent, waitingContent } from './failureContent.ts';
import { rootAttributes } from './rootAttributes.ts';
import { useUI } from './uiContext.ts';
import { useAnnouncement } from './useAnnouncement.ts';
import { usePress } from './usePress.ts';
import { isRepeat, meaningOf, repeatIcon, useBlocked } from './useRepeat.tsx';
import { useSurface } from './useSurface.ts';

/** Props of `RetryButton`; those not named here are the button's. */
export interface RetryButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly chat?: AnyChat;
  /** In place of `chat`: a failure in words. Undefined draws nothing. */
  readonly view?: FailureView | undefined;
  /** Performs the repeat. Default: the chat does. A promise keeps the button busy until it settles. */
  readonly onAction?: OnAction;
  /** With `view`: a reply is being written, so that a repeat has to wait. */
  readonly running?: boolean;
}

/**
 * Repeats what failed, as far as the failure's actions offer it; else draws nothing. One name through a whole countdown,
 * never `disabled`: while a reply is being written or a server's stated wait lasts it stays focusable and says why.
 * Ref, class and other props are the button's.
 */
export const RetryButton = forwardRef<HTMLButtonElement, RetryButtonProps>(function RetryButton(
  { chat, view, onAction, running, ...rest },
  ref,
) {
  const settings = useUI();
  const { catalog, locale, actions, world } = settings;
  const recovery = chat?.recovery;
  const failure = chat?.failure;
  const content = useMemo(() => {
    if (view) return givenContent(view);
    if (!recovery || !catalog) return undefined;
    const words = { catalog, locale, actions, world };
    return waitingContent(recovery, words) ?? (failure && failedContent(failure, words));
  }, [view, recovery, failure, catalog, locale, actions, world]);

  const press = usePress(world);
  const root = useRef<HTMLSpanElement>(null);
  const surface = useSurface(root, null, {
    content,
    trying: recovery?.name === 'sending' || recovery?.name === 'resyncing',
    pressed: ({ token }) => meaningOf(press.on(token)),
    leaveTo: ['action', 'surface', 'composer', 'message'],
  });
  const { shown, resolved } = surface;
  const trying = shown !== undefined && content === undefined;
  const repeat = resolved ? undefined : shown?.actions.find(isRepeat);
  const busy = trying || (shown !== undefined && press.busy(shown.token) === repeat?.id);
  const blocked = useBlocked(shown, chat, running)(repeat ?? { id: '', label: '', primary: false });

  // Someone who waits on the button hears that it has opened; the countdown itself is for the eye.
  const [waited, setWaited] = useState(false);
  const [focused, setFocused] = useState(false);
  const closed = blocked !== undefined;
  if (closed && !waited) setWaited(true);
  const opened = waited && !closed && focused && repeat !== undefined && !busy;
  const { forget } = useAnnouncement(
    opened && shown
      ? {
          incident: `${shown.view.failureId}:opened`,
          text: repeat.label,
          say: 'polite',
          once: true,
        }
      : undefined,
  );

  if (!repeat || !shown) return null;
  const act = actor(chat, onAction);
  const icon = repeatIcon(repeat, shown.failure?.error);
  const pending = chat?.pendingSends.find(
    (send) => send.failure !== undefined && send.failure.id === shown.failure?.id,
  );
  return (
    <ActionButton
      {...rest}
      ref={ref}
      around={{
        ...rootAttributes('retry-button', settings),
        ref: root,
        onFocus: (event) => {
          surface.onFocus(event);
          setFocused(true);
        },
        onBlur: (event) => {
          surface.onBlur(event);
          setFocused(false);
        },
      }}
      action={repeat.id}
      label={repeat.label}
      kind={repeat.primary && icon ? 'filled' : 'bordered'}
      icon={icon}
      busy={busy}
      spinning={busy && (press.spinning || !press.working)}
      blocked={busy ? undefined : blocked}
      onPress={() => {
        forget(shown.view.failureId);
        press.run(shown.token, repeat.id, () =>
          repeat.onAct
            ? repeat.onAct()
            : act(repeat.id as FailureAction, pending && { id: pending.id }),
        );
      }}
    />
  );
});
