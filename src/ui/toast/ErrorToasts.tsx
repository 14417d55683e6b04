import type { HTMLAttributes } from 'react';
import { forwardRef, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { ToastQueue, useToastQueue } from 'react-stately/useToastState';
import type { FailureView } from '../../i18n/describeError.ts';
import { formatCount } from '../../i18n/format.ts';
import type { AnyChat, OnAction } from '../acting.ts';
import { rootAttributes } from '../rootAttributes.ts';
import { useUI } from '../uiContext.ts';
import { ErrorToast } from './ErrorToast.tsx';
import { SentToasts } from './SentToasts.tsx';
import type { ToastSink } from './toastSink.ts';
import { useLandmarkKey } from './useLandmarkKey.ts';
import { useToastEntries } from './useToastEntries.ts';
import { useToastPause } from './useToastPause.ts';

/** Props of `ErrorToasts`; those not named here go to the region around the toasts. */
export interface ErrorToastsProps extends HTMLAttributes<HTMLElement> {
  /** One chat, or all that the page shows. Give the same array for the same chats. */
  readonly chat?: AnyChat | readonly AnyChat[] | undefined;
  /** In place of `chat`: failures in words, the newest last. */
  readonly view?: FailureView | readonly FailureView[] | undefined;
  /** Performs the actions. Default: the chat does. A promise keeps the button busy until it settles. */
  readonly onAction?: OnAction;
  /**
   * `placeless`: only what has no place on the page, and a pointer to a place that is off screen. `all`: every failure;
   * banner and inline errors leave theirs out. Default `placeless`.
   */
  readonly route?: 'placeless' | 'all';
  /** The corner of the window. Default `top-end`: the bottom belongs to the composer. Under 400 px of width they stand in the flow. */
  readonly placement?: 'top-start' | 'top-end' | 'bottom-start' | 'bottom-end';
  /** The key that leads into the toasts and back, by its `KeyboardEvent.key`. Null: none. Default `F8`. */
  readonly landmarkKey?: string | null;
  /** How long a notice with nothing to do stays, in ms. Everything else stays until it is put away. Default 8,000. */
  readonly duration?: number;
  /** Sends them there instead of drawing them: an app's existing toaster. */
  readonly sink?: ToastSink | undefined;
}

/** So many are seen; the rest are counted. */
const SEEN = 3;

/** Failures as toasts, one an incident: it is updated in place and never stacked for repeats. Draws nothing when empty. */
export const ErrorToasts = forwardRef<HTMLElement, ErrorToastsProps>(function ErrorToasts(
  {
    chat,
    view,
    onAction,
    route = 'placeless',
    placement = 'top-end',
    landmarkKey = 'F8',
    duration = 8_000,
    sink,
    ...rest
  },
  ref,
) {
  const settings = useUI();
  const { catalog, locale, world } = settings;
  const { entries, press, hide, drop } = useToastEntries(chat, view, route);
  const region = useRef<HTMLElement>(null);
  const [focused, setFocused] = useState<string>();

  const [queue] = useState(() => new ToastQueue<string>({ maxVisibleToasts: SEEN }));
  const { visibleToasts } = useToastQueue(queue);
  const keys = useRef(new Map<string, string>());
  useEffect(() => {
    const wanted = entries.filter(
      ({ id, phase, pressed }) =>
        phase !== 'hidden' && (phase !== 'over' || (id === focused && pressed !== 'end')),
    );
    for (const { id } of sink ? [] : wanted) {
      if (keys.current.has(id)) continue;
      // Its timer is set by the toast itself, once it is known how long it stays.
      const onClose = () => {
        if (keys.current.delete(id)) hide(id);
      };
      keys.current.set(id, queue.add(id, { timeout: duration, onClose }));
    }
    for (const [id, key] of keys.current) {
      if (!sink && wanted.some((entry) => entry.id === id)) continue;
      keys.current.delete(id);
      queue.close(key);
    }
    for (const { id, phase } of entries) {
      if (phase === 'over' && !wanted.some((entry) => entry.id === id)) drop(id);
    }
  }, [entries, focused, queue, duration, sink, hide, drop]);
  useEffect(
    () => () => {
      keys.current.clear();
      queue.clear();
    },
    [queue],
  );

  const stands = visibleToasts.length > 0 && catalog !== undefined;
  useImperativeHandle(ref, () => (stands ? region.current : null) as HTMLElement, [stands]);
  const paused = useToastPause(region, stands, world);
  const origin = useLandmarkKey(region, sink ? null : landmarkKey);
  const shown = useMemo(
    () => entries.filter(({ phase }) => phase !== 'hidden' && phase !== 'over').length,
    [entries],
  );
  if (sink) {
    return (
      <SentToasts
        entries={entries}
        sink={sink}
        duration={duration}
        onAction={onAction}
        onPressed={press}
        onHide={hide}
      />
    );
  }
  if (!stands) return null;
  const { toastRegion, moreToasts } = catalog.names;
  const more = shown - visibleToasts.length;
  return (
    <section
      {...rootAttributes('error-toasts', settings)}
      aria-label={landmarkKey === null ? toastRegion : `${toastRegion} (${landmarkKey})`}
      {...rest}
      ref={region}
      data-helix-placement={placement}
    >
      <ol data-helix-part="toasts">
        {visibleToasts.map((queued) => {
          const entry = entries.find(({ id }) => id === queued.content);
          return (
            entry && (
              <li
                key={entry.id}
                onFocus={() => setFocused(entry.id)}
                onBlur={(event) => {
                  if (event.currentTarget.contains(event.relatedTarget)) return;
                  if (document.activeElement !== event.target) setFocused(undefined);
                }}
              >
                <ErrorToast
                  entry={entry}
                  queued={queued}
                  paused={paused}
                  duration={duration}
                  onAction={onAction}
                  origin={origin}
                  onPressed={press}
                  onHide={hide}
                />
              </li>
            )
          );
        })}
      </ol>
      {more > 0 && (
        <p data-helix-part="more">{formatCount(moreToasts, more, locale ?? catalog.locale)}</p>
      )}
    </section>
  );
});
