import type { ErrorAdapter } from '../errors/toHelixError.ts';
import { firstReading } from './candidates.ts';
import { readDeuzError } from './deuzError.ts';
import { readDeuzMessage, readDeuzStream } from './deuzStream.ts';

/**
 * Deuz errors, live or out of JSON; the result of a native run; its stream, whose error part keeps a sentence and
 * nothing else; and what its route answers to a message that it does not take.
 */
export const deuzAdapter: ErrorAdapter = (thrown, { now }) =>
  firstReading(thrown, ({ value, status }) => readDeuzError(value, status, now)) ??
  readDeuzStream(thrown, now) ??
  readDeuzMessage(thrown, now);
