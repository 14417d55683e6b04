import { readHeader } from './readHeader.ts';

/** What a stated wait is read against. */
export interface WaitContext {
  /** Wall-clock time in ms: what an HTTP date is read against where the answer has no `Date` of its own. */
  readonly now: number;
  /** The wait of the body, the last to count. */
  readonly bodyMs?: number | undefined;
}

/**
 * The wait in ms that an answer states: `retry-after-ms`, else `Retry-After` in seconds or as an HTTP date, else the
 * body's. The first that can be read counts; a past date or a negative number cannot. Raw: a cap is policy.
 */
export function readRetryAfter(headers: unknown, context: WaitContext): number | undefined {
  return (
    amount(readHeader(headers, 'retry-after-ms'), 1) ??
    afterHeader(headers, context.now) ??
    notNegative(context.bodyMs)
  );
}

/** A wait as the value of `Retry-After`: whole seconds, rounded up. */
export function writeRetryAfter(ms: number): string {
  const seconds = ms > 0 ? Math.ceil(ms / 1000) : 0;
  return String(Math.min(seconds, Number.MAX_SAFE_INTEGER));
}

function afterHeader(headers: unknown, now: number): number | undefined {
  const text = readHeader(headers, 'retry-after');
  if (text === undefined) return undefined;
  const date = httpDate(text);
  if (date === undefined) return amount(text, 1000);
  // The server's own clock where it shows it: the two clocks need not agree.
  return notNegative(date - (httpDate(readHeader(headers, 'date')) ?? now));
}

function amount(text: string | undefined, factor: number): number | undefined {
  if (text === undefined || !/^\d{1,20}(\.\d{1,20})?$/.test(text)) return undefined;
  return notNegative(Number(text) * factor);
}

function notNegative(ms: number | undefined): number | undefined {
  return ms !== undefined && Number.isFinite(ms) && ms >= 0 ? ms : undefined;
}

// The three forms of RFC 9110: `Date.parse` alone would also take "2" for a year.
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

function httpDate(text: string | undefined): number | undefined {
  if (text === undefined || !HTTP_DATES.some((form) => form.test(text))) return undefined;
  const time = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(time) ? undefined : time;
}
