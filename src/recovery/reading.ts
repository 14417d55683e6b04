import { reanchorLimit, strandedRun } from '../errors/clientFailures.ts';
import { HelixError } from '../errors/HelixError.ts';
import { toHelixError } from '../errors/toHelixError.ts';
import type { Refusal } from '../transport/turnHost.ts';
import { answersNotTaken, answersRead } from './answersRead.ts';
import { pollWaitMs } from './backoff.ts';
import { isBareLook, isGone, readRepeats } from './decide.ts';
import {
  type Draft,
  dropEntry,
  enter,
  findEntry,
  jobMs,
  lookedFor,
  makeFailure,
  mayMove,
  mayRead,
  order,
  patch,
  report,
  usable,
} from './draft.ts';
import { failWith, rest, restore, settle } from './ending.ts';
import { noteOutcome } from './liveness.ts';
import { isUnanswered, nextHeld, type ReadPlan, resyncCauseOf, type Turn } from './model.ts';
import type { ChatMessage } from './ports.ts';
import { drainLater, startTurn } from './queue.ts';
import type { ReadResult } from './readResult.ts';
import { evidenceOf } from './recoveryReport.ts';
import type { RecoveryState } from './state.ts';
import { backOff, isTry } from './waiting.ts';

const isWaiting = (plan: ReadPlan): boolean => plan.why === 'waiting';

/** The message whose fate this read decides, if it decides one. */
function soughtBy<M extends ChatMessage>(d: Draft<M>, plan: ReadPlan): Turn<M> | undefined {
  if (plan.why === 'before-send') return findEntry(d.model, plan.entryId)?.turn;
  if (plan.why === 'answers') return d.model.turn;
  if (isWaiting(plan)) {
    const head = d.model.queue[0]?.turn;
    return head?.unclear ? head : undefined;
  }
  const kept = plan.keep?.messageId;
  return (kept === undefined ? undefined : findEntry(d.model, kept)?.turn) ?? d.model.turn;
}

function readingState<M extends ChatMessage>(d: Draft<M>, plan: ReadPlan): RecoveryState {
  const { state } = d.model;
  if (isWaiting(plan)) {
    return state.name === 'waiting-on-run'
      ? { ...state, attached: false }
      : {
          name: 'waiting-on-run',
          since: d.env.now,
          cause: 'foreign-run',
          attached: false,
          stopping: d.model.run.stopping,
        };
  }
  if (plan.quiet && plan.keep !== undefined) return { name: 'failed', failure: plan.keep };
  const cause = resyncCauseOf(plan);
  return {
    name: 'resyncing',
    since: state.name === 'resyncing' ? state.since : d.env.now,
    cause,
    attached: d.model.turn?.accepted ?? false,
  };
}

/** Whether the app lets the run be looked at that a held message waits for. Without a look the message is tried anew. */
function mayLook<M extends ChatMessage>(d: Draft<M>): boolean {
  const head = d.model.queue[0];
  if (!usable(d.env.routes.snapshot) || head === undefined || head.pressed) return true;
  const error = new HelixError({ code: 'state_already_running' });
  const messageId = head.pending.id;
  return mayRead(d, { error, phase: 'send', committed: 'no', messageId });
}

/** Reads the conversation. Bounded; a read that does not answer in time counts as a failed one. */
export function startRead<M extends ChatMessage>(d: Draft<M>, plan: ReadPlan, tries = 0): void {
  if (isWaiting(plan) && !mayLook(d)) {
    routeAbsent(d, plan);
    return;
  }
  const sought = soughtBy(d, plan);
  enter(d, { at: 'reading', plan, tries }, readingState(d, plan));
  order(d, {
    do: 'read-snapshot',
    boundMs: d.env.policy.heldReadMs,
    ...(sought === undefined ? {} : { looksFor: sought }),
  });
}

export function readDone<M extends ChatMessage>(
  d: Draft<M>,
  plan: ReadPlan,
  tries: number,
  result: ReadResult,
): void {
  switch (result.kind) {
    case 'snapshot':
      if (result.messages !== undefined) patch(d, { acknowledged: true });
      snapshotCame(d, plan, result);
      return;
    case 'absent':
      routeAbsent(d, plan);
      return;
    case 'failed':
    case 'timed-out':
      readFailed(d, plan, tries, result.error);
  }
}

/** The conversation was read, whatever for: nobody has to look any more whether a message has arrived. */
export function answerChecks<M extends ChatMessage>(d: Draft<M>): void {
  const { turn, queue } = d.model;
  patch(d, {
    turn: turn && { ...turn, readFailed: false },
    queue: queue.map((entry) => {
      const { failure } = entry.pending;
      if (failure === undefined) return entry;
      const pending = { ...entry.pending, failure: lookedFor(d, failure, entry.turn) };
      return { ...entry, pending, turn: { ...entry.turn, readFailed: false } };
    }),
  });
}

function snapshotCame<M extends ChatMessage>(
  d: Draft<M>,
  plan: ReadPlan,
  result: ReadResult,
): void {
  const renamed = plan.why === 'answers' && d.model.turn?.refused?.again === 'renamed';
  order(d, {
    do: 'put-messages',
    messages: result.messages,
    ...keptReply(d, plan, result),
    ...(renamed ? { serverIds: true } : {}),
  });
  const paused = result.status === 'paused';
  patch(d, { behind: false, paused, ...(result.grew ? { reanchors: 0 } : {}) });
  if (result.grew || result.runId !== d.model.run.id) patch(d, { heardAt: d.env.mono });
  if (result.runId !== undefined) {
    const same = result.runId === d.model.run.id;
    patch(d, {
      run: same ? d.model.run : { id: result.runId, stoppedHere: false, stopping: false },
    });
  }
  if (plan.why === 'before-send') {
    soughtFor(d, plan, result);
    return;
  }
  if (plan.why === 'answers' || isUnanswered(d.model.turn)) {
    if (paused) order(d, { do: 'dispatch-open-calls' });
    const next = answersRead(d, plan, result);
    if (next !== 'done') joinLiveRun(d, next === 'join' ? { why: 'resync' } : plan);
    return;
  }
  if (plan.why === 'before-continue') {
    continueNow(d, result);
    return;
  }
  if (result.status === 'active') {
    const { quiet: _was, ...shown } = plan;
    joinLiveRun(d, shown);
    return;
  }
  patch(d, { run: { ...d.model.run, stopping: false } });
  if (isWaiting(plan)) {
    runIsOver(d, result);
    return;
  }
  if (plan.keep?.messageId !== undefined && result.found) dropEntry(d, plan.keep.messageId);
  if (result.status === 'failed') {
    failWith(d, {
      error: result.runError ?? toHelixError(undefined),
      phase: 'stream',
      committed: 'yes',
      runFailed: true,
      messageId: result.lastId,
    });
    return;
  }
  if (paused) order(d, { do: 'dispatch-open-calls' });
  // They were on their way when the chat was left: the call is open still, so they have not arrived.
  if (plan.why === 'load' && result.awaitsOurs) patch(d, { leftAnswers: true });
  if (plan.keep !== undefined && !proves(plan.keep.phase, result)) {
    restore(d, plan.keep);
    return;
  }
  settle(d, 'read');
}

/** What is on screen of a reply that is still written stays until its replay takes its place. */
function keptReply<M extends ChatMessage>(
  d: Draft<M>,
  plan: ReadPlan,
  result: ReadResult,
): { keepReply?: 'begun' | 'caught-up' } {
  if (result.status !== 'active' || isWaiting(plan) || plan.why === 'load') return {};
  // What is on screen is the reply of another run, which has ended.
  if (result.runId !== undefined && result.runId !== d.model.run.id) return {};
  return { keepReply: plan.why === 'reanchor' ? 'begun' : 'caught-up' };
}

/** Whether a read has settled the failure that stood before it. A snapshot alone never clears one. */
function proves(phase: string, result: ReadResult): boolean {
  if (phase === 'load' || phase === 'snapshot' || phase === 'stop') return true;
  if (phase === 'stream' || phase === 'regenerate') return result.answered === true;
  return result.found === true;
}

/** The conversation was searched for a message before it is posted again. */
function soughtFor<M extends ChatMessage>(d: Draft<M>, plan: ReadPlan, result: ReadResult): void {
  const entry = findEntry(d.model, plan.entryId);
  if (entry === undefined) {
    rest(d);
    return;
  }
  dropEntry(d, entry.pending.id);
  if (!result.found) {
    startTurn(d, entry.turn, entry.newKey);
    return;
  }
  patch(d, { turn: { ...entry.turn, accepted: true }, troubled: true });
  if (result.status === 'active') {
    joinLiveRun(d, { why: 'resync' });
    return;
  }
  if (result.status === 'failed') {
    failWith(d, {
      error: result.runError ?? toHelixError(undefined),
      phase: 'stream',
      committed: 'yes',
      runFailed: true,
    });
    return;
  }
  settleAtCalls(d);
}

/** The message was found, and its run is over. It may wait for answers, which are this client's to give. */
function settleAtCalls<M extends ChatMessage>(d: Draft<M>): void {
  if (d.model.paused) order(d, { do: 'dispatch-open-calls' });
  settle(d, 'read');
}

/** The screen shows what the server has. A run that goes on already is watched; else the server is asked to go on. */
function continueNow<M extends ChatMessage>(d: Draft<M>, result: ReadResult): void {
  const { turn } = d.model;
  if (turn === undefined) {
    rest(d);
    return;
  }
  if (result.status !== 'active') {
    startTurn(d, turn, false);
    return;
  }
  patch(d, { turn: { ...turn, accepted: true }, troubled: true });
  joinLiveRun(d, { why: 'resync' });
}

function runIsOver<M extends ChatMessage>(d: Draft<M>, result: ReadResult): void {
  const head = d.model.queue[0];
  if (head?.turn.unclear && result.found) {
    dropEntry(d, head.pending.id);
    patch(d, { turn: head.turn });
    settleAtCalls(d);
    return;
  }
  if (result.status === 'paused' && head?.pressed !== true) {
    // Nothing is watched any more, but what is held waits on.
    order(d, { do: 'dispatch-open-calls' });
    rest(d);
    return;
  }
  drainLater(d, d.model.polls === 0 ? (head?.turn.conflicts ?? 0) : 0);
}

/** The conversation cannot be read any more: what waited for it returns to the person, with the reason. */
function heldFails<M extends ChatMessage>(d: Draft<M>, error: HelixError): void {
  const head = nextHeld(d.model);
  if (head !== undefined) {
    dropEntry(d, head.pending.id);
    patch(d, { turn: head.turn });
  }
  failWith(d, { error, phase: head === undefined ? 'snapshot' : 'send', committed: 'no' });
}

/** Joins the live run, unless it has been joined too often without anything new, or has no stream. */
function joinLiveRun<M extends ChatMessage>(d: Draft<M>, plan: ReadPlan): void {
  if (plan.why === 'stranded' || !usable(d.env.routes.stream)) {
    poll(d, plan);
    return;
  }
  const counts = !isWaiting(plan) && plan.why !== 'load' && plan.why !== 'reanchor';
  if (counts && d.model.reanchors >= d.env.policy.reanchors) {
    failWith(d, { error: reanchorLimit(), phase: 'stream', committed: 'yes' });
    return;
  }
  attach(d, plan, 0);
}

/** Joins the live run's stream. */
export function attach<M extends ChatMessage>(d: Draft<M>, plan: ReadPlan, tries: number): void {
  enter(d, { at: 'attaching', plan, tries }, readingState(d, plan));
  patch(d, { lastRead: undefined });
  order(d, { do: 'attach' });
}

const STRANDED = { phase: 'stream', committed: 'yes' } as const;

/** Active, but there is nothing to attach to: it is starting, or stranded. Looks again until one of both changes. */
function poll<M extends ChatMessage>(d: Draft<M>, plan: ReadPlan, failing = false): void {
  if (d.env.mono - d.model.heardAt > d.env.policy.patienceMs) {
    outOfPatience(d, plan);
    return;
  }
  if (!isWaiting(plan) && !mayRead(d, { ...STRANDED, error: strandedRun() })) {
    failWith(d, { ...STRANDED, error: strandedRun() });
    return;
  }
  const polls = d.model.polls;
  patch(d, { polls: polls + 1, troubled: true });
  enter(d, { at: 'polling', plan, polls, failing }, readingState(d, plan));
  order(d, { do: 'start-timer', ms: pollWaitMs(polls, d.env.chance, d.env.policy) });
}

export function outOfPatience<M extends ChatMessage>(d: Draft<M>, plan: ReadPlan): void {
  if (isWaiting(plan)) {
    // The person's message goes on by the queue's own judgement of patience.
    drainLater(d, 0);
    return;
  }
  failWith(d, { ...STRANDED, error: strandedRun() });
}

/** The next look at a run without a stream may find one: it is tried again each time. */
export function pollFired<M extends ChatMessage>(d: Draft<M>, plan: ReadPlan): void {
  const next: ReadPlan = plan.why === 'stranded' ? { ...plan, why: 'resync' } : plan;
  startRead(d, next);
}

/** A run that is not live is an answer; anything else is a refusal to tell of. */
function reportRefusedJoin<M extends ChatMessage>(
  d: Draft<M>,
  tries: number,
  { error, status }: Refusal,
): void {
  if (error === undefined) return;
  const refused = { phase: 'stream', attempt: tries + 1, ms: jobMs(d) } as const;
  report(d, { type: 'request-refused', ...refused, ...evidenceOf(error, status) });
}

export function attachRefused<M extends ChatMessage>(
  d: Draft<M>,
  plan: ReadPlan,
  tries: number,
  refusal: Refusal,
): void {
  const { status, error } = refusal;
  noteOutcome(d, status, error);
  order(d, { do: 'answer-refusal', answer: 'hold' });
  reportRefusedJoin(d, tries, refusal);
  if (error === undefined || isGone(status, error)) {
    poll(d, plan);
    return;
  }
  if (status === 401 || status === 403) {
    failWith(d, { error, phase: 'snapshot', committed: 'yes' });
    return;
  }
  const failure = makeFailure(d, { error, phase: 'stream', committed: 'yes' }, true);
  const { reconnects } = d.env.policy;
  const counts = isTry(d, status);
  const tooLong = (error.retryAfterMs ?? 0) > d.env.policy.statedWaitCapMs;
  if (tooLong && !isWaiting(plan)) {
    failWith(d, { error, phase: 'stream', committed: 'yes' });
    return;
  }
  if (reconnects > 0 && (tries + 1 < reconnects || !counts) && mayMove(d, 'reconnect', failure)) {
    backOff(d, {
      of: plan.why === 'load' ? 'load' : 'read',
      job: { at: 'attach-wait', plan, tries: counts ? tries + 1 : tries },
      phase: 'stream',
      failure,
      tries: Math.min(tries + 1, reconnects),
      attempts: reconnects,
    });
    return;
  }
  poll(d, plan, true);
}

/** The live run is not joined by itself any more. */
export function attachGivenUp<M extends ChatMessage>(
  d: Draft<M>,
  plan: ReadPlan,
  error: HelixError | undefined,
): void {
  if (isWaiting(plan)) outOfPatience(d, plan);
  else failWith(d, { error: error ?? strandedRun(), phase: 'stream', committed: 'yes' });
}

function routeAbsent<M extends ChatMessage>(d: Draft<M>, plan: ReadPlan): void {
  const { turn } = d.model;
  if (plan.why === 'before-send') {
    const entry = findEntry(d.model, plan.entryId);
    if (entry === undefined) {
      rest(d);
      return;
    }
    dropEntry(d, entry.pending.id);
    startTurn(d, entry.turn, entry.newKey);
    return;
  }
  if (plan.why === 'before-continue' && turn !== undefined) {
    startTurn(d, turn, false);
    return;
  }
  if (isWaiting(plan)) {
    drainLater(d, Math.max(2, (d.model.queue[0]?.turn.conflicts ?? 0) + 1));
    return;
  }
  if (plan.why === 'answers' || isUnanswered(turn)) {
    answersNotTaken(d, plan);
    return;
  }
  if (plan.fallback !== undefined && turn !== undefined) {
    failWith(d, { error: plan.fallback, phase: 'stream', committed: 'yes' });
    return;
  }
  if (plan.keep !== undefined) {
    restore(d, plan.keep);
    return;
  }
  settle(d, 'read');
}

function readFailed<M extends ChatMessage>(
  d: Draft<M>,
  plan: ReadPlan,
  tries: number,
  cause: HelixError | undefined,
): void {
  const error = cause ?? toHelixError(undefined);
  if (plan.fallback !== undefined && isBareLook(d.model, d.env, 'snapshot')) {
    routeAbsent(d, plan);
    return;
  }
  if (isWaiting(plan) && readRepeats(cause, d.env) === 0) {
    heldFails(d, error);
    return;
  }
  if (isWaiting(plan)) {
    if (
      tries < readRepeats(cause, d.env) ||
      d.env.mono - d.model.heardAt <= d.env.policy.patienceMs
    ) {
      poll(d, plan, true);
      return;
    }
    drainLater(d, 0);
    return;
  }
  if (plan.quiet && plan.keep !== undefined) {
    restore(d, plan.keep);
    return;
  }
  const phase = plan.why === 'load' ? 'load' : 'snapshot';
  const tooLong = (error.retryAfterMs ?? 0) > d.env.policy.statedWaitCapMs;
  const repeats = readRepeats(cause, d.env);
  const counts = isTry(d, error.statusCode);
  if (repeats > 0 && (tries < repeats || !counts) && !tooLong) {
    const failure = makeFailure(d, { error, phase, committed: 'yes' }, true);
    if (mayMove(d, 'resync', failure)) {
      backOff(d, {
        of: plan.why === 'load' ? 'load' : 'read',
        job: { at: 'read-wait', plan, tries: counts ? tries + 1 : tries },
        phase,
        failure,
        tries: Math.min(tries + 1, repeats),
        attempts: repeats + 1,
      });
      return;
    }
  }
  readGivenUp(d, plan, error);
}

/** The conversation is not read by itself any more. */
export function readGivenUp<M extends ChatMessage>(
  d: Draft<M>,
  plan: ReadPlan,
  error: HelixError = toHelixError(undefined),
): void {
  if (isWaiting(plan)) {
    outOfPatience(d, plan);
    return;
  }
  if (plan.why === 'answers' || isUnanswered(d.model.turn)) {
    answersNotTaken(d, plan);
    return;
  }
  if ((plan.why === 'before-send' || plan.why === 'before-continue') && plan.keep !== undefined) {
    restore(d, plan.keep);
    return;
  }
  failWith(d, { error, phase: plan.why === 'load' ? 'load' : 'snapshot', committed: 'yes' });
}
