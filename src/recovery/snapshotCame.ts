import { toHelixError } from '../errors/toHelixError.ts';
import { answersRead } from './answersRead.ts';
import { type Draft, dropEntry, findEntry, order, patch } from './draft.ts';
import { failWith, rest, restore, settle } from './ending.ts';
import { isWaiting, joinLiveRun } from './joining.ts';
import { isUnanswered, type ReadPlan } from './model.ts';
import type { ChatMessage } from './ports.ts';
import { drainLater, startTurn } from './queue.ts';
import type { ReadResult } from './readResult.ts';

/** The conversation as the server has it goes on screen, and the plan of the read goes on from there. */
export function snapshotCame<M extends ChatMessage>(
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
    failAsRun(d, result, result.lastId);
    return;
  }
  if (paused) order(d, { do: 'dispatch-open-calls' });
  if (plan.keep !== undefined && !proves(plan.keep.phase, result)) {
    restore(d, plan.keep);
    return;
  }
  // They were on their way when the chat was left, or were held by a stop: the call is open still, so they have not arrived.
  if (d.model.turn === undefined && result.awaitsOurs) patch(d, { leftAnswers: true });
  settle(d, 'read');
}

/** The run has failed: its own error is the failure of its message, or of the reply that is named. */
function failAsRun<M extends ChatMessage>(
  d: Draft<M>,
  { runError }: ReadResult,
  messageId?: string,
): void {
  const error = runError ?? toHelixError(undefined);
  failWith(d, { error, phase: 'stream', committed: 'yes', runFailed: true, messageId });
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
    failAsRun(d, result);
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
