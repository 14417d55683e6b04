import type { DOMAttributes, FocusEvent, ForwardedRef, RefObject } from 'react';
import { useEffect, useImperativeHandle, useRef, useState } from 'react';
import type { FocusTarget, Spot } from './focus.ts';
import { moveFocus, noteSpot } from './focus.ts';
import { useUI } from './uiContext.ts';

/** What decides whether a surface stands. */
export interface SurfaceOptions<T extends object> {
  /** What there is to show; the same object as long as nothing changes. */
  readonly content: T | undefined;
  /** Automatic work on it is under way: its outcome is not known yet. */
  readonly trying: boolean;
  /** What a person has pressed of this content: a try, whose outcome the surface waits for, or something that ends it. */
  readonly pressed?: ((content: T) => 'try' | 'end' | undefined) | undefined;
  /** Where focus goes when the focused control has gone. */
  readonly leaveTo: readonly FocusTarget[];
  readonly messageId?: string | undefined;
  /** Where focus was before a key led it here. */
  readonly origin?: (() => HTMLElement | null) | undefined;
  /** It goes when its content goes, even with focus inside: only its controls matter, not its words. */
  readonly fleeting?: boolean | undefined;
}

/** A surface as it is to be drawn now. */
export interface Surface<T> {
  /** What to draw; undefined: nothing. */
  readonly shown: T | undefined;
  /** It is over, and stands only because it holds focus: text and `dismiss`, until focus leaves. */
  readonly resolved: boolean;
  /** It holds focus. */
  readonly focused: boolean;
  readonly onFocus: (event: FocusEvent<HTMLElement>) => void;
  readonly onBlur: (event: FocusEvent<HTMLElement>) => void;
  /** Gives up a resolved surface. */
  readonly leave: () => void;
}

/**
 * The life of a surface (`words.md` D1): the program never removes one that holds focus, and where a press removes the
 * focused control, focus goes to the next sensible place and never to `body`.
 */
export function useSurface<T extends object, E extends HTMLElement>(
  /** The outermost element. */
  root: RefObject<E | null>,
  /** The ref of the component's user, which follows it. */
  forwarded: ForwardedRef<E>,
  options: SurfaceOptions<T>,
): Surface<T> {
  const { content, trying, pressed, leaveTo, messageId, origin, fleeting } = options;
  const { composer } = useUI();
  const [kept, setKept] = useState(content);
  const [focused, setFocused] = useState(false);
  if (content !== undefined && content !== kept) setKept(content);

  const press = kept && pressed?.(kept);
  const stays = content === undefined && !fleeting;
  const waits = stays && trying && (press === undefined ? focused : press === 'try');
  const resolved = stays && !waits && focused && press === undefined;
  const shown = content ?? (waits || resolved ? kept : undefined);

  const stands = shown !== undefined;
  // Null while nothing is drawn, as with any ref.
  useImperativeHandle(forwarded, () => (stands ? root.current : null) as E, [root, stands]);
  const held = useRef<{ element: Element; spot: Spot } | undefined>(undefined);

  const recover = useRef(() => {});
  useEffect(() => {
    recover.current = () => {
      const lost = held.current;
      if (!lost || lost.element.isConnected) return;
      held.current = undefined;
      setFocused(false);
      // Somebody else, the app's `onDraft` for one, may have placed it already.
      const active = document.activeElement;
      if (active !== null && active !== document.body) return;
      moveFocus(leaveTo, lost.spot, { surface: root.current, messageId, composer, origin });
    };
    recover.current();
  });
  useEffect(
    () => () => {
      // The nodes go after this; only then is it known whether focus went with them.
      queueMicrotask(() => recover.current());
    },
    [],
  );

  return {
    shown,
    resolved,
    focused,
    onFocus(event) {
      held.current = {
        element: event.target,
        spot: noteSpot(event.currentTarget, event.target),
      };
      setFocused(true);
    },
    onBlur(event) {
      if (event.currentTarget.contains(event.relatedTarget)) return;
      // A window that loses focus keeps its active element: nobody has gone anywhere.
      if (document.activeElement === event.target) return;
      held.current = undefined;
      setFocused(false);
    },
    leave() {
      setKept(undefined);
    },
  };
}

/** The handlers by which an element tells its surface where focus is, before the component's user hears of it. */
export function watchesFocus<E extends HTMLElement>(
  surface: Pick<Surface<object>, 'onFocus' | 'onBlur'>,
  user: Pick<DOMAttributes<E>, 'onFocus' | 'onBlur'>,
): Required<Pick<DOMAttributes<E>, 'onFocus' | 'onBlur'>> {
  return {
    onFocus(event) {
      surface.onFocus(event);
      user.onFocus?.(event);
    },
    onBlur(event) {
      surface.onBlur(event);
      user.onBlur?.(event);
    },
  };
}
