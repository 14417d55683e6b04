import { describe, expect, test } from 'vitest';
import { HelixStreamError } from '../../src/errors/HelixStreamError.ts';
import { CODES } from '../../src/protocol/codes.ts';
import { writeErrorChunks } from '../../src/protocol/errorEvent.ts';

describe('the flag of an event', () => {
  test.each([
    [{ retryable: false, recoverable: true }, 'provider_overloaded', false],
    [{ recoverable: false }, 'provider_overloaded', false],
    [{ recoverable: true }, 'provider_auth_error', true],
    [{}, 'provider_overloaded', true],
    [{}, 'provider_auth_error', false],
    [{}, 'provider_error', undefined],
    [{}, undefined, undefined],
    [{ retryable: 'yes' }, undefined, undefined],
  ])('%j with %s is %s', (flags, code, retryable) => {
    const event = { type: 'error', errorText: 'x', code, ...flags };
    expect(HelixStreamError.fromEvent(event).retryable).toBe(retryable);
  });
});

describe('the message of an event', () => {
  test.each([
    'Rate limit exceeded',
    'The model is busy, try later.',
    "It's over: 3 of 5 steps done.",
  ])('is its text when a person can read it: %s', (errorText) => {
    expect(HelixStreamError.fromEvent({ type: 'error', errorText }).message).toBe(errorText);
  });

  test.each([
    '',
    '   ',
    'two\nlines',
    'x'.repeat(201),
    'see https://example.com/help',
    'open www.example.com now',
    'failed at /usr/app/index',
    'in src/server/chat',
    'cannot open ./config',
    'read C:\\app\\chat failed',
    'error in handler.ts',
    '{"error":"x"}',
    '<html>',
    'field max_tokens is wrong',
    'TypeError was thrown',
    'at Object.run (internal)',
    'request req-01HABCDEF9 failed',
    'run 3fa85f64-5717-4562-b3fc-2c963f66afa6 failed',
    'order 123456789 failed',
    'key sk-abcdefgh12345678 is wrong',
    'a\u202Ebc',
    'a\u0000bc',
  ])('is the sentence of its code when it is not for people: %j', (errorText) => {
    const error = HelixStreamError.fromEvent({ type: 'error', errorText, code: 'provider_error' });
    expect(error.message).toBe(CODES.provider_error.sentence);
  });

  test('is kept as the server sent it beside the message, without secrets', () => {
    const errorText = 'boom {"key":"sk-abcdefgh12345678"}';
    const error = HelixStreamError.fromEvent({ type: 'error', errorText });
    expect(error.serverMessage).toBe('boom {"key":"***5678"}');
  });
});

describe('the code of an event', () => {
  test.each([
    [{ code: 'provider_quota_drained' }, 'provider_quota_drained', 'provider'],
    [{ code: 'my_code', recoverable: false }, 'my_code', 'unknown'],
    [{ code: 'my_code', retryable: false }, 'my_code', 'unknown'],
    [{ code: 'my_code' }, undefined, 'unknown'],
  ])('%j gives %s', (fields, code, category) => {
    const error = HelixStreamError.fromEvent({ type: 'error', errorText: 'x', ...fields });
    expect(error).toMatchObject({ code, category, wireCode: fields.code });
  });

  test('is the new one for a legacy code', () => {
    const error = HelixStreamError.fromEvent({ type: 'error', error: 'x', code: 'STREAM_FAILED' });
    expect(error).toMatchObject({ code: 'framework_internal_error', wireCode: 'STREAM_FAILED' });
  });

  test.each([
    [401, 'provider_auth_error', false],
    [402, 'provider_rate_limited', false],
    [408, 'provider_timeout', true],
    [422, 'provider_invalid_request', false],
    [429, 'provider_rate_limited', true],
    [500, 'provider_error', true],
    [503, 'provider_overloaded', true],
    [529, 'provider_overloaded', true],
  ])('is read from the provider’s status %i where there is no code', (status, code, retryable) => {
    for (const key of ['status', 'statusCode']) {
      const event = { type: 'error', errorText: 'x', [key]: status };
      expect(HelixStreamError.fromEvent(event)).toMatchObject({
        ...{ code, retryable },
        statusCode: status,
      });
    }
  });
});

test('an event that our server writes comes back whole', () => {
  const [part] = writeErrorChunks({
    code: 'state_history_incomplete',
    cause: 'store_error',
    retryable: true,
    retryAfterMs: 9,
    runId: 'r1',
    detail: 'd',
  });
  expect(HelixStreamError.fromEvent(part, { requestId: 'q1', runId: 'other' })).toMatchObject({
    code: 'state_history_incomplete',
    reason: 'store_error',
    retryable: true,
    retryAfterMs: 9,
    runId: 'r1',
    detail: 'd',
    requestId: 'q1',
    cause: part,
  });
});

describe('anything else', () => {
  test.each([undefined, null, 7, 'x', {}, { type: 'error' }, { type: 'text-delta', delta: 'x' }])(
    'is no error event: %j',
    (event) => {
      expect(HelixStreamError.isErrorEvent(event)).toBe(false);
      expect(() => HelixStreamError.fromEvent(event)).toThrow(TypeError);
      expect(() => HelixStreamError.fromEvent(event)).toThrow(/^\[helix-chat\].*isErrorEvent/);
    },
  );
});
