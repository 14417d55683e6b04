export { classifyError, classifyKnownError } from './errors/classifyError.ts';
export { attachErrorDetail, errorDetailOf } from './errors/errorDetail.ts';
export { ensureError, extractErrorMessage } from './errors/extractErrorMessage.ts';
export type {
  Attempt,
  Committed,
  Failure,
  FailureAction,
  Phase,
  Severity,
} from './errors/failure.ts';
export { supportReference } from './errors/failureActions.ts';
export {
  HelixError,
  type HelixErrorInit,
  HelixRequestError,
  HelixSnapshotError,
  HelixTimeoutError,
  isHelixError,
} from './errors/HelixError.ts';
export { HelixStreamError } from './errors/HelixStreamError.ts';
export { helixErrorFromResponse } from './errors/helixErrorFromResponse.ts';
export { parseHelixChatError } from './errors/parseHelixChatError.ts';
export { redact } from './errors/redact.ts';
export { resolveErrorDetail } from './errors/resolveErrorDetail.ts';
export { type ErrorAdapter, toHelixError } from './errors/toHelixError.ts';
export { USER_MESSAGES, userMessageFor } from './errors/userMessage.ts';
export { type Catalog, catalogProblems } from './i18n/catalog.ts';
export { describeError, type FailureView } from './i18n/describeError.ts';
export type { ErrorDetail } from './protocol/causes.ts';
export {
  type Category,
  CODES,
  categoryOf,
  type ErrorCode,
  isErrorCode,
  type WireCode,
} from './protocol/codes.ts';
export type { HelixChatErrorBody } from './protocol/errorBody.ts';
export { REASONS, type Reason } from './protocol/reasons.ts';
export { isRequestKey, REQUEST_KEY_HEADER } from './protocol/requestKey.ts';
export { parseSnapshot, type Snapshot } from './protocol/snapshot.ts';
export type { Move, Policy } from './recovery/policy.ts';
export type { HelixChatHandle, HoldCause, PendingSend, StopMode } from './recovery/ports.ts';
export type { RecoveryReport } from './recovery/recoveryReport.ts';
export type { RecoveryState, RecoveryStateName } from './recovery/state.ts';
export { type KeyValueStore, type StorageKind, systemWorld, type World } from './world.ts';
