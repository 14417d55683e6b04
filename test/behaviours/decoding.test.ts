import { describeError, type ErrorAdapter, toHelixError } from 'helix-chat';
import { providerBodyAdapter } from 'helix-chat/adapters';
import { en } from 'helix-chat/locales/en';
import { describe, expect, test } from 'vitest';
import type { HelixError } from '../../src/errors/HelixError.ts';
import { HelixStreamError } from '../../src/errors/HelixStreamError.ts';

/** All that a person reads of a refused send. */
const read = (error: HelixError): string =>
  JSON.stringify(
    Object.values(
      describeError(
        {
          ...{ id: 'f', error, phase: 'send', committed: 'no', severity: 'warning' },
          ...{ attempts: [], actions: ['take-back'] },
        },
        { catalog: en },
      ),
    ).filter((value) => typeof value === 'string'),
  ).slice(1, -1);

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  toHelixError({ status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) });

describe('a refusal whose body is JSON', () => {
  test('becomes fields: what the app wrote as its code, the status and the flag', () => {
    const error = answer(400, { code: 'bad_model', message: 'no such model' });
    expect(error).toMatchObject({ wireCode: 'bad_model', statusCode: 400, retryable: false });
    expect(error.serverMessage).toBe('no such model');
    expect(read(error)).not.toMatch(/[{}]|no such model|bad_model/);
  });

  test('with the details of a check shows a sentence and no detail', () => {
    const body = { error: 'Invalid request body', details: [{ path: ['messages', 0] }] };
    const error = answer(413, body);
    expect(error).toMatchObject({ reason: 'too-large', retryable: false });
    expect(read(error)).not.toMatch(/[[{]|Invalid request body|messages/);
  });

  test('keeps the code of the body beside the status, never the status phrase', () => {
    const error = answer(400, { code: 'MODEL_OFF', message: 'The model is off', data: null });
    expect(error).toMatchObject({ wireCode: 'MODEL_OFF', statusCode: 400 });
    expect(`${read(error)}${error.serverMessage}`).not.toContain('Bad Request');
  });
});

describe('what went wrong is told apart', () => {
  const failures: Record<string, [HelixError, string]> = {
    'no network': [toHelixError(new TypeError('Failed to fetch')), 'network'],
    'a proxy whose page is the answer': [
      answer(502, '<html>Bad gateway</html>'),
      'transport_error',
    ],
    'a page instead of a reply': [answer(200, '<html>Sign in</html>'), 'unexpected-response'],
    'a sign-in that ran out': [answer(401, ''), 'signed-out'],
    'a server that failed': [answer(500, ''), 'unknown'],
  };

  test.each(Object.entries(failures))('%s', (_, [error, kind]) => {
    expect(error.reason ?? error.code ?? error.category).toBe(kind);
  });

  test('only the network is spoken of as the network, and a page never shows', () => {
    const sentences = Object.values(failures).map(([error]) => read(error));
    expect(sentences.join()).not.toMatch(/html|gateway/i);
    expect(new Set(Object.values(failures).map(([error]) => error.message)).size).toBeGreaterThan(
      3,
    );
  });
});

test('a plain text is a failure as good as any, and is kept whole for the log', () => {
  const error = toHelixError('Oops, an error occurred');
  expect(error.serverMessage).toBe('Oops, an error occurred');
  expect(read(error)).not.toContain('Oops');
});

describe('the order of evidence', () => {
  const refused = {
    status: 403,
    headers: {},
    body: '{"error":{"code":"invalid_api_key","message":"subscription key invalid"}}',
  };

  test('a refused key stays one, whatever words stand beside it', () => {
    expect(toHelixError(refused, { adapters: [providerBodyAdapter] })).toMatchObject({
      ...{ code: 'provider_auth_error', retryable: false, reason: undefined },
    });
    expect(toHelixError(refused)).toMatchObject({ reason: 'forbidden', retryable: false });
  });

  test('a flag of the body counts more than its code, its code more than the status', () => {
    const typed = { error: 'x', code: 'provider_overloaded' };
    expect(answer(429, { ...typed, retryable: false }).retryable).toBe(false);
    expect(answer(400, typed)).toMatchObject({ code: 'provider_overloaded', retryable: false });
    expect(answer(429, typed)).toMatchObject({ code: 'provider_overloaded', retryable: true });
  });

  test('an app overrules what its own server says of a code', () => {
    const own: ErrorAdapter = (thrown) =>
      JSON.stringify(thrown).includes('browser_access_required')
        ? { code: 'framework_not_supported', retryable: false }
        : undefined;
    const body = { error: 'x', code: 'browser_access_required', retryable: true };
    const value = { status: 409, headers: {}, body };
    expect(toHelixError(value).retryable).toBe(true);
    expect(toHelixError(value, { adapters: [own] })).toMatchObject({
      ...{ code: 'framework_not_supported', retryable: false },
    });
  });
});

describe('a failure inside a stream', () => {
  test('by a status of its provider is that provider’s, not a refusal of this app', () => {
    const at = (status: number) =>
      HelixStreamError.fromEvent({ type: 'error', errorText: 'x', status });
    expect(at(529)).toMatchObject({ code: 'provider_overloaded', retryable: true });
    expect(at(401)).toMatchObject({ code: 'provider_auth_error', reason: undefined });
  });

  test('without a text has the sentence of what is known', () => {
    for (const event of [{ errorText: '' }, { errorText: '', code: 'provider_overloaded' }]) {
      const error = HelixStreamError.fromEvent({ type: 'error', ...event });
      expect(error.message.length).toBeGreaterThan(10);
      expect(read(error)).not.toBe('');
    }
  });

  test.each([
    'TypeError: boom\n    at run (/srv/app/chat.ts:10:3)',
    'ENOENT: C:\\x\\y.ts',
    'Incorrect key sk-live-4242424242424242',
    'https://me:secret@db.internal/x',
  ])('whose text is %j shows nothing of it', (errorText) => {
    const error = HelixStreamError.fromEvent({ type: 'error', errorText });
    const shown = `${error.message} ${read(error)}`;
    expect(shown).not.toMatch(/at run|chat\.ts|y\.ts|C:|sk-live-4|secret|db\.internal/);
  });
});
