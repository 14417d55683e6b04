import { type Category, categoryOf, isCategory } from './codes.ts';
import { present } from './present.ts';
import {
  cutText,
  hasFields,
  LIMITS,
  readBoolean,
  readField,
  readName,
  readNumber,
  readText,
} from './readField.ts';

/** The words that the `cause` field of a typed answer may be. */
export const CAUSES = [
  // state_history_incomplete
  'short_read',
  'corrupt_row',
  'store_error',
  'snapshot_unstable',
  // state_run_start_conflict
  'idempotency_mismatch',
  'entry_status_changed',
  'entry_abandoned',
  'resumed_companion_ref_missing',
  'request_key_taken',
  // state_not_resumable
  'resume_message_unknown',
  'answer_not_stored',
  // transport_stream_drop
  'run_not_live',
  // an allowance is used up; a limit that time lifts, though nothing repeats it; a turn that was put off
  'quota',
  'rate-limit',
  'deferred',
] as const;

/** A cause word of the wire. */
export type Cause = (typeof CAUSES)[number];

/** Whether a value is a known cause word. */
export function isCause(value: unknown): value is Cause {
  return (CAUSES as readonly unknown[]).includes(value);
}

/** What a platform said about a failed call, kept as it was said. */
export interface ErrorFlags {
  readonly overloaded?: boolean;
  readonly remote?: boolean;
}

/** A failure as data that can be stored, streamed and returned: what a runtime keeps of a terminal failure. */
export interface ErrorDetail {
  readonly message: string;
  /** A number where the raw value itself carried one, such as a status. */
  readonly code?: string | number;
  readonly category?: Category;
  /** Absent: nothing is known. */
  readonly retryable?: boolean;
  /** The wrapped message, or the wrapped failure in detail; at most 8 deep. */
  readonly cause?: string | ErrorDetail;
  readonly flags?: ErrorFlags;
}

/** An error detail out of any value; undefined where it has no message. Never throws; strings are cut, depth is at most 8. */
export function readErrorDetail(value: unknown, depth = 0): ErrorDetail | undefined {
  if (depth > LIMITS.depth || !hasFields(value)) return undefined;
  const message = readText(value, 'message');
  if (message === undefined) return undefined;
  const code = readName(value, 'code') ?? readNumber(value, 'code');
  const category = readField(value, 'category');
  return {
    message,
    ...present({
      code,
      category: isCategory(category)
        ? category
        : typeof code === 'string'
          ? categoryOf(code)
          : undefined,
      retryable: readBoolean(value, 'retryable'),
      cause: readCause(readField(value, 'cause'), depth + 1),
      flags: readFlags(readField(value, 'flags')),
    }),
  };
}

/** The `cause` of a body or a detail: a text, or a detail. */
export function readCause(value: unknown, depth = 1): string | ErrorDetail | undefined {
  return typeof value === 'string' ? cutText(value) : readErrorDetail(value, depth);
}

/** The two flags of a platform error that has at least one of them. */
export function readFlags(value: unknown): ErrorFlags | undefined {
  const overloaded = readBoolean(value, 'overloaded');
  const remote = readBoolean(value, 'remote');
  if (overloaded === undefined && remote === undefined) return undefined;
  return present({ overloaded, remote });
}
