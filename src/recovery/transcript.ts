import { snapshotBehind } from '../errors/clientFailures.ts';
import { toHelixError } from '../errors/toHelixError.ts';
import type { SnapshotAnswer } from '../transport/turnHost.ts';
import { type Answers, createAnswers } from './answers.ts';
import {
  findMessage,
  fingerprint,
  type MessageMemory,
  mergeSnapshot,
  messageSize,
  messageText,
  type RenamedIds,
} from './messageIdentity.ts';
import type { Turn } from './model.ts';
import type { ChatMessage } from './ports.ts';
import type { ReadResult } from './readResult.ts';
import { answerFate, isOpen, lastReply, toolPartsOf, waitsForAnswer } from './toolParts.ts';

/** Where the messages of a chat are kept. */
export interface MessageList<M extends ChatMessage> {
  messages(): readonly M[];
  setMessages(messages: readonly M[]): void;
  /** Draws this reply until the live one has begun, or has caught up with it, whatever the messages hold. */
  keepShowing(reply: M, until: 'begun' | 'caught-up'): void;
  /** Draws nothing but the messages any more. */
  showAsIs(): void;
}

/** A chat's messages against the server's: what is put, found, restored and dropped. */
export interface Transcript<M extends ChatMessage> {
  /** Goes on with a message of an earlier session: what stood before it, and its fingerprint as it was sent. */
  takeOver(message: M, about: MessageMemory): void;
  /** What is remembered of a message that is on its way, under the names that the server uses. */
  memoryOf(message: M): MessageMemory;
  /** Whether the chat's own messages hold what this act was to bring. */
  hasBrought(turn: Turn<M>): boolean;
  /** Only these messages are still on their way: what stood before any other is forgotten. */
  keepOnly(messageIds: ReadonlySet<string>): void;
  /** Remembers the history before an act that cuts it. */
  remember(turn: Turn<M>): void;
  /** The SDK has cut the history: remembers what it cut to. */
  remembersCut(): void;
  /** Puts the history back, the same objects. */
  restore(): void;
  /** The act was taken after all: cuts a history that was put back. */
  cutAgain(): void;
  takeOut(messageId: string): void;
  /** Drops the empty assistant message that a failed attempt left, unless the server holds it. */
  dropEmptyReply(): void;
  /** Takes back what the unfinished step of the last reply has said. */
  cutBackStep(): void;
  /** The server has taken this message: a snapshot without it is older than it, until one has held it. */
  taken(message: M | undefined): void;
  /** Puts a snapshot's messages. `keepReply` and `serverIds`: see the effect. */
  put(messages: unknown, keepReply?: 'begun' | 'caught-up', serverIds?: boolean): void;
  /** What a read brought, and whether `looksFor` is in it. */
  resultOf(answer: SnapshotAnswer, looksFor: Turn<M> | undefined): ReadResult;
  /** Whether a snapshot's messages hold what this act was to bring into the conversation, and the chat's own do not. */
  arrived(messages: unknown, turn: Turn<M>): boolean;
  /** The assistant message that follows the turn's user message; the last one, for a turn that has none. */
  replyTo(turn: Turn<M>): M | undefined;
  /** The reply of the attempt that fails: where it stands, or its text where `settled` leaves it out. */
  failedReply(settled: readonly ChatMessage[] | undefined): {
    messageId?: string;
    partial?: string;
  };
}

/** The last message under the id that the server has for it: an answer to its calls names that one. */
function lastByServerId<M extends ChatMessage>(
  messages: readonly M[],
  server: readonly ChatMessage[],
  renamed: RenamedIds,
): readonly M[] {
  const [last, theirs] = [messages.at(-1), server.at(-1)];
  if (last === undefined || theirs === undefined || last.id === theirs.id) return messages;
  renamed.delete(theirs.id);
  return [...messages.slice(0, -1), { ...last, id: theirs.id }];
}

/** A message that the server has taken and no snapshot has held yet, and how many have missed it. */
export interface AwaitedMessage {
  message: ChatMessage | undefined;
  missed: number;
}

/** How many snapshots in a row may be older than a message of ours: a read and its two repeats. */
const LATE_SNAPSHOTS = 3;

/**
 * `renamed`: the ids that a server has given our messages, by its own; it grows here. `answers`: those to tool calls that
 * the server is not known to have; what a snapshot shows as answered leaves it. `awaited` outlives the transcript, as
 * they do.
 */
export function createTranscript<M extends ChatMessage>(
  list: MessageList<M>,
  renamed: RenamedIds = new Map(),
  answers: Answers = createAnswers(),
  awaited: AwaitedMessage = { message: undefined, missed: 0 },
): Transcript<M> {
  let history:
    | { before: readonly M[]; after: readonly M[] | undefined; restored: boolean }
    | undefined;
  /** What stood before a message when it was first sent, by its id: it may have arrived only after that. */
  const earlier = new Map<string, ReadonlySet<string>>();
  /** Fingerprints of messages as they were sent, where they are not whole any more. */
  const prints = new WeakMap<ChatMessage, string>();
  let serverIds = new Set<string>();
  let serverSize = -1;

  const indexOf = (server: readonly ChatMessage[], message: ChatMessage): number =>
    findMessage(
      server,
      message,
      list.messages(),
      renamed,
      earlier.get(message.id),
      prints.get(message),
    );

  /** Whether a snapshot is older than a message that the server has taken. */
  const isBehind = (server: readonly ChatMessage[]): boolean => {
    const { message } = awaited;
    if (message === undefined) return false;
    if (findMessage(server, message, list.messages(), renamed) === -1) {
      awaited.missed += 1;
      // So many reads are not all late: another client has cut the message away.
      if (awaited.missed <= LATE_SNAPSHOTS) return true;
    }
    awaited.message = undefined;
    return false;
  };

  /** Whether an act took effect on the server. */
  const holds = (
    server: readonly ChatMessage[],
    turn: Turn<M>,
    status: ReadResult['status'],
  ): boolean => {
    if (turn.message !== undefined) {
      const match = server[indexOf(server, turn.message)];
      if (match === undefined) return false;
      if (match.id !== turn.message.id) renamed.set(match.id, turn.message.id);
      return true;
    }
    if (status === 'active') return true;
    // To go on took effect where the run does not stand as failed any more.
    if (turn.kind === 'continue') return status !== 'failed';
    const before = history?.before ?? list.messages();
    const replaced = before.findLast((message) => message.role === 'assistant');
    const last = server.at(-1);
    return last?.role === 'assistant' && last.id !== replaced?.id;
  };

  return {
    takeOver(message, { stood, print }) {
      if (stood !== undefined) earlier.set(message.id, new Set(stood));
      if (print !== undefined) prints.set(message, print);
    },
    memoryOf(message) {
      const serverNames = new Map([...renamed].map(([server, ours]) => [ours, server]));
      const stood = earlier.get(message.id);
      return {
        stood: stood && [...stood].map((other) => serverNames.get(other) ?? other),
        print: prints.get(message),
      };
    },
    hasBrought({ message, unclear }) {
      if (message === undefined) return false;
      const messages = list.messages();
      const stood = earlier.get(message.id);
      // Where it was not posted, or nobody knows what stood before it, an equal text under another id may be any.
      const local = unclear && stood !== undefined ? [] : messages;
      return findMessage(messages, message, local, renamed, stood, prints.get(message)) !== -1;
    },
    keepOnly(messageIds) {
      for (const id of earlier.keys()) if (!messageIds.has(id)) earlier.delete(id);
    },
    remember(turn) {
      const { message } = turn;
      if (message !== undefined && !earlier.has(message.id)) {
        const ids = list.messages().map((other) => other.id);
        earlier.set(message.id, new Set(ids.filter((id) => id !== message.id)));
      }
      const cuts = turn.kind === 'regenerate' || turn.kind === 'edit';
      // What is cut or changed now need not be held any more.
      if (cuts) awaited.message = undefined;
      history = cuts ? { before: list.messages(), after: undefined, restored: false } : undefined;
    },
    remembersCut() {
      if (history !== undefined) history.after = list.messages();
    },
    restore() {
      if (history === undefined) return;
      history.restored = true;
      list.setMessages(history.before);
    },
    cutAgain() {
      if (history?.restored && history.after !== undefined) list.setMessages(history.after);
    },
    takeOut(messageId) {
      list.setMessages(list.messages().filter((message) => message.id !== messageId));
    },
    dropEmptyReply() {
      const messages = list.messages();
      const last = messages.at(-1);
      if (last === undefined || last.role !== 'assistant' || serverIds.has(last.id)) return;
      if (last.parts.every(saysNothing)) list.setMessages(messages.slice(0, -1));
    },
    cutBackStep() {
      const messages = list.messages();
      const last = messages.at(-1);
      if (last?.role !== 'assistant') return;
      const begun = last.parts.findLastIndex((part) => part.type === 'step-start');
      const parts = last.parts.slice(0, Math.max(0, begun));
      list.setMessages([...messages.slice(0, -1), { ...last, parts }]);
    },
    taken(message) {
      awaited.message = message;
      awaited.missed = 0;
    },
    put(value, keepReply, byServerId) {
      if (!Array.isArray(value)) return;
      const server = value as readonly ChatMessage[];
      const local = list.messages();
      const shown = local.at(-1);
      const known = mergeSnapshot(local, server, renamed);
      answers.forget(toolPartsOf(server).filter((part) => !isOpen(part)));
      const merged = answers.apply(byServerId ? lastByServerId(known, server, renamed) : known);
      // A reply that something stands behind is no live one.
      const place = merged.findIndex((message) => message.id === shown?.id);
      const isLive = place === -1 || place === merged.length - 1;
      if (keepReply !== undefined && shown?.role === 'assistant' && isLive) {
        list.keepShowing(shown, keepReply);
      } else list.showAsIs();
      serverIds = new Set(merged.map((message) => message.id));
      const same =
        merged.length === local.length &&
        merged.every((message, index) => message === local[index]);
      if (!same) list.setMessages(merged);
    },
    resultOf(answer, looksFor) {
      if (answer.kind !== 'snapshot') return answer;
      const { snapshot } = answer;
      const server = snapshot.messages as readonly ChatMessage[];
      if (isBehind(server)) return { kind: 'failed', error: snapshotBehind() };
      const last = server.at(-1);
      const fate = looksFor?.kind === 'submit' ? answerFate(looksFor.answers, server) : undefined;
      const awaitsOurs =
        last !== undefined &&
        toolPartsOf([last]).some((part) => waitsForAnswer(part) && answers.holds(part));
      const size = server.reduce((sum, message) => sum + 1 + messageSize(message), 0);
      const grew = serverSize !== -1 && size > serverSize;
      serverSize = size;
      return {
        kind: 'snapshot',
        status: snapshot.status,
        messages: server,
        grew,
        answered: last?.role === 'assistant',
        awaitsOurs,
        ...(fate === undefined ? {} : { answers: fate }),
        ...(last === undefined ? {} : { lastId: last.id }),
        ...(snapshot.runId === undefined ? {} : { runId: snapshot.runId }),
        ...(snapshot.error === undefined ? {} : { runError: toHelixError(snapshot.error) }),
        ...(looksFor === undefined ? {} : { found: holds(server, looksFor, snapshot.status) }),
      };
    },
    arrived(value, { message }) {
      if (!Array.isArray(value) || message === undefined) return false;
      // An edit that changes nothing cannot be told from its not having arrived.
      const print = fingerprint(message);
      const isThere = list
        .messages()
        .some((other) => other.id === message.id && fingerprint(other) === print);
      return !isThere && indexOf(value as readonly ChatMessage[], message) !== -1;
    },
    replyTo(turn) {
      const messages = list.messages();
      if (turn.kind === 'submit') {
        return messages.find(({ id }) => id === turn.targetId) ?? lastReply(messages);
      }
      // An act without a message of its own is about the reply at the end.
      if (turn.message === undefined) {
        const last = messages.at(-1);
        return last?.role === 'assistant' ? last : undefined;
      }
      const asked = messages.findLastIndex((message) => message.id === turn.message?.id);
      return messages.slice(asked + 1).find((message) => message.role === 'assistant');
    },
    failedReply(settled) {
      const last = list.messages().at(-1);
      if (last?.role !== 'assistant') return {};
      const stays = settled === undefined || settled.some((message) => message.id === last.id);
      return stays ? { messageId: last.id } : { partial: messageText(last) };
    },
  };
}

/** A step that was begun, or a text without a word: nobody sees it, and the server keeps no reply of such parts alone. */
function saysNothing(part: { readonly type: string }): boolean {
  if (part.type !== 'text') return part.type === 'step-start';
  const { text, providerMetadata } = part as { text?: unknown; providerMetadata?: unknown };
  return text === '' && providerMetadata === undefined;
}
