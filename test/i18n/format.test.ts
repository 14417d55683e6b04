import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fill,
  formatCount,
  formatWait,
  joinSentences,
  joinSpoken,
  placesOf,
  untilRepaint,
} from '../../src/i18n/format.ts';

const now = Date.UTC(2025, 0, 15, 12, 0, 0);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const wait = (ms: number, locale = 'en') => formatWait(now + ms, { now, locale, timeZone: 'UTC' });
/** `Intl` puts a narrow no-break space before AM and PM. */
const plain = (text: string | undefined) => text?.replace(/[\u202f\u00a0]/g, ' ');

describe('waits', () => {
  it('round up and never say 0', () => {
    expect(wait(1)).toBe('in 1 second');
    expect(wait(1_001)).toBe('in 2 seconds');
    expect(wait(12 * SECOND)).toBe('in 12 seconds');
    expect(wait(59 * SECOND)).toBe('in 59 seconds');
  });

  it('count whole minutes from a minute on', () => {
    expect(wait(59_001)).toBe('in 1 minute');
    expect(wait(60 * SECOND)).toBe('in 1 minute');
    expect(wait(60_001)).toBe('in 2 minutes');
    expect(wait(59 * MINUTE)).toBe('in 59 minutes');
  });

  it('are a clock time from an hour on, with the day if it is not today', () => {
    expect(plain(wait(60 * MINUTE))).toBe('1:00 PM');
    expect(plain(wait(59 * MINUTE + 1))).toBe('1:00 PM');
    expect(plain(wait(13 * 60 * MINUTE))).toBe('Jan 16, 2025, 1:00 AM');
  });

  it('end when the time has come', () => {
    expect(wait(0)).toBeUndefined();
    expect(wait(-5)).toBeUndefined();
    expect(wait(Number.NaN)).toBeUndefined();
  });

  it('carry the preposition and the case of the language', () => {
    expect(wait(12 * SECOND, 'de')).toBe('in 12 Sekunden');
    expect(wait(3 * SECOND, 'ru')).toBe('через 3 секунды');
  });

  it('fall back to English for a tag that is none, and stay silent on a time that is none', () => {
    expect(wait(12 * SECOND, 'not a tag')).toBe('in 12 seconds');
    expect(wait(Number.MAX_VALUE)).toBe('');
  });

  it('never show the same moment as farther away while time passes', () => {
    const left = (phrase: string | undefined): number => {
      const [, count = '0', unit = ''] = /in (\d+) (second|minute)/.exec(phrase ?? '') ?? [];
      return Number(count) * (unit === 'minute' ? 60 : 1);
    };
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 59 * MINUTE }),
        fc.integer({ min: 0, max: 59 * MINUTE }),
        (ms, gone) => {
          const later = left(wait(Math.max(1, ms - gone)));
          expect(left(wait(ms))).toBeGreaterThanOrEqual(later);
          // Rounded up: a person who waits as told is never early.
          expect(left(wait(ms)) * SECOND).toBeGreaterThanOrEqual(ms);
        },
      ),
    );
  });
});

describe('repaints', () => {
  const repaint = (ms: number) => untilRepaint(now + ms, now);

  it('come each second in the last ten, every five up to a minute, else each minute', () => {
    expect(repaint(10 * SECOND)).toBe(SECOND);
    expect(repaint(3_400)).toBe(400);
    expect(repaint(11 * SECOND)).toBe(SECOND);
    expect(repaint(15 * SECOND)).toBe(5 * SECOND);
    expect(repaint(60 * SECOND)).toBe(5 * SECOND);
    expect(repaint(61 * SECOND)).toBe(SECOND);
    expect(repaint(5 * MINUTE)).toBe(MINUTE);
  });

  it('wait for the last hour where a clock time stands, and stop at the end', () => {
    expect(repaint(90 * MINUTE)).toBe(30 * MINUTE);
    expect(repaint(0)).toBeUndefined();
  });

  it('reach the end of any wait', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 * 60 * MINUTE }), (ms) => {
        let left = ms;
        for (let steps = 0; left > 0 && steps < 200; steps += 1) left -= repaint(left) ?? Infinity;
        expect(left).toBe(0);
      }),
    );
  });
});

describe('places', () => {
  it('are filled by name', () => {
    expect(fill('Try {count} of {limit}', { count: '2', limit: '4' })).toBe('Try 2 of 4');
    expect(placesOf('Try {count} of {limit}')).toEqual(['count', 'limit']);
  });

  it('without a value leave no trace on the screen', () => {
    expect(fill('Next try: {when}', {})).toBe('Next try:');
    expect(fill('A {b} c', {})).toBe('A c');
    expect(fill('{constructor}', {})).toBe('');
  });

  it('keep the direction of a file name to itself', () => {
    expect(fill('Not kept: {file}', { file: 'a.pdf' })).toBe('Not kept: \u2068a.pdf\u2069');
  });

  it('take any value as it is, also one that looks like a place or a pattern', () => {
    expect(fill('{file}', { file: '{when} $& $1' })).toBe('\u2068{when} $& $1\u2069');
  });
});

describe('sentences one after the other', () => {
  it('are parted by a space, but not after a full-width stop', () => {
    expect(joinSentences(['One.', 'Two.', 'Three.'])).toBe('One. Two. Three.');
    expect(joinSentences(['一。', '二。'])).toBe('一。二。');
    expect(joinSentences(['एक।', 'दो।'])).toBe('एक। दो।');
  });

  it('give their stop to the title before them', () => {
    expect(joinSpoken('No reply', ['One.', 'Two.'])).toBe('No reply. One. Two.');
    expect(joinSpoken('回答なし', ['一。', '二。'])).toBe('回答なし。一。二。');
    expect(joinSpoken('कोई जवाब नहीं', ['एक।'])).toBe('कोई जवाब नहीं। एक।');
    expect(joinSpoken('No reply', ['An own sentence'])).toBe('No reply. An own sentence');
  });
});

describe('counts', () => {
  it('take the form of the language, or the last one', () => {
    const forms = { one: '{count} file', other: '{count} files' };
    expect(formatCount(forms, 1, 'en')).toBe('1 file');
    expect(formatCount(forms, 2, 'en')).toBe('2 files');
    expect(formatCount(forms, 1_200, 'en')).toBe('1,200 files');
    expect(
      formatCount({ one: '{count} файл', few: '{count} файла', other: '{count} файлов' }, 3, 'ru'),
    ).toBe('3 файла');
    expect(formatCount({ other: '{count} files' }, 1, 'en')).toBe('1 files');
  });
});
