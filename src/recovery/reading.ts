import { timeoutFailure } from '../errors/clientFailures.ts';
import { HelixError } from '../errors/HelixError.ts';
import { answersNotTaken } from './answersRead.ts';
import { isBareLook, readRepeats } from './decide.ts';
import {
  type Draft,
  dropEntry,
  enter,
  findEntry,
  lookedFor,
  makeFailure,
  mayMove,
  mayRead,
  order,
  patch,
  usable,
} from './draft.ts';
import { failWith, rest, restore, settle } from './ending.ts';
import { isWaiting, outOfPatience, poll, readingState } from './joining.ts';
import { isUnanswered, nextHeld, type ReadPlan, type Turn } from './model.ts';
import type { ChatMessage } from './ports.ts';
import { drainLater, startTurn } from './queue.ts';
import type { ReadResult } from './readResult.ts';
import { snapshotCame } from './snapshotCame.ts';
import { backOff, isTry } from './waiting.ts';

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

/** What a read of the conversation brought, or that it brought nothing. */
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

/** The conversation cannot be read any more: what waited for it returns to the person, with the reason. */
function heldFails<M extends ChatMessage>(d: Draft<M>, error: HelixError): void {
  const head = nextHeld(d.model);
  if (head !== undefined) {
    dropEntry(d, head.pending.id);
    patch(d, { turn: head.turn });
  }
  failWith(d, { error, phase: head === undefined ? 'snapshot' : 'send', committed: 'no' });
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
  const error = cause ?? timeoutFailure('connect');
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
  error: HelixError = timeoutFailure('connect'),
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
