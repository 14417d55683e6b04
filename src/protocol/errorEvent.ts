import { type Cause, type ErrorDetail, isCause, readErrorDetail } from './causes.ts';
import { type Category, codeOfLegacy, isCategory, isErrorCode, sentenceOf } from './codes.ts';
import { type CodeStanding, codeStanding } from './errorBody.ts';
import { present } from './present.ts';
import {
  LIMITS,
  parseJson,
  readBoolean,
  readField,
  readName,
  readNumber,
  readStatus,
  readText,
  readTexts,
  readWait,
} from './readField.ts';

/** What an error event of a stream says, as far as it says it. */
export interface ErrorEvent {
  /** The event's text as sent. */
  readonly text: string;
  /** Absent: unclassified. */
  readonly code?: string;
  /** How far that code can be believed to be Helix's. */
  readonly standing?: CodeStanding;
  /** The code as sent, where it is not one of the 52. */
  readonly wireCode?: string;
  readonly category?: Category;
  /** As sent: `retryable`, else `recoverable`. */
  readonly retryable?: boolean;
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly detail?: string;
  readonly cause?: Cause;
  readonly runId?: string;
  readonly toolCallIds?: readonly string[];
  readonly currentStatus?: string;
  readonly step?: number;
  readonly agentId?: string;
  readonly agentType?: string;
  /** Wall-clock ms, as the sender's clock had it. */
  readonly timestamp?: number;
  readonly errorDetail?: ErrorDetail;
}

/**
 * An error event in any of its forms: a UI chunk, a Helix `ErrorChunk`, a data part around either, or the JSON text of
 * one of these with or without the SSE `data:` prefix. Undefined for anything else. Never throws.
 */
export function parseErrorEvent(event: unknown): ErrorEvent | undefined {
  const value = typeof event === 'string' ? parseText(event) : event;
  const fields = fieldsOf(value);
  if (fields === undefined) return undefined;
  const text = readText(fields, 'errorText') ?? readText(fields, 'error');
  return text === undefined ? undefined : readEvent(text, fields);
}

function parseText(text: string): unknown {
  if (text.length > LIMITS.parsed) return undefined;
  const trimmed = text.trim();
  return parseJson(trimmed.startsWith('data:') ? trimmed.slice('data:'.length) : trimmed);
}

function fieldsOf(value: unknown): unknown {
  switch (readField(value, 'type')) {
    case 'error':
      return value;
    case 'data-error':
    case 'data-helix-error':
      return readField(value, 'data');
    default:
      return undefined;
  }
}

function readEvent(text: string, fields: unknown): ErrorEvent {
  const errorDetail = readErrorDetail(readField(fields, 'errorDetail'));
  const detailCode = typeof errorDetail?.code === 'string' ? errorDetail.code : undefined;
  const sentCode = readName(fields, 'code') ?? detailCode;
  const category = readField(fields, 'category');
  const cause = readField(fields, 'cause');
  return {
    text,
    ...present({
      code: sentCode === undefined ? undefined : (codeOfLegacy(sentCode) ?? sentCode),
      standing: codeStanding(fields) ?? codeStanding(errorDetail),
      wireCode: sentCode === undefined || isErrorCode(sentCode) ? undefined : sentCode,
      category: isCategory(category) ? category : undefined,
      retryable:
        readBoolean(fields, 'retryable') ??
        readBoolean(fields, 'recoverable') ??
        errorDetail?.retryable,
      status: readStatus(fields, 'status', 'statusCode'),
      retryAfterMs: readWait(fields, 'retryAfterMs'),
      detail: readText(fields, 'detail'),
      cause: isCause(cause) ? cause : undefined,
      runId: readName(fields, 'runId'),
      toolCallIds: readTexts(fields, 'toolCallIds'),
      currentStatus: readName(fields, 'currentStatus'),
      step: readNumber(fields, 'step'),
      agentId: readName(fields, 'agentId'),
      agentType: readName(fields, 'agentType'),
      timestamp: readNumber(fields, 'timestamp'),
      errorDetail,
    }),
  };
}

/** What a server puts into an error event. Absent fields are left out. */
export interface ErrorEventFields {
  /** A sentence that is safe to show. Default: the code's. */
  readonly errorText?: string | undefined;
  readonly code?: string | undefined;
  readonly category?: Category | undefined;
  readonly retryable?: boolean | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: string | undefined;
  readonly runId?: string | undefined;
  readonly step?: number | undefined;
  readonly agentId?: string | undefined;
  readonly agentType?: string | undefined;
  readonly timestamp?: number | undefined;
  /** Developer text: leave it out where strangers read. */
  readonly detail?: string | undefined;
}

/** The two chunks of an error event as they go over the wire. */
export type ErrorChunks = readonly [
  { readonly type: 'data-helix-error'; readonly data: object; readonly transient: true },
  { readonly type: 'error'; readonly errorText: string },
];

/**
 * An error event as two chunks: the typed fields in a transient data part, then a plain error chunk. Early releases of
 * the AI SDK refuse an unknown key on a chunk of their own, but pass a data part.
 */
export function writeErrorChunks(fields: ErrorEventFields): ErrorChunks {
  const errorText = fields.errorText ?? sentenceOf(fields.code);
  const { cause, ...rest } = fields;
  const data = { ...present(rest), errorText, ...(isCause(cause) && { cause }) };
  return [
    { type: 'data-helix-error', data, transient: true },
    { type: 'error', errorText },
  ];
}
