import { describe, expect, test } from 'vitest';
import { HelixError, type HelixErrorInit } from '../../src/errors/HelixError.ts';
import { ANSWERED_AGAIN, decideSubmit } from '../../src/recovery/decideSubmit.ts';
import type { SubmitAgain } from '../../src/recovery/model.ts';
import { committedBy } from '../../src/transport/refusal.ts';
import { testEnv, testTurn } from './fixtures.ts';

interface Row {
  readonly when: string;
  readonly status: number | undefined;
  readonly error: HelixErrorInit;
  /** How the answers may go again once the conversation was read. */
  readonly again: SubmitAgain;
  /** What a chat without a snapshot route says of them. */
  readonly committed: 'no' | 'unknown' | 'yes';
}

const network: HelixErrorInit = { code: 'transport_error', retryable: true, reason: 'network' };
const gateway: HelixErrorInit = { code: 'transport_error', retryable: true };
const notResumable = (reason?: HelixErrorInit['reason'], retryable = false): HelixErrorInit => ({
  code: 'state_not_resumable',
  retryable,
  ...(reason === undefined ? {} : { reason }),
});

// biome-ignore format: one row a line
const rows: readonly Row[] = [
  { when: 'no response', status: undefined, error: network, again: 'later', committed: 'unknown' },
  { when: '502', status: 502, error: gateway, again: 'later', committed: 'unknown' },
  { when: '503', status: 503, error: gateway, again: 'later', committed: 'no' },
  { when: '504', status: 504, error: gateway, again: 'later', committed: 'unknown' },
  { when: '503 with a wait that is sat out', status: 503, error: { ...gateway, retryAfterMs: 60_000 }, again: 'later', committed: 'no' },
  { when: '503 with a wait over the cap', status: 503, error: { ...gateway, retryAfterMs: 60_001 }, again: 'no', committed: 'no' },
  { when: '503 run not live', status: 503, error: { code: 'transport_stream_drop', reason: 'run_not_live', retryable: true }, again: 'later', committed: 'no' },
  { when: 'another run is on', status: 409, error: { code: 'state_already_running', retryable: true }, again: 'now', committed: 'no' },
  { when: 'a message that the server does not hold', status: 409, error: notResumable('resume_message_unknown'), again: 'renamed', committed: 'no' },
  { when: 'an answer that was not stored', status: 409, error: notResumable('answer_not_stored'), again: 'no', committed: 'yes' },
  { when: 'nothing to resume', status: 409, error: notResumable(), again: 'no', committed: 'no' },
  { when: 'nothing to resume, flag true', status: 409, error: notResumable(undefined, true), again: 'no', committed: 'no' },
  { when: 'superseded', status: 409, error: { code: 'state_run_superseded', retryable: false }, again: 'no', committed: 'no' },
  { when: 'a concurrency conflict', status: 409, error: { code: 'state_concurrency_conflict' }, again: 'no', committed: 'no' },
  { when: 'any other 409', status: 409, error: { code: 'state_agent_type_mismatch' }, again: 'no', committed: 'unknown' },
  { when: 'an untyped 409', status: 409, error: {}, again: 'no', committed: 'unknown' },
  { when: '400', status: 400, error: { code: 'validation_error' }, again: 'no', committed: 'no' },
  { when: '401', status: 401, error: { reason: 'signed-out' }, again: 'no', committed: 'no' },
  { when: '404', status: 404, error: { code: 'state_session_not_found' }, again: 'no', committed: 'no' },
  { when: '408', status: 408, error: gateway, again: 'no', committed: 'no' },
  { when: '429', status: 429, error: { ...gateway, reason: 'rate-limit' }, again: 'no', committed: 'no' },
  { when: '500', status: 500, error: {}, again: 'no', committed: 'unknown' },
  { when: '500 with a retryable code', status: 500, error: { code: 'provider_overloaded', retryable: true }, again: 'no', committed: 'unknown' },
  { when: '200 without an event stream', status: 200, error: { code: 'transport_error', reason: 'unexpected-response' }, again: 'no', committed: 'unknown' },
];

const refusalOf = ({ status, error: init }: Row) => {
  const error = new HelixError({ statusCode: status, ...init });
  return { stage: 'request', error, status, committed: committedBy(error, status, true) } as const;
};
const answers = testTurn({
  kind: 'submit',
  message: undefined,
  answers: [{ type: 'tool-x', toolCallId: 't1', state: 'output-available' }],
  tries: 1,
});
const without = testEnv({ routes: { stream: 'absent', snapshot: 'absent', stop: 'absent' } });

describe('the table, for refused answers to tool calls', () => {
  test.each(rows)('$when: the conversation is read, then $again', (row) => {
    expect(decideSubmit(answers, refusalOf(row), testEnv())).toEqual({
      do: 'read-answers',
      again: row.again,
    });
  });

  test.each(rows)('$when, without a snapshot route: failed, the answers stay', (row) => {
    expect(decideSubmit(answers, refusalOf(row), without)).toEqual({
      do: 'fail',
      committed: row.committed,
    });
  });

  test.each(rows)('$when, after they went again once: not again by themselves', (row) => {
    const again = { ...answers, spent: [ANSWERED_AGAIN] };
    const verdict = decideSubmit(again, refusalOf(row), testEnv());
    expect(verdict).toEqual({ do: 'read-answers', again: 'no' });
  });

  test('401 with a sign-in to renew: that is asked for first, once', () => {
    const row = rows.find(({ status }) => status === 401) as Row;
    const env = testEnv({ canAuthorize: true });
    expect(decideSubmit(answers, refusalOf(row), env)).toEqual({ do: 'authorize' });
    const renewed = { ...answers, spent: ['authorize'] };
    expect(decideSubmit(renewed, refusalOf(row), env)).toEqual({
      do: 'read-answers',
      again: 'no',
    });
  });
});
