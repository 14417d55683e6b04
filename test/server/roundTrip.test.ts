import { describe, expect, test } from 'vitest';
import { failureRow } from '../../src/errors/failureTable.ts';
import { HelixError } from '../../src/errors/HelixError.ts';
import { HelixStreamError } from '../../src/errors/HelixStreamError.ts';
import { helixErrorFromResponse } from '../../src/errors/helixErrorFromResponse.ts';
import { parseHelixChatError } from '../../src/errors/parseHelixChatError.ts';
import { toHelixError } from '../../src/errors/toHelixError.ts';
import { CAUSES } from '../../src/protocol/causes.ts';
import { CODES, type ErrorCode, isErrorCode } from '../../src/protocol/codes.ts';
import { REASONS } from '../../src/protocol/reasons.ts';
import { typedErrorResponse } from '../../src/server/chatErrorResponse.ts';
import { errorChunks } from '../../src/server/writeErrorChunk.ts';

const codes = Object.keys(CODES).filter(isErrorCode);
const flags = [undefined, true, false] as const;
const answers = codes.flatMap((code) =>
  flags.flatMap((retryable) =>
    [false, true].map((committed) => [code, retryable, committed] as const),
  ),
);

/** What the status of an answer says of repeating its request. */
const flagOf = (status: number, code: ErrorCode) =>
  status === 503 || code === 'state_already_running';

describe('the answer to a failed request', () => {
  test('is played for every code, with each flag, committed or not', () => {
    expect([codes.length, answers.length]).toEqual([52, 312]);
  });

  test.each(answers)('%s, flag %s, committed: %s', async (code, retryable, committed) => {
    const error = new HelixError({ code, retryable, retryAfterMs: 1_500, runId: 'r1' });
    const response = typedErrorResponse(error, { committed });
    const { status } = response;
    const expected = {
      code,
      category: error.category,
      retryAfterMs: 1_500,
      retryable: flagOf(status, code),
      runId: 'r1',
    };
    const passes = code === 'provider_rate_limited' && retryable !== false;
    const body: unknown = await response.clone().json();
    expect(await helixErrorFromResponse(response.clone())).toMatchObject({
      ...expected,
      statusCode: status,
      message: passes && status !== 503 ? REASONS['rate-limit'].sentence : CODES[code].sentence,
    });
    expect(toHelixError({ status, headers: response.headers, body })).toMatchObject(expected);
    expect(parseHelixChatError({ status, body })).toMatchObject({ ...expected, status });
    if (committed) expect(status).not.toBe(503);
  });

  test.each([
    [undefined, 'rate-limit'],
    [true, 'rate-limit'],
    [false, undefined],
  ])(
    "a model provider's limit, flag %s, after the message was written: its cause is %s",
    async (retryable, cause) => {
      const error = new HelixError({ code: 'provider_rate_limited', retryable });
      const decoded = await helixErrorFromResponse(typedErrorResponse(error, { committed: true }));
      expect([decoded.retryable, decoded.reason]).toEqual([false, cause]);
      const row = failureRow(decoded, { phase: 'send', committed: 'unknown' });
      const quota = failureRow(
        new HelixError({ code: 'provider_rate_limited', retryable: false }),
        {
          phase: 'send',
          committed: 'unknown',
        },
      );
      if (cause === undefined) expect(row.key).toEqual(quota.key);
      else expect(row.key).not.toEqual(quota.key);
    },
  );

  test('a cause that the limit has already is kept', async () => {
    const error = new HelixError({ code: 'provider_rate_limited', reason: 'quota' });
    const decoded = await helixErrorFromResponse(typedErrorResponse(error, { committed: true }));
    expect(decoded.reason).toBe('quota');
  });

  test.each([0, 1, 999.5, 1_500, 61_000])('the wait of %d ms comes back', async (wait) => {
    const error = new HelixError({ code: 'provider_rate_limited', retryAfterMs: wait });
    const decoded = await helixErrorFromResponse(typedErrorResponse(error));
    expect(decoded.retryAfterMs).toBe(Math.ceil(wait));
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, -1])('a wait of %d is none', async (wait) => {
    const error = new HelixError({ code: 'provider_rate_limited', retryAfterMs: wait });
    const response = typedErrorResponse(error);
    expect([...response.headers.keys()]).not.toContain('retry-after');
    expect((await helixErrorFromResponse(response)).retryAfterMs).toBeUndefined();
  });

  test.each(CAUSES)('the cause word %s comes back as the reason', async (reason) => {
    const error = new HelixError({ code: 'state_history_incomplete', reason });
    expect((await helixErrorFromResponse(typedErrorResponse(error))).reason).toBe(reason);
  });

  test('calls and status come back', async () => {
    const error = new HelixError({
      code: 'state_not_resumable',
      toolCallIds: ['t1', 't2'],
      currentStatus: 'paused',
    });
    expect(await helixErrorFromResponse(typedErrorResponse(error))).toMatchObject({
      toolCallIds: ['t1', 't2'],
      currentStatus: 'paused',
    });
  });

  test('a code of the future comes back too', async () => {
    const error = new HelixError({ code: 'provider_new_thing', retryable: true });
    expect(await helixErrorFromResponse(typedErrorResponse(error))).toMatchObject({
      code: 'provider_new_thing',
      category: 'provider',
      retryable: true,
    });
  });
});

describe('the event in a stream', () => {
  const events = codes.flatMap((code) => flags.map((retryable) => [code, retryable] as const));

  test.each(events)('%s with the flag %s', (code, retryable) => {
    const error = new HelixError({ code, retryable, retryAfterMs: 1_500, runId: 'r1' });
    const [part, chunk] = errorChunks(error);
    // As it goes over the wire.
    const decoded = HelixStreamError.fromEvent(JSON.parse(JSON.stringify(part)));
    expect(decoded).toMatchObject({
      code,
      category: error.category,
      retryable: error.retryable,
      retryAfterMs: 1_500,
      runId: 'r1',
      message: CODES[code].sentence,
    });
    // A client that knows only the plain chunk still has a sentence that can be shown.
    expect(HelixStreamError.fromEvent(chunk).message).toBe(CODES[code].sentence);
  });
});
