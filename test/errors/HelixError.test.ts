import { runInNewContext } from 'node:vm';
import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  HelixError,
  HelixRequestError,
  HelixSnapshotError,
  HelixTimeoutError,
  isHelixError,
} from '../../src/errors/HelixError.ts';
import { HelixStreamError } from '../../src/errors/HelixStreamError.ts';
import { CODES, type ErrorCode } from '../../src/protocol/codes.ts';
import { REASONS, type Reason, TIMEOUT_LAYERS } from '../../src/protocol/reasons.ts';

describe('a HelixError', () => {
  test.each(Object.entries(CODES))('takes what is not given from the row of %s', (code, row) => {
    const error = new HelixError({ code });
    expect(error.category).toBe(row.category);
    expect(error.retryable).toBe(row.retryable ?? undefined);
    expect(error.message).toBe(row.sentence);
    expect(isHelixError(error, code as ErrorCode)).toBe(true);
  });

  test('without a code is unclassified', () => {
    const error = new HelixError();
    expect(error).toMatchObject({ code: undefined, category: 'unknown', retryable: undefined });
    expect(error.message).toBe('Something failed, and the cause is not known.');
  });

  test('keeps an unknown code as text and reads by its category', () => {
    const error = new HelixError({ code: 'provider_quota_drained' });
    expect(error).toMatchObject({ code: 'provider_quota_drained', category: 'provider' });
    expect(error.message).toBe('There is no full reply because the AI service failed.');
  });

  test('can say that nothing is known where the row says something', () => {
    expect(new HelixError({ code: 'transport_stream_drop' }).retryable).toBe(true);
    expect(
      new HelixError({ code: 'transport_stream_drop', retryable: null }).retryable,
    ).toBeUndefined();
    expect(new HelixError({ code: 'transport_stream_drop', retryable: false }).retryable).toBe(
      false,
    );
  });

  test.each(Object.keys(REASONS))('reads by its reason %s before its code', (reason) => {
    const error = new HelixError({ code: 'transport_error', reason: reason as Reason });
    expect(error.message).toBe(REASONS[reason as Reason].sentence);
  });

  test.each(['connect', 'idle', 'total'] as const)('reads by its layer %s before all', (layer) => {
    const error = new HelixTimeoutError({ code: 'transport_error', reason: 'timeout', layer });
    expect(error.message).toBe(TIMEOUT_LAYERS[layer].sentence);
    expect(error.layer).toBe(layer);
  });

  test('keeps the original as its cause, and has none otherwise', () => {
    const cause = { odd: true };
    expect(new HelixError({ cause }).cause).toBe(cause);
    expect('cause' in new HelixError()).toBe(false);
  });

  test('lets no secret into its texts', () => {
    const secret = 'sk-ant-api03-abcdefghijklmnop1234';
    const error = new HelixError({
      message: `key ${secret}`,
      detail: `key ${secret}`,
      serverMessage: `key ${secret}`,
    });
    for (const text of [
      error.message,
      error.detail,
      error.serverMessage,
      String(error),
      error.stack,
    ]) {
      expect(text).not.toContain(secret.slice(0, -4));
    }
  });
});

describe('what may leave the program', () => {
  const error = new HelixRequestError({
    code: 'provider_rate_limited',
    reason: 'quota',
    statusCode: 429,
    retryAfterMs: 5,
    runId: 'r1',
    requestId: 'q1',
    provider: 'p',
    wireCode: 'w',
    detail: 'secret detail',
    serverMessage: 'secret server text',
    toolCallIds: ['c1'],
    currentStatus: 'x',
    shouldRetry: true,
    cause: new Error('secret cause'),
    body: { error: 'secret body', code: 'x', category: 'unknown', retryable: undefined },
  });

  test('is a list of scalars', () => {
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'HelixRequestError',
      code: 'provider_rate_limited',
      category: 'provider',
      message: REASONS.quota.sentence,
      retryable: true,
      statusCode: 429,
      retryAfterMs: 5,
      runId: 'r1',
      requestId: 'q1',
      provider: 'p',
      reason: 'quota',
      wireCode: 'w',
    });
    expect(JSON.stringify(error)).not.toContain('secret');
  });

  test('has the layer of a time-out', () => {
    expect(new HelixTimeoutError({ layer: 'connect' }).toJSON().layer).toBe('connect');
  });

  test('holds no secret, wherever a server put it', () => {
    const leaky = new HelixError({
      code: 'provider_x Bearer abcdefgh12345678',
      requestId: 'ghp_abcdefgh12345678',
    });
    expect(JSON.stringify(leaky)).not.toMatch(/abcdefgh/);
  });
});

describe('the marker', () => {
  test.each([
    new HelixError(),
    new HelixStreamError(),
    new HelixRequestError(),
    new HelixTimeoutError({ layer: 'idle' }),
    new HelixSnapshotError(),
  ])('is on every subclass: $name', (error) => {
    expect(HelixError.isInstance(error)).toBe(true);
    expect(isHelixError(error)).toBe(true);
    expect(error).toBeInstanceOf(HelixError);
  });

  test('holds across realms and copies of the package, where instanceof does not', () => {
    const other: unknown = runInNewContext(
      `const e = new Error('x'); Object.defineProperty(e, Symbol.for('helix-chat.HelixError'), { value: true }); e.code = 'tool_timeout'; e`,
    );
    expect(other instanceof Error).toBe(false);
    expect(HelixError.isInstance(other)).toBe(true);
    expect(isHelixError(other, 'tool_timeout')).toBe(true);
  });

  test.each([
    undefined,
    null,
    'HelixError',
    {},
    new Error('x'),
    { name: 'HelixError', message: 'x', code: 'tool_timeout' },
    new Proxy(
      {},
      {
        get: () => {
          throw new Error('no');
        },
      },
    ),
    new Proxy({}, { get: () => true }),
    new Proxy({}, { get: () => 'x' }),
  ])('is on nothing else (%#)', (value) => {
    expect(HelixError.isInstance(value)).toBe(false);
    expect(isHelixError(value)).toBe(false);
    expect(isHelixError(value, 'tool_timeout')).toBe(false);
  });
});

describe('isHelixError with a code', () => {
  test('is true for that code only', () => {
    const error = new HelixError({ code: 'state_not_stoppable', currentStatus: 'completed' });
    expect(isHelixError(error, 'state_not_stoppable')).toBe(true);
    expect(isHelixError(error, 'state_already_running')).toBe(false);
    expect(isHelixError(new HelixError(), 'state_not_stoppable')).toBe(false);
  });

  test('narrows to the fields of that code', () => {
    const error: unknown = new HelixError({
      code: 'state_run_start_conflict',
      reason: 'request_key_taken',
    });
    if (!isHelixError(error, 'state_run_start_conflict')) throw new Error('not narrowed');
    expectTypeOf(error.code).toEqualTypeOf<'state_run_start_conflict'>();
    if (error.reason === 'request_key_taken')
      expectTypeOf(error.reason).toEqualTypeOf<'request_key_taken'>();
    expectTypeOf<'corrupt_row'>().not.toExtend<typeof error.reason>();
    expect(error.reason).toBe('request_key_taken');
  });
});
