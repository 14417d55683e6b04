import { Chat } from '@ai-sdk/react';
import type { UIMessage } from 'ai';
import { HelixError } from '../errors/HelixError.ts';
import type { Answers } from '../recovery/answers.ts';
import type { Finish } from '../recovery/appVoice.ts';
import { createBreaker } from '../recovery/breaker.ts';
import { createBudget } from '../recovery/budget.ts';
import { type Controller, createController } from '../recovery/controller.ts';
import type { Conflict } from '../recovery/draft.ts';
import { resolvePolicy } from '../recovery/policy.ts';
import { type ToolPart, toolPartsOf, waitsForAnswer } from '../recovery/toolParts.ts';
import type { AwaitedMessage } from '../recovery/transcript.ts';
import type { BindableTransport, BoundTransport } from '../transport/boundTransport.ts';
import { HelixChatTransport } from '../transport/HelixChatTransport.ts';
import type { Timeouts } from '../transport/transportOptions.ts';
import { systemWorld, type World } from '../world.ts';
import { createAutoSend } from './autoSend.ts';
import type { HelixChatCallbacks, HelixChatOptions } from './chatOptions.ts';
import { createChatPort, type SdkChatPort } from './chatPort.ts';
import { bindableTransport } from './chatTransport.ts';
import { reportToDeveloper, safely } from './developer.ts';
import { type HelixDefaults, pageLimits } from './HelixProvider.tsx';
import { keeping } from './keeping.ts';
import { createToolCalls, openToolCall } from './toolCalls.ts';

/** What a chat remembers from one mount to the next. */
export interface ChatMemory<M extends UIMessage> {
  /** The tool calls that the app has heard of. */
  readonly seenCalls: Set<string>;
  /** The sets of answers that have gone out. */
  readonly submitted: Set<string>;
  /** The answers that the server is not known to have. */
  readonly answers: Answers;
  /** Ids that the server has given messages of ours, by the server's. */
  readonly renamedIds: Map<string, string>;
  /** Names the chat to other tabs, where it keeps pending messages in a store. */
  readonly identity: { owner?: string };
  /** The message that the server has taken and no read of the conversation has held yet. */
  readonly awaited: AwaitedMessage;
  /** The way to the backend, made by the first session: it knows which routes there are. */
  transport: BindableTransport<M> | undefined;
}

/** Everything of one mounted chat: the SDK's `Chat`, the recovery beside it, and who listens. */
export interface Session<M extends UIMessage> {
  readonly chat: Chat<M>;
  readonly controller: Controller<M>;
  readonly port: SdkChatPort<M>;
  readonly world: World;
  /** The send URL without query. */
  readonly endpoint: string;
  readonly pendingInMessages: boolean;
  readonly loads: boolean;
  readonly canDraft: () => boolean;
  /** A failed run can be gone on with. */
  readonly canContinue: () => boolean;
  readonly listeners: Set<{ readonly current: HelixChatCallbacks<M> }>;
  /** Ends all work of this session. */
  readonly end: () => void;
  readonly answers: Answers;
  /** An answer was given: it may go, though the same went out before. */
  readonly freeAnswers: () => void;
}

/**
 * Opens a chat: nothing is requested before it is told to. `latest` gives the options of the latest render; `own`
 * listens for as long as the session lives, besides the components that come and go. `memory` outlives the session.
 */
export function createSession<M extends UIMessage>(
  options: HelixChatOptions<M>,
  latest: () => HelixChatOptions<M>,
  defaults: HelixDefaults,
  givenId: string | undefined,
  own: HelixChatCallbacks<M> | undefined,
  memory: ChatMemory<M>,
): Session<M> {
  const { transport } = options;
  const given = HelixChatTransport.isInstance(transport) ? transport.given : undefined;
  const chosenWorld = options.world ?? given?.world ?? defaults.world;
  const world = chosenWorld ?? systemWorld();
  const policy = resolvePolicy({
    ...defaults.recovery,
    ...present(given?.timeouts),
    ...options.recovery,
  });
  const limits = pageLimits(policy, world, chosenWorld !== undefined);
  const listeners = new Set<{ readonly current: HelixChatCallbacks<M> }>();
  if (own !== undefined) listeners.add({ current: own });
  const each = (call: (callbacks: HelixChatCallbacks<M>) => unknown, name: string): void => {
    const heard = listeners.size > 0 ? [...listeners] : [{ current: latest() }];
    for (const listener of heard) safely(name, () => call(listener.current));
  };
  // Whether there is one is bound; the one that is called is that of the latest render.
  const signsIn = (options.onUnauthorized ?? defaults.onUnauthorized) !== undefined;
  const askApp = async (error: HelixError): Promise<boolean> =>
    (await (latest().onUnauthorized ?? defaults.onUnauthorized)?.(error)) !== false;
  const signIns = defaults.signIn ?? limits.signIn;
  const self = {};
  // Whoever asks for a provider asks for all its chats, and its question outlives the chat that put it.
  const signInOf = (): { of: string; who: object } =>
    latest().onUnauthorized === undefined
      ? { of: 'provider', who: defaults }
      : { of: `endpoint ${wire.endpoint}`, who: self };
  const canDraft = (): boolean =>
    [...listeners].some((listener) => listener.current.onDraft !== undefined) ||
    latest().onDraft !== undefined;
  const { answers } = memory;
  // Bound below, before any callback can run.
  let chat: Chat<M>;

  const controller = createController<M>({
    world,
    policy,
    budget: ownLimit(options.recovery?.budget, createBudget) ?? defaults.budget ?? limits.budget,
    breaker:
      ownLimit(options.recovery?.breaker, createBreaker) ?? defaults.breaker ?? limits.breaker,
    stopsServer: () => latest().stopServer ?? 'interrupt',
    hasDraft: canDraft,
    renamedIds: memory.renamedIds,
    awaited: memory.awaited,
    answers,
    ...keeping(options, world, memory.identity),
    seesSoftFailures: () => latest().detectSoftFailure !== false,
    listeners: {
      onError: (error) => each((callbacks) => callbacks.onError?.(error), 'onError'),
      onFinish: (finish) =>
        each((callbacks) => callbacks.onFinish?.(finishEvent(chat, finish)), 'onFinish'),
      onFailure: (failure) => each((callbacks) => callbacks.onFailure?.(failure), 'onFailure'),
      onRecovered: () => each((callbacks) => callbacks.onRecovered?.(), 'onRecovered'),
      onReport: (report) => each((callbacks) => callbacks.onEvent?.(report), 'onEvent'),
      onUnauthorized: !signsIn
        ? undefined
        : (error, since) =>
            signIns.ask({
              ...{ ...signInOf(), since, mono: () => world.monotonic() },
              question: () => askApp(error),
            }),
      conflict: (info) => conflictOf(latest().onConflict, info),
      wantsAnswers(again) {
        if (again) autoSend.free(chat.messages);
        return autoSend.wants(chat.messages);
      },
      softFailure(message, about) {
        const { detectSoftFailure: detect } = latest();
        if (detect === false) return undefined;
        let found: HelixError | undefined;
        safely('detectSoftFailure', () => {
          const init = detect?.(message, about);
          if (init !== undefined) found = HelixError.isInstance(init) ? init : new HelixError(init);
        });
        return found;
      },
      allow(move, failure) {
        let allowed = true;
        safely('recovery.allow', () => {
          allowed = policy.allow?.(move, failure) !== false;
        });
        return allowed;
      },
    },
  });

  const autoSend = createAutoSend<M>({
    predicate: () => latest().sendAutomaticallyWhen,
    submitted: memory.submitted,
  });

  const callOnScreen = (toolCallId: string): ToolPart | undefined =>
    toolPartsOf(chat.messages).findLast((part) => part.toolCallId === toolCallId);
  const isIdle = (): boolean => controller.model().state.name === 'idle';

  const toolCalls = createToolCalls({
    world,
    lockName: (toolCallId) =>
      `helix-chat call ${JSON.stringify([wire.endpoint, chatId, toolCallId])}`,
    seen: memory.seenCalls,
    isOpen(toolCallId) {
      const part = callOnScreen(toolCallId);
      return part !== undefined && waitsForAnswer(part);
    },
    isAnswered(toolCallId) {
      const part = callOnScreen(toolCallId);
      return part !== undefined && answers.holds(part);
    },
    isAtRest: () => isIdle() && controller.model().job.at === 'rest',
    read: () => controller.dispatch({ type: 'look-requested' }),
    run(call) {
      each((callbacks): unknown => {
        type Call = Parameters<NonNullable<typeof callbacks.onToolCall>>[0];
        return callbacks.onToolCall?.({ toolCall: call } as unknown as Call);
      }, 'onToolCall');
    },
  });

  memory.transport ??= bindableTransport(options, latest, world);
  const bindable = memory.transport;
  const bound = (chatId: string): BoundTransport<M> =>
    bindable.bind({
      chatId,
      host: controller.host,
      settings: {
        world,
        timeouts: timeoutsOf({ ...defaults.recovery, ...given?.timeouts, ...options.recovery }),
        adapters: options.adapters ?? given?.adapters ?? defaults.adapters ?? [],
        onDeveloperNote: reportToDeveloper,
        routes: options.resync,
        requestKeys: options.requestKeys,
        generateId: () => chat.generateId(),
        replyId: () => (chat.lastMessage?.role === 'assistant' ? chat.lastMessage.id : undefined),
      },
    });

  const makeChat = (chatId: string, wire: BoundTransport<M>): Chat<M> =>
    new Chat<M>({
      id: chatId,
      transport: wire,
      messages: options.messages ?? [],
      ...(options.generateId === undefined ? {} : { generateId: options.generateId }),
      ...(options.messageMetadataSchema === undefined
        ? {}
        : { messageMetadataSchema: options.messageMetadataSchema }),
      ...(options.dataPartSchemas === undefined
        ? {}
        : { dataPartSchemas: options.dataPartSchemas }),
      onError: (error) => controller.chatFailed(error),
      onFinish: ({ message, isAbort, isDisconnect, isError, finishReason }) =>
        controller.chatFinished({ message, isAbort, isDisconnect, isError, finishReason }),
      onData: (part) => each((callbacks) => callbacks.onData?.(part), 'onData'),
      // In a reply to another client a call waits for its end: that client has the first word.
      onToolCall({ toolCall }) {
        if (controller.model().own) toolCalls.streamed(toolCall);
      },
    });

  const chatId = givenId ?? (options.generateId ?? new Chat<M>({}).generateId)();
  const wire = bound(chatId);
  chat = makeChat(chatId, wire);
  const port = createChatPort<M>(chat, {
    answers,
    onOpenCall(part) {
      const call = openToolCall(part);
      if (call !== undefined) toolCalls.found(call);
    },
    onSubmit: () => autoSend.going(chat.messages),
  });
  controller.connect(port, wire);
  controller.subscribe(toolCalls.look);
  return {
    chat,
    controller,
    port,
    world,
    endpoint: wire.endpoint,
    pendingInMessages: options.pendingInMessages ?? true,
    loads: options.resume ?? wire.promised,
    canDraft,
    canContinue: () => wire.route('retry') === 'known' && wire.route('snapshot') !== 'absent',
    listeners,
    end() {
      controller.dispose();
      signIns.leave(self);
      toolCalls.end();
      wire.close();
    },
    answers,
    freeAnswers: () => autoSend.free(chat.messages),
  };
}

const present = (timeouts: Timeouts | undefined) =>
  Object.fromEntries(Object.entries(timeouts ?? {}).filter(([, ms]) => ms !== undefined));

const timeoutsOf = ({ connectMs, idleMs, progressMs, totalMs }: Timeouts): Timeouts => ({
  connectMs,
  idleMs,
  progressMs,
  totalMs,
});

/** A limit that the chat states itself is its own; else it shares one. */
const ownLimit = <L, T>(limit: L | undefined, create: (limit: L) => T): T | undefined =>
  limit === undefined ? undefined : create(limit);

function conflictOf(
  choice: HelixChatOptions<UIMessage>['onConflict'],
  info: { runId?: string; messageId: string },
): Conflict {
  if (typeof choice !== 'function') return choice ?? 'wait';
  let chosen: unknown;
  safely('onConflict', () => {
    chosen = choice(info);
  });
  return chosen === 'stop' || chosen === 'ask' || chosen === 'fail' ? chosen : 'wait';
}

function finishEvent<M extends UIMessage>(chat: Chat<M>, finish: Finish<M>) {
  const empty = { id: '', role: 'assistant', parts: [] } as unknown as M;
  return {
    message: finish.message ?? empty,
    messages: chat.messages,
    isAbort: finish.isAbort,
    isDisconnect: finish.isDisconnect,
    isError: finish.isError,
    ...(finish.finishReason === undefined ? {} : { finishReason: finish.finishReason as never }),
  };
}
