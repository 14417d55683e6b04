import type { Row } from './verdict.ts';

const AUTH: Row = ['provider_auth_error', false];
const RATE: Row = ['provider_rate_limited', true];
const QUOTA: Row = ['provider_rate_limited', false, 'quota'];
const BUSY: Row = ['provider_overloaded', true];
const LATE: Row = ['provider_timeout', true];
const FILTERED: Row = ['provider_content_filtered', false];
const REFUSED: Row = ['provider_refused', false];
const LONG: Row = ['provider_invalid_request', false, 'too-long'];
const INVALID: Row = ['provider_invalid_request', false];
const FAILED: Row = ['provider_error', true];

/** The types, codes and statuses that model providers write, and what each says. Nothing else is ever believed. */
export const PROVIDER_WORDS: Readonly<Record<string, Row>> = {
  // OpenAI and those that speak its dialect (Groq, OpenRouter, Mistral, Azure)
  invalid_api_key: AUTH,
  invalid_authentication: AUTH,
  account_deactivated: AUTH,
  insufficient_permissions: AUTH,
  rate_limit_exceeded: RATE,
  rate_limited: RATE,
  requests: RATE,
  tokens: RATE,
  insufficient_quota: QUOTA,
  credit_balance_exhausted: QUOTA,
  billing_hard_limit_reached: QUOTA,
  billing_not_active: QUOTA,
  usage_limit_reached: QUOTA,
  slow_down: BUSY,
  server_is_overloaded: BUSY,
  service_unavailable_error: BUSY,
  engine_overloaded: BUSY,
  capacity_exceeded: BUSY,
  content_filter: FILTERED,
  content_policy_violation: FILTERED,
  ResponsibleAIPolicyViolation: FILTERED,
  moderation_blocked: FILTERED,
  refusal: REFUSED,
  context_length_exceeded: LONG,
  string_above_max_length: LONG,
  string_too_long: LONG,
  token_limit_exceeded: LONG,
  model_not_found: INVALID,
  unknown_model: INVALID,
  DeploymentNotFound: INVALID,
  invalid_prompt: INVALID,
  invalid_request: INVALID,
  server_error: FAILED,
  internal_server_error: FAILED,
  // Groq: the model's own output was not what was asked for.
  json_validate_failed: ['framework_completion_invalid_output', false],
  tool_use_failed: ['tool_input_invalid', false],
  // Anthropic
  authentication_error: AUTH,
  permission_error: AUTH,
  rate_limit_error: RATE,
  billing_error: QUOTA,
  overloaded_error: BUSY,
  timeout_error: LATE,
  request_too_large: LONG,
  not_found_error: INVALID,
  // Google
  UNAUTHENTICATED: AUTH,
  PERMISSION_DENIED: AUTH,
  API_KEY_INVALID: AUTH,
  RESOURCE_EXHAUSTED: RATE,
  UNAVAILABLE: BUSY,
  DEADLINE_EXCEEDED: LATE,
  NOT_FOUND: INVALID,
  FAILED_PRECONDITION: INVALID,
  OUT_OF_RANGE: INVALID,
  INTERNAL: FAILED,
  UNKNOWN: FAILED,
  DATA_LOSS: FAILED,
  // AWS
  AccessDeniedException: AUTH,
  UnrecognizedClientException: AUTH,
  InvalidSignatureException: AUTH,
  ExpiredTokenException: AUTH,
  IncompleteSignature: AUTH,
  NotAuthorized: AUTH,
  ThrottlingException: RATE,
  // Its own documentation: send it again later.
  ServiceQuotaExceededException: RATE,
  ServiceUnavailableException: BUSY,
  ModelNotReadyException: BUSY,
  ModelTimeoutException: LATE,
  ValidationException: INVALID,
  ResourceNotFoundException: INVALID,
  InternalServerException: FAILED,
  ModelErrorException: FAILED,
  ModelStreamErrorException: FAILED,
};

/**
 * Words that say little: a provider writes them for several causes (OpenAI a refused key as `invalid_request_error`).
 * A status says more than they do.
 */
export const WEAK_WORDS: Readonly<Record<string, Row>> = {
  invalid_request_error: INVALID,
  INVALID_ARGUMENT: INVALID,
  api_error: FAILED,
};
