import { parsePartialJson } from './partialJson.ts';
import type { StoredMessage } from './store/chatStore.ts';

/** A UI message chunk, by structure: what the AI SDK's `toUIMessageStream()` yields fits. */
export interface Chunk {
  readonly type: string;
  readonly [key: string]: unknown;
}

type Part = { type: string; [key: string]: unknown };

interface Draft {
  id: string;
  role: string;
  parts: Part[];
  metadata?: unknown;
}

interface ToolInput {
  text: string;
  readonly encoding: unknown;
  readonly start: Chunk;
}

/** Builds the assistant message of a run from its chunks, part by part as the AI SDK's client does from the same stream. */
export interface ReplyMessage {
  /** Takes the next chunk. False when the chunk does not fit what came before (a delta without its start): nothing changed. */
  add(chunk: Chunk): boolean;
  /** The message as it stands, as plain data of its own. */
  read(): StoredMessage;
  /** Anything a person could see or that the next turn needs; step boundaries and texts without a word are nothing. */
  hasContent(): boolean;
  /** A tool call of the last step waits for the person: an answer from the client, or an approval. */
  waitsForAnswer(): boolean;
  /** Forgets everything since the last call of `commit`: the attempt that wrote it has failed. */
  rollback(): void;
  /** From here on `rollback` goes back to this point. */
  commit(): void;
}

/** Begins a reply with this id, or goes on with a message that is already there. */
export function createReplyMessage(id: string, continued?: StoredMessage): ReplyMessage {
  let message: Draft = continued
    ? (structuredClone(continued) as Draft)
    : { id, role: 'assistant', parts: [] };
  let committed = structuredClone(message);
  let open = new Map<string, Part>();
  let inputs = new Map<string, ToolInput>();

  const handlers: Record<string, (chunk: Chunk) => boolean> = {
    'text-start': (chunk) => begin('text', chunk, {}),
    'text-delta': (chunk) => extend('text', chunk),
    'text-end': (chunk) => finish('text', chunk),
    'reasoning-start': (chunk) => begin('reasoning', chunk, { id: chunk.id }),
    'reasoning-delta': (chunk) => extend('reasoning', chunk),
    'reasoning-end': (chunk) => finish('reasoning', chunk),
    file: (chunk) => push(chunk, ['mediaType', 'url', 'providerMetadata']),
    'reasoning-file': (chunk) => push(chunk, ['mediaType', 'url', 'providerMetadata']),
    'source-url': (chunk) => push(chunk, ['sourceId', 'url', 'title', 'providerMetadata']),
    'source-document': (chunk) =>
      push(chunk, ['sourceId', 'mediaType', 'title', 'filename', 'providerMetadata']),
    custom: (chunk) => push(chunk, ['kind', 'providerMetadata']),
    'steering-message': (chunk) => push(chunk, ['id', 'parts']),
    'start-step': () => {
      message.parts.push({ type: 'step-start' });
      return true;
    },
    'reset-step': () => {
      message.parts = message.parts.slice(0, stepStart());
      open = new Map();
      inputs = new Map();
      return true;
    },
    start: metadata,
    finish: metadata,
    'message-metadata': metadata,
    'tool-input-start': (chunk) => {
      inputs.set(text(chunk, 'toolCallId'), {
        text: '',
        encoding: chunk.inputEncoding,
        start: chunk,
      });
      return putTool(chunk, 'input-streaming', {
        input: undefined,
        inputEncoding: chunk.inputEncoding,
      });
    },
    'tool-input-delta': (chunk) => {
      const input = inputs.get(text(chunk, 'toolCallId'));
      if (!input) return false;
      input.text += text(chunk, 'inputTextDelta');
      const { providerExecuted: _, providerMetadata: __, ...start } = input.start;
      return putTool(start as Chunk, 'input-streaming', {
        input: input.encoding === 'text' ? input.text : parsePartialJson(input.text),
        rawInput: input.text,
        inputEncoding: input.encoding,
      });
    },
    'tool-input-available': (chunk) => putTool(chunk, 'input-available', { input: chunk.input }),
    'tool-input-error': (chunk) => {
      const known = stepParts().find((part) => part.toolCallId === chunk.toolCallId);
      const dynamic = known ? known.type === 'dynamic-tool' : chunk.dynamic === true;
      const input = dynamic ? { input: chunk.input } : { rawInput: chunk.input };
      return putTool({ ...chunk, dynamic, title: undefined }, 'output-error', {
        ...input,
        errorText: chunk.errorText,
      });
    },
    'tool-approval-request': (chunk) =>
      amend(findTool(chunk), {
        state: 'approval-requested',
        approval: defined({
          id: chunk.approvalId,
          descriptor: chunk.approvalDescriptor,
          inputSchemaInput: chunk.inputSchemaInput,
          signature: chunk.signature,
        }),
      }),
    'tool-approval-response': (chunk) => {
      const part = message.parts.find(
        (candidate) =>
          (candidate.approval as { id?: unknown } | undefined)?.id === chunk.approvalId,
      );
      return amend(part, {
        state: 'approval-responded',
        approval: defined({
          ...(part?.approval as object | undefined),
          approved: chunk.approved,
          reason: chunk.reason,
        }),
      });
    },
    'tool-output-denied': (chunk) => amend(findTool(chunk), { state: 'output-denied' }),
    'tool-output-available': (chunk) =>
      putOutput(chunk, 'output-available', {
        output: chunk.output,
        preliminary: chunk.preliminary,
      }),
    'tool-output-error': (chunk) =>
      putOutput(chunk, 'output-error', { errorText: chunk.errorText }),
  };

  function begin(type: string, chunk: Chunk, extra: object): boolean {
    const part = defined({
      type,
      ...extra,
      text: '',
      providerMetadata: chunk.providerMetadata,
      state: 'streaming',
    });
    open.set(`${type}:${text(chunk, 'id')}`, part);
    message.parts.push(part);
    return true;
  }

  function extend(type: string, chunk: Chunk): boolean {
    const part = open.get(`${type}:${text(chunk, 'id')}`);
    return amend(part, {
      text: String(part?.text ?? '') + text(chunk, 'delta'),
      providerMetadata: chunk.providerMetadata ?? part?.providerMetadata,
    });
  }

  function finish(type: string, chunk: Chunk): boolean {
    const key = `${type}:${text(chunk, 'id')}`;
    const part = open.get(key);
    open.delete(key);
    return amend(part, {
      state: 'done',
      citations: chunk.citations ?? part?.citations,
      providerMetadata: chunk.providerMetadata ?? part?.providerMetadata,
    });
  }

  function push(chunk: Chunk, fields: readonly string[]): boolean {
    const picked = Object.fromEntries(fields.map((field) => [field, chunk[field] ?? undefined]));
    message.parts.push(defined({ type: chunk.type, ...picked }));
    return true;
  }

  function pushData(chunk: Chunk): boolean {
    if (chunk.transient === true) return true;
    const same = message.parts.find(
      (part) => chunk.id != null && part.type === chunk.type && part.id === chunk.id,
    );
    if (same) same.data = chunk.data;
    else message.parts.push({ ...chunk });
    return true;
  }

  function metadata(chunk: Chunk): boolean {
    const added = chunk.messageMetadata;
    if (added == null) return true;
    message.metadata = message.metadata == null ? added : merge(message.metadata, added);
    return true;
  }

  function stepStart(): number {
    return message.parts.findLastIndex((part) => part.type === 'step-start') + 1;
  }

  function stepParts(): Part[] {
    return message.parts.slice(stepStart());
  }

  function findTool(chunk: Chunk): Part | undefined {
    const calls = (part: Part) => isTool(part) && part.toolCallId === chunk.toolCallId;
    return stepParts().find(calls) ?? message.parts.findLast(calls);
  }

  function putOutput(chunk: Chunk, state: string, fields: Record<string, unknown>): boolean {
    const part = findTool(chunk);
    if (!part) return false;
    const dynamic = part.type === 'dynamic-tool';
    const name = dynamic ? part.toolName : part.type.slice('tool-'.length);
    const rawInput = state === 'output-error' && !dynamic ? part.rawInput : undefined;
    return setTool(part, { ...chunk, toolName: name, dynamic, title: undefined }, state, {
      input: part.input,
      rawInput,
      ...fields,
    });
  }

  function putTool(chunk: Chunk, state: string, fields: Record<string, unknown>): boolean {
    const dynamic = chunk.dynamic === true;
    const known = stepParts().find(
      (part) =>
        part.toolCallId === chunk.toolCallId &&
        (dynamic ? part.type === 'dynamic-tool' : part.type.startsWith('tool-')),
    );
    const part: Part = known ?? { type: '', toolCallId: chunk.toolCallId };
    if (!known) message.parts.push(part);
    return setTool(part, chunk, state, fields);
  }

  /** Sets every field that one state of a tool call has; what the state does not have is dropped. */
  function setTool(
    part: Part,
    chunk: Chunk,
    state: string,
    fields: Record<string, unknown>,
  ): boolean {
    const name = text(chunk, 'toolName');
    const dynamic = chunk.dynamic === true;
    const result = state === 'output-available' || state === 'output-error';
    const metadataKey = result ? 'resultProviderMetadata' : 'callProviderMetadata';
    return amend(part, {
      type: dynamic ? 'dynamic-tool' : `tool-${name}`,
      ...(dynamic ? { toolName: name } : {}),
      state,
      input: undefined,
      output: undefined,
      errorText: undefined,
      rawInput: undefined,
      inputEncoding: undefined,
      preliminary: undefined,
      ...fields,
      title: chunk.title ?? part.title,
      toolMetadata: chunk.toolMetadata ?? part.toolMetadata,
      providerExecuted: chunk.providerExecuted ?? part.providerExecuted,
      [metadataKey]: chunk.providerMetadata ?? part[metadataKey],
    });
  }

  return {
    add(chunk) {
      const handler = Object.hasOwn(handlers, chunk.type) ? handlers[chunk.type] : undefined;
      if (handler) return handler(chunk);
      return chunk.type.startsWith('data-') ? pushData(chunk) : true;
    },
    read: () => structuredClone(message) as StoredMessage,
    hasContent: () => message.parts.some(isContent),
    waitsForAnswer: () => stepParts().some(waits),
    rollback() {
      message = structuredClone(committed);
      open = new Map();
      inputs = new Map();
    },
    commit() {
      committed = structuredClone(message);
    },
  };
}

/** A text that was begun and has no word is nothing: a model refuses a history with an empty one. */
function isContent(part: Part): boolean {
  if (part.type === 'text') return part.text !== '' || part.providerMetadata !== undefined;
  return part.type !== 'step-start';
}

/** Whether a part is a tool call, static or dynamic. */
export function isTool(part: { readonly type: string }): boolean {
  return part.type === 'dynamic-tool' || part.type.startsWith('tool-');
}

/** Whether a tool call waits for a person: for the client's answer, or for an approval. */
export function waits(part: { readonly type: string; readonly [key: string]: unknown }): boolean {
  if (!isTool(part)) return false;
  if (part.state === 'approval-requested') return true;
  return part.state === 'input-available' && part.providerExecuted !== true;
}

function text(chunk: Chunk, field: string): string {
  const value = chunk[field];
  return typeof value === 'string' ? value : '';
}

/** Sets the fields; an undefined one is removed. False when there is no part to set them on. */
function amend(part: Part | undefined, fields: Record<string, unknown>): boolean {
  if (!part) return false;
  for (const [field, value] of Object.entries(fields)) {
    if (value === undefined) delete part[field];
    else part[field] = value;
  }
  return true;
}

function defined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as T;
}

/** Deep for plain objects; anything else is replaced. Keys that reach a prototype are left out. */
function merge(base: unknown, added: unknown): unknown {
  if (!isPlain(base) || !isPlain(added)) return added;
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(added)) {
    if (key === '__proto__' || key === 'constructor' || key === 'prototype') continue;
    merged[key] = Object.hasOwn(base, key) ? merge(base[key], value) : value;
  }
  return merged;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
