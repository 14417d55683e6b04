import type {
  ChatStore,
  KeyRecord,
  LogEntry,
  RunRecord,
  StoreChange,
  StoredMessage,
} from './chatStore.ts';

interface Session {
  revision: number;
  messages: readonly StoredMessage[];
  run: RunRecord | undefined;
  log: LogEntry[];
  readonly keys: Map<string, KeyRecord>;
}

/** How many request keys a session remembers; the oldest is forgotten first. */
const KEYS_KEPT = 256;

/**
 * A `ChatStore` in the memory of one process. Sessions live as long as the store. Only the latest run's log is kept:
 * an older run is never replayed, its answer is in the transcript.
 */
export function createMemoryStore(): ChatStore {
  const sessions = new Map<string, Session>();
  const listeners = new Map<string, Set<(change: StoreChange) => void>>();

  const tell = (chatId: string, change: StoreChange) => {
    for (const listener of [...(listeners.get(chatId) ?? [])]) listener(change);
  };
  const liveRun = (chatId: string, runId: string) => {
    const session = sessions.get(chatId);
    const run = session?.run;
    return session && run?.id === runId && run.status === 'active' ? { session, run } : undefined;
  };

  return {
    async read(chatId, options) {
      const session = sessions.get(chatId);
      if (!session) return undefined;
      const { revision, messages, run, log, keys } = session;
      const held = options?.key === undefined ? undefined : keys.get(options.key);
      return { revision, messages, run, held, sequence: log.length };
    },

    async startRun(chatId, start) {
      const before = sessions.get(chatId);
      if (before?.revision !== start.revision || before?.run?.status === 'active') return 'changed';
      const session = before ?? {
        revision: 0,
        messages: [],
        run: undefined,
        log: [],
        keys: new Map<string, KeyRecord>(),
      };
      session.revision += 1;
      session.messages = clone(start.messages);
      session.run = {
        ...start.run,
        status: 'active',
        committedTo: start.entries.length,
        superseded: [],
      };
      session.log = [...start.entries];
      if (start.key)
        remember(session.keys, start.key.value, {
          runId: start.run.id,
          fingerprint: start.key.fingerprint,
        });
      sessions.set(chatId, session);
      tell(chatId, 'log');
      return 'started';
    },

    async write(chatId, runId, change) {
      const live = liveRun(chatId, runId);
      if (!live) return 'fenced';
      const { session, run } = live;
      if (change.ifLeaseEndedBy !== undefined && run.leaseUntil > change.ifLeaseEndedBy) {
        return 'fenced';
      }
      const superseded =
        change.supersede && run.committedTo < session.log.length
          ? [...run.superseded, [run.committedTo, session.log.length] as const]
          : run.superseded;
      session.log.push(...(change.entries ?? []));
      session.run = {
        ...run,
        superseded,
        committedTo: change.commit ? session.log.length : run.committedTo,
        attemptId: change.attemptId ?? run.attemptId,
        leaseUntil: change.leaseUntil ?? run.leaseUntil,
        status: change.end?.status ?? run.status,
        ...(change.end?.error ? { error: change.end.error } : {}),
      };
      if (change.reply) session.messages = withReply(session.messages, clone(change.reply));
      if (change.reply || change.end) session.revision += 1;
      if (change.entries || change.end) tell(chatId, 'log');
      return 'written';
    },

    async putMessages(chatId, revision, messages) {
      const session = sessions.get(chatId);
      if (session?.revision !== revision || session.run?.status === 'active') return 'changed';
      session.revision += 1;
      session.messages = clone(messages);
      return 'written';
    },

    async readLog(chatId, runId, from, limit) {
      const session = sessions.get(chatId);
      if (!session || session.run?.id !== runId) return { entries: [], complete: true };
      const entries = session.log.slice(from, from + limit);
      const complete =
        session.run.status !== 'active' && from + entries.length >= session.log.length;
      return { entries, complete };
    },

    async requestStop(chatId, mode) {
      const run = sessions.get(chatId)?.run;
      const live = run && liveRun(chatId, run.id);
      if (!live) return { kind: 'not-live', status: run?.status };
      // An abort is the stronger word: a later interrupt does not soften it.
      live.session.run = { ...live.run, stop: live.run.stop === 'abort' ? 'abort' : mode };
      tell(chatId, 'stop');
      return { kind: 'stopping', runId: live.run.id };
    },

    subscribe(chatId, listener) {
      const entry = (change: StoreChange) => listener(change);
      const set = listeners.get(chatId) ?? new Set();
      listeners.set(chatId, set.add(entry));
      return () => {
        set.delete(entry);
        if (set.size === 0 && listeners.get(chatId) === set) listeners.delete(chatId);
      };
    },
  };
}

/** What is stored is nobody else's object: a host that changes the messages it was given changes nothing here. */
function clone<T>(value: T): T {
  return structuredClone(value);
}

function withReply(
  messages: readonly StoredMessage[],
  reply: StoredMessage,
): readonly StoredMessage[] {
  const known = messages.some((message) => message.id === reply.id);
  if (!known) return [...messages, reply];
  return messages.map((message) => (message.id === reply.id ? reply : message));
}

function remember(keys: Map<string, KeyRecord>, key: string, record: KeyRecord): void {
  keys.set(key, record);
  const oldest = keys.keys().next();
  if (keys.size > KEYS_KEPT && !oldest.done) keys.delete(oldest.value);
}
