import { isCause } from '../protocol/causes.ts';
import { type HelixChatErrorBody, readErrorBody } from '../protocol/errorBody.ts';
import { present } from '../protocol/present.ts';
import { type HelixError, isHelixError } from './HelixError.ts';
import { causesOf } from './networkFailure.ts';
import { openAnswer } from './openAnswer.ts';

/**
 * The typed body of a failed request, out of whatever the failure became on its way: a HelixError, an error of the AI
 * SDK 6 or 7, an answer, a JSON text, a plain body, or any of these behind up to 8 `cause` links. Undefined where there
 * is none, also for a HelixError without a code. Never throws, never waits. `error` is the text as sent: for logs, not
 * for a screen.
 */
export function parseHelixChatError(value: unknown): HelixChatErrorBody | undefined {
  for (const link of causesOf(value)) {
    if (isHelixError(link)) return bodyOf(link);
    const body = findBody(link);
    if (body !== undefined) return body;
  }
  return undefined;
}

function findBody(link: unknown): HelixChatErrorBody | undefined {
  const { status, bodies } = openAnswer(link);
  for (const body of bodies) {
    const read = readErrorBody(body, status);
    if (read !== undefined) return read;
  }
  return undefined;
}

function bodyOf(error: HelixError): HelixChatErrorBody | undefined {
  const { code, category, retryable } = error;
  if (code === undefined) return undefined;
  return {
    error: error.serverMessage ?? error.message,
    code,
    category,
    retryable,
    ...present({
      status: error.statusCode,
      retryAfterMs: error.retryAfterMs,
      detail: error.detail,
      cause: isCause(error.reason) ? error.reason : undefined,
      runId: error.runId,
      toolCallIds: error.toolCallIds,
      currentStatus: error.currentStatus,
      wireCode: error.wireCode,
    }),
  };
}
