import type { Failure } from '../errors/failure.ts';
import type { HelixError } from '../errors/HelixError.ts';
import type { CutAnswer, FailAnswer, RefusalAnswer } from '../transport/turnHost.ts';
import type { CheckCause } from './events.ts';
import type { Leftover } from './leftover.ts';
import type { Turn } from './model.ts';
import type { ChatMessage, StopMode } from './ports.ts';
import type { RecoveryFact } from './recoveryReport.ts';

/** Orders to the controller, performed in the order in which they stand. */
export type Effect<M extends ChatMessage = ChatMessage> =
  /** Makes the SDK call of the turn under way. */
  | { readonly do: 'send-message'; readonly turn: Turn<M>; readonly newKey: boolean }
  | { readonly do: 'answer-refusal'; readonly answer: RefusalAnswer; readonly newKey?: boolean }
  | { readonly do: 'answer-cut'; readonly answer: CutAnswer }
  | { readonly do: 'answer-failed'; readonly answer: FailAnswer }
  /** Reads the conversation; `boundMs` 0: as long as it takes. `looksFor`: the message or the act to find in it. */
  | { readonly do: 'read-snapshot'; readonly boundMs: number; readonly looksFor?: Turn<M> }
  /**
   * Puts a snapshot's messages. `keepReply`: the reply on screen stays there until the live one has begun, or has caught
   * up with it. `serverIds`: the last reply takes the id that the server has for it.
   */
  | {
      readonly do: 'put-messages';
      readonly messages: unknown;
      readonly keepReply?: 'begun' | 'caught-up';
      readonly serverIds?: boolean;
    }
  | { readonly do: 'take-out'; readonly messageId: string }
  /** An act of an earlier session goes on as this turn: its key and what is remembered of its message. */
  | {
      readonly do: 'take-over';
      readonly turn: Turn<M>;
      readonly left: Leftover<M>;
      readonly from: 'store' | 'memory';
    }
  | { readonly do: 'restore-history' }
  | { readonly do: 'cut-history-again' }
  | { readonly do: 'drop-empty-reply' }
  /** Takes back what the reply's unfinished step has said. */
  | { readonly do: 'cut-back-step' }
  /** Reads the conversation beside the request that is out. */
  | {
      readonly do: 'check-run';
      readonly why: CheckCause;
      readonly boundMs: number;
      readonly looksFor?: Turn<M>;
    }
  /** The request that is out is taken for dead: a stream is cut, a request counts as unanswered. */
  | { readonly do: 'end-silent' }
  /** Joins the live run's stream; the reply on screen shields the replay. */
  | { readonly do: 'attach' }
  /** `chat.stop()`, waited for at most `boundMs`. */
  | { readonly do: 'end-read'; readonly boundMs: number }
  | { readonly do: 'start-timer'; readonly ms: number }
  /** After the present callback: lets the SDK finish what it is in. */
  | { readonly do: 'soon' }
  | { readonly do: 'stop-run'; readonly mode: StopMode; readonly repeated: boolean }
  /** `since`: monotonic ms at which the refused request began. */
  | { readonly do: 'ask-authorization'; readonly error: HelixError; readonly since: number }
  | { readonly do: 'spend-budget' }
  /** The request that follows probes an endpoint whose pause is over; other chats wait for its outcome. */
  | { readonly do: 'claim-probe' }
  /** Other chats that wake now keep a little away from this one. */
  | { readonly do: 'keep-apart' }
  /** The network may be another one: a paused endpoint may be probed now. */
  | { readonly do: 'reconsider' }
  | { readonly do: 'note-alive' }
  /** `answered`: by something, so that the network is there. */
  | { readonly do: 'note-dead'; readonly answered: boolean }
  /** The turn is over: its promise resolves, `onFinish` is called once. */
  | {
      readonly do: 'finish-turn';
      readonly turn: Turn<M>;
      readonly by: 'reply' | 'read' | 'failure' | 'stop';
    }
  | { readonly do: 'release'; readonly entryId: string }
  /** Who waits for the turn waits for the other one. */
  | { readonly do: 'join'; readonly turnId: number; readonly to: number }
  | { readonly do: 'tell-failure'; readonly failure: Failure }
  | { readonly do: 'tell-recovered' }
  | { readonly do: 'dispatch-open-calls' }
  /** Asks the app whether answers go by themselves. `again`: also those that have gone out before. */
  | { readonly do: 'ask-auto-send'; readonly again: boolean }
  /** The server says that it has the message and the answers of the act under way: a read without them is an old one. */
  | { readonly do: 'note-taken' }
  /** Answers given so far do not go by themselves any more. */
  | { readonly do: 'hold-answers' }
  | { readonly do: 'report'; readonly report: RecoveryFact };
