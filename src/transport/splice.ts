import type { UIMessageChunk } from 'ai';
import { isTransientControlPart } from '../protocol/triggers.ts';

/** A chunk as it came: the SDK's type says what is sure, the rest is read with care. */
type LooseChunk = UIMessageChunk & { readonly [field: string]: unknown };

const deltaFields: { readonly [type: string]: 'delta' | 'inputTextDelta' | undefined } = {
  'text-delta': 'delta',
  'reasoning-delta': 'delta',
  'tool-input-delta': 'inputTextDelta',
};

/** A transient part reaches only `onData`: it leaves nothing in the message and is left out of replays. */
export function isTransient(chunk: UIMessageChunk): boolean {
  if (!chunk.type.startsWith('data-')) return false;
  return (chunk as LooseChunk).transient === true || isTransientControlPart(chunk.type);
}

interface Op {
  /** Type and id: which part this belongs to. */
  readonly key: string;
  /** The deltas of one part, joined; undefined for a chunk that is no delta. */
  text: string | undefined;
  /** What else the chunk says, in one fixed spelling; undefined for deltas. */
  readonly rest: string | undefined;
  chunk: UIMessageChunk;
}

/** JSON with sorted keys, without `undefined` and without provider metadata: equal meaning, equal text. */
export function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (key, inner: unknown) => {
      if (key === 'providerMetadata') return undefined;
      if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
      const fields = inner as { readonly [field: string]: unknown };
      return Object.fromEntries(
        Object.keys(fields)
          .sort()
          .map((field) => [field, fields[field]]),
      );
    }) ?? 'undefined'
  );
}

function idOf(chunk: LooseChunk): string {
  for (const id of [chunk.id, chunk.toolCallId, chunk.sourceId, chunk.approvalId]) {
    if (typeof id === 'string') return id;
  }
  return '';
}

function opOf(chunk: UIMessageChunk): Op {
  const loose = chunk as LooseChunk;
  const key = `${chunk.type}\n${idOf(loose)}`;
  const field = deltaFields[chunk.type];
  const text = field === undefined ? undefined : loose[field];
  return typeof text === 'string'
    ? { key, text, rest: undefined, chunk }
    : { key, text: undefined, rest: canonical(chunk), chunk };
}

function withText(chunk: UIMessageChunk, text: string): UIMessageChunk {
  const field = deltaFields[chunk.type];
  return field === undefined ? chunk : ({ ...chunk, [field]: text } as UIMessageChunk);
}

/** What was handed to the SDK in one reply, in order, adjacent deltas of one part joined. */
export class Delivered {
  readonly #ops: Op[] = [];
  #start: UIMessageChunk | undefined;

  /** The `start` chunk as handed on; undefined before one was. */
  get start(): UIMessageChunk | undefined {
    return this.#start;
  }

  get empty(): boolean {
    return this.#ops.length === 0;
  }

  /** Notes a chunk that was handed on. Transient parts leave no trace. */
  add(chunk: UIMessageChunk): void {
    if (isTransient(chunk)) return;
    if (chunk.type === 'start') {
      this.#start ??= chunk;
      return;
    }
    const op = opOf(chunk);
    if (op.text === '') return;
    const last = this.#ops.at(-1);
    if (op.text !== undefined && last?.text !== undefined && last.key === op.key) {
      last.text += op.text;
      const { providerMetadata } = chunk as LooseChunk;
      if (providerMetadata !== undefined) {
        last.chunk = { ...last.chunk, providerMetadata } as UIMessageChunk;
      }
      return;
    }
    this.#ops.push(op);
  }

  /** Everything up to and with the last finished step, and whether a step was open after it. */
  untilLastStep(): { readonly chunks: readonly UIMessageChunk[]; readonly stepOpen: boolean } {
    const end = this.#ops.findLastIndex((op) => op.chunk.type === 'finish-step') + 1;
    return {
      chunks: this.#ops
        .slice(0, end)
        .map(({ chunk, text }) => (text === undefined ? chunk : withText(chunk, text))),
      stepOpen: this.#ops.slice(end).some((op) => op.chunk.type === 'start-step'),
    };
  }

  /** Begins the comparison of a replay with what was delivered so far. */
  compare(): Replay {
    return new Replay([...this.#ops.map((op) => ({ ...op }))], this.#start);
  }
}

/** `old`: delivered before. `new`: hand this on. `differs`: this is not the reply that was delivered. */
export type Verdict =
  | { readonly is: 'old' }
  | { readonly is: 'new'; readonly chunk: UIMessageChunk }
  | { readonly is: 'differs' };

const old: Verdict = { is: 'old' };
const differs: Verdict = { is: 'differs' };

/**
 * A replay, read against what was delivered. It must begin with exactly that, in order; where its deltas are cut is
 * free. Transient parts must not be asked about.
 */
export class Replay {
  readonly #ops: readonly Op[];
  readonly #start: UIMessageChunk | undefined;
  #index = 0;
  #offset = 0;

  constructor(ops: readonly Op[], start: UIMessageChunk | undefined) {
    this.#ops = ops;
    this.#start = start;
  }

  /** Everything delivered has been seen again. */
  get caughtUp(): boolean {
    return this.#index === this.#ops.length;
  }

  read(chunk: UIMessageChunk): Verdict {
    if (chunk.type === 'start') return this.#readStart(chunk);
    const op = opOf(chunk);
    const expected = this.#ops[this.#index];
    if (expected === undefined) return { is: 'new', chunk };
    if (op.text === '') return old;
    if (op.key !== expected.key) return differs;
    if (op.text === undefined || expected.text === undefined) {
      if (op.rest !== expected.rest) return differs;
      this.#index += 1;
      return old;
    }
    return this.#readDelta(chunk, op.text, expected.text.slice(this.#offset));
  }

  #readStart(chunk: UIMessageChunk): Verdict {
    if (this.#start === undefined) return { is: 'new', chunk };
    const id = (chunk as LooseChunk).messageId;
    const known = (this.#start as LooseChunk).messageId;
    return id === undefined || id === known ? old : differs;
  }

  #readDelta(chunk: UIMessageChunk, text: string, expected: string): Verdict {
    if (text.length < expected.length) {
      if (!expected.startsWith(text)) return differs;
      this.#offset += text.length;
      return old;
    }
    if (!text.startsWith(expected)) return differs;
    this.#index += 1;
    this.#offset = 0;
    if (text.length === expected.length) return old;
    // More text of this part than was delivered, and yet another part was delivered after it.
    if (!this.caughtUp) return differs;
    return { is: 'new', chunk: withText(chunk, text.slice(expected.length)) };
  }
}
