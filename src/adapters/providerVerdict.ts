import type { HelixErrorInit } from '../errors/HelixError.ts';
import { present } from '../protocol/present.ts';
import { readField, readList } from '../protocol/readField.ts';
import { readHeader } from '../protocol/readHeader.ts';
import { isSpentAllowance } from '../protocol/spentAllowance.ts';
import { saysFiltered, saysQuota, saysTooLong, verdictByProse } from './providerProse.ts';
import type { Facts } from './providerShapes.ts';
import { verdictByStatus } from './providerStatus.ts';
import { PROVIDER_WORDS, WEAK_WORDS } from './providerWords.ts';
import { readStatedWait } from './statedWait.ts';
import { overruled, quotaVerdict, rowAt, TOO_LONG, type Verdict, verdictOf } from './verdict.ts';

/** The answer in which a provider's body came. */
export interface ProviderAnswer {
  readonly status: number | undefined;
  readonly headers: unknown;
  readonly now: number;
}

interface Case {
  readonly facts: Facts;
  /** The status to count: the answer's where it refuses, else the body's own. */
  readonly status: number | undefined;
  /** The wait that could help; raw. */
  readonly waitMs: number | undefined;
  readonly word: string | undefined;
}

/**
 * What a provider's failure is in our words: prompt size, then its typed words, then its status, then its prose;
 * `x-should-retry` overrules the flag. Undefined where none of them says anything.
 */
export function judgeProvider(facts: Facts, answer: ProviderAnswer): HelixErrorInit | undefined {
  const given = openCase(facts, answer);
  const verdict = judge(given);
  if (verdict === undefined) return undefined;
  const { headers, status } = answer;
  return {
    ...overruled(verdict, shouldRetry(headers)),
    ...present({
      retryAfterMs: given.waitMs,
      provider: facts.provider,
      requestId: facts.requestId,
      wireCode: given.word,
      statusCode: status === undefined ? facts.status : undefined,
    }),
  };
}

function openCase(facts: Facts, { status, headers, now }: ProviderAnswer): Case {
  const { error, message } = facts;
  return {
    facts,
    status: status !== undefined && status >= 400 ? status : facts.status,
    waitMs: readStatedWait({ headers, error, message, now }),
    word: facts.words.find((word) => rowAt(PROVIDER_WORDS, word) !== undefined),
  };
}

function judge(given: Case): Verdict | undefined {
  return (
    bySize(given) ??
    byFilter(given) ??
    byAllowance(given) ??
    byWord(given) ??
    bySpecialStatus(given) ??
    verdictByStatus(given.status, given.waitMs) ??
    byWeakWord(given) ??
    verdictByProse(given.facts.message) ??
    (given.facts.otherwise && verdictOf(given.facts.otherwise))
  );
}

// A prompt that is too large never fits, whatever the code beside it says (Groq: 413 with a rate limit's code).
function bySize({ facts, status, word }: Case): Verdict | undefined {
  const long = rowAt(PROVIDER_WORDS, word)?.[2] === 'too-long';
  const refused = status === undefined || [400, 422, 429].includes(status);
  return status === 413 || long || (refused && saysTooLong(facts.message)) ? TOO_LONG : undefined;
}

const FILTERED = verdictOf(['provider_content_filtered', false]);

// OpenRouter refuses a flagged input with 403 and the reasons; other filters are named in words.
function byFilter({ facts, status, word }: Case): Verdict | undefined {
  const reasons = readList(readField(facts.error, 'metadata'), 'reasons');
  if (reasons !== undefined && reasons.length > 0) return FILTERED;
  const named = word === undefined && (status === 400 || status === 403);
  return named && saysFiltered(facts.message) ? FILTERED : undefined;
}

function byAllowance(given: Case): Verdict | undefined {
  const { facts, status, word } = given;
  const row = rowAt(PROVIDER_WORDS, word);
  const named = row === undefined ? facts.words.some(isSpentAllowance) : row[2] === 'quota';
  if (status === 402 || named) return quotaVerdict(helpfulWait(given));
  const possible = row === undefined || MAY_BE_ALLOWANCE.includes(row[0]);
  const refused = status === undefined || [400, 403, 429].includes(status);
  if (!possible || !refused || !saysQuota(facts.message)) return undefined;
  // Google says "exceeded your current quota" of a limit for one minute, too: a stated wait tells the two apart.
  const throttled = status === 429 && (given.waitMs !== undefined || isPerMinute(facts.error));
  return throttled ? verdictOf(['provider_rate_limited', true]) : quotaVerdict(given.waitMs);
}

const MAY_BE_ALLOWANCE: readonly string[] = ['provider_rate_limited', 'provider_invalid_request'];

// OpenRouter states a wait with a 402 only where the wait helps: a budget for what is under way.
function helpfulWait({ facts, waitMs }: Case): number | undefined {
  if (!facts.numericCode) return waitMs;
  const source = readField(readField(facts.error, 'metadata'), 'limit_source');
  return source === 'openrouter_in_flight_budget' ? waitMs : undefined;
}

function isPerMinute(error: unknown): boolean {
  return (readList(error, 'details') ?? [])
    .flatMap((detail) => readList(detail, 'violations') ?? [])
    .some((violation) => /PerMinute/.test(String(plain(readField(violation, 'quotaId')))));
}

const plain = (value: unknown): string => (typeof value === 'string' ? value : '');

function byWord({ facts, status, word }: Case): Verdict | undefined {
  const row = rowAt(PROVIDER_WORDS, word);
  if (row === undefined) return undefined;
  // Anthropic refuses browsers with a 401 that is not about the key.
  if (status === 401 && /\bCORS\b/.test(facts.message ?? '')) {
    return verdictOf(['provider_invalid_request', false]);
  }
  return verdictOf(row);
}

// A refused key by its wording: Google writes a bad request.
function bySpecialStatus({ facts, status }: Case): Verdict | undefined {
  return status === 400 && /^API key (?:not valid|not found|expired)/i.test(facts.message ?? '')
    ? verdictOf(['provider_auth_error', false])
    : undefined;
}

function byWeakWord({ facts }: Case): Verdict | undefined {
  const row = facts.words.map((word) => rowAt(WEAK_WORDS, word)).find((found) => found);
  return row && verdictOf(row);
}

// The provider's own word on a repeat, where it gives one: it counts more than any reading of ours, both ways.
function shouldRetry(headers: unknown): boolean | undefined {
  const word = readHeader(headers, 'x-should-retry')?.toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : undefined;
}
