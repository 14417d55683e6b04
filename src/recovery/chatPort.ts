import type { Turn } from './model.ts';
import type { ChatMessage } from './ports.ts';
import type { MessageList } from './transcript.ts';

/** The SDK's chat as the controller uses it: implemented by `react/chatPort.ts`, by a fake in tests. */
export interface ChatPort<M extends ChatMessage> extends MessageList<M> {
  readonly id: string;
  /** Makes the SDK call of an act. Resolves when the SDK is done with it. */
  call(turn: Turn<M>): Promise<void>;
  /** Joins the live run; `kept` is the reply that shields the replay. */
  attach(kept: M | undefined): Promise<void>;
  stop(): Promise<void>;
  /** Hands open client tool calls of the last message to the app, each once. */
  dispatchOpenCalls(): void;
}
