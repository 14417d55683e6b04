import type { HelixError } from '../errors/HelixError.ts';
import { toHelixError } from '../errors/toHelixError.ts';
import type { Backend, ChatHost } from '../transport/turnHost.ts';
import type { PageEvent } from '../world.ts';
import { createActPromises } from './actPromises.ts';
import { createAppVoice, type Finish } from './appVoice.ts';
import { createBackendCalls } from './backendCalls.ts';
import type { ChatPort } from './chatPort.ts';
import { createClockWatch } from './clockWatch.ts';
import type { ControllerOptions } from './controllerOptions.ts';
import { createWatch } from './deadlines.ts';
import type { Env } from './draft.ts';
import type { Effect } from './effects.ts';
import type { RecoveryEvent } from './events.ts';
import { createGateClock } from './gateClock.ts';
import { createJobScope } from './jobScope.ts';
import { type InHand, type Leftover, leftoversOf } from './leftover.ts';
import { fingerprint, messageText } from './messageIdentity.ts';
import { initialModel, isUnderWay, type Model, type Turn } from './model.ts';
import { createNetworkBelief } from './networkBelief.ts';
import type { ChatMessage } from './ports.ts';
import { createSendKeeping } from './sendKeeping.ts';
import { createShares } from './shares.ts';
import { answersIn, standsAtCall } from './toolParts.ts';
import { createTranscript } from './transcript.ts';
import { transition } from './transition.ts';
import { createTurnHosts } from './turnHosts.ts';
import { createTurnKeys } from './turnKeys.ts';

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
  const promises = createActPromises(world);
  const keys = createTurnKeys(world);

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
  const inHand = (): readonly InHand<M>[] =>
    leftoversOf(model, {
      keyOf: (turn) => keys.of(turn.id),
      memoryOf: (message) => transcript.memoryOf(message),
    });
  const keeping = createSendKeeping<M>({
    ...{ world, keeps: options.keeps, inHand },
    model: () => model,
    dispatch: (event) => dispatch(event),
  });
  const calls = createBackendCalls<M>({
    ...{ world, policy, transcript },
    backend: () => backend,
    scope: () => scope,
    dispatch: (event) => dispatch(event),
  });
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
    keeping.look();
    watch.look();
    shares.look(model);
    watchClock();
    gateClock.look();
    voice.flush();
    if (model.job.at === 'rest') promises.atRest();
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
        if (effect.newKey && model.turn !== undefined) keys.give(model.turn.id, true);
        if (effect.answer === 'repeat') keeping.ifOurs(true, () => hosts.answer('repeat'));
        else hosts.answer(effect.answer);
        return;
      case 'answer-cut':
      case 'answer-failed':
        hosts.answer(effect.answer);
        return;
      case 'read-snapshot':
        calls.read(effect.boundMs, effect.looksFor, (result, ticket) => ({
          type: 'snapshot-read',
          ticket,
          result,
        }));
        return;
      case 'check-run':
        calls.read(effect.boundMs, effect.looksFor, (result, ticket) => ({
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
        calls.stopRun(effect.mode, effect.repeated);
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
        promises.join(effect.turnId, effect.to);
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
    if (left.key !== undefined) keys.takeOver(turn.id, left.key);
    for (const message of [turn.message, pending.message]) {
      if (message !== undefined) transcript.takeOver(message, left);
    }
    // From a store it comes to a screen that may show it already; else to the screen that it was on.
    if (from === 'store') {
      if (transcript.hasBrought(turn)) dispatch({ type: 'entries-found', ids: [pending.id] });
    } else if (turn.kind === 'send') transcript.takeOut(pending.id);
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
    keys.keepOnly(live);
    promises.keepOnly(live);
  };

  const sendMessage = (turn: Turn<M>, newKey: boolean): void => {
    if (chat === undefined) return;
    keys.give(turn.id, newKey);
    transcript.remember(turn);
    keeping.ifOurs(false, () => callChat(turn));
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
    promises.settle(turn.id);
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
    keyOf: keys.of,
    bytes: bytesCame,
    content(at) {
      watch.content(at);
      if (model.job.at === 'reconnecting') dispatch({ type: 'stream-content' });
    },
    now: () => world.monotonic(),
  });

  const pageChanged = (event: PageEvent): void => {
    if (event === 'offline') network.lost();
    keeping.pageChanged(event);
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
      const settled = promises.ofTurn(turnId);
      dispatch(event);
      return settled;
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
    reserve: keeping.reserve,
    letGo: keeping.letGo,
    async hasArrived(entryId) {
      const entry = model.queue.find((other) => other.pending.id === entryId);
      const found = entry === undefined ? undefined : await calls.findIn(entry.turn);
      if (found === undefined || disposed) return false;
      transcript.put(found.messages);
      dispatch({ type: 'entry-removed', entryId });
      return true;
    },
    settled(ms) {
      if (model.job.at === 'rest' || disposed) return Promise.resolve();
      return promises.ofRest(ms);
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
      if (chat !== undefined) keeping.open({ endpoint: backend?.endpoint ?? '', chatId: chat.id });
    },
    dispose() {
      if (disposed) return;
      disposed = true;
      keeping.close();
      forgetPage();
      watch.end();
      shares.end();
      clock.end();
      gateClock.end();
      scope.end();
      calls.end();
      // What a request without an answer would have cut away is still there, for all anyone here knows.
      if (model.turn !== undefined && !model.turn.accepted) transcript.restore();
      hosts.answer('hold');
      hosts.end();
      void chat?.stop().catch(() => {});
      promises.end();
      subscribers.clear();
    },
  };
}

/** What the SDK takes for a stop. */
const quietAbort = (): DOMException => new DOMException('The act was given up.', 'AbortError');
