import { classifyEntryFailure } from '../errors/classifyEntryFailure.ts';
import { HelixError } from '../errors/HelixError.ts';
import { classifiedCause } from '../errors/resolveErrorDetail.ts';
import { type TypedResponseOptions, typedErrorResponse } from './chatErrorResponse.ts';

/**
 * The answer to a start, a resume or a retry whose entry failed: 409 `state_already_running` where another entry has the
 * session, else the status of the error's code; 503 only while the input is not committed. A failure that nobody
 * recognises is `framework_internal_error`, 503 or, once committed, 500; its text never leaves. Never throws.
 */
export function entryFailureResponse(
  error: unknown,
  options: TypedResponseOptions & { readonly committed: boolean },
): Response {
  if (classifyEntryFailure(error) === 'lost') {
    const runId = classifiedCause(error)?.runId;
    const lost = new HelixError({ code: 'state_already_running', runId, cause: error });
    return typedErrorResponse(lost, options);
  }
  const known = classifiedCause(error);
  if (known !== undefined) return typedErrorResponse(known, options);
  const unknown = new HelixError({
    code: 'framework_internal_error',
    retryable: true,
    cause: error,
  });
  return typedErrorResponse(unknown, { ...options, exposeDetail: false });
}
