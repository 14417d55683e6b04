import type { ForwardedRef, HTMLAttributes, ReactNode } from 'react';
import { useEffect, useId, useMemo, useRef } from 'react';
import { describeStatus, spokenText } from '../i18n/describeError.ts';
import { joinSentences } from '../i18n/format.ts';
import type { AnyChat, OnAction } from './acting.ts';
import { actor } from './acting.ts';
import { Card } from './Card.tsx';
import { CloseButton } from './CloseButton.tsx';
import { FailureActions } from './FailureActions.tsx';
import type { FailureContent } from './failureContent.ts';
import type { FocusTarget } from './focus.ts';
import { describeComposer } from './focus.ts';
import type { CardParts } from './slots.ts';
import { failureName, useStanding } from './surfaces.ts';
import { useUI } from './uiContext.ts';
import { useAnnouncement } from './useAnnouncement.ts';
import { useCopy } from './useCopy.ts';
import { usePress } from './usePress.ts';
import { meaningOf } from './useRepeat.tsx';
import { useSurface } from './useSurface.ts';
import { useWait } from './useWait.ts';

/** Props of `FailureCard`; those not named here go to its outermost element. */
export interface FailureCardProps
  extends Omit<HTMLAttributes<HTMLDivElement>, 'content' | 'children'> {
  readonly ui: 'error-banner' | 'message-error';
  readonly content: FailureContent | undefined;
  readonly chat: AnyChat | undefined;
  readonly onAction: OnAction | undefined;
  readonly leaveTo: readonly FocusTarget[];
  readonly messageId?: string | undefined;
  /** Arranges the parts in place of the kit. */
  readonly arrange?: ((parts: CardParts) => ReactNode) | undefined;
  readonly forwarded: ForwardedRef<HTMLDivElement>;
}

/** A failure as a card, from its first showing to its end: said once, busy after a press, closed while a wait lasts. */
export function FailureCard(props: FailureCardProps) {
  const { ui, content, chat, onAction, leaveTo, messageId, forwarded, ...rest } = props;
  const settings = useUI();
  const { catalog, locale, world, composer } = settings;
  const inline = ui === 'message-error';
  const press = usePress(world);
  const root = useRef<HTMLDivElement>(null);
  const surface = useSurface(root, forwarded, {
    content,
    trying: chat?.recovery.name === 'sending' || chat?.recovery.name === 'resyncing',
    pressed: ({ token }) => meaningOf(press.on(token)),
    leaveTo,
    messageId,
  });
  const { shown, resolved } = surface;
  const trying = shown !== undefined && content === undefined && !resolved;
  const waiting = trying || resolved ? undefined : shown?.waiting;
  const wait = useWait(waiting?.until, waiting?.since);

  const spoken = useMemo(() => {
    if (!catalog || !content) return undefined;
    const { view, waiting: next } = content;
    const text = spokenText(view);
    if (!next) return { incident: view.failureId, text, say: view.announce };
    const line = describeStatus(
      { kind: 'next-try', at: next.until },
      { catalog, ...(locale !== undefined && { locale }), now: world.now() },
    );
    return {
      incident: `${view.failureId}:waiting`,
      text: `${text} ${line.text}`,
      say: view.announce,
      once: true,
    };
  }, [catalog, content, locale, world]);
  const { forget } = useAnnouncement(spoken, root);
  const copying = useCopy(world);
  useAnnouncement(
    copying.outcome && catalog && content
      ? {
          incident: `${content.view.failureId}:copy`,
          text:
            copying.outcome === 'copied'
              ? catalog.names.referenceCopied
              : catalog.causes.situations.copyFailed,
          say: 'polite',
        }
      : undefined,
  );
  const standing = !inline && content?.failure ? failureName(content.failure.id) : undefined;
  const returns = content?.actions.some(({ id }) => id === 'take-back');
  useStanding(standing);
  useStanding(standing && returns ? `${standing}:take-back` : undefined);

  const id = useId();
  const textId = `${id}text`;
  const stands = shown !== undefined;
  useEffect(() => {
    if (inline || !stands || !root.current) return;
    return describeComposer(root.current, composer, textId);
  }, [inline, stands, composer, textId]);

  if (!catalog || !shown) return null;
  if (resolved) {
    return (
      <Card
        {...rest}
        ui={ui}
        form={inline ? 'inline' : 'banner'}
        root={root}
        surface={surface}
        state="resolved"
        severity="recovered"
        icon="recovered"
        heading={catalog.severities.recovered}
        actions={<CloseButton label={catalog.actions.dismiss} onPress={surface.leave} />}
      />
    );
  }
  const { view } = shown;
  const dismiss = shown.actions.find((action) => action.id === 'dismiss');
  const act = actor(chat, onAction);
  const words = joinSentences([view.cause, ...(view.safety === undefined ? [] : [view.safety])]);
  const sentence = words && (
    <>
      {words}
      {copying.outcome === 'failed' && (
        <>
          {' '}
          {catalog.causes.situations.copyFailed} {catalog.names.reference}:{' '}
          <bdi dir="ltr">{view.reference}</bdi>
        </>
      )}
      {wait && (
        <>
          {' '}
          <span role="timer" id={`${id}wait`}>
            {
              describeStatus(
                { kind: 'next-try', at: wait.until },
                {
                  catalog,
                  ...(locale !== undefined && { locale }),
                  now: wait.until - wait.left,
                },
              ).text
            }
          </span>
        </>
      )}
    </>
  );
  return (
    <Card
      {...rest}
      ui={ui}
      form={inline ? 'inline' : 'banner'}
      root={root}
      surface={surface}
      state={shown.mark ? 'mark' : trying ? 'trying' : waiting ? 'waiting' : 'failed'}
      severity={view.severity}
      icon={trying && inline ? 'spinner' : view.severity}
      ring={wait}
      heading={view.title}
      textId={textId}
      sentence={sentence}
      onEscape={
        dismiss && !trying
          ? () => press.run(shown.token, 'dismiss', () => act('dismiss'))
          : undefined
      }
      actions={
        !shown.mark && (
          <FailureActions
            content={shown}
            chat={chat}
            act={act}
            press={press}
            forget={forget}
            copying={copying}
            fills={!inline && view.severity === 'blocking'}
            small={inline}
            waitId={`${id}wait`}
            trying={trying}
          />
        )
      }
    />
  );
}
