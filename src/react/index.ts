'use client';

export type { Conflict } from '../recovery/draft.ts';
export type { Move, Policy } from '../recovery/policy.ts';
export type { HelixChatHandle, PendingSend, StopMode } from '../recovery/ports.ts';
export type { RecoveryReport } from '../recovery/recoveryReport.ts';
export type { RecoveryState, RecoveryStateName } from '../recovery/state.ts';
export type {
  BindableTransport,
  BindSettings,
  BoundTransport,
} from '../transport/boundTransport.ts';
export { HelixChatTransport } from '../transport/HelixChatTransport.ts';
export type { KeyMode } from '../transport/keys.ts';
export type { Routes, RoutesOption, Url } from '../transport/routes.ts';
export type {
  HelixChatTransportOptions,
  RecoveryOptions,
  Timeouts,
} from '../transport/transportOptions.ts';
export type { ChatHost, TurnHost } from '../transport/turnHost.ts';
export { wrapTransport } from '../transport/wrapTransport.ts';
export type { ChatActions } from './chatActions.ts';
export type {
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
