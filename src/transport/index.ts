export type {
  BindableTransport,
  BindOptions,
  BindSettings,
  BoundTransport,
} from './boundTransport.ts';
export { HelixChatTransport } from './HelixChatTransport.ts';
export type { KeyMode } from './keys.ts';
export type { Routes, RoutesOption, Url } from './routes.ts';
export type { HelixChatTransportOptions, RecoveryOptions, Timeouts } from './transportOptions.ts';
export type { ChatHost, TurnHost } from './turnHost.ts';
export { wrapTransport } from './wrapTransport.ts';
