import { describeError, toHelixError } from 'helix-chat';
import { providerBodyAdapter } from 'helix-chat/adapters';
import { en } from 'helix-chat/locales/en';
import { describe, expect, test } from 'vitest';
import type { FailureAction } from '../../src/errors/failure.ts';
import { HelixStreamError } from '../../src/errors/HelixStreamError.ts';
import { parseHelixChatError } from '../../src/errors/parseHelixChatError.ts';

const WORDS = [
  ...['insufficient_quota', 'InsufficientQuota', 'insufficient-quota', 'INSUFFICIENT_QUOTA'],
  ...[
    'quota_exceeded',
    'quotaExceeded',
    'QuotaExceededError',
    'quota_exhausted',
    'over.quota_exceeded',
  ],
  ...[
    'exceeded_current_quota_error',
    'monthly_quota_reached',
    'out_of_quota',
    'free_quota_used_up',
  ],
  ...[
    'insufficient_credits',
    'out_of_credits',
    'no_credits',
    'credits_exhausted',
    'credit_balance_too_low',
  ],
  ...['credit_balance_exhausted', 'insufficient_balance', 'insufficient_funds', 'balance_depleted'],
  ...['billing_hard_limit_reached', 'billing_not_active', 'billing_error', 'payment_required'],
  ...[
    'usage_limit_reached',
    'usage_limit_exceeded',
    'plan_limit_reached',
    'spending_limit_exceeded',
  ],
  ...[
    'personal-team-blocked:spending-limit',
    'budget_exceeded',
    'https://errors.app/probs/out-of-credit',
  ],
];

const OTHER_LIMITS = [
  ...['rate_limit_exceeded', 'rateLimitExceeded', 'too_many_requests', 'requests', 'tokens'],
  ...['RESOURCE_EXHAUSTED', 'ServiceQuotaExceededException', 'ThrottlingException', 'slow_down'],
  ...[
    'token_limit_exceeded',
    'request_limit_exceeded',
    'concurrency_limit_reached',
    'overloaded_error',
  ],
];

const ENVELOPES: Record<string, (word: string) => unknown> = {
  code: (code) => ({ code }),
  'code beside a text': (code) => ({ error: 'Too much', code }),
  'code beside a message': (code) => ({ code, message: 'm' }),
  'error as the word': (error) => ({ error }),
  'error.code': (code) => ({ error: { code, message: 'm' } }),
  'error.type': (type) => ({ error: { type, message: 'm', code: null } }),
  'error.type in the dialect of OpenAI': (type) => ({
    error: { message: 'm', type, param: null, code: null },
  }),
  'error.error.code': (code) => ({ error: { error: { code } } }),
  'status.code': (code) => ({ status: { code, message: 'm' } }),
  'detail as the word': (detail) => ({ detail }),
  'detail.code': (code) => ({ detail: { code, message: 'm' } }),
  'a list under detail': (code) => ({ detail: [{ code }] }),
  'a list under errors': (reason) => ({ errors: [{ reason, message: 'm' }] }),
  'a list': (code) => [{ error: { code } }],
  'a problem': (type) => ({ type, title: 'Too much', status: 429 }),
};

const DRAWN: readonly FailureAction[] = ['take-back', 'dismiss'];

describe('an allowance that is used up', () => {
  test.each(WORDS)('is told from a busy server by the word %s', (code) => {
    const error = toHelixError({ status: 429, headers: {}, body: { code } });
    expect(error).toMatchObject({
      ...{ code: 'provider_rate_limited', reason: 'quota', retryable: false },
      ...{ statusCode: 429, wireCode: code },
    });
  });

  describe.each(Object.entries(ENVELOPES))('said by %s', (_, envelope) => {
    test.each([429, 403, 400, 402, 503])('with %i is not to be tried again', (status) => {
      for (const body of [
        envelope('insufficient_quota'),
        JSON.stringify(envelope('quotaExceeded')),
      ]) {
        const answer = { status, headers: {}, body };
        for (const adapters of [[], [providerBodyAdapter]]) {
          expect(toHelixError(answer, { adapters })).toMatchObject({
            reason: 'quota',
            retryable: false,
          });
        }
      }
    });

    test('in a stream is not to be tried again', () => {
      const errorText = JSON.stringify(envelope('insufficient_quota'));
      expect(toHelixError(JSON.parse(errorText))).toMatchObject({
        reason: 'quota',
        retryable: false,
      });
    });
  });

  test('in an error event is one, whether it is the code or the text', () => {
    for (const event of [
      { type: 'error', errorText: 'You have none left', code: 'insufficient_quota' },
      { type: 'error', errorText: 'insufficient_quota' },
    ]) {
      expect(HelixStreamError.fromEvent(event)).toMatchObject({
        ...{ code: 'provider_rate_limited', reason: 'quota', retryable: false },
      });
    }
  });

  test('that states when it is filled again may be tried again then', () => {
    const headers = { 'retry-after': '20' };
    const error = toHelixError({ status: 429, headers, body: { code: 'insufficient_quota' } });
    expect(error).toMatchObject({ reason: 'quota', retryable: true, retryAfterMs: 20_000 });
  });

  test('whose server says that a repeat may help is believed', () => {
    const body = { error: 'x', code: 'quota_exceeded', retryable: true };
    expect(toHelixError({ status: 429, headers: {}, body })).toMatchObject({
      reason: 'quota',
      retryable: true,
    });
  });

  test('is not to be tried again for a reader of the body alone either', () => {
    const body = { error: 'x', code: 'insufficient_quota' };
    expect(parseHelixChatError({ status: 429, body })).toMatchObject({ retryable: false });
  });

  test('without any word is what 402 says', () => {
    const error = toHelixError({ status: 402, headers: {}, body: 'Pay' });
    expect(error).toMatchObject({ reason: 'quota', retryable: false });
  });

  test('offers what the app sells, and no second try', () => {
    const error = toHelixError({ status: 429, headers: {}, body: { code: 'insufficient_quota' } });
    const view = describeError(
      {
        ...{ id: 'f', error, phase: 'send', committed: 'no', severity: 'blocking' },
        ...{ attempts: [], actions: ['plan', ...DRAWN], primary: 'plan' },
      },
      { catalog: en },
    );
    expect(view.cause).toMatch(/allowance is used up/);
    expect(view.actions.map(({ id }) => id)[0]).toBe('plan');
    expect(JSON.stringify(view)).not.toMatch(/try again/i);
  });
});

test.each(OTHER_LIMITS)('the word %s is no used-up allowance', (code) => {
  const error = toHelixError({ status: 429, headers: {}, body: { code } });
  expect(error).toMatchObject({ reason: 'rate-limit', retryable: true });
});

test('a sentence that speaks of a quota decides nothing about a repeat', () => {
  const body = { error: { message: 'You exceeded your current quota, try again tomorrow' } };
  expect(toHelixError({ status: 429, headers: {}, body })).toMatchObject({
    reason: 'rate-limit',
    retryable: true,
  });
});
