import { describe, expect, test } from 'vitest';
import { deuzAdapter } from '../../src/adapters/deuz.ts';
import { answer, decode, events, live, NOW, reading } from './decode.ts';

type Details = Record<string, unknown>;
type Row = readonly [
  name: string,
  code: string,
  details: Details,
  expected: readonly unknown[],
  message?: string,
];

const LONG = 'too-long';

/** The DeuzError classes. */
const CLASSES: readonly Row[] = [
  [
    'APICallError',
    'api_call_error',
    { statusCode: 500, isRetryable: true },
    ['provider_error', true],
  ],
  [
    'APICallError',
    'api_call_error',
    { statusCode: 503, isRetryable: true },
    ['provider_overloaded', true],
  ],
  [
    'APICallError',
    'api_call_error',
    { statusCode: 302, isRetryable: false },
    ['provider_error', false],
  ],
  ['APICallError', 'api_call_error', { statusCode: 502 }, ['provider_error', true]],
  ['APICallError', 'api_call_error', {}, ['provider_error', undefined]],
  [
    'NetworkError',
    'network_error',
    { statusCode: 0, isRetryable: true },
    ['provider_unreachable', true],
  ],
  [
    'RateLimitError',
    'rate_limit',
    { statusCode: 429, isRetryable: true },
    ['provider_rate_limited', true],
  ],
  [
    'RateLimitError',
    'rate_limit',
    { statusCode: 429, isRetryable: true, upstreamType: 'insufficient_quota' },
    ['provider_rate_limited', false, 'quota'],
  ],
  [
    'RateLimitError',
    'rate_limit',
    { statusCode: 429, isRetryable: true },
    ['provider_rate_limited', false, 'quota'],
    'You exceeded your current quota, please check your plan.',
  ],
  [
    'RateLimitError',
    'rate_limit',
    { statusCode: 429, upstreamType: 'rate_limit_error' },
    ['provider_rate_limited', true],
  ],
  [
    'OverloadedError',
    'overloaded',
    { statusCode: 529, isRetryable: true },
    ['provider_overloaded', true],
  ],
  [
    'AuthenticationError',
    'authentication',
    { statusCode: 401, isRetryable: false },
    ['provider_auth_error', false],
  ],
  [
    'AuthenticationError',
    'authentication',
    { statusCode: 403, isRetryable: false },
    ['provider_auth_error', false],
  ],
  [
    'InvalidRequestError',
    'invalid_request',
    { statusCode: 400, isRetryable: false },
    ['provider_invalid_request', false],
  ],
  [
    'InvalidRequestError',
    'invalid_request',
    { statusCode: 409, isRetryable: false },
    ['provider_invalid_request', false],
  ],
  [
    'InvalidRequestError',
    'invalid_request',
    { statusCode: 422, isRetryable: false },
    ['provider_invalid_request', false],
  ],
  [
    'InvalidRequestError',
    'invalid_request',
    { statusCode: 408, isRetryable: false },
    ['provider_timeout', true],
  ],
  [
    'InvalidRequestError',
    'invalid_request',
    { statusCode: 425, isRetryable: false },
    ['provider_invalid_request', true],
  ],
  [
    'InvalidRequestError',
    'invalid_request',
    { statusCode: 498, isRetryable: false },
    ['provider_invalid_request', true],
  ],
  [
    'InvalidRequestError',
    'invalid_request',
    { statusCode: 402, isRetryable: false },
    ['provider_rate_limited', false, 'quota'],
  ],
  [
    'InvalidRequestError',
    'invalid_request',
    { statusCode: 413, isRetryable: false },
    ['provider_invalid_request', false, LONG],
  ],
  [
    'InvalidRequestError',
    'invalid_request',
    { statusCode: 400, isRetryable: false, upstreamType: 'content_filter' },
    ['provider_content_filtered', false],
  ],
  [
    'ModelNotFoundError',
    'model_not_found',
    { statusCode: 404, isRetryable: false },
    ['provider_invalid_request', false],
  ],
  [
    'ContextOverflowError',
    'context_overflow',
    { statusCode: 400, isRetryable: false },
    ['provider_invalid_request', false, LONG],
  ],
  ['TimeoutError', 'timeout', { layer: 'connect' }, ['provider_timeout', true]],
  ['TimeoutError', 'timeout', { layer: 'ttft' }, ['provider_timeout', true]],
  ['TimeoutError', 'timeout', { layer: 'total' }, ['provider_timeout', true]],
  ['TimeoutError', 'timeout', { layer: 'chunk' }, ['provider_timeout', true]],
  ['TimeoutError', 'timeout', { layer: 'step' }, ['provider_timeout', false]],
  ['TimeoutError', 'timeout', { layer: 'tool' }, ['tool_timeout', false]],
  ['AbortError', 'aborted', {}, ['framework_cancelled', false]],
  [
    'BreakerOpenError',
    'breaker_open',
    { provider: 'openai', modelId: 'gpt-5.5' },
    ['provider_overloaded', true],
  ],
  [
    'NoObjectGeneratedError',
    'no_object_generated',
    {},
    ['framework_completion_invalid_output', false],
  ],
  [
    'NoObjectGeneratedError',
    'no_object_generated',
    { finishReason: 'length' },
    ['framework_completion_invalid_output', false],
  ],
  [
    'NoObjectGeneratedError',
    'no_object_generated',
    { finishReason: 'content_filter' },
    ['provider_content_filtered', false],
  ],
  [
    'UnsupportedCapabilityError',
    'unsupported_capability',
    { capability: 'vision' },
    ['framework_not_supported', false],
  ],
  [
    'ToolExecutionError',
    'tool_execution',
    { toolName: 'search' },
    ['tool_execution_failed', false],
  ],
  [
    'McpAuthorizationRequiredError',
    'mcp_authorization_required',
    { serverUrl: 'https://mcp.example' },
    ['tool_execution_failed', false],
  ],
  ['NotImplementedError', 'not_implemented', {}, ['framework_not_supported', false]],
  [
    'CheckpointNotFoundError',
    'checkpoint_not_found',
    { runId: 'r' },
    ['state_checkpoint_not_found', false],
  ],
  ['CheckpointVersionError', 'checkpoint_version', {}, ['state_not_resumable', false]],
  ['UnpricedModelError', 'unpriced_model', { modelId: 'm' }, ['framework_not_supported', false]],
  [
    'A2AError',
    'a2a_error',
    { kind: 'task', reason: 'failed', rpcCode: -32001 },
    ['transport_remote_agent_failed', false],
  ],
  ['BatchError', 'batch_error', { kind: 'expired', batchId: 'b' }, ['provider_error', false]],
  [
    'RealtimeError',
    'realtime_error',
    { kind: 'closed', closeCode: 1006 },
    ['transport_stream_drop', true],
  ],
  [
    'RagError',
    'rag_unsupported_legacy_doc',
    { mime: 'application/msword' },
    ['validation_error', false, 'file'],
  ],
  ['RagError', 'rag_unsupported_mime', { mime: 'x/y' }, ['validation_error', false, 'file']],
  ['RagError', 'rag_empty_text_layer', {}, ['validation_error', false, 'file']],
  ['RagError', 'rag_parser_not_registered', {}, ['validation_error', false, 'file']],
  ['RagError', 'rag_extension_mime_mismatch', {}, ['validation_error', false, 'file']],
];

describe('a DeuzError', () => {
  const rows = CLASSES.map(
    (row) => [`${row[0]} ${row[1]} ${JSON.stringify(row[2])}`, row] as const,
  );

  test.each(rows)('out of JSON: %s', (_name, [name, code, details, expected, message = 'm']) => {
    const hasDetails = Object.keys(details).length > 0;
    expect(reading({ name, code, message, ...(hasDetails && { details }) })).toEqual(expected);
  });

  test.each(rows)('alive: %s', (_name, [name, code, fields, expected, message = 'm']) => {
    expect(reading(live({ name, code, message, ...fields }))).toEqual(expected);
  });

  test.each(rows)(
    'as a host sends it: %s',
    (_name, [name, code, details, expected, message = 'm']) => {
      const error = { name, code, message, details };
      expect(reading(answer(500, { error }))).toEqual(expected);
    },
  );

  test('is known without its name, by a detail of its own', () => {
    const error = { code: 'rate_limit', message: 'm', details: { statusCode: 429 } };
    expect(reading(error)).toEqual(['provider_rate_limited', true]);
  });

  test('is not seen in any body with a code and details', () => {
    const body = { error: 'Too slow.', code: 'timeout', message: 'm', details: { field: 'x' } };
    expect(deuzAdapter(answer(504, body), { now: NOW })).toBeUndefined();
  });

  test('is not seen in an error of the same name without its code', () => {
    expect(deuzAdapter(new DOMException('m', 'AbortError'), { now: NOW })).toBeUndefined();
    expect(deuzAdapter(new DOMException('m', 'TimeoutError'), { now: NOW })).toBeUndefined();
    expect(deuzAdapter(live({ name: 'BatchError', code: 'x' }), { now: NOW })).toBeUndefined();
  });

  test('keeps the status, the wait, the provider and the ids', () => {
    const details = {
      ...{ statusCode: 429, isRetryable: true, retryAfterMs: 45_000, provider: 'anthropic' },
      ...{ requestId: 'req_011', upstreamType: 'rate_limit_error' },
    };
    expect(
      decode({ name: 'RateLimitError', code: 'rate_limit', message: 'm', details }),
    ).toMatchObject({
      statusCode: 429,
      retryAfterMs: 45_000,
      provider: 'anthropic',
      requestId: 'req_011',
      wireCode: 'rate_limit',
    });
  });

  test.each([
    ['RateLimitError', 'rate_limit', 429],
    ['OverloadedError', 'overloaded', 529],
    ['NetworkError', 'network_error', 0],
    ['APICallError', 'api_call_error', 500],
    ['InvalidRequestError', 'invalid_request', 402],
  ])('a no of its own is final, also beside a wait: %s', (name, code, statusCode) => {
    const details = { statusCode, isRetryable: false, retryAfterMs: 1_000 };
    expect(decode({ name, code, message: 'm', details }).retryable).toBe(false);
  });

  test('a status of 0 is none', () => {
    const details = { statusCode: 0, isRetryable: true };
    const error = decode({ name: 'NetworkError', code: 'network_error', message: 'm', details });
    expect(error.statusCode).toBeUndefined();
  });
});

/** Errors of the runtime and its modules, which are plain ones: name, code. */
const RUNTIME: readonly (readonly [string, string | undefined, readonly unknown[]])[] = [
  ['BudgetLedgerError', 'budget_exceeded', ['framework_max_steps_exhausted', false]],
  ['BudgetLedgerError', 'admission_failed', ['framework_usage_store_unavailable', true]],
  ['BudgetLedgerError', 'persistence_failed', ['framework_usage_store_unavailable', true]],
  ['BudgetLedgerError', 'invalid_budget', ['framework_internal_error', false]],
  ['BudgetLedgerError', 'missing_reservation', ['framework_internal_error', false]],
  ['BudgetLedgerError', 'reservation_conflict', ['framework_internal_error', false]],
  ['BudgetLedgerError', 'unknown_request', ['framework_internal_error', false]],
  ['BudgetLedgerError', 'invalid_snapshot', ['framework_internal_error', false]],
  ['ExecutionPolicyError', 'tool_not_allowed', ['framework_not_supported', false]],
  ['ExecutionPolicyError', 'model_not_allowed', ['framework_not_supported', false]],
  ['ExecutionPolicyError', 'depth_exceeded', ['framework_max_steps_exhausted', false]],
  ['ExecutionPolicyError', 'deadline_exceeded', ['provider_timeout', false]],
  ['ExecutionPolicyError', 'invalid_policy', ['framework_internal_error', false]],
  ['ExecutionPolicyError', 'invalid_context', ['framework_internal_error', false]],
  ['ExecutionPersistenceError', 'execution_persistence_error', ['framework_internal_error', false]],
  ['SwarmLeaseError', 'held', ['state_already_running', true]],
  ['SwarmLeaseError', 'lost', ['state_run_superseded', false]],
  ['EvolveLeaseError', 'held', ['state_already_running', true]],
  ['EvolveLeaseError', 'lost', ['state_run_superseded', false]],
  ['SwarmConflictError', undefined, ['state_concurrency_conflict', true]],
  ['EvolveConflictError', undefined, ['state_concurrency_conflict', true]],
];

describe('an error of the runtime', () => {
  const codeOf = (code: string | undefined) => (code === undefined ? {} : { code });

  test.each(RUNTIME)('%s %s, alive and out of JSON', (name, code, expected) => {
    expect(reading({ name, message: 'm', ...codeOf(code) })).toEqual(expected);
    expect(reading(live({ name, message: 'm', ...codeOf(code) }))).toEqual(expected);
  });

  test.each(RUNTIME)('%s %s, in the result of a run', (name, code, expected) => {
    const error = { name, message: 'm', ...codeOf(code) };
    expect(reading({ status: 'failed', runId: 'r', text: '', error })).toEqual(expected);
  });

  test.each(['held', 'lost', 'budget_exceeded', 'tool_not_allowed', 'deadline_exceeded'])(
    'the code %s alone says nothing',
    (code) => {
      expect(deuzAdapter({ code, message: 'm' }, { now: NOW })).toBeUndefined();
      expect(deuzAdapter({ name: 'OtherError', code, message: 'm' }, { now: NOW })).toBeUndefined();
    },
  );

  test('a code that is not known stays unclassified', () => {
    const error = { name: 'BudgetLedgerError', message: 'm', code: 'new_code' };
    expect(deuzAdapter(error, { now: NOW })).toBeUndefined();
  });
});

/** The sentences that the SDK writes itself. */
const SENTENCES: readonly (readonly [string, readonly unknown[]])[] = [
  ['Request timed out (connect).', ['provider_timeout', true]],
  ['Request timed out (ttft).', ['provider_timeout', true]],
  ['Request timed out (total).', ['provider_timeout', true]],
  ['Request timed out (tool).', ['tool_timeout', false]],
  ['Agentic step timed out (step, 30000ms).', ['provider_timeout', false]],
  ['Stream stalled between parts (chunk, 15000ms).', ['provider_timeout', true]],
  ["Network request to provider 'openai' failed.", ['provider_unreachable', true]],
  ['Provider request failed (HTTP 503).', ['provider_overloaded', true]],
  ['Provider request failed (HTTP 401).', ['provider_auth_error', false]],
  ['Provider request failed (HTTP 402).', ['provider_rate_limited', false, 'quota']],
  ['Anthropic request failed (HTTP 529).', ['provider_overloaded', true]],
  [
    `Circuit breaker open for 'openai:gpt-5.5' \u2014 failing fast until ${NOW + 12_000}.`,
    ['provider_overloaded', true],
  ],
  ['Provider returned an empty response body.', ['provider_error', true]],
  [
    "Provider 'mistral' does not support 'vision' on this model.",
    ['framework_not_supported', false],
  ],
];

describe('the stream', () => {
  const v2 = { 'x-deuz-stream': 'v2' };
  const stream = (part: unknown, headers = v2) =>
    events(
      [{ type: 'start', messageId: 'm1' }, { type: 'text-delta', text: 'Sure' }, part],
      headers,
    );

  test.each(SENTENCES)('%s', (message, expected) => {
    expect(reading(stream({ type: 'error', message }))).toEqual(expected);
  });

  test.each(SENTENCES)('where its header cannot be read: %s', (message, expected) => {
    expect(reading(events([{ type: 'error', message }]))).toEqual(expected);
  });

  test.each(SENTENCES)('as its hook throws it: %s', (message, expected) => {
    expect(reading(new Error(message))).toEqual(expected);
    expect(reading({ type: 'error', message })).toEqual(expected);
  });

  test('the end of a breaker’s cool-down is the wait', () => {
    const message = `Circuit breaker open for 'a:b' \u2014 failing fast until ${NOW + 12_000}.`;
    expect(decode(stream({ type: 'error', message })).retryAfterMs).toBe(12_000);
    const json = { name: 'BreakerOpenError', code: 'breaker_open', message };
    expect(decode(json).retryAfterMs).toBe(12_000);
    const alive = live({ ...json, message: 'm', cooldownUntil: NOW + 3_000 });
    expect(decode(alive).retryAfterMs).toBe(3_000);
  });

  test('a cool-down that is over, or read without a clock, states no wait', () => {
    const message = `Circuit breaker open for 'a:b' \u2014 failing fast until ${NOW - 1}.`;
    const error = { name: 'BreakerOpenError', code: 'breaker_open', message };
    expect(decode(error).retryAfterMs).toBeUndefined();
    expect(deuzAdapter(error, { now: 0 })?.retryAfterMs).toBeUndefined();
  });

  test.each([
    ['Rate limit reached. Please try again in 20s.', ['provider_rate_limited', true], 20_000],
    [
      'Your credit balance is too low to access the API.',
      ['provider_rate_limited', false, 'quota'],
      undefined,
    ],
    ['Overloaded', ['provider_overloaded', true], undefined],
    ['Stream error.', ['provider_error', undefined], undefined],
    ['Something of a provider.', ['provider_error', undefined], undefined],
  ] as const)('anything else is the provider’s prose: %s', (message, expected, wait) => {
    const error = decode(stream({ type: 'error', message }));
    expect(reading(stream({ type: 'error', message }))).toEqual(expected);
    expect(error.retryAfterMs).toBe(wait);
    expect(deuzAdapter(events([{ type: 'error', message }]), { now: NOW })).toBeUndefined();
  });

  test.each([
    [{ type: 'finish', finishReason: 'content_filter' }, ['provider_content_filtered', false]],
    [{ type: 'finish', finishReason: 'error' }, ['provider_error', undefined, 'finish-error']],
    [{ type: 'finish', finishReason: 'aborted' }, ['framework_cancelled', false]],
    [
      { type: 'budget-exceeded', kind: 'usd', limit: 1, value: 2 },
      ['framework_max_steps_exhausted', false],
    ],
  ] as const)('a clean end that is none: %o', (part, expected) => {
    expect(reading(stream(part))).toEqual(expected);
  });

  test.each(['stop', 'length', 'tool_calls'])('an end by %s is no failure', (finishReason) => {
    expect(deuzAdapter(stream({ type: 'finish', finishReason }), { now: NOW })).toBeUndefined();
  });

  test('a part that failed its check is none either: the stream goes on', () => {
    const part = { type: 'error', message: "data part 'chart' failed validation." };
    expect(deuzAdapter(stream(part), { now: NOW })).toBeUndefined();
    const late = events([part, { type: 'error', message: 'Request timed out (total).' }], v2);
    expect(reading(late)).toEqual(['provider_timeout', true]);
  });

  test('its client’s sentence about the host’s own answer is read as that answer', () => {
    const refused = (status: string) => new Error(`Deuz stream request failed (status ${status}).`);
    expect(decode(refused('401 Unauthorized'))).toMatchObject({
      code: undefined,
      reason: 'signed-out',
      retryable: false,
      statusCode: 401,
    });
    expect(reading(refused('503 Service Unavailable'))).toEqual(['transport_error', true]);
  });
});
