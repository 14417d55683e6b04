import type { HelixErrorInit } from '../errors/HelixError.ts';
import type { ErrorAdapter } from '../errors/toHelixError.ts';
import { isErrorCode } from '../protocol/codes.ts';
import { present } from '../protocol/present.ts';
import {
  LIMITS,
  parseJson,
  readBoolean,
  readField,
  readList,
  readName,
  readStatus,
  readWait,
} from '../protocol/readField.ts';
import { firstReading, messageOf } from './candidates.ts';
import { saysQuota, saysTooLong, waitInProse } from './providerProse.ts';
import { readFacts } from './providerShapes.ts';
import { verdictByStatus } from './providerStatus.ts';
import { judgeProvider } from './providerVerdict.ts';
import { quotaVerdict, type Row, rowAt, TOO_LONG, type Verdict, verdictOf } from './verdict.ts';

const UNREADABLE: Row = ['framework_completion_invalid_output', false];
const BAD_INPUT: Row = ['validation_error', false];
const BROKEN_CONTRACT: Row = ['framework_completion_protocol_violation', false];
const OWN_HOOK: Row = ['framework_hook_failed', false];
// A queue of the host's own is full: nothing repeats it by itself, and no allowance is used up.
const OWN_QUEUE: Row = ['provider_rate_limited', false, 'rate-limit'];

/** VernLLM's twelve types, for a failure whose code says no more. */
const TYPES: Readonly<Record<string, Row>> = {
  timeout: ['provider_timeout', true],
  api: ['provider_error', true],
  network: ['provider_unreachable', true],
  parse: UNREADABLE,
  validation: UNREADABLE,
  invalid_params: BAD_INPUT,
  rate_limited: OWN_QUEUE,
  quota_exceeded: ['provider_rate_limited', false, 'quota'],
  circuit_open: ['provider_overloaded', true],
  fallback_exhausted: ['provider_error', true],
  aborted: ['framework_cancelled', false],
  unknown: ['provider_error', true],
};

/** Its codes that say more than their type. The codes of an HTTP answer are not among them: its status says it. */
const CODES: Readonly<Record<string, Row>> = {
  request_timeout: ['provider_timeout', true],
  idle_timeout: ['provider_timeout', true],
  middleware_timeout: OWN_HOOK,
  middleware_threw: OWN_HOOK,
  connection_failed: ['provider_unreachable', true],
  tool_arguments_parse_failed: ['tool_input_invalid', false],
  stream_frame_invalid: ['transport_error', false],
  unknown_tool: ['tool_not_found', false],
  duplicate_tool_call_id: BROKEN_CONTRACT,
  tool_choice_none_violated: BROKEN_CONTRACT,
  unexpected_tool_calls: BROKEN_CONTRACT,
  unsupported_capability: ['framework_not_supported', false],
  duplicate_tool_names: BAD_INPUT,
  unknown_tool_choice: BAD_INPUT,
  duplicate_tool_result_ids: BAD_INPUT,
  unknown_tool_result_ids: BAD_INPUT,
  missing_tool_results: BAD_INPUT,
  rate_limit_queue_full: OWN_QUEUE,
  rate_limit_queue_timeout: OWN_QUEUE,
  rate_limit_capacity_exceeded: ['provider_invalid_request', false],
  retry_budget_exhausted: OWN_QUEUE,
  circuit_cooling_down: ['provider_overloaded', true],
  circuit_trial_in_flight: ['provider_overloaded', true],
  deadline_exceeded: ['provider_timeout', false],
};

/** The codes that it makes of a status. */
const BY_STATUS: Readonly<Record<string, Row>> = {
  authentication: ['provider_auth_error', false],
  authorization: ['provider_auth_error', false],
  not_found: ['provider_invalid_request', false],
  payload_too_large: ['provider_invalid_request', false, 'too-long'],
  provider_rate_limited: ['provider_rate_limited', true],
  server_error: ['provider_error', true],
};

/** The codes of an answer that came and was none. */
const REPLIES: Readonly<Record<string, Row>> = {
  empty_response: ['provider_error', true],
  soft_failure_detected: ['provider_error', true],
};

/**
 * VernLLM's errors, live or out of JSON: told by one of its types beside a flag, a message, and one more sign of its own.
 * Its `attempts[].request` and its message, which quotes the provider, are never kept.
 */
export const vernAdapter: ErrorAdapter = (thrown, { now }) =>
  firstReading(thrown, ({ value }) => (isOwn(value) ? readVern(value, now, 0) : undefined));

// Types that nobody else writes; the others are words of any backend.
const OWN_TYPES: readonly unknown[] = [
  ...['invalid_params', 'quota_exceeded', 'circuit_open', 'fallback_exhausted'],
];

/** The beginnings of the sentences that it writes where it gives no code. */
const SENTENCES =
  /^(?:LLM request (?:failed|aborted)|Empty LLM response|Invalid JSON response|Schema validation failed)/;

function isOwn(value: unknown): boolean {
  const code = readName(value, 'code');
  return (
    readField(value, 'name') === 'LLMError' ||
    OWN_TYPES.includes(readField(value, 'type')) ||
    (rowAt(CODES, code) ?? rowAt(BY_STATUS, code) ?? rowAt(REPLIES, code)) !== undefined ||
    readList(value, 'attempts') !== undefined ||
    SENTENCES.test(String(messageOf(value)))
  );
}

function readVern(value: unknown, now: number, depth: number): HelixErrorInit | undefined {
  const type = readField(value, 'type');
  const flag = readBoolean(value, 'retryable');
  const row = rowAt(TYPES, type);
  if (row === undefined || flag === undefined || typeof readField(value, 'message') !== 'string') {
    return undefined;
  }
  const retryAfterMs = waitOf(value);
  const code = readName(value, 'code');
  const own = present({ retryAfterMs, statusCode: readStatus(value, 'status') });
  // Of a chain that failed at every target, and of a spent retry budget, the last attempt is what happened.
  const last = lastAttempt(value, type, code);
  const deeper = depth < LIMITS.depth ? readVern(last, now, depth + 1) : undefined;
  if (deeper !== undefined) {
    return { ...deeper, ...own, retryable: flag ? deeper.retryable : false };
  }
  const verdict = judge(value, { type, code, row, now, retryAfterMs });
  const known = rowAt(CODES, code) ?? rowAt(BY_STATUS, code);
  return {
    ...verdict,
    ...own,
    // Its no is final; its yes only says that it knows no reason against it.
    retryable: flag ? verdict.retryable : false,
    ...present({ wireCode: known === undefined || isErrorCode(code) ? undefined : code }),
  };
}

// An open circuit says only in its sentence when it closes.
function waitOf(value: unknown): number | undefined {
  const stated = readWait(value, 'retryAfterMs');
  return stated === undefined && readField(value, 'type') === 'circuit_open'
    ? waitInProse(messageOf(value))
    : stated;
}

function lastAttempt(value: unknown, type: unknown, code: string | undefined): unknown {
  if (type !== 'fallback_exhausted' && code !== 'retry_budget_exhausted') return undefined;
  return readField(readList(value, 'attempts')?.at(-1), 'error');
}

interface Standing {
  readonly type: unknown;
  readonly code: string | undefined;
  readonly row: Row;
  readonly now: number;
  readonly retryAfterMs: number | undefined;
}

function judge(value: unknown, standing: Standing): Verdict {
  const { type, code, row, retryAfterMs } = standing;
  if (type === 'quota_exceeded') return verdictOf(row);
  const named = rowAt(CODES, code);
  // A host's hook may put any code on a reply that it does not like: then the type is what happened.
  const isAnswer = type === 'api' || type === 'fallback_exhausted' || type === 'unknown';
  if (named !== undefined && type !== 'api') return verdictOf(named);
  return isAnswer ? judgeAnswer(value, { code, row, retryAfterMs }) : verdictOf(row);
}

// Its own client for plain HTTP writes a second one.
const PREFIX = /^LLM request failed: (?:Fetch adapter request failed \(\d{3}\): )?/;

function judgeAnswer(
  value: unknown,
  { code, row, retryAfterMs }: Pick<Standing, 'code' | 'row' | 'retryAfterMs'>,
): Verdict {
  const status = readStatus(value, 'status');
  const message = String(readField(value, 'message')).slice(0, LIMITS.parsed);
  const typed = judgeQuoted(message, status, retryAfterMs);
  if (typed !== undefined) return typed;
  const limited = status === 429 || code === 'provider_rate_limited';
  if ((limited || status === 400) && saysQuota(message)) return quotaVerdict(retryAfterMs);
  if (status === 400 && saysTooLong(message)) return TOO_LONG;
  const byCode = rowAt(BY_STATUS, code);
  return verdictByStatus(status, retryAfterMs) ?? verdictOf(byCode ?? row);
}

// It puts the provider's error object, or its whole body, into the message as JSON.
function judgeQuoted(
  message: string,
  status: number | undefined,
  retryAfterMs: number | undefined,
): Verdict | undefined {
  const prefix = PREFIX.exec(message)?.[0];
  const quoted = prefix === undefined ? undefined : parseJson(message.slice(prefix.length));
  const facts =
    readFacts(quoted, { status, headers: undefined }) ??
    readFacts({ error: quoted }, { status, headers: undefined });
  if (facts === undefined) return undefined;
  const headers = retryAfterMs === undefined ? {} : { 'retry-after-ms': String(retryAfterMs) };
  const judged = judgeProvider(facts, { status, headers, now: 0 });
  return judged?.code === undefined || !isErrorCode(judged.code)
    ? undefined
    : {
        code: judged.code,
        retryable: judged.retryable ?? null,
        ...present({ reason: judged.reason }),
      };
}
