import { describe, expect, test } from 'vitest';
import { classifyError, classifyKnownError } from '../../src/errors/classifyError.ts';
import { ensureError, extractErrorMessage } from '../../src/errors/extractErrorMessage.ts';
import { HelixError } from '../../src/errors/HelixError.ts';
import { HelixStreamError } from '../../src/errors/HelixStreamError.ts';
import { parseHelixChatError } from '../../src/errors/parseHelixChatError.ts';
import { resolveErrorDetail } from '../../src/errors/resolveErrorDetail.ts';
import { RemoteAgentFailedError, StreamDropError } from '../../src/errors/runtimeErrors.ts';
import {
  createMaxStepsExhaustedError,
  DEFAULT_LLM_STEP_RETRY,
} from '../../src/errors/stepRetry.ts';
import { USER_MESSAGES, userMessageFor } from '../../src/errors/userMessage.ts';
import { CODES, type ErrorCode } from '../../src/protocol/codes.ts';

// Every example of the error handling document, as it stands there.

describe('Error Classification', () => {
  test('a HelixError is an Error with structured metadata', () => {
    const originalError = new Error('429');
    const error = new HelixError({
      message: 'Rate limit exceeded',
      code: 'provider_rate_limited',
      retryable: true,
      statusCode: 429,
      cause: originalError,
    });
    expect(error).toBeInstanceOf(Error);
    expect(error.message).toBe('Rate limit exceeded');
    expect(error.code).toBe('provider_rate_limited');
    expect(error.category).toBe('provider');
    expect(error.retryable).toBe(true);
    expect(error.statusCode).toBe(429);
    expect(error.cause).toBe(originalError);
  });

  test('the category comes from the prefix of the code unless it is overridden', () => {
    expect(new HelixError({ code: 'provider_rate_limited' }).category).toBe('provider');
    expect(new HelixError({ code: 'tool_execution_failed' }).category).toBe('tool');
    expect(new HelixError({ code: 'tool_execution_failed', category: 'state' }).category).toBe(
      'state',
    );
  });

  test('HelixError.isInstance', () => {
    const error: unknown = new HelixError({ code: 'provider_timeout' });
    expect(HelixError.isInstance(error)).toBe(true);
    expect(HelixError.isInstance(new Error('x'))).toBe(false);
  });
});

describe('Utility Functions', () => {
  test('extractErrorMessage', () => {
    expect(extractErrorMessage(new Error('fail'))).toBe('fail');
    expect(extractErrorMessage({ message: 'fail' })).toBe('fail');
    expect(extractErrorMessage('string error')).toBe('string error');
    expect(extractErrorMessage({ foo: 'bar' })).toBe('{"foo":"bar"}');
    expect(extractErrorMessage(null)).toBe('null');
  });

  test('ensureError', () => {
    const err = ensureError('string error');
    expect(err instanceof Error).toBe(true);
    expect(err.message).toBe('string error');
    expect(err.cause).toBe('string error');
    expect(ensureError(err)).toBe(err);
  });
});

describe('classifyError()', () => {
  const named = (name: string, fields: object = {}) =>
    Object.assign(new Error('boom'), { name, ...fields });

  test('passes a HelixError through unchanged', () => {
    const error = new HelixError({ code: 'tool_timeout' });
    expect(classifyError(error)).toBe(error);
    expect(classifyKnownError(error)).toBe(error);
  });

  test.each<[string, unknown, ErrorCode, boolean | undefined]>([
    ['AbortError', named('AbortError'), 'framework_cancelled', undefined],
    ['DOMException', new DOMException('x', 'AbortError'), 'framework_cancelled', undefined],
    ['StaleStateError', named('StaleStateError'), 'state_concurrency_conflict', undefined],
    [
      'FencingTokenMismatchError',
      named('FencingTokenMismatchError'),
      'state_concurrency_conflict',
      undefined,
    ],
    [
      'StepCommitConflictError',
      named('StepCommitConflictError'),
      'state_concurrency_conflict',
      undefined,
    ],
    ['AgentAlreadyRunningError', named('AgentAlreadyRunningError'), 'state_already_running', true],
    [
      'RunStartConflictError',
      named('AgentAlreadyRunningError', { code: 'state_run_start_conflict' }),
      'state_already_running',
      true,
    ],
    ['RunSupersededError', named('RunSupersededError'), 'state_run_superseded', false],
    ['RunStartRejectedError', named('RunStartRejectedError'), 'state_run_start_conflict', false],
    ['CommitStoppedError', named('CommitStoppedError'), 'state_commit_stopped', false],
    ['its code', named('Error', { code: 'state_commit_stopped' }), 'state_commit_stopped', false],
    ['AgentNotResumableError', named('AgentNotResumableError'), 'state_not_resumable', undefined],
    ['StreamDropError', named('StreamDropError'), 'transport_stream_drop', true],
    [
      'RemoteAgentFailedError',
      named('RemoteAgentFailedError'),
      'transport_remote_agent_failed',
      false,
    ],
  ])('%s', (_name, error, code, retryable) => {
    const classified = classifyError(error);
    expect(classified).toMatchObject({
      code,
      category: CODES[code].category,
      retryable,
      cause: error,
    });
    expect(classifyKnownError(error)).toMatchObject({ code });
    // Revived across a boundary: a plain object of the same name.
    const { name, message, code: own } = error as Error & { code?: string };
    expect(classifyError({ name, message, code: own }).code).toBe(code);
  });

  test.each([
    new Error('boom'),
    'boom',
    7,
    null,
    undefined,
    { message: 'boom' },
    new TypeError('x'),
  ])('anything else is unexpected, and unknown to classifyKnownError: %j', (error) => {
    const classified = classifyError(error);
    expect(classified).toMatchObject({ code: 'framework_internal_error', retryable: undefined });
    expect(classified.message).toBe(extractErrorMessage(error));
    expect(classifyKnownError(error)).toBeUndefined();
  });
});

describe('resolveErrorDetail()', () => {
  const inner = new HelixError({
    message: 'rate limited',
    code: 'provider_rate_limited',
    retryable: true,
  });

  test('a recognised cause classifies; the outer message stays', () => {
    expect(resolveErrorDetail(new Error('D1 write failed', { cause: inner }))).toEqual({
      message: 'D1 write failed',
      cause: 'rate limited',
      code: 'provider_rate_limited',
      category: 'provider',
      retryable: true,
    });
  });

  test('an unrecognised failure has no code and no flag', () => {
    expect(resolveErrorDetail(new Error('boom'))).toEqual({ message: 'boom' });
  });

  test('a classified outer error records its cause in detail', () => {
    const error = new HelixError({
      message: 'usage store down',
      code: 'framework_usage_store_unavailable',
      retryable: true,
      cause: inner,
    });
    expect(resolveErrorDetail(error)).toEqual({
      message: 'usage store down',
      code: 'framework_usage_store_unavailable',
      category: 'framework',
      retryable: true,
      cause: {
        message: 'rate limited',
        code: 'provider_rate_limited',
        category: 'provider',
        retryable: true,
      },
    });
  });
});

test('every code has a user-safe sentence', () => {
  for (const [code, { sentence }] of Object.entries(CODES)) {
    expect(userMessageFor(code)).toBe(sentence);
    expect(USER_MESSAGES).toHaveProperty(code, sentence);
  }
  expect(Object.keys(USER_MESSAGES)).toHaveLength(52);
});

describe('Remote Agent Errors', () => {
  test('StreamDropError carries the position to go on from', () => {
    const e: unknown = new StreamDropError('dropped', { remoteSessionId: 's1', lastSequence: 7 });
    expect(e instanceof StreamDropError && [e.remoteSessionId, e.lastSequence]).toEqual(['s1', 7]);
    expect(HelixError.isInstance(e)).toBe(false);
  });

  test('RemoteAgentFailedError carries the reason', () => {
    const e: unknown = new RemoteAgentFailedError('failed', {
      remoteSessionId: 's1',
      remoteError: 'oom',
    });
    expect(e instanceof RemoteAgentFailedError && [e.remoteSessionId, e.remoteError]).toEqual([
      's1',
      'oom',
    ]);
    expect(HelixError.isInstance(e)).toBe(false);
  });
});

describe('Typed chat-route responses', () => {
  test('parseHelixChatError recovers the body of a stock transport error', () => {
    const chat = {
      error: new Error(
        '{"error":"A run is live.","code":"state_already_running","retryable":true}',
      ),
    };
    const body = parseHelixChatError(chat.error);
    expect(body?.code).toBe('state_already_running');
    expect(body?.retryable).toBe(true);
  });

  test.each([
    [503, true],
    [409, false],
    [500, false],
    [404, false],
  ])(
    'in a body of exactly error and code, the status %d is the only signal',
    (status, retryable) => {
      const body = { error: 'x', code: 'state_history_incomplete' };
      expect(parseHelixChatError({ status, body })?.retryable).toBe(retryable);
    },
  );
});

describe('HelixStreamError', () => {
  const errorEvent = {
    type: 'error',
    error: 'Rate limit exceeded',
    code: 'provider_rate_limited',
    recoverable: true,
    agentId: 'agent-1',
    agentType: 'writer',
    timestamp: 1_700_000_000_000,
    step: 3,
  };

  test('fromEvent reconstructs the typed error', () => {
    const data = [{ type: 'text' }, errorEvent];
    const err = HelixStreamError.fromEvent(data.find((d) => d.type === 'error'));
    expect(err).toBeInstanceOf(HelixError);
    expect(err.message).toBe('Rate limit exceeded');
    expect(err.code).toBe('provider_rate_limited');
    expect(err.retryable).toBe(true);
    expect(err).toMatchObject({
      agentId: 'agent-1',
      agentType: 'writer',
      timestamp: 1_700_000_000_000,
      step: 3,
      serverMessage: 'Rate limit exceeded',
    });
  });

  test.each([
    ['provider_rate_limited', true],
    ['provider_auth_error', false],
    ['provider_overloaded', true],
  ])('%s can be told apart by code', (code, recoverable) => {
    const err = HelixStreamError.fromEvent({ ...errorEvent, code, recoverable });
    expect(err.code).toBe(code);
    expect(err.retryable).toBe(recoverable);
  });

  test('a missing code means unclassified, not permanent', () => {
    const { code: _code, recoverable: _recoverable, ...event } = errorEvent;
    const err = HelixStreamError.fromEvent(event);
    expect(err.code).toBeUndefined();
    expect(err.category).toBe('unknown');
    expect(err.retryable).toBeUndefined();
  });
});

test('a run that is out of steps', () => {
  const error = createMaxStepsExhaustedError(12);
  expect(error.message).toBe('Max steps (12) reached');
  expect(error).toMatchObject({ code: 'framework_max_steps_exhausted', retryable: false });
});

test('the default budget of step retries', () => {
  expect(DEFAULT_LLM_STEP_RETRY).toEqual({ limit: 3, delayMs: 1000, backoff: 'exponential' });
});
