import { redact } from '../errors/redact.ts';
import { cutText, readField } from '../protocol/readField.ts';

/**
 * A field of a failure as it may leave the server: without secrets, and at most 4 Ki, because a client reads no more of
 * an answer than 64. Undefined for an empty text and for what is no text.
 */
export const sentField = (field: unknown): string | undefined =>
  // Redacted first: the first half of a secret cannot be told from a word.
  typeof field === 'string' && field !== '' ? cutText(redact(field)) : undefined;

/** What an error tells developers. Never throws. */
export const developerText = (error: object): string | undefined =>
  sentField(readField(error, 'detail')) ?? sentField(readField(error, 'message'));
