import type { HTMLAttributes, ReactNode } from 'react';
import { forwardRef, useMemo, useRef, useState } from 'react';
import type { FailureAction } from '../errors/failure.ts';
import type { StatusLine } from '../i18n/describeError.ts';
import { describeStatus } from '../i18n/describeError.ts';
import type { RecoveryState } from '../recovery/state.ts';
import { ActionButton } from './ActionButton.tsx';
import type { AnyChat, OnAction } from './acting.ts';
import { actor } from './acting.ts';
import { CloseButton } from './CloseButton.tsx';
import type { IconName } from './Icon.tsx';
import { Icon } from './Icon.tsx';
import { usePlaced } from './placed.ts';
import { rootAttributes } from './rootAttributes.ts';
import { useUI } from './uiContext.ts';
import { useAnnouncement } from './useAnnouncement.ts';
import { usePress } from './usePress.ts';
import type { Trouble } from './useSteadyStatus.ts';
import { useSteadyStatus } from './useSteadyStatus.ts';
import { useSurface, watchesFocus } from './useSurface.ts';
import { useElapsed, useTimeLeft } from './useTimeLeft.ts';

/** The state of the connection as plain data. */
export interface ConnectionView {
  readonly recovery: RecoveryState;
  readonly offline: boolean;
}

/** The parts of the status, each ready to be put somewhere. */
export interface ConnectionParts {
  /** As in `data-helix-state`. */
  readonly state: string;
  readonly icon: ReactNode;
  readonly text: ReactNode;
  /** The buttons in their order; absent where nothing can be done. */
  readonly actions: ReactNode;
}

/** Props of `ConnectionStatus`; those not named here go to its outermost element. */
export interface ConnectionStatusProps extends Omit<HTMLAttributes<HTMLDivElement>, 'children'> {
  readonly chat?: AnyChat;
  /** In place of `chat`. */
  readonly view?: ConnectionView | undefined;
  /** Performs `try-now` and `stop-waiting`. Default: the chat does. */
  readonly onAction?: OnAction;
  /** Arranges the parts; the element around them stays the kit's. */
  readonly children?: (parts: ConnectionParts) => ReactNode;
}

/** After this long a person may end what takes so long. */
const ACTION_AFTER_MS = 10_000;
/** A send without an answer takes longer than usual from here on. */
const SLOW_MS = 10_000;
const SHORT_MS = 1_000;

type Kind =
  | 'sending-slowly'
  | 'reply-slow'
  | 'loading'
  | 'reconnecting'
  | 'offline'
  | 'next-try'
  | 'deferred';

/**
 * A quiet pill that tells of a slow or lost connection: after a second, without flicker, and with a word when it is back.
 * Belongs at the top of the conversation, over which it floats.
 */
export const ConnectionStatus = forwardRef<HTMLDivElement, ConnectionStatusProps>(
  function ConnectionStatus({ chat, view, onAction, children, ...rest }, ref) {
    const settings = useUI();
    const { catalog, locale, world } = settings;
    usePlaced('connection-status', chat?.id);
    const recovery = view?.recovery ?? chat?.recovery;
    const offline = view?.offline ?? chat?.offline ?? false;
    const press = usePress(world);

    const slow = useElapsed(
      recovery?.name === 'sending' ? recovery.since : undefined,
      SLOW_MS,
      world,
    );
    const trouble = recovery && troubleOf(recovery, offline, slow);
    // A wait that a person has ended is not good news; the next trouble is a new one.
    const [ended, setEnded] = useState<RecoveryState>();
    if (ended && trouble && recovery !== ended) setEnded(undefined);
    const endsWell = recovery?.name !== 'failed' && !ended;
    const kind = useSteadyStatus(trouble, endsWell, world);

    const since = recovery && 'since' in recovery ? recovery.since : undefined;
    const long = useElapsed(since, ACTION_AFTER_MS, world);
    const next = recovery?.name === 'backing-off' ? recovery.retryAt : undefined;
    const counts = kind === 'next-try' || kind === 'deferred';
    const left = useTimeLeft(counts ? next : undefined, world);

    const content = useMemo(() => kind && { kind }, [kind]);
    const [dismissed, setDismissed] = useState<object>();
    const root = useRef<HTMLDivElement>(null);
    const surface = useSurface(root, ref, {
      content: content === dismissed ? undefined : content,
      trying: false,
      pressed: () => (ended ? 'end' : undefined),
      leaveTo: ['action', 'composer', 'message'],
    });
    const line = (shown: Kind | 'back', at: number | undefined): StatusLine => {
      if (shown === 'next-try') return { kind: shown, at: at ?? world.now() };
      return shown === 'deferred' && at !== undefined ? { kind: shown, at } : { kind: shown };
    };
    const words = catalog && {
      catalog,
      ...(locale !== undefined && { locale }),
    };
    const spoken =
      words && kind && describeStatus(line(kind, next), { ...words, now: world.now() }).text;
    useAnnouncement(
      spoken === undefined || kind === undefined
        ? undefined
        : {
            incident: `connection:${chat?.id ?? ''}:${kind}`,
            text: spoken,
            say: 'polite',
            once: true,
          },
    );

    const { shown, focused } = surface;
    if (!catalog || !words || !shown) return null;
    const act = actor(chat, onAction);
    const token = recovery ?? shown;
    const state = surface.resolved ? 'back' : shown.kind;
    const actions = actionsOf(state, recovery, long);
    const close = focused && actions.length === 0;
    const parts: ConnectionParts = {
      state,
      icon: <Icon name={ICONS[state]} />,
      text: describeStatus(line(state, next), {
        ...words,
        now: next !== undefined && left !== undefined ? next - left : world.now(),
      }).text,
      actions: (actions.length > 0 || close) && (
        <>
          {actions.map((action) => {
            const busy = press.busy(token) === action;
            return (
              <ActionButton
                key={action}
                action={action}
                label={catalog.actions[action]}
                kind="plain"
                busy={busy}
                spinning={busy && press.spinning}
                onPress={() => {
                  if (action === 'stop-waiting') setEnded(recovery);
                  press.run(token, action, () => act(action));
                }}
              />
            );
          })}
          {close && (
            <CloseButton
              label={catalog.actions.dismiss}
              onPress={() => {
                setDismissed(content);
                surface.leave();
              }}
            />
          )}
        </>
      ),
    };
    return (
      <div
        {...rootAttributes('connection-status', settings)}
        {...rest}
        ref={root}
        data-helix-state={state}
        data-helix-severity={SEVERITIES[state]}
        {...watchesFocus(surface, rest)}
      >
        {children ? (
          children(parts)
        ) : (
          <div data-helix-part="pill" data-helix-small="">
            <span data-helix-part="status">
              {parts.icon}
              {parts.text}
            </span>
            {parts.actions}
          </div>
        )}
      </div>
    );
  },
);

function troubleOf(
  recovery: RecoveryState,
  offline: boolean,
  slow: boolean,
): Trouble<Kind> | undefined {
  const connection = true;
  if (offline) return { kind: 'offline', late: false, connection };
  switch (recovery.name) {
    case 'sending':
      return slow || recovery.slow
        ? { kind: 'sending-slowly', late: true, connection: false }
        : undefined;
    case 'streaming':
      return recovery.slow ? { kind: 'reply-slow', late: true, connection: false } : undefined;
    case 'resyncing':
      return recovery.cause === 'load'
        ? { kind: 'loading', late: false, connection: false }
        : { kind: 'reconnecting', late: false, connection };
    case 'backing-off': {
      // A send that is tried again has the banner.
      if (recovery.of === 'send') return undefined;
      if (recovery.failure.error.reason === 'deferred') {
        return { kind: 'deferred', late: true, connection: false };
      }
      const short = recovery.retryAt - recovery.since < SHORT_MS;
      return { kind: short ? 'reconnecting' : 'next-try', late: false, connection };
    }
    case 'idle':
    case 'waiting-on-run':
    case 'failed':
      return undefined;
  }
}

/** Only what would do something now. */
function actionsOf(
  kind: Kind | 'back',
  recovery: RecoveryState | undefined,
  long: boolean,
): readonly FailureAction[] {
  const backingOff = recovery?.name === 'backing-off';
  switch (kind) {
    case 'offline':
      return backingOff ||
        (recovery?.name === 'failed' && recovery.failure.actions.includes('try-now'))
        ? ['try-now']
        : [];
    case 'next-try':
      return backingOff ? ['try-now', 'stop-waiting'] : [];
    case 'deferred':
      return backingOff ? ['reload'] : [];
    case 'sending-slowly':
      return ['stop-waiting'];
    case 'loading':
    case 'reconnecting':
      return long ? ['stop-waiting'] : [];
    case 'reply-slow':
    case 'back':
      return [];
  }
}

const ICONS: Record<Kind | 'back', IconName> = {
  'sending-slowly': 'spinner',
  'reply-slow': 'spinner',
  loading: 'spinner',
  reconnecting: 'spinner',
  offline: 'offline',
  'next-try': 'clock',
  deferred: 'clock',
  back: 'recovered',
};

const SEVERITIES: Partial<Record<Kind | 'back', string>> = {
  offline: 'notice',
  back: 'recovered',
};
