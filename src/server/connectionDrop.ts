import { hasFields, hasOwnField, readField } from '../protocol/readField.ts';

const DROP_CODES: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET']);

/**
 * Whether a value is a connection to the provider that dropped, by the runtime's own structure and never by a message:
 * undici's `TypeError` over a socket's code, or workerd's plain `Error` with its own `retryable: true`, unless it is
 * marked `overloaded`. Never throws.
 */
export function isConnectionDrop(value: unknown): boolean {
  if (isPlain(value, 'TypeError')) {
    return DROP_CODES.has(readField(readField(value, 'cause'), 'code'));
  }
  return (
    isPlain(value, 'Error') &&
    hasOwnField(value, 'retryable') &&
    readField(value, 'retryable') === true &&
    readField(value, 'overloaded') !== true
  );
}

/** Whether a value is an `Error` or a `TypeError` and no subclass of one, of this realm or another. Never throws. */
export function isPlainFailure(value: unknown): boolean {
  return isPlain(value, 'Error') || isPlain(value, 'TypeError');
}

// A subclass without a name of its own reads as its parent does; its chain of prototypes is longer. No `instanceof`: a
// worker's errors come from another realm.
const CHAIN = { Error: 2, TypeError: 3 } as const;

function isPlain(value: unknown, name: keyof typeof CHAIN): boolean {
  return (
    readField(value, 'name') === name &&
    typeof readField(value, 'message') === 'string' &&
    chainLength(value) <= CHAIN[name]
  );
}

function chainLength(value: unknown): number {
  const longest = 8;
  try {
    let length = 0;
    let current: unknown = hasFields(value) ? Object.getPrototypeOf(value) : null;
    for (; hasFields(current) && length < longest; length += 1) {
      current = Object.getPrototypeOf(current);
    }
    return length;
  } catch {
    return longest;
  }
}
