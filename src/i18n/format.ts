import type { Plural } from './plural.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** A tag that `Intl` takes: the given one, or `en` where it is malformed. Never throws. */
export function safeLocale(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

const PLACE = /\{(\w+)\}/g;

/** The names of the places in a text, in order. */
export function placesOf(text: string): readonly string[] {
  return [...text.matchAll(PLACE)].flatMap(([, name]) => (name === undefined ? [] : [name]));
}

// First-strong isolate and its end: a Latin file name inside an Arabic sentence keeps its own direction.
const isolate = (text: string): string => `\u2068${text}\u2069`;

/**
 * Puts values into the named places of a text. A place without a value is left out: a catalogue's mistake must not reach
 * the screen as a brace, nor break it. `file` stands isolated, since it is a text of the person's own.
 */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text
    .replace(PLACE, (_, name: string) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined) return '';
      return name === 'file' ? isolate(value) : value;
    })
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** Whole sentences one after the other, as their script puts them: after a full-width stop stands no space. */
export function joinSentences(sentences: readonly [string, ...string[]]): string {
  return sentences.reduce((text, next) => (text.endsWith('。') ? text + next : `${text} ${next}`));
}

/** A title and whole sentences as one text. The title gets the stop that the sentences end with: `.`, `。` or `।`. */
export function joinSpoken(title: string, sentences: readonly [string, ...string[]]): string {
  const [stop = '.'] = /[.。।]$/.exec(sentences[0]) ?? [];
  return joinSentences([title + stop, ...sentences]);
}

/** The form of a counted phrase, filled with the count written for the locale. */
export function formatCount(forms: Plural, count: number, locale: string): string {
  const tag = safeLocale(locale);
  const form = forms[new Intl.PluralRules(tag).select(count)] ?? forms.other;
  return fill(form, { count: new Intl.NumberFormat(tag).format(count) });
}

/** A whole number as the locale writes it. */
export function formatNumber(value: number, locale: string): string {
  return new Intl.NumberFormat(safeLocale(locale), { maximumFractionDigits: 0 }).format(value);
}

/** From when, and in whose language and time zone, a wait is told. */
export interface WaitOptions {
  /** Wall-clock ms. */
  readonly now: number;
  readonly locale: string;
  /** IANA zone of clock times. Default: the platform's. */
  readonly timeZone?: string;
}

/**
 * How long it is until a wall-clock time, as a phrase that stands after a colon or alone: "in 12 seconds", "in 3
 * minutes", from an hour on the clock time, with the day if it is not today. Rounded up, never 0; undefined once the
 * time has come.
 */
export function formatWait(at: number, { now, locale, timeZone }: WaitOptions): string | undefined {
  const left = at - now;
  if (!(left > 0)) return undefined;
  const tag = safeLocale(locale);
  const seconds = Math.ceil(left / SECOND);
  const minutes = Math.ceil(left / MINUTE);
  // A clock time has no seconds: rounded up, or whoever comes at that time comes too early.
  if (minutes >= 60)
    return formatClock(Math.ceil(at / MINUTE) * MINUTE, {
      now,
      locale: tag,
      ...(timeZone && { timeZone }),
    });
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: 'always' });
  return seconds < 60 ? relative.format(seconds, 'second') : relative.format(minutes, 'minute');
}

/** A clock time, with the day where it is not today. Empty for a time that no calendar holds. */
export function formatClock(at: number, { now, locale, timeZone }: WaitOptions): string {
  const zone = timeZone === undefined ? {} : { timeZone };
  const tag = safeLocale(locale);
  try {
    const day = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', ...zone });
    const today = day.format(at) === day.format(now);
    return new Intl.DateTimeFormat(tag, {
      timeStyle: 'short',
      ...(today ? {} : { dateStyle: 'medium' }),
      ...zone,
    }).format(at);
  } catch {
    return '';
  }
}

/**
 * In how many ms the phrase of `formatWait` is worth drawing again: each second in the last ten, every five up to a
 * minute, else each minute. Undefined once the time has come.
 */
export function untilRepaint(at: number, now: number): number | undefined {
  const left = at - now;
  if (!(left > 0)) return undefined;
  if (left > HOUR) return left - HOUR;
  const step = left <= 10 * SECOND ? SECOND : left <= MINUTE ? 5 * SECOND : MINUTE;
  return left % step || step;
}
