import type { Failure } from '../errors/failure.ts';
import type { HelixError } from '../errors/HelixError.ts';
import type { KeyValueStore, World } from '../world.ts';
import type { Answers } from './answers.ts';
import type { AppListeners } from './appVoice.ts';
import type { Breaker } from './breaker.ts';
import type { Budget } from './budget.ts';
import type { Conflict } from './draft.ts';
import type { RenamedIds } from './messageIdentity.ts';
import type { Move, ResolvedPolicy } from './policy.ts';
import type { ChatMessage } from './ports.ts';
import type { RecoveryReport } from './recoveryReport.ts';
import type { AwaitedMessage } from './transcript.ts';

/** What an app hears. Called one at a time; a throw is reported to the developer and changes nothing. */
export interface ControllerListeners<M extends ChatMessage> extends AppListeners<M> {
  onRecovered(): void;
  onReport(report: RecoveryReport): void;
  /** True when the app renewed its sign-in and the request, begun at `since` (monotonic ms), may go once more. */
  onUnauthorized: ((error: HelixError, since: number) => Promise<boolean>) | undefined;
  conflict(info: { runId?: string; messageId: string }): Conflict;
  /** Whether the app wants answers to tool calls to go out. `again`: also those that have gone out before. Never rejects. */
  wantsAnswers(again: boolean): boolean | Promise<boolean>;
  /** A failure that the app finds in a settled reply; undefined: none. */
  softFailure?(
    message: M,
    about: { finishReason: string | undefined; isReplay: boolean },
  ): HelixError | undefined;
  allow(move: Move, failure: Failure): boolean;
}

/** What a controller is made of. All of it lives as long as the controller, and where said longer. */
export interface ControllerOptions<M extends ChatMessage> {
  readonly world: World;
  readonly policy: ResolvedPolicy;
  readonly budget: Budget;
  readonly breaker: Breaker;
  /** What the person's stop asks of the server, asked at each stop. */
  stopsServer(): 'interrupt' | 'abort' | false;
  readonly listeners: ControllerListeners<M>;
  /** Whether `edit` and `take-back` have a composer to go to. */
  hasDraft(): boolean;
  /** Whether an empty reply and telling finish reasons count as failures. */
  seesSoftFailures(): boolean;
  /** The ids that the server has given messages of ours; outlives the controller. */
  readonly renamedIds: RenamedIds;
  /** What no read of the conversation has held yet; outlives the controller. */
  readonly awaited: AwaitedMessage;
  /** The answers to tool calls that the server is not known to have; outlive the controller. */
  readonly answers: Answers;
  /** Where pending messages are kept through a reload; absent: nowhere. */
  readonly keeps?: {
    /** Asked once, when the chat is first mounted. */
    readonly store: () => KeyValueStore | undefined;
    /** Names the chat object to others; outlives the controller. */
    readonly identity: { owner?: string };
    onDeveloperNote(text: string): void;
  };
}
