import { timeoutFailure } from '../errors/clientFailures.ts';
import type { Failure } from '../errors/failure.ts';
import type { HelixError } from '../errors/HelixError.ts';
import { toHelixError } from '../errors/toHelixError.ts';
import { createRequestKey } from '../protocol/requestKey.ts';
import type { Backend, ChatHost, StopAnswer } from '../transport/turnHost.ts';
import type { KeyValueStore, PageEvent, World } from '../world.ts';
import type { Answers } from './answers.ts';
import { type AppListeners, createAppVoice, type Finish } from './appVoice.ts';
import type { Breaker } from './breaker.ts';
import type { Budget } from './budget.ts';
import { createClockWatch } from './clockWatch.ts';
import { createWatch } from './deadlines.ts';
import type { Conflict, Env } from './draft.ts';
import type { Effect } from './effects.ts';
import type { RecoveryEvent } from './events.ts';
import { createGateClock } from './gateClock.ts';
import { createJobScope } from './jobScope.ts';
import { type Claimed, createKeptSends, type KeptSends } from './keptSends.ts';
import { type InHand, type Leftover, leftoversOf } from './leftover.ts';
import { fingerprint, messageText, type RenamedIds } from './messageIdentity.ts';
import { initialModel, isUnderWay, type Model, pendingIdOf, type Turn } from './model.ts';
import { createNetworkBelief } from './networkBelief.ts';
import type { Move, ResolvedPolicy } from './policy.ts';
import type { ChatMessage, StopMode } from './ports.ts';
import type { ReadResult } from './readResult.ts';
import type { RecoveryReport } from './recoveryReport.ts';
import { createShares } from './shares.ts';
import { answersIn, standsAtCall } from './toolParts.ts';
import { type AwaitedMessage, createTranscript, type MessageList } from './transcript.ts';
import { transition } from './transition.ts';
import { createTurnHosts } from './turnHosts.ts';

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

/** What an app hears. Called one at a time; a throw is reported to the developer and changes nothing. */
export interface ControllerListeners<M extends ChatMessage> extends AppListeners<M> {
  onRecovered(): void;
  onReport(report: RecoveryReport): void;
  /** True when the app renewed its sign-in and the request, begun at `since` (monotonic ms), may go once more. */
  onUnauthorized: ((error: HelixError, since: number) => Promise<boolean>) | undefined;
  conflict(info: { runId?: string; messageId: string }): Conflict;
  /** Whether the app wants answers to tool calls to go out. `again`: also those that have gone out before. Never rejects. */
  wantsAnswers(again: boolean): boolean | Promise<boolean>;
  /** A failure that the app finds in a settled reply; undefined: none. */
  softFailure?(
    message: M,
    about: { finishReason: string | undefined; isReplay: boolean },
  ): HelixError | undefined;
  allow(move: Move, failure: Failure): boolean;
}

/** What a controller is made of. All of it lives as long as the controller, and where said longer. */
export interface ControllerOptions<M extends ChatMessage> {
  readonly world: World;
  readonly policy: ResolvedPolicy;
  readonly budget: Budget;
  readonly breaker: Breaker;
  /** What the person's stop asks of the server, asked at each stop. */
  stopsServer(): 'interrupt' | 'abort' | false;
  readonly listeners: ControllerListeners<M>;
  /** Whether `edit` and `take-back` have a composer to go to. */
  hasDraft(): boolean;
  /** Whether an empty reply and telling finish reasons count as failures. */
  seesSoftFailures(): boolean;
  /** The ids that the server has given messages of ours; outlives the controller. */
  readonly renamedIds: RenamedIds;
  /** What no read of the conversation has held yet; outlives the controller. */
  readonly awaited: AwaitedMessage;
  /** The answers to tool calls that the server is not known to have; outlive the controller. */
  readonly answers: Answers;
  /** Where pending messages are kept through a reload; absent: nowhere. */
  readonly keeps?: {
    /** Asked once, when the chat is first mounted. */
    readonly store: () => KeyValueStore | undefined;
    /** Names the chat object to others; outlives the controller. */
    readonly identity: { owner?: string };
    onDeveloperNote(text: string): void;
  };
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
  /** Takes over the pending messages of an earlier session of this chat; nothing sends them by itself. */
  adopt(lefts: readonly Leftover<M>[]): void;
  /** Keeps other tabs from a pending message whose text is about to be handed back. False: one of them has it. */
  reserve(entryId: string): boolean | Promise<boolean>;
  /** A reserved message stays pending after all. */
  letGo(entryId: string): void;
  /** What a disposed session would lose: the pending messages, and the one that was on its way. */
  leftovers(): readonly Leftover<M>[];
  /** Listens to the page, takes in what a store holds, and lets answers go by themselves from now on. Called once, when the chat is first mounted. */
  start(): void;
  dispose(): void;
}

/** How long a closing SDK call may take before its end is taken for granted. */
const CLOSE_MS = 10_000;

/** Makes the recovery of one chat. It does nothing before `connect`, and listens to nothing before `start`. */
export function createController<M extends ChatMessage>(
  options: ControllerOptions<M>,
): Controller<M> {
  const { world, policy, budget, breaker, listeners, answers } = options;
  const subscribers = new Set<() => void>();
  /** Who waits for the end of an act, by its turn. */
  const waiters = new Map<number, (() => void)[]>();
  const restWaiters = new Set<() => void>();
  const keys = new Map<number, string>();
  /** Requests that outlive the job that made them; they end with the chat. */
  const requests = new Set<AbortController>();

  let model: Model<M> = initialModel<M>(false);
  let version = 0;
  let disposed = false;
  let chat: ChatPort<M> | undefined;
  let backend: Backend | undefined;
  let scope = createJobScope(world, 0);
  let inbox: RecoveryEvent<M>[] | undefined;
  /** The act that was ordered and whose transport call has not begun yet. */
  let expected: Turn<M> | undefined;
  /** The turn whose transport call began last. */
  let begun: number | undefined;
  let lastFinish: Finish<M> | undefined;
  let endWasOurs = true;
  let forgetPage = (): void => {};
  let mounted = false;
  const onScreen = (): readonly M[] => chat?.messages() ?? [];
  let kept: KeptSends | undefined;
  /** What the store was last brought up to. */
  let keptAt: readonly unknown[] = [];

  const transcript = createTranscript<M>(
    {
      messages: onScreen,
      setMessages: (messages) => chat?.setMessages(messages),
      keepShowing: (reply, until) => chat?.keepShowing(reply, until),
      showAsIs: () => chat?.showAsIs(),
    },
    options.renamedIds,
    answers,
    options.awaited,
  );
  const voice = createAppVoice<M>(listeners);
  const watch = createWatch({
    world,
    policy,
    state: () => model.state,
    onSlow: () => dispatch({ type: 'slow', slow: true }),
    onStalled: () => dispatch({ type: 'stalled' }),
  });
  const network = createNetworkBelief(world);
  const clock = createClockWatch(world, (jump) => dispatch({ type: 'clock-jumped', ...jump }));
  const gateClock = createGateClock({
    world,
    until: () => model.gate?.untilMono,
    onOver() {
      watchClock();
      changed();
    },
  });
  const shares = createShares({
    world,
    budget,
    breaker,
    endpoint: () => backend?.endpoint ?? '',
    onChange(alive) {
      if (alive) network.gotThrough();
      dispatch({ type: 'limits-changed' });
    },
  });

  const env = (): Env => {
    return {
      now: world.now(),
      mono: world.monotonic(),
      chance: world.random(),
      policy,
      online: !network.hinted(),
      keyed: backend?.keyed() ?? false,
      routes: {
        stream: backend?.route('stream') ?? 'absent',
        snapshot: backend?.route('snapshot') ?? 'absent',
        stop: backend?.route('stop') ?? 'absent',
      },
      ...shares.waits(),
      canContinue: backend?.route('retry') === 'known' && backend.route('snapshot') !== 'absent',
      silentMs: watch.silentMs(),
      canAuthorize: listeners.onUnauthorized !== undefined,
      hasDraft: options.hasDraft(),
      seesSoftFailures: options.seesSoftFailures(),
      stopsServer: options.stopsServer(),
      mounted,
      freshAnswers: answers.fresh(onScreen()),
      conflict: (info) => listeners.conflict(info),
      allow: (move, failure) => listeners.allow(move, failure),
    };
  };

  const dispatch = (event: RecoveryEvent<M>): void => {
    if (disposed) return;
    if (inbox !== undefined) {
      inbox.push(event);
      return;
    }
    const jump = clock.look();
    // Whoever presses for what has slept has pressed: it is not held back for that press.
    const slept = event.type === 'try-now-requested' ? { sleptMs: 0 } : {};
    inbox =
      jump === undefined || event.type === 'clock-jumped'
        ? [event]
        : [{ type: 'clock-jumped', ...jump, ...slept }, event];
    try {
      for (let next = inbox.shift(); next !== undefined; next = inbox.shift()) step(next);
    } finally {
      inbox = undefined;
    }
    keepSends();
    watch.look();
    shares.look(model);
    watchClock();
    gateClock.look();
    voice.flush();
    if (model.job.at === 'rest') release(restWaiters);
    changed();
  };

  /** A stated wait that is over is nothing to watch any more, though nothing was dispatched. */
  const watchClock = (): void => clock.watch(isUnderWay(model, world.monotonic()));

  const changed = (): void => {
    version += 1;
    for (const subscriber of [...subscribers]) subscriber();
  };

  const step = (event: RecoveryEvent<M>): void => {
    const next = transition(model, event, env());
    model = next.model;
    renewScope();
    for (const effect of next.effects) perform(effect);
  };

  /** A new job ends the timers and the read of the one before. */
  const renewScope = (): void => {
    if (scope.ticket === model.ticket) return;
    scope.end();
    scope = createJobScope(world, model.ticket);
    const { ticket } = scope;
    if (model.job.at === 'closing') scope.after(CLOSE_MS, () => closedAnyway(ticket));
  };

  const closedAnyway = (ticket: number): void => {
    if (model.ticket === ticket && model.job.at === 'closing') {
      dispatch({ type: 'chat-ended', aborted: true });
    }
  };

  const perform = (effect: Effect<M>): void => {
    switch (effect.do) {
      case 'send-message':
        sendMessage(effect.turn, effect.newKey);
        return;
      case 'answer-refusal':
        if (effect.newKey && model.turn !== undefined) renewKey(model.turn.id);
        if (effect.answer === 'repeat') repeatIfOurs();
        else hosts.answer(effect.answer);
        return;
      case 'answer-cut':
      case 'answer-failed':
        hosts.answer(effect.answer);
        return;
      case 'read-snapshot':
        read(effect.boundMs, effect.looksFor, (result, ticket) => ({
          type: 'snapshot-read',
          ticket,
          result,
        }));
        return;
      case 'check-run':
        read(effect.boundMs, effect.looksFor, (result, ticket) => ({
          type: 'run-checked',
          ticket,
          why: effect.why,
          result,
        }));
        return;
      case 'end-silent':
        backend?.endSilent();
        return;
      case 'put-messages':
        putMessages(effect.messages, effect.keepReply, effect.serverIds);
        return;
      case 'take-out':
        transcript.takeOut(effect.messageId);
        return;
      case 'take-over':
        takeOver(effect.turn, effect.left, effect.from);
        return;
      case 'restore-history':
        transcript.restore();
        return;
      case 'cut-history-again':
        transcript.cutAgain();
        return;
      case 'drop-empty-reply':
        transcript.dropEmptyReply();
        return;
      case 'cut-back-step':
        transcript.cutBackStep();
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
        askAuthorization(effect.error, effect.since);
        return;
      case 'spend-budget':
        shares.spend();
        return;
      case 'claim-probe':
        shares.claimProbe();
        return;
      case 'reconsider':
        shares.reconsider();
        return;
      case 'note-alive':
        network.gotThrough();
        shares.noteAlive();
        return;
      case 'keep-apart':
        shares.keepApart();
        return;
      case 'note-dead':
        noteDead(effect.answered);
        return;
      case 'finish-turn':
        finishTurn(effect.turn, effect.by);
        return;
      case 'release':
        forgetTurns();
        return;
      case 'join':
        waiters.set(effect.to, [
          ...(waiters.get(effect.to) ?? []),
          ...(waiters.get(effect.turnId) ?? []),
        ]);
        waiters.delete(effect.turnId);
        return;
      case 'tell-failure':
        voice.failed(effect.failure);
        return;
      case 'tell-recovered':
        listeners.onRecovered();
        return;
      case 'dispatch-open-calls':
        chat?.dispatchOpenCalls();
        return;
      case 'ask-auto-send':
        askAutoSend(effect.again);
        return;
      case 'note-taken':
        noteTaken();
        return;
      case 'hold-answers':
        answers.going(answersIn(onScreen()).answers);
        return;
      case 'report':
        listeners.onReport({ ...effect.report, at: world.now() });
    }
  };

  /** While the platform says offline, what got no answer says nothing of the server. */
  const noteDead = (answered: boolean): void => {
    if (answered) network.gotThrough();
    if (!network.hinted()) shares.noteDead();
    else shares.probeOver();
    if (!answered) network.wentMissing();
  };

  /** A message lives in one place: what the transcript holds is not pending. */
  const putMessages = (
    messages: unknown,
    keepReply?: 'begun' | 'caught-up',
    serverIds?: boolean,
  ): void => {
    // Under another id than its own it is known by its content, and only where it may have been taken: a message that a
    // server has renamed, or an edit, which is in the place of the message that it changes.
    const arrived = new Set(
      model.queue
        .filter(({ turn }) => turn.unclear && transcript.arrived(messages, turn))
        .map(({ pending }) => pending.id),
    );
    transcript.put(messages, keepReply, serverIds);
    const present = new Map(onScreen().map((message) => [message.id, fingerprint(message)]));
    const ids = model.queue
      .filter(
        ({ pending: { id, message } }) =>
          present.get(id) === fingerprint(message) || arrived.has(id),
      )
      .map(({ pending }) => pending.id);
    if (ids.length > 0) dispatch({ type: 'entries-found', ids });
  };

  const takeOver = (turn: Turn<M>, left: Leftover<M>, from: 'store' | 'memory'): void => {
    const { pending } = left.entry;
    if (left.key !== undefined) keys.set(turn.id, left.key);
    for (const message of [turn.message, pending.message]) {
      if (message !== undefined) transcript.takeOver(message, left);
    }
    // From a store it comes to a screen that may show it already; else to the screen that it was on.
    if (from === 'store') {
      if (transcript.hasBrought(turn)) dispatch({ type: 'entries-found', ids: [pending.id] });
    } else if (turn.kind === 'send') transcript.takeOut(pending.id);
  };

  const inHand = (): readonly InHand<M>[] =>
    leftoversOf(model, {
      keyOf: (turn) => keys.get(turn.id),
      memoryOf: (message) => transcript.memoryOf(message),
    });

  /** Only a change of what is pending or on its way is worth a look at the store. */
  const keepSends = (): void => {
    if (kept === undefined) return;
    const { queue, turn, after, job } = model;
    const isOnItsWay = turn !== undefined && !turn.accepted;
    const seen = [queue, after, isOnItsWay ? turn : undefined, job.at === 'requesting'];
    if (seen.every((value, index) => value === keptAt[index])) return;
    keptAt = seen;
    kept.keep();
  };

  /** Runs `go` once the message of the turn under way is known to be this tab's to send. */
  const ifOurs = (open: boolean, go: () => void): void => {
    const { ticket, turn } = model;
    const { message } = turn ?? {};
    if (kept === undefined || turn === undefined || message === undefined) {
      go();
      return;
    }
    const proceed = (claimed: Claimed): void => {
      if (disposed || model.ticket !== ticket) return;
      if (claimed === 'ours') go();
      else dispatch({ type: claimed === 'theirs' ? 'taken-elsewhere' : 'posted-elsewhere', open });
    };
    const answer = kept.claim(pendingIdOf(turn, message));
    if (answer instanceof Promise) void answer.then(proceed);
    else proceed(answer);
  };

  const openStore = (): void => {
    const store = options.keeps?.store();
    if (options.keeps === undefined || store === undefined || chat === undefined) return;
    const { identity, onDeveloperNote } = options.keeps;
    kept = createKeptSends<M>({
      ...{ world, store, identity, inHand, onDeveloperNote },
      place: { endpoint: backend?.endpoint ?? '', chatId: chat.id },
      onRestored: (lefts) => dispatch({ type: 'sends-restored', lefts, from: 'store' }),
      onTaken: (ids) => dispatch({ type: 'entries-found', ids }),
      onUnclear: (ids) => dispatch({ type: 'sends-unclear', ids }),
      onEnded() {
        if (model.job.at === 'rest') dispatch({ type: 'resync-requested' });
      },
    });
    kept.open();
  };

  const repeatIfOurs = (): void => ifOurs(true, () => hosts.answer('repeat'));

  const renewKey = (turnId: number): void => {
    keys.set(
      turnId,
      createRequestKey(() => world.random()),
    );
  };

  /** Keys and promises live as long as their act is under way or pending. */
  const forgetTurns = (): void => {
    const { turn: present, after, failedAct, submit } = model;
    const acts = [present, after, failedAct, submit, ...model.queue.map(({ turn }) => turn)];
    const turns = acts.filter((turn) => turn !== undefined);
    const live = new Set(turns.map((turn) => turn.id));
    // An edit may yet go out as a message of its own, under the name by which it is pending.
    const names = model.queue.map(({ pending }) => pending.id);
    transcript.keepOnly(new Set([...turns.flatMap(({ message }) => message?.id ?? []), ...names]));
    for (const id of keys.keys()) if (!live.has(id)) keys.delete(id);
    for (const [id, resolves] of waiters) {
      if (live.has(id)) continue;
      waiters.delete(id);
      release(resolves);
    }
  };

  const sendMessage = (turn: Turn<M>, newKey: boolean): void => {
    if (chat === undefined) return;
    if (newKey || !keys.has(turn.id)) renewKey(turn.id);
    transcript.remember(turn);
    ifOurs(false, () => callChat(turn));
  };

  const callChat = (turn: Turn<M>): void => {
    expected = turn;
    endWasOurs = true;
    if (turn.kind === 'submit') {
      showAnswers();
      answers.going(turn.answers);
    }
    chat?.call(turn).then(
      () => {
        if (expected?.id === turn.id) expected = undefined;
      },
      // The SDK rejects only for misuse or for an app callback that threw: the turn must end all the same.
      (error: unknown) => {
        if (model.turn?.id === turn.id) chatFailed(error);
      },
    );
  };

  /** A replay shows a call as the server does: what was answered here meanwhile is put back. */
  const showAnswers = (): void => {
    const messages = onScreen();
    const applied = answers.apply(messages);
    if (applied !== messages) chat?.setMessages(applied);
  };

  /** The app says by its predicate whether answers go; one that does not say in time says no. */
  const askAutoSend = (again: boolean): void => {
    const { ticket } = scope;
    const decided = (wanted: 'yes' | 'no' | 'later'): void => {
      const request = answers.request(onScreen());
      dispatch({ type: 'submit-decided', ticket, wanted, request, ...answersIn(onScreen()) });
    };
    const answer = listeners.wantsAnswers(again);
    if (typeof answer === 'boolean') {
      decided(answer ? 'yes' : 'no');
      return;
    }
    decided('later');
    scope.after(policy.heldReadMs, () => decided('no'));
    void answer.then((wanted) => decided(wanted ? 'yes' : 'no'));
  };

  /** Reads the conversation as long as the job lasts, and at most `boundMs`; 0: no bound. */
  const read = (
    boundMs: number,
    looksFor: Turn<M> | undefined,
    tell: (result: ReadResult, ticket: number) => RecoveryEvent<M>,
  ): void => {
    if (backend === undefined) return;
    const { ticket } = scope;
    const abort = scope.request();
    let unbound = (): void => {};
    const finish = (result: ReadResult): void => {
      unbound();
      if (!abort.signal.aborted) dispatch(tell(result, ticket));
    };
    if (boundMs > 0) {
      unbound = scope.after(boundMs, () => {
        finish({ kind: 'timed-out' });
        abort.abort();
      });
    }
    backend.readSnapshot(abort.signal).then(
      (answer) => {
        if (!abort.signal.aborted) finish(transcript.resultOf(answer, looksFor));
      },
      (error: unknown) => finish({ kind: 'failed', error: toHelixError(error) }),
    );
  };

  const attach = (): void => {
    if (chat === undefined) return;
    const { ticket } = scope;
    const last = chat.messages().at(-1);
    const closed = (): void => dispatch({ type: 'attach-closed', ticket });
    chat.attach(last?.role === 'assistant' ? last : undefined).then(closed, closed);
  };

  const isRestart = (): boolean => model.job.at === 'attaching' && model.job.plan.why === 'restart';

  const endRead = (boundMs: number): void => {
    if (chat === undefined) return;
    const { ticket } = scope;
    backend?.close();
    let over = false;
    const ended = (): void => {
      if (over || model.ticket !== ticket) return;
      over = true;
      if (model.job.at === 'closing') dispatch({ type: 'chat-ended', aborted: true });
      else dispatch({ type: 'read-ended' });
    };
    scope.after(boundMs, ended);
    chat.stop().then(ended, ended);
  };

  const startTimer = (ms: number): void => {
    const { ticket } = scope;
    scope.after(ms, () => dispatch({ type: 'timer-fired', ticket }));
  };

  /** A request with a bound of its own that goes on when the job changes, and ends with the chat. */
  const bounded = async <T>(request: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const abort = new AbortController();
    requests.add(abort);
    const cancel = world.after(policy.heldReadMs, () => abort.abort());
    try {
      return await request(abort.signal);
    } finally {
      cancel();
      requests.delete(abort);
    }
  };

  const stopRun = (mode: StopMode, repeated: boolean): void => {
    const known = backend;
    if (known === undefined) return;
    const since = world.monotonic();
    const answered = (answer: StopAnswer): void => {
      const ms = world.monotonic() - since;
      dispatch({ type: 'stop-answered', answer, repeated, mode, ms });
    };
    bounded((signal) => known.stopRun(mode, signal)).then(answered, () =>
      answered({ kind: 'failed', error: timeoutFailure('connect') }),
    );
  };

  const askAuthorization = (error: HelixError, since: number): void => {
    const { ticket } = scope;
    const done = (ok: boolean): void => dispatch({ type: 'authorized', ticket, ok });
    if (listeners.onUnauthorized === undefined) done(false);
    else listeners.onUnauthorized(error, since).then(done, () => done(false));
  };

  const noteTaken = (): void => {
    const { turn } = model;
    if (turn === undefined) return;
    transcript.taken(turn.message);
    answers.forget(turn.answers);
  };

  const finishTurn = (turn: Turn<M>, by: 'reply' | 'read' | 'failure' | 'stop'): void => {
    forgetTurns();
    release(waiters.get(turn.id) ?? []);
    waiters.delete(turn.id);
    // An act that was given up before its request began ends without a word to the app.
    if (by === 'stop' && turn.requests === 0 && begun !== turn.id) return;
    const told = by === 'reply' || by === 'stop' ? lastFinish : undefined;
    voice.finished({
      message: told?.message ?? transcript.replyTo(turn),
      isAbort: by === 'stop',
      isDisconnect: false,
      isError: by === 'failure',
      finishReason: by === 'reply' ? told?.finishReason : undefined,
    });
  };

  const bytesCame = (at: number): void => {
    watch.bytes(at);
    // Any byte proves the network, for every chat that waits for it.
    if (network.gotThrough()) shares.noteAlive();
    if (model.state.name === 'waiting-on-run') model = { ...model, heardAt: at };
    if ('slow' in model.state && model.state.slow) dispatch({ type: 'slow', slow: false });
  };

  const hosts = createTurnHosts<M>({
    model: () => model,
    env,
    dispatch,
    begins(call) {
      endWasOurs = call.kind !== 'attach' || isRestart();
      if (call.kind === 'attach') return;
      const turn = expected;
      expected = undefined;
      // The SDK begins some calls late; one whose act has been given up meanwhile must not go out.
      if (turn === undefined || model.turn?.id !== turn.id || model.job.at === 'closing') {
        throw quietAbort();
      }
      begun = turn.id;
      transcript.remembersCut();
    },
    taken() {
      if (model.own && model.turn?.accepted) noteTaken();
    },
    keyOf: (turnId) => keys.get(turnId),
    bytes: bytesCame,
    content(at) {
      watch.content(at);
      if (model.job.at === 'reconnecting') dispatch({ type: 'stream-content' });
    },
    now: () => world.monotonic(),
  });

  const pageChanged = (event: PageEvent): void => {
    if (event === 'offline') network.lost();
    if (event === 'leaving' || event === 'gone') kept?.leave(event === 'gone');
    if (event === 'restored') kept?.comeBack();
    if (event === 'hidden' || event === 'leaving' || event === 'gone') return;
    dispatch({ type: event === 'online' || event === 'offline' ? event : 'woken' });
  };

  const softFailureOf = (finish: Finish<M>): { softFailure?: HelixError } => {
    if (finish.isAbort || finish.message === undefined) return {};
    const softFailure = listeners.softFailure?.(finish.message, {
      finishReason: finish.finishReason,
      isReplay: !endWasOurs,
    });
    return softFailure === undefined ? {} : { softFailure };
  };

  const chatFailed = (error: unknown): void => {
    showAnswers();
    const settled = model.toPut as readonly ChatMessage[] | undefined;
    const reply = transcript.failedReply(settled);
    voice.insideError(() =>
      dispatch({ type: 'chat-failed', error: toHelixError(error), ...reply }),
    );
  };

  return {
    host: hosts.host,
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
      const { failedAct } = model;
      const repeated = event.again && failedAct?.kind === event.kind ? failedAct : undefined;
      const turnId = folded?.turn.id ?? repeated?.id ?? model.nextTurn;
      return new Promise<void>((resolve) => {
        waiters.set(turnId, [...(waiters.get(turnId) ?? []), resolve]);
        dispatch(event);
      });
    },
    chatFailed,
    chatFinished(finish) {
      if (finish.isError) {
        voice.sdkFinished(finish);
        return;
      }
      showAnswers();
      lastFinish = finish;
      dispatch({
        type: 'chat-ended',
        aborted: finish.isAbort,
        atCall: standsAtCall(onScreen()),
        ...softFailureOf(finish),
        ...(finish.message === undefined
          ? {}
          : { messageId: finish.message.id, hasText: messageText(finish.message).trim() !== '' }),
      });
      lastFinish = undefined;
    },
    offline: network.offline,
    reserve(entryId) {
      const claimed = kept?.reserve(entryId) ?? 'ours';
      return typeof claimed === 'string'
        ? claimed !== 'theirs'
        : claimed.then((later) => later !== 'theirs');
    },
    letGo: (entryId) => kept?.letGo(entryId),
    async hasArrived(entryId) {
      const entry = model.queue.find((other) => other.pending.id === entryId);
      const known = backend;
      if (entry === undefined || known === undefined) return false;
      if (known.route('snapshot') === 'absent') return false;
      try {
        const answer = await bounded((signal) => known.readSnapshot(signal));
        const result = transcript.resultOf(answer, entry.turn);
        if (result.kind !== 'snapshot' || !result.found) return false;
        transcript.put(result.messages);
        dispatch({ type: 'entry-removed', entryId });
        return true;
      } catch {
        return false;
      }
    },
    settled(ms) {
      if (model.job.at === 'rest' || disposed) return Promise.resolve();
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
    leftovers: () => inHand().map(({ left }) => left),
    adopt(lefts) {
      if (lefts.length > 0) dispatch({ type: 'sends-restored', lefts, from: 'memory' });
    },
    start() {
      if (disposed) return;
      mounted = true;
      forgetPage = world.onPageEvent(pageChanged);
      openStore();
    },
    dispose() {
      if (disposed) return;
      disposed = true;
      kept?.close();
      forgetPage();
      watch.end();
      shares.end();
      clock.end();
      gateClock.end();
      scope.end();
      for (const abort of requests) abort.abort();
      // What a request without an answer would have cut away is still there, for all anyone here knows.
      if (model.turn !== undefined && !model.turn.accepted) transcript.restore();
      hosts.answer('hold');
      hosts.end();
      void chat?.stop().catch(() => {});
      for (const resolves of waiters.values()) release(resolves);
      waiters.clear();
      release(restWaiters);
      subscribers.clear();
    },
  };
}

/** What the SDK takes for a stop. */
const quietAbort = (): DOMException => new DOMException('The act was given up.', 'AbortError');

/** Calls everybody who waits, each once. */
function release(waiting: Iterable<() => void>): void {
  for (const resolve of [...waiting]) resolve();
}
