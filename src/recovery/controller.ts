import { emptyReply } from '../errors/clientFailures.ts';
import type { Failure } from '../errors/failure.ts';
import type { HelixError } from '../errors/HelixError.ts';
import { toHelixError } from '../errors/toHelixError.ts';
import { createRequestKey } from '../protocol/requestKey.ts';
import type {
  Backend,
  ChatHost,
  CutAnswer,
  FailAnswer,
  RefusalAnswer,
  SnapshotAnswer,
  TurnCall,
  TurnHost,
} from '../transport/turnHost.ts';
import type { PageEvent, World } from '../world.ts';
import type { Breaker } from './breaker.ts';
import type { Budget } from './budget.ts';
import { nextDeadline } from './deadlines.ts';
import { decideTrigger, isEmptyReply } from './decide.ts';
import type { Conflict, Env } from './draft.ts';
import type { Effect } from './effects.ts';
import type { ReadResult, RecoveryEvent, RecoveryReport } from './events.ts';
import {
  findMessage,
  mergeSnapshot,
  messageSize,
  messageText,
  type RenamedIds,
} from './messageIdentity.ts';
import { type Entry, initialModel, type Model, type Turn } from './model.ts';
import type { Move, ResolvedPolicy } from './policy.ts';
import type { ChatMessage, StopMode } from './ports.ts';
import { transition } from './transition.ts';

/** The SDK's chat as the controller uses it: implemented by `react/chatPort.ts`, by a fake in tests. */
export interface ChatPort<M extends ChatMessage> {
  readonly id: string;
  messages(): readonly M[];
  setMessages(messages: readonly M[]): void;
  /** Makes the SDK call of an act. Resolves when the SDK is done with it. */
  call(turn: Turn<M>): Promise<void>;
  /** Joins the live run; `kept` is the reply that shields the replay. */
  attach(kept: M | undefined): Promise<void>;
  stop(): Promise<void>;
  /** Hands open client tool calls of the last message to the app, each once. */
  dispatchOpenCalls(): void;
}

/** What an app hears. Called one at a time; a throw is reported to the developer and changes nothing. */
export interface ControllerListeners<M extends ChatMessage> {
  onError(error: HelixError): void;
  onFinish(finish: Finish<M>): void;
  onFailure(failure: Failure): void;
  onRecovered(): void;
  onReport(report: RecoveryReport): void;
  /** True when the app renewed its sign-in and the request may go once more. */
  onUnauthorized: ((error: HelixError) => Promise<boolean>) | undefined;
  conflict(info: { runId?: string; messageId: string }): Conflict;
  allow(move: Move, failure: Failure): boolean;
}

/** How a turn ended, as the SDK's `onFinish` tells it. */
export interface Finish<M extends ChatMessage> {
  readonly message: M | undefined;
  readonly isAbort: boolean;
  readonly isDisconnect: boolean;
  readonly isError: boolean;
  readonly finishReason: string | undefined;
}

export interface ControllerOptions<M extends ChatMessage> {
  readonly world: World;
  readonly policy: ResolvedPolicy;
  readonly budget: Budget;
  readonly breaker: Breaker;
  readonly stopsServer: 'interrupt' | 'abort' | false;
  readonly listeners: ControllerListeners<M>;
  /** Whether `edit` and `take-back` have a composer to go to. */
  hasDraft(): boolean;
}

/** One chat's recovery: the only place that acts. */
export interface Controller<M extends ChatMessage> {
  readonly host: ChatHost;
  model(): Model<M>;
  /** Grows with every change: a snapshot for `useSyncExternalStore`. */
  version(): number;
  subscribe(listener: () => void): () => void;
  connect(chat: ChatPort<M>, backend: Backend): void;
  dispatch(event: RecoveryEvent<M>): void;
  /** Requests an act. Resolves when its turn has settled, or its message was taken back. Never rejects. */
  act(event: Extract<RecoveryEvent<M>, { type: 'act-requested' }>): Promise<void>;
  /** From the SDK's callbacks. */
  chatFailed(error: unknown): void;
  chatFinished(finish: Finish<M>): void;
  offline(): boolean;
  /** Whether a pending message of unclear fate is in the transcript after all: read once. It leaves the pending ones then. */
  hasArrived(entryId: string): Promise<boolean>;
  /** Resolves when nothing is under way, or after `ms`. */
  settled(ms: number): Promise<void>;
  readonly lastEndWasOurs: () => boolean;
  /** Takes over a pending message of an earlier session of this chat; nothing sends it by itself. */
  adopt(entry: Entry<M>): void;
  /** Listens to the page. Called once, when the chat is first mounted. */
  start(): void;
  dispose(): void;
}

interface Scope {
  readonly ticket: number;
  readonly abort: AbortController;
  readonly cancels: (() => void)[];
}

type Answer = RefusalAnswer | CutAnswer | FailAnswer;

/** How long a closing SDK call may take before its end is taken for granted. */
const CLOSE_MS = 10_000;

export function createController<M extends ChatMessage>(
  options: ControllerOptions<M>,
): Controller<M> {
  const { world, policy, budget, breaker, listeners } = options;
  const subscribers = new Set<() => void>();
  const waiters = new Map<number, (() => void)[]>();
  const restWaiters = new Set<() => void>();
  const keys = new Map<number, string>();
  const renamed: RenamedIds = new Map();
  const free = new Set<AbortController>();

  let model: Model<M> = initialModel<M>(false);
  let version = 0;
  let disposed = false;
  let chat: ChatPort<M> | undefined;
  let backend: Backend | undefined;
  let scope: Scope = { ticket: 0, abort: new AbortController(), cancels: [] };
  let inbox: RecoveryEvent<M>[] | undefined;
  let call = 0;
  let asked: ((answer: Answer) => void) | undefined;
  let expected: Turn<M> | undefined;
  let history:
    | { before: readonly M[]; after: readonly M[] | undefined; restored: boolean }
    | undefined;
  let snapshotIds = new Set<string>();
  let snapshotSize = -1;
  let heard = { stateAt: 0, bytesAt: 0, contentAt: 0 };
  let cancelDeadline = (): void => {};
  let bytesSinceOffline = false;
  let inChatError = false;
  let owedFinish = false;
  let owedFailure: Failure | undefined;
  let lastFinish: Finish<M> | undefined;
  let endWasOurs = true;

  const env = (): Env => {
    const known = backend;
    const mono = world.monotonic();
    const endpoint = known?.endpoint ?? '';
    return {
      now: world.now(),
      mono,
      chance: world.random(),
      policy,
      online: !isOffline(),
      keyed: known?.keyed() ?? false,
      routes: {
        stream: known?.route('stream') ?? 'absent',
        snapshot: known?.route('snapshot') ?? 'absent',
        stop: known?.route('stop') ?? 'absent',
      },
      budgetWaitMs: budget.waitMs(endpoint, mono),
      breakerWaitMs: breaker.waitMs(endpoint, mono),
      canAuthorize: listeners.onUnauthorized !== undefined,
      hasDraft: options.hasDraft(),
      stopsServer: options.stopsServer,
      conflict: (info) => listeners.conflict(info),
      allow: (move, failure) => listeners.allow(move, failure),
    };
  };

  const isOffline = (): boolean => !world.online() && !bytesSinceOffline;

  const renewScope = (): void => {
    if (scope.ticket === model.ticket) return;
    for (const cancel of scope.cancels) cancel();
    scope.abort.abort();
    scope = { ticket: model.ticket, abort: new AbortController(), cancels: [] };
    if (model.job.at === 'closing') {
      const { ticket } = scope;
      scope.cancels.push(world.after(CLOSE_MS, () => closeOverdue(ticket)));
    }
  };

  const closeOverdue = (ticket: number): void => {
    if (model.ticket === ticket && model.job.at === 'closing') {
      dispatch({ type: 'chat-ended', aborted: true });
    }
  };

  const dispatch = (event: RecoveryEvent<M>): void => {
    if (disposed) return;
    if (inbox !== undefined) {
      inbox.push(event);
      return;
    }
    inbox = [event];
    const stateBefore = model.state;
    try {
      for (let next = inbox.shift(); next !== undefined; next = inbox.shift()) step(next);
    } finally {
      inbox = undefined;
    }
    if (model.state !== stateBefore && model.state.name !== stateBefore.name) {
      heard = { ...heard, stateAt: world.monotonic() };
    }
    armDeadline();
    settleOwed();
    if (model.job.at === 'rest') {
      for (const resolve of restWaiters) resolve();
      restWaiters.clear();
    }
    version += 1;
    for (const subscriber of [...subscribers]) subscriber();
  };

  const step = (event: RecoveryEvent<M>): void => {
    const next = transition(model, event, env());
    model = next.model;
    renewScope();
    for (const effect of next.effects) perform(effect);
  };

  const answer = (value: Answer): void => {
    const resolve = asked;
    asked = undefined;
    resolve?.(value);
  };

  const perform = (effect: Effect<M>): void => {
    switch (effect.do) {
      case 'send-message':
        sendMessage(effect.turn, effect.newKey);
        return;
      case 'answer-refusal':
        if (effect.newKey && model.turn !== undefined) renewKey(model.turn.id);
        answer(effect.answer);
        return;
      case 'answer-cut':
      case 'answer-failed':
        answer(effect.answer);
        return;
      case 'read-snapshot':
        read(effect.boundMs, effect.looksFor);
        return;
      case 'put-messages':
        put(effect.messages);
        return;
      case 'take-out':
        chat?.setMessages(chat.messages().filter((message) => message.id !== effect.messageId));
        return;
      case 'restore-history':
        restoreHistory();
        return;
      case 'cut-history-again':
        if (history?.restored && history.after !== undefined) chat?.setMessages(history.after);
        return;
      case 'drop-empty-reply':
        dropEmptyReply();
        return;
      case 'attach':
        attach();
        return;
      case 'end-read':
        endRead(effect.boundMs);
        return;
      case 'start-timer':
        startTimer(effect.ms);
        return;
      case 'soon':
        startTimer(0);
        return;
      case 'stop-run':
        stopRun(effect.mode, effect.repeated);
        return;
      case 'ask-authorization':
        askAuthorization(effect.error);
        return;
      case 'spend-budget':
        budget.spend(backend?.endpoint ?? '', world.monotonic());
        return;
      case 'note-alive':
        breaker.alive(backend?.endpoint ?? '');
        return;
      case 'note-dead':
        breaker.failed(backend?.endpoint ?? '', world.monotonic());
        return;
      case 'finish-turn':
        finishTurn(effect.turn, effect.by);
        return;
      case 'release':
        forgetKeys();
        return;
      case 'tell-failure':
        owedFailure = effect.failure;
        if (effect.failure.severity !== 'notice') listeners.onError(effect.failure.error);
        return;
      case 'tell-recovered':
        listeners.onRecovered();
        return;
      case 'dispatch-open-calls':
        chat?.dispatchOpenCalls();
        return;
      case 'report':
        listeners.onReport({ ...effect.report, at: world.now() });
    }
  };

  const renewKey = (turnId: number): string => {
    const key = createRequestKey(() => world.random());
    keys.set(turnId, key);
    return key;
  };

  /** Keys live as long as their act is under way or pending. */
  const forgetKeys = (): void => {
    const live = new Set(model.queue.map((entry) => entry.turn.id));
    if (model.turn !== undefined) live.add(model.turn.id);
    for (const id of keys.keys()) if (!live.has(id)) keys.delete(id);
    for (const [id, resolves] of waiters) {
      if (live.has(id)) continue;
      waiters.delete(id);
      for (const resolve of resolves) resolve();
    }
  };

  const sendMessage = (turn: Turn<M>, newKey: boolean): void => {
    if (chat === undefined) return;
    if (newKey || !keys.has(turn.id)) renewKey(turn.id);
    expected = turn;
    endWasOurs = true;
    history =
      turn.kind === 'regenerate' || turn.kind === 'edit'
        ? { before: chat.messages(), after: undefined, restored: false }
        : undefined;
    chat.call(turn).then(
      () => callOver(turn),
      (error: unknown) => callRejected(turn, error),
    );
  };

  /** The SDK rejects only for misuse or for an app callback that threw: the turn must still end. */
  const callRejected = (turn: Turn<M>, error: unknown): void => {
    if (model.turn?.id === turn.id) dispatch({ type: 'chat-failed', error: toHelixError(error) });
  };

  const callOver = (turn: Turn<M>): void => {
    if (expected?.id === turn.id) expected = undefined;
  };

  const restoreHistory = (): void => {
    if (history === undefined || chat === undefined) return;
    history.restored = true;
    chat.setMessages(history.before);
  };

  const dropEmptyReply = (): void => {
    const messages = chat?.messages() ?? [];
    const last = messages[messages.length - 1];
    if (last === undefined || last.role !== 'assistant' || snapshotIds.has(last.id)) return;
    if (last.parts.every((part) => part.type === 'step-start'))
      chat?.setMessages(messages.slice(0, -1));
  };

  const put = (value: unknown): void => {
    if (chat === undefined || !Array.isArray(value)) return;
    const server = value as readonly ChatMessage[];
    const local = chat.messages();
    const taken = model.turn;
    // A snapshot without a message that the server has taken is older than that message.
    if (
      taken?.accepted &&
      taken.message !== undefined &&
      taken.kind === 'send' &&
      findMessage(server, taken.message, local, renamed) === -1
    ) {
      return;
    }
    const merged = mergeSnapshot(local, server, renamed);
    snapshotIds = new Set(merged.map((message) => message.id));
    const same =
      merged.length === local.length && merged.every((message, index) => message === local[index]);
    if (!same) chat.setMessages(merged);
  };

  const read = (boundMs: number, looksFor: Turn<M> | undefined): void => {
    const { ticket, abort, cancels } = scope;
    if (backend === undefined) return;
    let done = false;
    const finish = (result: ReadResult): void => {
      if (done) return;
      done = true;
      dispatch({ type: 'snapshot-read', ticket, result });
    };
    if (boundMs > 0) {
      cancels.push(
        world.after(boundMs, () => {
          finish({ kind: 'timed-out' });
          abort.abort();
        }),
      );
    }
    backend.readSnapshot(abort.signal).then(
      (result) => {
        if (!abort.signal.aborted) finish(readResult(result, looksFor));
      },
      (error: unknown) => {
        if (!abort.signal.aborted) finish({ kind: 'failed', error: toHelixError(error) });
      },
    );
  };

  const readResult = (result: SnapshotAnswer, looksFor: Turn<M> | undefined): ReadResult => {
    if (result.kind !== 'snapshot') return result;
    const { snapshot } = result;
    const server = snapshot.messages as readonly ChatMessage[];
    const last = server[server.length - 1];
    const size = server.reduce((sum, message) => sum + 1 + messageSize(message), 0);
    const grew = size > snapshotSize && snapshotSize !== -1;
    snapshotSize = size;
    return {
      kind: 'snapshot',
      status: snapshot.status,
      messages: server,
      grew,
      answered: last?.role === 'assistant',
      ...(last === undefined ? {} : { lastId: last.id }),
      ...(snapshot.runId === undefined ? {} : { runId: snapshot.runId }),
      ...(snapshot.error === undefined ? {} : { runError: toHelixError(snapshot.error) }),
      ...(looksFor === undefined ? {} : { found: holds(server, looksFor, snapshot.status) }),
    };
  };

  /** Whether an act took effect on the server. */
  const holds = (
    server: readonly ChatMessage[],
    turn: Turn<M>,
    status: 'active' | 'paused' | 'ended' | 'failed',
  ): boolean => {
    const local = chat?.messages() ?? [];
    if (turn.message !== undefined) {
      const index = findMessage(server, turn.message, local, renamed);
      const match = server[index];
      if (match !== undefined && match.id !== turn.message.id)
        renamed.set(match.id, turn.message.id);
      return match !== undefined;
    }
    if (status === 'active') return true;
    const replaced = (history?.before ?? local).findLast((message) => message.role === 'assistant');
    const last = server[server.length - 1];
    return last?.role === 'assistant' && last.id !== replaced?.id;
  };

  const attach = (): void => {
    if (chat === undefined) return;
    const { ticket } = scope;
    const messages = chat.messages();
    const last = messages[messages.length - 1];
    const closed = (): void => dispatch({ type: 'attach-closed', ticket });
    chat.attach(last?.role === 'assistant' ? last : undefined).then(closed, closed);
  };

  const endRead = (boundMs: number): void => {
    if (chat === undefined) return;
    const { ticket, cancels } = scope;
    let over = false;
    const ended = (): void => {
      if (over || model.ticket !== ticket) return;
      over = true;
      if (model.job.at === 'closing') dispatch({ type: 'chat-ended', aborted: true });
      else dispatch({ type: 'read-ended' });
    };
    cancels.push(world.after(boundMs, ended));
    chat.stop().then(ended, ended);
  };

  const startTimer = (ms: number): void => {
    const { ticket } = scope;
    scope.cancels.push(world.after(ms, () => dispatch({ type: 'timer-fired', ticket })));
  };

  const stopRun = (mode: StopMode, repeated: boolean): void => {
    if (backend === undefined) return;
    const abort = new AbortController();
    free.add(abort);
    const cancel = world.after(policy.heldReadMs, () => abort.abort());
    const done = (): void => {
      cancel();
      free.delete(abort);
    };
    backend.stopRun(mode, abort.signal).then(
      (result) => {
        done();
        dispatch({ type: 'stop-answered', answer: result, repeated, mode });
      },
      (error: unknown) => {
        done();
        dispatch({
          type: 'stop-answered',
          answer: { kind: 'failed', error: toHelixError(error) },
          repeated,
          mode,
        });
      },
    );
  };

  const askAuthorization = (error: HelixError): void => {
    const { ticket } = scope;
    const done = (ok: boolean): void => dispatch({ type: 'authorized', ticket, ok });
    if (listeners.onUnauthorized === undefined) {
      done(false);
      return;
    }
    listeners.onUnauthorized(error).then(done, () => done(false));
  };

  const finishTurn = (turn: Turn<M>, by: 'reply' | 'read' | 'failure' | 'stop'): void => {
    forgetKeys();
    if (by === 'failure' && inChatError) {
      owedFinish = true;
      return;
    }
    const given = lastFinish;
    listeners.onFinish({
      message: by === 'reply' || by === 'stop' ? (given?.message ?? replyTo(turn)) : replyTo(turn),
      isAbort: by === 'stop',
      isDisconnect: false,
      isError: by === 'failure',
      finishReason: by === 'reply' ? given?.finishReason : undefined,
    });
  };

  /** The assistant message that follows the turn's user message. */
  const replyTo = (turn: Turn<M>): M | undefined => {
    const messages = chat?.messages() ?? [];
    const asked = messages.findLastIndex((message) => message.id === turn.message?.id);
    return messages.slice(asked + 1).find((message) => message.role === 'assistant');
  };

  /** The reply of the attempt that fails: where it stands, and its text where the settled transcript leaves it out. */
  const failedReply = (): { messageId?: string; partial?: string } => {
    const last = chat?.messages().at(-1);
    if (last?.role !== 'assistant') return {};
    const settled = model.toPut as readonly ChatMessage[] | undefined;
    if (settled === undefined || settled.some((message) => message.id === last.id)) {
      return { messageId: last.id };
    }
    return { partial: messageText(last) };
  };

  /** The app hears of a failure after the turn's `onFinish`, which inside the SDK's own `onError` has yet to come. */
  const settleOwed = (): void => {
    if (owedFailure === undefined || owedFinish || inChatError) return;
    const failure = owedFailure;
    owedFailure = undefined;
    listeners.onFailure(failure);
  };

  const armDeadline = (): void => {
    cancelDeadline();
    const deadline = nextDeadline(model.state, heard, policy);
    if (deadline === undefined || disposed) {
      cancelDeadline = () => {};
      return;
    }
    const ms = Math.max(0, deadline.at - world.monotonic());
    cancelDeadline = world.after(ms, () => deadlineCame(deadline.what));
  };

  const deadlineCame = (what: 'slow' | 'stalled'): void => {
    if (what === 'slow') {
      const since = world.monotonic() - Math.max(heard.stateAt, heard.bytesAt);
      if (model.state.name === 'streaming' && since < 15_000) armDeadline();
      else dispatch({ type: 'slow', slow: true });
      return;
    }
    checkProgress();
  };

  /** Bytes but no content for long: the conversation says whether the run still lives. */
  const checkProgress = (): void => {
    heard = { ...heard, contentAt: world.monotonic() };
    const { ticket, abort } = scope;
    if (backend === undefined || backend.route('snapshot') === 'absent') {
      dispatch({ type: 'slow', slow: true });
      return;
    }
    armDeadline();
    backend.readSnapshot(abort.signal).then(
      (result) => {
        const over = result.kind === 'snapshot' && result.snapshot.status !== 'active';
        if (over && model.ticket === ticket) dispatch({ type: 'resync-requested' });
      },
      () => {},
    );
  };

  const bytesCame = (at: number): void => {
    heard = { ...heard, bytesAt: at };
    bytesSinceOffline = true;
    if (model.state.name === 'waiting-on-run') model = { ...model, heardAt: at };
    if ('slow' in model.state && model.state.slow) dispatch({ type: 'slow', slow: false });
  };

  const host: ChatHost = {
    begin(begun: TurnCall): TurnHost {
      call += 1;
      const mine = call;
      const isCurrent = (): boolean => mine === call && !disposed;
      if (begun.kind === 'attach') {
        endWasOurs = false;
        dispatch({ type: 'attach-begun' });
      } else if (expected !== undefined) {
        expected = undefined;
        if (history !== undefined && chat !== undefined) history.after = chat.messages();
      } else {
        endWasOurs = true;
        dispatch({ type: 'submit-begun', call: begun });
      }
      const turnId = model.turn?.id;
      const ask = <A extends Answer>(event: RecoveryEvent<M>, stale: A): Promise<A> => {
        if (!isCurrent()) return Promise.resolve(stale);
        return new Promise<A>((resolve) => {
          asked = resolve as (value: Answer) => void;
          dispatch(event);
        });
      };
      return {
        get requestKey() {
          if (begun.kind === 'attach' || turnId === undefined) return undefined;
          return model.turn?.kind === 'submit' ? undefined : keys.get(turnId);
        },
        refused: (refusal) => ask<RefusalAnswer>({ type: 'request-refused', refusal }, 'hold'),
        accepted() {
          if (!isCurrent()) return;
          bytesCame(world.monotonic());
          dispatch({ type: 'stream-accepted' });
        },
        cut: (cut) => ask<CutAnswer>({ type: 'stream-cut', cut }, 'leave'),
        failed: (error) => ask<FailAnswer>({ type: 'stream-failed', error }, 'leave'),
        ending(end) {
          if (!isCurrent()) return undefined;
          const error = isEmptyReply(model, end) ? emptyReply() : undefined;
          dispatch({ type: 'stream-ending', end });
          return error;
        },
        trigger(trigger) {
          if (!isCurrent()) return 'leave';
          const decision = decideTrigger(model, trigger, env());
          if (decision === 'leave') dispatch({ type: 'stream-left', trigger });
          return decision;
        },
        run(run) {
          if (isCurrent()) dispatch({ type: 'run-known', run });
        },
        bytes(at) {
          if (isCurrent()) bytesCame(at);
        },
        content(at) {
          if (!isCurrent()) return;
          heard = { ...heard, contentAt: at };
          if (model.job.at === 'reconnecting') dispatch({ type: 'stream-content' });
        },
      };
    },
  };

  const pageChanged = (event: PageEvent): void => {
    if (event === 'offline') bytesSinceOffline = false;
    if (event === 'online') dispatch({ type: 'online' });
    else if (event === 'visible' || event === 'restored') dispatch({ type: 'woken' });
    // A dispatch without an effect: what the page believes is drawn anew.
    else if (event === 'offline') dispatch({ type: 'attach-begun' });
  };
  let forgetPage = (): void => {};

  return {
    host,
    model: () => model,
    version: () => version,
    subscribe(listener) {
      subscribers.add(listener);
      return () => subscribers.delete(listener);
    },
    connect(port, bound) {
      chat = port;
      backend = bound;
      model = { ...model, acknowledged: port.messages().length > 0 };
    },
    dispatch,
    act(event) {
      const folded = model.queue.find((entry) => entry.pending.id === event.foldInto);
      const turnId = folded?.turn.id ?? model.nextTurn;
      return new Promise<void>((resolve) => {
        waiters.set(turnId, [...(waiters.get(turnId) ?? []), resolve]);
        dispatch(event);
      });
    },
    chatFailed(error) {
      inChatError = true;
      dispatch({ type: 'chat-failed', error: toHelixError(error), ...failedReply() });
      inChatError = false;
      if (!owedFinish) settleOwed();
    },
    chatFinished(finish) {
      lastFinish = finish;
      if (finish.isError) {
        const owed = owedFinish;
        owedFinish = false;
        if (owed) listeners.onFinish(finish);
        settleOwed();
      } else {
        dispatch({
          type: 'chat-ended',
          aborted: finish.isAbort,
          ...(finish.message === undefined ? {} : { messageId: finish.message.id }),
        });
      }
      lastFinish = undefined;
    },
    offline: isOffline,
    async hasArrived(entryId) {
      const entry = model.queue.find((other) => other.pending.id === entryId);
      if (entry === undefined || backend === undefined) return false;
      if (backend.route('snapshot') === 'absent') return false;
      const abort = new AbortController();
      free.add(abort);
      const cancel = world.after(policy.heldReadMs, () => abort.abort());
      try {
        const result = readResult(await backend.readSnapshot(abort.signal), entry.turn);
        if (result.kind !== 'snapshot' || !result.found) return false;
        put(result.messages);
        dispatch({ type: 'entry-removed', entryId });
        return true;
      } catch {
        return false;
      } finally {
        cancel();
        free.delete(abort);
      }
    },
    settled(ms) {
      if (model.job.at === 'rest') return Promise.resolve();
      return new Promise<void>((resolve) => {
        const done = (): void => {
          cancel();
          restWaiters.delete(done);
          resolve();
        };
        const cancel = world.after(ms, done);
        restWaiters.add(done);
      });
    },
    lastEndWasOurs: () => endWasOurs,
    adopt(entry) {
      const { cause: _cause, ...pending } = entry.pending;
      const state = pending.state === 'held' ? 'parked' : pending.state;
      // Turn ids start anew with the session; an adopted act takes the next one, and a new key unless it may have arrived.
      const turn = { ...entry.turn, id: model.nextTurn };
      model = {
        ...model,
        nextTurn: model.nextTurn + 1,
        queue: [...model.queue, { ...entry, turn, pending: { ...pending, state } }],
        paused: true,
      };
    },
    start() {
      if (!disposed) forgetPage = world.onPageEvent(pageChanged);
    },
    dispose() {
      if (disposed) return;
      disposed = true;
      forgetPage();
      cancelDeadline();
      for (const cancel of scope.cancels) cancel();
      scope.abort.abort();
      for (const abort of free) abort.abort();
      answer('hold');
      void chat?.stop().catch(() => {});
      for (const resolves of waiters.values()) for (const resolve of resolves) resolve();
      waiters.clear();
      for (const resolve of restWaiters) resolve();
      restWaiters.clear();
      subscribers.clear();
    },
  };
}
