'use client';

export type { AnyChat, OnAction } from './acting.ts';
export type { ConflictNoticeProps, ConflictView } from './ConflictNotice.tsx';
export { ConflictNotice } from './ConflictNotice.tsx';
export type { ConnectionStatusProps, ConnectionView } from './ConnectionStatus.tsx';
export { ConnectionStatus } from './ConnectionStatus.tsx';
export type { ErrorBannerProps } from './ErrorBanner.tsx';
export { ErrorBanner } from './ErrorBanner.tsx';
export type { HelixUIProviderProps } from './HelixUIProvider.tsx';
export { HelixUIProvider } from './HelixUIProvider.tsx';
export type { MessageErrorProps } from './MessageError.tsx';
export { MessageError } from './MessageError.tsx';
export type { PendingSendsProps } from './PendingSends.tsx';
export { PendingSends } from './PendingSends.tsx';
export type { RetryButtonProps } from './RetryButton.tsx';
export { RetryButton } from './RetryButton.tsx';
export type { Action } from './uiContext.ts';
