import { describe, expect, test } from 'vitest';
import { vernAdapter } from '../../src/adapters/vern.ts';
import { answer, decode, live, NOW, reading } from './decode.ts';

type Fields = Record<string, unknown>;
type Row = readonly [
  type: string,
  code: string | undefined,
  status: number | undefined,
  wire: boolean,
  expected: readonly unknown[],
  message?: string,
];

const QUEUE = ['provider_rate_limited', false, 'rate-limit'] as const;
const BAD_INPUT = ['validation_error', false] as const;
const BROKEN = ['framework_completion_protocol_violation', false] as const;
const OUTPUT = ['framework_completion_invalid_output', false] as const;

/** The twelve types and their codes; `wire` is the flag as VernLLM writes it. */
const ROWS: readonly Row[] = [
  ['timeout', 'request_timeout', undefined, true, ['provider_timeout', true]],
  ['timeout', 'idle_timeout', undefined, true, ['provider_timeout', true]],
  ['timeout', 'middleware_timeout', undefined, false, ['framework_hook_failed', false]],
  ['api', undefined, 400, true, ['provider_invalid_request', false]],
  ['api', undefined, 422, true, ['provider_invalid_request', false]],
  ['api', undefined, 409, true, ['provider_invalid_request', false]],
  ['api', undefined, 402, true, ['provider_rate_limited', false, 'quota']],
  ['api', 'authentication', 401, true, ['provider_auth_error', false]],
  ['api', 'authorization', 403, true, ['provider_auth_error', false]],
  ['api', 'not_found', 404, true, ['provider_invalid_request', false]],
  ['api', 'payload_too_large', 413, true, ['provider_invalid_request', false, 'too-long']],
  ['api', 'provider_rate_limited', 429, true, ['provider_rate_limited', true]],
  [
    'api',
    'provider_rate_limited',
    429,
    true,
    ['provider_rate_limited', false, 'quota'],
    'You exceeded your current quota.',
  ],
  ['api', 'server_error', 500, true, ['provider_error', true]],
  ['api', 'server_error', 502, true, ['provider_error', true]],
  ['api', 'server_error', 503, true, ['provider_overloaded', true]],
  ['api', 'server_error', 529, true, ['provider_overloaded', true]],
  ['api', 'empty_response', undefined, true, ['provider_error', true]],
  ['api', undefined, undefined, true, ['provider_error', true], 'Empty LLM response'],
  ['api', 'soft_failure_detected', undefined, true, ['provider_error', true]],
  ['api', 'unknown_tool', undefined, false, ['provider_error', false]],
  ['network', 'connection_failed', undefined, true, ['provider_unreachable', true]],
  ['parse', undefined, undefined, false, OUTPUT],
  ['parse', 'tool_arguments_parse_failed', undefined, false, ['tool_input_invalid', false]],
  ['parse', 'stream_frame_invalid', undefined, false, ['transport_error', false]],
  ['validation', undefined, undefined, false, OUTPUT],
  ['validation', 'unknown_tool', undefined, false, ['tool_not_found', false]],
  ['validation', 'duplicate_tool_call_id', undefined, false, BROKEN],
  ['validation', 'tool_choice_none_violated', undefined, false, BROKEN],
  ['validation', 'unexpected_tool_calls', undefined, false, BROKEN],
  ['invalid_params', undefined, undefined, false, BAD_INPUT],
  [
    'invalid_params',
    'unsupported_capability',
    undefined,
    false,
    ['framework_not_supported', false],
  ],
  ['invalid_params', 'duplicate_tool_names', undefined, false, BAD_INPUT],
  ['invalid_params', 'unknown_tool_choice', undefined, false, BAD_INPUT],
  ['invalid_params', 'duplicate_tool_result_ids', undefined, false, BAD_INPUT],
  ['invalid_params', 'unknown_tool_result_ids', undefined, false, BAD_INPUT],
  ['invalid_params', 'missing_tool_results', undefined, false, BAD_INPUT],
  ['invalid_params', 'middleware_threw', undefined, false, ['framework_hook_failed', false]],
  ['rate_limited', 'rate_limit_queue_full', undefined, false, QUEUE],
  ['rate_limited', 'rate_limit_queue_timeout', undefined, false, QUEUE],
  [
    'rate_limited',
    'rate_limit_capacity_exceeded',
    undefined,
    false,
    ['provider_invalid_request', false],
  ],
  ['rate_limited', 'retry_budget_exhausted', undefined, false, QUEUE],
  ['quota_exceeded', undefined, undefined, true, ['provider_rate_limited', false, 'quota']],
  ['circuit_open', 'circuit_cooling_down', undefined, true, ['provider_overloaded', true]],
  ['circuit_open', 'circuit_trial_in_flight', undefined, true, ['provider_overloaded', true]],
  ['fallback_exhausted', 'fallback_exhausted', 503, true, ['provider_overloaded', true]],
  ['aborted', undefined, undefined, false, ['framework_cancelled', false]],
  ['aborted', 'deadline_exceeded', undefined, false, ['provider_timeout', false]],
  ['unknown', undefined, undefined, true, ['provider_error', true]],
];

function error([type, code, status, retryable, , message = 'LLM request failed']: Row): Fields {
  const optional = { ...(status !== undefined && { status }), ...(code !== undefined && { code }) };
  return { name: 'LLMError', message, type, ...optional, retryable };
}

describe('an LLMError', () => {
  const rows = ROWS.map((row) => [`${row[0]} ${row[1] ?? '-'} ${row[2] ?? '-'}`, row] as const);

  test.each(rows)('%s: out of JSON, alive, as a host sends it', (_name, row) => {
    const [, , , , expected] = row;
    expect(reading(error(row))).toEqual(expected);
    expect(reading(live(error(row)))).toEqual(expected);
    expect(reading(answer(500, error(row)))).toEqual(expected);
    expect(reading(answer(500, { error: error(row) }))).toEqual(expected);
  });

  test.each(rows)('%s: a flag of false is final', (_name, row) => {
    expect(decode({ ...error(row), retryable: false }).retryable).toBe(false);
  });

  test('all twelve types and all 33 codes stand in the table', () => {
    expect(new Set(ROWS.map(([type]) => type)).size).toBe(12);
    expect(new Set(ROWS.flatMap(([, code]) => code ?? [])).size).toBe(33);
  });

  test('a code of its own is never passed through, also one that looks like ours', () => {
    for (const row of ROWS) {
      const { code, wireCode } = decode(error(row));
      if (row[1] !== 'provider_rate_limited') expect(code).not.toBe(row[1]);
      if (wireCode !== undefined) expect(wireCode).toBe(row[1]);
    }
  });

  test('a type beside no flag, or no message, is none', () => {
    expect(vernAdapter({ type: 'timeout', message: 'm' }, { now: NOW })).toBeUndefined();
    expect(vernAdapter({ type: 'timeout', retryable: true }, { now: NOW })).toBeUndefined();
    expect(
      vernAdapter({ type: 'new', retryable: true, message: 'm' }, { now: NOW }),
    ).toBeUndefined();
  });
});

describe('what an app’s own backend writes is no LLMError', () => {
  test.each([
    { type: 'validation', message: 'Email is required', retryable: false },
    { type: 'timeout', message: 'The export took too long', retryable: true },
    { type: 'network', message: 'm', retryable: true },
    { type: 'api', message: 'm', retryable: true },
    { type: 'api', code: 'ORDER_CLOSED', message: 'm', retryable: false },
    { type: 'unknown', message: 'm', retryable: true },
    { type: 'aborted', message: 'm', retryable: false },
    { type: 'rate_limited', message: 'm', retryable: true },
  ])('%o', (body) => {
    expect(vernAdapter(body, { now: NOW })).toBeUndefined();
    expect(vernAdapter(answer(400, { error: body }), { now: NOW })).toBeUndefined();
  });

  test.each([
    ['its name', { name: 'LLMError', type: 'timeout', message: 'm' }],
    ['a type that nobody else has', { type: 'circuit_open', message: 'm' }],
    ['one of its codes', { type: 'timeout', code: 'request_timeout', message: 'm' }],
    ['its attempts', { type: 'network', message: 'm', attempts: [] }],
    ['its sentence', { type: 'validation', message: 'Schema validation failed' }],
  ])('but with %s it is, without its name too', (_sign, body) => {
    expect(vernAdapter({ ...body, retryable: true }, { now: NOW })).toBeDefined();
  });
});

describe('the provider’s words in its message', () => {
  const quoted = (status: number, body: object) => ({
    name: 'LLMError',
    message: `LLM request failed: ${JSON.stringify(body, null, 2)}`,
    ...{ type: 'api', status, retryable: true },
  });

  test.each([
    [
      429,
      { message: 'm', type: 'insufficient_quota', code: 'insufficient_quota' },
      ['provider_rate_limited', false, 'quota'],
    ],
    [
      400,
      {
        message: 'm',
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
        param: 'messages',
      },
      ['provider_invalid_request', false, 'too-long'],
    ],
    [
      400,
      {
        message: 'm',
        code: 'content_filter',
        innererror: { code: 'ResponsibleAIPolicyViolation' },
      },
      ['provider_content_filtered', false],
    ],
    [
      504,
      { type: 'error', error: { type: 'timeout_error', message: 'm' } },
      ['provider_timeout', true],
    ],
    [402, { message: 'm', type: 'billing_error' }, ['provider_rate_limited', false, 'quota']],
    [400, { detail: 'of nobody known' }, ['provider_invalid_request', false]],
  ] as const)('count more than the status %i: %o', (status, body, expected) => {
    expect(reading(quoted(status, body))).toEqual(expected);
  });
});

describe('several attempts', () => {
  const attempt = (fields: Fields, index = 0) => ({
    index,
    error: { message: 'm', type: 'api', retryable: true, ...fields },
    request: {
      provider: 'primary',
      model: 'm',
      body: { messages: [{ content: 'SECRET PROMPT' }] },
    },
  });
  const exhausted = (attempts: readonly unknown[], more: Fields = {}) => ({
    ...{ name: 'LLMError', message: 'm', type: 'fallback_exhausted', code: 'fallback_exhausted' },
    ...{ retryable: true, attempts, ...more },
  });

  test('of a chain that failed, the last counts', () => {
    const last = attempt({ status: 401, code: 'authentication' });
    const chain = [attempt({ status: 529, code: 'server_error' }, -1), last];
    expect(reading(exhausted(chain))).toEqual(['provider_auth_error', false]);
  });

  test('a chain within a chain is opened too', () => {
    const inner = exhausted([attempt({ type: 'timeout', code: 'request_timeout' })]);
    expect(reading(exhausted([{ index: 0, error: inner }]))).toEqual(['provider_timeout', true]);
  });

  test('a chain without its attempts is read by its own status and wait', () => {
    const bare = { ...exhausted([], { status: 429, retryAfterMs: 2_000 }), attempts: undefined };
    expect(decode(bare)).toMatchObject({
      code: 'provider_rate_limited',
      retryable: true,
      retryAfterMs: 2_000,
    });
  });

  test('of a spent retry budget, the last is what happened, and nothing repeats it', () => {
    const spent = {
      ...{ name: 'LLMError', message: 'm', type: 'rate_limited', code: 'retry_budget_exhausted' },
      ...{ retryable: false, attempts: [attempt({ status: 503, code: 'server_error' })] },
    };
    expect(reading(spent)).toEqual(['provider_overloaded', false]);
  });

  test('a ring of chains ends', () => {
    const ring: Fields = exhausted([]);
    ring.attempts = [{ index: 0, error: ring }];
    expect(decode(ring).code).toBe('provider_error');
  });
});
