import type { UIMessageChunk } from 'ai';
import type { HelixError } from '../errors/HelixError.ts';
import { HelixStreamError } from '../errors/HelixStreamError.ts';
import { type ErrorAdapter, toHelixError } from '../errors/toHelixError.ts';
import { hasFields, parseJson, readField, readStatus, readText } from '../protocol/readField.ts';

/**
 * One error out of an error event's two halves: the typed fields of the `data-helix-error` part and the text of the
 * plain `error` chunk, either of which may be missing. Where no half says a code, a text that is the JSON of a known
 * error shape is classified by the adapters.
 */
export function streamErrorOf(
  typedHalf: UIMessageChunk | undefined,
  plain: UIMessageChunk | undefined,
  context: {
    readonly adapters: readonly ErrorAdapter[];
    readonly now: number;
    /** What support can find the answer by that carried the event. */
    readonly requestId: string | undefined;
  },
): HelixStreamError {
  const { requestId } = context;
  const text = readText(plain, 'errorText', 'error') ?? '';
  const data = readField(typedHalf, 'data');
  if (hasFields(data)) {
    const errorText = readText(data, 'errorText', 'error') ?? text;
    const event = { type: 'data-helix-error', data: { ...data, errorText } };
    return HelixStreamError.fromEvent(event, { requestId });
  }
  const event = HelixStreamError.isErrorEvent(plain) ? plain : { type: 'error', errorText: text };
  const error = HelixStreamError.fromEvent(event, { requestId });
  if (error.code !== undefined) return error;
  const foreign = parseJson(text);
  if (!hasFields(foreign)) return error;
  const known = toHelixError(foreign, { ...context, phase: 'stream', statusOf: 'provider' });
  if (known.code !== undefined) return onStream(known, event, text, requestId);
  // Whatever else a provider's frame holds, a status in it says as much as one of an answer.
  const status = readStatus(readField(foreign, 'error'), 'status', 'statusCode', 'code');
  const plainly = { type: 'error', errorText: text, status: status ?? readStatus(foreign, 'code') };
  return HelixStreamError.fromEvent(plainly, { requestId });
}

function onStream(
  error: HelixError,
  event: unknown,
  text: string,
  answerId: string | undefined,
): HelixStreamError {
  const { message, code, category, retryable, statusCode, detail, retryAfterMs, runId } = error;
  const { requestId = answerId, provider, reason, wireCode, toolCallIds, currentStatus } = error;
  return new HelixStreamError({
    ...{ message, code, category, statusCode, detail, retryAfterMs, runId },
    ...{ requestId, provider, reason, wireCode, toolCallIds, currentStatus },
    retryable: retryable ?? null,
    serverMessage: text,
    cause: event,
  });
}
