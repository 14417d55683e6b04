import type { ComponentType, ErrorInfo, HTMLAttributes, ReactNode } from 'react';
import { forwardRef, useMemo, useRef, useState } from 'react';
import type { ErrorBoundaryProps } from 'react-error-boundary';
import type { Catalog } from '../i18n/catalog.ts';
import type { FailureView } from '../i18n/describeError.ts';
import { describeSituation } from '../i18n/describeError.ts';
import { CrashNotice } from './CrashNotice.tsx';
import { FocusKeepingBoundary } from './FocusKeepingBoundary.ts';
import { moveFocus } from './focus.ts';
import { useUI } from './uiContext.ts';

/** What stands in place of a crashed part is given: words, and the way to show the part again. Never the error. */
export interface CrashFallbackProps {
  readonly view: FailureView;
  resetErrorBoundary(...args: unknown[]): void;
}

/** What is drawn in place of a crashed part: at most one of these. Default: sentence and buttons of the kit. */
type CrashFallback =
  | { fallback: ReactNode; fallbackRender?: never; FallbackComponent?: never }
  | {
      fallback?: never;
      fallbackRender: (props: CrashFallbackProps) => ReactNode;
      FallbackComponent?: never;
    }
  | {
      fallback?: never;
      fallbackRender?: never;
      FallbackComponent: ComponentType<CrashFallbackProps>;
    }
  | { fallback?: never; fallbackRender?: never; FallbackComponent?: never };

/** Props of `ChatErrorBoundary`; those not named here go to the section that it draws after a crash. */
export type ChatErrorBoundaryProps = Omit<HTMLAttributes<HTMLElement>, 'onError' | 'onReset'> &
  CrashFallback & {
    /** Told of every crash, with the error itself: for the app's log. */
    readonly onError?: (error: unknown, info: ErrorInfo) => void;
    /** Told before the part is shown again, and why. */
    readonly onReset?: NonNullable<ErrorBoundaryProps['onReset']>;
    /** A change of one of them shows the part again. */
    readonly resetKeys?: unknown[];
    /**
     * Stores the draft, then loads the page anew. Only with it `reload-page` is offered: nobody else knows where the
     * draft is.
     */
    readonly onReloadPage?: () => void | Promise<void>;
    readonly children?: ReactNode;
  };

/** A second crash within this many ms says that showing the part again does not help. */
const AGAIN_MS = 30_000;

interface Crash {
  readonly count: number;
  /** Monotonic ms. */
  readonly at: number;
  readonly again: boolean;
}

/**
 * Keeps a crash while drawing from taking the page along: in place of the part it says so and offers to show it again.
 * Put it around the conversation and never around the composer, or the draft goes with the crash. Habits and props are
 * those of `react-error-boundary`, but a fallback gets words and never the error.
 */
export const ChatErrorBoundary = forwardRef<HTMLElement, ChatErrorBoundaryProps>(
  function ChatErrorBoundary(
    {
      children,
      fallback,
      fallbackRender,
      FallbackComponent,
      onError,
      onReset,
      resetKeys,
      onReloadPage,
      ...rest
    },
    ref,
  ) {
    const { catalog, world, composer } = useUI();
    const [crash, setCrash] = useState<Crash>({ count: 0, at: 0, again: false });
    const heading = useRef<HTMLHeadingElement>(null);
    const reloads = onReloadPage !== undefined;
    const view = useMemo(
      () => catalog && crashView(catalog, crash, reloads),
      [catalog, crash, reloads],
    );

    const draw = ({ resetErrorBoundary }: Pick<CrashFallbackProps, 'resetErrorBoundary'>) => {
      if (fallback !== undefined) return fallback;
      if (!view) return null;
      if (fallbackRender) return fallbackRender({ view, resetErrorBoundary });
      if (FallbackComponent) {
        return <FallbackComponent view={view} resetErrorBoundary={resetErrorBoundary} />;
      }
      return (
        <CrashNotice
          {...rest}
          view={view}
          onShowAgain={resetErrorBoundary}
          onReloadPage={onReloadPage}
          heading={heading}
          forwarded={ref}
        />
      );
    };
    return (
      <FocusKeepingBoundary
        fallbackRender={draw}
        onFocusLost={(spot) => {
          if (heading.current) heading.current.focus();
          else moveFocus(['composer'], spot, { surface: null, messageId: undefined, composer });
        }}
        onError={(error, info) => {
          const now = world.monotonic();
          setCrash(({ count, at }) => ({
            count: count + 1,
            at: now,
            again: count > 0 && now - at < AGAIN_MS,
          }));
          onError?.(error, info);
        }}
        {...(onReset && { onReset })}
        {...(resetKeys && { resetKeys })}
      >
        {children}
      </FocusKeepingBoundary>
    );
  },
);

/** The words of a crash. After a second one in short order loading the page anew is the better act, where it is offered. */
function crashView(catalog: Catalog, { count, again }: Crash, reloads: boolean): FailureView {
  const view = describeSituation('crash', {
    catalog,
    id: `crash-${count}`,
    can: (action) => action === 'show-again' || (action === 'reload-page' && reloads),
  });
  if (!again || !reloads) return view;
  const reordered = view.actions.toSorted((a, b) => rank(a.id) - rank(b.id));
  return {
    ...view,
    actions: reordered.map((action, index) => ({ ...action, primary: index === 0 })),
  };
}

const rank = (id: string): number => (id === 'reload-page' ? 0 : 1);
