import type {
  ChatInit,
  ChatOnFinishCallback,
  ChatTransport,
  HttpChatTransportInitOptions,
  UIMessage,
} from 'ai';
import type { Failure } from '../errors/failure.ts';
import type { HelixError, HelixErrorInit } from '../errors/HelixError.ts';
import type { ErrorAdapter } from '../errors/toHelixError.ts';
import type { Conflict } from '../recovery/draft.ts';
import type { Policy } from '../recovery/policy.ts';
import type { RecoveryReport } from '../recovery/recoveryReport.ts';
import type { Routes } from '../transport/routes.ts';
import type { KeyValueStore, StorageKind, World } from '../world.ts';
import { isStorage } from './keeping.ts';

type RequestOptions<M extends UIMessage> = Pick<
  HttpChatTransportInitOptions<M>,
  | 'api'
  | 'headers'
  | 'body'
  | 'credentials'
  | 'fetch'
  | 'prepareSendMessagesRequest'
  | 'prepareReconnectToStreamRequest'
>;

/** What an app hears of a chat. Every mounted hook's callbacks are called. A throw is reported to the console and changes nothing. */
export interface HelixChatCallbacks<M extends UIMessage> {
  /** Once a failure of severity warning or blocking, with the object that the hook returns as `error`. */
  readonly onError?: ((error: HelixError) => void) | undefined;
  /** Once a turn, after it has settled, with the reply as on screen. Not for repeats, holds, or another client's reply. */
  readonly onFinish?: ChatOnFinishCallback<M> | undefined;
  /** At most once a tool call in the life of the chat, whatever replays. Never awaited. */
  readonly onToolCall?: ChatInit<M>['onToolCall'] | undefined;
  readonly onData?: ChatInit<M>['onData'] | undefined;
  /** Once a failure, after `onFinish`. */
  readonly onFailure?: ((failure: Failure) => void) | undefined;
  /** Trouble that was shown is over. */
  readonly onRecovered?: (() => void) | undefined;
  /** Puts text and files of a message into the composer. Without it `edit` and `take-back` are not offered. */
  readonly onDraft?:
    | ((message: M, why: 'take-back' | 'edit', messageId?: string) => void)
    | undefined;
  /** Everything that recovery does, without message text. */
  readonly onEvent?: ((report: RecoveryReport) => void) | undefined;
}

/**
 * What names and binds a chat. Read once, when the chat is made, but for these, of which the value of the latest render
 * counts: `headers`, `body`, `credentials`, `sendAutomaticallyWhen`, `onConflict`, `stopServer`, `onUnauthorized` (where
 * one was given at first) and `detectSoftFailure`.
 */
export interface HelixChatSettings<M extends UIMessage>
  extends RequestOptions<M>,
    Pick<
      ChatInit<M>,
      | 'id'
      | 'messages'
      | 'generateId'
      | 'messageMetadataSchema'
      | 'dataPartSchemas'
      | 'sendAutomaticallyWhen'
    > {
  /** Any `ChatTransport`. Excludes the flat request options. Default: a `HelixChatTransport` made from them. */
  readonly transport?: ChatTransport<M>;
  /** The snapshot, stream and stop routes: learned (`'auto'`, default), promised (`true` or an object), or none. */
  readonly resync?: 'auto' | boolean | Routes;
  /** Whether the backend honours request keys. Default `'auto'`: proven by its answers. */
  readonly requestKeys?: boolean | 'auto';
  /** Default `'wait'`. A function is asked at each conflict; one that throws counts as `'wait'`. */
  readonly onConflict?: Conflict | ((info: { runId?: string; messageId: string }) => Conflict);
  /** What `stop()` asks of the server. Default `'interrupt'`. */
  readonly stopServer?: 'interrupt' | 'abort' | false;
  /**
   * Renews the sign-in after a 401. Resolving to anything but `false` repeats the request once. Asked once at a time for
   * all chats of a provider, or of an endpoint where a chat has its own: the answer counts for each that was refused.
   */
  readonly onUnauthorized?: (error: HelixError) => unknown;
  /**
   * Names a failure in a settled reply that no error told of, beside the rules for an empty reply and for finish
   * reasons. Undefined: none. A throw counts as none. `false` switches all of them off.
   */
  readonly detectSoftFailure?:
    | false
    | ((
        message: M,
        about: { finishReason: string | undefined; isReplay: boolean },
      ) => HelixErrorInit | HelixError | undefined);
  /**
   * Where messages that are not in the conversation yet are kept, so that a reload loses none: the tab's session
   * storage, the browser's local storage, or a store of your own, which may answer by promises. Text always; files up
   * to 1 MB in all, others are named in `lostFiles`. Needs an `id`. What is kept is plain text to whoever can read the
   * store. After a reload they are pending with the state `restored`; a person sends them or takes them back. Default:
   * nothing is kept.
   */
  readonly storage?: StorageKind | KeyValueStore;
  readonly adapters?: readonly ErrorAdapter[];
  readonly recovery?: Policy;
  readonly world?: World;
  /** Whether `messages` ends with the pending ones. Default true. */
  readonly pendingInMessages?: boolean;
  /** Whether the conversation is read on mount. Default: where routes are promised. */
  readonly resume?: boolean;
}

/** What a chat is made of: `useChat`'s options, how it reaches its backend, and what recovery may do. */
export type HelixChatOptions<M extends UIMessage> = HelixChatSettings<M> & HelixChatCallbacks<M>;

const FLAT = [
  'api',
  'headers',
  'body',
  'credentials',
  'fetch',
  'prepareSendMessagesRequest',
  'prepareReconnectToStreamRequest',
] as const;

const CONFLICTS: readonly unknown[] = ['wait', 'stop', 'ask', 'fail'];

const refuse = (what: string, causes: string, todo: string): never => {
  throw new Error(`[helix-chat] ${what} ${causes} ${todo}`);
};

/** Throws at once on options that would make a chat that fails later. */
export function checkChatOptions<M extends UIMessage>(options: HelixChatOptions<M>): void {
  const flat = FLAT.filter((name) => options[name] !== undefined);
  if (options.transport !== undefined && flat.length > 0) {
    refuse(
      `Both \`transport\` and ${flat.map((name) => `\`${name}\``).join(', ')} were given.`,
      'The request options would have no effect.',
      'Give them to the transport, or leave the transport out.',
    );
  }
  if ('experimental_queue' in options && options.experimental_queue) {
    refuse(
      '`experimental_queue` was given.',
      'Two queues would hold the same message.',
      'Leave it out: messages sent while a reply is written are held by helix-chat.',
    );
  }
  const { onConflict, stopServer, storage } = options;
  if (
    onConflict !== undefined &&
    typeof onConflict !== 'function' &&
    !CONFLICTS.includes(onConflict)
  ) {
    refuse(
      `\`onConflict\` is ${JSON.stringify(onConflict)}.`,
      'A message that meets a running reply would have no rule.',
      "Give 'wait', 'stop', 'ask', 'fail', or a function that returns one of them.",
    );
  }
  if (storage !== undefined && !isStorage(storage)) {
    refuse(
      `\`storage\` is ${typeof storage === 'object' ? 'an object without get, set and remove' : JSON.stringify(storage)}.`,
      'Messages that wait to be sent would be lost with the page.',
      "Give 'session', 'local', or { get, set, remove }.",
    );
  }
  if (stopServer !== undefined && !['interrupt', 'abort', false].includes(stopServer)) {
    refuse(
      `\`stopServer\` is ${JSON.stringify(stopServer)}.`,
      'A stop would not reach the server as meant.',
      "Give 'interrupt', 'abort' or false.",
    );
  }
}
