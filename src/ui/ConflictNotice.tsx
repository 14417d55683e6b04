import type { HTMLAttributes, ReactNode } from 'react';
import { forwardRef, useMemo, useRef, useState } from 'react';
import type { FailureAction } from '../errors/failure.ts';
import { formatCount, joinSpoken } from '../i18n/format.ts';
import type { PendingSend } from '../recovery/ports.ts';
import type { RecoveryState } from '../recovery/state.ts';
import { ActionButton } from './ActionButton.tsx';
import type { AnyChat, OnAction } from './acting.ts';
import { actor } from './acting.ts';
import { Card } from './Card.tsx';
import { Icon } from './Icon.tsx';
import { readDraft } from './pendingMessage.ts';
import { usePlaced } from './placed.ts';
import type { CardParts } from './slots.ts';
import { useStanding } from './surfaces.ts';
import { useUI } from './uiContext.ts';
import { useAnnouncement } from './useAnnouncement.ts';
import { usePress } from './usePress.ts';
import { useSurface } from './useSurface.ts';

/** A conflict as plain data. */
export interface ConflictView {
  /** `asking`: the person has yet to choose; `stopping`: the running reply was asked to stop. */
  readonly state: 'waiting' | 'asking' | 'stopping';
  /** The messages that wait for it, the next one first. */
  readonly pending: readonly PendingSend[];
}

/** Props of `ConflictNotice`; those not named here go to its outermost element. */
export interface ConflictNoticeProps extends Omit<HTMLAttributes<HTMLDivElement>, 'children'> {
  readonly chat?: AnyChat;
  /** In place of `chat`; undefined draws nothing. */
  readonly view?: ConflictView | undefined;
  /** Performs `wait`, `stop-send` and `take-back`. Default: the chat does. */
  readonly onAction?: OnAction;
  /** Arranges the parts; the element around them stays the kit's. */
  readonly children?: (parts: CardParts) => ReactNode;
}

/** Whether and how a chat waits for a reply that is not this person's own. */
export function conflictOf(
  recovery: RecoveryState,
  pendingSends: readonly PendingSend[],
): ConflictView | undefined {
  if (recovery.name !== 'waiting-on-run' || recovery.cause === 'own-run') return undefined;
  const state = recovery.stopping ? 'stopping' : recovery.cause === 'asked' ? 'asking' : 'waiting';
  return { state, pending: pendingSends.filter((pending) => pending.state === 'held') };
}

/**
 * Says that another reply is being written while a message waits for it, and offers to stop that reply or to take the
 * message back. Belongs between the conversation and the composer.
 */
export const ConflictNotice = forwardRef<HTMLDivElement, ConflictNoticeProps>(
  function ConflictNotice({ chat, view, onAction, children, ...rest }, ref) {
    const { catalog, locale, world } = useUI();
    usePlaced('conflict-notice', chat?.id);
    const { recovery, pendingSends } = chat ?? {};
    const content = useMemo(
      () => view ?? (recovery && pendingSends && conflictOf(recovery, pendingSends)),
      [view, recovery, pendingSends],
    );
    const press = usePress(world);
    const act = actor(chat, onAction);
    const [chosen, setChosen] = useState<string>();
    const root = useRef<HTMLDivElement>(null);
    const surface = useSurface(root, ref, {
      content,
      trying: false,
      // Stopping is the person's own doing, also once the notice has turned from the pressed view into that state.
      pressed: (view) =>
        view.state === 'stopping' || press.on(view) !== undefined ? 'end' : undefined,
      leaveTo: ['action', 'composer', 'message'],
    });
    const next = content?.pending[0];
    const words = catalog && content && catalog.conflict[content.state];
    // What a person has chosen is not told to them again.
    const spoken =
      words && next && content.state !== 'stopping' && chosen !== next.id
        ? {
            incident: `conflict:${next.id}`,
            text: joinSpoken(words.title, [words.sentence]),
            say: 'polite' as const,
          }
        : undefined;
    useAnnouncement(spoken);
    useStanding(content && chat && `conflict:${chat.id}`);

    const { shown, resolved } = surface;
    if (!catalog || !shown) return null;
    const { title, sentence } = catalog.conflict[shown.state];
    const message = shown.pending[0];
    const button = (action: FailureAction, kind: 'filled' | 'bordered' | 'plain') => {
      const busy =
        press.busy(shown) === action || (action === 'stop-send' && shown.state === 'stopping');
      return (
        <ActionButton
          key={action}
          action={action}
          kind={kind}
          label={catalog.actions[action]}
          busy={busy}
          spinning={busy && (press.spinning || shown.state === 'stopping')}
          onPress={() => {
            setChosen(message?.id);
            press.run(shown, action, () => act(action, message && { id: message.id }));
          }}
        />
      );
    };
    const asking = shown.state === 'asking';
    return (
      <Card
        {...rest}
        ui="conflict-notice"
        form="banner"
        arrange={children}
        root={root}
        surface={surface}
        state={resolved ? 'resolved' : shown.state}
        severity={resolved ? 'recovered' : undefined}
        icon={resolved ? 'recovered' : 'writing'}
        heading={resolved ? catalog.severities.recovered : title}
        sentence={resolved ? undefined : sentence}
        quote={asking && message && <Quote message={message} locale={locale} />}
        actions={
          resolved ? (
            <ActionButton
              action="dismiss"
              kind="plain"
              label={catalog.actions.dismiss}
              onPress={surface.leave}
            />
          ) : (
            <>
              {asking && button('wait', 'filled')}
              {button('stop-send', 'bordered')}
              {shown.pending.length === 1 &&
                chat?.canTakeBack !== false &&
                button('take-back', 'plain')}
            </>
          )
        }
      />
    );
  },
);

/** The text that waits, on one line, with the number of its files. */
function Quote({ message, locale }: { message: PendingSend; locale: string | undefined }) {
  const { catalog } = useUI();
  const { text, files } = readDraft(message.message);
  if (!catalog || (!text && files.length === 0)) return null;
  return (
    <div data-helix-part="quote">
      <span dir="auto">{text}</span>
      {files.length > 0 && (
        <span data-helix-part="status">
          <Icon name="clip" />
          {formatCount(catalog.pending.files, files.length, locale ?? catalog.locale)}
        </span>
      )}
    </div>
  );
}
