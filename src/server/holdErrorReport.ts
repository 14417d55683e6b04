import type { HelixError } from '../errors/HelixError.ts';
import { isTerminalLLMStepError } from '../errors/stepRetry.ts';
import { hasOwnField, readField } from '../protocol/readField.ts';
import { mapVercelError } from './mapVercelError.ts';

/** The report of a failing model call, held back until it is known what follows from it. */
export interface HeldErrorReport {
  /** For the model call's `onError`: takes the error, or the AI SDK's `{ error }`. The first of an attempt counts. */
  readonly onError: (failure: unknown) => void;
  /**
   * An attempt is over. Its report is written when its step ends the run: an error step with `shouldStop` that is not
   * called again. Else it is dropped: the attempt that follows would never reach a client that stopped reading here.
   */
  settle(step: unknown, about: { readonly retried: boolean }): void;
  /** The run has failed by this: what was held, else this, is written, unless something was written before. */
  end(failure: unknown): void;
}

/**
 * Lets at most one error chunk into a run's stream, and only for the failure that ends the run: clients stop reading at
 * the first one. `write` gets the typed error, for instance for `writeErrorChunk`.
 */
export function holdLLMErrorReport(
  write: (error: HelixError) => void,
  map: (failure: unknown) => HelixError = mapVercelError,
): HeldErrorReport {
  let held: { readonly failure: unknown } | undefined;
  let written = false;
  const release = (failure: unknown) => {
    held = undefined;
    if (written) return;
    written = true;
    write(map(failure));
  };
  return {
    onError: (failure) => {
      held ??= { failure: isEnvelope(failure) ? readField(failure, 'error') : failure };
    },
    settle: (step, { retried }) => {
      if (retried || !isTerminalLLMStepError(step)) held = undefined;
      else release(held === undefined ? readField(step, 'error') : held.failure);
    },
    end: (failure) => release(held === undefined ? failure : held.failure),
  };
}

// The AI SDK gives `{ error }`, and no error of its own is shaped so.
function isEnvelope(failure: unknown): boolean {
  return typeof readField(failure, 'message') !== 'string' && hasOwnField(failure, 'error');
}
