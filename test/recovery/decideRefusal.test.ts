import { describe, expect, test } from 'vitest';
import { HelixError, type HelixErrorInit } from '../../src/errors/HelixError.ts';
import { decideRefusal } from '../../src/recovery/decide.ts';
import type { ActKind, Turn } from '../../src/recovery/model.ts';
import type { Refusal } from '../../src/transport/turnHost.ts';
import { testEnv, testTurn } from './fixtures.ts';

interface Row {
  readonly when: string;
  readonly kind?: ActKind;
  readonly status: number | undefined;
  readonly error: HelixErrorInit;
  readonly committed?: Refusal['committed'];
  readonly keyed?: boolean;
  readonly route?: boolean;
  readonly turn?: Partial<Turn>;
  readonly signIn?: boolean;
  readonly expected: Record<string, unknown>;
}

const network: HelixErrorInit = { code: 'transport_error', retryable: true, reason: 'network' };
const rows: readonly Row[] = [
  {
    when: 'no response, with a key',
    status: undefined,
    error: network,
    keyed: true,
    expected: { do: 'repeat', wait: 'backoff' },
  },
  {
    when: 'no response, with a key, tries spent',
    status: undefined,
    error: network,
    keyed: true,
    turn: { tries: 4 },
    expected: { do: 'read', absent: 'fail' },
  },
  {
    when: 'no response, with a key, tries spent, no route',
    status: undefined,
    error: network,
    keyed: true,
    route: false,
    turn: { tries: 4 },
    expected: { do: 'fail', committed: 'unknown' },
  },
  {
    when: 'no response, without a key',
    status: undefined,
    error: network,
    expected: { do: 'read', absent: 'fail' },
  },
  {
    when: 'no response, without key and route',
    status: undefined,
    error: network,
    route: false,
    expected: { do: 'fail', committed: 'unknown' },
  },
  {
    when: '502, without key and route',
    status: 502,
    error: network,
    route: false,
    expected: { do: 'fail', committed: 'unknown' },
  },
  { when: '504, with a key', status: 504, error: network, keyed: true, expected: { do: 'repeat' } },
  {
    when: '408 untyped',
    status: 408,
    error: { code: 'transport_error', retryable: true },
    route: false,
    expected: { do: 'repeat', wait: 'backoff' },
  },
  {
    when: '425 untyped',
    status: 425,
    error: { code: 'transport_error', retryable: true },
    route: false,
    expected: { do: 'repeat' },
  },
  {
    when: '429 untyped',
    status: 429,
    error: { code: 'transport_error', retryable: true, reason: 'rate-limit', retryAfterMs: 2000 },
    route: false,
    expected: { do: 'repeat' },
  },
  {
    when: '503 typed',
    status: 503,
    error: { code: 'provider_overloaded', retryable: true },
    expected: { do: 'repeat' },
  },
  {
    when: '503 typed, tries spent',
    status: 503,
    error: { code: 'provider_overloaded', retryable: true },
    turn: { tries: 4 },
    expected: { do: 'fail', committed: 'no' },
  },
  {
    when: '503 with a wait over the cap',
    status: 503,
    error: { code: 'provider_rate_limited', retryable: true, retryAfterMs: 61_000 },
    expected: { do: 'fail', committed: 'no' },
  },
  {
    when: '429 quota, flag false',
    status: 429,
    error: { code: 'provider_rate_limited', retryable: false, reason: 'quota' },
    expected: { do: 'fail', committed: 'no' },
  },
  {
    when: '500 deferred',
    status: 500,
    error: { code: 'provider_overloaded', reason: 'deferred', retryAfterMs: 5000 },
    committed: 'yes',
    expected: { do: 'defer' },
  },
  {
    when: '200 without an event stream',
    status: 200,
    error: { code: 'transport_error', reason: 'unexpected-response' },
    expected: { do: 'read', absent: 'fail' },
  },
  {
    when: '200 without an event stream, no route',
    status: 200,
    error: { code: 'transport_error', reason: 'unexpected-response' },
    route: false,
    expected: { do: 'fail', committed: 'unknown' },
  },
  {
    when: '409 already running',
    status: 409,
    error: { code: 'state_already_running', retryable: true },
    committed: 'no',
    expected: { do: 'hold' },
  },
  {
    when: '409 entry_status_changed',
    status: 409,
    error: { code: 'state_run_start_conflict', reason: 'entry_status_changed' },
    expected: { do: 'read', absent: 'repeat' },
  },
  {
    when: '409 entry_abandoned the second time',
    status: 409,
    error: { code: 'state_run_start_conflict', reason: 'entry_abandoned' },
    turn: { spent: ['entry'] },
    expected: { do: 'fail', committed: 'no' },
  },
  {
    when: '409 request_key_taken',
    status: 409,
    error: { code: 'state_run_start_conflict', reason: 'request_key_taken' },
    expected: { do: 'repeat', wait: 'none' },
  },
  {
    when: '409 idempotency_mismatch',
    status: 409,
    error: { code: 'state_run_start_conflict', reason: 'idempotency_mismatch' },
    expected: { do: 'fail', committed: 'no', newKey: true },
  },
  {
    when: '409 key conflict',
    status: 409,
    error: { code: 'state_request_key_conflict' },
    expected: { do: 'read', absent: 'repeat-new-key' },
  },
  {
    when: '409 key conflict again',
    status: 409,
    error: { code: 'state_request_key_conflict' },
    turn: { spent: ['key-conflict'] },
    expected: { do: 'read', absent: 'fail' },
  },
  {
    when: '409 key conflict, no route',
    status: 409,
    error: { code: 'state_request_key_conflict' },
    route: false,
    expected: { do: 'fail', committed: 'unknown', newKey: true },
  },
  {
    when: '409 already completed',
    status: 409,
    error: { code: 'state_request_already_completed' },
    expected: { do: 'read', absent: 'fail' },
  },
  {
    when: '409 already completed, no route',
    status: 409,
    error: { code: 'state_request_already_completed' },
    route: false,
    expected: { do: 'fail', committed: 'unknown', newKey: true },
  },
  {
    when: '409 concurrency',
    status: 409,
    error: { code: 'state_concurrency_conflict' },
    expected: { do: 'read', absent: 'repeat' },
  },
  {
    when: '409 concurrency the third time',
    status: 409,
    error: { code: 'state_concurrency_conflict' },
    turn: { spent: ['concurrency', 'concurrency'] },
    expected: { do: 'fail' },
  },
  {
    when: '409 of an unknown kind',
    status: 409,
    error: {},
    expected: { do: 'read', absent: 'fail' },
  },
  {
    when: '500 untyped',
    status: 500,
    error: {},
    committed: 'unknown',
    expected: { do: 'read', absent: 'fail' },
  },
  {
    when: '500 with x-should-retry',
    status: 500,
    error: { retryable: true, shouldRetry: true },
    committed: 'unknown',
    expected: { do: 'read', absent: 'repeat' },
  },
  {
    when: '500 without a route',
    status: 500,
    error: {},
    committed: 'unknown',
    route: false,
    expected: { do: 'fail', committed: 'unknown' },
  },
  {
    when: '401 with onUnauthorized',
    status: 401,
    error: { reason: 'signed-out' },
    signIn: true,
    expected: { do: 'authorize' },
  },
  {
    when: '401 with onUnauthorized, already asked',
    status: 401,
    error: { reason: 'signed-out' },
    signIn: true,
    turn: { spent: ['authorize'] },
    expected: { do: 'fail', committed: 'no' },
  },
  {
    when: '401',
    status: 401,
    error: { reason: 'signed-out' },
    expected: { do: 'fail', committed: 'no' },
  },
  {
    when: '413',
    status: 413,
    error: { code: 'validation_error', reason: 'too-large' },
    expected: { do: 'fail', committed: 'no' },
  },
  {
    when: 'regenerate, no response, with a key',
    kind: 'regenerate',
    status: undefined,
    error: network,
    keyed: true,
    expected: { do: 'repeat' },
  },
  {
    when: 'regenerate, no response, without a key',
    kind: 'regenerate',
    status: undefined,
    error: network,
    expected: { do: 'read', absent: 'fail' },
  },
  {
    when: 'regenerate refused by a conflict is never held',
    kind: 'regenerate',
    status: 409,
    error: { code: 'state_already_running' },
    committed: 'no',
    expected: { do: 'fail', committed: 'no' },
  },
  {
    when: 'edit refused by 503',
    kind: 'edit',
    status: 503,
    error: { code: 'provider_overloaded', retryable: true },
    committed: 'no',
    expected: { do: 'fail', committed: 'no' },
  },
  {
    when: 'edit answered by a page',
    kind: 'edit',
    status: 200,
    error: { code: 'transport_error', reason: 'unexpected-response' },
    expected: { do: 'read', absent: 'fail' },
  },
  {
    when: 'no response, with a key, at the last try',
    status: undefined,
    error: network,
    keyed: true,
    turn: { tries: 3 },
    expected: { do: 'repeat', wait: 'backoff' },
  },
  {
    when: '503 with a wait at the cap',
    status: 503,
    error: { code: 'provider_rate_limited', retryable: true, retryAfterMs: 60_000 },
    expected: { do: 'repeat', wait: 'backoff' },
  },
  {
    when: '503 at the last try',
    status: 503,
    error: { code: 'provider_overloaded', retryable: true },
    turn: { tries: 3 },
    expected: { do: 'repeat', wait: 'backoff' },
  },
  {
    when: '409 entry_abandoned the first time',
    status: 409,
    error: { code: 'state_run_start_conflict', reason: 'entry_abandoned' },
    turn: { spent: ['key-taken'] },
    expected: { do: 'read', absent: 'repeat', spend: 'entry' },
  },
  {
    when: '409 entry_status_changed, no route',
    status: 409,
    error: { code: 'state_run_start_conflict', reason: 'entry_status_changed' },
    route: false,
    expected: { do: 'fail', committed: 'no', newKey: false },
  },
  {
    when: '409 request_key_taken the second time',
    status: 409,
    error: { code: 'state_run_start_conflict', reason: 'request_key_taken' },
    turn: { spent: ['key-taken'] },
    expected: { do: 'fail', committed: 'no', newKey: true },
  },
  {
    when: '409 key conflict the first time',
    status: 409,
    error: { code: 'state_request_key_conflict' },
    expected: { do: 'read', absent: 'repeat-new-key', spend: 'key-conflict' },
  },
  {
    when: '409 concurrency the second time',
    status: 409,
    error: { code: 'state_concurrency_conflict' },
    turn: { spent: ['concurrency'] },
    expected: { do: 'read', absent: 'repeat', spend: 'concurrency' },
  },
  {
    when: '409 concurrency, no route',
    status: 409,
    error: { code: 'state_concurrency_conflict' },
    route: false,
    expected: { do: 'fail', committed: 'no', newKey: false },
  },
  {
    when: '409 of an unknown kind, no route',
    status: 409,
    error: {},
    route: false,
    expected: { do: 'fail', committed: 'unknown', newKey: false },
  },
  {
    when: '500 with x-should-retry, at the last try',
    status: 500,
    error: { shouldRetry: true },
    turn: { tries: 3 },
    expected: { do: 'read', absent: 'repeat' },
  },
  {
    when: '500 with x-should-retry, tries spent',
    status: 500,
    error: { shouldRetry: true },
    turn: { tries: 4 },
    expected: { do: 'read', absent: 'fail' },
  },
  {
    when: '401 with onUnauthorized, another repair spent',
    status: 401,
    error: { reason: 'signed-out' },
    signIn: true,
    turn: { spent: ['entry'] },
    expected: { do: 'authorize' },
  },
  {
    when: '403 with onUnauthorized',
    status: 403,
    error: { reason: 'forbidden' },
    signIn: true,
    expected: { do: 'fail', committed: 'no', newKey: false },
  },
  {
    when: '429 deferred is a busy server',
    status: 429,
    error: { code: 'provider_overloaded', reason: 'deferred', retryable: true },
    expected: { do: 'repeat', wait: 'backoff' },
  },
  {
    when: 'regenerate deferred',
    kind: 'regenerate',
    status: 500,
    error: { code: 'provider_overloaded', reason: 'deferred' },
    expected: { do: 'defer' },
  },
  {
    when: 'regenerate that was taken already',
    kind: 'regenerate',
    status: 409,
    error: { code: 'state_request_already_completed' },
    committed: 'yes',
    expected: { do: 'read', absent: 'fail' },
  },
  {
    when: 'regenerate that was taken already, no route',
    kind: 'regenerate',
    status: 409,
    error: { code: 'state_request_already_completed' },
    committed: 'yes',
    route: false,
    expected: { do: 'fail', committed: 'yes' },
  },
  {
    when: 'edit answered by a page, no route',
    kind: 'edit',
    status: 200,
    error: { code: 'transport_error', reason: 'unexpected-response' },
    committed: 'unknown',
    route: false,
    expected: { do: 'fail', committed: 'unknown' },
  },
  {
    when: 'edit answered by an error’s page',
    kind: 'edit',
    status: 404,
    error: { code: 'transport_error', reason: 'unexpected-response' },
    expected: { do: 'fail', committed: 'no' },
  },
  {
    when: 'edit answered by a short body that says what failed',
    kind: 'edit',
    status: 200,
    error: { code: 'provider_overloaded' },
    committed: 'unknown',
    expected: { do: 'fail', committed: 'unknown' },
  },
];

describe('the table, for a refused act', () => {
  test.each(rows)('$when', (row) => {
    const { kind = 'send', keyed = false, route = true, turn = {}, signIn = false } = row;
    const refusal: Refusal = {
      stage: 'request',
      error: new HelixError({ statusCode: row.status, ...row.error }),
      status: row.status,
      committed: row.committed ?? 'no',
    };
    const env = testEnv({
      keyed,
      canAuthorize: signIn,
      routes: { stream: 'known', stop: 'known', snapshot: route ? 'known' : 'absent' },
    });
    expect(decideRefusal(testTurn({ kind, tries: 1, ...turn }), refusal, env)).toMatchObject(
      row.expected,
    );
  });

  test('an answer that is no failure, and none the row knows, is not known to have been taken', () => {
    const refusal = { stage: 'request', error: undefined, status: 204, committed: 'yes' } as const;
    expect(decideRefusal(testTurn(), refusal, testEnv())).toEqual({
      ...{ do: 'fail', committed: 'unknown', newKey: false },
    });
  });
});
