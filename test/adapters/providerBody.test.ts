import { describe, expect, test } from 'vitest';
import { providerBodyAdapter } from '../../src/adapters/providerBody.ts';
import { durationMs, waitInProse } from '../../src/adapters/providerProse.ts';
import { toHelixError } from '../../src/errors/toHelixError.ts';
import { answer, decode, events, live, NOW, reading } from './decode.ts';

type Expected = readonly unknown[];
type Http = [
  name: string,
  status: number,
  body: unknown,
  expected: Expected,
  headers?: Record<string, string>,
];

const AUTH: Expected = ['provider_auth_error', false];
const RATE: Expected = ['provider_rate_limited', true];
const QUOTA: Expected = ['provider_rate_limited', false, 'quota'];
const BUSY: Expected = ['provider_overloaded', true];
const LATE: Expected = ['provider_timeout', true];
const FILTERED: Expected = ['provider_content_filtered', false];
const INVALID: Expected = ['provider_invalid_request', false];
const TOO_LONG: Expected = ['provider_invalid_request', false, 'too-long'];
const FAILED: Expected = ['provider_error', true];

const openai = (type: string | null, code: string | null, message = 'm') => ({
  error: { message, type, param: null, code },
});
const anthropic = (type: string, message = 'm') => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_011',
});
const google = (code: number, status: string, message = 'm', details?: readonly object[]) => ({
  error: { code, message, status, ...(details && { details }) },
});
const openrouter = (code: number, message = 'm', metadata?: object) => ({
  error: { code, message, ...(metadata && { metadata }) },
});
const violation = (quotaId: string) => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaId }],
});
const EXCEEDED = 'You exceeded your current quota, please check your plan and billing details.';
const aws = (type: string) => ({ 'x-amzn-errortype': `${type}:http://internal.amazon.com/coral/` });

const ANSWERS: Http[] = [
  [
    'OpenAI: a refused key is called an invalid request',
    401,
    openai('invalid_request_error', 'invalid_api_key'),
    AUTH,
  ],
  ['OpenAI: and where it names no code', 401, openai('invalid_request_error', null), AUTH],
  ['OpenAI: a throttle', 429, openai('requests', 'rate_limit_exceeded'), RATE],
  ['OpenAI: a spent balance', 429, openai('insufficient_quota', 'insufficient_quota'), QUOTA],
  [
    'OpenAI: a newer code of the same type',
    429,
    openai('insufficient_quota', 'credit_balance_exhausted'),
    QUOTA,
  ],
  ['OpenAI: slow down', 503, openai('service_unavailable_error', 'slow_down'), BUSY],
  ['OpenAI: overloaded', 503, openai('server_error', 'server_is_overloaded'), BUSY],
  ['OpenAI: an unknown model', 404, openai('invalid_request_error', 'model_not_found'), INVALID],
  [
    'OpenAI: too large for any minute',
    429,
    openai(
      'tokens',
      'rate_limit_exceeded',
      'Request too large for gpt-4o on tokens per min (TPM): Limit 10000, Requested 12000.',
    ),
    TOO_LONG,
  ],
  ['OpenAI: a failure of its own', 500, openai('server_error', null), FAILED],
  ['Anthropic 400', 400, anthropic('invalid_request_error'), INVALID],
  [
    'Anthropic: its own limit on spending is an invalid request too',
    400,
    anthropic('invalid_request_error', 'You have reached your specified API usage limits.'),
    QUOTA,
  ],
  [
    'Anthropic: a spent balance',
    400,
    anthropic(
      'invalid_request_error',
      'Your credit balance is too low to access the Anthropic API.',
    ),
    QUOTA,
  ],
  [
    'Anthropic: a long prompt',
    400,
    anthropic('invalid_request_error', 'prompt is too long: 208310 tokens > 200000 maximum'),
    TOO_LONG,
  ],
  ['Anthropic 401', 401, anthropic('authentication_error'), AUTH],
  [
    'Anthropic: a browser refused, which is not about the key',
    401,
    anthropic('authentication_error', 'CORS requests are not allowed for this Organization'),
    INVALID,
  ],
  ['Anthropic 402', 402, anthropic('billing_error'), QUOTA],
  ['Anthropic 403', 403, anthropic('permission_error'), AUTH],
  ['Anthropic 404', 404, anthropic('not_found_error'), INVALID],
  ['Anthropic 409', 409, anthropic('conflict_error'), INVALID],
  ['Anthropic 413', 413, anthropic('request_too_large'), TOO_LONG],
  ['Anthropic 429', 429, anthropic('rate_limit_error'), RATE],
  ['Anthropic 500', 500, anthropic('api_error'), FAILED],
  ['Anthropic 504', 504, anthropic('timeout_error'), LATE],
  ['Anthropic 529', 529, anthropic('overloaded_error'), BUSY],
  [
    'Gemini: a refused key is a bad request',
    400,
    google(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
      { reason: 'API_KEY_INVALID', domain: 'googleapis.com' },
    ]),
    AUTH,
  ],
  [
    'Gemini: and by its sentence alone',
    400,
    google(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.'),
    AUTH,
  ],
  ['Gemini: a bad request', 400, google(400, 'INVALID_ARGUMENT'), INVALID],
  [
    'Gemini: a quota that is one',
    429,
    google(429, 'RESOURCE_EXHAUSTED', EXCEEDED, [
      violation('GenerateRequestsPerDayPerProjectPerModel-FreeTier'),
    ]),
    QUOTA,
  ],
  [
    'Gemini: a quota of a minute is a throttle',
    429,
    google(429, 'RESOURCE_EXHAUSTED', EXCEEDED, [
      violation('GenerateRequestsPerMinutePerProjectPerModel-FreeTier'),
    ]),
    RATE,
  ],
  [
    'Gemini: so is one that names its end',
    429,
    google(429, 'RESOURCE_EXHAUSTED', `${EXCEEDED} Please retry in 37.82626638s.`),
    RATE,
  ],
  ['Gemini: no access', 403, google(403, 'PERMISSION_DENIED'), AUTH],
  ['Gemini: overloaded', 503, google(503, 'UNAVAILABLE', 'The model is overloaded.'), BUSY],
  ['Gemini: late', 504, google(504, 'DEADLINE_EXCEEDED'), LATE],
  [
    'Mistral: a throttle under its own number',
    429,
    {
      object: 'error',
      message: 'Rate limit exceeded',
      type: 'rate_limited',
      param: null,
      code: '1300',
      raw_status_code: 429,
    },
    RATE,
  ],
  [
    'Mistral: a number of its own is no status',
    400,
    { object: 'error', message: 'm', type: 'invalid_request_error', param: null, code: '3051' },
    INVALID,
  ],
  ['Mistral: its gateway', 401, { message: 'Unauthorized', request_id: '5a6b7c' }, AUTH],
  [
    'Mistral: a list of what is wrong',
    422,
    { detail: [{ type: 'missing', loc: ['body', 'messages'], msg: 'Field required' }] },
    INVALID,
  ],
  ['Bedrock: no access', 403, { message: 'm' }, AUTH, aws('AccessDeniedException')],
  ['Bedrock: a model that was late', 408, { message: 'm' }, LATE, aws('ModelTimeoutException')],
  ['Bedrock: a model that failed', 424, { message: 'm' }, FAILED, aws('ModelErrorException')],
  ['Bedrock: a throttle', 429, { message: 'm' }, RATE, aws('ThrottlingException')],
  [
    'Bedrock: a model that is not ready',
    429,
    { message: 'm' },
    BUSY,
    aws('ModelNotReadyException'),
  ],
  ['Bedrock: its own failure', 500, { message: 'm' }, FAILED, aws('InternalServerException')],
  ['Bedrock: busy', 503, { message: 'm' }, BUSY, aws('ServiceUnavailableException')],
  [
    'Bedrock: a service quota, to be sent again later',
    400,
    { message: 'm' },
    RATE,
    aws('ServiceQuotaExceededException'),
  ],
  [
    'Bedrock: named in the body',
    400,
    { __type: 'com.amazon.coral.service#ValidationException', message: 'm' },
    INVALID,
  ],
  [
    'Bedrock: a long prompt',
    400,
    { message: 'Input is too long for requested model.' },
    TOO_LONG,
    aws('ValidationException'),
  ],
  ['Azure: a status as a text', 429, { error: { code: '429', message: 'm' } }, RATE],
  [
    'Azure: a filter',
    400,
    {
      error: {
        message: 'm',
        type: null,
        param: 'prompt',
        code: 'content_filter',
        status: 400,
        innererror: { code: 'ResponsibleAIPolicyViolation' },
      },
    },
    FILTERED,
  ],
  [
    'Azure: no such deployment',
    404,
    { error: { code: 'DeploymentNotFound', message: 'm' } },
    INVALID,
  ],
  [
    'Azure: its gateway refuses the key',
    401,
    {
      statusCode: 401,
      message: 'Access denied due to invalid subscription key or wrong API endpoint.',
    },
    AUTH,
  ],
  [
    'Azure: its gateway throttles',
    429,
    { statusCode: 429, message: 'Rate limit is exceeded. Try again in 40 seconds.' },
    RATE,
  ],
  [
    'OpenRouter: a moderated input is not about the key',
    403,
    openrouter(403, 'm', { reasons: ['violence'], flagged_input: 'SECRET', provider_name: 'x' }),
    FILTERED,
  ],
  ['OpenRouter: no key', 401, openrouter(401, 'No auth credentials found'), AUTH],
  ['OpenRouter: a key of nobody', 401, openrouter(401, 'User not found.'), AUTH],
  ['OpenRouter: a refusal without reasons', 403, openrouter(403, 'Key limit exceeded'), AUTH],
  ['OpenRouter: a refusal with other facts', 403, openrouter(403, 'm', { provider: 'x' }), AUTH],
  [
    'OpenRouter: no such model',
    404,
    openrouter(404, 'No endpoints found matching your data policy.'),
    INVALID,
  ],
  ['Azure: a key', 401, openrouter(401, 'Access denied due to invalid subscription key'), AUTH],
  ['OpenRouter: no credits', 402, openrouter(402), QUOTA],
  [
    'OpenRouter: no credits, and a wait that would not help',
    402,
    openrouter(402),
    QUOTA,
    { 'retry-after': '5' },
  ],
  ['OpenRouter: late', 408, openrouter(408), LATE],
  ['OpenRouter: no provider', 503, openrouter(503), BUSY],
  [
    'Groq: the flexible tier is full',
    498,
    { error: { message: 'm', type: 'capacity_exceeded' } },
    BUSY,
  ],
  ['Groq: its own 498 by status', 498, openai('internal', null), BUSY],
  ['Groq: 413', 413, openai('tokens', 'rate_limit_exceeded'), TOO_LONG],
  [
    'Groq: output that is no JSON',
    400,
    {
      error: {
        message: 'm',
        type: 'invalid_request_error',
        code: 'json_validate_failed',
        failed_generation: 'SECRET',
      },
    },
    ['framework_completion_invalid_output', false],
  ],
  [
    'Groq: a call of a tool that is none',
    400,
    {
      error: {
        message: 'm',
        type: 'invalid_request_error',
        code: 'tool_use_failed',
        failed_generation: 'SECRET',
      },
    },
    ['tool_input_invalid', false],
  ],
  ['Groq: 424', 424, openai('invalid_request_error', null), INVALID],
];

describe('a refusal', () => {
  test.each<Http>(ANSWERS)('%s', (_name, status, body, expected, headers) => {
    const given = answer(status, body, headers);
    expect(reading(given)).toEqual(expected);
    expect(decode(given).statusCode).toBe(status);
    expect(providerBodyAdapter(given, { now: NOW })?.code).toBe(expected[0]);
  });

  test.each<Http>(ANSWERS)(
    '%s, as a client library throws it',
    (_name, status, body, expected, headers) => {
      const { type, error: inner } = body as { readonly type?: unknown; readonly error?: unknown };
      // Anthropic's keeps the whole body, the others what stands under `error`.
      const kept = type === 'error' ? body : inner;
      const error = live({
        ...{ name: 'APIError', message: `${status} m`, status, headers: new Headers(headers) },
        ...(kept === undefined ? { body: JSON.stringify(body) } : { error: kept }),
      });
      expect(reading(error)).toEqual(expected);
    },
  );

  test('the errors of the AWS client', () => {
    const thrown = live({
      ...{ name: 'ThrottlingException', message: 'Too many tokens', $fault: 'client' },
      $metadata: { httpStatusCode: 429, requestId: 'f00-ba4' },
    });
    expect(decode(thrown)).toMatchObject({
      code: 'provider_rate_limited',
      retryable: true,
      provider: 'bedrock',
      requestId: 'f00-ba4',
      statusCode: 429,
    });
  });

  test('an error whose message is the body', () => {
    const error = new Error(JSON.stringify(google(503, 'UNAVAILABLE')));
    expect(decode(error)).toMatchObject({ code: 'provider_overloaded', provider: 'google' });
  });

  test('the support id of the body or of the header', () => {
    expect(decode(answer(529, anthropic('overloaded_error'))).requestId).toBe('req_011');
    const headers = { ...aws('ThrottlingException'), 'x-amzn-requestid': 'abc-1' };
    expect(decode(answer(429, { message: 'm' }, headers)).requestId).toBe('abc-1');
  });
});

describe('a failure at HTTP 200', () => {
  const text = { type: 'response.output_text.delta', delta: 'Sure' };
  const delta = { choices: [{ delta: { content: 'Sure' }, finish_reason: null }] };
  const STREAMS: readonly (readonly [string, unknown, Expected])[] = [
    [
      'OpenAI response.failed',
      {
        type: 'response.failed',
        response: { error: { code: 'rate_limit_exceeded', message: 'm' } },
      },
      RATE,
    ],
    [
      'OpenAI response.failed of no known code',
      { type: 'response.failed', response: { error: { code: 'new', message: 'm' } } },
      ['provider_error', undefined],
    ],
    [
      'OpenAI error event',
      { type: 'error', sequence_number: 3, code: 'server_error', message: 'm', param: null },
      FAILED,
    ],
    [
      'OpenAI error event, nested',
      {
        type: 'error',
        sequence_number: 3,
        error: {
          type: 'insufficient_quota',
          code: 'insufficient_quota',
          message: 'm',
          param: null,
        },
      },
      QUOTA,
    ],
    [
      'OpenAI response.incomplete by a filter',
      {
        type: 'response.incomplete',
        response: { incomplete_details: { reason: 'content_filter' } },
      },
      FILTERED,
    ],
    [
      'Anthropic error event',
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      BUSY,
    ],
    [
      'Anthropic refusal',
      { type: 'message_delta', delta: { stop_reason: 'refusal' } },
      ['provider_refused', false],
    ],
    ['Gemini mid-stream error', google(503, 'UNAVAILABLE'), BUSY],
    [
      'Gemini filtered candidate',
      { candidates: [{ finishReason: 'PROHIBITED_CONTENT' }] },
      FILTERED,
    ],
    ['Gemini blocked prompt', { promptFeedback: { blockReason: 'OTHER' } }, FILTERED],
    [
      'Azure filtered reply',
      { choices: [{ delta: {}, finish_reason: 'content_filter' }] },
      FILTERED,
    ],
    [
      'OpenRouter mid-run error',
      { error: { code: 502, message: 'm' }, choices: [{ delta: {}, finish_reason: 'error' }] },
      FAILED,
    ],
    [
      'OpenRouter error of a choice',
      { choices: [{ finish_reason: 'error', error: { code: 429, message: 'm' } }] },
      RATE,
    ],
    [
      'OpenRouter end by an error',
      { choices: [{ delta: {}, finish_reason: 'error' }] },
      ['provider_error', undefined],
    ],
    ['Bedrock stream exception', { throttlingException: { message: 'm' } }, RATE],
  ];

  test.each(STREAMS)('%s, as an event', (_name, part, expected) => {
    expect(reading(events([text, delta, part]))).toEqual(expected);
  });

  test.each(STREAMS)('%s, as a body', (_name, part, expected) => {
    expect(reading(answer(200, part))).toEqual(expected);
  });

  test.each(STREAMS)('%s, as a list that is no event stream', (_name, part, expected) => {
    expect(reading(answer(200, [delta, part]))).toEqual(expected);
  });

  test('bare JSON between events', () => {
    const bare = JSON.stringify(google(503, 'UNAVAILABLE'), null, 2);
    const body = `data: ${JSON.stringify(delta)}\n\n${bare}\n`;
    expect(reading({ status: 200, headers: {}, body })).toEqual(BUSY);
  });

  test('an event split over lines of data, with any line ends', () => {
    const body =
      'event: error\r\ndata: {"type":"error",\r\ndata: "error":{"type":"overloaded_error"}}\r\n\r\n';
    expect(reading({ status: 200, headers: {}, body })).toEqual(BUSY);
  });

  test('the end of a stream longer than what is read', () => {
    const long = Array.from({ length: 3_000 }, () => ({ ...delta, filler: 'x'.repeat(100) }));
    expect(reading(events([...long, google(503, 'UNAVAILABLE')]))).toEqual(BUSY);
  });

  test.each([
    { choices: [{ delta: { content: 'x' }, finish_reason: 'stop' }] },
    { candidates: [{ finishReason: 'STOP' }] },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    { type: 'response.completed', response: { error: null } },
    { promptFeedback: { blockReason: 'BLOCK_REASON_UNSPECIFIED' } },
  ])('a good end is none: %o', (part) => {
    expect(providerBodyAdapter(events([delta, part]), { now: NOW })).toBeUndefined();
    expect(providerBodyAdapter(answer(200, part), { now: NOW })).toBeUndefined();
  });
});

describe('what an app’s own backend answers is no provider’s body', () => {
  test.each<[number, unknown, Record<string, string>?]>([
    [401, { message: 'Unauthorized' }],
    [401, { statusCode: 401, message: 'Unauthorized' }],
    [401, { detail: 'Unauthorized' }],
    [401, { error: 'Unauthorized' }],
    [401, { error: { message: 'Unauthorized' } }],
    [404, { error: { code: 'NOT_FOUND', message: 'No such chat' } }],
    [403, { error: { code: 'PERMISSION_DENIED', message: 'm' } }],
    [429, { error: { code: 'LIMIT', message: 'Slow down' } }],
    [401, { error: { code: 401, message: 'Unauthorized' } }],
    [401, { error: { code: 401, message: 'Your session has expired.' } }],
    [403, { error: { code: 403, message: 'Forbidden' } }],
    [404, { error: { code: 404, message: 'Chat not found' } }],
    [401, { error: { code: '401', message: 'Unauthorized' } }],
    [500, { error: { name: 'Error', message: 'm' } }],
    [403, { message: 'Forbidden' }, { 'x-amzn-errortype': 'ForbiddenException' }],
    [429, { message: 'Too Many Requests' }, { 'x-amzn-errortype': 'TooManyRequestsException' }],
    [502, '<html><body>Bad Gateway</body></html>'],
    [500, 'Internal Server Error'],
    [503, ''],
  ])('%i %o', (status, body, headers) => {
    const given = answer(status, body, headers);
    expect(providerBodyAdapter(given, { now: NOW })).toBeUndefined();
    const { code, reason, retryable } = decode(given);
    const plain = toHelixError(given, { now: NOW });
    expect({ code, reason, retryable }).toEqual({
      code: plain.code,
      reason: plain.reason,
      retryable: plain.retryable,
    });
  });

  test('but what a client library threw is its provider’s, however little it says', () => {
    const thrown = Object.assign(new Error('401 m'), {
      status: 401,
      error: { code: 401, message: 'm' },
    });
    expect(providerBodyAdapter(thrown, { now: NOW })).toMatchObject({
      code: 'provider_auth_error',
      retryable: false,
    });
  });

  test.each<unknown>([
    { type: 'error', errorText: 'm' },
    { type: 'text-delta', id: 't', delta: 'x' },
    { error: { message: 'm' } },
    { messages: [], status: 'active' },
    new Error('boom'),
    new TypeError('Failed to fetch'),
    'text',
    undefined,
    null,
    42,
  ])('nor is %o', (value) => {
    expect(providerBodyAdapter(value, { now: NOW })).toBeUndefined();
  });
});

describe('a wait in words', () => {
  test.each([
    ['Please try again in 7.66s.', 7_660],
    ['Please try again in 9m38.016s. Need more tokens?', 578_016],
    ['Please try again in 1m47.5854s. Visit https://x', 107_585.4],
    ['Please try again in 1h12m0s.', 4_320_000],
    ['Please try again in 250ms.', 250],
    ['Please retry after 22 seconds.', 22_000],
    ['Rate limit is exceeded. Try again in 40 seconds.', 40_000],
    ['Please retry in 37.82626638s.', 37_826.266],
    ['Try again in about 2 minutes', 120_000],
    ['Please wait for 3 hours', 10_800_000],
    ['Try again later.', undefined],
    ['in 7.66s', undefined],
    ['Try again in 5 sprints', undefined],
    ['Limit 6000, Used 5800, Requested 900.', undefined],
  ])('%s', (text, wait) => {
    expect(waitInProse(text)).toBe(wait);
  });

  test.each([
    ['52s', 52_000],
    ['0.5s', 500],
    ['0s', 0],
    ['1m', 60_000],
    ['', undefined],
    ['soon', undefined],
    ['5', undefined],
    ['5s!', undefined],
  ])('a duration: %s', (text, wait) => {
    expect(durationMs(text)).toBe(wait);
  });
});
