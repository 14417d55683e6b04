import type { SentAction, SentToast, ToastSink } from './toastSink.ts';

interface SonnerAction {
  readonly label: string;
  readonly onClick: (event: { preventDefault(): void }) => void;
}

interface SonnerOptions {
  readonly id: string;
  readonly description: string;
  readonly duration: number;
  readonly action?: SonnerAction;
  readonly cancel?: SonnerAction;
  readonly onDismiss: () => void;
  readonly onAutoClose: () => void;
}

type Show = (title: string, options: SonnerOptions) => unknown;

/** As much of sonner's `toast` as is used: its version 2 fits. */
export interface SonnerToast {
  readonly info: Show;
  readonly warning: Show;
  readonly error: Show;
  readonly success: Show;
  dismiss(id: string): unknown;
}

/**
 * Sends the kit's toasts to an existing sonner toaster: `sonnerSink(toast)` with sonner's own `toast`. Sonner reads every
 * toast out politely by itself, so the kit is silent about them, and nothing is told assertively. Make it once, outside
 * of components.
 */
export function sonnerSink(toast: SonnerToast): ToastSink {
  const kinds = {
    notice: toast.info,
    warning: toast.warning,
    blocking: toast.error,
    recovered: toast.success,
  } as const satisfies Record<SentToast['severity'], Show>;
  // The ids of what sonner holds. What it has closed is never shown again by the same id: it would go with the old one.
  const held = new Map<string, string>();
  let made = 0;
  return {
    speaks: true,
    show({ id, title, sentence, severity, actions, duration, onClose }) {
      const key = held.get(id) ?? `${id}:${++made}`;
      held.set(id, key);
      const [first, second] = actions;
      // Sonner tells in the same way of a toast that it was made to remove.
      const closed = () => {
        if (held.get(id) !== key) return;
        held.delete(id);
        onClose();
      };
      kinds[severity](title, {
        id: key,
        description: sentence,
        duration: duration ?? Number.POSITIVE_INFINITY,
        ...(first && { action: button(first) }),
        ...(second && { cancel: button(second) }),
        onDismiss: closed,
        onAutoClose: closed,
      });
    },
    remove(id) {
      const key = held.get(id);
      held.delete(id);
      if (key !== undefined) toast.dismiss(key);
    },
  };
}

/** It stays until the outcome is known: sonner would close it with the press. */
function button({ label, onPress }: SentAction): SonnerAction {
  return {
    label,
    onClick: (event) => {
      event.preventDefault();
      onPress();
    },
  };
}
