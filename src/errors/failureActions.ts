import type { FailureAction } from './failure.ts';
import {
  type ClassifiedError,
  type FailureSituation,
  failureRow,
  type Place,
  type ResolvedRow,
  type RowAction,
} from './failureTable.ts';
import { redact } from './redact.ts';

/** What can be done in this chat right now. An action that cannot be done is never listed. */
export interface ActionAbilities {
  /** A snapshot route (or `readSnapshot`) is known or open. */
  readonly snapshot: boolean;
  /** An automatic read failed, so that a read by a person can still find out whether the message arrived. */
  readonly checkFirst: boolean;
  /** Request keys are vouched for or proven: a repeat cannot make a second copy. */
  readonly keyed: boolean;
  /** The app gave `onDraft`: text and files can return to the composer. */
  readonly draft: boolean;
  /** The message is among the pending sends. */
  readonly pending: boolean;
  /** There is a support reference to copy (`supportReference`). */
  readonly reference: boolean;
  /** The failed run can be continued: a retry route is given or proven. */
  readonly continue: boolean;
  /** The conversation has just been read and its run is over: reading it again brings nothing new. Default false. */
  readonly over?: boolean;
  /** The server says that the run itself failed, so that it can be continued beside being written anew. Default false. */
  readonly failedRun?: boolean;
  /** The running reply can be stopped. Default true. */
  readonly hostStop?: boolean;
  /** Automatic tries are under way. False: there is nothing to wait for or to hurry. Default: as the row says. */
  readonly waiting?: boolean;
}

/** A failure's actions in the order in which a view draws them, and the one that is filled. */
export interface ResolvedActions {
  /** Never empty. Actions of the app (`sign-in`, `plan`, `remove-file`, `start-new`) stay in; views leave out what they cannot draw. */
  readonly actions: readonly FailureAction[];
  /** Absent when no button is to be filled. */
  readonly primary?: FailureAction;
}

const REFERENCE = /^[\w.:/=+-]{4,128}$/;

/** What a person can quote to support: the request's id, else the run's. Undefined when neither looks like an id, or both look like a secret. */
export function supportReference(error: {
  readonly requestId?: string | undefined;
  readonly runId?: string | undefined;
}): string | undefined {
  return [error.requestId, error.runId].find(
    (id) => id !== undefined && REFERENCE.test(id) && redact(id) === id,
  );
}

/** The repeat that fits the place. */
function again(place: Place, can: ActionAbilities): FailureAction | undefined {
  switch (place) {
    case 'unsent':
      return 'send-again';
    case 'unknown':
      return !can.keyed && canCheck(can) ? 'check' : 'send-again';
    case 'reply':
      return 'new-reply';
    case 'reading':
      return can.snapshot ? 'reload' : undefined;
    case 'answer':
      return 'answer-again';
    case 'stop':
      return can.hostStop === false ? undefined : 'stop-again';
  }
}

const canCheck = (can: ActionAbilities): boolean => can.checkFirst && can.snapshot;

const isSending = (place: Place): boolean => place === 'unsent' || place === 'unknown';

/** Where an action has nothing to act on, the plain repeat stands in for it. */
function inEffect(action: RowAction, place: Place, can: ActionAbilities): RowAction {
  const idle = action === 'try-now' && can.waiting === false;
  const notSending = action === 'stop-send' && !isSending(place) && place !== 'reply';
  const readAlready = action === 'reload' && can.over === true && place === 'reply';
  return idle || notSending || readAlready ? 'again' : action;
}

/** What a row's action comes to at this place, with these abilities; undefined where it cannot be done. */
function possible(
  action: RowAction,
  place: Place,
  can: ActionAbilities,
): FailureAction | undefined {
  const when = (ability: boolean) => (ability ? (action as FailureAction) : undefined);
  const takeBack = can.draft && can.pending;
  switch (action) {
    case 'again':
    case 'send-again':
      return again(place, can);
    // A row that speaks of a reply keeps to it when a read has brought the failure.
    case 'new-reply':
      return place === 'reading' ? 'new-reply' : again(place, can);
    case 'answer-again':
      return when(place === 'answer');
    case 'check':
      return when(place === 'unknown' && canCheck(can));
    case 'reload':
      return when(can.snapshot);
    case 'edit':
      return when(can.draft && (isSending(place) || place === 'reply'));
    case 'take-back':
      return when(takeBack && (isSending(place) || place === 'reply'));
    case 'stop-waiting':
      if (!isSending(place)) return undefined;
      return can.waiting === false ? (takeBack ? 'take-back' : undefined) : 'stop-waiting';
    case 'stop-send':
    case 'stop-again':
      return when(can.hostStop !== false);
    case 'continue':
      return when(can.continue);
    case 'copy-ref':
      return when(can.reference);
    case 'try-now':
    case 'wait':
    case 'start-new':
    case 'sign-in':
    case 'plan':
    case 'remove-file':
    case 'show-again':
    case 'reload-page':
    case 'dismiss':
      return action;
  }
}

/** Whether only the app can tell if it draws the action, so that its alternative is listed as well. */
const isOfApp = (action: FailureAction): boolean =>
  action === 'sign-in' || action === 'plan' || action === 'remove-file' || action === 'start-new';

const REPEATS: readonly RowAction[] = ['again', 'send-again', 'new-reply'];
const isRepeat = (action: RowAction): boolean => REPEATS.includes(action);

interface Chosen {
  readonly actions: readonly FailureAction[];
  /** The first of them is a repeat that the flag speaks about. */
  readonly repeat: boolean;
}

/** The first possible alternative of a cell, with the next ones as long as only the app knows whether it can draw it. */
function choose(
  cell: readonly RowAction[],
  resolved: ResolvedRow,
  can: ActionAbilities,
  allowRepeat: boolean,
): Chosen {
  const actions: FailureAction[] = [];
  let repeat = false;
  for (const cellAction of cell) {
    const wanted = inEffect(cellAction, resolved.place, can);
    if (isRepeat(wanted) && !allowRepeat) continue;
    const action = possible(wanted, resolved.place, can);
    if (action === undefined) continue;
    if (actions.length === 0) repeat = isRepeat(wanted);
    actions.push(action);
    if (!isOfApp(action)) break;
  }
  return { actions, repeat };
}

const onlyDismiss = (actions: readonly FailureAction[]): boolean =>
  actions.every((action) => action === 'dismiss');

/** Puts the two cells in order. A repeat that the server advises against comes last and keeps every button unfilled. */
function arrange(resolved: ResolvedRow, refused: boolean, can: ActionAbilities): ResolvedActions {
  const allowRepeat = !refused || resolved.fix === 'wait' || resolved.repeatable;
  const first = choose(resolved.primary, resolved, can, allowRepeat);
  const second = choose(resolved.secondary, resolved, can, allowRepeat);
  const advisedAgainst = refused && (first.repeat || second.repeat);
  if (!advisedAgainst) {
    const filled = first.actions[0];
    const actions = [...first.actions, ...second.actions];
    return filled === undefined ? { actions } : { actions, primary: filled };
  }
  if (resolved.repeatable || !first.repeat)
    return { actions: [...first.actions, ...second.actions] };
  return onlyDismiss(second.actions)
    ? { actions: [...first.actions, 'dismiss'] }
    : { actions: [...second.actions, ...first.actions] };
}

/** While tries are under way they are ended first; that gives the same choice. */
const GIVES_BACK: readonly FailureAction[] = ['take-back', 'stop-waiting'];

const GIVES_WAY: readonly FailureAction[] = [
  'send-again',
  'new-reply',
  'take-back',
  'edit',
  'stop-send',
];

/** A message that is not in the conversation can always be taken back; where nothing takes it, what was certainly not written can be sent again. */
function wayOut(
  { phase, committed }: FailureSituation,
  resolved: ResolvedRow,
  actions: readonly FailureAction[],
  can: ActionAbilities,
): FailureAction | undefined {
  const ofMessage = phase === 'send' || phase === 'edit';
  if (!ofMessage || committed === 'yes' || !resolved.makesFailure) return undefined;
  const has = (wanted: readonly FailureAction[]) => actions.some((act) => wanted.includes(act));
  if (can.draft && can.pending) return has(GIVES_BACK) ? undefined : 'take-back';
  return committed === 'no' && !has(GIVES_WAY) ? again(resolved.place, can) : undefined;
}

/** A failed run that may be written anew can also be gone on with. */
function withContinue(
  actions: readonly FailureAction[],
  can: ActionAbilities,
): readonly FailureAction[] {
  const at = actions.indexOf('new-reply');
  if (!can.continue || can.failedRun !== true || at < 0 || actions.includes('continue')) {
    return actions;
  }
  return [...actions.slice(0, at + 1), 'continue', ...actions.slice(at + 1)];
}

/** The actions with one more before `dismiss`, each once. */
function withLast(
  actions: readonly FailureAction[],
  last: FailureAction | undefined,
): readonly FailureAction[] {
  const others = actions.filter((action) => action !== 'dismiss');
  const end = actions.filter((action) => action === 'dismiss');
  return [...new Set([...others, ...(last === undefined ? [] : [last]), ...end])];
}

/**
 * What a person can do about a failure, from the table and what is possible in this chat. At most one action is filled;
 * the list is never empty.
 */
export function failureActions(
  error: ClassifiedError,
  situation: FailureSituation,
  can: ActionAbilities,
): ResolvedActions {
  const resolved = failureRow(error, situation);
  const arranged = arrange(resolved, error.retryable === false, can);
  const way = wayOut(situation, resolved, arranged.actions, can);
  const actions = withLast(withContinue(arranged.actions, can), way);
  return { ...arranged, actions: actions.length === 0 ? ['dismiss'] : actions };
}
