import { describe, expect, test } from 'vitest';
import { HelixError } from '../../src/errors/HelixError.ts';
import { isRetryableLLMStepError } from '../../src/errors/stepRetry.ts';
import { holdLLMErrorReport } from '../../src/server/holdErrorReport.ts';

const busy = new HelixError({ code: 'provider_overloaded' });
const refused = new HelixError({ code: 'provider_auth_error' });
const unknown = new Error('boom');

/** An error step; of a forced call a host may throw the error again, so that its own policy repeats it. */
interface ErrorStep {
  readonly error: unknown;
  readonly shouldStop: boolean;
  readonly forced?: boolean;
  readonly rethrown?: boolean;
}

/** What one attempt of a step does: throws, or gives an error step. */
type Attempt = { throws: unknown } | ErrorStep | 'good';

/** Runs a step as a runtime does, with a budget of retries, and gives the codes that were written into the stream. */
function run(attempts: readonly Attempt[], budget = 3): readonly (string | undefined)[] {
  const written: HelixError[] = [];
  const held = holdLLMErrorReport((error) => written.push(error));
  let retries = 0;
  for (const attempt of attempts) {
    if (attempt === 'good') {
      held.settle({ type: 'text' }, { retried: false });
      break;
    }
    const failure = 'throws' in attempt ? attempt.throws : attempt.error;
    const step = 'throws' in attempt ? failure : { type: 'error', ...attempt };
    held.onError({ error: failure });
    const goesOn = 'shouldStop' in attempt && !attempt.shouldStop;
    const rethrown = 'rethrown' in attempt && attempt.rethrown === true;
    const retried = goesOn || rethrown || (isRetryableLLMStepError(step) && retries < budget);
    held.settle(step, { retried });
    if (!retried) {
      held.end(failure);
      break;
    }
    retries += 1;
  }
  return written.map(({ code }) => code);
}

describe('the error chunk of a failing step', () => {
  test.each<[string, readonly Attempt[], readonly (string | undefined)[]]>([
    ['a throw that is retried, then a reply', [{ throws: busy }, 'good'], []],
    ['a throw that nobody retries', [{ throws: refused }], ['provider_auth_error']],
    ['a throw that nobody knows', [{ throws: unknown }], ['framework_internal_error']],
    [
      'an error step after which the loop goes on',
      [{ error: refused, shouldStop: false }, 'good'],
      [],
    ],
    [
      'an error step that is retried, then a reply',
      [{ error: busy, shouldStop: true }, 'good'],
      [],
    ],
    [
      'an error step that ends the run',
      [{ error: refused, shouldStop: true }],
      ['provider_auth_error'],
    ],
    [
      'one that ends the run after another that did not',
      [
        { error: busy, shouldStop: true },
        { error: refused, shouldStop: true },
      ],
      ['provider_auth_error'],
    ],
    [
      'a retryable one when the budget is spent',
      Array.from({ length: 4 }, () => ({ error: busy, shouldStop: true })),
      ['provider_overloaded'],
    ],
    [
      'a forced call that is retried, then its result',
      [{ error: busy, shouldStop: true, forced: true }, 'good'],
      [],
    ],
    [
      'a forced call that ends the run',
      [{ error: refused, shouldStop: true, forced: true }],
      ['provider_auth_error'],
    ],
    [
      'a forced call by something unknown, which its host throws again for its own retry',
      [{ error: unknown, shouldStop: true, forced: true, rethrown: true }, 'good'],
      [],
    ],
    [
      'a forced call that counts as one more attempt',
      [{ error: refused, shouldStop: false, forced: true }, 'good'],
      [],
    ],
    ['a step without an error', ['good'], []],
  ])('%s', (_, attempts, codes) => {
    expect(run(attempts)).toEqual(codes);
  });
});

describe('a held report', () => {
  const collect = () => {
    const written: unknown[] = [];
    return { written, held: holdLLMErrorReport((error) => written.push(error)) };
  };

  test('is the first of its attempt: what follows from it says less', () => {
    const { written, held } = collect();
    held.onError(refused);
    held.onError(new Error('No output generated.'));
    held.end(new Error('step failed'));
    expect(written).toEqual([refused]);
  });

  test('of an attempt that was called again is forgotten', () => {
    const { written, held } = collect();
    held.onError(busy);
    held.settle({ type: 'error', error: busy, shouldStop: true }, { retried: true });
    held.end(refused);
    expect(written).toEqual([refused]);
  });

  test('is written once, however often the run ends', () => {
    const { written, held } = collect();
    held.end(refused);
    held.end(busy);
    held.settle({ type: 'error', error: busy, shouldStop: true }, { retried: false });
    expect(written).toEqual([refused]);
  });

  test('needs no report: the step says it too', () => {
    const { written, held } = collect();
    held.settle({ type: 'error', error: refused, shouldStop: true }, { retried: false });
    expect(written).toEqual([refused]);
  });

  test('is mapped as the SDK’s errors are, or as it is told', () => {
    const written: (string | undefined)[] = [];
    const write = ({ code }: HelixError) => written.push(code);
    const error = Object.assign(new Error('x'), { name: 'AI_APICallError', statusCode: 429 });
    holdLLMErrorReport(write).end(error);
    holdLLMErrorReport(write, () => busy).end(error);
    expect(written).toEqual(['provider_rate_limited', 'provider_overloaded']);
  });
});
