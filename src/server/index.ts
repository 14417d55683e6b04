/** Entry `helix-chat/server`: a chat backend, and a typed error as bytes. */

export {
  classifyEntryFailure,
  type EntryFailure,
  WAKE_AFTER,
} from '../errors/classifyEntryFailure.ts';
export { redact } from '../errors/redact.ts';
export {
  DEFAULT_LLM_STEP_RETRY,
  isRetryableLLMStepError,
  isTerminalLLMStepError,
  type StepRetryPolicy,
} from '../errors/stepRetry.ts';
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
export type { ReplySource } from './replySource.ts';
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
  Written,
} from './store/chatStore.ts';
export { createMemoryStore } from './store/memoryStore.ts';
export {
  type ProviderModel,
  type ProviderRetry,
  type ProviderRetryOptions,
  withProviderRetry,
} from './withProviderRetry.ts';
export { type ErrorChunkOptions, errorChunks, writeErrorChunk } from './writeErrorChunk.ts';
