import { readField, readList, readName, readNumber, readWait } from '../protocol/readField.ts';
import { readHeader } from '../protocol/readHeader.ts';
import { readRetryAfter } from '../protocol/retryAfter.ts';
import { durationMs, waitInProse } from './providerProse.ts';

/** Where a wait may be stated. */
export interface WaitSources {
  readonly headers: unknown;
  /** The body's error object. */
  readonly error: unknown;
  readonly message: string | undefined;
  readonly now: number;
}

/**
 * The wait in ms that a provider's answer states: by a header in ms, `Retry-After` in seconds or as a date, the body's
 * fields, its prose; the first that can be read. Raw: a cap is policy.
 */
export function readStatedWait({ headers, error, message, now }: WaitSources): number | undefined {
  return (
    wholeMs(readHeader(headers, 'x-retry-after-ms')) ??
    readRetryAfter(headers, { now }) ??
    inBody(error, now) ??
    waitInProse(message)
  );
}

const wholeMs = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined;

function inBody(error: unknown, now: number): number | undefined {
  const seconds = readWait(error, 'resets_in_seconds');
  return (
    inDetails(error) ??
    readWait(error, 'retry_after_ms') ??
    (seconds === undefined ? undefined : seconds * 1_000) ??
    msUntil((readNumber(error, 'resets_at') ?? Number.NaN) * 1_000, now)
  );
}

// Google's RetryInfo: "52s", in the JSON form of a protobuf duration.
function inDetails(error: unknown): number | undefined {
  for (const detail of readList(error, 'details') ?? []) {
    const delay = readName(detail, 'retryDelay');
    const wait = delay === undefined ? undefined : durationMs(delay);
    if (wait !== undefined) return wait;
  }
  return undefined;
}

// Further away than this, one of the two clocks is not one.
const FAR_MS = 366 * 24 * 3_600_000;

/** The ms from now until a point in time; undefined when it is past, no time at all, or more than a year away. */
export function msUntil(at: number, now: number): number | undefined {
  const wait = at - now;
  return wait > 0 && wait <= FAR_MS ? wait : undefined;
}

/** A point in time in epoch ms out of a number, a `Date` or an ISO text. */
export function readTime(value: unknown, key: string): number | undefined {
  const time = readField(value, key);
  if (typeof time === 'number') return Number.isFinite(time) ? time : undefined;
  try {
    if (time instanceof Date) return knownTime(time.getTime());
  } catch {
    return undefined;
  }
  const iso = typeof time === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]{5,18}(?:Z|[+-]\d\d:?\d\d)$/;
  return iso && typeof time === 'string' && iso.test(time)
    ? knownTime(Date.parse(time))
    : undefined;
}

const knownTime = (ms: number): number | undefined => (Number.isNaN(ms) ? undefined : ms);
