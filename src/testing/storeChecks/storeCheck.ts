import type {
  ChatRecord,
  ChatStore,
  LogEntry,
  RunStart,
  StoredMessage,
} from '../../server/store/chatStore.ts';
import { systemWorld } from '../../world.ts';

/** How a store under test is to be made. Times are in ms of the store's clock. */
export interface StoreNeeds {
  /** How long it keeps a session after its last change. Undefined: long. */
  readonly keepMs?: number;
  /** How long it keeps the log of a run that has ended. Undefined: long. */
  readonly keepLogMs?: number;
}

/** A store as the checks meet it. */
export interface StoreUnderTest {
  readonly store: ChatStore;
  /** The same data as another process meets it; for a store of one process, `store` again. */
  readonly other: ChatStore;
  /** Resolves when the store's clock has moved by at least so many ms. */
  elapse(ms: number): Promise<void>;
  /** Called once the check is over, whatever came of it. */
  close?(): Promise<void> | void;
}

/** Makes a store for one check. It may hold other checks' sessions: each check takes chat ids of its own. */
export type OpenStore = (needs: StoreNeeds) => Promise<StoreUnderTest> | StoreUnderTest;

/** One thing that has to hold of a store; `test(check.name, () => check.play(open))` in any runner. */
export interface StoreCheck {
  readonly name: string;
  /** What a store may leave out: one that never forgets anything passes over `forgetting`. */
  readonly about?: 'forgetting';
  /** Rejects with an Error that says what was expected and what came instead. */
  play(open: OpenStore): Promise<void>;
}

/** What a check has in hand. */
export interface Scene extends Omit<StoreUnderTest, 'close'> {
  /** A chat id that no other check has used. */
  readonly chatId: string;
  /** Another such id. */
  newChatId(): string;
}

/** A check of what `prove` throws over. */
export function storeCheck(
  name: string,
  prove: (scene: Scene) => Promise<void>,
  options: StoreNeeds & { readonly about?: 'forgetting' } = {},
): StoreCheck {
  const { about, ...needs } = options;
  return {
    name,
    ...(about ? { about } : {}),
    async play(open) {
      const { store, other, elapse, close } = await open(needs);
      // By chance: a store may outlive the process that counts.
      const newChatId = () => `check-${systemWorld().random().toString(36).slice(2)}`;
      try {
        await prove({ store, other, elapse, chatId: newChatId(), newChatId });
      } finally {
        await close?.();
      }
    },
  };
}

/** Long enough that no lease ends and nothing is forgotten while a check is played, in ms. */
export const LONG = 3_600_000;

/** A message with one text. */
export function message(id: string, text: string, role = 'user'): StoredMessage {
  return { id, role, parts: [{ type: 'text', text }] };
}

/** A line of a log. */
export function line(text: string, kind: LogEntry['kind'] = 'content'): LogEntry {
  return { kind, json: JSON.stringify({ type: 'text-delta', id: 't', delta: text }) };
}

/** The start of a run, from a session at `revision` or from none. */
export function startOf(
  id: string,
  revision?: number,
  changes: Partial<Omit<RunStart, 'run' | 'revision'>> = {},
): RunStart {
  return {
    revision,
    messages: [message('u1', 'Hi')],
    run: { id, replyId: `reply of ${id}`, attemptId: `attempt of ${id}` },
    leaseMs: LONG,
    entries: [line('start')],
    ...changes,
  };
}

/** Starts a run on whatever the session is; fails where the store does not. */
export async function begin(
  store: ChatStore,
  chatId: string,
  id: string,
  changes: Partial<Omit<RunStart, 'run' | 'revision'>> = {},
): Promise<void> {
  const revision = (await store.read(chatId))?.revision;
  same(await store.startRun(chatId, startOf(id, revision, changes)), 'started', `starting ${id}`);
}

/** Ends the live run. */
export async function finish(store: ChatStore, chatId: string, runId: string): Promise<void> {
  const answer = await store.write(chatId, runId, { end: { status: 'ended' } });
  same(answer.kind, 'written', `ending ${runId}`);
}

/** The session as it is read; fails where there is none. */
export async function readOf(store: ChatStore, chatId: string, key?: string): Promise<ChatRecord> {
  const record = await store.read(chatId, { key });
  if (!record) throw failed('reading the session', 'a session', undefined);
  return record;
}

/** The whole log of a run, as texts of JSON. */
export async function logOf(store: ChatStore, chatId: string, runId: string): Promise<string[]> {
  const { entries } = await store.readLog(chatId, runId, 0, 10_000);
  return entries.map((entry) => entry.json);
}

/** Fails unless both are equal as JSON; fields that are undefined count as absent. */
export function same(actual: unknown, expected: unknown, what: string): void {
  if (canonical(actual) !== canonical(expected)) throw failed(what, expected, actual);
}

/** Waits on the store's clock until something holds; fails when it does not come. */
export async function until(scene: Scene, holds: () => boolean, what: string): Promise<void> {
  for (let turn = 0; turn < 200 && !holds(); turn++) await scene.elapse(10);
  if (!holds()) throw failed(what, 'within 2 s', 'nothing');
}

function failed(what: string, expected: unknown, actual: unknown): Error {
  return new Error(
    `[helix-chat] A store check failed at ${what}: expected ${canonical(expected)}, got ${canonical(actual)}. ` +
      'With such a store chats would lose, double or mix up messages. The contract stands at `ChatStore`.',
  );
}

function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, field: unknown) =>
      typeof field === 'object' && field !== null && !Array.isArray(field)
        ? Object.fromEntries(Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1)))
        : field,
    ) ?? 'undefined'
  );
}
