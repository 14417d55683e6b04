import { readField } from '../protocol/readField.ts';

const MAX_NODES = 10_000;

/** A text out of any value: its message, itself, its JSON, or its name. Never throws. */
export function extractErrorMessage(value: unknown): string {
  if (typeof value === 'string') return value;
  const message = readField(value, 'message');
  if (typeof message === 'string') return message;
  return toJson(value) ?? toText(value);
}

function toJson(value: unknown): string | undefined {
  let nodes = 0;
  try {
    return JSON.stringify(value, (_key, field: unknown) => {
      nodes += 1;
      // A small value whose parts are shared can have a huge JSON.
      if (nodes > MAX_NODES) throw new RangeError('too large');
      return field;
    });
  } catch {
    return undefined;
  }
}

function toText(value: unknown): string {
  try {
    return String(value);
  } catch {
    return 'Unknown error';
  }
}

/** The value itself when it is an `Error`, else an `Error` with its text and the value as `cause`. Never throws. */
export function ensureError(value: unknown): Error {
  return isError(value) ? value : new Error(extractErrorMessage(value), { cause: value });
}

function isError(value: unknown): value is Error {
  try {
    return value instanceof Error;
  } catch {
    return false;
  }
}
