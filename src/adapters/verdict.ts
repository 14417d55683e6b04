import type { ErrorCode } from '../protocol/codes.ts';
import type { Reason } from '../protocol/reasons.ts';

/** What a foreign failure is in our words. */
export interface Verdict {
  readonly code: ErrorCode;
  /** `true`: the same request could succeed later with nobody changing it; `null`: nothing is known. */
  readonly retryable: boolean | null;
  readonly reason?: Reason;
}

/** What a table's row says: a code, its flag, and a reason where the code alone does not say it. */
export type Row = readonly [code: ErrorCode, retryable: boolean | null, reason?: Reason];

/** A row as a verdict. */
export function verdictOf([code, retryable, reason]: Row): Verdict {
  return reason === undefined ? { code, retryable } : { code, retryable, reason };
}

/** The prompt does not fit: less of it is the only way, so no wait helps. */
export const TOO_LONG: Verdict = verdictOf(['provider_invalid_request', false, 'too-long']);

/** An allowance is used up: only a stated wait or reset helps. */
export function quotaVerdict(waitMs: number | undefined): Verdict {
  return verdictOf(['provider_rate_limited', waitMs !== undefined, 'quota']);
}

/** `record[key]` for a key that a stranger chose: nothing inherited is ever found. */
export function rowAt<T>(record: Readonly<Record<string, T>>, key: unknown): T | undefined {
  return typeof key === 'string' && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** An id that is short and plain enough to be shown: no stranger's prose gets in by it. */
export function plainId(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w.:/+=-]{1,128}$/.test(value) ? value : undefined;
}

/** A verdict with its flag overruled by a word that counts more, where there is one. */
export function overruled(verdict: Verdict, word: boolean | undefined): Verdict {
  return word === undefined ? verdict : { ...verdict, retryable: word };
}
