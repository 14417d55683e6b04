import { describe, expect, it } from 'vitest';
import { HelixError } from '../../src/errors/HelixError.ts';
import { helixErrorFromResponse } from '../../src/errors/helixErrorFromResponse.ts';
import { CODES, type ErrorCode, isErrorCode } from '../../src/protocol/codes.ts';
import {
  chatErrorResponse,
  typedErrorBody,
  typedErrorResponse,
} from '../../src/server/chatErrorResponse.ts';
import { httpStatusForHelixError } from '../../src/server/httpStatus.ts';
import { errorChunks, writeErrorChunk } from '../../src/server/writeErrorChunk.ts';

const codes = Object.keys(CODES).filter(isErrorCode);

describe('the status of a typed failure', () => {
  it.each(codes)('%s, before its input was written, is the one of its row', (code) => {
    expect(httpStatusForHelixError(new HelixError({ code }), { committed: false })).toBe(
      CODES[code].httpStatus,
    );
  });

  it.each(codes)('%s, after it, is 409 for a state and 500 for all else, never 503', (code) => {
    const status = httpStatusForHelixError(new HelixError({ code }), { committed: true });
    expect(status).toBe(code.startsWith('state_') ? 409 : 500);
  });

  it.each<[ErrorCode, boolean | null, number]>([
    ['state_history_incomplete', true, 503],
    ['state_history_incomplete', false, 409],
    ['provider_error', true, 503],
    ['provider_error', false, 500],
    ['provider_error', null, 500],
    ['state_already_running', true, 409],
    ['framework_hook_failed', false, 500],
  ])('%s with the flag %s is %i', (code, retryable, status) => {
    expect(httpStatusForHelixError(new HelixError({ code, retryable }), { committed: false })).toBe(
      status,
    );
  });

  it('of a deferred turn is never 503: the server has taken it and goes on by itself', () => {
    const deferred = new HelixError({
      code: 'provider_overloaded',
      retryable: true,
      reason: 'deferred',
      retryAfterMs: 5000,
    });
    expect(httpStatusForHelixError(deferred, { committed: false })).toBe(500);
  });

  it('of a code from the future goes by its prefix and flag', () => {
    const statusOf = (code: string, retryable: boolean | null) =>
      httpStatusForHelixError({ code, retryable: retryable ?? undefined }, { committed: false });
    expect([
      statusOf('state_new', null),
      statusOf('state_new', true),
      statusOf('provider_new', null),
    ]).toEqual([409, 503, 500]);
  });
});

describe('a typed body', () => {
  it.each(codes)(
    'of %s is its sentence and its code, and the flag only where it says something',
    (code) => {
      const body = typedErrorBody(new HelixError({ code, message: 'secret developer text' }));
      expect(body).toEqual({
        error: CODES[code].sentence,
        code,
        ...(code === 'state_already_running' ? { retryable: true } : {}),
      });
    },
  );

  it('carries what the error has', () => {
    const error = new HelixError({
      code: 'state_not_resumable',
      reason: 'answer_not_stored',
      runId: 'r1',
      toolCallIds: ['t1'],
      currentStatus: 'paused',
      retryAfterMs: 1500,
    });
    expect(typedErrorBody(error)).toEqual({
      error: CODES.state_not_resumable.sentence,
      code: 'state_not_resumable',
      cause: 'answer_not_stored',
      runId: 'r1',
      toolCallIds: ['t1'],
      currentStatus: 'paused',
      retryAfterMs: 1500,
    });
  });

  it('keeps a reason of the client to itself', () => {
    const error = new HelixError({ code: 'transport_error', reason: 'network' });
    expect(typedErrorBody(error)).not.toHaveProperty('cause');
  });

  it('shows the developer text only when it is told to, and redacted', () => {
    const error = new HelixError({ code: 'provider_error', detail: 'key sk-live1234567890abcdef' });
    const shown = typedErrorBody(error, { exposeDetail: true });
    expect(shown.detail).toContain('key');
    expect(shown.detail).not.toContain('sk-live1234567890abcdef');
    expect(typedErrorBody(error)).not.toHaveProperty('detail');
  });

  it('stays one that a client can read, however long its developer text is', async () => {
    const message = `why ${'x '.repeat(2 ** 19)}`;
    const response = typedErrorResponse(new HelixError({ code: 'provider_error', message }), {
      exposeDetail: true,
    });
    const read = await helixErrorFromResponse(response);
    expect(read.code).toBe('provider_error');
    expect(read.detail).toMatch(/^why x /);
    expect(read.detail?.length).toBeLessThanOrEqual(4_096);
    const [part] = errorChunks(new HelixError({ message }), { exposeDetail: true });
    expect((part.data as { detail?: string }).detail?.length).toBeLessThanOrEqual(4_096);
  });

  it('states a wait as a header too, in whole seconds rounded up', () => {
    const error = new HelixError({ code: 'provider_rate_limited', retryAfterMs: 1200 });
    expect(typedErrorResponse(error).headers.get('retry-after')).toBe('2');
    expect(typedErrorResponse(error).headers.get('content-type')).toContain('application/json');
  });
});

describe('chatErrorResponse', () => {
  const read = async (error: unknown, options?: Parameters<typeof chatErrorResponse>[1]) => {
    const response = chatErrorResponse(error, options);
    return [response.status, (await response.json()) as Record<string, unknown>] as const;
  };

  it('answers a HelixError by the rule', async () => {
    const error = new HelixError({ code: 'state_session_not_found' });
    expect(await read(error, { sessionId: 's1' })).toMatchObject([
      404,
      { code: 'state_session_not_found' },
    ]);
    const late = new HelixError({ code: 'provider_overloaded' });
    expect((await read(late, { committed: true }))[0]).toBe(500);
  });

  it.each([
    ['an Error', new Error('hunter2')],
    ['a text', 'hunter2'],
    ['nothing', undefined],
    ['an object', { message: 'hunter2' }],
  ])('answers %s as unknown, without its text', async (_, error) => {
    const [status, body] = await read(error, { sessionId: 's1', exposeDetail: true });
    expect([status, body.code]).toEqual([500, 'framework_internal_error']);
    expect(JSON.stringify(body)).not.toContain('hunter2');
  });

  it('says 503 of an unknown failure only where nothing was written for sure', async () => {
    const statusOf = async (committed: boolean | undefined) =>
      (await read(new Error('x'), { sessionId: 's1', committed }))[0];
    expect([await statusOf(undefined), await statusOf(false), await statusOf(true)]).toEqual([
      500, 503, 500,
    ]);
  });

  it('takes a body that is no JSON for the caller’s mistake', async () => {
    const thrown = await new Response('{').json().catch((error: unknown) => error);
    expect(await read(thrown, { sessionId: 's1', committed: false })).toMatchObject([
      400,
      { code: 'validation_error' },
    ]);
  });

  it.each([
    [401, 'signed-out'],
    [403, 'forbidden'],
    [413, 'too-large'],
    [429, 'rate-limit'],
  ])('takes a route’s own status %i, and the client reads why', async (status, reason) => {
    const response = chatErrorResponse(new Error('x'), { sessionId: 's1', status });
    expect(response.status).toBe(status);
    expect(await helixErrorFromResponse(response)).toMatchObject({
      code: 'framework_internal_error',
      statusCode: status,
      reason,
    });
  });

  it('asks the adapters; one that throws knows nothing', async () => {
    const adapters = [
      () => {
        throw new Error('broken adapter');
      },
      (thrown: unknown) =>
        thrown === 'full' ? ({ code: 'provider_overloaded' } as const) : undefined,
    ];
    expect(await read('full', { sessionId: 's1', adapters })).toMatchObject([
      503,
      { code: 'provider_overloaded' },
    ]);
    expect((await read('else', { sessionId: 's1', adapters }))[0]).toBe(500);
  });
});

describe('an error event', () => {
  it('is a transient typed part, then the chunk that every client knows', () => {
    const error = new HelixError({
      code: 'provider_rate_limited',
      message: 'secret developer text',
      retryAfterMs: 2000,
      runId: 'r1',
    });
    const sentence = CODES.provider_rate_limited.sentence;
    expect(errorChunks(error)).toEqual([
      {
        type: 'data-helix-error',
        transient: true,
        data: {
          errorText: sentence,
          code: 'provider_rate_limited',
          category: 'provider',
          retryable: true,
          retryAfterMs: 2000,
          runId: 'r1',
        },
      },
      { type: 'error', errorText: sentence },
    ]);
  });

  it('of an unclassified failure names no code, no category and no flag', () => {
    const [part] = errorChunks(new HelixError({ cause: new Error('hunter2') }));
    expect(Object.keys(part.data)).toEqual(['errorText']);
  });

  it('goes out through any stream writer', () => {
    const written: unknown[] = [];
    const error = new HelixError({ code: 'provider_auth_error' });
    writeErrorChunk({ write: (chunk) => written.push(chunk) }, error);
    expect(written).toEqual([...errorChunks(error)]);
  });
});
