import { describe, expect, test } from 'vitest';
import { HelixError } from '../../src/errors/HelixError.ts';
import { agentStepResultSchema, failAgentStreamInputSchema } from '../../src/protocol/temporal.ts';

const step = {
  shouldContinue: false,
  isComplete: false,
  pendingToolCalls: [{ id: 't1', name: 'search', arguments: { q: 'x' } }],
  stopReason: 'error',
};

const accepts = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success;

describe('the result of an agent’s step', () => {
  test('keeps the code of an error through a boundary', () => {
    const { message, retryable, code } = new HelixError({ code: 'provider_rate_limited' });
    const sent = { ...step, error: message, recoverable: retryable, errorCode: code };
    const read = agentStepResultSchema().parse(JSON.parse(JSON.stringify(sent)));
    expect(read).toEqual(sent);
    expect(new HelixError({ code: read.errorCode }).category).toBe('provider');
  });

  test.each<[string, object, boolean]>([
    ['no error', {}, true],
    ['a code of another type', { errorCode: 7 }, false],
    ['a flag of another type', { recoverable: 'yes' }, false],
    ['a stop reason of the future', { stopReason: 'paused' }, true],
    ['no stop reason', { stopReason: undefined }, false],
    ['calls that are none', { pendingToolCalls: ['t1'] }, false],
    ['no calls', { pendingToolCalls: [] }, true],
  ])('with %s', (_, fields, accepted) => {
    expect(accepts(agentStepResultSchema(), { ...step, ...fields })).toBe(accepted);
  });
});

describe('what ends an agent’s stream', () => {
  const input = { sessionId: 's1', error: 'x', errorCode: 'provider_error', startedAt: 1 };

  test('keeps the code of an error through a boundary', () => {
    expect(failAgentStreamInputSchema().parse(JSON.parse(JSON.stringify(input)))).toEqual(input);
  });

  test.each<[string, object, boolean]>([
    ['no code and no start', { errorCode: undefined, startedAt: undefined }, true],
    ['an empty session', { sessionId: '' }, false],
    ['no text', { error: undefined }, false],
    ['a start of another type', { startedAt: '1' }, false],
  ])('with %s', (_, fields, accepted) => {
    expect(accepts(failAgentStreamInputSchema(), { ...input, ...fields })).toBe(accepted);
  });
});

test('a schema is made once', () => {
  expect(agentStepResultSchema()).toBe(agentStepResultSchema());
  expect(failAgentStreamInputSchema()).toBe(failAgentStreamInputSchema());
});
