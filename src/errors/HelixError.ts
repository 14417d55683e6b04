import type { Cause, ErrorFlags } from '../protocol/causes.ts';
import {
  CATEGORIES,
  type Category,
  CODES,
  categoryOf,
  type ErrorCode,
  isErrorCode,
  retryableByCode,
  type WireCode,
} from '../protocol/codes.ts';
import type { HelixChatErrorBody } from '../protocol/errorBody.ts';
import { present } from '../protocol/present.ts';
import { readField } from '../protocol/readField.ts';
import { REASONS, type Reason, TIMEOUT_LAYERS, type TimeoutLayer } from '../protocol/reasons.ts';
import { redact } from './redact.ts';

/** What is known of a failure when its error is made. Everything is optional; an absent field and an undefined one mean the same. */
export interface HelixErrorInit {
  /** Shown to people. Default: the sentence of the layer, the reason, or the code. */
  readonly message?: string | undefined;
  /** Absent: unclassified. */
  readonly code?: WireCode | undefined;
  /** Default: the code's prefix. */
  readonly category?: Category | undefined;
  /** Default: the code's row. `null`: nothing is known, whatever the row says. */
  readonly retryable?: boolean | null | undefined;
  readonly statusCode?: number | undefined;
  /** The original failure, whatever it was. */
  readonly cause?: unknown;
  /** Developer text: never shown to a person. */
  readonly detail?: string | undefined;
  /** The text as the server sent it: never shown to a person. */
  readonly serverMessage?: string | undefined;
  /** A wait that the server stated, in ms from its answer; raw. */
  readonly retryAfterMs?: number | undefined;
  readonly runId?: string | undefined;
  /** What support can find this failure by. */
  readonly requestId?: string | undefined;
  readonly provider?: string | undefined;
  readonly reason?: Reason | undefined;
  /** The code as sent, where it is not one of the 52. */
  readonly wireCode?: string | undefined;
  readonly toolCallIds?: readonly string[] | undefined;
  readonly currentStatus?: string | undefined;
  /** Which limit ran out, for a time-out. */
  readonly layer?: TimeoutLayer | undefined;
  /** The provider's own word (`x-should-retry`) on an untyped answer. */
  readonly shouldRetry?: boolean | undefined;
  /** What a platform said about a failed call. */
  readonly flags?: ErrorFlags | undefined;
}

/** The fields of an error that may leave this program: scalars only, secrets masked. */
export interface HelixErrorJson {
  readonly name: string;
  readonly message: string;
  readonly category: Category;
  readonly code?: string;
  readonly retryable?: boolean;
  readonly statusCode?: number;
  readonly retryAfterMs?: number;
  readonly runId?: string;
  readonly requestId?: string;
  readonly provider?: string;
  readonly reason?: Reason;
  readonly wireCode?: string;
  readonly layer?: TimeoutLayer;
}

// Registered, so that it holds across versions, bundles and realms, where `instanceof` does not.
const MARKER = Symbol.for('helix-chat.HelixError');

/** Any failure as one typed value. Its texts are kept without secrets; `cause` is the original, as it was. */
export class HelixError extends Error {
  readonly code: WireCode | undefined;
  readonly category: Category;
  /** Whether the failed request may be repeated by a program; undefined: nothing is known, only a person may. */
  readonly retryable: boolean | undefined;
  readonly statusCode: number | undefined;
  readonly detail: string | undefined;
  readonly serverMessage: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly runId: string | undefined;
  readonly requestId: string | undefined;
  readonly provider: string | undefined;
  readonly reason: Reason | undefined;
  readonly wireCode: string | undefined;
  readonly toolCallIds: readonly string[] | undefined;
  readonly currentStatus: string | undefined;
  readonly layer: TimeoutLayer | undefined;
  readonly shouldRetry: boolean | undefined;
  readonly flags: ErrorFlags | undefined;

  constructor(init: HelixErrorInit = {}) {
    super(
      redact(init.message ?? safeSentence(init)),
      init.cause === undefined ? undefined : { cause: init.cause },
    );
    this.name = 'HelixError';
    Object.defineProperty(this, MARKER, { value: true });
    this.code = init.code;
    this.category = init.category ?? categoryOf(init.code);
    this.retryable =
      init.retryable === undefined ? retryableByCode(init.code) : (init.retryable ?? undefined);
    this.statusCode = init.statusCode;
    this.detail = init.detail === undefined ? undefined : redact(init.detail);
    this.serverMessage = init.serverMessage === undefined ? undefined : redact(init.serverMessage);
    this.retryAfterMs = init.retryAfterMs;
    this.runId = init.runId;
    this.requestId = init.requestId;
    this.provider = init.provider;
    this.reason = init.reason;
    this.wireCode = init.wireCode;
    this.toolCallIds = init.toolCallIds;
    this.currentStatus = init.currentStatus;
    this.layer = init.layer;
    this.shouldRetry = init.shouldRetry;
    this.flags = init.flags;
  }

  /** Whether a value is a HelixError of any version, bundle or realm. Never throws. */
  static isInstance(value: unknown): value is HelixError {
    return isHelixError(value);
  }

  /** The scalars that may leave this program: never the cause, a header or a body. */
  toJSON(): HelixErrorJson {
    const { name, message, category } = this;
    const { code, requestId, runId, provider, wireCode } = this;
    const { retryable, statusCode, retryAfterMs, reason, layer } = this;
    const text = (value: string | undefined) => (value === undefined ? undefined : redact(value));
    return {
      name,
      message: redact(message),
      category,
      ...present({
        code: text(code),
        retryable,
        statusCode,
        retryAfterMs,
        runId: text(runId),
        requestId: text(requestId),
        provider: text(provider),
        reason,
        wireCode: text(wireCode),
        layer,
      }),
    };
  }
}

function safeSentence({ layer, reason, code, category }: HelixErrorInit): string {
  if (layer !== undefined) return TIMEOUT_LAYERS[layer].sentence;
  if (reason !== undefined) return REASONS[reason].sentence;
  return isErrorCode(code)
    ? CODES[code].sentence
    : CATEGORIES[category ?? categoryOf(code)].sentence;
}

/** The typed refusal of a request. */
export class HelixRequestError extends HelixError {
  /** The typed body, where the answer had one. */
  readonly body: HelixChatErrorBody | undefined;

  constructor(init: HelixErrorInit & { readonly body?: HelixChatErrorBody | undefined } = {}) {
    super(init);
    this.name = 'HelixRequestError';
    this.body = init.body;
  }
}

/** A limit of this side ran out. */
export class HelixTimeoutError extends HelixError {
  override readonly layer: TimeoutLayer;

  constructor(init: HelixErrorInit & { readonly layer: TimeoutLayer }) {
    super(init);
    this.name = 'HelixTimeoutError';
    this.layer = init.layer;
  }
}

/** A read of the conversation failed, or gave none. */
export class HelixSnapshotError extends HelixRequestError {
  constructor(init: ConstructorParameters<typeof HelixRequestError>[0] = {}) {
    super(init);
    this.name = 'HelixSnapshotError';
  }
}

/** The fields that an answer of each of these codes carries; its sender may still have left one out. */
interface FieldsByCode {
  state_not_stoppable: { readonly currentStatus: string | undefined };
  state_request_key_conflict: { readonly runId: string | undefined };
  state_request_already_completed: { readonly runId: string | undefined };
  state_not_resumable: {
    readonly toolCallIds: readonly string[] | undefined;
    readonly reason: CauseOf<'resume_message_unknown' | 'answer_not_stored'>;
  };
  state_run_start_conflict: {
    readonly reason: CauseOf<
      | 'idempotency_mismatch'
      | 'entry_status_changed'
      | 'entry_abandoned'
      | 'resumed_companion_ref_missing'
      | 'request_key_taken'
    >;
  };
  state_history_incomplete: {
    readonly reason: CauseOf<'short_read' | 'corrupt_row' | 'store_error' | 'snapshot_unstable'>;
  };
}
type CauseOf<C extends Cause> = C | Exclude<Reason, Cause> | undefined;

/** A HelixError of one code, with the fields that belong to it. */
export type HelixErrorOf<C extends ErrorCode> = HelixError & {
  readonly code: C;
} & (C extends keyof FieldsByCode ? FieldsByCode[C] : unknown);

/** Whether a value is a HelixError of any version, bundle or realm, and, when a code is given, of that code. Never throws. */
export function isHelixError(error: unknown): error is HelixError;
export function isHelixError<C extends ErrorCode>(
  error: unknown,
  code: C,
): error is HelixErrorOf<C>;
export function isHelixError(error: unknown, code?: ErrorCode): boolean {
  if (readField(error, MARKER) !== true || typeof readField(error, 'message') !== 'string') {
    return false;
  }
  const own = readField(error, 'code');
  if (!(own === undefined || typeof own === 'string') || !canBeRead(error)) return false;
  return code === undefined || own === code;
}

// What wears the marker is used as one: so nothing of it may throw when it is read.
const FIELDS: readonly string[] = [
  ...['category', 'retryable', 'statusCode', 'detail', 'serverMessage', 'retryAfterMs', 'runId'],
  ...['requestId', 'provider', 'reason', 'wireCode', 'toolCallIds', 'currentStatus', 'layer'],
  ...['shouldRetry', 'flags', 'cause'],
];

function canBeRead(error: unknown): boolean {
  try {
    for (const field of FIELDS) Reflect.get(error as object, field);
    return true;
  } catch {
    return false;
  }
}
