import { HelixError } from '../../src/errors/HelixError.ts';
import { redact } from '../../src/errors/redact.ts';
import { chatErrorResponse } from '../../src/server/chatErrorResponse.ts';
import { entryFailureResponse } from '../../src/server/entryFailureResponse.ts';
import { mapVercelError } from '../../src/server/mapVercelError.ts';
import { errorChunks } from '../../src/server/writeErrorChunk.ts';
import { ADVERSARIAL_UNITS, repeated } from '../../test/errors/adversarialTexts.ts';
import type { Bench, Measured } from './benches.ts';

const SMALL = 2 ** 16;
const LARGE = 2 ** 20;

const PROSE =
  'Rate limit reached for gpt-4o in organization org-abc on requests per min: limit 3, used 3. Try again in 20s. ';
const SECRETS =
  'authorization: Bearer abcdefgh12345678, key sk-abcdefgh12345678 of https://x.test/a?token=abc&b=1\n';

/** What is done with a text of some length. */
const EXITS: readonly (readonly [what: string, use: (text: string) => unknown])[] = [
  [
    'a typed error with its detail',
    (text) =>
      chatErrorResponse(new HelixError({ code: 'provider_error', message: text }), {
        exposeDetail: true,
      }),
  ],
  ['an unknown error', (text) => chatErrorResponse(new Error(text))],
  ['an entry that failed', (text) => entryFailureResponse(new Error(text), { committed: false })],
  ['an error of a provider', (text) => mapVercelError(new Error(text))],
  ['an event', (text) => errorChunks(new HelixError({ message: text }), { exposeDetail: true })],
  ['JSON', (text) => JSON.stringify(new HelixError({ message: text }))],
];

const ROUNDS = 7;

// Of the processor, not of the clock: others use the machine too.
function timeOf(go: () => void): number {
  const from = process.cpuUsage();
  go();
  const { user, system } = process.cpuUsage(from);
  return user + system;
}

/**
 * How much longer a character takes in a long text than in a short one. 1: the time is linear; what scans a text again
 * for each of its characters gives 16. By the best of several rounds in turn.
 */
function growth(unit: string, use: (text: string) => unknown): number {
  const small = repeated(unit, SMALL);
  const large = repeated(unit, LARGE);
  const best = { apart: Number.POSITIVE_INFINITY, whole: Number.POSITIVE_INFINITY };
  for (let round = 0; round < ROUNDS; round += 1) {
    const apart = timeOf(() => {
      for (let at = 0; at < LARGE / SMALL; at += 1) use(small);
    });
    const whole = timeOf(() => void use(large));
    best.apart = Math.min(best.apart, apart);
    best.whole = Math.min(best.whole, whole);
  }
  return best.whole / best.apart;
}

const named = (unit: string): string => JSON.stringify(unit).slice(0, 40);

/** Redaction takes time in proportion to the text, also for texts that are made to be slow. */
export const redactBench: Bench = {
  name: 'redact',
  holds: 'time for each character at 1 MiB, against 64 KiB; at most 3',
  limit: 3,
  *measure(): Iterable<Measured> {
    for (const [what, use] of [...EXITS, ['redact', redact] as const]) {
      yield { what: `${what}, prose`, figure: growth(PROSE, use) };
      yield { what: `${what}, secrets`, figure: growth(SECRETS, use) };
    }
    for (const unit of ADVERSARIAL_UNITS) {
      yield { what: `redact, ${named(unit)} over and over`, figure: growth(unit, redact) };
    }
  },
};
