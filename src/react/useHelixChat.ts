import { useChat } from '@ai-sdk/react';
import type { UIMessage } from 'ai';
import {
  useEffect,
  useInsertionEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { HelixError } from '../errors/HelixError.ts';
import { gateLeftMs, holdsActs, type Model } from '../recovery/model.ts';
import type { HelixChatHandle, PendingSend } from '../recovery/ports.ts';
import { chatStatusOf } from '../recovery/state.ts';
import { waitingEdit } from '../recovery/waitingEdit.ts';
import { type ChatActions, createChatActions } from './chatActions.ts';
import type { HelixChatCallbacks, HelixChatOptions } from './chatOptions.ts';
import type { HelixChat } from './createHelixChat.ts';
import { useHelixDefaults } from './HelixProvider.tsx';
import { type MountableChat, mountableChat } from './mountableChat.ts';
import type { Session } from './session.ts';

/** `useHelixChat({ chat })`: a chat that is shared by object, with this component's own callbacks. */
export interface SharedChatOptions<M extends UIMessage> extends HelixChatCallbacks<M> {
  readonly chat: HelixChat<M>;
}

interface RenderOptions {
  /** Ms between two renders of messages while a reply streams. Default: none. */
  readonly throttle?: number;
  readonly experimental_throttle?: number;
}

/** What `useHelixChat` returns: all of `useChat`'s, and the recovery of the chat. */
export type UseHelixChat<M extends UIMessage> = Omit<HelixChatHandle<M>, 'messages'> &
  ChatActions<M> & {
    readonly messages: M[];
  };

/** The hook's options: those of a chat, or a chat, and how often it draws. */
export type UseHelixChatOptions<M extends UIMessage> = (
  | HelixChatOptions<M>
  | SharedChatOptions<M>
) &
  RenderOptions;

/**
 * `useChat` plus recovery. Takes `useChat`'s options and those of `HelixChatOptions`, or a chat from `createHelixChat`.
 * Throws at once, in three parts, on options that would break the chat later.
 */
export function useHelixChat<M extends UIMessage = UIMessage>(
  options: UseHelixChatOptions<M> = {},
): UseHelixChat<M> {
  // The chat is read live at render: a compiler that cached these reads would draw a terminal state beside old text.
  'use no memo';
  const defaults = useHelixDefaults();
  const latest = useLatest(options);
  const helix = useSharedOrOwn<M>(options, latest);
  const session = helix.open(defaults);
  const callbacks = latest as { readonly current: HelixChatCallbacks<M> };

  useEffect(() => {
    const { listeners } = helix.open();
    listeners.add(callbacks);
    const release = helix.retain();
    return () => {
      listeners.delete(callbacks);
      release();
    };
  }, [helix, callbacks]);

  const { controller, chat, port } = session;
  useSyncExternalStore(controller.subscribe, controller.version, controller.version);
  const throttle = options.throttle ?? options.experimental_throttle;
  const pace = throttle === undefined ? {} : { throttle, experimental_throttle: throttle };
  const drawn = useChat<M>({ chat, ...pace } as Parameters<typeof useChat<M>>[0]);
  const actions = useMemo(() => createChatActions(helix), [helix]);

  const model = controller.model();
  const { state } = model;
  // While a reply streams the messages may lag by the throttle, but a new row never does.
  const lags = state.name === 'streaming' && drawn.messages.length === chat.messages.length;
  const base = lags && throttle !== undefined ? drawn.messages : chat.messages;
  const shielded = state.name === 'idle' || state.name === 'failed' ? base : port.shielded(base);
  const pendingSends = usePending<M>(model);
  const messages = useTail(shielded, session.pendingInMessages ? pendingSends : NONE);
  const failure = state.name === 'failed' ? state.failure : undefined;
  const error: HelixError | undefined =
    failure !== undefined && failure.severity !== 'notice' ? failure.error : undefined;

  return {
    ...actions,
    id: helix.id,
    messages,
    status: chatStatusOf(state),
    error,
    failure,
    recovery: state,
    offline: controller.offline(),
    pendingSends,
    canTakeBack: session.canDraft(),
    pendingInMessages: session.pendingInMessages,
    canSend: canSendNow(session),
    canStop: state.name !== 'idle' && state.name !== 'failed',
  };
}

const NONE: readonly PendingSend[] = [];

function canSendNow<M extends UIMessage>({ controller, world }: Session<M>): boolean {
  const model = controller.model();
  return gateLeftMs(model, world.monotonic()) === 0 && !holdsActs(model);
}

/** A ref that holds the options of the latest committed render. */
function useLatest<T>(value: T): { readonly current: T } {
  const ref = useRef(value);
  useInsertionEffect(() => {
    ref.current = value;
  });
  return ref;
}

function useSharedOrOwn<M extends UIMessage>(
  options: UseHelixChatOptions<M>,
  latest: { readonly current: UseHelixChatOptions<M> },
): MountableChat<M> {
  const shared = 'chat' in options ? (options.chat as MountableChat<M>) : undefined;
  if ('chat' in options) checkShared(shared);
  const wanted = shared === undefined ? (options as HelixChatOptions<M>).id : undefined;
  const make = (): MountableChat<M> =>
    mountableChat<M>(options as HelixChatOptions<M>, () => latest.current as HelixChatOptions<M>);
  const [own, setOwn] = useState<MountableChat<M> | undefined>(() =>
    shared === undefined ? make() : undefined,
  );
  const [left] = useState(() => new Map<string, MountableChat<M>>());
  if (shared !== undefined) return shared;
  if (own !== undefined && (wanted === undefined || own.id === wanted)) return own;
  // A chat that is left with something of the person's in it is met again by its id. Nothing is taken out of the map for
  // the chat that is met: a render may be done twice.
  if (own?.holdsSomething()) left.set(own.id, own);
  else if (own !== undefined) left.delete(own.id);
  const next = (wanted === undefined ? undefined : left.get(wanted)) ?? make();
  setOwn(next);
  return next;
}

function checkShared(chat: unknown): void {
  const { kind } = (chat ?? {}) as { kind?: unknown };
  if (kind === 'helix-chat') return;
  throw new Error(
    '[helix-chat] `chat` is not a chat of helix-chat (a `Chat` of the AI SDK, perhaps). Its failures could not be ' +
      'recovered. Make it with `createHelixChat(options)`, or give the options to `useHelixChat` itself.',
  );
}

function usePending<M extends UIMessage>(model: Model<M>): readonly PendingSend<M>[] {
  const { queue } = model;
  const waiting = waitingEdit(model)?.pending;
  return useMemo(() => {
    const pending = queue.map((entry) => entry.pending);
    return waiting === undefined ? pending : [...pending, waiting];
  }, [queue, waiting]);
}

/** The messages with the pending ones behind them. */
function useTail<M extends UIMessage>(
  messages: readonly M[],
  pending: readonly PendingSend[],
): M[] {
  return useMemo(() => {
    if (pending.length === 0) return messages as M[];
    const drawn = new Set(messages.map((message) => message.id));
    const tail = pending.filter(({ message }) => !drawn.has(message.id));
    return [...messages, ...tail.map(({ message }) => message as unknown as M)];
  }, [messages, pending]);
}
