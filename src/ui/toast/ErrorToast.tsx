import type { RefObject } from 'react';
import { useEffect, useId, useRef } from 'react';
import type { QueuedToast } from 'react-stately/useToastState';
import { formatCount } from '../../i18n/format.ts';
import { ActionButton } from '../ActionButton.tsx';
import type { OnAction } from '../acting.ts';
import { actor } from '../acting.ts';
import { Card } from '../Card.tsx';
import { CloseButton } from '../CloseButton.tsx';
import { FailureActions } from '../FailureActions.tsx';
import { FailureSentence } from '../FailureSentence.tsx';
import { goToPlace } from '../places.ts';
import { failureName, useStanding } from '../surfaces.ts';
import { useUI } from '../uiContext.ts';
import { useCopy } from '../useCopy.ts';
import { useFailureSpeech } from '../useFailureSpeech.ts';
import type { Press } from '../usePress.ts';
import { usePress } from '../usePress.ts';
import { meaningOf } from '../useRepeat.tsx';
import { useSurface } from '../useSurface.ts';
import { useWait } from '../useWait.ts';
import type { ToastEntry } from './toastEntries.ts';
import { lifetimeOf } from './toastLifetime.ts';

/** Props of `ErrorToast`. */
export interface ErrorToastProps {
  readonly entry: ToastEntry;
  readonly queued: QueuedToast<string>;
  readonly paused: boolean;
  /** How long a toast with nothing to do stays, in ms. */
  readonly duration: number;
  readonly onAction: OnAction | undefined;
  /** Where focus was before a key led it among the toasts. */
  readonly origin: RefObject<HTMLElement | null>;
  onPressed(id: string, meaning: 'try' | 'end'): void;
  onHide(id: string): void;
}

/** One incident as a toast: it keeps its place while it is tried again, waits, fails again or goes well. */
export function ErrorToast(props: ErrorToastProps) {
  const { entry, queued, paused, duration, onAction, origin, onPressed, onHide } = props;
  const { catalog, locale, world } = useUI();
  const { id, content, chat, pointer, phase } = entry;
  const root = useRef<HTMLDivElement>(null);
  const held = usePress(world);
  const press: Press = {
    ...held,
    run(token, action, task) {
      const meaning = meaningOf(action);
      if (meaning && action !== 'copy-ref') onPressed(id, meaning);
      held.run(token, action, task);
    },
  };
  const surface = useSurface(root, null, {
    content: entry,
    trying: false,
    leaveTo: ['action', 'toast', 'origin', 'composer', 'surface', 'message'],
    origin: () => origin.current,
  });
  const copying = useCopy(world);
  const stands = phase === 'failed' || phase === 'waiting';
  const { forget } = useFailureSpeech(stands && !pointer ? content : undefined, copying.outcome);
  const wait = useWait(
    phase === 'waiting' ? content.waiting?.until : undefined,
    content.waiting?.since,
  );
  const standing =
    stands && !pointer && content.failure ? failureName(content.failure.id) : undefined;
  useStanding(standing);
  const returns = content.actions.some((action) => action.id === 'take-back');
  useStanding(standing && returns ? `${standing}:take-back` : undefined);

  const lifetime = lifetimeOf(entry, duration);
  useEffect(() => {
    if (lifetime === undefined || paused) return;
    queued.timer?.reset(lifetime);
    return () => queued.timer?.pause();
  }, [queued, lifetime, paused]);

  const textId = useId();
  if (!catalog) return null;
  const { view } = content;
  const hide = () => {
    const dismiss = content.actions.find((action) => action.id === 'dismiss');
    if (stands && !pointer && dismiss) {
      press.run(content.token, 'dismiss', () => {
        if (dismiss.onAct) dismiss.onAct();
        else return actor(chat, onAction)('dismiss');
      });
    }
    onHide(id);
  };
  const close = <CloseButton label={catalog.actions.dismiss} onPress={hide} />;
  const common = {
    ui: 'error-toast',
    form: 'toast',
    root,
    surface,
    close,
    onEscape: hide,
    tabIndex: -1,
  } as const;
  if (phase === 'recovered' || phase === 'over' || phase === 'hidden') {
    return (
      <Card
        {...common}
        state={phase === 'recovered' ? 'recovered' : 'resolved'}
        severity="recovered"
        icon="recovered"
        heading={catalog.severities.recovered}
      />
    );
  }
  const trying = phase === 'trying';
  return (
    <Card
      {...common}
      state={pointer ? 'pointer' : phase}
      severity={trying ? undefined : view.severity}
      icon={trying ? 'spinner' : view.severity}
      ring={wait}
      heading={view.title}
      counter={
        entry.count > 1
          ? formatCount(catalog.names.times, entry.count, locale ?? catalog.locale)
          : undefined
      }
      sentence={
        trying ? (
          catalog.status.trying
        ) : (
          <FailureSentence
            view={view}
            copied={copying.outcome}
            wait={wait}
            waitId={`${textId}wait`}
          />
        )
      }
      actions={
        pointer ? (
          <ActionButton
            action="show-place"
            label={catalog.names.showPlace}
            kind="bordered"
            small
            onPress={() => goToPlace(pointer)}
          />
        ) : (
          <FailureActions
            content={withoutDismiss(content)}
            chat={chat}
            act={actor(chat, onAction)}
            press={press}
            forget={forget}
            copying={copying}
            fills={view.severity === 'blocking'}
            small
            waitId={`${textId}wait`}
            trying={trying}
          />
        )
      }
    />
  );
}

/** The close button of a toast is its `dismiss`. */
function withoutDismiss(content: ToastEntry['content']): ToastEntry['content'] {
  return { ...content, actions: content.actions.filter(({ id }) => id !== 'dismiss') };
}
