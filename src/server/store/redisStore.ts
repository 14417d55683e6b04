import type { HelixChatErrorBody } from '../../protocol/errorBody.ts';
import { present } from '../../protocol/present.ts';
import { systemWorld, type World } from '../../world.ts';
import type {
  ChatRecord,
  ChatStore,
  KeyRecord,
  LogEntry,
  LogPage,
  RunRecord,
  RunStatus,
  StopMode,
  StoredMessage,
} from './chatStore.ts';
import type { RedisClient } from './redisClient.ts';
import { createRedisNews } from './redisNews.ts';
import * as scripts from './redisScripts.ts';

/** What a Redis store keeps, and for how long. Times are in ms. */
export interface RedisStoreOptions {
  /** What every key and channel begins with. Default `helix-chat:`. */
  readonly prefix?: string;
  /** How long a session is kept after its last change. Default: 30 days. */
  readonly keepMs?: number;
  /** How long the log of a run that has ended is kept, for repeats of its request. Default: one hour. */
  readonly keepLogMs?: number;
  /** How long Redis may take to answer; then the step counts as failed. Default 2_000. */
  readonly commandMs?: number;
  /** Default: the real world. */
  readonly world?: Pick<World, 'after'>;
}

/** A `ChatStore` in Redis. */
export interface RedisStore extends ChatStore {
  /** Closes the connection that listens. The client that was given stays its owner's. */
  close(): void;
}

const HOUR = 3_600_000;
/** How many request keys a session remembers; the oldest is forgotten first. */
const KEYS_KEPT = 256;

/**
 * A `ChatStore` for any number of processes on one Redis of 6.2 or later. Takes a connected client of the `redis`
 * package, 5 or 6, not of a cluster; it opens a second connection for what others do when somebody listens. Give the
 * client an `error` listener, and `disableOfflineQueue: true`, so that a Redis that is away is noticed at once. What
 * Redis loses in a crash is lost here too: turn its append-only file on.
 * @throws Error at once for options that cannot work.
 */
export function createRedisStore(client: RedisClient, options: RedisStoreOptions = {}): RedisStore {
  check(client, options);
  const { prefix = 'helix-chat:', keepMs = 720 * HOUR, keepLogMs = HOUR } = options;
  const run = createRunner(client, options.world ?? systemWorld(), options.commandMs ?? 2_000);
  const news = createRedisNews(client);
  const nameOf = (chatId: string) => `${prefix}{${encodeId(chatId)}}`;
  const channelOf = (chatId: string) => `${nameOf(chatId)}:news`;
  const step = (script: string, chatId: string, args: readonly string[]) => {
    const name = nameOf(chatId);
    const keys = ['session', 'ids', 'messages', 'keys', 'keyOrder', 'log'];
    return run(
      script,
      keys.map((key) => `${name}:${key}`),
      args,
    );
  };

  return {
    async read(chatId, asked) {
      const read = await step(scripts.READ, chatId, [asked?.key ?? '']);
      return Array.isArray(read) ? recordOf(read) : undefined;
    },

    async startRun(chatId, start) {
      const { revision, messages, leaseMs, entries, key } = start;
      const held = key ? JSON.stringify([start.run.id, key.fingerprint]) : '';
      const { id, replyId, attemptId } = start.run;
      const kept = [leaseMs, keepMs, keepLogMs].map(whole);
      const outcome = await step(scripts.START_RUN, chatId, [
        ...[channelOf(chatId), String(revision ?? ''), id, replyId, attemptId, ...kept],
        ...[key?.value ?? '', held, String(KEYS_KEPT), String(messages.length)],
        ...messages.flatMap(pairOfMessage),
        ...entries.flatMap(pairOfEntry),
      ]);
      return outcome === 'started' ? 'started' : 'changed';
    },

    async write(chatId, runId, change) {
      const { number, supersede, commit, onlyIfLost, attemptId, leaseMs, end, reply } = change;
      const flags = [supersede, commit, onlyIfLost].map((flag) => (flag ? '1' : ''));
      const error = end?.error ? JSON.stringify(end.error) : '';
      const answer = await step(scripts.WRITE, chatId, [
        ...[channelOf(chatId), runId, String(number ?? ''), ...flags, attemptId ?? ''],
        ...[leaseMs === undefined ? '' : whole(leaseMs), end?.status ?? '', error],
        ...(reply ? pairOfMessage(reply) : ['', '']),
        ...[whole(keepMs), whole(keepLogMs), end?.finishReason ?? ''],
        ...(change.entries ?? []).flatMap(pairOfEntry),
      ]);
      const [kind, stop] = listOf(answer);
      if (kind !== 'written') return { kind: 'fenced' };
      return { kind: 'written', ...present({ stop: stopOf(stop) }) };
    },

    async putMessages(chatId, revision, messages) {
      const outcome = await step(scripts.PUT_MESSAGES, chatId, [
        ...[String(revision), whole(keepMs), String(messages.length)],
        ...messages.flatMap(pairOfMessage),
      ]);
      return outcome === 'written' ? 'written' : 'changed';
    },

    async readLog(chatId, runId, from, limit) {
      const page = await step(scripts.READ_LOG, chatId, [runId, whole(from), whole(limit)]);
      return Array.isArray(page) ? pageOf(page, from) : { entries: [], state: 'gone' };
    },

    async requestStop(chatId, runId, mode) {
      const answer = await step(scripts.REQUEST_STOP, chatId, [channelOf(chatId), runId, mode]);
      const [kind, status] = listOf(answer);
      if (kind === 'stopping') return { kind: 'stopping' };
      return { kind: 'not-live', status: (status ?? undefined) as RunStatus | undefined };
    },

    subscribe: (chatId, listener) => news.listen(channelOf(chatId), listener),
    close: news.close,
  };
}

type Runner = (
  script: string,
  keys: readonly string[],
  args: readonly string[],
) => Promise<unknown>;

/** Runs scripts by their digest, and by their text where Redis does not know them (any more). */
function createRunner(client: RedisClient, world: Pick<World, 'after'>, commandMs: number): Runner {
  const digests = new Map<string, Promise<string>>();
  const send = (args: readonly string[]) => inTime(client, world, commandMs, args);
  const digestOf = (script: string): Promise<string> => {
    const known = digests.get(script);
    if (known) return known;
    const loaded = send(['SCRIPT', 'LOAD', script]).then(String);
    digests.set(script, loaded);
    loaded.catch(() => digests.delete(script));
    return loaded;
  };
  return async (script, keys, args) => {
    const given = [String(keys.length), ...keys, ...args];
    const digest = await digestOf(script);
    try {
      return await send(['EVALSHA', digest, ...given]);
    } catch (error) {
      if (!isNoScript(error)) throw error;
      return send(['EVAL', script, ...given]);
    }
  };
}

/** A command that Redis answers in time, or a failure. One that is given up may still be done: every step bears that. */
function inTime(
  client: RedisClient,
  world: Pick<World, 'after'>,
  commandMs: number,
  args: readonly string[],
): Promise<unknown> {
  const waiting = new AbortController();
  return new Promise((resolve, reject) => {
    const cancel = world.after(commandMs, () => {
      // What was not sent yet is not sent any more.
      waiting.abort();
      reject(
        new Error(
          `[helix-chat] Redis did not answer within ${commandMs} ms. This step of a chat counts as failed and is tried again where that is safe. ` +
            'Look whether Redis is up, or give createRedisStore a larger `commandMs`.',
        ),
      );
    });
    client.sendCommand(args, { abortSignal: waiting.signal }).then(resolve, reject).finally(cancel);
  });
}

const isNoScript = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('NOSCRIPT');

/** The whole session of a `READ`. */
function recordOf(read: readonly unknown[]): ChatRecord {
  const [flat, messages, held, logKept, now] = read;
  const fields = fieldsOf(listOf(flat));
  const sequence = Number(fields.get('sequence'));
  const run = runOf(fields, Number(now));
  return {
    revision: Number(fields.get('revision')),
    messages: listOf(messages).map((json) => JSON.parse(String(json)) as StoredMessage),
    run,
    held: held === null || held === undefined ? undefined : holderOf(String(held)),
    sequence,
    replayable: run.status === 'active' || sequence === 0 || Number(logKept) === 1,
  };
}

function runOf(fields: ReadonlyMap<string, string>, now: number): RunRecord {
  const text = (name: string) => fields.get(name) ?? '';
  const error = fields.get('error');
  return {
    id: text('run'),
    status: text('status') as RunStatus,
    replyId: text('reply'),
    attemptId: text('attempt'),
    leaseLeftMs: Number(text('lease')) - now,
    committedTo: Number(text('committed')),
    superseded: text('superseded')
      .split(',')
      .filter((range) => range !== '')
      .map((range) => {
        const [from, to] = range.split('-');
        return [Number(from), Number(to)] as const;
      }),
    ...present({
      stop: stopOf(fields.get('stop')),
      finishReason: fields.get('finish'),
      error: error === undefined ? undefined : (JSON.parse(error) as HelixChatErrorBody),
    }),
  };
}

function holderOf(json: string): KeyRecord {
  const [runId, fingerprint] = JSON.parse(json) as [string, string];
  return { runId, fingerprint };
}

function pageOf(page: readonly unknown[], from: number): LogPage {
  const [sequence, status, flat] = page;
  const texts = listOf(flat).map(String);
  const entries = texts.flatMap((kind, at): LogEntry[] =>
    at % 2 === 0 ? [{ kind: kind as LogEntry['kind'], json: texts[at + 1] ?? '' }] : [],
  );
  const last = status !== 'active' && from + entries.length >= Number(sequence);
  return { entries, state: last ? 'complete' : 'open' };
}

function fieldsOf(flat: readonly unknown[]): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (let at = 0; at < flat.length; at += 2) fields.set(String(flat[at]), String(flat[at + 1]));
  return fields;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const stopOf = (value: unknown): StopMode | undefined =>
  value === 'interrupt' || value === 'abort' ? value : undefined;

const pairOfMessage = (message: StoredMessage): string[] => [message.id, JSON.stringify(message)];

const pairOfEntry = (entry: LogEntry): string[] => [entry.kind, entry.json];

const whole = (value: number): string => String(Math.ceil(value));

/** An id as part of a key: one key an id, without the braces that say where a key lies in a cluster. */
function encodeId(chatId: string): string {
  return chatId.replace(/[^\w.-]/gu, (sign) => `%${sign.codePointAt(0)?.toString(16)};`);
}

function check(client: unknown, { keepMs, keepLogMs, commandMs }: RedisStoreOptions): void {
  const { sendCommand, duplicate } = Object(client) as Partial<RedisClient>;
  if (typeof sendCommand !== 'function' || typeof duplicate !== 'function') {
    throw new Error(
      '[helix-chat] createRedisStore: the client is none of the `redis` package. Nothing could be stored. ' +
        "Pass what `createClient()` of 'redis' gives, once it has connected.",
    );
  }
  for (const [name, value] of Object.entries({ keepMs, keepLogMs, commandMs })) {
    if (value === undefined || (Number.isFinite(value) && value >= 1)) continue;
    throw new Error(
      `[helix-chat] createRedisStore: \`${name}\` is ${value}. Nothing would be kept or answered in time. Give a number of at least 1.`,
    );
  }
}
