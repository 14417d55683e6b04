import type { UseChatHelpers } from '@ai-sdk/react';
import type { ChatRequestOptions, FileUIPart, UIMessage } from 'ai';
import type { FailureAction } from '../errors/failure.ts';
import { isRequestKey, REQUEST_KEY_HEADER } from '../protocol/requestKey.ts';
import type { Entry } from '../recovery/model.ts';
import type { StopMode } from '../recovery/ports.ts';
import { answersIn } from '../recovery/toolParts.ts';
import { pendingOf } from '../recovery/waitingEdit.ts';
import { toFileParts } from '../transport/fileParts.ts';
import { reportToDeveloper } from './developer.ts';
import { foldTarget } from './foldTarget.ts';
import type { MountableChat } from './mountableChat.ts';
import type { Session } from './session.ts';
import { createToolAnswers } from './toolAnswers.ts';

type SdkActions<M extends UIMessage> = Pick<
  UseChatHelpers<M>,
  | 'sendMessage'
  | 'regenerate'
  | 'stop'
  | 'resumeStream'
  | 'clearError'
  | 'addToolOutput'
  | 'addToolResult'
  | 'addToolApprovalResponse'
>;

/** Everything that can be done to a chat. The functions are stable for the life of the chat object. */
export interface ChatActions<M extends UIMessage> extends SdkActions<M> {
  readonly retry: () => Promise<void>;
  readonly act: (action: FailureAction, options?: { id?: string }) => Promise<void>;
  readonly resync: () => Promise<void>;
  readonly stopRun: (mode?: StopMode) => Promise<void>;
  readonly stopAndSend: (id?: string) => Promise<void>;
  readonly cancelPendingSend: (id?: string) => Promise<M | undefined>;
  readonly dismiss: () => void;
  /** Replaces the chat's messages. The pending ones that `messages` ends with are never part of them. */
  readonly setMessages: (messages: M[] | ((messages: M[]) => M[])) => void;
}

const REPEATS: readonly FailureAction[] = [
  'send-again',
  'new-reply',
  'reload',
  'check',
  'answer-again',
  'continue',
];

type SendInput = {
  text?: string;
  files?: FileList | FileUIPart[];
  parts?: UIMessage['parts'];
  id?: string;
  role?: UIMessage['role'];
  metadata?: unknown;
  messageId?: string;
};

const misuse = (what: string, causes: string, todo: string): Error =>
  new Error(`[helix-chat] ${what} ${causes} ${todo}`);

function submitted(messages: readonly UIMessage[]) {
  const { targetId, answers } = answersIn(messages);
  return { answers, ...(targetId === undefined ? {} : { targetId }) };
}

/** An app's own request key for one send must be usable, or its repeats could not be told apart. */
function checkRequestKey(options: ChatRequestOptions | undefined): void {
  const headers = options?.headers;
  if (headers === undefined) return;
  const key = new Headers(headers as HeadersInit).get(REQUEST_KEY_HEADER);
  if (key === null || isRequestKey(key)) return;
  throw misuse(
    `The header ${REQUEST_KEY_HEADER} of a send is malformed.`,
    'The server would refuse it, and repeats could double the message.',
    'Give 1 to 128 characters of A-Z a-z 0-9 . _ : -',
  );
}

/** The acts of one chat. Each opens a session where none is, so that it can be called at any time. */
export function createChatActions<M extends UIMessage>(helix: MountableChat<M>): ChatActions<M> {
  const session = (): Session<M> => helix.open();

  const buildMessage = (input: SendInput, files: readonly FileUIPart[]): M =>
    ({
      id: input.messageId ?? input.id ?? session().chat.generateId(),
      role: input.role ?? 'user',
      parts: input.parts ?? [
        ...files,
        ...(input.text === undefined ? [] : [{ type: 'text', text: input.text }]),
      ],
      ...(input.metadata === undefined ? {} : { metadata: input.metadata }),
    }) as unknown as M;

  const send = async (message: M, request: unknown, editOf: string | undefined): Promise<void> => {
    const { controller } = session();
    const foldInto = foldTarget(controller.model().queue, message, editOf);
    await controller.act({
      type: 'act-requested',
      kind: editOf === undefined ? 'send' : 'edit',
      message,
      // Two edits of one message, in two tabs perhaps, are two texts.
      entryId: editOf === undefined ? message.id : `${message.id}~${session().chat.generateId()}`,
      request,
      ...(editOf === undefined ? {} : { targetId: editOf }),
      ...(foldInto === undefined ? {} : { foldInto }),
    });
  };

  /** The last message goes as it is: answers to tool calls, mostly. `again`: a person's repeat of those that failed. */
  const submit = async (request?: ChatRequestOptions, again = false): Promise<void> => {
    const { controller, chat } = session();
    await controller.act({
      type: 'act-requested',
      kind: 'submit',
      entryId: '',
      request,
      again,
      ...submitted(chat.messages),
    });
  };

  const isInChat = (id: string): boolean =>
    session().chat.messages.some((message) => message.id === id);

  const requireMessage = (id: string, role: string | undefined): void => {
    const found = session().chat.messages.find((message) => message.id === id);
    if (found === undefined) {
      throw misuse(
        `There is no message with the id ${JSON.stringify(id)} in this chat.`,
        'Nothing can be changed or written anew.',
        'Give the id of a message in `messages`.',
      );
    }
    if (role !== undefined && found.role !== role) {
      throw misuse(
        `The message ${JSON.stringify(id)} is not the person's own.`,
        'It cannot be edited.',
        'Give the id of a message whose role is `user`.',
      );
    }
  };

  const regenerate = async (
    options: { messageId?: string } & ChatRequestOptions = {},
  ): Promise<void> => {
    const { messageId, ...request } = options;
    checkRequestKey(request);
    const { controller, chat, port } = session();
    const newest = controller.model().queue.at(-1)?.pending;
    if (messageId !== undefined && stillPending(messageId) !== undefined) {
      await act('send-again', { id: messageId });
      return;
    }
    // Stock apps offer a retry as `regenerate()`: the newest message that failed goes again.
    if (messageId === undefined && newest?.state === 'failed') {
      await act('send-again', { id: newest.id });
      return;
    }
    // A reply of which the conversation holds nothing yet is still shown, and it is the last one.
    const isShownOnly =
      messageId !== undefined &&
      port.shielded(chat.messages).at(-1)?.id === messageId &&
      !isInChat(messageId);
    if (messageId !== undefined && !isShownOnly) requireMessage(messageId, undefined);
    else if (chat.messages.length === 0) {
      throw misuse('This chat has no message.', 'There is nothing to reply to.', 'Send one first.');
    }
    await controller.act({
      type: 'act-requested',
      kind: 'regenerate',
      entryId: '',
      request,
      ...(messageId === undefined || isShownOnly ? {} : { targetId: messageId }),
    });
  };

  const stillPending = (id: string): Entry<M> | undefined =>
    pendingOf(session().controller.model()).find((entry) => entry.pending.id === id);

  const pendingFor = (id: string | undefined): Entry<M> | undefined => {
    if (id !== undefined) return stillPending(id);
    const model = session().controller.model();
    const { state } = model;
    const queue = pendingOf(model);
    const failed = state.name === 'failed' ? state.failure.id : undefined;
    return (
      queue.find(
        (entry) => entry.pending.failure !== undefined && entry.pending.failure.id === failed,
      ) ??
      queue.findLast((entry) => entry.pending.state !== 'held') ??
      queue.at(-1)
    );
  };

  const newReply = async (): Promise<void> => {
    const { chat, controller } = session();
    const last = chat.messages.at(-1);
    const { name } = controller.model().state;
    // The second press of a button whose first press is at work already.
    if (last === undefined || (name !== 'idle' && name !== 'failed')) return;
    await controller.act({
      type: 'act-requested',
      kind: 'regenerate',
      entryId: '',
      again: true,
      ...(last.role === 'assistant' ? { targetId: last.id } : {}),
    });
  };

  const continueReply = async (): Promise<void> => {
    const { chat, controller, canContinue } = session();
    if (!canContinue()) {
      reportToDeveloper(
        '[helix-chat] `continue` was asked for where no retry route is known. Nothing happened. ' +
          'Name the route in `resync.retry`, and offer the action only while `failure.actions` holds it.',
      );
      return;
    }
    const last = chat.messages.at(-1);
    await controller.act({
      type: 'act-requested',
      kind: 'continue',
      entryId: '',
      again: true,
      ...(last?.role === 'assistant' ? { targetId: last.id } : {}),
    });
  };

  const resync = async (): Promise<void> => {
    const { controller } = session();
    controller.dispatch({ type: 'resync-requested' });
    await Promise.resolve();
  };

  /** Gives a message to the composer. False where there is none, or where it threw: the message stays where it is. */
  const handOver = (message: M, why: 'take-back' | 'edit', id: string): boolean => {
    const { listeners } = session();
    const target = [...listeners].find((listener) => listener.current.onDraft !== undefined);
    if (target === undefined) return false;
    try {
      target.current.onDraft?.(message, why, id);
    } catch (error) {
      reportToDeveloper(
        `[helix-chat] \`onDraft\` threw (${String(error)}). The message stays where it is. Mend the callback.`,
      );
      return false;
    }
    return true;
  };

  /** Keeps other tabs from a pending message that is about to leave. Undefined: another tab has it, or it has gone. */
  const reserved = async (id: string): Promise<Entry<M> | undefined> => {
    const isOurs = session().controller.reserve(id);
    if (!(typeof isOurs === 'boolean' ? isOurs : await isOurs)) return undefined;
    return stillPending(id);
  };

  /** The same; one of unclear fate is looked for in the conversation first. */
  const reservedAndAbsent = async (id: string): Promise<Entry<M> | undefined> => {
    const entry = await reserved(id);
    if (!entry?.turn.unclear) return entry;
    return (await session().controller.hasArrived(id)) ? undefined : stillPending(id);
  };

  /** Gives a pending message to the composer. */
  const handBack = ({ pending, turn }: Entry<M>, why: 'take-back' | 'edit'): void => {
    const { controller } = session();
    const { id } = pending;
    // Another press may have been quicker.
    if (stillPending(id) === undefined) return;
    // A changed text goes back as a change of its message, or it would be sent as another one.
    const { targetId } = turn;
    const given =
      targetId === undefined
        ? handOver(pending.message, why, id)
        : handOver(pending.message, 'edit', targetId);
    if (given) controller.dispatch({ type: 'entry-removed', entryId: id });
    else controller.letGo(id);
  };

  const editPending = async (id: string): Promise<void> => {
    const entry = await reserved(id);
    if (entry !== undefined) handBack(entry, 'edit');
  };

  const editFailed = async (id: string | undefined): Promise<void> => {
    const { controller, chat } = session();
    const { state } = controller.model();
    const named = id === undefined ? undefined : stillPending(id);
    if (named !== undefined) {
      await editPending(named.pending.id);
      return;
    }
    if (state.name !== 'failed') return;
    const { messageId } = state.failure;
    const pending = pendingFor(undefined);
    if (pending?.pending.failure?.id === state.failure.id) {
      await editPending(pending.pending.id);
      return;
    }
    const at = chat.messages.findIndex((message) => message.id === messageId);
    const message = chat.messages
      .slice(0, at === -1 ? undefined : at + 1)
      .findLast((other) => other.role === 'user');
    if (message !== undefined) handOver(message, 'edit', message.id);
  };

  const stopAndSend = async (id?: string): Promise<void> => {
    session().controller.dispatch({
      type: 'stop-send-requested',
      ...(id === undefined ? {} : { entryId: id }),
    });
    await Promise.resolve();
  };

  const cancelPendingSend = async (id?: string): Promise<M | undefined> => {
    const { controller } = session();
    const entry = id === undefined ? pendingOf(controller.model()).at(-1) : stillPending(id);
    if (entry === undefined) return undefined;
    const { id: entryId } = entry.pending;
    if ((await reservedAndAbsent(entryId)) === undefined) return undefined;
    // Another press may have been quicker.
    if (stillPending(entryId) === undefined) return undefined;
    controller.dispatch({ type: 'entry-removed', entryId });
    return entry.pending.message;
  };

  const takeBack = async (id: string | undefined): Promise<void> => {
    const named = pendingFor(id);
    const entry = named && (await reservedAndAbsent(named.pending.id));
    if (entry !== undefined) handBack(entry, 'take-back');
  };

  const act = async (action: FailureAction, options: { id?: string } = {}): Promise<void> => {
    const { controller } = session();
    const { id } = options;
    switch (action) {
      case 'send-again': {
        const entry = pendingFor(id);
        if (entry === undefined) {
          // A named message that is not pending any more has gone already.
          if (id === undefined) await newReply();
        } else {
          const { id: entryId } = entry.pending;
          const { kind, targetId } = entry.turn;
          const asNew = kind === 'edit' && targetId !== undefined && !isInChat(targetId);
          // It may have changed its message before the page was loaded anew.
          if (asNew && entry.turn.unclear && (await controller.hasArrived(entryId))) return;
          controller.dispatch({ type: 'send-again-requested', entryId, asNew });
        }
        return;
      }
      case 'new-reply': {
        // After a refused edit another reply is the reply to the changed text: of the named one, whatever has failed since.
        const { state } = controller.model();
        const failed = state.name === 'failed' ? state.failure : undefined;
        const isEdit = id !== undefined || failed?.phase === 'edit';
        const entry = isEdit ? pendingFor(id) : undefined;
        if (entry !== undefined && (id !== undefined || entry.pending.failure?.id === failed?.id)) {
          await act('send-again', { id: entry.pending.id });
        } else await newReply();
        return;
      }
      case 'reload':
      case 'check':
        await resync();
        return;
      case 'answer-again':
        await submit(undefined, true);
        return;
      case 'continue':
        await continueReply();
        return;
      case 'edit':
        await editFailed(id);
        return;
      case 'take-back':
        await takeBack(id);
        return;
      case 'try-now':
        controller.dispatch({ type: 'try-now-requested' });
        return;
      case 'stop-waiting':
        await stop();
        return;
      case 'wait':
        controller.dispatch({ type: 'wait-chosen', ...(id === undefined ? {} : { entryId: id }) });
        return;
      case 'stop-send':
        await stopAndSend(id);
        return;
      case 'stop-again':
        controller.dispatch({ type: 'run-stop-requested', mode: 'interrupt' });
        return;
      case 'dismiss':
        controller.dispatch({ type: 'dismissed' });
        return;
      default:
        reportToDeveloper(
          `[helix-chat] The action "${action}" has no handler in the chat itself. Nothing happened. ` +
            'Handle it in the app, with `actions` of HelixUIProvider.',
        );
    }
  };

  const stop = async (): Promise<void> => {
    stops += 1;
    const { controller } = session();
    controller.dispatch({ type: 'stop-requested' });
    await Promise.resolve();
  };

  const dismiss = (): void => session().controller.dispatch({ type: 'dismissed' });

  /** Sends whose files are read wait for each other; one that a stop meets meanwhile is kept without being sent. */
  let reading: Promise<unknown> | undefined;
  let stops = 0;
  const sendInTurn = async (
    input: SendInput,
    files: readonly FileUIPart[] | Promise<readonly FileUIPart[]>,
    request: ChatRequestOptions | undefined,
  ): Promise<void> => {
    const stopsBefore = stops;
    const mine = Promise.all([files, reading?.catch(() => {})]);
    reading = mine;
    const [parts] = await mine.finally(() => {
      if (reading === mine) reading = undefined;
    });
    const message = buildMessage(input, parts);
    if (stops === stopsBefore) await send(message, request, input.messageId);
    else await park(message, request);
  };

  const park = (message: M, request: unknown): Promise<void> =>
    session().controller.act({
      type: 'act-requested',
      kind: 'send',
      message,
      entryId: message.id,
      request,
      park: true,
    });

  /** A message that is still pending is changed by one that goes in its stead; if it has arrived meanwhile, it is edited there. */
  const replacePending = async (
    id: string,
    input: SendInput,
    request: ChatRequestOptions | undefined,
  ): Promise<void> => {
    const { messageId: _pending, ...instead } = input;
    const target = stillPending(id)?.turn.targetId;
    const isBack = (await cancelPendingSend(id)) !== undefined;
    if (!isBack && isInChat(id)) await sendMessage(input as never, request);
    else if (target !== undefined && isInChat(target)) {
      await sendMessage({ ...instead, messageId: target } as never, request);
    } else await sendMessage(instead as never, request);
  };

  const sendMessage = (async (input?: SendInput, request?: ChatRequestOptions) => {
    checkRequestKey(request);
    if (input === undefined || input === null) {
      await submit(request);
      return;
    }
    const { messageId } = input;
    if (messageId !== undefined && stillPending(messageId) !== undefined) {
      await replacePending(messageId, input, request);
      return;
    }
    if (messageId !== undefined) requireMessage(messageId, 'user');
    const files = toFileParts(input.files);
    if (!(files instanceof Promise) && reading === undefined) {
      await send(buildMessage(input, files), request, messageId);
      return;
    }
    await sendInTurn(input, files, request);
  }) as ChatActions<M>['sendMessage'];

  return {
    sendMessage,
    regenerate,
    stop,
    resumeStream: async () => {
      await resync();
    },
    clearError: dismiss,
    ...createToolAnswers(session),
    async retry() {
      const { state } = session().controller.model();
      const action =
        state.name === 'failed'
          ? state.failure.actions.find((candidate) => REPEATS.includes(candidate))
          : undefined;
      if (action === undefined) {
        reportToDeveloper(
          '[helix-chat] `retry()` was called where nothing can be repeated. Nothing happened. ' +
            'Offer it only while `failure.actions` holds a repeat.',
        );
        return;
      }
      await act(action);
    },
    act,
    resync,
    async stopRun(mode = 'interrupt') {
      session().controller.dispatch({ type: 'run-stop-requested', mode });
      await Promise.resolve();
    },
    stopAndSend,
    cancelPendingSend,
    dismiss,
    setMessages(given) {
      const { chat, controller } = session();
      const next = typeof given === 'function' ? given(chat.messages) : given;
      const pending = new Set<unknown>(
        pendingOf(controller.model()).map(({ pending }) => pending.message),
      );
      chat.messages = next.filter((message) => !pending.has(message));
    },
  };
}
