import { describe, expect, test } from 'vitest';
import { falaiAdapter } from '../../src/adapters/falai.ts';
import { answer, decode, live, NOW, reading } from './decode.ts';

/** What mends a ProviderError, by its kind. */
const KINDS: readonly (readonly [string, readonly unknown[]])[] = [
  ['aborted', ['framework_cancelled', false]],
  ['timeout', ['provider_timeout', true]],
  ['network', ['provider_unreachable', true]],
  ['overload', ['provider_overloaded', true]],
  ['rate', ['provider_rate_limited', true]],
  ['quota', ['provider_rate_limited', false, 'quota']],
  ['entitlement', ['provider_auth_error', false]],
  ['auth', ['provider_auth_error', false]],
  ['model', ['provider_invalid_request', false]],
  ['context', ['provider_invalid_request', false, 'too-long']],
  ['content', ['provider_content_filtered', false]],
  ['invalid', ['provider_invalid_request', false]],
  ['unknown', ['provider_error', false]],
];

describe('a ProviderError', () => {
  const json = (kind: string, more: object = {}) => ({
    provider: 'openai',
    kind,
    ...more,
    name: 'ProviderError',
  });

  test.each(KINDS)(
    '%s: alive, out of JSON, as a host sends it, in the form of the log',
    (kind, expected) => {
      expect(reading(live({ ...json(kind), message: 'openai 500: text' }))).toEqual(expected);
      expect(reading(json(kind))).toEqual(expected);
      expect(reading(answer(500, json(kind)))).toEqual(expected);
      expect(reading({ provider: 'openai', kind, error: 'openai 500: text' })).toEqual(expected);
    },
  );

  test.each(KINDS)('%s: the provider’s own word on a repeat wins, both ways', (kind, expected) => {
    const [code] = expected;
    for (const shouldRetry of [true, false]) {
      expect(decode(json(kind, { shouldRetry }))).toMatchObject({ code, retryable: shouldRetry });
    }
  });

  test('a used-up window opens at its reset, whatever Retry-After says', () => {
    const window = json('quota', { window: '5h', resetAtMs: NOW + 60_000, retryAfterMs: 90_000 });
    expect(decode(window)).toMatchObject({
      retryable: true,
      reason: 'quota',
      retryAfterMs: 60_000,
    });
  });

  test('a throttle is over when both have passed', () => {
    const rate = json('rate', { resetAtMs: NOW + 500, retryAfterMs: 20_000 });
    expect(decode(rate).retryAfterMs).toBe(20_000);
  });

  test('a reset in the past, or read without a clock, is none', () => {
    const past = json('quota', { resetAtMs: NOW - 1 });
    expect(decode(past)).toMatchObject({ retryable: false, retryAfterMs: undefined });
    const unread = falaiAdapter(json('quota', { resetAtMs: NOW }), { now: 0 });
    expect(unread).toMatchObject({ retryable: false });
  });

  test('a refusal in its body is one', () => {
    const refused = json('content', { body: '{"stop_reason":"refusal"}' });
    expect(reading(refused)).toEqual(['provider_refused', false]);
  });

  test('keeps the status and the provider, and nothing of the body', () => {
    const error = decode(json('rate', { status: 429, body: 'SECRET BODY', code: 'SECRET CODE' }));
    expect(error).toMatchObject({ statusCode: 429, provider: 'openai', wireCode: 'rate' });
    expect(JSON.stringify([error, error.serverMessage, error.detail])).not.toContain('SECRET');
  });

  test('a kind without a provider, or one that is not known, is none', () => {
    expect(falaiAdapter({ kind: 'rate', name: 'ProviderError' }, { now: NOW })).toBeUndefined();
    expect(falaiAdapter(json('new-kind'), { now: NOW })).toBeUndefined();
  });
});

describe('falai’s own errors', () => {
  test.each([
    ['FlowConfigurationError', {}, ['framework_internal_error', false]],
    [
      'SessionConflictError',
      { sessionId: 's', expectedVersion: 3 },
      ['state_concurrency_conflict', true],
    ],
    ['InvalidSessionError', { sessionId: 's' }, ['state_history_incomplete', false, 'corrupt_row']],
  ] as const)('%s: alive, by its fields, by its message, as a text', (name, fields, expected) => {
    const message = `[${name}] what: why. how to fix.`;
    expect(reading(live({ name, message, ...fields }))).toEqual(expected);
    expect(reading({ name, ...fields })).toEqual(expected);
    expect(reading(new Error(message))).toEqual(expected);
    expect(reading(message)).toEqual(expected);
    expect(reading(`${name}: ${message}`)).toEqual(expected);
    expect(reading(answer(500, { message }))).toEqual(expected);
  });

  test('a name that others use too is not enough', () => {
    expect(
      falaiAdapter({ name: 'SessionConflictError', message: 'm' }, { now: NOW }),
    ).toBeUndefined();
    expect(
      falaiAdapter({ name: 'InvalidSessionError', message: 'm' }, { now: NOW }),
    ).toBeUndefined();
  });

  test('an empty reply of the model', () => {
    expect(reading(new Error('No response from gemini'))).toEqual(['provider_error', true]);
    expect(
      falaiAdapter(new Error('No response from gemini, sorry!'), { now: NOW }),
    ).toBeUndefined();
    expect(falaiAdapter({ message: 'No response from gemini' }, { now: NOW })).toBeUndefined();
  });
});

const AT = '2026-11-30T17:18:32.910Z';
const UNTIL = '2026-11-30T17:23:32.910Z';
const turn = (...outcomes: object[]) => ({
  ...{ changed: true, messages: [], schedule: [], llmCalls: 1 },
  outcomes: outcomes.map((outcome) => ({ kind: 'collect', at: AT, ...outcome })),
});

describe('the outcome of a turn', () => {
  test.each([
    ['provider-unavailable', 'provider_overloaded'],
    ['provider-quota', 'provider_rate_limited'],
  ])('put off with %s: the server goes on by itself', (code, expected) => {
    expect(decode(turn({ status: 'deferred', code, until: UNTIL }))).toMatchObject({
      code: expected,
      retryable: true,
      reason: 'deferred',
      retryAfterMs: 300_000,
    });
  });

  test.each([
    ['provider-unavailable', ['provider_overloaded', true]],
    ['provider-quota', ['provider_rate_limited', false, 'quota']],
    ['provider-auth', ['provider_auth_error', false]],
    ['provider-context', ['provider_invalid_request', false, 'too-long']],
    ['provider-invalid', ['provider_invalid_request', false]],
    ['flow-gone', ['framework_agent_not_found', false]],
    ['step-gone', ['framework_agent_not_found', false]],
    ['step-loop', ['framework_max_steps_exhausted', false]],
    ['action-failed', ['tool_execution_failed', false]],
    ['unknown-field', ['tool_input_invalid', false]],
    ['bad-value', ['tool_input_invalid', false]],
    ['not-in-enum', ['tool_input_invalid', false]],
    ['no-session', ['state_session_not_found', false]],
    ['duplicate-input', ['state_request_already_completed', false]],
    ['stale-wake', ['state_run_superseded', false]],
  ] as const)('failed with %s', (code, expected) => {
    expect(reading(turn({ status: 'failed', code }))).toEqual(expected);
    expect(reading(answer(200, turn({ status: 'failed', code })))).toEqual(expected);
  });

  test.each(['provider-unavailable', 'provider-quota', 'provider-auth'])(
    'of the idle speaker with %s: nothing wakes, the next message asks again',
    (code) => {
      const error = decode(turn({ kind: 'idle', status: 'deferred', code, until: UNTIL }));
      expect(error).toMatchObject({ retryable: true, reason: undefined, retryAfterMs: undefined });
    },
  );

  test.each([
    ['no-session', 'state_session_not_found'],
    ['duplicate-input', 'state_request_already_completed'],
    ['stale-wake', 'state_run_superseded'],
  ])('of a turn that did nothing: %s', (code, expected) => {
    const nothing = { ...turn(), changed: false, outcomes: [{ status: 'skipped', code, at: AT }] };
    expect(decode(nothing).code).toBe(expected);
  });

  test('its first that was put off or failed counts', () => {
    const both = turn(
      { status: 'ok' },
      { status: 'deferred', code: 'provider-quota', until: UNTIL },
      { status: 'failed', code: 'provider-auth' },
    );
    expect(decode(both).code).toBe('provider_rate_limited');
  });

  test.each([
    'silence-broken already-claimed cooldown hop-limit already-running customer-replied premise-changed',
    'silenced already-known asked-fixed another-reply already-sent branch max-asks inline-delay',
    'awaiting-trigger awaiting-event event-arrived no-event replied no-reply action-skipped action-deferred',
  ])('the normal course of a flow is no error: %s', (codes) => {
    for (const code of codes.split(' ')) {
      for (const status of ['ok', 'skipped', 'waiting']) {
        expect(falaiAdapter(turn({ status, code }), { now: NOW })).toBeUndefined();
      }
    }
  });

  test('one line alone is read as in its turn', () => {
    const line = { kind: 'prompt', status: 'failed', code: 'provider-auth', at: AT };
    expect(reading(line)).toEqual(['provider_auth_error', false]);
  });
});
