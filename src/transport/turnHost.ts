import type { Committed } from '../errors/failure.ts';
import type { HelixError } from '../errors/HelixError.ts';
import type { Snapshot } from '../protocol/snapshot.ts';
import type { Rejection } from '../protocol/triggers.ts';

/**
 * `transport` asks, recovery answers. The port between them: `recovery/controller.ts` implements `ChatHost` and
 * `TurnHost`, a bound transport calls them. Every answer races the turn's abort signal inside the transport, so a host
 * may leave a question open for as long as it waits.
 */
export interface ChatHost {
  /** A transport call of the SDK begins. Called once a `sendMessages` or `reconnectToStream`, before any request. */
  begin(call: TurnCall): TurnHost;
}

/** What the SDK has called for. */
export interface TurnCall {
  readonly kind: 'submit-message' | 'regenerate-message' | 'attach';
  /** The SDK's `messageId`: the target of a regenerate or an edit, the assistant's message of a submit. */
  readonly messageId: string | undefined;
  /** The messages that go out; empty for `attach`. */
  readonly messages: readonly { readonly id: string; readonly role: string }[];
}

/** Who decides for one call of the SDK, from its begin to its last chunk. */
export interface TurnHost {
  /** The key of this act (`wire.md` 6), the same for all its repeats; undefined where the act carries none. */
  readonly requestKey: string | undefined;
  /** This call goes on with the failed run: it posts to the retry route instead of the send route. */
  readonly continues: boolean;
  /** This call reads on in the reply to a send before it, rather than another client's. */
  readonly goesOn: boolean;
  /** A request did not end in an event stream. The host has waited as long as it wants when it answers. */
  refused(refusal: Refusal): Promise<RefusalAnswer>;
  /** Headers of an event stream have arrived: the message is taken. Called before the first chunk is handed on. */
  accepted(): void;
  /** The stream ended without a terminal chunk, fell silent, or broke; or a reconnect asked for did not help. */
  cut(cut: Cut): Promise<CutAnswer>;
  /** A typed error event (or an abort chunk's opposite: a failure of the run) came in the stream, and is the end of it. */
  failed(error: HelixError): Promise<FailAnswer>;
  /** The terminal chunk is about to be handed on. An error returned here takes its place. Synchronous. */
  ending(end: TurnEnd): HelixError | undefined;
  /** A re-anchor trigger. `leave` ends the read quietly; `ignore` goes on. Synchronous. */
  trigger(trigger: Trigger): 'leave' | 'ignore' | 'restart-step';
  /** Answers to tool calls that did not apply, as the stream names them. The reply goes on. */
  rejected(rejections: readonly Rejection[]): void;
  /** Whose run this stream is: from `data-run` or the header. */
  run(run: RunIdentity): void;
  /** Raw bytes arrived (keep-alives too). `at` is monotonic ms. */
  bytes(at: number): void;
  /** A content chunk was handed on. */
  content(at: number): void;
}

/** A request that did not end in an event stream. */
export interface Refusal {
  /** `request`: the POST (or, for `attach` calls, the GET). `attach`: the GET that an `attach` answer asked for. */
  readonly stage: 'request' | 'attach';
  /** The typed failure. Undefined only for a 204 to an `attach`: no live run. */
  readonly error: HelixError | undefined;
  /** The status, undefined when no response came. */
  readonly status: number | undefined;
  /** What the answer proves about the message: `no` for 4xx and 503, else `unknown`; `yes` where the body says so. */
  readonly committed: Committed;
}

/**
 * `repeat`: the same request once more. `attach`: GET the live run's stream as the answer of this call. `hold`: end
 * quietly (an `AbortError` to the SDK). `fail`: end by the refusal's own error. An error: end by that one instead.
 */
export type RefusalAnswer = 'repeat' | 'attach' | 'hold' | 'fail' | HelixError;

/** A stream that ended before its reply did, and what was tried since. */
export interface Cut {
  /** `transport_stream_drop`, reason `cut` or `silent`. */
  readonly error: HelixError;
  /** What the last reconnect brought: nothing tried yet, 204, a replay that differs, a failure, or it was cut as well. */
  readonly last: 'none' | 'gone' | 'diverged' | 'cut' | HelixError;
  /** Anything new was handed on since the last `cut` question of this turn. */
  readonly progressed: boolean;
  /** Any content was handed on in this stream at all. */
  readonly content: boolean;
}

/** `reconnect`: GET and splice. `leave`: end the read quietly, the host goes on by itself. `fail`: end by `cut.error`. An error: end by that one. */
export type CutAnswer = 'reconnect' | 'leave' | 'fail' | HelixError;

/** `fail`: put the error on the stream. `leave`: end quietly. */
export type FailAnswer = 'fail' | 'leave';

/** The orderly end of a reply. */
export interface TurnEnd {
  readonly by: 'finish' | 'abort';
  readonly finishReason: string | undefined;
  /** Anything but `start`, step boundaries and transient parts arrived. */
  readonly content: boolean;
}

/** A part at which the conversation is to be read again. */
export interface Trigger {
  readonly name: string;
  readonly attemptId: string | undefined;
  readonly runId: string | undefined;
  /** Content chunks were handed on since the last trigger of this stream. */
  readonly content: boolean;
}

/** Which run, and which attempt of it, a stream belongs to; undefined where the stream does not say. */
export interface RunIdentity {
  readonly runId: string | undefined;
  readonly attemptId: string | undefined;
}

/** What is known of an optional route (`wire.md` 5). */
export type RouteKnowledge = 'known' | 'open' | 'absent';

/** What a read of the conversation brought. */
export type SnapshotAnswer =
  | { readonly kind: 'snapshot'; readonly snapshot: Snapshot }
  /** No such route here: learned, remembered, never a failure. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly error: HelixError };

/** What became of a wish to stop the live run. */
export type StopAnswer =
  | { readonly kind: 'stopping'; readonly runId: string | undefined }
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly error: HelixError };

/** A transport bound to one chat and its host: what recovery can ask of the backend. Extended by the SDK's `ChatTransport` methods. */
export interface Backend {
  /** The send URL without query: what budget and breaker are counted by. */
  readonly endpoint: string;
  route(name: 'stream' | 'snapshot' | 'stop' | 'retry'): RouteKnowledge;
  /** Keys are vouched for, or proven for this endpoint. */
  keyed(): boolean;
  /** Routes were promised (`routes: true` or an object): their failures are shown, and a chat is loaded on mount. */
  readonly promised: boolean;
  /** Never rejects but by the signal's abort. */
  readSnapshot(signal: AbortSignal): Promise<SnapshotAnswer>;
  stopRun(mode: 'interrupt' | 'abort', signal: AbortSignal): Promise<StopAnswer>;
  /** Takes the request that is out for dead: a stream ends as silent, a request that has no answer as timed out. */
  endSilent(): void;
  /** Lets go of a stream that waits to be joined after `restart-step`. The backend stays usable. */
  close(): void;
}
