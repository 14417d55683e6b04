import type { Severity } from '../../errors/failure.ts';

/** One thing to do, as a toaster of the app's shows it. */
export interface SentAction {
  readonly label: string;
  onPress(): void;
}

/** A failure for a toaster of the app's: words of the catalogue and nothing else. */
export interface SentToast {
  /** The same for one incident: a second one takes the place of the first. */
  readonly id: string;
  readonly title: string;
  readonly sentence: string;
  readonly severity: Severity | 'recovered';
  /** At most two. */
  readonly actions: readonly SentAction[];
  /** How long it stays by itself, in ms. Undefined: until it is put away. */
  readonly duration: number | undefined;
  /** Tells that the person has put it away, or that its time has passed. */
  onClose(): void;
}

/** Where toasts go that the kit does not draw. */
export interface ToastSink {
  /** It reads its toasts out by itself: the kit's announcer is silent about them. */
  readonly speaks: boolean;
  show(toast: SentToast): void;
  remove(id: string): void;
}
