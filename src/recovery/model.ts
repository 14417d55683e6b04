import type { Attempt, Committed, Failure, Phase } from '../errors/failure.ts';
import type { HelixError } from '../errors/HelixError.ts';
import type { SnapshotStatus } from '../protocol/snapshot.ts';
import type { Cut, Refusal, TurnEnd } from '../transport/turnHost.ts';
import type { ChatMessage, HoldCause, PendingSend } from './ports.ts';
import type { ReadResult } from './readResult.ts';
import type { RecoveryState, ResyncCause } from './state.ts';
import type { ToolPart } from './toolParts.ts';

/** What an act does: a new message, another reply, a changed message, answers to tool calls, or the failed run once more. */
export type ActKind = 'send' | 'regenerate' | 'edit' | 'submit' | 'continue';

/**
 * How refused answers go once more where the server still waits for them: not by themselves; at once; after a wait; or at
 * once, under the id that the server has for their message. `pressed`: a person asked for it.
 */
export type SubmitAgain = 'no' | 'now' | 'later' | 'renamed' | 'pressed';

/** Answers that were refused, or not all taken, and what is to come of it. */
export interface RefusedAnswers {
  readonly error: HelixError;
  readonly committed: Committed;
  readonly again: SubmitAgain;
}

/** One act of the person, from the press to its end. Its frozen message serves every repeat. */
export interface Turn<M extends ChatMessage = ChatMessage> {
  /** Names the act; the controller keeps its request key under it. */
  readonly id: number;
  readonly kind: ActKind;
  /** The message as first sent; absent for a regenerate, a submit and a continue. */
  readonly message: M | undefined;
  /** The SDK's `messageId`: what is regenerated, edited or continued. */
  readonly targetId: string | undefined;
  /** What its text is called while it is pending, where its message has a name that is taken: an edit's. */
  readonly entryId?: string | undefined;
  /** The send's own headers, body and metadata, handed back to the SDK as they came. */
  readonly request: unknown;
  readonly attempts: readonly Attempt[];
  /** Requests made. */
  readonly requests: number;
  /** Of these, failures that count as tries (probes while offline do not). */
  readonly tries: number;
  /** Conflicts answered by holding so far: they space the re-sends. */
  readonly conflicts: number;
  /** Once-only repairs already spent, by name. */
  readonly spent: readonly string[];
  /** The message may be on the server: it was posted and the outcome is not known. */
  readonly unclear: boolean;
  readonly accepted: boolean;
  /** An automatic read of the conversation failed during this act. */
  readonly readFailed: boolean;
  /** The tool calls that a submit answers, as they were answered. */
  readonly answers: readonly ToolPart[];
  /** Of a submit: why the conversation is read before anything else comes of it. */
  readonly refused?: RefusedAnswers | undefined;
}

/** In `spent` of an act that the page slept through: nothing repeats it without a press. */
export const ASLEEP = 'slept';

/** Whether a sleep has ended the automatic repeats of this act. */
export const isAsleep = (turn: Turn): boolean => turn.spent.includes(ASLEEP);

/** A pending message with the act that will send it. */
export interface Entry<M extends ChatMessage = ChatMessage> {
  readonly pending: PendingSend<M>;
  readonly turn: Turn<M>;
  /** Set where a repeat takes a new key. */
  readonly newKey: boolean;
  /** A person has pressed for it: the app is not asked whether it may go, and it waits for no answers to tool calls. */
  readonly pressed?: boolean;
}

/** What a read of the conversation is for. */
export interface ReadPlan {
  readonly why:
    | 'load'
    | 'resync'
    | 'reanchor'
    | 'waiting'
    | 'foreign-end'
    | 'before-send'
    | 'before-continue'
    | 'stranded'
    | 'deferred'
    | 'restart'
    /** What became of the answers of the submit under way. */
    | 'answers';
  /** The entry that `before-send` looks for. */
  readonly entryId?: string;
  /** The failure that stays when the read does not prove it settled. */
  readonly keep?: Failure;
  /** What a resync without a usable route ends with. */
  readonly fallback?: HelixError;
  /** The read goes on behind `keep`, which stays on screen: its own failure is ignored. */
  readonly quiet?: boolean;
  /** It waits for a stated time by a press: no limit of our own holds it up. */
  readonly pressed?: boolean;
  /** What failed just before: the read is a repeat then, and counts as one. */
  readonly follows?: HelixError;
}

/** How a closing SDK call goes on once its last callback has come. */
export type Next =
  | {
      readonly to: 'fail';
      readonly phase: Phase;
      readonly committed: Committed;
      readonly error: HelixError;
      readonly newKey: boolean;
      /** See `FailureFacts`. */
      readonly runFailed?: boolean;
    }
  | { readonly to: 'hold'; readonly how: 'wait' | 'stop' | 'ask' }
  | { readonly to: 'park' }
  /** Another tab has the message. */
  | { readonly to: 'elsewhere' }
  /** The page has slept for too long: the message waits for a press. */
  | { readonly to: 'sleep'; readonly newKey: boolean }
  | { readonly to: 'settled' }
  /** `result`: what a read has brought already. */
  | { readonly to: 'read'; readonly plan: ReadPlan; readonly result?: ReadResult }
  | { readonly to: 'wait-read'; readonly plan: ReadPlan; readonly error: HelixError }
  | { readonly to: 'stopped' }
  | { readonly to: 'restart' };

/** What is under way right now. Exactly one; a new one ends the timers and reads of the one before. */
export type Job =
  | { readonly at: 'rest' }
  /** After a stop: reads that settle the screen, in the background of `idle`. */
  | { readonly at: 'settling'; readonly reads: number; readonly reading: boolean }
  | { readonly at: 'requesting' }
  | { readonly at: 'repeat-wait'; readonly refusal: Refusal; readonly newKey: boolean }
  /** The conversation is read in the repeat's place: whether the server answers at all, and whether the message is there. */
  | { readonly at: 'probing'; readonly refusal: Refusal; readonly newKey: boolean }
  /** The read that decides about a refused act waits for a pause of our own to end. */
  | {
      readonly at: 'held-wait';
      readonly refusal: Refusal;
      readonly absent: 'fail' | 'repeat' | 'repeat-new-key';
    }
  | {
      readonly at: 'held-read';
      readonly refusal: Refusal;
      readonly absent: 'fail' | 'repeat' | 'repeat-new-key';
    }
  | { readonly at: 'held-attach'; readonly refusal: Refusal }
  | { readonly at: 'authorizing'; readonly refusal: Refusal }
  /** `joins`: the run that the conversation named before its stream was joined. */
  | { readonly at: 'streaming'; readonly end?: TurnEnd; readonly joins?: string }
  | { readonly at: 'cut-wait'; readonly cut: Cut }
  | { readonly at: 'reconnecting'; readonly cut: Cut }
  | { readonly at: 'fail-read'; readonly error: HelixError }
  | { readonly at: 'closing'; readonly next: Next }
  | { readonly at: 'ending'; readonly next: Next }
  | { readonly at: 'reading'; readonly plan: ReadPlan; readonly tries: number }
  | { readonly at: 'read-wait'; readonly plan: ReadPlan; readonly tries: number }
  | { readonly at: 'attaching'; readonly plan: ReadPlan; readonly tries: number }
  | { readonly at: 'attach-wait'; readonly plan: ReadPlan; readonly tries: number }
  /** `failing`: the last look did not get through, so that the next one is a repeat. */
  | {
      readonly at: 'polling';
      readonly plan: ReadPlan;
      readonly polls: number;
      readonly failing: boolean;
    }
  /** The rest of a stream whose step began anew is about to be joined. */
  | { readonly at: 'restarting' }
  /** The app is asked whether answers go by themselves. */
  | { readonly at: 'asking' }
  /** Answers are about to go. */
  | { readonly at: 'submit-wait' }
  /** Refused answers wait to go once more. */
  | { readonly at: 'answer-wait' }
  | { readonly at: 'drain' }
  /** `entryId`: what waits for a stated time; else the head of the queue. */
  | { readonly at: 'drain-wait'; readonly entryId?: string };

/**
 * The page woke up while a request was out: it is given a moment to show life, then the conversation is read. `again`:
 * something woke it once more meanwhile. `at`: monotonic ms.
 */
export interface Wake {
  readonly at: number;
  readonly stage: 'listening' | 'reading';
  readonly again: boolean;
}

/** Everything recovery knows of one chat. */
export interface Model<M extends ChatMessage = ChatMessage> {
  readonly state: RecoveryState;
  readonly job: Job;
  /** Monotonic ms at which the job began. */
  readonly jobAt: number;
  /** Grows with every job; results of older jobs are stale. */
  readonly ticket: number;
  readonly turn: Turn<M> | undefined;
  /** The regenerate or edit that begins once the run under way has been stopped and has ended. */
  readonly after: Turn<M> | undefined;
  /** The regenerate or continue that failed last: the same by a press is its repeat, with its target and key. */
  readonly failedAct: Turn<M> | undefined;
  /** The answers that failed last. */
  readonly failedSubmit: Turn<M> | undefined;
  /** Answers that the app sent while something was under way: they go next. */
  readonly submit: Turn<M> | undefined;
  /** A turn of ours has ended in order, and the app has not been asked yet whether answers go: with its request options. */
  readonly askAfter: { readonly request: unknown } | undefined;
  /** Answers from before this session are still waited for: the app is asked about them once more. */
  readonly leftAnswers: boolean;
  /** The run waits for answers to tool calls. */
  readonly paused: boolean;
  /** The stream under way said that answers did not apply. */
  readonly rejected: HelixError | undefined;
  readonly queue: readonly Entry<M>[];
  /** The live run as far as it is known here. */
  readonly run: {
    readonly id: string | undefined;
    readonly stoppedHere: boolean;
    readonly stopping: boolean;
  };
  /** The attached stream is our own turn's. */
  readonly own: boolean;
  readonly reanchors: number;
  readonly triggers: readonly string[];
  readonly cuts: { readonly turn: number; readonly inARow: number };
  readonly polls: number;
  /** Monotonic ms at which anything was last heard of the run that is waited for. */
  readonly heardAt: number;
  /** Monotonic ms at which a pause of our own first held up what is under way. */
  readonly pausedAt: number | undefined;
  /** Ends with the job. */
  readonly wake: Wake | undefined;
  /** Messages from a quiet read, put in the commit that ends the turn. */
  readonly toPut: unknown;
  /** A read was given up that the screen still shows a part of: the next rest reads the conversation once. */
  readonly behind: boolean;
  /** What the last read of the conversation said of its run, as long as nothing has begun since. */
  readonly lastRead: SnapshotStatus | undefined;
  /** The reading of another client's reply was stopped: its end is looked for in the background, so that it is not left half. */
  readonly leftForeign: boolean;
  /** Something was shown as trouble since the last rest: its end is worth a word. */
  readonly troubled: boolean;
  /** Monotonic ms at which it was. */
  readonly troubledAt: number;
  readonly nextTurn: number;
  readonly nextFailure: number;
  /** The server has shown this conversation, or taken a message of it. */
  readonly acknowledged: boolean;
  /** Monotonic ms before which the wait under way may not be cut short, by nobody: a server stated it. */
  readonly notBefore: number | undefined;
  /** A wait that the server stated for this endpoint: nothing goes out before it, not by a press either. */
  readonly gate: { readonly untilMono: number; readonly failure: Failure } | undefined;
}

/** A chat of which nothing is known. `acknowledged`: the server is known to have it. */
export const initialModel = <M extends ChatMessage>(acknowledged: boolean): Model<M> => ({
  state: { name: 'idle' },
  job: { at: 'rest' },
  jobAt: 0,
  ticket: 0,
  turn: undefined,
  after: undefined,
  failedAct: undefined,
  failedSubmit: undefined,
  submit: undefined,
  askAfter: undefined,
  leftAnswers: false,
  paused: false,
  rejected: undefined,
  queue: [],
  run: { id: undefined, stoppedHere: false, stopping: false },
  own: false,
  reanchors: 0,
  triggers: [],
  cuts: { turn: 0, inARow: 0 },
  polls: 0,
  heardAt: 0,
  pausedAt: undefined,
  wake: undefined,
  toPut: undefined,
  behind: false,
  lastRead: undefined,
  leftForeign: false,
  troubled: false,
  troubledAt: 0,
  nextTurn: 1,
  nextFailure: 1,
  acknowledged,
  notBefore: undefined,
  gate: undefined,
});

/** Answers that were refused, and have not been taken since. */
export const isUnanswered = (turn: Turn | undefined): boolean =>
  turn?.kind === 'submit' && !turn.accepted && turn.refused !== undefined;

/** Whether a press repeats this act itself: it has no message of its own that could be sent again. */
export const isRepeated = ({ kind }: Turn): boolean => kind === 'regenerate' || kind === 'continue';

/** How much is left of the wait that a server has stated for this endpoint, in ms; 0: nothing holds a request back. `mono`: the time now. */
export const gateLeftMs = ({ gate }: Pick<Model, 'gate'>, mono: number): number =>
  gate === undefined ? 0 : Math.max(0, gate.untilMono - mono);

/** Whether anything is under way that a sleep or a jump of the clock would matter to; `mono`: the time now. */
export const isUnderWay = (model: Pick<Model, 'job' | 'gate'>, mono: number): boolean =>
  model.job.at !== 'rest' || gateLeftMs(model, mono) > 0;

/**
 * The id under which the message of an act is pending. An edit keeps the id of the message that it changes, which is in
 * the history: its text needs one of its own.
 */
export function pendingIdOf(turn: Turn, message: ChatMessage): string {
  if (turn.kind !== 'edit') return message.id;
  return turn.entryId ?? `${message.id}~edit${turn.id}`;
}

/** An edit whose message is gone: its text is a message like any other. Under an id of its own, since the other may have arrived. */
export function asOwnMessage<M extends ChatMessage>(turn: Turn<M>): Turn<M> {
  const { message } = turn;
  if (message === undefined) return turn;
  const id = pendingIdOf(turn, message);
  return { ...turn, kind: 'send', targetId: undefined, message: { ...message, id } };
}

/** Whether a pending message goes out by itself once nothing stands in its way. Others wait for a press. */
export const goesByItself = ({ pending }: Entry): boolean =>
  pending.state === 'held' &&
  (pending.cause === 'own-run' || pending.cause === 'foreign-run' || pending.cause === 'asked');

/** The message that goes next by itself: the first one, unless it waits for a press, as then do those behind it. */
export const nextHeld = <M extends ChatMessage>(model: Model<M>): Entry<M> | undefined => {
  const [head] = model.queue;
  return head !== undefined && goesByItself(head) ? head : undefined;
};

/** Whether a pending message waits for the answers that a run waits for. */
export const awaitsAnswers = ({ pending }: Entry): boolean =>
  pending.state === 'held' && pending.cause === 'awaiting-answer';

/**
 * Whether an act that is requested now has to be held. Reading on load never holds one, unless there is a reply to
 * join: an act beside that call would be taken for it. Nor does an act overtake a message that waits to go by itself.
 */
export function holdsActs(model: Model): boolean {
  const { state, job } = model;
  if (state.name === 'idle' || state.name === 'failed') return false;
  const loads =
    (state.name === 'resyncing' && state.cause === 'load') ||
    (state.name === 'backing-off' && state.of === 'load');
  if (!loads) return true;
  return job.at === 'attaching' || job.at === 'streaming' || nextHeld(model) !== undefined;
}

/** Why a message that is held now waits: one behind a message that waits for a press waits for one too. */
export const holdCauseOf = (model: Model): HoldCause => {
  if (!model.queue.every((entry) => goesByItself(entry) || awaitsAnswers(entry))) {
    return 'queue-paused';
  }
  const { state } = model;
  return state.name === 'waiting-on-run' && state.cause === 'foreign-run'
    ? 'foreign-run'
    : 'own-run';
};

/** Why the conversation is read, as the app sees it. */
export const resyncCauseOf = (plan: ReadPlan): ResyncCause => {
  switch (plan.why) {
    case 'load':
      return 'load';
    case 'reanchor':
      return 'superseded';
    case 'before-send':
    case 'answers':
      return 'unclear';
    case 'stranded':
      return 'cut';
    case 'before-continue':
      return 'requested';
    case 'resync':
      return plan.fallback === undefined ? 'requested' : 'cut';
    default:
      return 'settle';
  }
};
