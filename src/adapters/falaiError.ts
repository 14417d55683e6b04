import type { HelixErrorInit } from '../errors/HelixError.ts';
import { present } from '../protocol/present.ts';
import {
  readBoolean,
  readField,
  readName,
  readNumber,
  readStatus,
  readWait,
} from '../protocol/readField.ts';
import { isPlainError, messageOf } from './candidates.ts';
import { saysRefusal } from './providerProse.ts';
import { msUntil } from './statedWait.ts';
import {
  overruled,
  plainId,
  quotaVerdict,
  type Row,
  rowAt,
  type Verdict,
  verdictOf,
} from './verdict.ts';

/** The kinds of a ProviderError, named by what mends them. */
const KINDS: Readonly<Record<string, Row>> = {
  aborted: ['framework_cancelled', false],
  timeout: ['provider_timeout', true],
  network: ['provider_unreachable', true],
  overload: ['provider_overloaded', true],
  rate: ['provider_rate_limited', true],
  quota: ['provider_rate_limited', false, 'quota'],
  entitlement: ['provider_auth_error', false],
  auth: ['provider_auth_error', false],
  model: ['provider_invalid_request', false],
  context: ['provider_invalid_request', false, 'too-long'],
  content: ['provider_content_filtered', false],
  invalid: ['provider_invalid_request', false],
  unknown: ['provider_error', false],
};

/** A ProviderError, one of falai's own three, or its empty reply; undefined for anything else. */
export function readFalaiError(value: unknown, now: number): HelixErrorInit | undefined {
  return readProviderError(value, now) ?? readOwnClass(value) ?? readEmptyReply(value);
}

function readProviderError(value: unknown, now: number): HelixErrorInit | undefined {
  const kind = readName(value, 'kind');
  const row = rowAt(KINDS, kind);
  const provider = readName(value, 'provider');
  if (row === undefined || kind === undefined || provider === undefined) return undefined;
  const resetMs = msUntil(readNumber(value, 'resetAtMs') ?? Number.NaN, now);
  const retryAfterMs = waitOf(kind, resetMs, readWait(value, 'retryAfterMs'));
  const verdict = judge(value, { kind, row, retryAfterMs });
  return {
    // The provider's own word counts more than the kind, which is an inference.
    ...overruled(verdict, readBoolean(value, 'shouldRetry')),
    ...present({
      retryAfterMs,
      statusCode: readStatus(value, 'status'),
      provider: plainId(provider),
      wireCode: kind,
    }),
  };
}

// A used-up window opens at its reset; a throttle is over when both have passed.
function waitOf(
  kind: string,
  resetMs: number | undefined,
  retryAfterMs: number | undefined,
): number | undefined {
  if (resetMs === undefined || retryAfterMs === undefined) return resetMs ?? retryAfterMs;
  return kind === 'quota' ? resetMs : Math.max(resetMs, retryAfterMs);
}

function judge(
  value: unknown,
  found: { readonly kind: string; readonly row: Row; readonly retryAfterMs: number | undefined },
): Verdict {
  if (found.kind === 'quota') return quotaVerdict(found.retryAfterMs);
  const body = readName(value, 'body');
  return found.kind === 'content' && saysRefusal(body)
    ? verdictOf(['provider_refused', false])
    : verdictOf(found.row);
}

interface OwnClass {
  readonly row: Row;
  /** Without the class's prefix in the message, a name alone is not enough. */
  readonly field?: string;
}

const CLASSES: Readonly<Record<string, OwnClass>> = {
  FlowConfigurationError: { row: ['framework_internal_error', false] },
  SessionConflictError: { row: ['state_concurrency_conflict', true], field: 'expectedVersion' },
  InvalidSessionError: {
    row: ['state_history_incomplete', false, 'corrupt_row'],
    field: 'sessionId',
  },
};

// "[ErrorClass] what: why. how to fix.", also after the name when an error was made a text.
const PREFIX = /^(?:(?:Uncaught )?\w{1,40}: )?\[(\w{1,40})\] /;

function readOwnClass(value: unknown): HelixErrorInit | undefined {
  const named = PREFIX.exec(messageOf(value) ?? '')?.[1];
  const found = rowAt(CLASSES, named);
  if (found !== undefined) return verdictOf(found.row);
  const known = rowAt(CLASSES, readField(value, 'name'));
  const told = known?.field === undefined || readField(value, known.field) !== undefined;
  return known !== undefined && told ? verdictOf(known.row) : undefined;
}

function readEmptyReply(value: unknown): HelixErrorInit | undefined {
  return isPlainError(value) && /^No response from [\w./@ -]{1,80}$/.test(messageOf(value) ?? '')
    ? verdictOf(['provider_error', true])
    : undefined;
}
