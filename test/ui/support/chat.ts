import type { Failure, FailureAction } from '../../../src/errors/failure.ts';
import type { ChatMessage, HelixChatHandle, PendingSend } from '../../../src/recovery/ports.ts';
import type { RecoveryState } from '../../../src/recovery/state.ts';

export interface ScriptedChat extends HelixChatHandle {
  /** What was asked of it: the action, and the message if one was named. */
  readonly acts: readonly (readonly [FailureAction, string | undefined])[];
}

interface ChatInit extends Partial<Omit<HelixChatHandle, 'act'>> {
  /** Plays the chat's part when an action runs. */
  act?(action: FailureAction, id: string | undefined): void | Promise<void>;
}

/** A chat that stands still: what `useHelixChat` would return in one state, and a record of what was asked of it. */
export function chatOf({ act, ...init }: ChatInit = {}): ScriptedChat {
  const acts: [FailureAction, string | undefined][] = [];
  return {
    id: 'chat-1',
    messages: [],
    status: 'ready',
    error: undefined,
    failure: undefined,
    recovery: { name: 'idle' },
    offline: false,
    pendingSends: [],
    pendingInMessages: false,
    canSend: true,
    canStop: false,
    retry: async () => {},
    resync: async () => {},
    stop: async () => {},
    stopRun: async () => {},
    stopAndSend: async () => {},
    cancelPendingSend: async () => undefined,
    dismiss: () => {},
    ...init,
    acts,
    async act(action, options) {
      acts.push([action, options?.id]);
      await act?.(action, options?.id);
    },
  };
}

/** The chat that stands with a failure. */
export function failedChat(failure: Failure, init: ChatInit = {}): ScriptedChat {
  return chatOf({
    status: failure.severity === 'notice' ? 'ready' : 'error',
    failure,
    error: failure.error,
    recovery: { name: 'failed', failure },
    ...init,
  });
}

/** A send that waits for its next try. */
export function backingOff(
  failure: Failure,
  since: number,
  wait: number,
  init: Partial<Extract<RecoveryState, { name: 'backing-off' }>> = {},
): RecoveryState {
  return {
    name: 'backing-off',
    since,
    of: 'send',
    cause: 'backoff',
    retryAt: since + wait,
    attempt: 2,
    attempts: 4,
    phase: 'send',
    failure,
    ...init,
  };
}

export function message(id: string, role: string, text: string, files: string[] = []): ChatMessage {
  const parts: { type: string }[] = files.map((filename) => ({
    type: 'file',
    filename,
    mediaType: 'text/plain',
    url: 'data:,',
  }));
  if (text) parts.push({ type: 'text', text } as { type: string });
  return { id, role, parts };
}

export function pending(
  id: string,
  text: string,
  init: Partial<PendingSend> & { files?: string[] } = {},
): PendingSend {
  const { files, ...rest } = init;
  return { id, message: message(id, 'user', text, files), state: 'held', ...rest };
}
