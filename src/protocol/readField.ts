/** Bounds on what is kept of a stranger's value, in UTF-16 units, entries and levels. */
export const LIMITS = { parsed: 65_536, text: 4_096, list: 100, depth: 8 } as const;

const UNSAFE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Whether a key could reach a prototype when it is copied. */
export function isUnsafeKey(key: string): boolean {
  return UNSAFE_KEYS.has(key);
}

/** Whether a value can have fields at all: any object or function. */
export function hasFields(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** One field of any value. A getter or a proxy that throws gives undefined. */
export function readField(value: unknown, key: PropertyKey): unknown {
  if (!hasFields(value)) return undefined;
  try {
    return Reflect.get(value, key);
  } catch {
    return undefined;
  }
}

/** Whether a value has the field itself, not by its prototype. A proxy that throws has none. */
export function hasOwnField(value: unknown, key: PropertyKey): boolean {
  if (!hasFields(value)) return false;
  try {
    return Object.hasOwn(value, key);
  } catch {
    return false;
  }
}

/** The first field of those named that is a text, cut at 4 Ki. */
export function readText(value: unknown, ...keys: string[]): string | undefined {
  for (const key of keys) {
    const field = readField(value, key);
    if (typeof field === 'string') return cutText(field);
  }
  return undefined;
}

/** Like `readText`, but an empty text counts as absent: for ids and codes. */
export function readName(value: unknown, ...keys: string[]): string | undefined {
  for (const key of keys) {
    const field = readField(value, key);
    if (typeof field === 'string' && field !== '') return cutText(field);
  }
  return undefined;
}

/** A field that is a boolean. */
export function readBoolean(value: unknown, key: string): boolean | undefined {
  const field = readField(value, key);
  return typeof field === 'boolean' ? field : undefined;
}

/** A field that is a finite number. */
export function readNumber(value: unknown, key: string): number | undefined {
  const field = readField(value, key);
  return typeof field === 'number' && Number.isFinite(field) ? field : undefined;
}

/** A field that is an HTTP status: a whole number from 100 to 599. The first of those named that is one. */
export function readStatus(value: unknown, ...keys: string[]): number | undefined {
  for (const key of keys) {
    const status = readNumber(value, key);
    if (status !== undefined && Number.isInteger(status) && status >= 100 && status <= 599) {
      return status;
    }
  }
  return undefined;
}

/** A field that is a wait in ms: finite and not negative. */
export function readWait(value: unknown, key: string): number | undefined {
  const wait = readNumber(value, key);
  return wait !== undefined && wait >= 0 ? wait : undefined;
}

/** The texts of a field that is a list, at most 100; undefined where it is no list. */
export function readTexts(value: unknown, key: string): readonly string[] | undefined {
  return readList(value, key)
    ?.filter((entry): entry is string => typeof entry === 'string')
    .map(cutText);
}

/** The entries of a field that is a list, at most 100; undefined where it is no list. */
export function readList(value: unknown, key: string): readonly unknown[] | undefined {
  const list = readField(value, key);
  try {
    return Array.isArray(list) ? list.slice(0, LIMITS.list) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A text of at most 4 Ki that ends neither inside a surrogate pair nor, where that costs no more than 1 Ki, inside a word:
 * the first half of a secret cannot be told from a word, and would not be masked.
 */
export function cutText(text: string): string {
  if (text.length <= LIMITS.text) return text;
  const end = wordStart(text, LIMITS.text);
  const last = text.charCodeAt(end - 1);
  const splits = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splits ? end - 1 : end);
}

/** Where the word begins that stands across a place of a text; the place itself where none does, or a very long one. */
function wordStart(text: string, place: number): number {
  const furthest = place - 1_024;
  if (isBlank(text, place)) return place;
  for (let at = place; at > furthest; at -= 1) {
    if (isBlank(text, at - 1)) return at;
  }
  return place;
}

const isBlank = (text: string, at: number): boolean => /\s/.test(text.charAt(at));

/** The value of a JSON text; undefined where it is none or longer than 64 Ki. */
export function parseJson(text: string): unknown {
  if (text.length > LIMITS.parsed) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
