import { describe, expect, test } from 'vitest';
import { CATEGORIES, CODES } from '../../src/protocol/codes.ts';
import { REASONS, TIMEOUT_LAYERS } from '../../src/protocol/reasons.ts';

const sentences = Object.entries({ ...CODES, ...CATEGORIES, ...REASONS, ...TIMEOUT_LAYERS }).map(
  ([key, { sentence }]) => [key, sentence] as const,
);

const secondPerson = /\b(?:you|your|yours|yourself|we|our|us|I|my)\b/i;
const insideWords =
  /\b(?:code|ids?|server|request|response|tokens?|stream|snapshot|run|session|time-?out|error|status|http|url|api|key|network|null|undefined|checkpoint|prompt|schema|store|hook)\b/i;
const filler =
  /\b(?:please|sorry|oops|unfortunately|invalid|illegal|forbidden|just|simply)\b|[!\p{Extended_Pictographic}]/iu;
const prognosis = /\b(?:soon|should|will|shortly|permanently|later today|being fixed|yet|again)\b/i;
const looseSubject = /^(?:This|That|It|Here|Above|Below)(?! device)\b/;

describe.each(sentences)('the sentence of %s', (_key, sentence) => {
  test('is one short English sentence', () => {
    expect(sentence).toMatch(/^[A-Z][^.]*\.$/);
    expect(sentence.length).toBeLessThanOrEqual(120);
    expect(sentence.split(' ').length).toBeLessThanOrEqual(20);
  });

  test('speaks to nobody, of nothing inside, without filler or prognosis', () => {
    for (const banned of [secondPerson, insideWords, filler, prognosis, looseSubject]) {
      expect(sentence).not.toMatch(banned);
    }
    expect(sentence).not.toMatch(/\d|_|\//);
  });
});

test('rows that need the same act share their words', () => {
  const shared = [
    ['state_checkpoint_not_found', 'state_checkpoint_foreign'],
    ['framework_not_supported', 'framework_companion_not_supported'],
    ['framework_completion_strategy_unavailable', 'framework_completion_schema_unsupported'],
    ['state_run_start_conflict', 'state_request_key_conflict'],
    ['state_commit_stopped', 'framework_cancelled'],
    ['framework_completion_protocol_violation', 'framework_completion_invalid_output'],
    ['framework_completion_protocol_violation', 'framework_completion_tool_missing'],
  ] as const;
  for (const [one, other] of shared) expect(CODES[one].sentence).toBe(CODES[other].sentence);
});

test('the three layers of a time-out read differently', () => {
  expect(new Set(Object.values(TIMEOUT_LAYERS).map(({ sentence }) => sentence)).size).toBe(3);
});

test('the list of reasons is closed', () => {
  expect(Object.keys(REASONS).sort()).toEqual(
    [
      ...[
        'network',
        'offline',
        'unexpected-response',
        'timeout',
        'cut',
        'silent',
        're-anchor-limit',
      ],
      ...['answer-rejected', 'patience', 'empty-reply', 'signed-out', 'forbidden', 'not-found'],
      ...['too-large', 'file', 'rate-limit', 'quota', 'deferred', 'filtered', 'length'],
      ...['finish-error', 'too-long', 'run_not_live', 'corrupt_row', 'short_read', 'store_error'],
      ...['snapshot_unstable', 'resume_message_unknown', 'answer_not_stored'],
      ...['idempotency_mismatch', 'entry_status_changed', 'entry_abandoned'],
      ...['resumed_companion_ref_missing', 'request_key_taken'],
    ].sort(),
  );
});
