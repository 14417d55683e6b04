import { systemWorld, type World } from '../../world.ts';
import type {
  ChatStore,
  KeyRecord,
  LogEntry,
  RunChange,
  RunRecord,
  StoreChange,
  StoredMessage,
} from './chatStore.ts';

/** What a memory store keeps, and for how long. Times are in ms. */
export interface MemoryStoreOptions {
  /** Default: the real world. */
  readonly world?: Pick<World, 'monotonic'>;
  /** How long a session is kept after its last change. Default: 24 hours. */
  readonly keepMs?: number;
  /** How long the log of a run that has ended is kept, for repeats of its request. Default: one hour. */
  readonly keepLogMs?: number;
  /** How many sessions are kept. The one that changed longest ago goes first; one whose run is live stays. Default 10_000. */
  readonly maxSessions?: number;
}

type Run = Omit<RunRecord, 'leaseLeftMs'>;

interface Session {
  revision: number;
  messages: readonly StoredMessage[];
  run: Run;
  leaseUntil: number;
  /** The last numbered change of the run. */
  number: number;
  /** Undefined once it is not kept any more. */
  log: LogEntry[] | undefined;
  sequence: number;
  changedAt: number;
  endedAt: number | undefined;
  readonly keys: Map<string, KeyRecord>;
}

const HOUR = 3_600_000;
/** How many request keys a session remembers; the oldest is forgotten first. */
const KEYS_KEPT = 256;

/**
 * A `ChatStore` in the memory of one process: what it holds ends with it. Only the latest run's log is kept, since an
 * older run is never replayed: its answer is in the transcript.
 * @throws Error at once for a limit that is no number above 0.
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): ChatStore {
  checkLimits(options);
  const { keepMs = 24 * HOUR, keepLogMs = HOUR, maxSessions = 10_000 } = options;
  const world = options.world ?? systemWorld();
  /** In the order of their last change. */
  const sessions = new Map<string, Session>();
  /** Sessions that hold the log of a run that has ended, in the order of the ends. */
  const ended = new Map<string, Session>();
  const listeners = new Map<string, Set<(change: StoreChange) => void>>();
  let revisions = 0;

  const tell = (chatId: string, change: StoreChange) => {
    for (const listener of [...(listeners.get(chatId) ?? [])]) listener(change);
  };
  const isLive = ({ run, leaseUntil }: Session) =>
    run.status === 'active' && leaseUntil > world.monotonic();
  const isForgotten = (session: Session) =>
    session.changedAt + keepMs <= world.monotonic() && !isLive(session);
  const dropOldLogs = () => {
    for (const [chatId, session] of ended) {
      if ((session.endedAt ?? 0) + keepLogMs > world.monotonic()) return;
      ended.delete(chatId);
      session.log = undefined;
    }
  };
  const forget = (chatId: string) => {
    sessions.delete(chatId);
    ended.delete(chatId);
  };
  const dropOldSessions = () => {
    for (const [chatId, session] of sessions) {
      if (sessions.size <= maxSessions && !isForgotten(session)) return;
      if (!isLive(session)) forget(chatId);
    }
  };
  const find = (chatId: string): Session | undefined => {
    dropOldLogs();
    const session = sessions.get(chatId);
    if (!session || !isForgotten(session)) return session;
    forget(chatId);
    return undefined;
  };
  const touch = (chatId: string, session: Session) => {
    session.changedAt = world.monotonic();
    sessions.delete(chatId);
    sessions.set(chatId, session);
  };
  const end = (chatId: string, session: Session) => {
    session.endedAt = world.monotonic();
    ended.delete(chatId);
    ended.set(chatId, session);
  };

  return {
    async read(chatId, asked) {
      const session = find(chatId);
      if (!session) return undefined;
      const { revision, messages, keys, sequence, log } = session;
      const run = { ...session.run, leaseLeftMs: session.leaseUntil - world.monotonic() };
      const held = asked?.key === undefined ? undefined : keys.get(asked.key);
      return { revision, messages, run, held, sequence, replayable: log !== undefined };
    },

    async startRun(chatId, start) {
      const before = find(chatId);
      if (before?.run.id === start.run.id) return 'started';
      if (before?.revision !== start.revision || before?.run.status === 'active') return 'changed';
      const keys = before?.keys ?? new Map<string, KeyRecord>();
      if (start.key) {
        const { value, fingerprint } = start.key;
        remember(keys, value, { runId: start.run.id, fingerprint });
      }
      revisions += 1;
      ended.delete(chatId);
      touch(chatId, {
        revision: revisions,
        messages: clone(start.messages),
        run: { ...start.run, status: 'active', committedTo: start.entries.length, superseded: [] },
        leaseUntil: world.monotonic() + start.leaseMs,
        number: 0,
        log: [...start.entries],
        sequence: start.entries.length,
        changedAt: 0,
        endedAt: undefined,
        keys,
      });
      dropOldSessions();
      tell(chatId, 'log');
      return 'started';
    },

    async write(chatId, runId, change) {
      const session = find(chatId);
      if (session?.run.id !== runId) return { kind: 'fenced' };
      const { number = Number.POSITIVE_INFINITY } = change;
      if (number > session.number) {
        if (session.run.status !== 'active') return { kind: 'fenced' };
        if (change.onlyIfLost && isLive(session)) return { kind: 'fenced' };
        session.number = change.number ?? session.number;
        if (change.leaseMs !== undefined) session.leaseUntil = world.monotonic() + change.leaseMs;
        if (change.reply || change.end) session.revision = ++revisions;
        if (change.reply) session.messages = withReply(session.messages, clone(change.reply));
        changeRun(session, change);
        touch(chatId, session);
        if (change.end) end(chatId, session);
        if (change.entries || change.end) tell(chatId, 'log');
      }
      const { stop } = session.run;
      return stop ? { kind: 'written', stop } : { kind: 'written' };
    },

    async putMessages(chatId, revision, messages) {
      const session = find(chatId);
      if (session?.revision !== revision || session.run.status === 'active') return 'changed';
      revisions += 1;
      session.revision = revisions;
      session.messages = clone(messages);
      touch(chatId, session);
      return 'written';
    },

    async readLog(chatId, runId, from, limit) {
      const session = find(chatId);
      const log = session?.run.id === runId ? session.log : undefined;
      if (!session || !log) return { entries: [], state: 'gone' };
      const entries = log.slice(from, from + limit);
      const last = session.run.status !== 'active' && from + entries.length >= log.length;
      return { entries, state: last ? 'complete' : 'open' };
    },

    async requestStop(chatId, runId, mode) {
      const session = find(chatId);
      const run = session?.run;
      if (!session || run?.id !== runId || run.status !== 'active') {
        return { kind: 'not-live', status: run?.status };
      }
      session.run = { ...run, stop: run.stop === 'abort' ? 'abort' : mode };
      tell(chatId, 'stop');
      return { kind: 'stopping' };
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

/** Applies a change to the live run and its log. */
function changeRun(session: Session, change: RunChange): void {
  const { run, log = [] } = session;
  const superseded =
    change.supersede && run.committedTo < log.length
      ? [...run.superseded, [run.committedTo, log.length] as const]
      : run.superseded;
  log.push(...(change.entries ?? []));
  session.log = log;
  session.sequence = log.length;
  session.run = {
    ...run,
    superseded,
    committedTo: change.commit ? log.length : run.committedTo,
    attemptId: change.attemptId ?? run.attemptId,
    status: change.end?.status ?? run.status,
    ...(change.end?.error ? { error: change.end.error } : {}),
    ...(change.end?.finishReason ? { finishReason: change.end.finishReason } : {}),
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
  keys.delete(key);
  keys.set(key, record);
  const oldest = keys.keys().next();
  if (keys.size > KEYS_KEPT && !oldest.done) keys.delete(oldest.value);
}

function checkLimits({ keepMs, keepLogMs, maxSessions }: MemoryStoreOptions): void {
  for (const [name, value] of Object.entries({ keepMs, keepLogMs, maxSessions })) {
    if (value === undefined || value > 0) continue;
    throw new Error(
      `[helix-chat] createMemoryStore: \`${name}\` is ${value}. Nothing would be kept. Give a number above 0.`,
    );
  }
}
