import { answerRejected } from '../errors/clientFailures.ts';
import { toHelixError } from '../errors/toHelixError.ts';
import { ANSWERED_AGAIN } from './decideSubmit.ts';
import { type Draft, makeFailure, mayMove, order, patch } from './draft.ts';
import { failWith, restore, settle } from './ending.ts';
import { isAsleep, type ReadPlan, type RefusedAnswers } from './model.ts';
import type { ChatMessage } from './ports.ts';
import { startTurn } from './queue.ts';
import type { ReadResult } from './readResult.ts';
import { backOff, ownPause } from './waiting.ts';

/**
 * What follows from the conversation for the answers of the submit under way. `join`: they are in, and the live run is
 * their reply. `watch`: another run is in the way, and its end is waited for. Else it is done here.
 */
export function answersRead<M extends ChatMessage>(
  d: Draft<M>,
  plan: ReadPlan,
  result: ReadResult,
): 'join' | 'watch' | 'done' {
  const { turn } = d.model;
  if (turn === undefined) {
    settle(d, 'read');
    return 'done';
  }
  const { refused } = turn;
  const fate = result.answers?.fate;
  // Its turn has ended in the failure that stands: reading again is no second end.
  const over = plan.keep !== undefined && refused?.again === 'no';
  const isActive = result.status === 'active';
  if (over && (isActive || fate !== 'open')) patch(d, { turn: undefined });
  else if (refused?.again === 'renamed') patch(d, { turn: { ...turn, targetId: result.lastId } });
  if (isActive) {
    if (over) return 'join';
    // After a refusal it is another's run, though the same answer may stand there.
    const isOurs = refused?.committed !== 'no' && (fate === 'taken' || fate === undefined);
    if (!isOurs) return 'watch';
    patch(d, { turn: { ...turn, accepted: true, unclear: false }, troubled: true });
    return 'join';
  }
  if (fate === 'taken' || (fate === 'other' && plan.keep !== undefined)) {
    answersSettled(d, result);
  } else if (fate === 'open' && refused !== undefined && refused.again !== 'no') {
    answerOnceMore(d, refused);
  } else {
    answersNotTaken(d, plan, result.answers);
  }
  return 'done';
}

/** They are in, or another answer is and the person has been told: nothing is left to answer. */
function answersSettled<M extends ChatMessage>(d: Draft<M>, result: ReadResult): void {
  patch(d, { troubled: true });
  if (result.status === 'failed') {
    failWith(d, {
      error: result.runError ?? toHelixError(undefined),
      phase: 'stream',
      committed: 'yes',
      messageId: result.lastId,
    });
    return;
  }
  settle(d, 'read');
}

/** The conversation could not be read, or says that the answers did not apply. They stay where they were given. */
export function answersNotTaken<M extends ChatMessage>(
  d: Draft<M>,
  plan: ReadPlan,
  found?: ReadResult['answers'],
): void {
  if (plan.keep !== undefined) {
    restore(d, plan.keep);
    return;
  }
  const refused = d.model.turn?.refused;
  if (refused?.committed === 'unknown' && found?.fate === 'other') {
    // No word came from the server, and another answer stands there: that is what happened to this one.
    const error = answerRejected(found.calls.map((toolCallId) => ({ toolCallId, reason: '' })));
    failWith(d, { error, phase: 'submit', committed: 'yes' });
    return;
  }
  answersGivenUp(d);
}

/** The server still waits for these answers: they go again, once by themselves, or by a press. */
function answerOnceMore<M extends ChatMessage>(
  d: Draft<M>,
  { error, committed, again }: RefusedAnswers,
): void {
  const { turn } = d.model;
  if (turn === undefined) return;
  if (again === 'pressed' && !isAsleep(turn)) {
    startTurn(d, turn, false);
    return;
  }
  const facts = { error, phase: 'submit', committed, messageId: turn.targetId } as const;
  const failure = makeFailure(d, facts, true);
  if (isAsleep(turn) || !mayMove(d, 'submit', failure)) {
    failWith(d, facts);
    return;
  }
  patch(d, { turn: { ...turn, spent: [...turn.spent, ANSWERED_AGAIN] }, troubled: true });
  if (again === 'later' || ownPause(d, true) !== undefined) {
    const job = { at: 'answer-wait' } as const;
    backOff(d, { of: 'send', job, phase: 'submit', failure, tries: 1, attempts: 2 });
    return;
  }
  order(d, { do: 'spend-budget' });
  answerNow(d);
}

/** Refused answers do not go once more by themselves. */
export function answersGivenUp<M extends ChatMessage>(d: Draft<M>): void {
  const refused = d.model.turn?.refused;
  failWith(d, {
    error: refused?.error ?? toHelixError(undefined),
    phase: 'submit',
    committed: refused?.committed ?? 'unknown',
  });
}

/** The wait before answers go is over, or there is none. */
export function answerNow<M extends ChatMessage>(d: Draft<M>): void {
  const { turn } = d.model;
  if (turn === undefined) return;
  startTurn(d, turn, false);
  if (d.model.state.name !== 'sending') return;
  const attempt = turn.requests + 1;
  patch(d, { state: { ...d.model.state, attempt } });
}
