import { describe, expect, test } from 'vitest';
import { CODES } from '../../src/protocol/codes.ts';
import {
  codeStanding,
  readErrorBody,
  retryableByAnswer,
  writeErrorBody,
} from '../../src/protocol/errorBody.ts';

describe('the flag of a typed answer, first that applies', () => {
  test.each([
    // the body's own word
    [true, 400, 'validation_error', true],
    [false, 503, 'provider_overloaded', false],
    // 503 and a run in the way
    [undefined, 503, 'provider_auth_error', true],
    [undefined, 409, 'state_already_running', true],
    [undefined, undefined, 'state_already_running', true],
    // statuses that pass: the row where it says something
    [undefined, 429, 'provider_overloaded', true],
    [undefined, 429, 'provider_auth_error', false],
    [undefined, 429, 'provider_error', true],
    [undefined, 408, 'other', true],
    [undefined, 425, 'transport_error', true],
    [undefined, 502, 'framework_not_supported', false],
    [undefined, 504, 'framework_internal_error', true],
    // any other refusal
    [undefined, 400, 'validation_error', false],
    [undefined, 409, 'state_concurrency_conflict', false],
    [undefined, 500, 'provider_overloaded', false],
    [undefined, 404, 'state_session_not_found', false],
    // no status: the row
    [undefined, undefined, 'provider_overloaded', true],
    [undefined, undefined, 'provider_auth_error', false],
    [undefined, undefined, 'provider_error', undefined],
    [undefined, undefined, 'other_code', undefined],
    [undefined, 200, 'provider_overloaded', true],
  ] as const)('sent %s, status %s, %s: %s', (sent, status, code, flag) => {
    expect(retryableByAnswer({ sent, status, code })).toBe(flag);
  });
});

describe('a typed body', () => {
  test('keeps every field it knows and ignores the rest', () => {
    const body = {
      error: 'Busy.',
      code: 'state_not_resumable',
      retryable: false,
      detail: 'call c1 rejected',
      cause: 'answer_not_stored',
      runId: 'r1',
      toolCallIds: ['c1', 'c2'],
      currentStatus: 'completed',
      retryAfterMs: 1_500,
    };
    expect(readErrorBody({ ...body, other: 1 }, 409)).toEqual({
      ...body,
      category: 'state',
      status: 409,
    });
  });

  test.each(Object.keys(CODES))('of exactly error and code is read: %s', (code) => {
    expect(readErrorBody({ error: 'x', code }, 503)).toEqual({
      error: 'x',
      code,
      category: CODES[code as keyof typeof CODES].category,
      retryable: true,
      status: 503,
    });
  });

  test.each([
    ['VALIDATION_ERROR', 400, 'validation_error'],
    ['STREAM_NOT_FOUND', 404, 'state_session_not_found'],
    ['STREAM_READER_ERROR', 404, 'transport_error'],
    ['STREAM_FAILED', 410, 'framework_internal_error'],
    ['CONFIGURATION_ERROR', 501, 'framework_not_supported'],
    ['EXECUTION_ERROR', 500, 'framework_internal_error'],
    ['STREAM_CREATION_ERROR', 500, 'transport_error'],
  ])('with the legacy code %s keeps the text', (wireCode, status, code) => {
    expect(readErrorBody({ error: 'x', code: wireCode }, status)).toMatchObject({
      code,
      wireCode,
      retryable: false,
      status,
    });
  });

  test('with an unknown code keeps it as text', () => {
    expect(readErrorBody({ error: 'x', code: 'provider_new' })).toEqual({
      error: 'x',
      code: 'provider_new',
      wireCode: 'provider_new',
      category: 'provider',
      retryable: undefined,
    });
  });

  test('may carry a cause in detail, at most 8 deep', () => {
    const nest = (depth: number): object => ({
      message: `m${depth}`,
      ...(depth < 20 && { cause: nest(depth + 1) }),
    });
    const body = readErrorBody({ error: 'x', code: 'provider_error', cause: nest(1) });
    const messages: string[] = [];
    let cause = body?.cause;
    while (typeof cause === 'object') {
      messages.push(cause.message);
      cause = cause.cause;
    }
    expect(messages).toEqual(['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8']);
  });

  test('is bounded: strings at 4 Ki, lists at 100', () => {
    const body = readErrorBody({
      error: 'e'.repeat(10_000),
      code: 'provider_error',
      toolCallIds: Array.from({ length: 300 }, (_, index) => `c${index}`),
    });
    expect(body?.error).toHaveLength(4_096);
    expect(body?.toolCallIds).toHaveLength(100);
  });

  test('is never cut inside a surrogate pair', () => {
    const text = `${'e'.repeat(4_095)}😀`;
    expect(readErrorBody({ error: text, code: 'provider_error' })?.error).toBe('e'.repeat(4_095));
  });

  test.each([
    { retryAfterMs: -1 },
    { retryAfterMs: '5' },
    { retryAfterMs: Number.POSITIVE_INFINITY },
    { retryable: 'true' },
    { runId: 7 },
    { runId: '' },
    { toolCallIds: 'c1' },
    { detail: {} },
    { cause: 7 },
    { cause: {} },
    { category: 'other' },
  ])('drops a field of the wrong type: %j', (fields) => {
    expect(readErrorBody({ error: 'x', code: 'provider_error', ...fields })).toEqual({
      error: 'x',
      code: 'provider_error',
      category: 'provider',
      retryable: undefined,
    });
  });

  test.each([
    undefined,
    null,
    'text',
    {},
    [],
    [{ error: 'x', code: 'provider_error' }],
    { error: 'x' },
    { error: 'x', code: '' },
    { error: 'x', code: 7 },
    { code: 'SOME_WORD' },
    { error: { message: 'x' }, code: 'provider_error' },
    { error: { message: 'bad key', type: 'invalid_request_error', code: 'invalid_api_key' } },
  ])('is not %j', (value) => {
    expect(readErrorBody(value, 500)).toBeUndefined();
  });
});

test.each([
  [{ code: 'provider_error' }, 'known'],
  [{ code: 'STREAM_FAILED' }, 'known'],
  [{ code: 'provider_new' }, 'prefixed'],
  [{ code: 'mine', retryable: false }, 'vouched'],
  [{ code: 'mine', runId: 'r' }, 'vouched'],
  [{ code: 'mine', detail: '' }, 'vouched'],
  [{ code: 'mine', error: 'x' }, 'bare'],
  [{ error: 'x' }, undefined],
])('the code of %j is %s', (body, standing) => {
  expect(codeStanding(body)).toBe(standing);
});

describe('a body that is written', () => {
  test('is exactly error and code unless there is more to say', () => {
    expect(writeErrorBody({ code: 'framework_hook_failed' })).toEqual({
      error: CODES.framework_hook_failed.sentence,
      code: 'framework_hook_failed',
    });
  });

  test('has a flag only for a run in the way', () => {
    expect(writeErrorBody({ code: 'state_already_running', runId: 'r1' })).toEqual({
      error: CODES.state_already_running.sentence,
      code: 'state_already_running',
      retryable: true,
      runId: 'r1',
    });
  });

  test.each([
    ['quota', 'quota'],
    ['deferred', 'deferred'],
    ['corrupt_row', 'corrupt_row'],
    ['disk full on node 7', undefined],
  ])('lets the cause %s out as %s', (cause, written) => {
    expect(writeErrorBody({ code: 'state_history_incomplete', cause }).cause).toBe(written);
  });

  test('comes back as it was written', () => {
    const fields = {
      error: 'Moved on.',
      code: 'state_not_resumable',
      cause: 'answer_not_stored',
      runId: 'r1',
      toolCallIds: ['c1'],
      currentStatus: 'failed',
      retryAfterMs: 10,
      detail: 'd',
    } as const;
    expect(readErrorBody(writeErrorBody(fields), 409)).toEqual({
      ...fields,
      category: 'state',
      retryable: false,
      status: 409,
    });
  });
});
