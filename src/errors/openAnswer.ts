import { hasFields, parseJson, readField, readStatus } from '../protocol/readField.ts';

/** What a thrown or handed value shows of an HTTP answer. */
export interface OpenedAnswer {
  readonly status: number | undefined;
  readonly headers: unknown;
  /** What may be the body, parsed where it is JSON, in the order in which it is to be believed. */
  readonly bodies: readonly unknown[];
}

/**
 * Looks into one value without waiting: an `APICallError` of any copy of the AI SDK (`statusCode`, `responseBody`), a
 * `{ status, headers, body }`, a `Response`, an error whose message is the body (AI SDK 6), a JSON text, or a plain
 * body. A body that is still a stream stays unread. Never throws.
 */
export function openAnswer(value: unknown): OpenedAnswer {
  if (typeof value === 'string') {
    return { status: undefined, headers: undefined, bodies: parsed(value) };
  }
  const carried = [
    ...parsed(readField(value, 'responseBody')),
    ...parsed(readField(value, 'body')),
    ...(isErrorLike(value) ? parsed(readField(value, 'message')) : [value]),
  ];
  return {
    status: readStatus(value, 'statusCode', 'status'),
    headers: readField(value, 'responseHeaders') ?? readField(value, 'headers'),
    bodies: carried,
  };
}

/** Whether a value is an error rather than a body: bodies have no stack. */
export function isErrorLike(value: unknown): boolean {
  try {
    return value instanceof Error || typeof readField(value, 'stack') === 'string';
  } catch {
    return false;
  }
}

function parsed(body: unknown): unknown[] {
  const value = typeof body === 'string' ? parseJson(body) : body;
  return hasFields(value) ? [value] : [];
}
