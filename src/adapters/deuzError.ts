import type { HelixErrorInit } from '../errors/HelixError.ts';
import { present } from '../protocol/present.ts';
import {
  hasFields,
  hasOwnField,
  readBoolean,
  readField,
  readList,
  readName,
  readNumber,
  readWait,
} from '../protocol/readField.ts';
import { messageOf } from './candidates.ts';
import { saysQuota } from './providerProse.ts';
import { PROVIDER_WORDS } from './providerWords.ts';
import { msUntil } from './statedWait.ts';
import {
  overruled,
  plainId,
  quotaVerdict,
  type Row,
  rowAt,
  TOO_LONG,
  type Verdict,
  verdictOf,
} from './verdict.ts';

interface Kind {
  readonly name: string;
  readonly row: Row;
  /** A row that depends on what else the error says. */
  readonly judge?: (error: DeuzError) => Verdict;
}

/** One error, with its fields from where they stand: `details` in JSON, the instance itself while it is alive. */
interface DeuzError {
  readonly code: string;
  readonly field: (key: string) => unknown;
  readonly statusCode: number | undefined;
  readonly isRetryable: boolean | undefined;
  readonly waitMs: number | undefined;
  readonly message: string | undefined;
}

const NOT_SUPPORTED: Row = ['framework_not_supported', false];
const INTERNAL: Row = ['framework_internal_error', false];
const BAD_FILE: Row = ['validation_error', false, 'file'];

/** The DeuzError classes by their code. */
const KINDS: Readonly<Record<string, Kind>> = {
  api_call_error: { name: 'APICallError', row: ['provider_error', null], judge: judgeCall },
  network_error: { name: 'NetworkError', row: ['provider_unreachable', true], judge: judgeOther },
  rate_limit: { name: 'RateLimitError', row: ['provider_rate_limited', true], judge: judgeCall },
  overloaded: { name: 'OverloadedError', row: ['provider_overloaded', true], judge: judgeOther },
  authentication: {
    name: 'AuthenticationError',
    row: ['provider_auth_error', false],
    judge: judgeCall,
  },
  invalid_request: {
    name: 'InvalidRequestError',
    row: ['provider_invalid_request', false],
    judge: judgeInvalid,
  },
  model_not_found: { name: 'ModelNotFoundError', row: ['provider_invalid_request', false] },
  context_overflow: {
    name: 'ContextOverflowError',
    row: ['provider_invalid_request', false, 'too-long'],
  },
  timeout: { name: 'TimeoutError', row: ['provider_timeout', true], judge: judgeTimeout },
  aborted: { name: 'AbortError', row: ['framework_cancelled', false] },
  breaker_open: { name: 'BreakerOpenError', row: ['provider_overloaded', true] },
  no_object_generated: {
    name: 'NoObjectGeneratedError',
    row: ['framework_completion_invalid_output', false],
    judge: judgeOutput,
  },
  unsupported_capability: { name: 'UnsupportedCapabilityError', row: NOT_SUPPORTED },
  tool_execution: { name: 'ToolExecutionError', row: ['tool_execution_failed', false] },
  mcp_authorization_required: {
    name: 'McpAuthorizationRequiredError',
    row: ['tool_execution_failed', false],
  },
  not_implemented: { name: 'NotImplementedError', row: NOT_SUPPORTED },
  checkpoint_not_found: {
    name: 'CheckpointNotFoundError',
    row: ['state_checkpoint_not_found', false],
  },
  rag_unsupported_legacy_doc: { name: 'RagError', row: BAD_FILE },
  rag_unsupported_mime: { name: 'RagError', row: BAD_FILE },
  rag_empty_text_layer: { name: 'RagError', row: BAD_FILE },
  rag_parser_not_registered: { name: 'RagError', row: BAD_FILE },
  rag_extension_mime_mismatch: { name: 'RagError', row: BAD_FILE },
};

/** DeuzErrors whose codes are not known here: told by their name and a field that no other error of that name has. */
const BY_NAME: Readonly<Record<string, { readonly fields: readonly string[]; readonly row: Row }>> =
  {
    CheckpointVersionError: { fields: ['code'], row: ['state_not_resumable', false] },
    UnpricedModelError: { fields: ['code'], row: NOT_SUPPORTED },
    A2AError: {
      fields: ['kind', 'reason', 'rpcCode'],
      row: ['transport_remote_agent_failed', false],
    },
    BatchError: { fields: ['kind', 'batchId'], row: ['provider_error', false] },
    RealtimeError: { fields: ['kind', 'closeCode'], row: ['transport_stream_drop', true] },
  };

const SPENT: Row = ['framework_max_steps_exhausted', false];
const STORE_DOWN: Row = ['framework_usage_store_unavailable', true];
const LEASE: Readonly<Record<string, Row>> = {
  held: ['state_already_running', true],
  lost: ['state_run_superseded', false],
};

/** The plain errors of the runtime and its modules: a code of theirs means nothing without the name. */
const RUNTIME: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  BudgetLedgerError: {
    budget_exceeded: SPENT,
    admission_failed: STORE_DOWN,
    persistence_failed: STORE_DOWN,
    invalid_budget: INTERNAL,
    missing_reservation: INTERNAL,
    reservation_conflict: INTERNAL,
    unknown_request: INTERNAL,
    invalid_snapshot: INTERNAL,
  },
  ExecutionPolicyError: {
    tool_not_allowed: NOT_SUPPORTED,
    model_not_allowed: NOT_SUPPORTED,
    depth_exceeded: SPENT,
    deadline_exceeded: ['provider_timeout', false],
    invalid_policy: INTERNAL,
    invalid_context: INTERNAL,
  },
  ExecutionPersistenceError: { execution_persistence_error: INTERNAL },
  SwarmLeaseError: LEASE,
  EvolveLeaseError: LEASE,
};

/** Reload, then the same again can succeed. They carry no code. */
const CONFLICTS: readonly unknown[] = ['SwarmConflictError', 'EvolveConflictError'];

/** A Deuz error, an error of its runtime, or the answer of its route's own check; undefined for anything else. */
export function readDeuzError(
  value: unknown,
  status: number | undefined,
  now: number,
): HelixErrorInit | undefined {
  return readTyped(value, now) ?? readRuntime(value) ?? readIssues(value, status);
}

function readTyped(value: unknown, now: number): HelixErrorInit | undefined {
  const code = readName(value, 'code');
  const kind = rowAt(KINDS, code);
  const error = openError(value, code ?? '', now);
  if (kind === undefined || !(readField(value, 'name') === kind.name || hasDetails(value))) {
    return readByName(value, error);
  }
  const verdict = kind.judge?.(error) ?? verdictOf(kind.row);
  return init(error, verdict, code);
}

/** The scalars that its JSON form lets through. */
const DETAILS = [
  ...[
    'statusCode',
    'isRetryable',
    'retryAfterMs',
    'provider',
    'requestId',
    'upstreamType',
    'layer',
  ],
  ...['toolName', 'toolCallId', 'modelId', 'capability', 'runId', 'mime', 'serverUrl'],
  'finishReason',
];

// Backends of all kinds write `code` and `details`: what is in them tells.
function hasDetails(value: unknown): boolean {
  const details = readField(value, 'details');
  return hasFields(details) && DETAILS.some((key) => hasOwnField(details, key));
}

function readByName(value: unknown, error: DeuzError): HelixErrorInit | undefined {
  const known = rowAt(BY_NAME, readField(value, 'name'));
  if (known === undefined || readName(value, 'code') === undefined) return undefined;
  const own = known.fields.some((key) => error.field(key) !== undefined);
  return own ? init(error, verdictOf(known.row), undefined) : undefined;
}

function openError(value: unknown, code: string, now: number): DeuzError {
  const details = readField(value, 'details');
  const field = (key: string) => readField(details, key) ?? readField(value, key);
  const fields = Object.fromEntries(
    ['statusCode', 'isRetryable', 'retryAfterMs', 'cooldownUntil'].map((key) => [key, field(key)]),
  );
  const message = messageOf(value);
  return {
    code,
    field,
    statusCode: readNumber(fields, 'statusCode'),
    isRetryable: readBoolean(fields, 'isRetryable'),
    waitMs:
      readWait(fields, 'retryAfterMs') ??
      (code === 'breaker_open'
        ? msUntil(readNumber(fields, 'cooldownUntil') ?? coolDownEnd(message), now)
        : undefined),
    message,
  };
}

/** The end of a breaker's cool-down in epoch ms, which only its sentence carries over the wire; NaN where it is not. */
export function coolDownEnd(message: string | undefined): number {
  return Number(/failing fast until (\d{10,16})\.?$/.exec(message ?? '')?.[1]);
}

function init(error: DeuzError, verdict: Verdict, code: string | undefined): HelixErrorInit {
  const { statusCode } = error;
  return {
    ...verdict,
    ...present({
      retryAfterMs: error.waitMs,
      // 0 says that no answer came.
      statusCode: statusCode === undefined || statusCode < 100 ? undefined : statusCode,
      requestId: plainId(error.field('requestId')),
      provider: plainId(error.field('provider')),
      wireCode: code,
    }),
  };
}

// --- rows that depend on what else an error says -------------------------------------------------------------------

// What the provider itself called it, in the words that say more than the class does.
function judgeUpstream(error: DeuzError): Verdict | undefined {
  const { waitMs } = error;
  const row = rowAt(PROVIDER_WORDS, upstreamOf(error));
  if (row === undefined) return undefined;
  return row[2] === 'quota' ? quotaVerdict(waitMs) : verdictOf(row);
}

function upstreamOf({ field }: DeuzError): string {
  const type = field('upstreamType');
  return typeof type === 'string' ? type.slice(0, 100) : '';
}

function judgeCall(error: DeuzError): Verdict {
  const { code, message, waitMs, isRetryable } = error;
  const row = rowAt(KINDS, code)?.row ?? (['provider_error', null] satisfies Row);
  const spent = saysQuota(message) || /quota|billing/i.test(upstreamOf(error));
  const quota = code === 'rate_limit' && spent ? quotaVerdict(waitMs) : undefined;
  const byCall = code === 'api_call_error' ? judgeServerError(error) : verdictOf(row);
  const verdict = judgeUpstream(error) ?? quota ?? byCall;
  return isRetryable === false ? overruled(verdict, false) : verdict;
}

function judgeServerError({ statusCode, isRetryable }: DeuzError): Verdict {
  const busy = statusCode === 503 || statusCode === 529;
  const flag = isRetryable ?? (statusCode !== undefined && statusCode >= 500 ? true : null);
  return verdictOf([busy ? 'provider_overloaded' : 'provider_error', flag]);
}

function judgeOther({ code, isRetryable }: DeuzError): Verdict {
  const row = rowAt(KINDS, code)?.row ?? (['provider_error', null] satisfies Row);
  return overruled(verdictOf(row), isRetryable === false ? false : undefined);
}

const PASSING: readonly unknown[] = [408, 425, 498];

// Every 4xx without a class of its own ends here, and the class says false for all: for three that is no verdict.
function judgeInvalid(error: DeuzError): Verdict {
  const { statusCode, message, waitMs, isRetryable } = error;
  if (statusCode === 408) return verdictOf(['provider_timeout', true]);
  if (PASSING.includes(statusCode)) return verdictOf(['provider_invalid_request', true]);
  const upstream = judgeUpstream(error);
  const quota = statusCode === 402 || saysQuota(message) ? quotaVerdict(waitMs) : undefined;
  const verdict =
    upstream ??
    quota ??
    (statusCode === 413 ? TOO_LONG : undefined) ??
    verdictOf(['provider_invalid_request', false]);
  return isRetryable === false ? overruled(verdict, false) : verdict;
}

const TIMEOUT_ROWS: Readonly<Record<string, Row>> = {
  step: ['provider_timeout', false],
  tool: ['tool_timeout', false],
};

/** A time-out by its layer: the budgets of a step and of a tool are the host's, and tools may have run. */
export function verdictByLayer(layer: unknown): Verdict {
  return verdictOf(rowAt(TIMEOUT_ROWS, layer) ?? ['provider_timeout', true]);
}

function judgeTimeout({ field, message }: DeuzError): Verdict {
  return verdictByLayer(field('layer') ?? /\((\w{1,16})[,)]/.exec(message ?? '')?.[1]);
}

function judgeOutput({ field }: DeuzError): Verdict {
  return verdictOf(
    field('finishReason') === 'content_filter'
      ? ['provider_content_filtered', false]
      : ['framework_completion_invalid_output', false],
  );
}

// --- errors without toJSON -----------------------------------------------------------------------------------------

function readRuntime(value: unknown): HelixErrorInit | undefined {
  const name = readField(value, 'name');
  if (CONFLICTS.includes(name)) return verdictOf(['state_concurrency_conflict', true]);
  const code = readName(value, 'code');
  const row = rowAt(rowAt(RUNTIME, name) ?? {}, code);
  return row && { ...verdictOf(row), ...present({ wireCode: code }) };
}

// `Response.json({ issues }, { status: 400 })` of its request check: a few sentences.
function readIssues(value: unknown, status: number | undefined): HelixErrorInit | undefined {
  const issues = readList(value, 'issues');
  const ours =
    status === 400 &&
    issues !== undefined &&
    issues.length > 0 &&
    issues.every((issue) => typeof issue === 'string');
  return ours ? verdictOf(['validation_error', false]) : undefined;
}
