import { expect, it } from 'vitest';
import { catalogProblems, textsOf } from '../../src/i18n/catalog.ts';
import { describeStatus } from '../../src/i18n/describeError.ts';
import { en } from '../../src/i18n/en.ts';
import { placesOf } from '../../src/i18n/format.ts';
import { growthOf, pseudo } from './pseudo.ts';

const own = new Map(textsOf(pseudo).map(({ path, text }) => [path, text]));

it('stretches every text to the length that a language may need', () => {
  expect([...own.keys()]).toEqual(textsOf(en).map(({ path }) => path));
  for (const { path, text } of textsOf(en)) {
    expect(own.get(path)).toHaveLength(Math.ceil(text.length * growthOf(path)));
    expect(placesOf(own.get(path) ?? '')).toEqual(placesOf(text));
  }
  expect(growthOf('causes.unclassified')).toBe(1.3);
  expect(growthOf('titles.noReply')).toBe(2);
  expect(growthOf('actions.wait')).toBe(3);
});

it('is a catalogue like any other', () => {
  expect(catalogProblems(pseudo)).toEqual([]);
  for (const [, text] of own) expect(text).toBe(text.trim());
  expect(pseudo.causes.unclassified).toMatch(/^[^.]*\.$/);
  const { text } = describeStatus(
    { kind: 'next-try', at: 12_000 },
    { catalog: pseudo, now: 0, timeZone: 'UTC' },
  );
  expect(text).toMatch(/^Néxt/);
  expect(text).toMatch(/: in 12 seconds$/);
});
