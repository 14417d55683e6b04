import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { classifyError } from '../../src/errors/classifyError.ts';
import { HelixError } from '../../src/errors/HelixError.ts';
import { HelixStreamError } from '../../src/errors/HelixStreamError.ts';
import { isNetworkFailure } from '../../src/errors/networkFailure.ts';
import { parseHelixChatError } from '../../src/errors/parseHelixChatError.ts';
import { redact } from '../../src/errors/redact.ts';
import { resolveErrorDetail } from '../../src/errors/resolveErrorDetail.ts';
import { toHelixError } from '../../src/errors/toHelixError.ts';
import { isCategory } from '../../src/protocol/codes.ts';
import { parseSnapshot } from '../../src/protocol/snapshot.ts';
import { runs } from '../setup/runs.ts';
import { hostileRecipe, SERVER_TEXT } from './hostileValues.ts';

const RUNS = runs(20_000);
let inputs = 0;

/** Plays a property on generated values: none may throw anything but what it expects itself. */
function always(check: (value: unknown) => void): void {
  fc.assert(
    fc.property(hostileRecipe, (make) => {
      inputs += 1;
      check(make());
    }),
    { numRuns: RUNS },
  );
}

const isFlag = (flag: unknown) => flag === undefined || typeof flag === 'boolean';

// Generating takes longer than a test's usual time on a busy machine.
describe('no value makes a decoder throw', { timeout: 60_000 }, () => {
  test('parseHelixChatError', () => {
    let found = 0;
    always((value) => {
      const body = parseHelixChatError(value);
      if (body === undefined) return;
      found += 1;
      if (typeof body.error !== 'string' || typeof body.code !== 'string') throw new Error('shape');
      if (!isCategory(body.category) || !isFlag(body.retryable)) throw new Error('shape');
    });
    expect(found).toBeGreaterThan(RUNS / 100);
  });

  test('HelixStreamError: fromEvent gives an error exactly when isErrorEvent is true', () => {
    let events = 0;
    always((value) => {
      const is = HelixStreamError.isErrorEvent(value);
      let made: HelixStreamError | undefined;
      try {
        made = HelixStreamError.fromEvent(value);
      } catch (error) {
        if (!(error instanceof TypeError && error.message.startsWith('[helix-chat]'))) throw error;
      }
      if (is) events += 1;
      if (is !== made instanceof HelixStreamError) throw new Error(`isErrorEvent said ${is}`);
      if (made?.message.includes(SERVER_TEXT)) throw new Error('shows the text of a server');
    });
    expect(events).toBeGreaterThan(RUNS / 100);
  });

  test('toHelixError', () => {
    always((value) => {
      const error = toHelixError(value, { now: 0 });
      if (!HelixError.isInstance(error)) throw new Error('no HelixError');
      if (error.message.includes(SERVER_TEXT)) throw new Error('shows the text of a server');
      if (!isCategory(error.category) || !isFlag(error.retryable)) throw new Error('shape');
      JSON.stringify(error);
    });
  });

  test('classifyError', () => {
    always((value) => {
      if (!HelixError.isInstance(classifyError(value))) throw new Error('no HelixError');
    });
  });

  test('resolveErrorDetail', () => {
    always((value) => {
      let detail: unknown = resolveErrorDetail(value);
      for (let depth = 0; typeof detail === 'object' && detail !== null; depth += 1) {
        if (depth > 8) throw new Error('too deep');
        const { message, cause } = detail as { message: unknown; cause?: unknown };
        if (typeof message !== 'string') throw new Error('shape');
        detail = cause;
      }
    });
  });

  afterAll(() => {
    expect(inputs).toBeGreaterThanOrEqual(Math.min(100_000, 5 * RUNS));
  });
});

test('nor do the smaller readers', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(hostileRecipe, (make) => {
      const value = make();
      redact(value);
      isNetworkFailure(value);
      parseSnapshot(value);
      parseSnapshot({ messages: [value], status: value, error: value });
    }),
    { numRuns: runs(5_000) },
  );
});

describe('extremes', { timeout: 60_000 }, () => {
  const nested = (depth: number, wrap: (inner: unknown) => unknown) => {
    let value: unknown = 'end';
    for (let level = 0; level < depth; level += 1) value = wrap(value);
    return value;
  };
  const long = 'x'.repeat(2 ** 20);

  test.each<[string, unknown]>([
    ['causes 100,000 deep', nested(100_000, (cause) => ({ message: 'm', cause }))],
    ['errors 10,000 deep', nested(10_000, (cause) => new Error('m', { cause }))],
    ['bodies 100,000 deep', nested(100_000, (body) => ({ body }))],
    ['lists 100,000 deep', nested(100_000, (inner) => [inner])],
    ['a JSON text 100,000 deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['a short JSON text 30,000 deep', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
    [
      'details deep inside a body',
      {
        error: 'x',
        code: 'provider_error',
        cause: nested(50_000, (cause) => ({ message: 'm', cause })),
      },
    ],
    ['a text of 1 MiB', long],
    ['an error of 1 MiB', new Error(long)],
    ['a body of 1 MiB texts', { error: long, code: long, detail: long, cause: long, runId: long }],
    [
      'a list of a million',
      { error: 'x', code: 'provider_error', toolCallIds: new Array(1_000_000).fill('c') },
    ],
    ['an event of 1 MiB', { type: 'error', errorText: long, code: 'provider_error' }],
    ['a JSON text of 1 MiB', JSON.stringify({ error: long, code: 'provider_error' })],
    ['braces of 1 MiB', '{'.repeat(2 ** 20)],
    ['snake_case of 1 MiB', { type: 'error', errorText: 'a_'.repeat(2 ** 19) }],
    ['shared parts', nested(60, (inner) => ({ one: inner, two: inner }))],
    [
      'a polluting body',
      JSON.parse(
        '{"error":"x","code":"provider_error","__proto__":{"retryable":true},"constructor":{"prototype":{}}}',
      ),
    ],
  ])('%s', (_name, value) => {
    expect(() => parseHelixChatError(value)).not.toThrow();
    const error = toHelixError(value);
    expect(HelixError.isInstance(error)).toBe(true);
    expect(error.message.length).toBeLessThanOrEqual(200);
    expect(HelixError.isInstance(classifyError(value))).toBe(true);
    expect(typeof resolveErrorDetail(value).message).toBe('string');
    expect(typeof HelixStreamError.isErrorEvent(value)).toBe('boolean');
    expect(({} as { retryable?: boolean }).retryable).toBeUndefined();
  });

  test('a key that names the prototype gives no flag', () => {
    const value: unknown = JSON.parse(
      '{"error":"x","code":"provider_error","__proto__":{"retryable":true}}',
    );
    expect(parseHelixChatError(value)?.retryable).toBeUndefined();
  });
});
