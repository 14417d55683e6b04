'use client';

export type { RecoveryReport } from '../recovery/events.ts';
export type { Move, Policy } from '../recovery/policy.ts';
export type { HelixChatHandle, PendingSend, StopMode } from '../recovery/ports.ts';
export type { RecoveryState, RecoveryStateName } from '../recovery/state.ts';
export { HelixChatTransport } from '../transport/HelixChatTransport.ts';
export { wrapTransport } from '../transport/wrapTransport.ts';
export type { ChatActions } from './chatActions.ts';
export type {
  ConflictPolicy,
  HelixChatCallbacks,
  HelixChatOptions,
  HelixChatSettings,
} from './chatOptions.ts';
export { createHelixChat, type HelixChat } from './createHelixChat.ts';
export { type HelixDefaults, HelixProvider, type HelixProviderProps } from './HelixProvider.tsx';
export {
  type SharedChatOptions,
  type UseHelixChat,
  type UseHelixChatOptions,
  useHelixChat,
} from './useHelixChat.ts';
