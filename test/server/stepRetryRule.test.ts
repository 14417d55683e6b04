import { describe, expect, test } from 'vitest';
import { HelixError } from '../../src/errors/HelixError.ts';
import { isRetryableLLMStepError, type StepRetryPolicy } from '../../src/errors/stepRetry.ts';
import { mapVercelError, unreachable } from '../../src/server/mapVercelError.ts';
import { createBench, user } from './chatClient.ts';

// The rule and the budget of a step that is called again, as the error handling document has them.

const answered = (statusCode: number, isRetryable: boolean) =>
  Object.assign(new Error('said'), { name: 'AI_APICallError', statusCode, isRetryable });
const drop = Object.assign(new TypeError('terminated'), { cause: { code: 'UND_ERR_SOCKET' } });
const spent = (lastError: unknown) =>
  Object.assign(new Error('spent'), { name: 'AI_RetryError', lastError });

/** What a model call failed with, and whether the step is called again. */
const FAILURES: readonly (readonly [string, unknown, boolean])[] = [
  ['a connection that dropped after output began', drop, true],
  ['a 429 that nothing repeated', answered(429, true), true],
  ['a 5xx that nothing repeated', answered(503, true), true],
  ['the same when its repeats are spent', spent(answered(503, true)), false],
  ['a drop whose repeats are spent', spent(drop), false],
  ['a provider that was not reached', unreachable(new Error('internal error')), false],
  ['a refused key', answered(401, false), false],
  ['an abort', new DOMException('x', 'AbortError'), false],
  ['an error that nobody knows', new Error('x'), false],
  ['a transient failure of a store', new Error('D1_ERROR: fetch failed'), false],
];

describe('the one rule: only what is classified as retryable is called again', () => {
  test.each(FAILURES)('%s', (_, failure, again) => {
    expect(isRetryableLLMStepError(mapVercelError(failure))).toBe(again);
  });

  test.each(FAILURES)('%s, in a run', async (_, failure, again) => {
    const { calls } = await runOf(mapVercelError(failure));
    expect(calls).toBe(again ? 4 : 1);
  });
});

/** How often a model that always fails is called, and when, in ms from the first call. */
async function runOf(failure: Error, stepRetry?: StepRetryPolicy) {
  const at: number[] = [];
  const bench = createBench({
    ...(stepRetry && { stepRetry }),
    reply: () => {
      at.push(bench.world.now());
      throw failure;
    },
  });
  const read = bench.read(await bench.send(user('u1', 'Hi')));
  await bench.world.advance(600_000);
  const errors = read.chunks.filter(({ type }) => type === 'error').length;
  const { status, error } = await bench.snapshot();
  return {
    calls: at.length,
    at: at.map((time) => Math.round(time - (at[0] ?? 0))),
    ...{ errors, status, code: error?.code },
  };
}

describe('the budget', () => {
  const busy = new HelixError({ code: 'provider_overloaded' });

  test.each<[string, StepRetryPolicy | undefined, readonly number[]]>([
    ['by default', undefined, [0, 1_000, 3_000, 7_000]],
    [
      '5 from 500 ms on',
      { limit: 5, delayMs: 500, backoff: 'exponential' },
      [0, 500, 1_500, 3_500, 7_500, 15_500],
    ],
    ['without a backoff', { limit: 2, delayMs: 500 }, [0, 500, 1_000]],
    ['turned off', { limit: 0, delayMs: 0 }, [0]],
  ])('%s: one error at the end, with the last failure', async (_, policy, at) => {
    expect(await runOf(busy, policy)).toEqual({
      calls: at.length,
      at,
      errors: 1,
      status: 'failed',
      code: 'provider_overloaded',
    });
  });
});
