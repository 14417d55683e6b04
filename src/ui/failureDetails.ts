import type { Failure } from '../errors/failure.ts';
import { redact } from '../errors/redact.ts';
import type { RecoveryState } from '../recovery/state.ts';

/** One fact about a failure for a developer: its name on the wire and its value, without secrets. */
export interface DetailRow {
  readonly name: string;
  readonly value: string;
}

/** What a developer may see of a failure. */
export interface FailureDetails {
  /** The code on one line, for the closed row. */
  readonly code: string;
  readonly rows: readonly DetailRow[];
  /** All of it as JSON text. */
  readonly json: string;
}

/** The facts of a failure, each without secrets. Nothing of the conversation is among them. Never throws. */
export function failureDetails(
  failure: Failure,
  recovery: RecoveryState | undefined,
): FailureDetails {
  const { error, phase, committed, attempts } = failure;
  const { category, statusCode, reason, runId, requestId, detail } = error;
  const code = plain(error.code ?? error.wireCode ?? 'unknown');
  const status = [statusCode, flagOf(error.retryable)].filter((part) => part !== undefined);
  const all: readonly (readonly [string, string | undefined])[] = [
    ['code', code],
    ['category', category],
    ['status', status.join(' ')],
    ['reason', reason],
    ['phase', phase],
    ['run', runId],
    ['request', requestId],
    ['attempts', triesOf(failure, recovery)],
    ['detail', detail],
  ];
  const rows = all.flatMap(([name, value]) => (value ? [{ name, value: plain(value) }] : []));
  return { code, rows, json: jsonOf({ ...jsonError(error), detail, phase, committed, attempts }) };
}

/** Four dots stand for what is hidden of a secret. */
const plain = (text: string): string => redact(String(text)).replaceAll('***', '••••');

function flagOf(retryable: boolean | undefined): string | undefined {
  if (retryable === undefined) return undefined;
  return retryable ? 'retryable' : 'not retryable';
}

function triesOf({ id, attempts }: Failure, recovery: RecoveryState | undefined) {
  if (recovery?.name === 'backing-off' && recovery.failure.id === id) {
    return `${recovery.attempt} of ${recovery.attempts}`;
  }
  return attempts?.length ? String(attempts.length) : undefined;
}

// An error of another copy of the package, or one that was cloned, has its fields alone.
function jsonError(error: Failure['error']): object {
  return typeof error.toJSON === 'function' ? error.toJSON() : { ...error };
}

function jsonOf(value: object): string {
  return JSON.stringify(redact(value), null, 2);
}
