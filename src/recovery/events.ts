import type { HelixError } from '../errors/HelixError.ts';
import type { Rejection } from '../protocol/triggers.ts';
import type {
  Cut,
  Refusal,
  RunIdentity,
  StopAnswer,
  Trigger,
  TurnEnd,
} from '../transport/turnHost.ts';
import type { Leftover } from './leftover.ts';
import type { ActKind } from './model.ts';
import type { ChatMessage, StopMode } from './ports.ts';
import type { ReadResult } from './readResult.ts';
import type { ToolPart } from './toolParts.ts';

/** Why a live run is looked after while its stream is read on. */
export type CheckCause = 'woken' | 'stalled';

/** Facts that reach recovery. Each says what happened. */
export type RecoveryEvent<M extends ChatMessage = ChatMessage> =
  /** `foldInto`: the failed pending copy of the same message, which this act goes on with. */
  | {
      readonly type: 'act-requested';
      readonly kind: ActKind;
      readonly message?: M;
      readonly targetId?: string;
      readonly request?: unknown;
      readonly foldInto?: string;
      readonly entryId: string;
      /** A person's repeat of the regenerate, or of the answers, that failed last. */
      readonly again?: boolean;
      /** The tool calls that a submit answers. */
      readonly answers?: readonly ToolPart[];
      /** The message is kept without being sent: it was stopped while its files were read. */
      readonly park?: boolean;
    }
  /** An answer to a tool call, or a word on its approval, was given here. */
  | { readonly type: 'answer-given'; readonly toolCallId: string | undefined }
  /** What the app says to sending answers. `later`: it has yet to say. */
  | {
      readonly type: 'submit-decided';
      readonly ticket: number;
      readonly wanted: 'yes' | 'no' | 'later';
      readonly targetId: string | undefined;
      readonly answers: readonly ToolPart[];
      readonly request: unknown;
    }
  /** The server names answers that did not apply. */
  | { readonly type: 'answers-rejected'; readonly rejections: readonly Rejection[] }
  /** What another tab held up is free: the conversation may have gone on. */
  | { readonly type: 'look-requested' }
  /** The first component shows the chat. */
  | { readonly type: 'mounted' }
  | { readonly type: 'attach-begun' }
  | { readonly type: 'request-refused'; readonly refusal: Refusal }
  | { readonly type: 'stream-accepted' }
  | { readonly type: 'stream-cut'; readonly cut: Cut }
  | { readonly type: 'stream-failed'; readonly error: HelixError }
  | { readonly type: 'stream-ending'; readonly end: TurnEnd }
  | { readonly type: 'stream-left'; readonly trigger: Trigger }
  /** The step begins anew; what follows in the stream waits to be joined. */
  | { readonly type: 'step-restarted'; readonly trigger: Trigger }
  /** The app does not let a trigger end the read: what is void stays on screen until the turn is over. */
  | { readonly type: 're-anchor-forbidden' }
  | { readonly type: 'stream-content' }
  | { readonly type: 'run-known'; readonly run: RunIdentity }
  | {
      readonly type: 'chat-failed';
      readonly error: HelixError;
      readonly partial?: string;
      readonly messageId?: string;
    }
  | {
      readonly type: 'chat-ended';
      readonly aborted: boolean;
      readonly softFailure?: HelixError;
      /** The reply has text. Default true. */
      readonly hasText?: boolean;
      readonly messageId?: string;
      /** The reply ends at a call that waits for an answer. Default false. */
      readonly atCall?: boolean;
    }
  | { readonly type: 'attach-closed'; readonly ticket: number }
  | { readonly type: 'read-ended' }
  | { readonly type: 'snapshot-read'; readonly ticket: number; readonly result: ReadResult }
  | { readonly type: 'timer-fired'; readonly ticket: number }
  | { readonly type: 'authorized'; readonly ticket: number; readonly ok: boolean }
  | {
      readonly type: 'stop-answered';
      readonly answer: StopAnswer;
      readonly repeated: boolean;
      readonly mode: StopMode;
      /** How long the answer took. */
      readonly ms: number;
    }
  | { readonly type: 'slow'; readonly slow: boolean }
  | { readonly type: 'load-requested' }
  | { readonly type: 'resync-requested' }
  | { readonly type: 'stop-requested' }
  | { readonly type: 'run-stop-requested'; readonly mode: StopMode }
  | { readonly type: 'stop-send-requested'; readonly entryId?: string }
  /** `asNew`: an edit whose message is gone goes out as a message of its own. */
  | { readonly type: 'send-again-requested'; readonly entryId: string; readonly asNew?: boolean }
  | { readonly type: 'wait-chosen'; readonly entryId?: string }
  | { readonly type: 'entry-removed'; readonly entryId: string }
  | { readonly type: 'try-now-requested' }
  | { readonly type: 'online' }
  | { readonly type: 'offline' }
  | { readonly type: 'woken' }
  /** The wall clock moved by `driftMs` against the monotonic one; the page did not run for `sleptMs`. */
  | { readonly type: 'clock-jumped'; readonly driftMs: number; readonly sleptMs: number }
  /** Bytes came, but no content for as long as the policy lets them. */
  | { readonly type: 'stalled' }
  | {
      readonly type: 'run-checked';
      readonly ticket: number;
      readonly why: CheckCause;
      readonly result: ReadResult;
    }
  /** A limit that is shared with other chats holds this one up no longer, or anew. */
  | { readonly type: 'limits-changed' }
  /** Messages that were left pending in a store, or by an earlier session of this chat object. Nothing sends them by itself. */
  | {
      readonly type: 'sends-restored';
      readonly lefts: readonly Leftover<M>[];
      readonly from: 'store' | 'memory';
    }
  /** Another tab has the message that is about to go out. `open`: a request of ours was refused, and waits for its answer. */
  | { readonly type: 'taken-elsewhere'; readonly open: boolean }
  /** Another tab has posted the message that is about to go out, and does not know whether it arrived. `open`: as above. */
  | { readonly type: 'posted-elsewhere'; readonly open: boolean }
  /** The same of pending messages. */
  | { readonly type: 'sends-unclear'; readonly ids: readonly string[] }
  /** Pending messages that live elsewhere now: the snapshot just put holds them after all, or another tab has them. */
  | { readonly type: 'entries-found'; readonly ids: readonly string[] }
  | { readonly type: 'dismissed' };
