import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Committed, Failure, FailureAction, Phase } from '../../src/errors/failure.ts';
import {
  type ActionAbilities,
  failureActions,
  supportReference,
} from '../../src/errors/failureActions.ts';
import { failureRow } from '../../src/errors/failureTable.ts';
import { HelixError, type HelixErrorInit } from '../../src/errors/HelixError.ts';
import {
  type DescribeOptions,
  describeError,
  describePending,
  describeSituation,
  describeStatus,
  spokenText,
} from '../../src/i18n/describeError.ts';
import { en } from '../../src/i18n/en.ts';
import { CODES } from '../../src/protocol/codes.ts';
import { REASONS, type Reason } from '../../src/protocol/reasons.ts';

const PHASES: readonly Phase[] = [
  'load',
  'send',
  'regenerate',
  'edit',
  'stream',
  'snapshot',
  'submit',
  'stop',
];
const FATES: readonly Committed[] = ['no', 'yes', 'unknown'];
/** Shaped like a key, made up on the spot. */
const fakeKey = `sk-${'ant'}-${'Ab1'.repeat(12)}`;
const now = Date.UTC(2025, 0, 15, 12, 0, 0);

const able: ActionAbilities = {
  snapshot: true,
  checkFirst: false,
  keyed: true,
  draft: true,
  pending: true,
  reference: true,
  continue: true,
};

/** A failure as recovery makes it. */
function failureOf(
  init: HelixErrorInit,
  phase: Phase,
  committed: Committed,
  more: Partial<Failure> & { readonly can?: Partial<ActionAbilities> } = {},
): Failure {
  const { can, ...rest } = more;
  const error = new HelixError(init);
  const situation = { phase, committed };
  const reference = supportReference(error) !== undefined;
  return {
    id: 'failure-1',
    error,
    ...situation,
    severity: failureRow(error, situation).severity,
    attempts: [],
    ...failureActions(error, situation, { ...able, reference, ...can }),
    ...rest,
  };
}

const view = (failure: Failure, options: Partial<DescribeOptions> = {}) =>
  describeError(failure, { catalog: en, timeZone: 'UTC', ...options });
const { titles, safety } = en;

describe('the title says the outcome', () => {
  const titleOf = (
    init: HelixErrorInit,
    phase: Phase,
    committed: Committed,
    options: Partial<DescribeOptions> = {},
  ) => view(failureOf(init, phase, committed), options).title;
  const busy = { code: 'provider_overloaded' };

  it('a message that was not written is not sent', () => {
    expect(titleOf(busy, 'send', 'no')).toBe(titles.notSent);
    expect(titleOf(busy, 'edit', 'no')).toBe(titles.notSent);
  });

  it('a message whose fate is not known is not called unsent', () => {
    expect(titleOf(busy, 'send', 'unknown')).toBe(titles.noReply);
    expect(titleOf(busy, 'edit', 'unknown')).toBe(titles.noReply);
  });

  it('a reply is missing, or incomplete where text of it is on the screen', () => {
    expect(titleOf(busy, 'stream', 'yes')).toBe(titles.noReply);
    expect(titleOf(busy, 'stream', 'yes', { textShown: true })).toBe(titles.replyIncomplete);
    expect(titleOf({ code: 'transport_stream_drop', reason: 'cut' }, 'stream', 'yes')).toBe(
      titles.replyIncomplete,
    );
    expect(
      titleOf({ code: 'transport_stream_drop', reason: 'cut' }, 'stream', 'yes', {
        textShown: false,
      }),
    ).toBe(titles.noReply);
    expect(titleOf(busy, 'regenerate', 'unknown')).toBe(titles.noReply);
  });

  it('a reply that only the owner can make possible is not available', () => {
    expect(titleOf({ code: 'provider_auth_error' }, 'stream', 'yes')).toBe(titles.notAvailable);
    expect(titleOf({ code: 'provider_auth_error' }, 'send', 'no')).toBe(titles.notSent);
  });

  it('a read, an answer and a stop have their own', () => {
    expect(titleOf(busy, 'load', 'yes')).toBe(titles.notLoaded);
    expect(titleOf(busy, 'snapshot', 'yes')).toBe(titles.notLoaded);
    expect(titleOf(busy, 'submit', 'no')).toBe(titles.answerNotTaken);
    expect(
      titleOf({ code: 'state_not_resumable', reason: 'answer-rejected' }, 'submit', 'yes'),
    ).toBe(titles.answerNotTaken);
    expect(titleOf({ code: 'transport_error', reason: 'network' }, 'stop', 'yes')).toBe(
      titles.stillRunning,
    );
    expect(titleOf({ code: 'state_already_running' }, 'send', 'no')).toBe(titles.stillRunning);
  });

  it('a message that waits for its next try is waiting', () => {
    expect(titleOf(busy, 'send', 'no', { waiting: true })).toBe(titles.waiting);
  });
});

describe('the safety sentence says where the message is', () => {
  const safetyOf = (
    init: HelixErrorInit,
    phase: Phase,
    committed: Committed,
    options: Partial<DescribeOptions> = {},
  ) => view(failureOf(init, phase, committed), options).safety;
  const busy = { code: 'provider_overloaded' };

  it.each([
    ['send', 'no', {}, safety.notSent],
    ['send', 'no', { waiting: true }, safety.held],
    ['send', 'unknown', {}, safety.unknown],
    ['send', 'unknown', { waiting: true }, safety.unknown],
    ['send', 'yes', {}, safety.kept],
    ['stream', 'yes', {}, safety.kept],
    ['stream', 'yes', { textShown: true }, safety.incomplete],
    ['regenerate', 'no', {}, safety.kept],
    ['edit', 'no', {}, safety.notSent],
    ['edit', 'unknown', {}, safety.unknown],
    ['submit', 'no', {}, safety.answerKept],
    ['load', 'yes', {}, undefined],
    ['snapshot', 'yes', {}, undefined],
    ['stop', 'yes', {}, undefined],
  ] as const)('%s, written: %s, %j', (phase, committed, options, expected) => {
    expect(safetyOf(busy, phase, committed, options)).toBe(expected);
  });
});

describe('the cause', () => {
  const causeOf = (init: HelixErrorInit, phase: Phase = 'stream') =>
    view(failureOf(init, phase, 'yes')).cause;

  it('is chosen by reason, code, category, else unclassified', () => {
    expect(causeOf({ code: 'transport_error', reason: 'rate-limit' })).toBe(
      en.causes.reasons['rate-limit'],
    );
    expect(causeOf({ code: 'transport_error', reason: 'rate-limit', retryAfterMs: 2_000 })).toBe(
      en.causes.reasons['rate-limit'],
    );
    expect(causeOf({ code: 'state_not_resumable', reason: 'answer_not_stored' })).toBe(
      en.causes.reasons.answer_not_stored,
    );
    expect(causeOf({ code: 'provider_timeout' })).toBe(en.causes.codes.provider_timeout);
    expect(causeOf({ code: 'provider_quota_drained' })).toBe(en.causes.categories.provider);
    expect(causeOf({ code: 'acme_melted' })).toBe(en.causes.unclassified);
    expect(causeOf({})).toBe(en.causes.unclassified);
  });

  it('of a time-out is its layer', () => {
    expect(causeOf({ code: 'transport_error', reason: 'timeout', layer: 'connect' })).toBe(
      en.causes.timeouts.connect,
    );
    expect(causeOf({ code: 'transport_error', reason: 'timeout', layer: 'total' })).toBe(
      en.causes.timeouts.total,
    );
    expect(causeOf({ code: 'transport_error', reason: 'timeout' })).toBe(en.causes.reasons.timeout);
  });

  it('of a failed stop is that the reply may go on', () => {
    expect(causeOf({ code: 'transport_error', reason: 'network' }, 'stop')).toBe(
      en.causes.situations.stopFailed,
    );
  });

  it('follows the row that is shown in place of another', () => {
    expect(causeOf({ code: 'provider_rate_limited', retryable: false })).toBe(
      en.causes.reasons.quota,
    );
    const { cause } = view(
      failureOf({ code: 'state_request_already_completed' }, 'send', 'unknown'),
    );
    expect(cause).toBe(en.causes.codes.state_run_start_conflict);
  });
});

describe('the actions of a view', () => {
  const signedOut = failureOf({ reason: 'signed-out', retryable: false }, 'send', 'no');

  it('carry the labels of the catalogue, one of them filled', () => {
    expect(view(signedOut).actions).toEqual([
      { id: 'sign-in', label: 'Sign in', primary: true },
      { id: 'take-back', label: 'Restore draft', primary: false },
    ]);
  });

  it('leave out what the view cannot draw', () => {
    const can = (action: FailureAction) => action !== 'sign-in';
    expect(view(signedOut, { can }).actions).toEqual([
      { id: 'take-back', label: 'Restore draft', primary: false },
    ]);
    expect(view(signedOut, { can: () => false }).actions).toEqual([
      { id: 'dismiss', label: 'Dismiss', primary: false },
    ]);
  });

  it('draw the next alternative where the app cannot draw the first, and fill it', () => {
    const tooLarge = failureOf({ code: 'validation_error', reason: 'too-large' }, 'send', 'no');
    const ids = (can?: (action: FailureAction) => boolean) =>
      view(tooLarge, can ? { can } : {}).actions.map(({ id, primary }) =>
        primary ? `${id}*` : id,
      );
    expect(ids()).toEqual(['remove-file*', 'take-back']);
    expect(ids((action) => action !== 'remove-file')).toEqual(['edit*', 'take-back']);
  });

  it('are at most two beside dismiss', () => {
    const notFound = failureOf({ reason: 'not-found', requestId: 'req-1' }, 'send', 'no');
    expect(notFound.actions).toEqual(['start-new', 'copy-ref', 'take-back']);
    expect(view(notFound).actions.map(({ id }) => id)).toEqual(['start-new', 'copy-ref']);
    const withoutStart = (action: FailureAction) => action !== 'start-new';
    expect(view(notFound, { can: withoutStart }).actions.map(({ id }) => id)).toEqual([
      'copy-ref',
      'take-back',
    ]);
  });
});

describe('the rest of a view', () => {
  const limited = (more: Partial<Failure> = {}) =>
    failureOf(
      { code: 'transport_error', reason: 'rate-limit', retryAfterMs: 90_000 },
      'send',
      'no',
      more,
    );

  it('says the wait as a phrase and as a line, from the time it is given', () => {
    const retryAt = now + 12_000;
    expect(view(limited({ retryAt }), { now })).toMatchObject({
      retryAt,
      when: 'in 12 seconds',
      wait: 'Possible again: in 12 seconds',
    });
    expect(view(limited({ retryAt }), { now, locale: 'de' }).when).toBe('in 12 Sekunden');
    expect(view(limited({ retryAt }))).not.toHaveProperty('when');
    expect(view(limited({ retryAt }), { now: retryAt })).not.toHaveProperty('when');
    expect(view(limited(), { now })).not.toHaveProperty('retryAt');
  });

  it('is announced as its row says, and never assertively while tries go on', () => {
    expect(view(limited()).announce).toBe('assertive');
    expect(view(limited(), { waiting: true }).announce).toBe('polite');
    expect(
      view(failureOf({ code: 'provider_error', reason: 'length' }, 'stream', 'yes')).announce,
    ).toBe('polite');
    expect(
      view(failureOf({ code: 'state_commit_stopped' }, 'stream', 'yes'), { waiting: true })
        .announce,
    ).toBe('none');
  });

  it('names severity in a word', () => {
    expect(view(failureOf({ code: 'provider_auth_error' }, 'stream', 'yes'))).toMatchObject({
      severity: 'blocking',
      severityLabel: 'Problem',
    });
  });

  it('carries the reference, and never one that is a secret', () => {
    expect(view(failureOf({ requestId: 'req_8c1f2e90a4' }, 'stream', 'yes')).reference).toBe(
      'req_8c1f2e90a4',
    );
    expect(view(failureOf({ runId: 'run-7' }, 'stream', 'yes')).reference).toBe('run-7');
    expect(view(failureOf({ requestId: fakeKey }, 'stream', 'yes'))).not.toHaveProperty(
      'reference',
    );
  });

  it('marks the part that is on the screen', () => {
    const cut = failureOf({ code: 'transport_stream_drop', reason: 'cut' }, 'stream', 'yes');
    expect(view(cut).partialMark).toBe('Incomplete');
    expect(view(cut, { textShown: false })).not.toHaveProperty('partialMark');
    expect(
      view(failureOf({ code: 'provider_error' }, 'send', 'no'), { textShown: true }),
    ).not.toHaveProperty('partialMark');
  });

  it('is spoken as title, cause and safety, without labels', () => {
    const failure = failureOf({ code: 'provider_overloaded' }, 'send', 'no');
    expect(spokenText(view(failure))).toBe(
      `${titles.notSent}. ${en.causes.codes.provider_overloaded} ${safety.notSent}`,
    );
    expect(spokenText(view(failureOf({}, 'load', 'yes')))).toBe(
      `${titles.notLoaded}. ${en.causes.unclassified}`,
    );
  });

  it('is plain data', () => {
    const plain = view(limited({ retryAt: now + 5_000 }), { now });
    expect(JSON.parse(JSON.stringify(plain))).toEqual(plain);
  });
});

describe('failures of the page itself', () => {
  it('a crash offers to show the part again, then to reload the page', () => {
    expect(describeSituation('crash', { catalog: en, id: 'crash-1' })).toEqual({
      failureId: 'crash-1',
      title: titles.displayProblem,
      cause: en.causes.situations.crash,
      severity: 'blocking',
      severityLabel: 'Problem',
      surface: 'boundary',
      actions: [
        { id: 'show-again', label: 'Show again', primary: true },
        { id: 'reload-page', label: 'Reload page', primary: false },
      ],
      announce: 'assertive',
    });
  });

  it('a copy that did not work is a toast to put away', () => {
    expect(describeSituation('copy-failed', { catalog: en, id: 'copy-1' })).toMatchObject({
      title: titles.notCopied,
      surface: 'toast',
      severity: 'notice',
      announce: 'polite',
      actions: [{ id: 'dismiss', primary: false }],
    });
  });
});

describe('status lines', () => {
  const status = { catalog: en, now, timeZone: 'UTC' };

  it('say the state', () => {
    expect(describeStatus({ kind: 'reconnecting' }, status)).toEqual({
      kind: 'reconnecting',
      text: 'Reconnecting',
    });
    expect(describeStatus({ kind: 'offline' }, status).text).toBe(en.status.offline);
  });

  it('say the next try and when to draw it again', () => {
    expect(describeStatus({ kind: 'next-try', at: now + 12_000 }, status)).toEqual({
      kind: 'next-try',
      text: 'Next try: in 12 seconds',
      repaintMs: 2_000,
    });
  });

  it('speak of the try once its time has come', () => {
    expect(describeStatus({ kind: 'next-try', at: now }, status)).toEqual({
      kind: 'next-try',
      text: 'Trying again',
    });
  });

  it('say of a put-off reply when it is read, if that is known', () => {
    expect(describeStatus({ kind: 'deferred' }, status).text).toBe('The reply comes later');
    expect(describeStatus({ kind: 'deferred', at: now + 30_000 }, status).text).toBe(
      'The reply comes later: in 30 seconds',
    );
  });
});

describe('pending messages', () => {
  const line = (pending: Parameters<typeof describePending>[0]) =>
    describePending(pending, { catalog: en });

  it('say why they are not sent', () => {
    expect(line({ state: 'held', cause: 'foreign-run' })).toEqual({
      state: 'Waiting for the reply to end',
    });
    expect(line({ state: 'held', cause: 'awaiting-answer' })).toEqual({
      state: 'Waiting for an open question',
    });
    expect(line({ state: 'held', cause: 'slept' })).toEqual({
      state: 'Not sent, the device was asleep',
    });
    expect(line({ state: 'held' })).toEqual({ state: 'Waiting for the reply to end' });
    expect(line({ state: 'failed', cause: 'own-run' })).toEqual({ state: 'Not sent' });
    expect(line({ state: 'sending' })).toEqual({ state: 'Sending' });
  });

  it('name a file that could not be kept, and count several', () => {
    expect(line({ state: 'restored', lostFiles: ['a.pdf'] }).lostFiles).toBe(
      'Not kept: \u2068a.pdf\u2069',
    );
    expect(line({ state: 'restored', lostFiles: ['a', 'b'] }).lostFiles).toBe(
      '2 files could not be kept',
    );
    expect(line({ state: 'restored', lostFiles: [] })).not.toHaveProperty('lostFiles');
  });
});

describe('every failure has a sensible view', () => {
  const codes = [
    ...Object.keys(CODES),
    'provider_of_tomorrow',
    'tool_x',
    'state_x',
    'transport_x',
    'validation_x',
    'framework_x',
    'acme_x',
    undefined,
  ];
  const causes = new Set([
    ...Object.values(en.causes.reasons),
    ...Object.values(en.causes.timeouts),
    ...Object.values(en.causes.situations),
    ...Object.values(en.causes.codes),
    ...Object.values(en.causes.categories),
    en.causes.unclassified,
  ]);
  const allTitles = new Set(Object.values(titles));
  const allSafety = new Set<string | undefined>([...Object.values(safety), undefined]);

  const check = (failure: Failure, options: Partial<DescribeOptions>) => {
    const described = view(failure, options);
    const where = `${failure.error.code} ${failure.error.reason} ${failure.phase} ${failure.committed}`;
    const ids = described.actions.map(({ id }) => id);
    const filled = described.actions.filter(({ primary }) => primary);
    expect(allTitles.has(described.title), where).toBe(true);
    expect(causes.has(described.cause), where).toBe(true);
    expect(allSafety.has(described.safety), where).toBe(true);
    expect(ids.length, where).toBeGreaterThan(0);
    expect(new Set(ids).size, where).toBe(ids.length);
    expect(ids.filter((id) => id !== 'dismiss').length, where).toBeLessThanOrEqual(2);
    expect(filled.length, where).toBeLessThanOrEqual(1);
    if (failure.error.retryable === false) {
      expect(
        filled.some(({ id }) => id === 'send-again' || id === 'new-reply'),
        where,
      ).toBe(false);
    }
    // Nothing that says the message is lost, or asks for a second copy, where the server holds it.
    if (failure.committed === 'yes') {
      expect([safety.notSent, safety.unknown, safety.held], where).not.toContain(described.safety);
      expect(ids, where).not.toContain('send-again');
    }
    if (failure.committed === 'unknown') {
      expect([safety.notSent, safety.held], where).not.toContain(described.safety);
      expect(described.title, where).not.toBe(titles.notSent);
    }
  };

  it.each(PHASES)('in phase %s', (phase) => {
    for (const code of codes) {
      for (const committed of FATES) {
        for (const retryable of [true, false, null]) {
          for (const can of [
            {},
            { draft: false, pending: false },
            { snapshot: false, keyed: false },
          ]) {
            const failure = failureOf({ code, retryable }, phase, committed, { can });
            for (const options of [{}, { waiting: true }, { textShown: true }])
              check(failure, options);
          }
        }
      }
    }
  });

  it('for each reason', () => {
    for (const reason of Object.keys(REASONS) as Reason[]) {
      for (const phase of PHASES) {
        for (const committed of FATES) check(failureOf({ reason }, phase, committed), {});
      }
    }
  });
});

describe('no text of an error reaches a view', () => {
  const SECRETS = [
    fakeKey,
    `Bearer ${'abc123'.repeat(5)}`,
    'https://bucket.s3.amazonaws.com/x?X-Amz-Signature=deadbeef',
    'at Object.<anonymous> (/srv/app/secret.ts:12:5)',
    'The prompt was: my medical history',
  ];

  it('whatever stands in it, in any field', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SECRETS),
        fc.string(),
        fc.constantFrom(...Object.keys(CODES), 'provider_new', 'acme', undefined),
        fc.constantFrom(...(Object.keys(REASONS) as Reason[]), undefined),
        fc.constantFrom(...PHASES),
        fc.constantFrom(...FATES),
        fc.boolean(),
        (secret, padding, code, reason, phase, committed, textShown) => {
          const planted = `PLANTED ${secret} ${padding}`;
          const failure = failureOf(
            {
              code,
              reason,
              message: planted,
              serverMessage: planted,
              detail: planted,
              cause: new Error(planted),
              provider: planted,
              currentStatus: planted,
              toolCallIds: [planted],
              requestId: planted,
              runId: planted,
              wireCode: planted,
            },
            phase,
            committed,
            { partial: planted },
          );
          const text = JSON.stringify(view(failure, { now, textShown }));
          expect(text).not.toContain('PLANTED');
          expect(text).not.toContain(JSON.stringify(secret).slice(1, -1));
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it('not even a code that is a sentence', () => {
    const failure = failureOf({ code: 'provider_PLANTED please call 555' }, 'stream', 'yes');
    expect(JSON.stringify(view(failure))).not.toContain('PLANTED');
  });
});
