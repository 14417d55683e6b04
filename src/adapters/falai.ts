import type { ErrorAdapter } from '../errors/toHelixError.ts';
import { firstReading } from './candidates.ts';
import { readFalaiError } from './falaiError.ts';
import { readFalaiTurn } from './falaiTurn.ts';

/**
 * falai's errors and those of @providerkit/core, live or out of JSON, and the outcome of a turn that did not throw. A
 * provider's text (`body`) is never kept.
 */
export const falaiAdapter: ErrorAdapter = (thrown, { now }) =>
  firstReading(thrown, ({ value }) => readFalaiError(value, now) ?? readFalaiTurn(value)) ??
  readFalaiError(thrown, now);
