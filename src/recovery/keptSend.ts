import { readHeader } from '../protocol/readHeader.ts';
import { isRequestKey, REQUEST_KEY_HEADER } from '../protocol/requestKey.ts';
import type { Leftover } from './leftover.ts';
import { fingerprint } from './messageIdentity.ts';
import { isFields, isPlainData } from './plainData.ts';
import type { ChatMessage } from './ports.ts';

/** A pending message as a store keeps it: its text, and what its act needs to go on after a reload. */
export interface KeptSend {
  /** The id under which it is pending. */
  readonly id: string;
  readonly kind: 'send' | 'edit';
  /** As the act sends it: an edit's has the id of the message that it changes. */
  readonly message: ChatMessage;
  readonly targetId?: string;
  readonly key?: string;
  /** The app gave the key itself. */
  readonly ownKey?: boolean;
  /** A repeat takes a new key. */
  readonly newKey?: boolean;
  /** It may be on the server. */
  readonly unclear?: boolean;
  readonly stood?: readonly string[];
  readonly print?: string;
  readonly lostFiles?: readonly string[];
  /** The send's own body and metadata. */
  readonly request?: { readonly body?: unknown; readonly metadata?: unknown };
}

type Part = Record<string, unknown> & { readonly type: string };

/** What a message could be searched for by: the last ones of what stood before it. */
const STOOD = 20;
/** No id, name or key of ours or of an app's is longer. */
const NAME = 2_000;

/** How many bytes the data of a file takes; 0 for one that only points somewhere. */
const bytesOf = (url: string): number => {
  if (!/^data:/i.test(url)) return 0;
  const data = url.slice(url.indexOf(',') + 1);
  return /^data:[^,]*;base64,/i.test(url) ? Math.floor((data.length * 3) / 4) : data.length;
};

const isFile = (part: Part): boolean => part.type === 'file' && typeof part.url === 'string';

/** The bytes of all files that a kept message holds. */
export function fileBytes(message: ChatMessage): number {
  return (message.parts as readonly Part[])
    .filter(isFile)
    .reduce((sum, { url }) => sum + bytesOf(String(url)), 0);
}

/**
 * A leftover as a store keeps it. Text always stays; files stay up to `room` bytes in all, others are named in
 * `lostFiles`. `unkept` names what else cannot be kept. Undefined for an act without a message.
 */
export function keptSendOf(
  left: Leftover,
  room: number,
): { readonly send: KeptSend; readonly unkept: readonly string[] } | undefined {
  const { pending, turn, newKey } = left.entry;
  const { message, kind } = turn;
  if (message === undefined || (kind !== 'send' && kind !== 'edit')) return undefined;
  const { parts, lost, unkept } = keptParts(message.parts as readonly Part[], room);
  const request = keptRequest(turn.request);
  const metadata = keepable(message.metadata);
  const lostFiles = [...(pending.lostFiles ?? []), ...lost];
  const print = left.print ?? (lost.length > 0 ? fingerprint(message) : undefined);
  const key = request.ownKey ?? left.key;
  return {
    send: {
      id: pending.id,
      kind,
      message: {
        id: message.id,
        role: message.role,
        parts,
        ...(metadata.value === undefined ? {} : { metadata: metadata.value }),
      },
      ...(turn.targetId === undefined ? {} : { targetId: turn.targetId }),
      ...(key === undefined ? {} : { key }),
      ...(request.ownKey === undefined ? {} : { ownKey: true }),
      ...(newKey ? { newKey } : {}),
      ...(turn.unclear ? { unclear: true } : {}),
      ...(left.stood === undefined ? {} : { stood: left.stood.filter(isName).slice(-STOOD) }),
      ...(print === undefined ? {} : { print }),
      ...(lostFiles.length === 0 ? {} : { lostFiles }),
      ...(request.value === undefined ? {} : { request: request.value }),
    },
    unkept: [
      ...unkept,
      ...(metadata.isLost ? ['the metadata of a message'] : []),
      ...request.unkept,
    ],
  };
}

function keptParts(parts: readonly Part[], room: number) {
  const kept: Part[] = [];
  const lost: string[] = [];
  const unkept: string[] = [];
  let left = room;
  for (const part of parts) {
    if (isFile(part)) {
      const bytes = bytesOf(String(part.url));
      // A blob lives in the page that made it.
      if (/^blob:/i.test(String(part.url)) || bytes > left) {
        lost.push(fileName(part));
        continue;
      }
      left -= bytes;
    }
    const known = isPart(part) ? part : corePart(part);
    if (known !== undefined) kept.push(known);
    if (known !== part) unkept.push(`a part of the type "${part.type}", or some of its fields,`);
  }
  return { parts: kept, lost, unkept };
}

const fileName = ({ filename, mediaType }: Part): string =>
  ([filename, mediaType].find(isName) ?? 'file').slice(0, NAME);

/** What makes a text or a file, without the fields that cannot be kept. */
function corePart({ type, text, url, mediaType, filename }: Part): Part | undefined {
  if (type === 'text' && typeof text === 'string') return { type, text };
  if (type !== 'file') return undefined;
  const file = { type, url, mediaType, filename };
  return isPart(file) ? file : undefined;
}

const keepable = (value: unknown): { value: unknown; isLost: boolean } => {
  if (value === undefined) return { value, isLost: false };
  return isPlainData(value) ? { value, isLost: false } : { value: undefined, isLost: true };
};

/** Of a send's own options: its body and metadata. Headers may hold secrets and stay out of a store, but for the key. */
function keptRequest(request: unknown) {
  const { headers, ...options } = isFields(request) ? request : {};
  const body = keepable(options.body);
  const metadata = keepable(options.metadata);
  const given = readHeader(headers, REQUEST_KEY_HEADER);
  const ownKey = isRequestKey(given) ? given : undefined;
  const value = {
    ...(body.value === undefined ? {} : { body: body.value }),
    ...(metadata.value === undefined ? {} : { metadata: metadata.value }),
  };
  return {
    ownKey,
    value: Object.keys(value).length === 0 ? undefined : value,
    unkept: [
      ...(hasOtherHeaders(headers) ? ['the headers of a single send'] : []),
      ...(body.isLost ? ['the body of a single send'] : []),
      ...(metadata.isLost ? ['the metadata of a single send'] : []),
    ],
  };
}

function hasOtherHeaders(headers: unknown): boolean {
  if (!isFields(headers)) return Array.isArray(headers) && headers.length > 0;
  const names = headers instanceof Headers ? [...headers.keys()] : Object.keys(headers);
  return names.some((name) => name.toLowerCase() !== REQUEST_KEY_HEADER.toLowerCase());
}

/** A kept message back among the pending ones. Its act begins anew, with its key, and remembers whether it may have arrived. */
export function leftoverOf<M extends ChatMessage>(send: KeptSend): Leftover<M> {
  const { id, kind, targetId, key, ownKey, request, lostFiles, stood, print } = send;
  // The parser has seen to the shape; what the app's own message type adds came from the app.
  const message = send.message as M;
  const headers = ownKey === true ? { headers: { [REQUEST_KEY_HEADER]: key } } : {};
  const options = { ...request, ...headers };
  return {
    entry: {
      pending: {
        id,
        message: { ...message, id },
        state: 'restored',
        ...(lostFiles === undefined ? {} : { lostFiles }),
      },
      turn: {
        // Named anew by the chat that takes it in.
        id: 0,
        kind,
        message,
        targetId,
        ...(kind === 'edit' ? { entryId: id } : {}),
        request: Object.keys(options).length === 0 ? undefined : options,
        attempts: [],
        answers: [],
        requests: 0,
        tries: 0,
        conflicts: 0,
        spent: [],
        unclear: send.unclear ?? false,
        accepted: false,
        readFailed: false,
      },
      newKey: send.newKey ?? false,
    },
    key,
    stood,
    print,
  };
}

/** A kept message of any value; undefined where it is none. Total: what a store holds may be anybody's. */
export function parseKeptSend(value: unknown): KeptSend | undefined {
  if (!isFields(value)) return undefined;
  const { id, kind, targetId, key, print, request } = value;
  const message = parseMessage(value.message);
  if (!isName(id) || (kind !== 'send' && kind !== 'edit') || message === undefined)
    return undefined;
  if (kind === 'edit' ? !isName(targetId) : targetId !== undefined) return undefined;
  // An edit's text is pending under a name of its own.
  if ((kind === 'edit') === (message.id === id)) return undefined;
  if (key !== undefined && !isRequestKey(key)) return undefined;
  const stood = parseNames(value.stood);
  const lostFiles = parseNames(value.lostFiles);
  if (stood === null || lostFiles === null) return undefined;
  if (request !== undefined && !isFields(request)) return undefined;
  const { body, metadata } = request ?? {};
  if (!isKeepable(body) || !isKeepable(metadata)) return undefined;
  const options = {
    ...(body === undefined ? {} : { body }),
    ...(metadata === undefined ? {} : { metadata }),
  };
  return {
    id,
    kind,
    message,
    ...(isName(targetId) ? { targetId } : {}),
    ...(key === undefined ? {} : { key }),
    ...(value.ownKey === true && key !== undefined ? { ownKey: true } : {}),
    ...(value.newKey === true ? { newKey: true } : {}),
    ...(value.unclear === true ? { unclear: true } : {}),
    ...(stood === undefined ? {} : { stood }),
    ...(typeof print === 'string' ? { print } : {}),
    ...(lostFiles === undefined || lostFiles.length === 0 ? {} : { lostFiles }),
    ...(request === undefined || Object.keys(options).length === 0 ? {} : { request: options }),
  };
}

const isKeepable = (value: unknown): boolean => value === undefined || isPlainData(value);

/** Whether a value can be an id or a name. */
export const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= NAME;

/** Undefined where there is none, null where it is no list of names. */
function parseNames(value: unknown): readonly string[] | undefined | null {
  if (value === undefined) return undefined;
  return Array.isArray(value) && value.length <= NAME && value.every(isName) ? value : null;
}

const ROLES: readonly unknown[] = ['user', 'system', 'assistant'];

function parseMessage(value: unknown): ChatMessage | undefined {
  if (!isFields(value)) return undefined;
  const { id, role, parts, metadata } = value;
  if (!isName(id) || typeof role !== 'string' || !ROLES.includes(role)) return undefined;
  if (!Array.isArray(parts) || !parts.every(isPart) || !isKeepable(metadata)) return undefined;
  return { id, role, parts, ...(metadata === undefined ? {} : { metadata }) };
}

/** Addresses that would run as a program of the page when a person follows them. */
const PROGRAM = /^[\s\p{Cc}]*(?:javascript|vbscript)\s*:/iu;

function isPart(value: unknown): value is Part {
  if (!isFields(value) || typeof value.type !== 'string' || !isPlainData(value)) return false;
  const { type, text, url, mediaType, filename } = value;
  if (type === 'text') return typeof text === 'string';
  if (type !== 'file') return true;
  return (
    typeof url === 'string' &&
    !PROGRAM.test(url) &&
    typeof mediaType === 'string' &&
    (filename === undefined || typeof filename === 'string')
  );
}
