import type { HelixError } from './HelixError.ts';

/** What the chat was doing when it failed. */
export type Phase =
  | 'load'
  | 'send'
  | 'regenerate'
  | 'edit'
  | 'stream'
  | 'snapshot'
  | 'submit'
  | 'stop';

/** How much a failure stops the person: a remark, a failed act, or nothing goes on from here. */
export type Severity = 'notice' | 'warning' | 'blocking';

/** Whether the server has taken the message: nothing was written, it was, or nobody here knows. */
export type Committed = 'no' | 'yes' | 'unknown';

/** One try of the act that failed. `at` is wall-clock time in ms. */
export interface Attempt {
  readonly at: number;
  readonly status?: number;
  readonly code?: string;
  readonly reason?: string;
}

/** What a person can do about a failure. Ids are stable; labels are the catalogue's. */
export type FailureAction =
  | 'send-again'
  | 'new-reply'
  | 'reload'
  | 'check'
  | 'answer-again'
  | 'edit'
  | 'take-back'
  | 'try-now'
  | 'stop-waiting'
  | 'wait'
  | 'stop-send'
  | 'stop-again'
  | 'continue'
  | 'start-new'
  | 'sign-in'
  | 'plan'
  | 'remove-file'
  | 'copy-ref'
  | 'show-again'
  | 'reload-page'
  | 'dismiss';

/** A failure that automatic work could not mend, as plain data: what views draw and what `describeError` puts into words. */
export interface Failure {
  /** Stable for one incident; its repeats keep it. */
  readonly id: string;
  readonly error: HelixError;
  readonly phase: Phase;
  readonly severity: Severity;
  readonly committed: Committed;
  /** The message it belongs to: the person's for a send, the reply's for a stream. */
  readonly messageId?: string;
  /** Text of the failed attempt that left the screen when the transcript settled. */
  readonly partial?: string;
  /** The reply on screen is only a part, and this failure, which has another place, is why it stays one. */
  readonly incomplete?: true;
  /** Wall-clock ms before which a repeat would be refused, from a wait that the server stated. */
  readonly retryAt?: number;
  readonly attempts: readonly Attempt[];
  /** In the order in which a view draws them. Never empty. */
  readonly actions: readonly FailureAction[];
  /** The one filled action; absent when none is to be filled. */
  readonly primary?: FailureAction;
}
