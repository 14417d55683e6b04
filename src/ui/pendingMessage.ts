import type { ChatMessage } from '../recovery/ports.ts';

/** What a view draws of a message: read from parts that may be of any kind. */
export interface MessageDraft {
  /** Its text parts, one a paragraph. */
  readonly text: string;
  /** Names of its files; undefined for one without a name. */
  readonly files: readonly (string | undefined)[];
}

/** Reads the person's text and files from a message. Unknown kinds of parts are left out. */
export function readDraft(message: ChatMessage): MessageDraft {
  const texts: string[] = [];
  const files: (string | undefined)[] = [];
  for (const part of message.parts) {
    const { type, text, filename } = part as {
      readonly type: string;
      readonly text?: unknown;
      readonly filename?: unknown;
    };
    if (type === 'text' && typeof text === 'string') texts.push(text);
    if (type === 'file') files.push(typeof filename === 'string' ? filename : undefined);
  }
  return { text: texts.join('\n\n'), files };
}

const START = 40;

/** The beginning of a text, to tell buttons of equal label apart. */
export function startOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > START ? `${[...line].slice(0, START).join('')}…` : line;
}

/** A file name in two pieces, the second of which is never cut, so that its ending stays readable. */
export function splitName(name: string): readonly [string, string] {
  const tail = Math.min(10, Math.floor(name.length / 2));
  return [name.slice(0, name.length - tail), name.slice(name.length - tail)];
}
