import { sentenceOf } from '../protocol/codes.ts';
import { type ErrorEvent, parseErrorEvent } from '../protocol/errorEvent.ts';
import { isSpentAllowance } from '../protocol/spentAllowance.ts';
import { HelixError, type HelixErrorInit } from './HelixError.ts';
import { looksUserSafe } from './looksUserSafe.ts';
import { type ModelStatus, readModelStatus } from './modelStatus.ts';
import { redact } from './redact.ts';

/** Where in a run the failure happened. */
export interface StreamPlace {
  readonly step?: number | undefined;
  readonly agentId?: string | undefined;
  readonly agentType?: string | undefined;
  /** Wall-clock ms, as the sender's clock had it. */
  readonly timestamp?: number | undefined;
}

/** A failure that came as an event of a stream. */
export class HelixStreamError extends HelixError {
  readonly step: number | undefined;
  readonly agentId: string | undefined;
  readonly agentType: string | undefined;
  readonly timestamp: number | undefined;

  constructor(init: HelixErrorInit & StreamPlace = {}) {
    super(init);
    this.name = 'HelixStreamError';
    this.step = init.step;
    this.agentId = init.agentId;
    this.agentType = init.agentType;
    this.timestamp = init.timestamp;
  }

  /** Whether `fromEvent` takes this value. Never throws. */
  static isErrorEvent(event: unknown): boolean {
    return parseErrorEvent(event) !== undefined;
  }

  /**
   * The typed error of an error event: a UI chunk, a Helix `ErrorChunk`, a data part around either, or the JSON text of
   * one of these with or without the SSE `data:` prefix.
   * `answer` adds what the answer that carried it said of itself.
   * @throws {TypeError} when the value is none of these, and nothing else: ask `isErrorEvent` first.
   */
  static fromEvent(
    event: unknown,
    answer: { readonly requestId?: string | undefined; readonly runId?: string | undefined } = {},
  ): HelixStreamError {
    const parsed = parseErrorEvent(event);
    if (parsed === undefined) {
      throw new TypeError(
        `[helix-chat] HelixStreamError.fromEvent got ${nameOf(event)}, which is no error event. ` +
          'No error can be made of it. Ask HelixStreamError.isErrorEvent(event) first.',
      );
    }
    const init = initOfEvent(parsed, event);
    return new HelixStreamError({
      ...init,
      requestId: answer.requestId,
      runId: init.runId ?? answer.runId,
    });
  }
}

/** The fields of the error that a parsed event makes; `original` becomes its cause. */
export function initOfEvent(event: ErrorEvent, original: unknown): HelixErrorInit & StreamPlace {
  // A bare word that any backend may have written classifies nothing.
  const code = event.standing === 'bare' ? undefined : event.code;
  const text = redact(event.text);
  // The app itself has answered 200: a status that stands in its stream is the provider's.
  const said = code === undefined ? (spentIn(event) ?? readModelStatus(event.status)) : undefined;
  return {
    message: looksUserSafe(text) ? text : sentenceOf(code),
    code: code ?? said?.[0],
    category: event.category === 'unknown' ? undefined : event.category,
    retryable: event.retryable ?? said?.[1],
    statusCode: event.status,
    cause: original,
    detail: event.detail,
    serverMessage: event.text,
    retryAfterMs: event.retryAfterMs,
    runId: event.runId,
    reason: event.cause ?? said?.[2],
    wireCode: event.wireCode,
    toolCallIds: event.toolCallIds,
    currentStatus: event.currentStatus,
    step: event.step,
    agentId: event.agentId,
    agentType: event.agentType,
    timestamp: event.timestamp,
  };
}

function spentIn({ wireCode, text, retryAfterMs }: ErrorEvent): ModelStatus | undefined {
  return isSpentAllowance(wireCode) || isSpentAllowance(text)
    ? ['provider_rate_limited', retryAfterMs !== undefined, 'quota']
    : undefined;
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  const kind = typeof value;
  return kind === 'string' ? 'a text' : `a value of type ${kind}`;
}
