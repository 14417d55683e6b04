import type { HelixChatErrorBody } from '../../protocol/errorBody.ts';
import type { SnapshotMessage } from '../../protocol/snapshot.ts';

/** A message as the transcript keeps it. */
export type StoredMessage = SnapshotMessage;

/** Where a run stands. `active` holds the session; every other status is final. `interrupted` is a stop, `paused` waits for a person's answer to a tool call. */
export type RunStatus = 'active' | 'paused' | 'ended' | 'interrupted' | 'failed';

/** `interrupt` keeps what was said so far; `abort` throws the attempt away and ends the run as failed. */
export type StopMode = 'interrupt' | 'abort';

/** One run: one answer to one act, however many model attempts it takes. */
export interface RunRecord {
  readonly id: string;
  readonly status: RunStatus;
  /** Id of the assistant message that this run writes. */
  readonly replyId: string;
  readonly attemptId: string;
  /** Wall-clock ms. An `active` run whose lease has passed is lost: whoever reads it next marks it failed. */
  readonly leaseUntil: number;
  /** Typed body of what ended the run as `failed`; absent for a failure without a code. */
  readonly error?: HelixChatErrorBody;
  /** A stop that was asked for and has not ended the run yet. */
  readonly stop?: StopMode;
  /** Log position up to which the reply is committed: no failed attempt takes it back. */
  readonly committedTo: number;
  /** Half-open ranges of log positions that a retry has superseded: left out of replays that begin later. */
  readonly superseded: readonly (readonly [from: number, to: number])[];
}

/** The run that holds a request key, and what the key was used for. */
export interface KeyRecord {
  readonly runId: string;
  readonly fingerprint: string;
}

/** One session as one consistent read. */
export interface ChatRecord {
  /** Changes with every change of the session; `startRun` compares it. */
  readonly revision: number;
  readonly messages: readonly StoredMessage[];
  /** The latest run; undefined before the first. */
  readonly run: RunRecord | undefined;
  /** What the key that was asked about is held by. */
  readonly held: KeyRecord | undefined;
  /** Length of the latest run's log. */
  readonly sequence: number;
}

/**
 * One line of a run's log. `json` is the chunk as it goes out.
 * `content`: part of the reply. `transient`: for those who read along, never replayed. `prefix`: rebuilds the part of the
 * message that a reader who comes later has missed, only for replays. `end`: the terminal chunk and what belongs to it.
 */
export interface LogEntry {
  readonly kind: 'content' | 'transient' | 'prefix' | 'end';
  readonly json: string;
}

/** What `startRun` is to write, all or nothing. */
export interface RunStart {
  /** The revision that the caller planned from; undefined for a session that did not exist. */
  readonly revision: number | undefined;
  /** The whole transcript as it is to be while the run is active. */
  readonly messages: readonly StoredMessage[];
  readonly run: Pick<RunRecord, 'id' | 'replyId' | 'attemptId' | 'leaseUntil'>;
  /** What the log begins with; it counts as committed. */
  readonly entries: readonly LogEntry[];
  readonly key?: { readonly value: string; readonly fingerprint: string };
}

/** A change of the live run. Everything in it happens at once or not at all. */
export interface RunChange {
  readonly entries?: readonly LogEntry[];
  /** Everything in the log after the last commit is superseded, before `entries` are added. */
  readonly supersede?: true;
  /** Everything in the log is committed, after `entries` were added. */
  readonly commit?: true;
  /** Puts the reply into the transcript: in place of the message of its id, else at the end. */
  readonly reply?: StoredMessage;
  readonly attemptId?: string;
  readonly leaseUntil?: number;
  /** Ends the run. */
  readonly end?: {
    readonly status: Exclude<RunStatus, 'active'>;
    readonly error?: HelixChatErrorBody;
  };
  /** Only when the lease ended at or before this wall-clock time: how a lost run is marked. */
  readonly ifLeaseEndedBy?: number;
}

/** `fenced`: the run is not the session's live run any more (or the condition did not hold); nothing was written. */
export type Written = 'written' | 'fenced';

/** What became of a wish to stop: it is on record for that run, or no run is live (`status` is that of the latest one). */
export type StopAnswer =
  | { readonly kind: 'stopping'; readonly runId: string }
  | { readonly kind: 'not-live'; readonly status: RunStatus | undefined };

/** What a listener is woken for: new entries of the log, or a wish to stop. */
export type StoreChange = 'log' | 'stop';

/** Entries of a log in their order. */
export interface LogPage {
  readonly entries: readonly LogEntry[];
  /** The log is complete: nothing will be added after these entries. Also true for a log that is not kept any more. */
  readonly complete: boolean;
}

/**
 * Where sessions live. A port: the memory store is one implementation, and every method is shaped so that one
 * transaction of a shared store can do it. A method may reject; the route answers that as a failed store call.
 */
export interface ChatStore {
  /** Reads a session at one point in time; undefined when there is none. `key` asks who holds that request key. */
  read(
    chatId: string,
    options?: { readonly key?: string | undefined },
  ): Promise<ChatRecord | undefined>;
  /** Starts a run when the session is still at `revision` and no run is live. `changed` means: read and plan again. */
  startRun(chatId: string, start: RunStart): Promise<'started' | 'changed'>;
  /** Changes the live run. */
  write(chatId: string, runId: string, change: RunChange): Promise<Written>;
  /** Stores answers or other edits of the transcript while no run is live; compares `revision` as `startRun` does. */
  putMessages(
    chatId: string,
    revision: number,
    messages: readonly StoredMessage[],
  ): Promise<'written' | 'changed'>;
  /** Reads a run's log from a position, at most `limit` entries. */
  readLog(chatId: string, runId: string, from: number, limit: number): Promise<LogPage>;
  /** Records a stop for the live run and tells its subscribers. */
  requestStop(chatId: string, mode: StopMode): Promise<StopAnswer>;
  /**
   * Calls back after a session's log grew or its run ended (`log`), and after a stop was asked for (`stop`), until the
   * returned function is called. A hint, which may come late or twice: the listener reads again.
   */
  subscribe(chatId: string, listener: (change: StoreChange) => void): () => void;
}
