import type { ErrorCode } from '../protocol/codes.ts';
import type { Reason } from '../protocol/reasons.ts';

/** What a model provider says by a status: a code, whether a repeat may help, and a reason where the code is not enough. */
export type ModelStatus = readonly [code: ErrorCode, retryable: boolean, reason?: Reason];

const ROWS: Readonly<Record<number, ModelStatus>> = {
  401: ['provider_auth_error', false],
  402: ['provider_rate_limited', false, 'quota'],
  403: ['provider_auth_error', false],
  408: ['provider_timeout', true],
  413: ['provider_invalid_request', false, 'too-long'],
  425: ['provider_overloaded', true],
  429: ['provider_rate_limited', true],
  // Groq's own: the flexible tier is full at the moment.
  498: ['provider_overloaded', true],
  503: ['provider_overloaded', true],
  529: ['provider_overloaded', true],
};

/** The status of a model provider's answer alone, read; undefined below 400. */
export function readModelStatus(status: number | undefined): ModelStatus | undefined {
  if (status === undefined || status < 400) return undefined;
  const other: ModelStatus =
    status >= 500 ? ['provider_error', true] : ['provider_invalid_request', false];
  return ROWS[status] ?? other;
}
