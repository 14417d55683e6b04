import type { HelixErrorInit } from '../errors/HelixError.ts';
import { causesOf } from '../errors/networkFailure.ts';
import { isErrorLike, openAnswer } from '../errors/openAnswer.ts';
import { hasFields, parseJson, readField, readList } from '../protocol/readField.ts';

/** One value that may be a foreign failure, and the answer in which it came. */
export interface Candidate {
  readonly value: unknown;
  readonly status: number | undefined;
  readonly headers: unknown;
}

/**
 * All that a thrown or handed value may hold: itself, the body of its answer, what either wraps under `error`, and the
 * same of its causes, outermost first, at most 8 deep. Never throws.
 */
export function readCandidates(thrown: unknown): readonly Candidate[] {
  return causesOf(thrown).flatMap((link) => {
    const { status, headers, bodies } = openAnswer(link);
    const own = hasFields(link) ? [link] : [];
    const values = [...own, ...bodies.filter((body) => body !== link)].flatMap(entries);
    return values.flatMap(unwrap).map((value) => ({ value, status, headers }));
  });
}

/** What the first candidate that can be read says. */
export function firstReading(
  thrown: unknown,
  read: (candidate: Candidate) => HelixErrorInit | undefined,
): HelixErrorInit | undefined {
  for (const candidate of readCandidates(thrown)) {
    const init = read(candidate);
    if (init !== undefined) return init;
  }
  return undefined;
}

/** The message of an error, or a text that was thrown or sent in its place, cut at 1,000. */
export function messageOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value : readField(value, 'message');
  return typeof text === 'string' ? text.slice(0, 1_000) : undefined;
}

/** Whether a value is an error without a class of its own, or only the text of one. */
export function isPlainError(value: unknown): boolean {
  return typeof value === 'string' || (isErrorLike(value) && readField(value, 'name') === 'Error');
}

// Gemini streams a list where nobody asked for events.
const entries = (value: unknown): readonly unknown[] => readList({ value }, 'value') ?? [value];

function unwrap(value: unknown): readonly unknown[] {
  const inner = readField(value, 'error');
  return hasFields(inner) ? [value, inner] : [value];
}

/** One text that may be an event stream, and the answer in which it came. */
export interface EventText {
  readonly text: string;
  readonly status: number | undefined;
  readonly headers: unknown;
}

/** The texts of a value and its causes that read like event streams. */
export function readEventTexts(thrown: unknown): readonly EventText[] {
  return causesOf(thrown).flatMap((link) => {
    const { status, headers } = openAnswer(link);
    return [link, readField(link, 'responseBody'), readField(link, 'body')].flatMap((text) =>
      typeof text === 'string' && isEventText(text) ? [{ text, status, headers }] : [],
    );
  });
}

const isEventText = (text: string): boolean =>
  /^\s{0,16}(?:(?:data|event|id|retry):|:)/.test(text.slice(0, 64));

// What ends a stream stands at its end.
const TAIL = 65_536;

/** The JSON values of an event stream's text in order, also those that stand bare between its events. */
export function readFrames(text: string): readonly unknown[] {
  return text
    .slice(-TAIL)
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .flatMap((block) => {
      const lines = block.split('\n');
      const data = lines.flatMap((line) => (line.startsWith('data:') ? [line.slice(5)] : []));
      const bare = lines.filter((line) => !/^(?:data|event|id|retry)?:/.test(line));
      return [data.join('\n'), bare.join('\n')];
    })
    .map((json) => (json.trim() === '' ? undefined : parseJson(json)))
    .filter(hasFields)
    .flatMap(entries);
}
