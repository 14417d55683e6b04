import { HelixError, type HelixErrorInit } from '../errors/HelixError.ts';

/** The same failure, said anew with some of its fields changed. */
export function restate(error: HelixError, changes: HelixErrorInit): HelixError {
  const { message, code, category, retryable, statusCode, cause, detail, serverMessage } = error;
  const { retryAfterMs, runId, requestId, provider, reason, wireCode, toolCallIds } = error;
  const { currentStatus, layer, shouldRetry, flags } = error;
  return new HelixError({
    ...{ message, code, category, statusCode, cause, detail, serverMessage },
    ...{ retryAfterMs, runId, requestId, provider, reason, wireCode, toolCallIds },
    ...{ currentStatus, layer, shouldRetry, flags },
    retryable: retryable ?? null,
    ...changes,
  });
}
