import { describe, expect, test } from 'vitest';
import { readRetryAfter, writeRetryAfter } from '../../src/protocol/retryAfter.ts';

const now = Date.parse('Wed, 21 Oct 2015 07:28:00 GMT');

describe('a stated wait', () => {
  test.each<[string, Record<string, string>, number | undefined, number | undefined]>([
    ['seconds', { 'Retry-After': '2' }, undefined, 2_000],
    ['fractions of a second', { 'retry-after': '1.5' }, undefined, 1_500],
    ['nothing to wait for', { 'retry-after': '0' }, undefined, 0],
    ['milliseconds before seconds', { 'retry-after': '9', 'retry-after-ms': '250' }, 1, 250],
    ['seconds before the body', { 'retry-after': '9' }, 100, 9_000],
    ['the body alone', {}, 100, 100],
    ['a date', { 'retry-after': 'Wed, 21 Oct 2015 07:28:30 GMT' }, undefined, 30_000],
    [
      'a date of RFC 850',
      { 'retry-after': 'Wednesday, 21-Oct-15 07:28:30 GMT' },
      undefined,
      30_000,
    ],
    ['a date of asctime', { 'retry-after': 'Wed Oct 21 07:28:30 2015' }, undefined, 30_000],
    [
      'a date by the clock of the answer',
      {
        'retry-after': 'Wed, 21 Oct 2015 09:00:10 GMT',
        date: 'Wed, 21 Oct 2015 09:00:00 GMT',
      },
      undefined,
      10_000,
    ],
    ['a past date', { 'retry-after': 'Wed, 21 Oct 2015 07:27:00 GMT' }, 700, 700],
    ['a negative number', { 'retry-after': '-5' }, 700, 700],
    [
      'a negative number of milliseconds',
      { 'retry-after-ms': '-5', 'retry-after': '3' },
      700,
      3_000,
    ],
    ['a word', { 'retry-after': 'soon' }, undefined, undefined],
    ['a list', { 'retry-after': '2, 3' }, undefined, undefined],
    ['a bare year is seconds', { 'retry-after': '2016' }, undefined, 2_016_000],
    ['a date in another form', { 'retry-after': '2015-10-21T07:29:00Z' }, undefined, undefined],
    ['an endless number', { 'retry-after': '9'.repeat(400) }, undefined, undefined],
    ['a negative body', {}, -1, undefined],
    ['no body', {}, Number.NaN, undefined],
    ['nothing', {}, undefined, undefined],
  ])('%s', (_name, headers, bodyMs, expected) => {
    expect(readRetryAfter(headers, { now, bodyMs })).toBe(expected);
    expect(readRetryAfter(new Headers(headers), { now, bodyMs })).toBe(expected);
    expect(readRetryAfter(Object.entries(headers), { now, bodyMs })).toBe(expected);
  });

  test.each([
    undefined,
    null,
    'retry-after: 2',
    7,
    {
      get: () => {
        throw new Error('no');
      },
    },
  ])('is absent in %s', (headers) => {
    expect(readRetryAfter(headers, { now })).toBeUndefined();
  });
});

describe('a wait that is written', () => {
  test.each([
    [0, '0'],
    [1, '1'],
    [1_000, '1'],
    [1_001, '2'],
    [59_999, '60'],
    [-5, '0'],
    [Number.NaN, '0'],
    [1e30, String(Number.MAX_SAFE_INTEGER)],
  ])('%d ms is %s whole seconds', (ms, text) => {
    expect(writeRetryAfter(ms)).toBe(text);
  });

  test('is never shorter when it is read again', () => {
    for (const ms of [1, 999, 1_000, 1_234, 60_001]) {
      const read = readRetryAfter({ 'retry-after': writeRetryAfter(ms) }, { now });
      expect(read).toBeGreaterThanOrEqual(ms);
    }
  });
});
