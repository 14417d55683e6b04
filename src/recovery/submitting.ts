import { answerRejected } from '../errors/clientFailures.ts';
import { type Draft, enter, isBusy, newTurn, order, patch, usable } from './draft.ts';
import { askOrIdle, goOn, submitNext } from './ending.ts';
import type { RecoveryEvent } from './events.ts';
import type { RefusedAnswers, Turn } from './model.ts';
import type { ChatMessage } from './ports.ts';
import { startTurn } from './queue.ts';
import { startRead } from './reading.ts';

type EventOf<M extends ChatMessage, T extends RecoveryEvent['type']> = Extract<
  RecoveryEvent<M>,
  { type: T }
>;

/** The app sends answers, or a person presses for those that failed. What is under way ends first: answers are never held. */
export function submitRequested<M extends ChatMessage>(
  d: Draft<M>,
  event: EventOf<M, 'act-requested'>,
): void {
  const { targetId, answers = [], request } = event;
  const turn = newTurn<M>(d, { kind: 'submit', message: undefined, targetId, answers, request });
  const { state, failedSubmit } = d.model;
  if (event.again && answers.length === 0 && failedSubmit === undefined) {
    // A press that has nothing to repeat.
    order(d, { do: 'finish-turn', turn, by: 'stop' });
    return;
  }
  if (isBusy(d)) {
    submitAfterThis(d, turn);
    return;
  }
  const reads = event.again && answers.length > 0 && usable(d.env.routes.snapshot);
  if (!reads || state.name !== 'failed') {
    startTurn(d, turn, false);
    return;
  }
  const { failure } = state;
  const { error, committed } = failure;
  patch(d, { turn: { ...turn, refused: { error, committed, again: 'pressed' } } });
  startRead(d, { why: 'answers', keep: failure });
}

/** A second press of one button joins the first; other answers go next. */
function submitAfterThis<M extends ChatMessage>(d: Draft<M>, turn: Turn<M>): void {
  const { turn: present, submit } = d.model;
  const same = [present, submit].find((other) => other?.kind === 'submit' && !other.accepted);
  if (same === undefined) patch(d, { submit: turn });
  else order(d, { do: 'join', turnId: turn.id, to: same.id });
}

/** An answer came in. It goes when the app says so, and nothing else is under way or stands failed. */
export function answerGiven<M extends ChatMessage>(
  d: Draft<M>,
  toolCallId: string | undefined,
): void {
  const { state, job } = d.model;
  if (state.name === 'failed') {
    const { phase, error } = state.failure;
    const named = toolCallId !== undefined && error.toolCallIds?.includes(toolCallId) === true;
    // The server asks for just this answer again: giving it is the way out of the failure.
    if (phase !== 'submit' || !named) return;
    askOrIdle(d);
    return;
  }
  if (job.at === 'rest' || job.at === 'asking') askOrIdle(d);
}

/** The app has said whether the answers to tool calls go out. */
export function submitDecided<M extends ChatMessage>(
  d: Draft<M>,
  event: EventOf<M, 'submit-decided'>,
): void {
  if (d.model.job.at !== 'asking') return;
  if (event.wanted === 'later') {
    patch(d, { state: { name: 'idle' } });
    return;
  }
  const { targetId, answers } = event;
  const request = event.request ?? d.model.askAfter?.request;
  patch(d, { askAfter: undefined, leftAnswers: false });
  if (event.wanted === 'no') {
    goOn(d);
    return;
  }
  submitNext(d, newTurn<M>(d, { kind: 'submit', message: undefined, targetId, answers, request }));
}

/** The first component shows the chat: answers that were given to it unseen may go now. */
export function mounted<M extends ChatMessage>(d: Draft<M>): void {
  if (d.model.job.at === 'rest' && d.model.state.name === 'idle') askOrIdle(d);
}

/** The call that brought the answers ends, and the conversation says what became of them. */
export function readAnswers<M extends ChatMessage>(
  d: Draft<M>,
  turn: Turn<M>,
  refused: RefusedAnswers,
): void {
  patch(d, { turn: { ...turn, refused } });
  order(d, { do: 'answer-refusal', answer: 'hold' });
  const plan = { why: 'answers', follows: refused.error } as const;
  enter(d, { at: 'closing', next: { to: 'read', plan } });
}

/** The stream names answers of ours that did not apply: a failure once the reply has ended. */
export function answersRejected<M extends ChatMessage>(
  d: Draft<M>,
  rejections: EventOf<M, 'answers-rejected'>['rejections'],
): void {
  if (!d.model.own || rejections.length === 0) return;
  patch(d, { rejected: answerRejected(rejections) });
}
