import { describe, expect, test } from 'vitest';
import { allAdapters } from '../../src/adapters/allAdapters.ts';
import { toHelixError } from '../../src/errors/toHelixError.ts';
import { CODES } from '../../src/protocol/codes.ts';
import { chatErrorResponse } from '../../src/server/chatErrorResponse.ts';
import { answer, decode, NOW, reading } from './decode.ts';

const deuz = (code: string, name: string, details: object) => ({
  ...{ name, code, message: 'm', details },
});
const falai = (kind: string, more: object = {}) => ({ provider: 'p', kind, ...more });
const vern = (fields: object) => ({ name: 'LLMError', message: 'm', retryable: true, ...fields });
const provider = (type: string, message = 'm') => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_1',
});
const openai = (code: string | null, type = 'invalid_request_error', message = 'm') => ({
  error: { message, type, param: null, code },
});

const AT = '2026-11-30T17:18:32.910Z';

describe('rule 1: what wraps a failure is opened', () => {
  const limited = deuz('rate_limit', 'RateLimitError', { statusCode: 429 });
  const skipped = { kind: 'say', status: 'ok', at: AT };
  const failed = { kind: 'prompt', status: 'failed', code: 'provider-auth', at: AT };
  test.each<[string, unknown, string]>([
    [
      'the result of a native run',
      { status: 'failed', runId: 'r', error: limited },
      'provider_rate_limited',
    ],
    ['a field of a body', answer(500, { error: falai('auth') }), 'provider_auth_error'],
    ['a part of a live stream', { type: 'error', error: limited }, 'provider_rate_limited'],
    [
      'a chain of fallbacks',
      vern({
        type: 'fallback_exhausted',
        attempts: [{ index: -1, error: vern({ type: 'network' }) }],
      }),
      'provider_unreachable',
    ],
    ['the outcomes of a turn', { llmCalls: 1, outcomes: [skipped, failed] }, 'provider_auth_error'],
    [
      'a cause',
      new Error('m', { cause: new Error('m', { cause: limited }) }),
      'provider_rate_limited',
    ],
    ['a JSON text', JSON.stringify(limited), 'provider_rate_limited'],
  ])('%s', (_name, value, code) => {
    expect(decode(value).code).toBe(code);
  });
});

describe('rule 2: the order of evidence', () => {
  test.each<[string, unknown]>([
    ['Deuz', deuz('api_call_error', 'APICallError', { statusCode: 503, isRetryable: false })],
    ['falai', falai('overload', { shouldRetry: false })],
    ['VernLLM', vern({ type: 'api', status: 503, retryable: false })],
    ['a provider', answer(503, provider('overloaded_error'), { 'x-should-retry': 'false' })],
    [
      'the AI SDK',
      { name: 'AI_APICallError', statusCode: 503, requestBodyValues: {}, isRetryable: false },
    ],
  ])('an explicit no is final: %s', (_name, value) => {
    expect(reading(value)).toEqual(['provider_overloaded', false]);
  });

  test.each([408, 425, 498])(
    'but for one class of Deuz at %i, whose no is no verdict',
    (statusCode) => {
      const details = { statusCode, isRetryable: false };
      expect(decode(deuz('invalid_request', 'InvalidRequestError', details)).retryable).toBe(true);
    },
  );

  test.each<[string, unknown]>([
    ['a status of 401', vern({ type: 'api', status: 401 })],
    [
      'a status of 409',
      { name: 'AI_APICallError', statusCode: 409, requestBodyValues: {}, isRetryable: true },
    ],
    [
      'words of a quota',
      vern({ type: 'api', status: 429, message: 'You exceeded your current quota' }),
    ],
    [
      'a type of a quota',
      deuz('rate_limit', 'RateLimitError', {
        isRetryable: true,
        upstreamType: 'insufficient_quota',
      }),
    ],
  ])('a library’s yes is overruled by %s', (_name, value) => {
    expect(decode(value).retryable).toBe(false);
  });

  test('a typed body counts more than the status', () => {
    expect(reading(answer(504, provider('timeout_error')))).toEqual(['provider_timeout', true]);
    expect(reading(answer(500, provider('overloaded_error')))).toEqual([
      'provider_overloaded',
      true,
    ]);
    expect(reading(answer(400, openai('content_filter')))).toEqual([
      'provider_content_filtered',
      false,
    ]);
  });

  test('the status counts more than a word that providers write for anything', () => {
    expect(reading(answer(401, openai(null)))).toEqual(['provider_auth_error', false]);
    expect(reading(answer(503, provider('api_error')))).toEqual(['provider_overloaded', true]);
  });

  test('and more than prose', () => {
    const prose = provider('new_error', 'The request timed out.');
    expect(reading(answer(503, prose))).toEqual(['provider_overloaded', true]);
    expect(reading(answer(200, prose))).toEqual(['provider_timeout', true]);
  });
});

describe('rule 3: a used-up allowance', () => {
  const spent: readonly (readonly [string, unknown])[] = [
    ['402', answer(402, openai(null))],
    ['billing_error', answer(402, provider('billing_error'))],
    ['insufficient_quota', answer(429, openai('insufficient_quota', 'insufficient_quota'))],
    ['falai’s quota', falai('quota')],
    ['VernLLM’s quota_exceeded', vern({ type: 'quota_exceeded' })],
    ['Deuz at 402', deuz('invalid_request', 'InvalidRequestError', { statusCode: 402 })],
  ];

  test.each(spent)('%s is one code, not to be repeated, with the reason', (_name, value) => {
    expect(reading(value)).toEqual(['provider_rate_limited', false, 'quota']);
  });

  test.each<[string, unknown, number]>([
    ['a header', answer(429, openai('insufficient_quota'), { 'retry-after': '90' }), 90_000],
    ['a reset', falai('quota', { resetAtMs: NOW + 5_000 }), 5_000],
    [
      'a field',
      answer(429, { error: { type: 'usage_limit_reached', message: 'm', resets_in_seconds: 60 } }),
      60_000,
    ],
    [
      'Deuz’s own',
      deuz('invalid_request', 'InvalidRequestError', { statusCode: 402, retryAfterMs: 7_000 }),
      7_000,
    ],
  ])('unless it says when it is over: by %s', (_name, value, wait) => {
    expect(decode(value)).toMatchObject({
      code: 'provider_rate_limited',
      retryable: true,
      reason: 'quota',
      retryAfterMs: wait,
    });
  });

  test('of OpenRouter a wait helps only where it says so', () => {
    const body = (metadata?: object) => ({ error: { code: 402, message: 'm', metadata } });
    const headers = { 'retry-after': '5' };
    const inFlight = body({ limit_source: 'openrouter_in_flight_budget' });
    expect(decode(answer(402, inFlight, headers)).retryable).toBe(true);
    expect(decode(answer(402, inFlight)).retryable).toBe(false);
    expect(decode(answer(402, body(), headers)).retryable).toBe(false);
  });
});

describe('rule 4: a prompt that is too large', () => {
  test.each<[string, unknown]>([
    ['413, whatever its code', answer(413, openai('rate_limit_exceeded', 'tokens'))],
    ['413 of an overloaded type', answer(413, provider('overloaded_error'))],
    ['a type', answer(400, openai('context_length_exceeded'))],
    ['words', answer(400, provider('invalid_request_error', 'prompt is too long'))],
    ['Deuz', deuz('context_overflow', 'ContextOverflowError', { statusCode: 400 })],
    ['falai', falai('context')],
    ['VernLLM', vern({ type: 'api', status: 413, code: 'payload_too_large' })],
  ])('%s', (_name, value) => {
    expect(reading(value)).toEqual(['provider_invalid_request', false, 'too-long']);
  });
});

describe('rule 5: the wait', () => {
  const limit = (headers: Record<string, string>, message = 'm', more: object = {}) =>
    answer(429, { error: { message, type: 'rate_limit_error', ...more } }, headers);
  const prose = 'Please try again in 7.66s.';
  const date = new Date(NOW + 30_090).toUTCString();
  const info = { details: [{ retryDelay: '52s' }] };

  test.each<[string, unknown, number | undefined]>([
    ['a header in ms first', limit({ 'retry-after-ms': '1500', 'retry-after': '9' }, prose), 1_500],
    ['also the longer name', limit({ 'x-retry-after-ms': '1500', 'retry-after': '9' }), 1_500],
    ['then Retry-After in seconds', limit({ 'retry-after': '22' }, prose, info), 22_000],
    ['or as a fraction', limit({ 'retry-after': '1.5' }), 1_500],
    ['or as a date', limit({ 'retry-after': date }, prose), 30_090],
    ['then the body’s field', limit({}, prose, info), 52_000],
    ['then its prose', limit({}, prose), 7_660],
    [
      'a date in the past is none',
      limit({ 'retry-after': 'Mon, 30 Nov 2020 00:00:00 GMT' }),
      undefined,
    ],
    ['a negative number is none', limit({ 'retry-after': '-5' }), undefined],
    ['raw, however long', limit({ 'retry-after': '86400' }), 86_400_000],
    ['none at all', limit({}), undefined],
  ])('%s', (_name, value, wait) => {
    expect(decode(value).retryAfterMs).toBe(wait);
  });
});

describe('rule 6: 401 and 403', () => {
  test.each([401, 403])('%i is the key', (status) => {
    expect(decode(answer(status, openai(null))).code).toBe('provider_auth_error');
  });

  test.each<[string, unknown]>([
    ['reasons', { error: { code: 403, message: 'm', metadata: { reasons: ['hate'] } } }],
    ['a code', openai('content_policy_violation')],
    ['words', openai(null, 'forbidden', 'Your input was flagged by moderation.')],
  ])('unless the body names a filter: by %s', (_name, body) => {
    expect(reading(answer(403, body))).toEqual(['provider_content_filtered', false]);
  });
});

describe('rule 7: what nobody knows is unclassified, not permanent', () => {
  test.each<[string, unknown]>([
    ['an unknown Deuz code', { name: 'NewError', code: 'new_code', message: 'm' }],
    ['an unknown kind', falai('new-kind')],
    ['an unknown type', vern({ type: 'new_type', retryable: undefined })],
    ['an unknown name of the SDK', { name: 'AI_NewError', message: 'm' }],
    ['a body without a word', { error: { message: 'm' } }],
    ['an error', new Error('m')],
  ])('%s', (_name, value) => {
    expect(decode(value)).toMatchObject({
      code: undefined,
      category: 'unknown',
      retryable: undefined,
    });
  });

  test('a foreign code never becomes ours', () => {
    for (const code of ['tool_choice_none_violated', 'provider_new', 'state_of_mind']) {
      const error = decode(vern({ type: 'validation', code, retryable: false }));
      expect(Object.keys(CODES)).toContain(error.code);
    }
  });

  test('but a body of ours is asked before any adapter', () => {
    const body = {
      error: 'Busy.',
      code: 'provider_overloaded',
      type: 'api',
      retryable: true,
      message: 'm',
    };
    expect(decode(answer(500, body))).toMatchObject({
      code: 'provider_overloaded',
      wireCode: undefined,
    });
    const known = decode({ message: 'm', code: 'provider_overloaded' });
    expect(known.code).toBe('provider_overloaded');
  });
});

describe('rule 8: a page, or a text that is no JSON', () => {
  const PAGE = '<!doctype html><h1>502</h1><p>SECRET_PAGE';
  test.each<[number, string, readonly unknown[]]>([
    [502, PAGE, ['transport_error', true]],
    [503, PAGE, ['transport_error', true]],
    [401, PAGE, [undefined, false, 'signed-out']],
    [500, 'SECRET_PAGE of a text', [undefined, undefined]],
    [429, '{"error":{"message":"SECRET_PAGE', ['transport_error', true, 'rate-limit']],
  ])('%i is read by its status, and never shown', (status, body, expected) => {
    const error = decode(answer(status, body));
    expect(reading(answer(status, body))).toEqual(expected);
    expect(JSON.stringify([error, error.message])).not.toContain('SECRET_PAGE');
  });

  test('of a call that is known to be a provider’s, too', () => {
    const call = {
      name: 'AI_APICallError',
      requestBodyValues: {},
      statusCode: 502,
      responseBody: PAGE,
    };
    const error = decode({ ...call, isRetryable: true, message: PAGE });
    expect(error.code).toBe('provider_error');
    expect(JSON.stringify([error, error.message, error.serverMessage])).not.toContain(
      'SECRET_PAGE',
    );
  });
});

describe('in a route', () => {
  const typed = async (thrown: unknown, committed = false) => {
    const response = chatErrorResponse(thrown, {
      adapters: allAdapters,
      now: NOW,
      committed,
    });
    return {
      status: response.status,
      body: (await response.json()) as Record<string, unknown>,
      response,
    };
  };

  test('a thrown foreign error answers with our code and its wait', async () => {
    const thrown = deuz('rate_limit', 'RateLimitError', { statusCode: 429, retryAfterMs: 1_500 });
    const { status, body, response } = await typed(thrown);
    expect(status).toBe(503);
    expect(body).toMatchObject({
      code: 'provider_rate_limited',
      error: CODES.provider_rate_limited.sentence,
      retryAfterMs: 1_500,
    });
    expect(response.headers.get('retry-after')).toBe('2');
  });

  test('a turn that was put off tells the client so, and the client reads it back', async () => {
    const put = { kind: 'prompt', status: 'deferred', code: 'provider-unavailable', at: AT };
    const thrown = { llmCalls: 1, outcomes: [{ ...put, until: '2026-11-30T17:19:32.910Z' }] };
    const { body, status, response } = await typed(thrown, true);
    expect(status).toBe(500);
    expect(body).toMatchObject({
      code: 'provider_overloaded',
      cause: 'deferred',
      retryAfterMs: 60_000,
    });
    const client = toHelixError({ status, headers: response.headers, body }, { now: NOW });
    expect(client).toMatchObject({ reason: 'deferred', retryAfterMs: 60_000 });
  });
});
