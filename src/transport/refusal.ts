import type { Committed } from '../errors/failure.ts';
import type { HelixError } from '../errors/HelixError.ts';
import { CODES, isErrorCode } from '../protocol/codes.ts';

/**
 * The status of a refusal. Where the transport shows none (ai 6 throws the body as a message), a typed body of a 4xx
 * code stands for it; a code of a 5xx goes with several, before and after the message was written.
 */
export function statusOf(error: HelixError, seen: number | undefined): number | undefined {
  const status = error.statusCode ?? seen;
  const { code } = error;
  if (status !== undefined || !('body' in error) || !isErrorCode(code)) return status;
  const { httpStatus } = CODES[code];
  return httpStatus < 500 ? httpStatus : undefined;
}

const writtenNothing: ReadonlySet<string | undefined> = new Set([
  'state_already_running',
  'state_run_start_conflict',
  'state_concurrency_conflict',
  'state_not_resumable',
  'state_run_superseded',
]);

/**
 * What a refusal proves about the message. A typed body counts first; then: a request that never left and any 4xx but
 * an unknown 409 wrote nothing, nor did a 503; everything else leaves it open.
 */
export function committedBy(
  error: HelixError | undefined,
  status: number | undefined,
  sent: boolean,
): Committed {
  if (!sent) return 'no';
  const { code, reason } = error ?? {};
  if (reason === 'deferred' || reason === 'request_key_taken' || reason === 'answer_not_stored') {
    return 'yes';
  }
  if (code === 'state_request_already_completed') return 'yes';
  if (code === 'state_request_key_conflict') return 'unknown';
  if (writtenNothing.has(code)) return 'no';
  if (status === undefined || status === 409) return 'unknown';
  return status === 503 || (status >= 400 && status < 500) ? 'no' : 'unknown';
}
