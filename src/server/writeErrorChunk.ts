import type { HelixError } from '../errors/HelixError.ts';
import { isCategory } from '../protocol/codes.ts';
import { type ErrorChunks, writeErrorChunks } from '../protocol/errorEvent.ts';
import { readBoolean, readField } from '../protocol/readField.ts';
import { developerText, sentField } from './sentText.ts';
import { statedWait } from './statedWait.ts';

/** Which run failed, and how much of it the stream tells. */
export interface ErrorChunkOptions {
  /** The run that failed. Default: the error's. */
  readonly runId?: string | undefined;
  /** Sends the developer text too, redacted. Default false. */
  readonly exposeDetail?: boolean | undefined;
}

/**
 * A typed failure for a stream that is open already: a transient `data-helix-error` part with the typed fields, then the
 * plain `error` chunk that every client knows. At most once a stream, and only for what ends the run.
 */
export function errorChunks(error: HelixError, options: ErrorChunkOptions = {}): ErrorChunks {
  const category = readField(error, 'category');
  return writeErrorChunks({
    code: sentField(readField(error, 'code')),
    category: isCategory(category) && category !== 'unknown' ? category : undefined,
    retryable: readBoolean(error, 'retryable'),
    retryAfterMs: statedWait(error),
    cause: sentField(readField(error, 'reason')),
    runId: sentField(options.runId ?? readField(error, 'runId')),
    detail: options.exposeDetail ? developerText(error) : undefined,
  });
}

/** Writes those two chunks with a stream writer such as the AI SDK's. */
export function writeErrorChunk(
  writer: { write(chunk: ErrorChunks[number]): void },
  error: HelixError,
  options: ErrorChunkOptions = {},
): void {
  for (const chunk of errorChunks(error, options)) writer.write(chunk);
}
