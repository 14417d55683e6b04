import { describe, expect, test } from 'vitest';
import * as client from '../../src/errors/clientFailures.ts';
import { HelixSnapshotError, HelixTimeoutError } from '../../src/errors/HelixError.ts';
import { REASONS, TIMEOUT_LAYERS } from '../../src/protocol/reasons.ts';

test.each([
  [client.networkFailureError(false), 'transport_error', true, 'network', undefined],
  [client.networkFailureError(true), 'transport_error', true, 'offline', undefined],
  [client.unexpectedResponse(), 'transport_error', undefined, 'unexpected-response', undefined],
  [client.timeoutFailure('connect'), 'transport_error', undefined, 'timeout', 'connect'],
  [client.timeoutFailure('total'), 'transport_error', undefined, 'timeout', 'total'],
  [client.cutFailure(), 'transport_stream_drop', true, 'cut', undefined],
  [client.silentFailure(), 'transport_stream_drop', true, 'silent', 'idle'],
  [client.reanchorLimit(), 'transport_stream_drop', undefined, 're-anchor-limit', undefined],
  [client.strandedRun('r1'), 'transport_stream_drop', undefined, 'run_not_live', undefined],
  [client.answerRejected([]), 'state_not_resumable', undefined, 'answer-rejected', undefined],
  [client.patienceOver('r1'), 'state_already_running', true, 'patience', undefined],
  [client.emptyReply(), 'framework_internal_error', undefined, 'empty-reply', undefined],
  [client.corruptSnapshot(), 'state_history_incomplete', false, 'corrupt_row', undefined],
  [client.filteredReply(true), 'provider_content_filtered', false, 'filtered', undefined],
  [client.filteredReply(false), 'provider_content_filtered', false, undefined, undefined],
  [client.lengthReply(true), 'provider_error', undefined, 'length', undefined],
  [client.lengthReply(false), 'provider_error', undefined, undefined, undefined],
  [client.finishErrorReply(true), 'provider_error', undefined, 'finish-error', undefined],
  [client.finishErrorReply(false), 'provider_error', undefined, undefined, undefined],
] as const)('%s', (error, code, retryable, reason, layer) => {
  expect(error).toMatchObject({ code, retryable, reason, layer });
  if (layer !== undefined) expect(error.message).toBe(TIMEOUT_LAYERS[layer].sentence);
  else if (reason !== undefined) expect(error.message).toBe(REASONS[reason].sentence);
});

describe('what a failure carries', () => {
  test('the original of a lost connection', () => {
    const cause = new TypeError('Failed to fetch');
    expect(client.networkFailureError(false, cause).cause).toBe(cause);
  });

  test('the status and support id of an answer that is no reply', () => {
    const headers = new Headers({ 'x-request-id': 'q1' });
    expect(client.unexpectedResponse({ status: 200, headers })).toMatchObject({
      statusCode: 200,
      requestId: 'q1',
    });
  });

  test('the calls of answers that did not apply', () => {
    const rejections = [
      { toolCallId: 'c1', reason: 'late' },
      { toolCallId: 'c2', reason: '' },
    ];
    expect(client.answerRejected(rejections).toolCallIds).toEqual(['c1', 'c2']);
  });

  test('a cut that was typed already stays the same', () => {
    const silent = client.silentFailure();
    expect(client.cutFailure(silent)).toBe(silent);
    const broken = new SyntaxError('x');
    expect(client.cutFailure(broken)).toMatchObject({ reason: 'cut', cause: broken });
  });

  test('its class', () => {
    expect(client.timeoutFailure('connect')).toBeInstanceOf(HelixTimeoutError);
    expect(client.silentFailure()).toBeInstanceOf(HelixTimeoutError);
    expect(client.corruptSnapshot()).toBeInstanceOf(HelixSnapshotError);
  });
});
