import { type ErrorDetail, readFlags } from '../protocol/causes.ts';
import { present } from '../protocol/present.ts';
import {
  hasOwnField,
  LIMITS,
  readBoolean,
  readField,
  readName,
  readNumber,
  readStatus,
} from '../protocol/readField.ts';
import { classifyKnownError } from './classifyError.ts';
import { errorDetailOf } from './errorDetail.ts';
import { extractErrorMessage } from './extractErrorMessage.ts';
import type { HelixError } from './HelixError.ts';
import { causesOf } from './networkFailure.ts';
import { redact } from './redact.ts';

/**
 * What a runtime persists, streams and returns of a terminal failure: an explicit detail; else the first of the error
 * and its causes, outermost first, that carries a detail or is recognised; else the bare message. An unrecognised
 * failure gets no code. Nested at most 8 deep, and without secrets. Never throws.
 */
export function resolveErrorDetail(error: unknown, detail?: ErrorDetail): ErrorDetail {
  return withoutSecrets(detail ?? resolve(error, 0));
}

// A raw error says what it likes, and a detail is stored and sent.
const withoutSecrets = (detail: ErrorDetail) => redact(detail) as ErrorDetail;

function resolve(error: unknown, depth: number): ErrorDetail {
  for (const [at, link] of causesOf(error).entries()) {
    const known = errorDetailOf(link) ?? detailOfKnown(link, depth);
    if (known === undefined) continue;
    return at === 0 ? known : { ...known, ...wrapping(error, known) };
  }
  return detailOfRaw(error);
}

const wrapping = (outer: unknown, inner: ErrorDetail) => ({
  message: extractErrorMessage(outer),
  cause: inner.message,
});

/** The detail of a value that is classified by itself. Its cause is resolved on its own. */
function detailOfKnown(link: unknown, depth: number): ErrorDetail | undefined {
  const known = classifyKnownError(link);
  if (known === undefined || known.code === undefined) return undefined;
  const { message, code, category, retryable } = known;
  return {
    message,
    code,
    category,
    ...present({ retryable, cause: causeOf(link, depth), flags: known.flags ?? readFlags(link) }),
  };
}

function causeOf(link: unknown, depth: number): ErrorDetail | undefined {
  const cause = readField(link, 'cause');
  return cause === undefined || cause === null || depth >= LIMITS.depth
    ? undefined
    : resolve(cause, depth + 1);
}

/** What a value that nobody knows says of itself. */
function detailOfRaw(error: unknown): ErrorDetail {
  return {
    message: extractErrorMessage(error),
    ...present({
      code:
        (hasOwnField(error, 'code')
          ? (readName(error, 'code') ?? readNumber(error, 'code'))
          : undefined) ?? readStatus(error, 'statusCode', 'status'),
      retryable: readBoolean(error, 'retryable'),
      flags: readFlags(error),
    }),
  };
}

/** The first of an error and its causes, outermost first, that is classified. Never throws. */
export function classifiedCause(error: unknown): HelixError | undefined {
  for (const link of causesOf(error)) {
    const known = classifyKnownError(link);
    if (known?.code !== undefined) return known;
  }
  return undefined;
}
