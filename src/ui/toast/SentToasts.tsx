import type { RefObject } from 'react';
import { useEffect, useRef } from 'react';
import type { Catalog } from '../../i18n/catalog.ts';
import { joinSentences } from '../../i18n/format.ts';
import type { OnAction } from '../acting.ts';
import { actor } from '../acting.ts';
import { perform } from '../FailureActions.tsx';
import { goToPlace } from '../places.ts';
import { useUI } from '../uiContext.ts';
import { useCopy } from '../useCopy.ts';
import { useFailureSpeech } from '../useFailureSpeech.ts';
import { usePress } from '../usePress.ts';
import { isRepeat, meaningOf, useBlocked } from '../useRepeat.tsx';
import type { ToastEntry } from './toastEntries.ts';
import { lifetimeOf } from './toastLifetime.ts';
import type { ToastSink } from './toastSink.ts';

/** Props of `SentToasts`. */
export interface SentToastsProps {
  readonly entries: readonly ToastEntry[];
  readonly sink: ToastSink;
  readonly duration: number;
  readonly onAction: OnAction | undefined;
  onPressed(id: string, meaning: 'try' | 'end'): void;
  onHide(id: string): void;
}

/** Keeps a toaster of the app's in step with the incidents. Draws nothing. */
export function SentToasts({ entries, sink, ...rest }: SentToastsProps) {
  const told = entries.filter(({ phase }) => phase !== 'hidden' && phase !== 'over');
  const sent = useRef(new Set<string>());
  useEffect(() => {
    for (const id of sent.current) {
      if (told.some((entry) => entry.id === id)) continue;
      sent.current.delete(id);
      sink.remove(id);
    }
  });
  const using = useRef<ToastSink>(undefined);
  useEffect(() => {
    using.current = sink;
    const ids = sent.current;
    return () => {
      using.current = undefined;
      // Later, so that what is mounted again at once (StrictMode) finds its toasts.
      queueMicrotask(() => {
        if (using.current === sink) return;
        for (const id of ids) sink.remove(id);
        ids.clear();
      });
    };
  }, [sink]);
  return told.map((entry) => (
    <Sent key={entry.id} {...rest} entry={entry} sink={sink} sent={sent} />
  ));
}

interface SentProps extends Omit<SentToastsProps, 'entries'> {
  readonly entry: ToastEntry;
  /** The ids that the toaster holds. */
  readonly sent: RefObject<Set<string>>;
}

function Sent({ entry, sink, sent, duration, onAction, onPressed, onHide }: SentProps) {
  const { catalog, world } = useUI();
  const { id, content, chat, phase, pointer } = entry;
  const { view, token } = content;
  const press = usePress(world);
  const copying = useCopy(world);
  const stands = phase === 'failed' || phase === 'waiting';
  const { forget } = useFailureSpeech(
    stands && !pointer && !sink.speaks ? content : undefined,
    copying.outcome,
  );
  // A toaster cannot show a closed button: what would be refused now comes when it is open.
  const closed = useBlocked(content, chat, undefined);
  const offered = content.actions
    .filter((action) => action.id !== 'dismiss' && stands && !pointer && !closed(action))
    .map((action) => action.id)
    .join(' ');

  // The toaster keeps what it is given: it calls what is current.
  const current = useRef({ press: (_action: string) => {}, close: () => {} });
  useEffect(() => {
    const run = (action: string) => {
      const chosen = content.actions.find((each) => each.id === action);
      if (!chosen) return;
      const meaning = meaningOf(action);
      if (meaning && action !== 'copy-ref') onPressed(id, meaning);
      if (isRepeat(chosen)) forget(view.failureId);
      const act = actor(chat, onAction);
      press.run(token, action, () => perform(chosen, content, chat, act, copying.copy));
    };
    const dismisses = stands && !pointer && content.actions.some((each) => each.id === 'dismiss');
    current.current = {
      press: run,
      close() {
        if (dismisses) run('dismiss');
        onHide(id);
      },
    };
  });

  const title = titleOf(entry, catalog);
  const sentence = sentenceOf(entry, catalog);
  const severity = phase === 'recovered' ? 'recovered' : view.severity;
  const stays = lifetimeOf(entry, duration);
  useEffect(() => {
    if (title === undefined) return;
    const actions = content.actions
      .filter((action) => offered.split(' ').includes(action.id))
      .slice(0, 2)
      .map((action) => ({
        label: action.label,
        onPress: () => current.current.press(action.id),
      }));
    const shown = pointer && {
      label: catalog?.names.showPlace ?? '',
      onPress: () => goToPlace(pointer),
    };
    sent.current.add(id);
    sink.show({
      id,
      title,
      sentence,
      severity,
      actions: shown ? [shown] : actions,
      duration: stays,
      onClose: () => current.current.close(),
    });
  }, [id, title, sentence, severity, content, offered, pointer, stays, sink, sent, catalog]);
  return null;
}

function titleOf({ phase, content }: ToastEntry, catalog: Catalog | undefined) {
  return phase === 'recovered' ? catalog?.severities.recovered : catalog && content.view.title;
}

function sentenceOf({ phase, content }: ToastEntry, catalog: Catalog | undefined): string {
  if (phase === 'recovered') return '';
  if (phase === 'trying') return catalog?.status.trying ?? '';
  const { cause, safety } = content.view;
  return joinSentences(safety === undefined ? [cause] : [cause, safety]);
}
