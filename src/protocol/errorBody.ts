import { type ErrorDetail, isCause, readCause } from './causes.ts';
import {
  type Category,
  categoryOf,
  codeOfLegacy,
  isCategory,
  isErrorCode,
  retryableByCode,
  sentenceOf,
  type WireCode,
} from './codes.ts';
import { present } from './present.ts';
import {
  hasFields,
  readBoolean,
  readField,
  readName,
  readStatus,
  readText,
  readTexts,
  readWait,
} from './readField.ts';
import { isSpentAllowance } from './spentAllowance.ts';

/** What a typed refusal says, as far as it says it. */
export interface HelixChatErrorBody {
  /** The text as sent, for logs: a screen shows the sentence of the code. */
  readonly error: string;
  readonly code: WireCode;
  readonly category: Category;
  /** Whether this request may be repeated; undefined: nothing is known. */
  readonly retryable: boolean | undefined;
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly detail?: string;
  readonly cause?: string | ErrorDetail;
  readonly runId?: string;
  readonly toolCallIds?: readonly string[];
  readonly currentStatus?: string;
  /** The code as sent, where it is not one of the 52. */
  readonly wireCode?: string;
}

const TEMPORARY: readonly number[] = [408, 425, 429, 502, 504];

/** The flag of a typed HTTP answer: the body's own, else by status and code. `false`: do not repeat this request. */
export function retryableByAnswer(answer: {
  readonly sent: boolean | undefined;
  readonly status: number | undefined;
  readonly code: string | undefined;
}): boolean | undefined {
  const { sent, status, code } = answer;
  if (sent !== undefined) return sent;
  if (isSpentAllowance(code)) return false;
  if (status === 503 || code === 'state_already_running') return true;
  if (status === undefined || status < 400) return retryableByCode(code);
  return TEMPORARY.includes(status) ? (retryableByCode(code) ?? true) : false;
}

/**
 * How far a body's code can be believed to be Helix's: one of the 52 or a legacy one, one with a known prefix, another
 * one beside fields that only Helix sends, or a bare word that any backend may have written.
 */
export type CodeStanding = 'known' | 'prefixed' | 'vouched' | 'bare';

/** The standing of the code of a body or event; undefined where there is no code. Never throws. */
export function codeStanding(value: unknown): CodeStanding | undefined {
  const code = readName(value, 'code');
  if (code === undefined) return undefined;
  if (isErrorCode(code) || codeOfLegacy(code) !== undefined) return 'known';
  if (categoryOf(code) !== 'unknown') return 'prefixed';
  const vouched =
    readBoolean(value, 'retryable') !== undefined ||
    readBoolean(value, 'recoverable') !== undefined ||
    readName(value, 'runId') !== undefined ||
    readText(value, 'detail') !== undefined;
  return vouched ? 'vouched' : 'bare';
}

/** A typed body out of a parsed answer; undefined for anything else. `status` is the answer's. Never throws. */
export function readErrorBody(value: unknown, status?: number): HelixChatErrorBody | undefined {
  const sentCode = readName(value, 'code');
  if (sentCode === undefined || !isBody(value)) return undefined;
  const code = codeOfLegacy(sentCode) ?? sentCode;
  const known = status ?? readStatus(value, 'status', 'statusCode');
  const category = readField(value, 'category');
  const sent = readBoolean(value, 'retryable');
  const optional = {
    status: known,
    retryAfterMs: readWait(value, 'retryAfterMs'),
    detail: readText(value, 'detail'),
    cause: readCause(readField(value, 'cause')),
    runId: readName(value, 'runId'),
    toolCallIds: readTexts(value, 'toolCallIds'),
    currentStatus: readName(value, 'currentStatus'),
    wireCode: isErrorCode(sentCode) ? readName(value, 'wireCode') : sentCode,
  };
  return {
    error: readText(value, 'error', 'errorText', 'message') ?? '',
    code,
    category: isCategory(category) && category !== 'unknown' ? category : categoryOf(code),
    retryable: retryableByAnswer({ sent, status: known, code }),
    ...present(optional),
  };
}

// A provider's `{ error: { ... } }` is none, whatever else it carries; nor is a word without any text beside it.
function isBody(value: unknown): boolean {
  if (Array.isArray(value) || hasFields(readField(value, 'error'))) return false;
  return (
    codeStanding(value) !== 'bare' || readText(value, 'error', 'errorText', 'message') !== undefined
  );
}

/** What a server puts into a typed body. Absent fields are left out. */
export interface ErrorBodyFields {
  /** A sentence that is safe to show. Default: the code's. */
  readonly error?: string | undefined;
  readonly code: WireCode;
  readonly cause?: string | undefined;
  readonly runId?: string | undefined;
  readonly toolCallIds?: readonly string[] | undefined;
  readonly currentStatus?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  /** Developer text: leave it out where strangers read. */
  readonly detail?: string | undefined;
}

/** A typed body as it goes over the wire. */
export interface WireErrorBody {
  readonly error: string;
  readonly code: WireCode;
  readonly retryable?: true;
  readonly cause?: string;
  readonly runId?: string;
  readonly toolCallIds?: readonly string[];
  readonly currentStatus?: string;
  readonly retryAfterMs?: number;
  readonly detail?: string;
}

/**
 * The wire form of a typed body. `retryable` goes out only for `state_already_running`: elsewhere the status is the
 * signal. A `cause` goes out only where it is a known word.
 */
export function writeErrorBody(fields: ErrorBodyFields): WireErrorBody {
  const { code, cause, runId, toolCallIds, currentStatus, retryAfterMs, detail } = fields;
  return {
    error: fields.error ?? sentenceOf(code),
    code,
    ...(code === 'state_already_running' && { retryable: true as const }),
    ...present({
      cause: isCause(cause) ? cause : undefined,
      runId,
      toolCallIds,
      currentStatus,
      retryAfterMs,
      detail,
    }),
  };
}
