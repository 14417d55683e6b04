import type { HTMLAttributes, ReactNode } from 'react';
import { forwardRef, useMemo } from 'react';
import type { FailureView } from '../i18n/describeError.ts';
import type { AnyChat, OnAction } from './acting.ts';
import { FailureCard } from './FailureCard.tsx';
import { bannerContent, givenContent } from './failureContent.ts';
import { useIsThere, usePlaced } from './placed.ts';
import type { CardParts } from './slots.ts';
import { useUI } from './uiContext.ts';

/** Props of `ErrorBanner`; those not named here go to its outermost element. */
export interface ErrorBannerProps extends Omit<HTMLAttributes<HTMLDivElement>, 'children'> {
  readonly chat?: AnyChat;
  /** In place of `chat`: a failure in words. Undefined draws nothing. */
  readonly view?: FailureView | undefined;
  /** Performs the actions. Default: the chat does. A promise keeps the button busy until it settles. */
  readonly onAction?: OnAction;
  /** Arranges the parts; the element around them stays the kit's. */
  readonly children?: (parts: CardParts) => ReactNode;
  /** Shows every failure, also one whose place is at a reply. For a page without `MessageError`. Default false. */
  readonly all?: boolean;
}

/**
 * A failure that stops the next message, or a send that is tried again, with its countdown. Belongs between the
 * conversation and the composer; draws nothing while nothing is wrong.
 */
export const ErrorBanner = forwardRef<HTMLDivElement, ErrorBannerProps>(function ErrorBanner(
  { chat, view, onAction, children, all = false, ...rest },
  ref,
) {
  const { catalog, locale, actions, world } = useUI();
  usePlaced('error-banner', chat?.id);
  const { recovery, failure, offline } = chat ?? {};
  const toasts = useIsThere('error-toasts', chat?.id);
  const which = all ? 'all' : toasts ? 'own' : 'placeless';
  const routed = useIsThere('all-error-toasts', chat?.id);
  const content = useMemo(() => {
    if (view) return givenContent(view);
    if (!recovery || !catalog || routed) return undefined;
    const words = { catalog, locale, actions, world };
    return bannerContent({ recovery, failure, offline: offline ?? false }, words, which);
  }, [view, catalog, locale, actions, world, recovery, failure, offline, which, routed]);
  return (
    <FailureCard
      {...rest}
      ui="error-banner"
      content={content}
      chat={chat}
      onAction={onAction}
      arrange={children}
      leaveTo={['action', 'composer', 'surface', 'message']}
      forwarded={ref}
    />
  );
});
