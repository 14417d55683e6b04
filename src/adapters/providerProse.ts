import { type Row, TOO_LONG, type Verdict, verdictOf } from './verdict.ts';

// Each alternative is a wording of a provider; short gaps keep the search linear.
const QUOTA =
  /exceeded your current quota|credit balance is too low|insufficient (?:credit|balance|fund|quota)|out of credits|(?:spend(?:ing)?|billing|usage|budget) (?:hard )?limits?(?: has been)? (?:reached|exceeded)|reached your (?:specified )?(?:api )?(?:usage|spend(?:ing)?|billing) limit|(?:billing|payment) (?:details|information)|payment required|insufficient_quota|billing_error/i;
const LONG =
  /maximum context length|context (?:window|length)|prompt is too long|(?:input|request|message|prompt|conversation) (?:is |was )?too (?:long|large)|too many input tokens|maximum number of tokens|reduce (?:the length of )?your (?:messages?|prompt)/i;
const FILTERED =
  /content[ _-](?:filter|policy|management policy)|responsible ai|moderation|safety (?:system|filter|policy)|input was flagged/i;
const REFUSAL = /\brefus(?:al|ed|es)\b/i;

/** Whether a text says that an allowance is used up. */
export const saysQuota = (text: string | undefined): boolean => says(QUOTA, text);

/** Whether a text says that the prompt does not fit. */
export const saysTooLong = (text: string | undefined): boolean => says(LONG, text);

/** Whether a text names moderation or a filter. */
export const saysFiltered = (text: string | undefined): boolean => says(FILTERED, text);

/** Whether a text speaks of a refusal of the model. */
export const saysRefusal = (text: string | undefined): boolean => says(REFUSAL, text);

const says = (words: RegExp, text: string | undefined): boolean =>
  text !== undefined && words.test(text.slice(0, 4_000));

const WORDINGS: readonly (readonly [RegExp, Row])[] = [
  [/rate.?limit|too many requests|throttl/i, ['provider_rate_limited', true]],
  [
    /overloaded|at capacity|high demand|temporarily unavailable|service unavailable/i,
    ['provider_overloaded', true],
  ],
  [/timed? ?out/i, ['provider_timeout', true]],
  [
    /api key|unauthorized|authentication|permission denied|access denied/i,
    ['provider_auth_error', false],
  ],
];

/** What a provider's free text says, where nothing better is known. */
export function verdictByProse(text: string | undefined): Verdict | undefined {
  if (saysQuota(text)) return verdictOf(['provider_rate_limited', false, 'quota']);
  if (saysTooLong(text)) return TOO_LONG;
  if (saysFiltered(text)) return verdictOf(['provider_content_filtered', false]);
  const found = WORDINGS.find(([words]) => says(words, text));
  return found && verdictOf(found[1]);
}

const UNIT_MS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

const UNITS = [
  ['ms', 'ms|milliseconds?'],
  ['h', 'h|hours?|hrs?'],
  ['m', 'm|minutes?|mins?'],
  ['s', 's|seconds?|secs?'],
] as const;

const AMOUNT = String.raw`\d{1,9}(?:\.\d{1,12})? ?(?:${UNITS.map(([, names]) => names).join('|')})(?![a-z])`;
// Parts follow each other without a gap ("1m47.5s"), so a unit may be followed by a digit.
const DURATION = String.raw`(?:\d{1,9}(?:\.\d{1,12})?(?:ms|h|m|s)(?=\d)){0,3}${AMOUNT}`;
const WAIT = new RegExp(
  `(?:again|retry|retrying|wait|available)(?: (?:your request|this request))? (?:in|after|for)(?: about)? (${DURATION})`,
  'i',
);

/** The wait in ms that a text states, as in "try again in 7.66s" or "retry after 22 seconds". */
export function waitInProse(text: string | undefined): number | undefined {
  const stated = text === undefined ? undefined : WAIT.exec(text.slice(0, 4_000))?.[1];
  return stated === undefined ? undefined : durationMs(stated);
}

/** A duration such as "52s", "9m38.016s" or "40 seconds", in ms; undefined for anything else. */
export function durationMs(text: string): number | undefined {
  const parts = Array.from(text.slice(0, 100).matchAll(/(\d{1,9}(?:\.\d{1,12})?) ?([a-z]+)/gi));
  if (parts.length === 0 || parts.map(([all]) => all).join('') !== text.trim()) return undefined;
  const waits = parts.map(([, amount, unit]) => Number(amount) * (unitMs(unit) ?? Number.NaN));
  const sum = waits.reduce((total, wait) => total + wait, 0);
  return Number.isFinite(sum) ? Math.round(sum * 1_000) / 1_000 : undefined;
}

function unitMs(name = ''): number | undefined {
  const unit = UNITS.find(([, names]) => new RegExp(`^(?:${names})$`, 'i').test(name));
  return unit && UNIT_MS[unit[0]];
}
