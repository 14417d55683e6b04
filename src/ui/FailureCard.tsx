import type { ForwardedRef, HTMLAttributes, ReactNode } from 'react';
import { useEffect, useId, useRef } from 'react';
import type { AnyChat, OnAction } from './acting.ts';
import { actor } from './acting.ts';
import { Card } from './Card.tsx';
import { CloseButton } from './CloseButton.tsx';
import { FailureActions } from './FailureActions.tsx';
import { FailureSentence } from './FailureSentence.tsx';
import type { FailureContent } from './failureContent.ts';
import type { FocusTarget } from './focus.ts';
import { describeComposer } from './focus.ts';
import { usePlace } from './places.ts';
import type { CardParts } from './slots.ts';
import { failureName, useStanding } from './surfaces.ts';
import { useUI } from './uiContext.ts';
import { useCopy } from './useCopy.ts';
import { useFailureSpeech } from './useFailureSpeech.ts';
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
  const { catalog, world, composer } = settings;
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

  const copying = useCopy(world);
  const { forget } = useFailureSpeech(content, copying.outcome, root);
  usePlace(catalog && content && !content.mark ? content.view.failureId : undefined, root);
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
  const sentence = view.cause && (
    <FailureSentence view={view} copied={copying.outcome} wait={wait} waitId={`${id}wait`} />
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
