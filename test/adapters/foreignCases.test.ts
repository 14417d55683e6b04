import { describe, expect, test } from 'vitest';
import { deuzAdapter } from '../../src/adapters/deuz.ts';
import { falaiAdapter } from '../../src/adapters/falai.ts';
import { providerBodyAdapter } from '../../src/adapters/providerBody.ts';
import { vercelAdapter } from '../../src/adapters/vercel.ts';
import { vernAdapter } from '../../src/adapters/vern.ts';
import { isHelixError } from '../../src/errors/HelixError.ts';
import type { ErrorAdapter } from '../../src/errors/toHelixError.ts';
import { CODES, isErrorCode } from '../../src/protocol/codes.ts';
import { decode, NOW } from './decode.ts';
import recorded from './fixtures/foreign.json' with { type: 'json' };

type Case = (typeof recorded)[number];

const owners: Readonly<Record<string, ErrorAdapter>> = {
  deuz: deuzAdapter,
  falai: falaiAdapter,
  vern: vernAdapter,
};
const ownerOf = ({ system }: Case): ErrorAdapter => owners[system] ?? providerBodyAdapter;

const inputOf = ({ input }: Case): unknown =>
  'value' in input
    ? input.value
    : { status: input.status, headers: input.headers, body: input.body };

const cases = recorded.map((row) => [`${row.system}: ${row.name}`, row] as const);

describe('every recorded failure', () => {
  test.each(cases)('%s, through the funnel', (_name, row) => {
    const error = decode(inputOf(row));
    const { code, category, retryable, retryAfterMs } = error;
    expect({ code, category, retryable, retryAfterMs }).toEqual({
      retryAfterMs: undefined,
      ...row.expect,
    });
    expect(isHelixError(error)).toBe(true);
  });

  test.each(cases)('%s, by the adapter that it belongs to', (_name, row) => {
    const init = ownerOf(row)(inputOf(row), { now: NOW });
    expect(init?.code).toBe(row.expect.code);
    expect(init?.retryable).toBe(row.expect.retryable);
  });

  test.each(cases)('%s, by no other library’s adapter', (_name, row) => {
    const others = [deuzAdapter, falaiAdapter, vernAdapter, vercelAdapter].filter(
      (adapter) => adapter !== ownerOf(row),
    );
    for (const adapter of others) expect(adapter(inputOf(row), { now: NOW })).toBeUndefined();
  });

  test.each(cases)('%s, told in a sentence of ours', (_name, row) => {
    const error = decode(inputOf(row));
    const { code } = error;
    if (!isErrorCode(code)) throw new Error('a foreign code');
    // Reasons have sentences of their own; no word of the foreign text is in any.
    if (error.reason === undefined) expect(error.message).toBe(CODES[code].sentence);
    expect(error.serverMessage).toBeUndefined();
    expect(error.detail).toBeUndefined();
  });

  test('there are 41 of 11 systems', () => {
    expect(recorded).toHaveLength(41);
    expect(new Set(recorded.map(({ system }) => system)).size).toBe(11);
  });
});
