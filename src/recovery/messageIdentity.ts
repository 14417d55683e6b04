import type { ChatMessage } from './ports.ts';
import { isAnswered, isOpen, toolPartOf, toolPartsOf } from './toolParts.ts';

type Part = Record<string, unknown> & { readonly type: string };

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const partPrint = (part: Part): string | undefined => {
  if (part.type === 'text') return `t:${text(part.text)}`;
  if (part.type === 'file') {
    return `f:${text(part.filename)}:${text(part.mediaType)}:${text(part.url).length}`;
  }
  return undefined;
};

/**
 * What makes two messages the same to a person: role, text, and each file's name, media type and length, in order.
 * Parts of other kinds do not count, since servers add and drop them.
 */
export function fingerprint(message: ChatMessage): string {
  const prints = (message.parts as readonly Part[]).map(partPrint);
  return JSON.stringify([message.role, ...prints.filter((print) => print !== undefined)]);
}

/** What tells a message from others of equal content. */
export interface MessageMemory {
  /** The ids of what stood before it when it was first sent. */
  readonly stood?: readonly string[] | undefined;
  /** Its fingerprint as it was sent, where it is not whole any more. */
  readonly print?: string | undefined;
}

/** Server ids that stand for a local message under another id. The local id stays: it is a row's React key. */
export type RenamedIds = Map<string, string>;

/**
 * Where a message that stood before another one has its place: by its id, or for one of the person's that is here by
 * what it says, the first behind `from` that stands for no other. -1 where it has none.
 */
function placeOf(
  server: readonly ChatMessage[],
  id: string,
  message: ChatMessage | undefined,
  renamed: RenamedIds,
  from: number,
): number {
  const byId = server.findIndex(
    (candidate) => candidate.id === id || renamed.get(candidate.id) === id,
  );
  if (byId !== -1 || message?.role !== 'user') return byId;
  const print = fingerprint(message);
  return server.findIndex(
    (candidate, index) =>
      index > from && !renamed.has(candidate.id) && fingerprint(candidate) === print,
  );
}

/**
 * Finds a message of ours in a server's list: the same id and an equal fingerprint; or, for a server that renames ids,
 * an equal fingerprint after the last message that both sides shared before it, not yet matched to another local
 * message. `earlier`: the ids that stood before it when it was first sent. `print`: its fingerprint as it was sent, where
 * it is not whole any more. Returns its index, or -1. In doubt it is not there.
 */
export function findMessage(
  server: readonly ChatMessage[],
  message: ChatMessage,
  local: readonly ChatMessage[],
  renamed: RenamedIds,
  earlier?: ReadonlySet<string>,
  print: string = fingerprint(message),
): number {
  const byId = server.findIndex(
    (candidate) => candidate.id === message.id || renamed.get(candidate.id) === message.id,
  );
  if (byId !== -1) {
    const candidate = server[byId];
    return candidate !== undefined && fingerprint(candidate) === print ? byId : -1;
  }
  const localIds = new Set(local.map((other) => other.id));
  const ours = local.findIndex((other) => other.id === message.id);
  const locals = local.map((other) => other.id);
  // It may have arrived when it was first sent: what came on this screen since need not stand before it.
  const before = [...(earlier ?? (ours === -1 ? locals : locals.slice(0, ours)))];
  let shared = -1;
  for (const id of before) {
    const other = local.find((one) => one.id === id);
    shared = Math.max(shared, placeOf(server, id, other, renamed, shared));
  }
  // With history on both sides but none of it shared, an equal text may be an older message: in doubt, not found.
  if (shared === -1 && before.length > 0 && server.length > 1) return -1;
  return server.findIndex(
    (candidate, index) =>
      index > shared &&
      !localIds.has(candidate.id) &&
      !renamed.has(candidate.id) &&
      fingerprint(candidate) === print,
  );
}

const ignoredKeys = new Set([
  'state',
  'providerMetadata',
  'callProviderMetadata',
  'resultProviderMetadata',
]);

const plain = (value: unknown, top: boolean): unknown => {
  if (Array.isArray(value)) return value.map((item) => plain(item, false));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([key, inner]) => inner !== undefined && !(top && ignoredKeys.has(key)))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, plain(inner, false)]);
  return Object.fromEntries(entries);
};

/** Part state is noise for text (`streaming`, `done`) and the point of a tool call. */
const partContent = (part: Part): unknown => [plain(part, true), toolPartOf(part)?.state ?? null];

const sameParts = (a: ChatMessage, b: ChatMessage): boolean =>
  a.parts.length === b.parts.length &&
  JSON.stringify((a.parts as readonly Part[]).map(partContent)) ===
    JSON.stringify((b.parts as readonly Part[]).map(partContent));

/** Local answers for calls that the server still shows as open are newer than the server's view of them. */
function keepLocalAnswers<M extends ChatMessage>(local: ChatMessage, server: M): M {
  const answered = toolPartsOf([local]).filter(isAnswered);
  if (answered.length === 0) return server;
  const answers = new Map(answered.map((part) => [part.toolCallId, part]));
  const parts = server.parts.map((part) => {
    const call = toolPartOf(part);
    return call !== undefined && isOpen(call) ? (answers.get(call.toolCallId) ?? part) : part;
  });
  return { ...server, parts };
}

/**
 * The server's list as the chat should hold it: unchanged messages stay the same local objects, local ids and metadata
 * survive, and so do local tool answers that the server has not seen. Remembers renamed ids in `renamed`.
 */
export function mergeSnapshot<M extends ChatMessage>(
  local: readonly M[],
  server: readonly ChatMessage[],
  renamed: RenamedIds,
): M[] {
  const byId = new Map(local.map((message) => [message.id, message]));
  const taken = new Set<string>();
  const claim = (candidate: ChatMessage): M | undefined => {
    const known = byId.get(renamed.get(candidate.id) ?? candidate.id);
    if (known !== undefined) return known;
    const match = findRenamed(local, candidate, server, taken, renamed);
    if (match === undefined) return undefined;
    renamed.set(candidate.id, match.id);
    return match;
  };
  return server.map((candidate) => {
    const own = claim(candidate);
    if (own === undefined) return candidate as M;
    taken.add(own.id);
    const merged = keepLocalAnswers(own, candidate);
    const metadata = candidate.metadata ?? own.metadata;
    const sameMetadata =
      candidate.metadata === undefined ||
      JSON.stringify(plain(candidate.metadata, false)) ===
        JSON.stringify(plain(own.metadata, false));
    if (own.role === merged.role && sameParts(own, merged) && sameMetadata) return own;
    return { ...merged, id: own.id, ...(metadata === undefined ? {} : { metadata }) } as M;
  });
}

/** The local message that a server holds under another id: the first unmatched one of equal print, in order. */
function findRenamed<M extends ChatMessage>(
  local: readonly M[],
  candidate: ChatMessage,
  server: readonly ChatMessage[],
  taken: ReadonlySet<string>,
  renamed: RenamedIds,
): M | undefined {
  if (local.length === 0) return undefined;
  const serverIds = new Set(server.map((other) => other.id));
  const claimed = new Set(renamed.values());
  const print = fingerprint(candidate);
  return local.find(
    (message) =>
      !serverIds.has(message.id) &&
      !claimed.has(message.id) &&
      !taken.has(message.id) &&
      fingerprint(message) === print,
  );
}

/** Text length and part count: how far a message has grown. */
export function messageSize(message: ChatMessage): number {
  return (message.parts as readonly Part[]).reduce(
    (size, part) => size + 1 + text(part.text).length,
    0,
  );
}

/** All text of a message, for `Failure.partial` and draft previews. */
export function messageText(message: ChatMessage): string {
  return (message.parts as readonly Part[])
    .filter((part) => part.type === 'text')
    .map((part) => text(part.text))
    .join('\n');
}
