import { HelixError } from '../errors/HelixError.ts';
import { fingerprint } from './fingerprint.ts';
import type { StopMode, StoredMessage } from './store/chatStore.ts';

/** What a request asks the session to do. */
export type ChatAct =
  /** A new message, or with `editOf` one in place of an earlier one. `posted` is the client's whole list. */
  | {
      readonly kind: 'send';
      readonly message: StoredMessage;
      readonly editOf: string | undefined;
      readonly posted: readonly StoredMessage[];
    }
  /** A new reply in place of `target`, or of the last one. */
  | {
      readonly kind: 'regenerate';
      readonly target: string | undefined;
      readonly posted: readonly StoredMessage[];
    }
  /** The person's answers to tool calls of this assistant message. */
  | { readonly kind: 'answers'; readonly message: StoredMessage }
  /** The failed run once more, from where it was committed. */
  | { readonly kind: 'retry' };

/** A decoded POST: whose chat, and what to do. */
export interface ChatPost {
  readonly chatId: string;
  readonly act: ChatAct;
}

const ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system']);
const ID_LIMIT = 512;

/**
 * Decodes the body that the AI SDK posts: `{ id, messages, trigger, messageId }`.
 * @throws HelixError `validation_error` for anything else.
 */
export function readChatPost(body: unknown): ChatPost {
  if (!isRecord(body)) throw malformed('the body is not a JSON object');
  const chatId = readChatId(body.id);
  const posted = readMessages(body.messages);
  const messageId = readOptionalId(body.messageId, 'messageId');
  const trigger = body.trigger ?? 'submit-message';
  if (trigger === 'regenerate-message') {
    return { chatId, act: { kind: 'regenerate', target: messageId, posted } };
  }
  if (trigger !== 'submit-message') throw malformed('trigger is not one of the two known ones');
  const last = posted.at(-1);
  if (!last) throw malformed('messages is empty');
  if (last.role === 'assistant') return { chatId, act: { kind: 'answers', message: last } };
  if (last.role !== 'user')
    throw malformed('the last message is neither a user nor an assistant message');
  return { chatId, act: { kind: 'send', message: last, editOf: messageId, posted } };
}

/** @throws HelixError `validation_error` when the value is not a usable chat id. */
export function readChatId(value: unknown): string {
  if (!isId(value)) throw malformed(`id is not a text of 1 to ${ID_LIMIT} characters`);
  return value;
}

/**
 * Decodes the body of a stop; an empty one means `interrupt`.
 * @throws HelixError `validation_error` for an unknown mode.
 */
export function readStopMode(body: unknown): StopMode {
  const mode = isRecord(body)
    ? (body.mode ?? 'interrupt')
    : body === undefined
      ? 'interrupt'
      : body;
  if (mode !== 'interrupt' && mode !== 'abort')
    throw malformed('mode is neither interrupt nor abort');
  return mode;
}

/** What a request key is bound to: the id and parts of the message, or the target. Undefined where an act takes no key. */
export function fingerprintOf(act: ChatAct): string | undefined {
  switch (act.kind) {
    case 'send':
      return fingerprintOfMessage(act.message);
    case 'regenerate':
      return fingerprint(['regenerate', act.target ?? null]);
    case 'retry':
      return fingerprint(['retry']);
    case 'answers':
      return undefined;
  }
}

/** The fingerprint of one message's id and parts. */
export function fingerprintOfMessage(message: StoredMessage): string {
  return fingerprint(['send', message.id, message.parts]);
}

function readMessages(value: unknown): StoredMessage[] {
  if (!Array.isArray(value)) throw malformed('messages is not a list');
  return value.map((entry: unknown, at) => readMessage(entry, at));
}

function readMessage(value: unknown, at: number): StoredMessage {
  const parts = isRecord(value) ? value.parts : undefined;
  const sound =
    isRecord(value) &&
    isId(value.id) &&
    ROLES.has(value.role) &&
    Array.isArray(parts) &&
    parts.every((part: unknown) => isRecord(part) && typeof part.type === 'string');
  if (!sound) throw malformed(`messages[${at}] is not a message with id, role and parts`);
  // Only what a message is: a client's other fields do not enter the transcript.
  const { id, role, metadata } = value;
  return {
    id,
    role,
    parts,
    ...(metadata === undefined || metadata === null ? {} : { metadata }),
  } as StoredMessage;
}

function readOptionalId(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isId(value)) throw malformed(`${name} is not a text of 1 to ${ID_LIMIT} characters`);
  return value;
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= ID_LIMIT;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function malformed(what: string): HelixError {
  return new HelixError({
    code: 'validation_error',
    message: `[helix-chat] Chat request refused: ${what}. Nothing was written. Post the body of the AI SDK's transport.`,
    detail: what,
  });
}
