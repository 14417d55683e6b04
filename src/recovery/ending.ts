import type { Failure } from '../errors/failure.ts';
import { failureRow } from '../errors/failureTable.ts';
import {
  type Draft,
  enter,
  type FailureFacts,
  lookedFor,
  makeFailure,
  order,
  patch,
  report,
  usable,
} from './draft.ts';
import {
  awaitsAnswers,
  type Entry,
  goesByItself,
  isRepeated,
  nextHeld,
  pendingIdOf,
  type Turn,
} from './model.ts';
import type { ChatMessage } from './ports.ts';
import { evidenceOf } from './recoveryReport.ts';
import type { RecoveryState } from './state.ts';

/** Nothing is under way any more: answers to tool calls are next, then the queue's head, else `idle`. */
export function rest<M extends ChatMessage>(d: Draft<M>): void {
  restWithout(d);
  const { submit } = d.model;
  if (submit !== undefined) submitNext(d, submit);
  else if (mayAsk(d)) ask(d);
  else goOn(d);
}

function restWithout<M extends ChatMessage>(d: Draft<M>): void {
  patch(d, { turn: undefined, own: false, toPut: undefined, triggers: [], polls: 0 });
  patch(d, { cuts: { turn: 0, inARow: 0 }, reanchors: 0, pausedAt: undefined });
}

/** Whether the app is to be asked if answers go: after a turn of ours, or for answers that were given here. */
const mayAsk = <M extends ChatMessage>({ model, env }: Draft<M>): boolean =>
  env.mounted && (model.askAfter !== undefined || model.leftAnswers || env.freshAnswers);

function ask<M extends ChatMessage>(d: Draft<M>): void {
  enter(d, { at: 'asking' });
  order(d, { do: 'ask-auto-send', again: d.model.leftAnswers });
}

/** Nothing stands in the way of answers any more; without any the chat is idle, and what is pending stays. */
export function askOrIdle<M extends ChatMessage>(d: Draft<M>): void {
  if (mayAsk(d)) ask(d);
  else enter(d, { at: 'rest' }, { name: 'idle' });
}

/** Answers go next, once the SDK is out of its callback. */
export function submitNext<M extends ChatMessage>(d: Draft<M>, turn: Turn<M>): void {
  patch(d, { turn, submit: undefined, own: true });
  enter(d, { at: 'submit-wait' }, { name: 'sending', since: d.env.now, attempt: 1 });
  order(d, { do: 'soon' });
}

/** While the run waits for answers, messages that would go by themselves wait for them too; then they go. */
function awaitAnswers<M extends ChatMessage>(d: Draft<M>): void {
  const { paused } = d.model;
  const queue = d.model.queue.map((entry) => {
    const changes = paused ? goesByItself(entry) && entry.pressed !== true : awaitsAnswers(entry);
    if (!changes) return entry;
    const cause = paused ? ('awaiting-answer' as const) : ('own-run' as const);
    return { ...entry, pending: { ...entry.pending, cause } };
  });
  patch(d, { queue });
}

/** No answers go: the queue's head is next, else `idle`. */
export function goOn<M extends ChatMessage>(d: Draft<M>): void {
  awaitAnswers(d);
  if (nextHeld(d.model) !== undefined) {
    enter(
      d,
      { at: 'drain' },
      {
        name: 'waiting-on-run',
        since: d.env.now,
        cause: 'own-run',
        attached: false,
        stopping: false,
      },
    );
    order(d, { do: 'soon' });
    return;
  }
  enter(d, { at: 'rest' }, { name: 'idle' });
  if (d.model.behind && usable(d.env.routes.snapshot)) readQuietly(d);
  if (d.model.troubled) {
    patch(d, { troubled: false });
    order(d, { do: 'tell-recovered' });
    report(d, { type: 'recovered', ms: Math.max(0, d.env.mono - d.model.troubledAt) });
  }
}

/** A read did not settle the failure that stood before it: it stands again, the same one. */
export function restore<M extends ChatMessage>(d: Draft<M>, kept: Failure): void {
  patch(d, { turn: undefined, own: false });
  pauseQueue(d);
  const entry = d.model.queue.find(({ pending }) => pending.failure?.id === kept.id);
  const failure = entry?.pending.failure ?? lookedFor(d, kept, d.model.failedAct);
  enter(d, { at: 'rest' }, { name: 'failed', failure });
  order(d, { do: 'release', entryId: '' });
}

/** Answers that wait for their turn are given up; they stay where they were given. */
export function dropSubmit<M extends ChatMessage>(d: Draft<M>): void {
  const { submit } = d.model;
  if (submit === undefined) return;
  patch(d, { submit: undefined });
  order(d, { do: 'finish-turn', turn: submit, by: 'stop' });
}

/** A read in the background of `idle`: it settles the screen, never attaches, and its failure is ignored. */
export function readQuietly<M extends ChatMessage>(
  d: Draft<M>,
  state: RecoveryState = { name: 'idle' },
  reads = 0,
): void {
  const parked = d.model.queue[0]?.turn;
  enter(d, { at: 'settling', reads, reading: true }, state);
  order(d, {
    do: 'read-snapshot',
    boundMs: d.env.policy.quietReadMs,
    ...(parked === undefined ? {} : { looksFor: parked }),
  });
}

/** Held messages wait for a press from now on. */
export function pauseQueue<M extends ChatMessage>(d: Draft<M>): void {
  const queue = d.model.queue.map((entry) =>
    goesByItself(entry)
      ? { ...entry, pending: { ...entry.pending, cause: 'queue-paused' as const } }
      : entry,
  );
  patch(d, { queue });
}

/** Ends the turn, if there is one, and rests. */
export function settle<M extends ChatMessage>(d: Draft<M>, by: 'reply' | 'read' | 'stop'): void {
  const { turn } = d.model;
  if (turn !== undefined) order(d, { do: 'finish-turn', turn, by });
  if (by === 'stop') {
    restWithout(d);
    goOn(d);
    return;
  }
  if (turn !== undefined) patch(d, { askAfter: { request: turn.request } });
  rest(d);
}

/** Puts the messages that a quiet read brought, if any. */
export function putKept<M extends ChatMessage>(d: Draft<M>): void {
  if (d.model.toPut === undefined) return;
  order(d, { do: 'put-messages', messages: d.model.toPut });
  patch(d, { toPut: undefined });
}

/** The message of an act that did not reach the transcript moves to the pending ones, at the front. */
export function setAside<M extends ChatMessage>(
  d: Draft<M>,
  turn: Turn<M>,
  pending: Omit<Entry<M>['pending'], 'id' | 'message'>,
  newKey: boolean,
): void {
  const { message } = turn;
  if (message === undefined) return;
  const id = pendingIdOf(turn, message);
  if (turn.kind === 'send') order(d, { do: 'take-out', messageId: message.id });
  const entry: Entry<M> = {
    pending: { ...pending, id, message: { ...message, id } },
    turn: { ...turn, accepted: false },
    newKey,
  };
  const others = d.model.queue.filter((other) => other.pending.id !== id);
  // What goes by itself is next; what waits for a press stands where it was sent.
  const later = goesByItself(entry) ? 0 : others.findIndex((other) => other.turn.id > turn.id);
  const at = later === -1 ? others.length : later;
  patch(d, { queue: [...others.slice(0, at), entry, ...others.slice(at)] });
}

/** Ends what is under way in a failure, unless its row says that it is none. */
export function failWith<M extends ChatMessage>(
  d: Draft<M>,
  facts: FailureFacts & { readonly newKey?: boolean },
): void {
  const { turn } = d.model;
  const { error, phase, committed } = facts;
  // It was searched for and not found: nothing in the conversation may be taken for it.
  const leaves = turn?.kind === 'send' && committed !== 'yes' ? turn.message : undefined;
  if (leaves !== undefined) order(d, { do: 'take-out', messageId: leaves.id });
  putKept(d);
  if (turn !== undefined && !turn.accepted && turn.kind !== 'send')
    order(d, { do: 'restore-history' });
  order(d, { do: 'drop-empty-reply' });
  if (!failureRow(error, { phase, committed }).makesFailure) {
    // No failure to show, but a text that may not be on the server must not leave with the turn.
    if (turn !== undefined && committed !== 'yes') {
      setAside(d, turn, { state: 'parked' }, facts.newKey ?? false);
    }
    settle(d, 'read');
    return;
  }
  const messageId = facts.messageId ?? turn?.message?.id ?? turn?.targetId;
  const isPart = phase === 'snapshot' && turn?.accepted === true;
  const failure: Failure = {
    ...makeFailure(d, { ...facts, messageId }),
    ...(isPart ? { incomplete: true } : {}),
  };
  if (turn !== undefined && committed !== 'yes') {
    setAside(d, turn, { state: 'failed', failure }, facts.newKey ?? false);
  }
  const gate =
    failure.retryAt === undefined
      ? d.model.gate
      : { untilMono: d.env.mono + (error.retryAfterMs ?? 0), failure };
  enter(d, { at: 'rest' }, { name: 'failed', failure });
  patch(d, {
    turn: undefined,
    own: false,
    gate,
    failedAct: turn !== undefined && isRepeated(turn) && !turn.accepted ? turn : undefined,
    failedSubmit: phase === 'submit' ? turn : undefined,
    askAfter: undefined,
    troubled: false,
    pausedAt: undefined,
    reanchors: 0,
    triggers: [],
    cuts: { turn: 0, inARow: 0 },
  });
  pauseQueue(d);
  dropSubmit(d);
  tellFailure(d, failure);
  if (turn !== undefined) order(d, { do: 'finish-turn', turn, by: 'failure' });
  // What the message has changed in the conversation beside its reply is not on screen yet.
  const lags = d.model.behind && turn?.accepted === true && phase === 'stream';
  if (lags && usable(d.env.routes.snapshot)) readQuietly(d, d.model.state);
}

/** Tells the app of a failure, in its callbacks and in the events. */
export function tellFailure<M extends ChatMessage>(d: Draft<M>, failure: Failure): void {
  const { error, phase, severity, committed, attempts } = failure;
  order(d, { do: 'tell-failure', failure });
  report(d, {
    type: 'failed',
    ...{ phase, severity, committed, attempts: attempts.length },
    ...evidenceOf(error),
  });
}
