/** The part of the system that a code speaks of: the code's prefix, or `unknown` where it has none of the six. */
export type Category =
  | 'provider'
  | 'tool'
  | 'state'
  | 'transport'
  | 'validation'
  | 'framework'
  | 'unknown';

/** What is fixed about one code. */
export interface CodeRow {
  readonly category: Category;
  /** The status of an answer that carries the code before any input was committed. */
  readonly httpStatus: number;
  /** The flag where the sender states none; `null`: it depends, nothing is known. */
  readonly retryable: boolean | null;
  /** The English cause sentence: safe to show, at most 120 characters. */
  readonly sentence: string;
}

/** One sentence a category: for codes that this version does not know, and `unknown` for no code at all. */
export const CATEGORIES = {
  provider: { sentence: 'There is no full reply because the AI service failed.' },
  tool: { sentence: 'The reply was not finished because something the assistant used failed.' },
  state: { sentence: 'The conversation could not go on because it was not in the expected state.' },
  transport: { sentence: 'The connection to the app failed.' },
  validation: { sentence: 'The message could not be taken as it is.' },
  framework: { sentence: 'Something in the app failed.' },
  unknown: { sentence: 'Something failed, and the cause is not known.' },
} as const satisfies Record<Category, { readonly sentence: string }>;

// Sentences of several rows: what a person can do about these is the same, so the words are.
const STOPPED = 'The reply was stopped.';
const MOVED_ON = 'The message was not taken because the conversation had moved on.';
const NO_SAVED_POINT = 'The saved point of the conversation could not be found.';
const NOT_OFFERED =
  'The reply could not be written because it needs something the app does not offer.';
const SET_UP = 'The reply could not be written because of the way the app is set up.';
const NOT_LOADED =
  'The reply could not be started because parts of the assistant could not be loaded.';
const CHECK_FAILED = 'The reply could not be started because a check in the app failed.';
const NO_RESULT = 'The reply ended without a usable result.';

type Facts = readonly [httpStatus: number, retryable: boolean | null, sentence: string];

/** One row a code. A new code is one line here; the catalogues fail to compile until they have its sentence. */
const FACTS = {
  provider_overloaded: [503, true, 'There is no full reply because the AI service was too busy.'],
  provider_rate_limited: [
    503,
    true,
    'There is no full reply because the app had used up its share of the AI service for now.',
  ],
  provider_auth_error: [
    500,
    false,
    'The reply could not be written because the AI service did not let the app in.',
  ],
  provider_content_filtered: [500, false, 'The reply was held back by a safety filter.'],
  provider_refused: [500, false, 'There is no reply because the assistant declined to write one.'],
  provider_timeout: [503, true, 'There is no full reply because the AI service took too long.'],
  provider_invalid_request: [
    500,
    false,
    'The reply could not be written because the AI service did not take the conversation as it is.',
  ],
  provider_error: [500, null, CATEGORIES.provider.sentence],
  provider_unreachable: [
    500,
    false,
    'The reply could not be written because the app could not reach the AI service.',
  ],

  tool_input_invalid: [
    500,
    null,
    'The reply was not finished because the assistant used one of its tools in a wrong way.',
  ],
  tool_execution_failed: [500, null, CATEGORIES.tool.sentence],
  tool_not_found: [
    500,
    null,
    'The reply was not finished because the assistant needed a tool that the app does not have.',
  ],
  tool_timeout: [
    500,
    null,
    'The reply was not finished because something the assistant used took too long.',
  ],

  state_commit_stopped: [409, false, STOPPED],
  state_concurrency_conflict: [
    409,
    null,
    'There is no full reply because the conversation was changed elsewhere in the meantime.',
  ],
  state_not_stoppable: [409, false, 'The reply had already ended.'],
  state_session_not_found: [404, null, 'The conversation could not be found.'],
  state_already_running: [409, true, 'A reply is still being written in the conversation.'],
  state_not_resumable: [409, null, 'The reply could not be carried on from where it had stopped.'],
  state_history_incomplete: [409, null, 'The conversation could not be read completely.'],
  state_checkpoint_not_found: [404, null, NO_SAVED_POINT],
  state_checkpoint_foreign: [404, null, NO_SAVED_POINT],
  state_checkpoint_sequence_unavailable: [
    503,
    true,
    'There is no full reply because the app could not save the reply.',
  ],
  state_run_start_conflict: [409, false, MOVED_ON],
  state_run_superseded: [
    409,
    false,
    'The reply ended because something newer in the conversation took its place.',
  ],
  state_step_messages_uncommitted: [409, false, 'Part of the reply could not be kept.'],
  state_agent_type_mismatch: [
    409,
    false,
    'The reply could not be started because the conversation belongs to another assistant.',
  ],
  state_request_key_conflict: [409, false, MOVED_ON],
  state_request_already_completed: [409, false, 'The message was already sent and answered.'],

  transport_error: [500, null, CATEGORIES.transport.sentence],
  transport_stream_drop: [503, true, 'The reply was cut off because the connection broke.'],
  transport_remote_agent_failed: [
    500,
    false,
    'The reply was not finished because a helper of the assistant failed.',
  ],

  validation_error: [400, null, CATEGORIES.validation.sentence],

  framework_internal_error: [500, null, CATEGORIES.framework.sentence],
  framework_not_supported: [500, false, NOT_OFFERED],
  framework_companion_not_supported: [500, false, NOT_OFFERED],
  framework_cancelled: [500, null, STOPPED],
  framework_max_steps_exhausted: [
    500,
    false,
    'The reply is unfinished because the assistant reached its step limit.',
  ],
  framework_completion_strategy_unavailable: [400, false, SET_UP],
  framework_completion_schema_unsupported: [400, false, SET_UP],
  framework_prompt_prefix_changed: [
    500,
    false,
    'The conversation cannot go on because the assistant was changed.',
  ],
  framework_agent_not_found: [
    404,
    false,
    'The reply could not be started because the assistant is not available.',
  ],
  framework_agent_resolution_failed: [503, true, NOT_LOADED],
  framework_agent_name_conflict: [500, false, SET_UP],
  framework_auto_resume_exhausted: [
    503,
    true,
    'The reply is unfinished, although the app tried several times to carry it on.',
  ],
  framework_usage_store_unavailable: [503, true, CHECK_FAILED],
  framework_hook_failed: [503, true, CHECK_FAILED],
  framework_skills_unavailable: [503, true, NOT_LOADED],
  framework_forced_completion_exhausted: [
    500,
    null,
    'The reply has no finished result, although the assistant tried several times.',
  ],
  framework_completion_protocol_violation: [500, null, NO_RESULT],
  framework_completion_invalid_output: [500, null, NO_RESULT],
  framework_completion_tool_missing: [500, null, NO_RESULT],
} as const satisfies Record<string, Facts>;

/** The 52 codes that this version knows. */
export type ErrorCode = keyof typeof FACTS;

/** A code as it may come over the wire: codes are an open set, an unknown one is kept as text. */
export type WireCode = ErrorCode | (string & {});

/** Whether a value is one of the seven categories. */
export function isCategory(value: unknown): value is Category {
  return typeof value === 'string' && Object.hasOwn(CATEGORIES, value);
}

/** The category of a code: the prefix before its first `_` when that is one of the six, else `unknown`. */
export function categoryOf(code: string | undefined): Category {
  if (code === undefined) return 'unknown';
  const end = code.indexOf('_');
  const prefix = end < 0 ? '' : code.slice(0, end);
  return isCategory(prefix) ? prefix : 'unknown';
}

const rowOf = (code: string, [httpStatus, retryable, sentence]: Facts): CodeRow => ({
  category: categoryOf(code),
  httpStatus,
  retryable,
  sentence,
});

/** The code table: every fact about a code that more than one place needs. */
export const CODES: Readonly<Record<ErrorCode, CodeRow>> = Object.freeze(
  Object.fromEntries(
    Object.entries(FACTS).map(([code, facts]) => [code, rowOf(code, facts)]),
  ) as Record<ErrorCode, CodeRow>,
);

/** Whether a text is one of the 52 codes. */
export function isErrorCode(text: unknown): text is ErrorCode {
  return typeof text === 'string' && Object.hasOwn(CODES, text);
}

/** The flag of a code's row; undefined where the row states none or the code is not one of the 52. */
export function retryableByCode(code: string | undefined): boolean | undefined {
  return isErrorCode(code) ? (CODES[code].retryable ?? undefined) : undefined;
}

/** The sentence of a code: its row's, else its category's; for no code the one that names no cause. */
export function sentenceOf(code: string | undefined): string {
  return isErrorCode(code) ? CODES[code].sentence : CATEGORIES[categoryOf(code)].sentence;
}

/** Upper-case codes of older Helix servers, and what they are now. */
const LEGACY = {
  VALIDATION_ERROR: 'validation_error',
  STREAM_NOT_FOUND: 'state_session_not_found',
  STREAM_READER_ERROR: 'transport_error',
  STREAM_FAILED: 'framework_internal_error',
  CONFIGURATION_ERROR: 'framework_not_supported',
  EXECUTION_ERROR: 'framework_internal_error',
  STREAM_CREATION_ERROR: 'transport_error',
} as const satisfies Record<string, ErrorCode>;

/** The code that a legacy upper-case one stands for; undefined for any other text. */
export function codeOfLegacy(text: string): ErrorCode | undefined {
  return Object.hasOwn(LEGACY, text) ? LEGACY[text as keyof typeof LEGACY] : undefined;
}
