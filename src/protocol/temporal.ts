import * as z from 'zod/v4/mini';

/** Why a model stopped, as a runtime records it. */
export type StopReason =
  | 'end_turn'
  | 'tool_use'
  | 'max_tokens'
  | 'content_filter'
  | 'refusal'
  | 'error'
  | 'unknown'
  | (string & {});

/** Made when it is first asked for: a workflow's sandbox loads this file and may never need it. */
function lazySchema<T>(make: () => T): () => T {
  let schema: T | undefined;
  return () => {
    schema ??= make();
    return schema;
  };
}

/** The outcome of one step of an agent, as it crosses the boundary of an activity. `errorCode` is the error's `code`. */
export const agentStepResultSchema = lazySchema(() =>
  z.object({
    shouldContinue: z.boolean(),
    isComplete: z.boolean(),
    pendingToolCalls: z.array(z.record(z.string(), z.unknown())),
    error: z.optional(z.string()),
    recoverable: z.optional(z.boolean()),
    errorCode: z.optional(z.string()),
    stopReason: z.custom<StopReason>((value) => typeof value === 'string'),
  }),
);

/** What `agentStepResultSchema` gives. */
export type AgentStepResult = z.infer<ReturnType<typeof agentStepResultSchema>>;

/** What ends an agent's stream as failed, as it crosses the boundary of a workflow. `errorCode` is the error's `code`. */
export const failAgentStreamInputSchema = lazySchema(() =>
  z.object({
    sessionId: z.string().check(z.minLength(1)),
    error: z.string(),
    errorCode: z.optional(z.string()),
    /** Wall-clock ms. */
    startedAt: z.optional(z.number()),
  }),
);

/** What `failAgentStreamInputSchema` gives. */
export type FailAgentStreamInput = z.infer<ReturnType<typeof failAgentStreamInputSchema>>;
