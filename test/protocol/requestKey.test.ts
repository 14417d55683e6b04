import { expect, test } from 'vitest';
import { createRequestKey, isRequestKey } from '../../src/protocol/requestKey.ts';

test.each(['a', 'A.b_c:d-9', 'x'.repeat(128)])('%s is a key', (key) => {
  expect(isRequestKey(key)).toBe(true);
});

test.each(['', ' ', 'a b', 'a/b', 'ä', 'a\n', 'x'.repeat(129), undefined, null, 7, ['a']])(
  '%j is no key',
  (key) => {
    expect(isRequestKey(key)).toBe(false);
  },
);

test.each([0, 0.5, 0.999_999_999_999, 1])(
  'a new key is one, whatever chance says (%d)',
  (number) => {
    const key = createRequestKey(() => number);
    expect(isRequestKey(key)).toBe(true);
    expect(key).toHaveLength(24);
  },
);

test('two keys of one chance differ', () => {
  let state = 1;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const keys = Array.from({ length: 1_000 }, () => createRequestKey(random));
  expect(new Set(keys).size).toBe(1_000);
});
