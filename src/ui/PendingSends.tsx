import type { HTMLAttributes, ReactNode } from 'react';
import { forwardRef, useId, useMemo, useRef } from 'react';
import type { FailureAction } from '../errors/failure.ts';
import { describePending } from '../i18n/describeError.ts';
import { formatCount } from '../i18n/format.ts';
import type { PendingSend } from '../recovery/ports.ts';
import { ActionButton } from './ActionButton.tsx';
import type { AnyChat, OnAction } from './acting.ts';
import { actor } from './acting.ts';
import type { IconName } from './Icon.tsx';
import { Icon } from './Icon.tsx';
import { readDraft, splitName, startOf } from './pendingMessage.ts';
import { usePlaced } from './placed.ts';
import { rootAttributes } from './rootAttributes.ts';
import { failureName, useIsStanding } from './surfaces.ts';
import { useUI } from './uiContext.ts';
import { useAnnouncement } from './useAnnouncement.ts';
import type { Press } from './usePress.ts';
import { usePress } from './usePress.ts';
import { useSurface, watchesFocus } from './useSurface.ts';

/** Props of `PendingSends`; those not named here go to the list. */
export interface PendingSendsProps extends Omit<HTMLAttributes<HTMLUListElement>, 'children'> {
  readonly chat?: AnyChat;
  /** In place of `chat`: the pending messages, the next one first. */
  readonly view?: readonly PendingSend[] | undefined;
  /** Performs `send-again` and `take-back`; `id` names the message. Default: the chat does. */
  readonly onAction?: OnAction;
  /** Whether texts and files are drawn. Default: unless the chat's `messages` already end with them. */
  readonly bubbles?: boolean;
  /** Arranges the parts of a row; the list and its items stay the kit's. */
  readonly children?: (parts: PendingParts) => ReactNode;
}

/** The parts of a pending message, each ready to be put somewhere. */
export interface PendingParts {
  readonly pending: PendingSend;
  /** The names of its files, as chips. */
  readonly files: ReactNode;
  /** Its text. Must be drawn: it names the row. */
  readonly text: ReactNode;
  /** What it waits for, and which files could not be kept. */
  readonly status: ReactNode;
  readonly actions: ReactNode;
}

/**
 * The person's messages that are not in the conversation, each with its state and the ways out of it. Belongs at the end
 * of the conversation, after the live reply.
 */
export const PendingSends = forwardRef<HTMLUListElement, PendingSendsProps>(function PendingSends(
  { chat, view, onAction, bubbles, children, ...rest },
  ref,
) {
  const settings = useUI();
  const { catalog, locale, world } = settings;
  usePlaced('pending-sends', chat?.id);
  const all = view ?? chat?.pendingSends;
  const content = useMemo(() => (all && all.length > 0 ? all : undefined), [all]);
  const press = usePress(world);
  const root = useRef<HTMLUListElement>(null);
  const surface = useSurface(root, ref, {
    content,
    trying: false,
    leaveTo: ['action', 'composer', 'message'],
    fleeting: true,
  });
  const conflict = useIsStanding(chat ? `conflict:${chat.id}` : '');

  // A failure speaks for itself, and so does a conflict.
  const newest = content?.[content.length - 1];
  useAnnouncement(
    catalog && content && newest && !newest.failure && !conflict
      ? {
          incident: `pending:${newest.id}:${newest.state}`,
          text: formatCount(catalog.pending.count, content.length, locale ?? catalog.locale),
          say: 'polite',
          once: true,
        }
      : undefined,
  );

  if (!catalog || !content) return null;
  const act = actor(chat, onAction);
  return (
    <ul
      aria-label={catalog.names.pendingList}
      {...rootAttributes('pending-sends', settings)}
      {...rest}
      ref={root}
      data-helix-small=""
      {...watchesFocus(surface, rest)}
    >
      {content.map((pending) => (
        <Row
          key={pending.id}
          pending={pending}
          bubble={bubbles ?? !chat?.pendingInMessages}
          returns={chat?.canTakeBack !== false && !(conflict && content.length === 1)}
          press={press}
          act={act}
          arrange={children}
        />
      ))}
    </ul>
  );
});

interface RowProps {
  readonly pending: PendingSend;
  readonly bubble: boolean;
  /** The row offers to take the message back: it can be, and no conflict notice does. */
  readonly returns: boolean;
  readonly press: Press;
  readonly act: OnAction;
  readonly arrange: ((parts: PendingParts) => ReactNode) | undefined;
}

function Row({ pending, bubble, returns, press, act, arrange }: RowProps) {
  const { catalog, locale } = useUI();
  const id = useId();
  const standing = pending.failure ? failureName(pending.failure.id) : '';
  const banner = useIsStanding(standing);
  const bannerReturns = useIsStanding(`${standing}:take-back`);
  if (!catalog) return null;
  const { text, files } = readDraft(pending.message);
  const line = describePending(pending, {
    catalog,
    ...(locale !== undefined && { locale }),
  });
  const start = startOf(text);
  // The banner of its failure has the buttons; only a way to the text is never missing.
  const offered = banner ? (bannerReturns ? [] : (['take-back'] as const)) : actionsOf(pending);
  const actions = offered.filter((name) => returns || name !== 'take-back');
  const parts: PendingParts = {
    pending,
    files: bubble && files.length > 0 && (
      <div data-helix-part="files">
        {files.map((name, index) => (
          <File
            // biome-ignore lint/suspicious/noArrayIndexKey: two files may share a name, and their order never changes
            key={index}
            name={name ?? formatCount(catalog.pending.files, 1, locale ?? catalog.locale)}
          />
        ))}
      </div>
    ),
    text: text && (
      <div id={`${id}text`} dir="auto" data-helix-part={bubble ? 'bubble' : 'hidden'}>
        {bubble ? text : start}
      </div>
    ),
    status: (
      <>
        <span data-helix-part="status">
          <Icon name={iconOf(pending)} />
          {line.state}
        </span>
        {line.lostFiles && <span>{line.lostFiles}</span>}
      </>
    ),
    actions:
      actions.length > 0 &&
      actions.map((action) => {
        const busy = press.busy(pending) === action;
        return (
          <ActionButton
            key={action}
            action={action}
            label={catalog.actions[action]}
            about={start}
            kind={action === actions[0] && action !== 'take-back' ? 'bordered' : 'plain'}
            icon={ICONS[action]}
            small
            busy={busy}
            spinning={busy && press.spinning}
            onPress={() => press.run(pending, action, () => act(action, { id: pending.id }))}
          />
        );
      }),
  };
  return (
    <li
      data-helix-part="pending"
      data-helix-state={pending.state}
      data-helix-severity={pending.state === 'failed' ? 'blocking' : undefined}
      aria-labelledby={text ? `${id}text` : undefined}
    >
      {arrange ? (
        arrange(parts)
      ) : (
        <>
          {parts.files}
          {parts.text}
          <div data-helix-part="row">
            {parts.status}
            {parts.actions}
          </div>
        </>
      )}
    </li>
  );
}

const ICONS: Partial<Record<FailureAction, IconName>> = {
  'send-again': 'retry',
  check: 'retry',
  'take-back': 'take-back',
};

function File({ name }: { name: string }) {
  const [head, tail] = splitName(name);
  return (
    <span data-helix-part="file">
      <Icon name="file" />
      <bdi>
        <span>{head}</span>
        <span>{tail}</span>
      </bdi>
    </span>
  );
}

function iconOf({ state, cause }: PendingSend): IconName {
  if (state === 'failed') return 'blocking';
  return cause === 'asked' ? 'writing' : 'clock';
}

const OF_A_ROW: readonly FailureAction[] = ['send-again', 'check', 'edit', 'take-back'];

/** What is held goes by itself, unless it waits for the person; what failed offers what its failure allows. */
function actionsOf({ state, cause, failure }: PendingSend): readonly FailureAction[] {
  if (failure) {
    const offered = OF_A_ROW.filter((action) => failure.actions.includes(action));
    return offered.length > 0 ? offered : ['send-again'];
  }
  const waitsForPerson =
    cause === 'queue-paused' || cause === 'slept' || cause === 'awaiting-answer';
  return state === 'held' && !waitsForPerson ? ['take-back'] : ['send-again', 'take-back'];
}
