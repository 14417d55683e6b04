/** Entry `helix-chat/server`: a chat backend, and a typed error as bytes. */

export {
  classifyEntryFailure,
  type EntryFailure,
  WAKE_AFTER,
} from '../errors/classifyEntryFailure.ts';
export { classifyError, classifyKnownError } from '../errors/classifyError.ts';
export { attachErrorDetail, errorDetailOf } from '../errors/errorDetail.ts';
export { ensureError, extractErrorMessage } from '../errors/extractErrorMessage.ts';
export { HelixError, type HelixErrorInit, isHelixError } from '../errors/HelixError.ts';
export { redact } from '../errors/redact.ts';
export { resolveErrorDetail } from '../errors/resolveErrorDetail.ts';
export {
  AgentAlreadyRunningError,
  AgentNotResumableError,
  AgentResolutionError,
  CommitStoppedError,
  FencingTokenMismatchError,
  RemoteAgentFailedError,
  RequestAlreadyCompletedError,
  RequestKeyConflictError,
  ResumeRefusedError,
  RunStartAbandonedError,
  type RunStartCause,
  RunStartConflictError,
  RunStartOutcomeUnknownError,
  RunStartRejectedError,
  RunStartStalledError,
  RunSupersededError,
  StaleStateError,
  StepCommitConflictError,
  StreamDropError,
} from '../errors/runtimeErrors.ts';
export {
  createMaxStepsExhaustedError,
  DEFAULT_LLM_STEP_RETRY,
  isAgentNotFoundError,
  isRetryableLLMStepError,
  isTerminalLLMStepError,
  type StepRetryPolicy,
} from '../errors/stepRetry.ts';
export type { ErrorAdapter } from '../errors/toHelixError.ts';
export type { ErrorDetail } from '../protocol/causes.ts';
export type { ErrorCode, WireCode } from '../protocol/codes.ts';
export type { WireErrorBody } from '../protocol/errorBody.ts';
export type { ErrorChunks } from '../protocol/errorEvent.ts';
export { parseErrorEvent } from '../protocol/errorEvent.ts';
export {
  type AgentStepResult,
  agentStepResultSchema,
  type FailAgentStreamInput,
  failAgentStreamInputSchema,
  type StopReason,
} from '../protocol/temporal.ts';
export {
  attemptSupersededPart,
  resumeRejectedPart,
  resyncPart,
  runPart,
} from '../protocol/triggers.ts';
export {
  type ChatErrorOptions,
  chatErrorResponse,
  type TypedBodyOptions,
  type TypedResponseOptions,
  typedErrorBody,
  typedErrorResponse,
} from './chatErrorResponse.ts';
export {
  type ChatErrorInfo,
  type ChatRouteOptions,
  createChatRoute,
} from './chatRoute.ts';
export type { Reply, ReplyContext } from './driveRun.ts';
export { entryFailureResponse } from './entryFailureResponse.ts';
export {
  ConfigurationError,
  ExecutionError,
  FrontendHandlerError,
  StreamCreationError,
  StreamFailedError,
  StreamNotFoundError,
  StreamReaderError,
  ValidationError,
} from './frontendHandlerErrors.ts';
export { type HeldErrorReport, holdLLMErrorReport } from './holdErrorReport.ts';
export { httpStatusForHelixError } from './httpStatus.ts';
export { type MapVercelOptions, mapVercelError } from './mapVercelError.ts';
export type { Chunk } from './replyMessage.ts';
export type { ReplySource, StreamedText } from './replySource.ts';
export type { ChatRouteName } from './routePath.ts';
export type {
  ChatRecord,
  ChatStore,
  KeyRecord,
  LogEntry,
  LogPage,
  RunChange,
  RunRecord,
  RunStart,
  RunStatus,
  StopAnswer,
  StopMode,
  StoreChange,
  StoredMessage,
  WriteAnswer,
} from './store/chatStore.ts';
export { createMemoryStore, type MemoryStoreOptions } from './store/memoryStore.ts';
export type { RedisClient, RedisListeningClient } from './store/redisClient.ts';
export { createRedisStore, type RedisStore, type RedisStoreOptions } from './store/redisStore.ts';
export {
  type ProviderModel,
  type ProviderRetry,
  type ProviderRetryOptions,
  withProviderRetry,
} from './withProviderRetry.ts';
export { type ErrorChunkOptions, errorChunks, writeErrorChunk } from './writeErrorChunk.ts';
