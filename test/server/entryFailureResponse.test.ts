import { describe, expect, test } from 'vitest';
import { classifyEntryFailure } from '../../src/errors/classifyEntryFailure.ts';
import { HelixError } from '../../src/errors/HelixError.ts';
import { RunSupersededError, StaleStateError } from '../../src/errors/runtimeErrors.ts';
import { CODES, isErrorCode } from '../../src/protocol/codes.ts';
import { entryFailureResponse } from '../../src/server/entryFailureResponse.ts';
import { httpStatusForHelixError } from '../../src/server/httpStatus.ts';

const codes = Object.keys(CODES).filter(isErrorCode);

async function answer(error: unknown, committed: boolean) {
  const response = entryFailureResponse(error, { committed });
  return [response.status, (await response.json()) as Record<string, unknown>] as const;
}

describe('the answer to an entry that failed', () => {
  test.each(codes.flatMap((code) => [[code, false] as const, [code, true] as const]))(
    '%s, committed: %s',
    async (code, committed) => {
      const error = new HelixError({ code });
      const [status, body] = await answer(error, committed);
      const lost = classifyEntryFailure(error) === 'lost';
      expect(status).toBe(lost ? 409 : httpStatusForHelixError(error, { committed }));
      expect(body.code).toBe(lost ? 'state_already_running' : code);
      if (committed) expect([409, 500]).toContain(status);
    },
  );

  test.each([new RunSupersededError('m'), new StaleStateError('m')])(
    'a lost one is a conflict that clears: %s',
    async (error) => {
      expect(await answer(error, false)).toMatchObject([
        409,
        { code: 'state_already_running', retryable: true },
      ]);
    },
  );

  test('names the run that has the session, where it is known', async () => {
    const [, body] = await answer(
      new HelixError({ code: 'state_already_running', runId: 'r1' }),
      false,
    );
    expect(body.runId).toBe('r1');
  });

  test('an unknown one may be repeated only while nothing is committed, and keeps its text', async () => {
    const [early, body] = await answer(new Error('hunter2'), false);
    const [late] = await answer(new Error('hunter2'), true);
    expect([early, late, body.code]).toEqual([503, 500, 'framework_internal_error']);
    expect(JSON.stringify(body)).not.toContain('hunter2');
  });
});
