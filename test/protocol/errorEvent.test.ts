import { describe, expect, test } from 'vitest';
import { parseErrorEvent, writeErrorChunks } from '../../src/protocol/errorEvent.ts';

const chunk = {
  type: 'error',
  error: 'Rate limit exceeded',
  code: 'provider_rate_limited',
  recoverable: true,
  agentId: 'a1',
  agentType: 'writer',
  timestamp: 5,
  step: 2,
};
const fields = {
  text: 'Rate limit exceeded',
  code: 'provider_rate_limited',
  standing: 'known',
  retryable: true,
  agentId: 'a1',
  agentType: 'writer',
  timestamp: 5,
  step: 2,
};

describe('an error event', () => {
  test.each<[string, unknown]>([
    ['a Helix chunk', chunk],
    ['a data part around it', { type: 'data-error', data: { ...chunk, type: undefined } }],
    ['a typed part around it', { type: 'data-helix-error', data: { ...chunk, type: undefined } }],
    ['its JSON', JSON.stringify(chunk)],
    ['its SSE line', `data: ${JSON.stringify(chunk)}\n\n`],
    ['its SSE line without a space', `data:${JSON.stringify(chunk)}`],
  ])('is %s', (_name, event) => {
    expect(parseErrorEvent(event)).toEqual(fields);
  });

  test('is a UI chunk', () => {
    const event = {
      type: 'error',
      errorText: 'x',
      code: 'state_already_running',
      category: 'state',
      retryable: false,
      recoverable: true,
      detail: 'd',
      runId: 'r1',
      retryAfterMs: 7,
    };
    expect(parseErrorEvent(event)).toEqual({
      text: 'x',
      code: 'state_already_running',
      standing: 'known',
      category: 'state',
      retryable: false,
      detail: 'd',
      runId: 'r1',
      retryAfterMs: 7,
    });
    expect(parseErrorEvent({ type: 'error', errorText: '' })).toEqual({ text: '' });
  });

  test('takes code and flag out of its detail where it has none of its own', () => {
    const errorDetail = { message: 'm', code: 'provider_overloaded', retryable: true };
    expect(parseErrorEvent({ type: 'error', error: 'x', errorDetail })).toMatchObject({
      code: 'provider_overloaded',
      standing: 'known',
      retryable: true,
      errorDetail: { ...errorDetail, category: 'provider' },
    });
  });

  test.each([
    undefined,
    null,
    7,
    '',
    'error',
    'data: ',
    'data: {"type":"text-delta"}',
    '{"type":"error"}',
    {},
    { type: 'error' },
    { type: 'error', error: { message: 'provider form' } },
    { type: 'error', errorText: 7 },
    { type: 'data-error', errorText: 'x' },
    { type: 'data-weather', data: { errorText: 'x' } },
    { errorText: 'x' },
    [{ type: 'error', errorText: 'x' }],
    `data: ${JSON.stringify({ type: 'error', errorText: 'x'.repeat(70_000) })}`,
  ])('is not %j', (event) => {
    expect(parseErrorEvent(event)).toBeUndefined();
  });
});

describe('an event that is written', () => {
  test('is a typed part, then a plain chunk without an added key', () => {
    const [part, plain] = writeErrorChunks({
      code: 'provider_overloaded',
      retryable: true,
      retryAfterMs: 5,
      cause: 'not a known word',
    });
    expect(plain).toEqual({
      type: 'error',
      errorText: 'There is no full reply because the AI service was too busy.',
    });
    expect(part).toEqual({
      type: 'data-helix-error',
      data: {
        code: 'provider_overloaded',
        retryable: true,
        retryAfterMs: 5,
        errorText: plain.errorText,
      },
      transient: true,
    });
  });

  test('comes back as it was written', () => {
    const written = {
      errorText: 'x',
      code: 'state_history_incomplete',
      category: 'state',
      retryable: false,
      retryAfterMs: 1,
      cause: 'corrupt_row',
      runId: 'r',
      step: 1,
      agentId: 'a',
      agentType: 't',
      timestamp: 2,
      detail: 'd',
    } as const;
    const { errorText, ...rest } = written;
    const [part] = writeErrorChunks(written);
    expect(parseErrorEvent(part)).toEqual({ text: errorText, standing: 'known', ...rest });
  });
});
