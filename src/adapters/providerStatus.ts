import { quotaVerdict, type Row, TOO_LONG, type Verdict, verdictOf } from './verdict.ts';

const ROWS: Readonly<Record<number, Row>> = {
  401: ['provider_auth_error', false],
  403: ['provider_auth_error', false],
  408: ['provider_timeout', true],
  425: ['provider_overloaded', true],
  429: ['provider_rate_limited', true],
  // Groq's own: the flexible tier is full at the moment.
  498: ['provider_overloaded', true],
  503: ['provider_overloaded', true],
  529: ['provider_overloaded', true],
};

/** What a model provider says by the status of its answer alone; undefined below 400. */
export function verdictByStatus(
  status: number | undefined,
  waitMs?: number | undefined,
): Verdict | undefined {
  if (status === undefined || status < 400) return undefined;
  if (status === 402) return quotaVerdict(waitMs);
  if (status === 413) return TOO_LONG;
  const row = ROWS[status];
  if (row !== undefined) return verdictOf(row);
  return verdictOf(status >= 500 ? ['provider_error', true] : ['provider_invalid_request', false]);
}
