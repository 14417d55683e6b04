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
  /**
   * How long the lease of an `active` run still lasts, in ms of the store's clock: processes need not agree on the time.
   * At 0 or less the run is lost, and whoever reads it next marks it failed. Says nothing of a run that has ended.
   */
  readonly leaseLeftMs: number;
  /** Typed body of what ended the run as `failed`; absent for a failure without a code. */
  readonly error?: HelixChatErrorBody;
  /** Why the reply of an ended run is over, as its model said: one that reached its longest size can be gone on with. */
  readonly finishReason?: string;
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
  /**
   * Another number after every change of the transcript and of whether a run is live; `startRun` compares it. A session
   * that was forgotten and begins anew does not come by an old number again.
   */
  readonly revision: number;
  readonly messages: readonly StoredMessage[];
  /** The latest run; undefined before the first. */
  readonly run: RunRecord | undefined;
  /** What the key that was asked about is held by. */
  readonly held: KeyRecord | undefined;
  /** Length of the latest run's log, also of one that is not kept any more. */
  readonly sequence: number;
  /** The latest run's log is kept still: who asks for it gets it from its beginning. True while a run is live. */
  readonly replayable: boolean;
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
  readonly run: Pick<RunRecord, 'id' | 'replyId' | 'attemptId'>;
  /** How long the run counts as live without another sign of its process, in ms of the store's clock from now. */
  readonly leaseMs: number;
  /** What the log begins with; it counts as committed. */
  readonly entries: readonly LogEntry[];
  readonly key?: { readonly value: string; readonly fingerprint: string };
}

/** A change of the live run. Everything in it happens at once or not at all. */
export interface RunChange {
  /**
   * Which numbered change of its run this is, counted from 1. One whose number the run has on record already is answered
   * `written` and changes nothing, also when the run has ended since: a change whose answer was lost can be made again.
   */
  readonly number?: number;
  readonly entries?: readonly LogEntry[];
  /** Everything in the log after the last commit is superseded, before `entries` are added. */
  readonly supersede?: true;
  /** Everything in the log is committed, after `entries` were added. */
  readonly commit?: true;
  /** Puts the reply into the transcript: in place of the message of its id, else at the end. */
  readonly reply?: StoredMessage;
  readonly attemptId?: string;
  /** The lease lasts this long from now, in ms of the store's clock. */
  readonly leaseMs?: number;
  /** Ends the run. */
  readonly end?: {
    readonly status: Exclude<RunStatus, 'active'>;
    readonly error?: HelixChatErrorBody;
    readonly finishReason?: string;
  };
  /** Only when the lease has ended by the store's clock: how a lost run is marked. */
  readonly onlyIfLost?: true;
}

/**
 * `written`, with the stop that is on record for the run, so that a stop reaches the process that runs with its next
 * change at the latest. `fenced`: the run is not the session's live run any more (or the condition did not hold);
 * nothing was written.
 */
export type WriteAnswer =
  | { readonly kind: 'written'; readonly stop?: StopMode }
  | { readonly kind: 'fenced' };

/** What became of a wish to stop: it is on record for that run, or that run is not live (`status` is that of the latest one). */
export type StopAnswer =
  | { readonly kind: 'stopping' }
  | { readonly kind: 'not-live'; readonly status: RunStatus | undefined };

/** What a listener is woken for: new entries of the log, or a wish to stop. */
export type StoreChange = 'log' | 'stop';

/** Entries of a log in their order. */
export interface LogPage {
  readonly entries: readonly LogEntry[];
  /**
   * `open`: there are or may come more. `complete`: the run has ended, and these were the last. `gone`: the log is not
   * kept any more, or the run is not the session's latest.
   */
  readonly state: 'open' | 'complete' | 'gone';
}

/**
 * Where sessions live. A port for one process or many: every method is one step that happens whole or not at all,
 * whichever process asks, and every time in it is the store's own. A method may reject, also after it has done its work:
 * `startRun`, numbered changes and stops can therefore be asked for again with the same words. A store forgets what it
 * does not keep any more only as a whole session or a whole log, and never those of a live run. The checks of
 * `helix-chat/testing` (`STORE_CHECKS`) hold a store to all of this.
 */
export interface ChatStore {
  /** Reads a session at one point in time; undefined when there is none. `key` asks who holds that request key. */
  read(
    chatId: string,
    options?: { readonly key?: string | undefined },
  ): Promise<ChatRecord | undefined>;
  /**
   * Starts a run when the session is still at `revision` and no run is live. `changed` means: read and plan again. A
   * start whose run is the session's latest already is a repeat: `started`, and nothing is written.
   */
  startRun(chatId: string, start: RunStart): Promise<'started' | 'changed'>;
  /** Changes the live run. */
  write(chatId: string, runId: string, change: RunChange): Promise<WriteAnswer>;
  /** Stores answers or other edits of the transcript while no run is live; compares `revision` as `startRun` does. */
  putMessages(
    chatId: string,
    revision: number,
    messages: readonly StoredMessage[],
  ): Promise<'written' | 'changed'>;
  /** Reads a run's log from a position, at most `limit` entries. */
  readLog(chatId: string, runId: string, from: number, limit: number): Promise<LogPage>;
  /** Records a stop for this run while it is live, and tells its subscribers. An abort is not softened by a later interrupt. */
  requestStop(chatId: string, runId: string, mode: StopMode): Promise<StopAnswer>;
  /**
   * Calls back after a session's log grew or its run ended (`log`), and after a stop was asked for (`stop`), by whichever
   * process, until the returned function is called. A hint, which may come late, twice or for nothing: the listener reads
   * again. A store that needs time to listen, or could not for a while, calls back with both once it can.
   */
  subscribe(chatId: string, listener: (change: StoreChange) => void): () => void;
}
