import { describe, expect, test } from 'vitest';
import { parseSnapshot, writeSnapshot } from '../../src/protocol/snapshot.ts';

const message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'hi' }] };

describe('a snapshot', () => {
  test('needs its messages only', () => {
    expect(parseSnapshot({ messages: [message] })).toEqual({
      messages: [message],
      status: 'ended',
    });
    expect(parseSnapshot({ messages: [] })).toEqual({ messages: [], status: 'ended' });
  });

  test('keeps all that is known of it', () => {
    const snapshot = {
      messages: [{ ...message, metadata: { at: 1 }, createdAt: 'x' }],
      status: 'active',
      streamSequence: 7,
      runId: 'r1',
      state: { a: 1 },
      timestamp: '2026-01-01',
    };
    expect(parseSnapshot({ ...snapshot, other: true })).toEqual(snapshot);
  });

  test.each(['active', 'paused', 'ended', 'failed'])('has the status %s', (status) => {
    expect(parseSnapshot({ messages: [], status })?.status).toBe(status);
  });

  test.each(['running', '', 7, null, undefined, { toString: () => 'active' }])(
    'counts the status %j as ended',
    (status) => {
      expect(parseSnapshot({ messages: [], status })?.status).toBe('ended');
    },
  );

  test('has a message without parts, as a failed attempt leaves it', () => {
    expect(
      parseSnapshot({ messages: [{ id: 'm', role: 'assistant', parts: [] }] })?.messages,
    ).toEqual([{ id: 'm', role: 'assistant', parts: [] }]);
  });

  test('carries the typed failure of its run', () => {
    const error = { error: 'x', code: 'provider_auth_error' };
    expect(parseSnapshot({ messages: [], status: 'failed', error })?.error).toEqual({
      error: 'x',
      code: 'provider_auth_error',
      category: 'provider',
      retryable: false,
    });
  });

  test.each([
    undefined,
    null,
    'messages',
    [],
    {},
    { messages: 'none' },
    { messages: { length: 0 } },
    { messages: [null] },
    { messages: [{ ...message, id: '' }] },
    { messages: [{ ...message, id: 7 }] },
    { messages: [{ id: 'm', parts: [] }] },
    { messages: [{ id: 'm', role: 'user' }] },
    { messages: [message, { id: 'm', role: 'user', parts: [{ text: 'x' }] }] },
    { messages: [message, { id: 'm', role: 'user', parts: [null] }] },
  ])('is not %j', (value) => {
    expect(parseSnapshot(value)).toBeUndefined();
  });

  test('does not escape by a getter or a proxy', () => {
    const hostile = {
      id: 'm',
      role: 'user',
      parts: [],
      get metadata() {
        throw new Error('no');
      },
    };
    expect(parseSnapshot({ messages: [hostile] })).toBeUndefined();
    const proxy = new Proxy([], {
      get() {
        throw new Error('no');
      },
    });
    expect(parseSnapshot({ messages: proxy })).toBeUndefined();
  });

  test('drops keys that could reach a prototype', () => {
    const value: unknown = JSON.parse(
      '{"messages":[{"id":"m","role":"user","parts":[],"__proto__":{"polluted":true}}]}',
    );
    const [read] = parseSnapshot(value)?.messages ?? [];
    expect(read).toEqual({ id: 'm', role: 'user', parts: [] });
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });

  test('comes back as it was written', () => {
    const snapshot = parseSnapshot({
      messages: [message],
      status: 'failed',
      runId: 'r1',
      streamSequence: 'abc',
      error: { error: 'busy', code: 'provider_overloaded', retryable: true, retryAfterMs: 5 },
    });
    expect(snapshot).toBeDefined();
    if (snapshot === undefined) return;
    const wire: unknown = JSON.parse(JSON.stringify(writeSnapshot(snapshot)));
    expect(parseSnapshot(wire)).toEqual(snapshot);
  });
});
