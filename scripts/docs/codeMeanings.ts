import type { ErrorCode } from '../../src/protocol/codes.ts';

/** What each code means to somebody who writes a route or reads a log. People read the code's sentence instead. */
export const CODE_MEANINGS: Readonly<Record<ErrorCode, string>> = {
  provider_overloaded: 'The provider is at capacity (503, 529).',
  provider_rate_limited: 'The provider’s rate limit was hit (429), or an allowance is used up.',
  provider_auth_error: 'The provider did not take the credentials of the server (401, 403).',
  provider_content_filtered: 'The provider’s content policy ended or refused the reply.',
  provider_refused: 'The model refused the request.',
  provider_timeout: 'The provider took too long (408).',
  provider_invalid_request:
    'The provider did not take the request (400, 422, another 4xx), for instance because the prompt is too long.',
  provider_error:
    'Any other failure of the provider: another 5xx, a dropped connection, no status.',
  provider_unreachable:
    'A call failed before it gave anything: the provider could not be reached. Its call was repeated once already.',
  tool_input_invalid: 'The model called a tool with arguments that the tool does not take.',
  tool_execution_failed: 'A tool threw.',
  tool_not_found: 'The model called a tool that does not exist.',
  tool_timeout: 'A tool ran past its time limit.',
  state_commit_stopped:
    'A commit found that its run had been stopped, and wrote nothing (`CommitStoppedError`).',
  state_concurrency_conflict:
    'Somebody else changed the session at the same time (`StaleStateError`, `FencingTokenMismatchError`, `StepCommitConflictError`).',
  state_not_stoppable:
    'A stop found no live run, and wrote nothing. `currentStatus` says what it found.',
  state_session_not_found: 'The session does not exist.',
  state_already_running:
    'Another run owns the session (`AgentAlreadyRunningError`). Nothing was written; send again once it has ended. `runId` names it where it is known.',
  state_not_resumable:
    'The session cannot be resumed (`AgentNotResumableError`, `ResumeRefusedError`), or an answer to a tool call was not stored. `toolCallIds` names the calls.',
  state_history_incomplete:
    'The stored history could not be read completely, and no model was called. The reason says why.',
  state_checkpoint_not_found: 'The checkpoint does not exist.',
  state_checkpoint_foreign: 'The checkpoint belongs to another session.',
  state_checkpoint_sequence_unavailable:
    'A commit could not read the live head of its stream, and wrote nothing.',
  state_run_start_conflict:
    'The start of a run was refused for another reason than a live run (`RunStartRejectedError`). The reason names it.',
  state_run_superseded: 'Another run has taken the place of this one (`RunSupersededError`).',
  state_step_messages_uncommitted:
    'A turn tried to end while some of its messages were never committed: a bug of the runtime.',
  state_agent_type_mismatch: 'The session was made for another type of agent. Nothing was written.',
  state_request_key_conflict:
    'The request key was used before, for other input (`RequestKeyConflictError`). Nothing was written. `runId` holds the key.',
  state_request_already_completed:
    'The run of this request key has ended, and a later one exists (`RequestAlreadyCompletedError`). Nothing was written. `runId` answered it.',
  transport_error:
    'Communication failed; also the fail-safes of a start whose outcome is unknown (`RunStartAbandonedError`, `RunStartOutcomeUnknownError`, `RunStartStalledError`).',
  transport_stream_drop: 'A stream dropped before its end (`StreamDropError`).',
  transport_remote_agent_failed:
    'A remote agent reported that it failed (`RemoteAgentFailedError`).',
  validation_error: 'The input did not pass its check, or the body was no JSON.',
  framework_internal_error: 'Unexpected: what nobody recognised.',
  framework_not_supported: 'The runtime does not have this feature.',
  framework_companion_not_supported:
    'A companion was refused: its tree can call a tool that nothing on the runtime can answer.',
  framework_cancelled: 'The operation was cancelled: an abort.',
  framework_max_steps_exhausted:
    'The run reached its step limit before the model had finished. A retry goes on with a fresh budget.',
  framework_completion_strategy_unavailable:
    'The model has no way to give output by a schema. Refused before the run started.',
  framework_completion_schema_unsupported:
    'The output schema cannot be sent to this model. Refused before the run started.',
  framework_prompt_prefix_changed:
    'The system prompt or the tools changed under a history with signed thinking. Refused before the call.',
  framework_agent_not_found:
    'The type of agent is not registered (`AgentResolutionError.notFound`).',
  framework_agent_resolution_failed:
    'The agent could not be made (`AgentResolutionError.failed`). Not retryable where its cause says so.',
  framework_agent_name_conflict:
    'Another agent was registered under this name in the process. Nothing was written.',
  framework_auto_resume_exhausted:
    'A stranded run was driven again and again without progress, and was given up. A retry recovers it.',
  framework_usage_store_unavailable: 'The store of usage could not be opened.',
  framework_hook_failed: 'A hook of the host threw. The flag is that of its cause.',
  framework_skills_unavailable: 'The provider of skills threw, and the step did not go on without.',
  framework_forced_completion_exhausted:
    'The model gave no finished result, although it was forced to several times.',
  framework_completion_protocol_violation:
    'The model broke the protocol by which it gives its result.',
  framework_completion_invalid_output: 'The model’s result does not fit its schema.',
  framework_completion_tool_missing: 'The tool by which the result is given was not there.',
};
