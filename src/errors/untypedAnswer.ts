import type { ErrorCode } from '../protocol/codes.ts';
import { retryableByAnswer } from '../protocol/errorBody.ts';
import { readHeader } from '../protocol/readHeader.ts';
import type { Reason } from '../protocol/reasons.ts';

/** What the status and headers of an answer without a typed body say. */
export interface UntypedAnswer {
  readonly code: ErrorCode | undefined;
  readonly reason: Reason | undefined;
  readonly retryable: boolean | undefined;
  readonly shouldRetry: boolean | undefined;
}

const ROWS: Readonly<Record<number, readonly [code?: ErrorCode | undefined, reason?: Reason]>> = {
  401: [undefined, 'signed-out'],
  402: [undefined, 'quota'],
  403: [undefined, 'forbidden'],
  404: [undefined, 'not-found'],
  408: ['transport_error'],
  413: ['validation_error', 'too-large'],
  415: ['validation_error', 'file'],
  425: ['transport_error'],
  429: ['transport_error', 'rate-limit'],
  502: ['transport_error'],
  503: ['transport_error'],
  504: ['transport_error'],
};

/** The reading of an answer by its status, where its body says nothing that can be trusted. */
export function readUntypedAnswer(status: number, headers?: unknown): UntypedAnswer {
  const shouldRetry = readShouldRetry(headers);
  // A 2xx or 3xx that should have been a stream, or a typed refusal, is neither.
  if (status < 400) {
    return {
      code: 'transport_error',
      reason: 'unexpected-response',
      retryable: undefined,
      shouldRetry,
    };
  }
  const [code, reason] = ROWS[status] ?? [];
  return { code, reason, retryable: shouldRetry ?? flagOf(status, code), shouldRetry };
}

function flagOf(status: number, code: ErrorCode | undefined): boolean | undefined {
  const row = ROWS[status];
  return row === undefined && status >= 500
    ? undefined
    : retryableByAnswer({ sent: undefined, status, code });
}

// The provider's own word, passed through by a thin proxy.
function readShouldRetry(headers: unknown): boolean | undefined {
  const word = readHeader(headers, 'x-should-retry')?.toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : undefined;
}
