import { describe, expect, test } from 'vitest';
import { cutText } from '../../src/protocol/readField.ts';

describe('a text that is longer than what is kept', () => {
  test('ends before a word that would be torn', () => {
    const words = `${'a'.repeat(4_090)} secret-in-a-word and more`;
    expect(cutText(words)).toBe(`${'a'.repeat(4_090)} `);
  });

  test('ends inside a word that is longer than 1 Ki', () => {
    expect(cutText(`${'a'.repeat(3_000)} ${'b'.repeat(3_000)}`)).toHaveLength(4_096);
  });

  test('keeps a word that just fits', () => {
    const fits = `${'a'.repeat(4_091)} word`;
    expect(fits).toHaveLength(4_096);
    expect(cutText(`${fits} more`)).toBe(fits);
    expect(cutText(fits)).toBe(fits);
  });

  test('does not end inside a pair', () => {
    expect(cutText(`${'a'.repeat(4_095)}😀`)).toBe('a'.repeat(4_095));
  });
});
