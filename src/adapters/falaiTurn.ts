import type { HelixErrorInit } from '../errors/HelixError.ts';
import { present } from '../protocol/present.ts';
import { readField, readList } from '../protocol/readField.ts';
import { readTime } from './statedWait.ts';
import { type Row, rowAt, verdictOf } from './verdict.ts';

/** The outcome codes that tell of a failure. The others are the normal course of a flow and are never shown as errors. */
const CODES: Readonly<Record<string, Row>> = {
  'provider-unavailable': ['provider_overloaded', true],
  'provider-quota': ['provider_rate_limited', false, 'quota'],
  'provider-auth': ['provider_auth_error', false],
  'provider-context': ['provider_invalid_request', false, 'too-long'],
  'provider-invalid': ['provider_invalid_request', false],
  'flow-gone': ['framework_agent_not_found', false],
  'step-gone': ['framework_agent_not_found', false],
  'step-loop': ['framework_max_steps_exhausted', false],
  'action-failed': ['tool_execution_failed', false],
  'unknown-field': ['tool_input_invalid', false],
  'bad-value': ['tool_input_invalid', false],
  'not-in-enum': ['tool_input_invalid', false],
};

/** Codes of a turn that did nothing, whatever the status of their line. */
const NO_TURN: Readonly<Record<string, Row>> = {
  'no-session': ['state_session_not_found', false],
  'duplicate-input': ['state_request_already_completed', false],
  'stale-wake': ['state_run_superseded', false],
};

const KINDS: readonly unknown[] = ['prompt', 'collect', 'say', 'do', 'wait', 'if', 'idle'];
const STATUSES: readonly unknown[] = ['ok', 'skipped', 'failed', 'waiting', 'deferred'];

/**
 * What went wrong in a turn that returned: its first outcome that was put off or failed, else the code of a turn that
 * did nothing. Undefined for a turn in which nothing did, and for anything that is no turn.
 */
export function readFalaiTurn(value: unknown): HelixErrorInit | undefined {
  const outcomes = isOutcome(value) ? [value] : outcomesOf(value);
  const bad = outcomes?.find((outcome) =>
    ['deferred', 'failed'].includes(String(plain(readField(outcome, 'status')))),
  );
  if (bad !== undefined) return readOutcome(bad);
  for (const outcome of outcomes ?? []) {
    const row = rowAt(NO_TURN, readField(outcome, 'code'));
    if (row !== undefined && readField(outcome, 'status') !== 'ok') return verdictOf(row);
  }
  return undefined;
}

const plain = (value: unknown): string => (typeof value === 'string' ? value : '');

function outcomesOf(value: unknown): readonly unknown[] | undefined {
  const isTurn =
    typeof readField(value, 'llmCalls') === 'number' ||
    typeof readField(value, 'changed') === 'boolean';
  return isTurn ? readList(value, 'outcomes')?.filter(isOutcome) : undefined;
}

// The entry codes stand on a line of no step, so of no kind.
function isOutcome(value: unknown): boolean {
  const kind = readField(value, 'kind');
  const code = readField(value, 'code');
  const told = KINDS.includes(kind) || (kind === undefined && rowAt(NO_TURN, code) !== undefined);
  return (
    told && STATUSES.includes(readField(value, 'status')) && readField(value, 'at') !== undefined
  );
}

function readOutcome(outcome: unknown): HelixErrorInit | undefined {
  const code = readField(outcome, 'code');
  const row = rowAt(CODES, code) ?? rowAt(NO_TURN, code);
  if (row === undefined || typeof code !== 'string') return undefined;
  return readField(outcome, 'status') === 'deferred'
    ? readDeferred(outcome, code, row)
    : { ...verdictOf(row), wireCode: code };
}

// The server goes on by itself at `until`: a waiting state. The idle speaker has nothing to wake: the next message asks it.
function readDeferred(outcome: unknown, code: string, row: Row): HelixErrorInit {
  const wait = (readTime(outcome, 'until') ?? Number.NaN) - (readTime(outcome, 'at') ?? Number.NaN);
  const wakes = readField(outcome, 'kind') !== 'idle';
  return {
    code: row[0],
    retryable: true,
    wireCode: code,
    ...present({
      reason: wakes ? ('deferred' as const) : undefined,
      retryAfterMs: wakes && wait >= 0 ? wait : undefined,
    }),
  };
}
