import type { HelixError } from '../errors/HelixError.ts';
import { readField, readName } from '../protocol/readField.ts';

const CALLER_ERRORS: ReadonlySet<string> = new Set([
  'validation_error',
  'framework_completion_strategy_unavailable',
  'framework_completion_schema_unsupported',
]);

const MISSING: ReadonlySet<string> = new Set([
  'state_session_not_found',
  'state_checkpoint_not_found',
  'state_checkpoint_foreign',
  'framework_agent_not_found',
]);

/**
 * The HTTP status that answers a typed failure. 503 means that this request may be repeated as it is; so once its input
 * was written (`committed`) the answer is 409 or 500, never 503.
 */
export function httpStatusForHelixError(
  error: Pick<HelixError, 'code' | 'retryable'> & Partial<Pick<HelixError, 'reason'>>,
  options: { readonly committed: boolean },
): number {
  const code = readName(error, 'code') ?? '';
  const conflict = code.startsWith('state_');
  // A deferred turn is one that the server has taken and will go on with: a repeat would double it.
  if (options.committed || readField(error, 'reason') === 'deferred') return conflict ? 409 : 500;
  if (CALLER_ERRORS.has(code)) return 400;
  if (MISSING.has(code)) return 404;
  if (code === 'state_already_running') return 409;
  if (readField(error, 'retryable') === true) return 503;
  return conflict ? 409 : 500;
}
