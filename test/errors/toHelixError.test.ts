import { describe, expect, test } from 'vitest';
import { HelixError, HelixRequestError, HelixSnapshotError } from '../../src/errors/HelixError.ts';
import { HelixStreamError } from '../../src/errors/HelixStreamError.ts';
import { type ErrorAdapter, toHelixError } from '../../src/errors/toHelixError.ts';
import { CODES } from '../../src/protocol/codes.ts';
import { REASONS } from '../../src/protocol/reasons.ts';

const html = '<html><body>Bad gateway of proxy-7</body></html>';
const claims: ErrorAdapter = () => ({ code: 'provider_overloaded', retryable: true });

describe('an untyped answer', () => {
  test.each([
    [401, undefined, 'signed-out', false],
    [403, undefined, 'forbidden', false],
    [404, undefined, 'not-found', false],
    [408, 'transport_error', undefined, true],
    [413, 'validation_error', 'too-large', false],
    [415, 'validation_error', 'file', false],
    [425, 'transport_error', undefined, true],
    [429, 'transport_error', 'rate-limit', true],
    [502, 'transport_error', undefined, true],
    [503, 'transport_error', undefined, true],
    [504, 'transport_error', undefined, true],
    [400, undefined, undefined, false],
    [402, undefined, 'quota', false],
    [409, undefined, undefined, false],
    [418, undefined, undefined, false],
    [500, undefined, undefined, undefined],
    [501, undefined, undefined, undefined],
    [529, undefined, undefined, undefined],
    [200, 'transport_error', 'unexpected-response', undefined],
    [302, 'transport_error', 'unexpected-response', undefined],
  ] as const)('of %d', (status, code, reason, retryable) => {
    for (const body of [
      html,
      '',
      'plain',
      '{"error":{"message":"m"}}',
      '{"detail":"d"}',
      undefined,
    ]) {
      const error = toHelixError({ status, headers: {}, body });
      expect(error).toBeInstanceOf(HelixRequestError);
      expect(error).toMatchObject({
        code,
        reason,
        retryable,
        statusCode: status,
        category: code === undefined ? 'unknown' : CODES[code].category,
      });
      expect(error.message).toBe(
        reason !== undefined ? REASONS[reason].sentence : new HelixError({ code }).message,
      );
    }
  });

  test.each([
    [500, 'true', true],
    [503, 'false', false],
    [429, 'false', false],
    [400, 'TRUE', true],
    [500, 'perhaps', undefined],
  ])('of %d follows x-should-retry: %s', (status, word, retryable) => {
    const error = toHelixError({ status, headers: { 'x-should-retry': word }, body: html });
    expect(error.retryable).toBe(retryable);
  });

  test('never overrules a typed body by x-should-retry', () => {
    const error = toHelixError({
      status: 409,
      headers: { 'X-Should-Retry': 'true' },
      body: { error: 'x', code: 'state_run_start_conflict' },
    });
    expect(error).toMatchObject({ retryable: false, shouldRetry: undefined });
  });

  test.each([
    ['{"error":{"message":"inner","code":1}}', 'inner'],
    ['{"error":"inner"}', 'inner'],
    ['{"message":"inner"}', 'inner'],
    ['{"detail":"inner"}', 'inner'],
    ['{"detail":{"message":"inner"}}', 'inner'],
    ['{"detail":[{"msg":"x"}]}', undefined],
    ['{"status":{"code":1,"message":"inner"}}', 'inner'],
    ['{"type":"about:blank","title":"inner"}', 'inner'],
    ['inner', 'inner'],
    [html, undefined],
  ])('keeps the sentence of %s for logs only', (body, serverMessage) => {
    const error = toHelixError({ status: 403, headers: {}, body });
    expect(error.serverMessage).toBe(serverMessage);
    expect(error.message).toBe(REASONS.forbidden.sentence);
  });

  test('has the wait and the support id of its headers', () => {
    const headers = { 'retry-after': '2', 'cf-ray': 'c1', 'x-vercel-id': 'v1' };
    expect(toHelixError({ status: 429, headers, body: '' })).toMatchObject({
      retryAfterMs: 2_000,
      requestId: 'v1',
    });
  });

  test('reads a date against the time that is given', () => {
    const now = Date.parse('Wed, 21 Oct 2015 07:28:00 GMT');
    const headers = { 'retry-after': 'Wed, 21 Oct 2015 07:28:09 GMT' };
    expect(toHelixError({ status: 503, headers }, { now }).retryAfterMs).toBe(9_000);
  });
});

describe('the support id', () => {
  test.each([
    [{ 'X-Request-Id': 'a', 'request-id': 'b' }, 'a'],
    [{ 'request-id': 'b', 'x-vercel-id': 'c' }, 'b'],
    [{ 'x-vercel-id': 'c', 'cf-ray': 'd' }, 'c'],
    [{ 'cf-ray': 'd' }, 'd'],
    [{ 'x-request-id': '', 'cf-ray': 'd' }, 'd'],
    [{}, undefined],
  ])('of %j is %s', (headers, requestId) => {
    expect(toHelixError({ status: 500, headers, body: '' }).requestId).toBe(requestId);
    expect(
      toHelixError({ status: 500, headers, body: { error: 'x', code: 'provider_error' } })
        .requestId,
    ).toBe(requestId);
  });
});

describe('a typed answer', () => {
  test('keeps all that it says', () => {
    const body = {
      error: 'as sent',
      code: 'state_not_resumable',
      cause: 'answer_not_stored',
      toolCallIds: ['c1'],
      runId: 'r1',
      currentStatus: 'paused',
      detail: 'developer text',
      retryAfterMs: 7,
    };
    const value = { status: 409, headers: { 'x-request-id': 'q1' }, body: JSON.stringify(body) };
    const error = toHelixError(value);
    expect(error).toMatchObject({
      name: 'HelixRequestError',
      message: REASONS.answer_not_stored.sentence,
      code: 'state_not_resumable',
      category: 'state',
      retryable: false,
      statusCode: 409,
      reason: 'answer_not_stored',
      toolCallIds: ['c1'],
      runId: 'r1',
      currentStatus: 'paused',
      detail: 'developer text',
      serverMessage: 'as sent',
      retryAfterMs: 7,
      requestId: 'q1',
      cause: value,
      body: { error: 'as sent', code: 'state_not_resumable' },
    });
  });

  test.each(Object.entries(CODES))('of %s never shows the text of the server', (code, row) => {
    const error = toHelixError({ status: 500, body: { error: 'SECRET', code, detail: 'SECRET' } });
    expect(error.message).toBe(row.sentence);
    expect(error.code).toBe(code);
  });

  test.each([
    ['short_read', 'short_read'],
    ['deferred', 'deferred'],
    ['quota', 'quota'],
    ['rate limited by upstream', undefined],
  ])('with the cause %s has the reason %s', (cause, reason) => {
    const body = { error: 'x', code: 'state_history_incomplete', cause };
    expect(toHelixError({ status: 409, body }).reason).toBe(reason);
  });

  test('of a read of the conversation is a snapshot error', () => {
    const value = { status: 503, body: { error: 'x', code: 'state_history_incomplete' } };
    expect(toHelixError(value, { phase: 'snapshot' })).toBeInstanceOf(HelixSnapshotError);
    expect(toHelixError(value, { phase: 'load' })).toBeInstanceOf(HelixSnapshotError);
    expect(toHelixError(value, { phase: 'send' })).not.toBeInstanceOf(HelixSnapshotError);
  });

  test('counts in a 200 too', () => {
    const body = { error: 'x', code: 'provider_auth_error' };
    expect(toHelixError({ status: 200, body })).toMatchObject({
      code: 'provider_auth_error',
      retryable: false,
    });
  });
});

describe('the order of evidence', () => {
  test('a HelixError is itself, also behind a wrapper', () => {
    const error = new HelixError({ reason: 'cut' });
    expect(toHelixError(error, { adapters: [claims] })).toBe(error);
    expect(toHelixError(new Error('x', { cause: error }), { adapters: [claims] })).toBe(error);
  });

  test.each(['provider_error', 'EXECUTION_ERROR', 'provider_new'])(
    'the code %s comes before the adapters',
    (code) => {
      const value = { status: 500, body: { error: 'x', code } };
      const error = toHelixError(value, { adapters: [claims] });
      expect(error.code).not.toBe('provider_overloaded');
    },
  );

  test.each([
    { status: 500, body: { error: 'x', code: 'my_code', retryable: false } },
    { status: 500, body: { error: 'x', code: 'my_code' } },
    { status: 500, body: html },
    { type: 'error', errorText: 'x' },
    new TypeError('Failed to fetch'),
    new DOMException('x', 'AbortError'),
    'boom',
  ])('the adapters come before %j', (value) => {
    expect(toHelixError(value, { adapters: [claims] })).toMatchObject({
      code: 'provider_overloaded',
      cause: value,
    });
  });

  test('the first adapter that answers counts; one that throws knows nothing', () => {
    const seen: unknown[] = [];
    const adapters: ErrorAdapter[] = [
      (thrown, { now }) => {
        seen.push(thrown, now);
        throw new Error('adapter');
      },
      () => undefined,
      (() => ({ code: 7 })) as unknown as ErrorAdapter,
      () => ({ code: 'provider_refused', message: 'raw text of a provider' }),
      claims,
    ];
    const value = { status: 500, headers: { 'request-id': 'q1', 'retry-after': '1' }, body: html };
    const error = toHelixError(value, { adapters, now: 5 });
    expect(error).toMatchObject({
      code: 'provider_refused',
      statusCode: 500,
      requestId: 'q1',
      retryAfterMs: 1_000,
      message: CODES.provider_refused.sentence,
      serverMessage: 'raw text of a provider',
    });
    expect(seen).toEqual([value, 5]);
  });

  test('another code is kept beside what only Helix sends', () => {
    const body = { error: 'x', code: 'my_code', retryable: true };
    expect(toHelixError({ status: 500, body })).toMatchObject({
      code: 'my_code',
      wireCode: 'my_code',
      category: 'unknown',
      retryable: true,
    });
  });

  test('a bare word classifies nothing; the status still says what it says', () => {
    const body = { error: 'x', code: 'invalid_token' };
    expect(toHelixError({ status: 401, body })).toMatchObject({
      code: undefined,
      wireCode: 'invalid_token',
      category: 'unknown',
      retryable: false,
      reason: 'signed-out',
    });
    expect(toHelixError({ status: 200, body: { code: 'OK', message: 'fine' } })).toMatchObject({
      code: 'transport_error',
      reason: 'unexpected-response',
    });
  });

  test('a status comes before a network failure', () => {
    const error = Object.assign(new TypeError('Failed to fetch'), { status: 503 });
    expect(toHelixError(error)).toMatchObject({
      code: 'transport_error',
      statusCode: 503,
      reason: undefined,
    });
  });
});

describe('a thrown value', () => {
  test('that says no answer came is a network failure', () => {
    const cause = new TypeError('fetch failed', {
      cause: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }),
    });
    expect(toHelixError(cause)).toMatchObject({
      code: 'transport_error',
      reason: 'network',
      retryable: true,
      cause,
    });
  });

  test('of a time-out says so', () => {
    expect(toHelixError(new DOMException('x', 'TimeoutError'))).toMatchObject({
      code: 'transport_error',
      reason: 'timeout',
      retryable: undefined,
    });
  });

  test('of an abort is a cancellation, whoever asked', () => {
    expect(toHelixError(new DOMException('x', 'AbortError'))).toMatchObject({
      code: 'framework_cancelled',
      retryable: undefined,
    });
  });

  test.each([
    undefined,
    null,
    7,
    'Oops, an error occurred',
    new Error('boom'),
    {},
    [],
    Symbol('x'),
  ])('that says nothing is unclassified (%#)', (value) => {
    const error = toHelixError(value);
    expect(error).toMatchObject({ code: undefined, category: 'unknown', retryable: undefined });
    expect(error.cause).toBe(value);
    expect(error.message).toBe('Something failed, and the cause is not known.');
  });

  test('that is a text keeps the whole text for logs', () => {
    expect(toHelixError('Oops, an error occurred').serverMessage).toBe('Oops, an error occurred');
  });
});

test('an error event becomes a stream error', () => {
  const event = { type: 'error', errorText: 'busy', code: 'provider_overloaded', retryable: true };
  for (const value of [event, JSON.stringify(event), `data: ${JSON.stringify(event)}`]) {
    const error = toHelixError(value);
    expect(error).toBeInstanceOf(HelixStreamError);
    expect(error).toMatchObject({ code: 'provider_overloaded', retryable: true, cause: value });
  }
});

test('a Response is read by status and headers, its body left alone', () => {
  const response = new Response('{"error":"x","code":"provider_error"}', {
    status: 503,
    headers: { 'retry-after': '3' },
  });
  expect(toHelixError(response)).toMatchObject({
    code: 'transport_error',
    statusCode: 503,
    retryAfterMs: 3_000,
    cause: response,
  });
  expect(response.bodyUsed).toBe(false);
});
