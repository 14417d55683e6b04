import { describe, expect, test } from 'vitest';
import {
  classifyEntryFailure,
  type EntryFailure,
  WAKE_AFTER,
} from '../../src/errors/classifyEntryFailure.ts';
import { HelixError } from '../../src/errors/HelixError.ts';
import * as runtime from '../../src/errors/runtimeErrors.ts';
import { CODES, isErrorCode } from '../../src/protocol/codes.ts';

const LOST = ['state_already_running', 'state_run_superseded', 'state_concurrency_conflict'];
const REFUSED = [
  'validation_error',
  'framework_completion_strategy_unavailable',
  'framework_completion_schema_unsupported',
  'framework_agent_not_found',
  'state_session_not_found',
  'state_checkpoint_not_found',
  'state_checkpoint_foreign',
  'state_agent_type_mismatch',
  'state_not_resumable',
  'state_not_stoppable',
  'state_run_start_conflict',
  'state_request_key_conflict',
  'state_request_already_completed',
];

const classOf = (code: string, retryable: boolean): EntryFailure => {
  if (LOST.includes(code)) return 'lost';
  if (retryable) return 'transient';
  return REFUSED.includes(code) ? 'refused' : 'fatal';
};

describe('the class of an entry’s failure', () => {
  const codes = Object.keys(CODES).filter(isErrorCode);

  test.each(codes.flatMap((code) => [[code, true] as const, [code, false] as const]))(
    '%s with the flag %s',
    (code, retryable) => {
      expect(classifyEntryFailure(new HelixError({ code, retryable }))).toBe(
        classOf(code, retryable),
      );
    },
  );

  test.each<[string, unknown, EntryFailure]>([
    ['another live run', new runtime.RunStartConflictError('m'), 'lost'],
    ['a lost lease', new runtime.FencingTokenMismatchError('m'), 'lost'],
    ['a superseded run', new runtime.RunSupersededError('m'), 'lost'],
    ['a refused run start', new runtime.RunStartRejectedError('m', 'entry_abandoned'), 'refused'],
    ['an agent that is not registered', runtime.AgentResolutionError.notFound('a'), 'refused'],
    ['one that could not be made', runtime.AgentResolutionError.failed('a', 'x'), 'transient'],
    [
      'one that never can be made',
      runtime.AgentResolutionError.failed('a', new HelixError({ code: 'provider_auth_error' })),
      'fatal',
    ],
    ['a resume too early', new runtime.ResumeRefusedError('m', { retryable: true }), 'transient'],
    ['a resume too late', new runtime.ResumeRefusedError('m', { retryable: false }), 'refused'],
    ['a stop', new runtime.CommitStoppedError('m'), 'fatal'],
    ['an abort', new DOMException('m', 'AbortError'), 'fatal'],
    ['a store that threw', new Error('D1_ERROR: fetch failed'), 'transient'],
    ['a text', 'x', 'transient'],
    ['nothing', undefined, 'transient'],
    [
      'a known cause',
      new Error('m', { cause: new HelixError({ code: 'state_session_not_found' }) }),
      'refused',
    ],
  ])('%s', (_, error, expected) => {
    expect(classifyEntryFailure(error)).toBe(expected);
  });

  test('says what a wake does', () => {
    expect(WAKE_AFTER).toEqual({
      lost: 'nothing',
      refused: 'end-failed',
      transient: 're-arm',
      fatal: 'end-failed',
    });
  });
});
