import type { HelixError } from './HelixError.ts';
import { classifiedCause } from './resolveErrorDetail.ts';

/**
 * What the failure of an entry (a start, a resume, a retry, a wake) means for its run: another entry has the session, the
 * request itself cannot be taken, the same may work later, or it will never work.
 */
export type EntryFailure = 'lost' | 'refused' | 'transient' | 'fatal';

const LOST: ReadonlySet<string> = new Set([
  'state_already_running',
  'state_run_superseded',
  'state_concurrency_conflict',
]);

const REFUSED: ReadonlySet<string> = new Set([
  'validation_error',
  'framework_completion_strategy_unavailable',
  'framework_completion_schema_unsupported',
  'framework_agent_not_found',
  'state_session_not_found',
  'state_checkpoint_not_found',
  'state_checkpoint_foreign',
  'state_agent_type_mismatch',
  'state_not_resumable',
  'state_not_stoppable',
  'state_run_start_conflict',
  'state_request_key_conflict',
  'state_request_already_completed',
]);

/** How a runtime answers a wake (an alarm, an eviction, a submit) that failed: there is nobody to send an answer to. */
export const WAKE_AFTER: Readonly<Record<EntryFailure, 'nothing' | 'end-failed' | 're-arm'>> =
  Object.freeze({
    lost: 'nothing',
    refused: 'end-failed',
    transient: 're-arm',
    fatal: 'end-failed',
  });

/**
 * The class of an entry's failure, by the first of the error and its causes that is recognised. A flag of `true` is
 * transient, whatever the code, unless the entry was lost. What nobody recognises is transient too: a store or a network
 * that failed has no code, and a missing code does not mean for ever. Never throws.
 */
export function classifyEntryFailure(error: unknown): EntryFailure {
  const known = classifiedCause(error);
  return known === undefined ? 'transient' : classOf(known);
}

function classOf({ code, retryable }: HelixError): EntryFailure {
  if (code !== undefined && LOST.has(code)) return 'lost';
  if (retryable === true) return 'transient';
  return code !== undefined && REFUSED.has(code) ? 'refused' : 'fatal';
}
