import { readField } from '../protocol/readField.ts';
import { HelixError } from './HelixError.ts';
import { classifiedCause } from './resolveErrorDetail.ts';

/** How often and how far apart a failed model call is called again. */
export interface StepRetryPolicy {
  /** Calls after the first; 0 turns it off. */
  readonly limit: number;
  /** The first wait, in ms. */
  readonly delayMs: number;
  /** Default: the same wait each time. */
  readonly backoff?: 'constant' | 'exponential';
}

/** Three calls after the first, after 1 s, 2 s and 4 s. */
export const DEFAULT_LLM_STEP_RETRY = {
  limit: 3,
  delayMs: 1_000,
  backoff: 'exponential',
} as const satisfies StepRetryPolicy;

/**
 * Whether a failed model call is called again: only one that is classified as retryable. Takes a thrown error or an
 * error step. Never throws.
 */
export function isRetryableLLMStepError(failure: unknown): boolean {
  const thrown = isErrorStep(failure) ? readField(failure, 'error') : failure;
  return classifiedCause(thrown)?.retryable === true;
}

/** Whether a step is an error step that ends its run unless it is retried. Never throws. */
export function isTerminalLLMStepError(step: unknown): boolean {
  return isErrorStep(step) && readField(step, 'shouldStop') === true;
}

const isErrorStep = (step: unknown): boolean => readField(step, 'type') === 'error';

/** The failure of a run that ran out of its step budget before the model finished. */
export function createMaxStepsExhaustedError(maxSteps: number): HelixError {
  return new HelixError({
    message: `Max steps (${maxSteps}) reached`,
    code: 'framework_max_steps_exhausted',
    retryable: false,
  });
}

/** Whether an error says that its agent type is not registered; also one revived across a boundary. Never throws. */
export function isAgentNotFoundError(error: unknown): boolean {
  return readField(error, 'code') === 'framework_agent_not_found';
}
