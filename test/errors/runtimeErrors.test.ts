import { describe, expect, test } from 'vitest';
import { classifyError } from '../../src/errors/classifyError.ts';
import { HelixError } from '../../src/errors/HelixError.ts';
import * as runtime from '../../src/errors/runtimeErrors.ts';
import {
  isAgentNotFoundError,
  isRetryableLLMStepError,
  isTerminalLLMStepError,
} from '../../src/errors/stepRetry.ts';

const errors: readonly [Error, object][] = [
  [
    new runtime.StreamDropError('m', { remoteSessionId: 's', lastSequence: 1 }),
    { code: 'transport_stream_drop', retryable: true },
  ],
  [
    new runtime.RemoteAgentFailedError('m', { remoteSessionId: 's', remoteError: 'e' }),
    { code: 'transport_remote_agent_failed', retryable: false },
  ],
  [new runtime.RunSupersededError('m'), { code: 'state_run_superseded', retryable: false }],
  [
    new runtime.RunStartRejectedError('m', 'entry_abandoned'),
    { code: 'state_run_start_conflict', retryable: false, reason: 'entry_abandoned' },
  ],
  [new runtime.AgentAlreadyRunningError('m'), { code: 'state_already_running', retryable: true }],
  [new runtime.RunStartConflictError('m'), { code: 'state_already_running', retryable: true }],
  [new runtime.AgentNotResumableError('m'), { code: 'state_not_resumable', retryable: undefined }],
  [new runtime.StaleStateError('m'), { code: 'state_concurrency_conflict', retryable: undefined }],
  [new runtime.FencingTokenMismatchError('m'), { code: 'state_concurrency_conflict' }],
  [new runtime.StepCommitConflictError('m'), { code: 'state_concurrency_conflict' }],
  [new runtime.RunStartAbandonedError('m'), { code: 'transport_error', retryable: undefined }],
  [new runtime.RunStartOutcomeUnknownError('m'), { code: 'transport_error' }],
  [new runtime.RunStartStalledError('m'), { code: 'transport_error' }],
  [new runtime.CommitStoppedError('m'), { code: 'state_commit_stopped', retryable: false }],
  [
    new runtime.ResumeRefusedError('m', { retryable: true }),
    { code: 'state_not_resumable', retryable: true },
  ],
  [
    new runtime.RequestKeyConflictError('m', { runId: 'r' }),
    { code: 'state_request_key_conflict', runId: 'r', retryable: false },
  ],
  [
    new runtime.RequestAlreadyCompletedError('m', { runId: 'r' }),
    { code: 'state_request_already_completed', runId: 'r', retryable: false },
  ],
  [
    runtime.AgentResolutionError.notFound('a'),
    { code: 'framework_agent_not_found', retryable: false },
  ],
  [
    runtime.AgentResolutionError.failed('a', new Error('x')),
    { code: 'framework_agent_resolution_failed', retryable: true },
  ],
  [
    runtime.AgentResolutionError.failed('a', new HelixError({ code: 'provider_auth_error' })),
    { code: 'framework_agent_resolution_failed', retryable: false },
  ],
];

describe('an error of a runtime', () => {
  test.each(errors)('%s is classified', (error, expected) => {
    expect(classifyError(error)).toMatchObject({ ...expected, message: error.message });
  });

  test.each(errors)('%s is classified the same after it crossed a boundary', (error, expected) => {
    const revived: unknown = Object.assign(
      { name: error.name, message: error.message },
      JSON.parse(JSON.stringify({ ...error })),
    );
    expect(HelixError.isInstance(revived)).toBe(false);
    const { code } = expected as { code: string };
    expect(classifyError(revived).code).toBe(code);
  });

  test('keeps its family', () => {
    expect(new runtime.RunStartConflictError('m')).toBeInstanceOf(runtime.AgentAlreadyRunningError);
    expect(new runtime.RunStartConflictError('m')).toMatchObject({
      name: 'AgentAlreadyRunningError',
      code: 'state_run_start_conflict',
    });
    expect(HelixError.isInstance(new runtime.CommitStoppedError('m'))).toBe(true);
    expect(HelixError.isInstance(new runtime.RunSupersededError('m'))).toBe(false);
  });
});

describe('a failed model call', () => {
  const busy = new HelixError({ code: 'provider_overloaded' });

  test.each<[unknown, boolean]>([
    [busy, true],
    [new Error('x', { cause: busy }), true],
    [{ type: 'error', error: busy, shouldStop: true }, true],
    [new HelixError({ code: 'provider_error' }), false],
    [new HelixError({ code: 'provider_error', retryable: true }), true],
    [new HelixError({ code: 'provider_overloaded', retryable: false }), false],
    [new HelixError({ retryable: true }), false],
    [Object.assign(new Error('x'), { retryable: true }), false],
    [new Error('x'), false],
    [undefined, false],
  ])('is called again only when it is classified as retryable (%#)', (failure, again) => {
    expect(isRetryableLLMStepError(failure)).toBe(again);
  });

  test.each<[unknown, boolean]>([
    [{ type: 'error', error: busy, shouldStop: true }, true],
    [{ type: 'error', error: busy, shouldStop: false }, false],
    [{ type: 'error', error: busy }, false],
    [{ type: 'text', shouldStop: true }, false],
    [busy, false],
    [null, false],
  ])('ends its run only as an error step that stops (%#)', (step, terminal) => {
    expect(isTerminalLLMStepError(step)).toBe(terminal);
  });
});

test.each<[unknown, boolean]>([
  [runtime.AgentResolutionError.notFound('a'), true],
  [{ name: 'AgentResolutionError', code: 'framework_agent_not_found' }, true],
  [runtime.AgentResolutionError.failed('a', runtime.AgentResolutionError.notFound('b')), false],
  [undefined, false],
])('an agent type that is not registered (%#)', (error, notFound) => {
  expect(isAgentNotFoundError(error)).toBe(notFound);
});
