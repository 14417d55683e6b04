'use client';

export type { AnyChat, OnAction } from './acting.ts';
export type { ChatErrorBoundaryProps, CrashFallbackProps } from './ChatErrorBoundary.tsx';
export { ChatErrorBoundary } from './ChatErrorBoundary.tsx';
export type {
  ChatErrorsParts,
  ChatErrorsProps,
  ChatErrorsSlots,
  ChatErrorsView,
} from './ChatErrors.tsx';
export { ChatErrors } from './ChatErrors.tsx';
export type { ConflictNoticeProps, ConflictView } from './ConflictNotice.tsx';
export { ConflictNotice } from './ConflictNotice.tsx';
export type {
  ConnectionParts,
  ConnectionStatusProps,
  ConnectionView,
} from './ConnectionStatus.tsx';
export { ConnectionStatus } from './ConnectionStatus.tsx';
export type { ErrorBannerProps } from './ErrorBanner.tsx';
export { ErrorBanner } from './ErrorBanner.tsx';
export type { ErrorDetailsProps } from './ErrorDetails.tsx';
export { ErrorDetails } from './ErrorDetails.tsx';
export type { HelixUIProviderProps } from './HelixUIProvider.tsx';
export { HelixUIProvider } from './HelixUIProvider.tsx';
export type { MessageErrorProps } from './MessageError.tsx';
export { MessageError } from './MessageError.tsx';
export type { PendingParts, PendingSendsProps } from './PendingSends.tsx';
export { PendingSends } from './PendingSends.tsx';
export type { RetryButtonProps } from './RetryButton.tsx';
export { RetryButton } from './RetryButton.tsx';
export type { ButtonSlotProps, CardParts, IconSlotProps, Slots } from './slots.ts';
export type { ErrorToastsProps } from './toast/ErrorToasts.tsx';
export { ErrorToasts } from './toast/ErrorToasts.tsx';
export type { SonnerToast } from './toast/sonnerSink.ts';
export { sonnerSink } from './toast/sonnerSink.ts';
export type { SentAction, SentToast, ToastSink } from './toast/toastSink.ts';
export type { Action } from './uiContext.ts';
