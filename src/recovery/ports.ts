import type { Failure, FailureAction } from '../errors/failure.ts';
import type { HelixError } from '../errors/HelixError.ts';
import type { RecoveryState } from './state.ts';

/** The shape of a UI message that recovery needs; the AI SDK's `UIMessage` fits it. */
export interface ChatMessage {
  readonly id: string;
  readonly role: string;
  readonly parts: readonly { readonly type: string }[];
  readonly metadata?: unknown;
}

/** Why a message is held instead of being sent. */
export type HoldCause =
  | 'foreign-run'
  | 'own-run'
  | 'awaiting-answer'
  | 'queue-paused'
  | 'asked'
  | 'slept';

/** A message of the person's that is not in the transcript: held, parked by a stop, failed, or restored from storage. */
export interface PendingSend<M extends ChatMessage = ChatMessage> {
  readonly id: string;
  readonly message: M;
  readonly state: 'held' | 'parked' | 'failed' | 'restored';
  readonly cause?: HoldCause;
  readonly failure?: Failure;
  /** Names of files that a store could not keep. */
  readonly lostFiles?: readonly string[];
}

/** `interrupt` keeps what was written; `abort` gives the run up. */
export type StopMode = 'interrupt' | 'abort';

/** What `useHelixChat` returns as far as views need it: by structure, without the AI SDK's types. */
export interface HelixChatHandle<M extends ChatMessage = ChatMessage> {
  readonly id: string;
  readonly messages: readonly M[];
  readonly status: 'submitted' | 'streaming' | 'ready' | 'error';
  readonly error: HelixError | undefined;
  readonly failure: Failure | undefined;
  readonly recovery: RecoveryState;
  /** True while the platform says offline and no byte has disproved it. */
  readonly offline: boolean;
  readonly pendingSends: readonly PendingSend<M>[];
  /** Whether `messages` ends with the pending ones. */
  readonly pendingInMessages: boolean;
  /** A send would go out now instead of being held. */
  readonly canSend: boolean;
  readonly canStop: boolean;
  /** False where text could not return to the composer, so that views do not offer it. Absent: it can. */
  readonly canTakeBack?: boolean;
  /** Runs the first repeating action of the failure. */
  retry(): Promise<void>;
  /** Runs one action; `id` names a pending message where several could be meant. */
  act(action: FailureAction, options?: { id?: string }): Promise<void>;
  resync(): Promise<void>;
  stop(): Promise<void>;
  stopRun(mode?: StopMode): Promise<void>;
  stopAndSend(id?: string): Promise<void>;
  /** Takes a pending message back: the newest without an id. Undefined when it turned out to be sent, or is unknown. */
  cancelPendingSend(id?: string): Promise<M | undefined>;
  dismiss(): void;
}
