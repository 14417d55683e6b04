import { type ErrorDetail, readErrorDetail } from '../protocol/causes.ts';
import { hasFields, readField } from '../protocol/readField.ts';

export type { ErrorDetail };

const MARKER = Symbol.for('helix-chat.errorDetail');

/** Attaches a detail to an error, so that it survives being thrown and wrapped. A frozen error is returned as it was. */
export function attachErrorDetail<E>(error: E, detail: ErrorDetail): E {
  if (!hasFields(error)) return error;
  try {
    Object.defineProperty(error, MARKER, { value: detail, configurable: true, writable: true });
  } catch {
    // Not extensible: what it says of itself has to do.
  }
  return error;
}

/** The detail that was attached to a value itself, not to its causes. Never throws. */
export function errorDetailOf(error: unknown): ErrorDetail | undefined {
  return readErrorDetail(readField(error, MARKER));
}
