/** Entry `helix-chat/transport`: the SDK's transport with typed errors, and any other one wrapped. */

export type { ErrorAdapter } from '../errors/toHelixError.ts';
export type { Snapshot } from '../protocol/snapshot.ts';
export { DEFAULT_TRIGGERS } from '../protocol/triggers.ts';
export type { World } from '../world.ts';
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
export type {
  Backend,
  ChatHost,
  Cut,
  CutAnswer,
  FailAnswer,
  Refusal,
  RefusalAnswer,
  RouteKnowledge,
  RunIdentity,
  SnapshotAnswer,
  StopAnswer,
  Trigger,
  TurnCall,
  TurnEnd,
  TurnHost,
} from './turnHost.ts';
export { wrapTransport } from './wrapTransport.ts';
