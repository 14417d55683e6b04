import type { Meta } from '@storybook/react-vite';
import { codeStory } from './support/codeStory.tsx';

/** Each code, where it is met first: a send that is refused, or a reply that fails. */
const meta: Meta = { title: 'AllCodes' };
export default meta;

export const ProviderOverloaded = codeStory('provider_overloaded', 'refused');
export const ProviderRateLimited = codeStory('provider_rate_limited', 'refused');
export const ProviderAuthError = codeStory('provider_auth_error', 'refused');
export const ProviderContentFiltered = codeStory('provider_content_filtered', 'reply');
export const ProviderRefused = codeStory('provider_refused', 'reply');
export const ProviderTimeout = codeStory('provider_timeout', 'refused');
export const ProviderInvalidRequest = codeStory('provider_invalid_request', 'refused');
export const ProviderError = codeStory('provider_error', 'refused');
export const ProviderUnreachable = codeStory('provider_unreachable', 'refused');
export const ToolInputInvalid = codeStory('tool_input_invalid', 'reply');
export const ToolExecutionFailed = codeStory('tool_execution_failed', 'reply');
export const ToolNotFound = codeStory('tool_not_found', 'reply');
export const ToolTimeout = codeStory('tool_timeout', 'reply');
export const StateCommitStopped = codeStory('state_commit_stopped', 'reply');
export const StateConcurrencyConflict = codeStory('state_concurrency_conflict', 'refused');
export const StateNotStoppable = codeStory('state_not_stoppable', 'reply');
export const StateSessionNotFound = codeStory('state_session_not_found', 'refused');
export const StateAlreadyRunning = codeStory('state_already_running', 'refused');
export const StateNotResumable = codeStory('state_not_resumable', 'reply');
export const StateHistoryIncomplete = codeStory('state_history_incomplete', 'refused');
export const StateCheckpointNotFound = codeStory('state_checkpoint_not_found', 'refused');
export const StateCheckpointForeign = codeStory('state_checkpoint_foreign', 'refused');
export const StateCheckpointSequenceUnavailable = codeStory(
  'state_checkpoint_sequence_unavailable',
  'refused',
);
export const StateRunStartConflict = codeStory('state_run_start_conflict', 'refused');
export const StateRunSuperseded = codeStory('state_run_superseded', 'refused');
export const StateStepMessagesUncommitted = codeStory('state_step_messages_uncommitted', 'reply');
export const StateAgentTypeMismatch = codeStory('state_agent_type_mismatch', 'refused');
export const StateRequestKeyConflict = codeStory('state_request_key_conflict', 'reply');
export const StateRequestAlreadyCompleted = codeStory('state_request_already_completed', 'reply');
export const TransportError = codeStory('transport_error', 'refused');
export const TransportStreamDrop = codeStory('transport_stream_drop', 'refused');
export const TransportRemoteAgentFailed = codeStory('transport_remote_agent_failed', 'reply');
export const ValidationError = codeStory('validation_error', 'refused');
export const FrameworkInternalError = codeStory('framework_internal_error', 'refused');
export const FrameworkNotSupported = codeStory('framework_not_supported', 'refused');
export const FrameworkCompanionNotSupported = codeStory(
  'framework_companion_not_supported',
  'refused',
);
export const FrameworkCancelled = codeStory('framework_cancelled', 'refused');
export const FrameworkMaxStepsExhausted = codeStory('framework_max_steps_exhausted', 'reply');
export const FrameworkCompletionStrategyUnavailable = codeStory(
  'framework_completion_strategy_unavailable',
  'refused',
);
export const FrameworkCompletionSchemaUnsupported = codeStory(
  'framework_completion_schema_unsupported',
  'refused',
);
export const FrameworkPromptPrefixChanged = codeStory('framework_prompt_prefix_changed', 'refused');
export const FrameworkAgentNotFound = codeStory('framework_agent_not_found', 'refused');
export const FrameworkAgentResolutionFailed = codeStory(
  'framework_agent_resolution_failed',
  'refused',
);
export const FrameworkAgentNameConflict = codeStory('framework_agent_name_conflict', 'refused');
export const FrameworkAutoResumeExhausted = codeStory('framework_auto_resume_exhausted', 'reply');
export const FrameworkUsageStoreUnavailable = codeStory(
  'framework_usage_store_unavailable',
  'refused',
);
export const FrameworkHookFailed = codeStory('framework_hook_failed', 'refused');
export const FrameworkSkillsUnavailable = codeStory('framework_skills_unavailable', 'refused');
export const FrameworkForcedCompletionExhausted = codeStory(
  'framework_forced_completion_exhausted',
  'reply',
);
export const FrameworkCompletionProtocolViolation = codeStory(
  'framework_completion_protocol_violation',
  'reply',
);
export const FrameworkCompletionInvalidOutput = codeStory(
  'framework_completion_invalid_output',
  'reply',
);
export const FrameworkCompletionToolMissing = codeStory(
  'framework_completion_tool_missing',
  'reply',
);
