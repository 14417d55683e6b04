import { describe, expect, test } from 'vitest';
import { attachErrorDetail, errorDetailOf } from '../../src/errors/errorDetail.ts';
import { HelixError } from '../../src/errors/HelixError.ts';
import { resolveErrorDetail } from '../../src/errors/resolveErrorDetail.ts';
import type { ErrorDetail } from '../../src/protocol/causes.ts';

const detail: ErrorDetail = {
  message: 'kept',
  code: 'tool_timeout',
  category: 'tool',
  retryable: false,
};

describe('the detail of a terminal failure', () => {
  test('is an explicit one before all', () => {
    expect(resolveErrorDetail(new HelixError({ code: 'provider_error' }), detail)).toEqual(detail);
  });

  test('keeps no secret, wherever it comes from', () => {
    const told = { message: 'sk-abcdefgh12345678', cause: { message: 'Bearer abcdefgh12345678' } };
    const masked = { message: '***5678', cause: { message: 'Bearer ***5678' } };
    expect(resolveErrorDetail(new Error('x'), told)).toEqual(masked);
    expect(resolveErrorDetail(attachErrorDetail(new Error('x'), told))).toEqual(masked);
  });

  test('is an attached one before what the error itself is', () => {
    const error = attachErrorDetail(new HelixError({ code: 'provider_error' }), detail);
    expect(resolveErrorDetail(error)).toEqual(detail);
  });

  test('is found at a cause, under the outer message', () => {
    const inner = attachErrorDetail(new Error('raw'), detail);
    const middle = new Error('middle', { cause: inner });
    expect(resolveErrorDetail(new Error('outer', { cause: middle }))).toEqual({
      ...detail,
      message: 'outer',
      cause: 'kept',
    });
  });

  test('is that of the outermost error that is recognised', () => {
    const inner = new HelixError({ code: 'provider_error', message: 'inner' });
    const middle = Object.assign(new Error('middle', { cause: inner }), {
      name: 'StreamDropError',
    });
    expect(resolveErrorDetail(new Error('outer', { cause: middle }))).toEqual({
      message: 'outer',
      cause: 'middle',
      code: 'transport_stream_drop',
      category: 'transport',
      retryable: true,
    });
  });

  test('passes over an unclassified HelixError', () => {
    const inner = new HelixError({ code: 'provider_error', message: 'inner' });
    expect(resolveErrorDetail(new HelixError({ message: 'outer', cause: inner }))).toEqual({
      message: 'outer',
      cause: 'inner',
      code: 'provider_error',
      category: 'provider',
    });
  });

  test.each([
    [new Error('x'), { message: 'x' }],
    ['x', { message: 'x' }],
    [null, { message: 'null' }],
    [Object.assign(new Error('x'), { statusCode: 502 }), { message: 'x', code: 502 }],
    [Object.assign(new Error('x'), { code: 'ECONNRESET' }), { message: 'x', code: 'ECONNRESET' }],
    [new DOMException('x', 'DataCloneError'), { message: 'x' }],
    [
      Object.assign(new Error('Network connection lost.'), { retryable: true, remote: true }),
      { message: 'Network connection lost.', retryable: true, flags: { remote: true } },
    ],
    [Object.assign(new Error('x'), { retryable: 'yes', code: {} }), { message: 'x' }],
  ])('invents nothing for %o', (error, expected) => {
    expect(resolveErrorDetail(error)).toEqual(expected);
  });

  test('keeps the flags of a platform error on the nested cause', () => {
    const cause = Object.assign(new Error('internal error; reference = x'), { overloaded: true });
    const error = new HelixError({
      message: 'The model provider could not be reached.',
      code: 'provider_unreachable',
      cause,
      flags: { overloaded: true },
    });
    expect(resolveErrorDetail(error)).toEqual({
      message: 'The model provider could not be reached.',
      code: 'provider_unreachable',
      category: 'provider',
      retryable: false,
      flags: { overloaded: true },
      cause: { message: 'internal error; reference = x', flags: { overloaded: true } },
    });
  });

  test('is nested at most 8 deep', () => {
    let error = new HelixError({ code: 'provider_error', message: '0' });
    for (let depth = 1; depth < 30; depth += 1) {
      error = new HelixError({ code: 'provider_error', message: `${depth}`, cause: error });
    }
    const messages: string[] = [];
    let current: string | ErrorDetail | undefined = resolveErrorDetail(error);
    while (typeof current === 'object') {
      messages.push(current.message);
      current = current.cause;
    }
    expect(messages).toEqual(['29', '28', '27', '26', '25', '24', '23', '22', '21']);
  });

  test('ends at a cycle of causes', () => {
    const one = new Error('one');
    const two = new Error('two', { cause: one });
    one.cause = two;
    expect(resolveErrorDetail(one)).toEqual({ message: 'one' });
  });
});

describe('an attached detail', () => {
  test('does not show, and is read back', () => {
    const error = new Error('x');
    expect(attachErrorDetail(error, detail)).toBe(error);
    expect(errorDetailOf(error)).toEqual(detail);
    expect(Object.keys(error)).toEqual([]);
    expect(errorDetailOf(new Error('outer', { cause: error }))).toBeUndefined();
  });

  test('can be replaced', () => {
    const error = attachErrorDetail(new Error('x'), detail);
    attachErrorDetail(error, { message: 'newer' });
    expect(errorDetailOf(error)).toEqual({ message: 'newer' });
  });

  test.each([Object.freeze(new Error('x')), 'text', 7, null, undefined])(
    'leaves what cannot carry it as it was (%#)',
    (value) => {
      expect(attachErrorDetail(value, detail)).toBe(value);
      expect(errorDetailOf(value)).toBeUndefined();
    },
  );
});
