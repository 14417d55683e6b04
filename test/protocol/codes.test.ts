import { describe, expect, test } from 'vitest';
import {
  CATEGORIES,
  CODES,
  categoryOf,
  codeOfLegacy,
  isErrorCode,
  retryableByCode,
  sentenceOf,
} from '../../src/protocol/codes.ts';
import rows from './fixtures/codes.json' with { type: 'json' };

describe('the code table', () => {
  test('has the 52 codes of the protocol and no other', () => {
    expect(Object.keys(CODES).sort()).toEqual(rows.map(({ code }) => code).sort());
    expect(rows).toHaveLength(52);
  });

  test.each(rows)(
    '$code: category, status and flag',
    ({ code, category, retryable, httpStatus }) => {
      expect(CODES).toHaveProperty(
        code,
        expect.objectContaining({ category, retryable, httpStatus }),
      );
      expect(isErrorCode(code)).toBe(true);
      expect(categoryOf(code)).toBe(category);
      expect(retryableByCode(code)).toBe(retryable ?? undefined);
      expect(sentenceOf(code)).toBe(CODES[code as keyof typeof CODES].sentence);
    },
  );
});

describe('codes are an open set', () => {
  test.each([
    ['provider_quota_drained', 'provider'],
    ['tool_exploded', 'tool'],
    ['state_', 'state'],
    ['transport_x_y', 'transport'],
    ['validation_other', 'validation'],
    ['framework_new', 'framework'],
    ['unknown_thing', 'unknown'],
    ['provider', 'unknown'],
    ['providers_error', 'unknown'],
    ['_provider_error', 'unknown'],
    ['PROVIDER_ERROR', 'unknown'],
    ['constructor_x', 'unknown'],
    ['', 'unknown'],
    [undefined, 'unknown'],
  ] as const)('%s is of category %s', (code, category) => {
    expect(categoryOf(code)).toBe(category);
    expect(isErrorCode(code)).toBe(false);
    expect(retryableByCode(code)).toBeUndefined();
    expect(sentenceOf(code)).toBe(CATEGORIES[category].sentence);
  });

  test.each(['toString', '__proto__', 'constructor', 'hasOwnProperty'])('%s is no code', (name) => {
    expect(isErrorCode(name)).toBe(false);
    expect(codeOfLegacy(name)).toBeUndefined();
  });
});

test.each([
  ['VALIDATION_ERROR', 'validation_error'],
  ['STREAM_NOT_FOUND', 'state_session_not_found'],
  ['STREAM_READER_ERROR', 'transport_error'],
  ['STREAM_FAILED', 'framework_internal_error'],
  ['CONFIGURATION_ERROR', 'framework_not_supported'],
  ['EXECUTION_ERROR', 'framework_internal_error'],
  ['STREAM_CREATION_ERROR', 'transport_error'],
  ['validation_error', undefined],
  ['OTHER_ERROR', undefined],
])('the legacy code %s is now %s', (legacy, code) => {
  expect(codeOfLegacy(legacy)).toBe(code);
});
