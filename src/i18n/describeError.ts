import type { Failure, FailureAction, Severity } from '../errors/failure.ts';
import { supportReference } from '../errors/failureActions.ts';
import {
  failureRow,
  type ResolvedRow,
  type RowAction,
  type RowKey,
  type Say,
  SITUATION_ROWS,
  type SituationKey,
  type Surface,
} from '../errors/failureTable.ts';
import type { Reason } from '../protocol/reasons.ts';
import type { Catalog, PendingKey, SafetyKey, StatusKey, TitleKey } from './catalog.ts';
import { fill, formatCount, formatWait, joinSpoken, untilRepaint } from './format.ts';

/** One thing a person can do about a failure, as a button says it. */
export interface ActionView {
  readonly id: FailureAction;
  readonly label: string;
  /** The one that is filled; at most one of a view. */
  readonly primary: boolean;
}

/** A failure in words, as plain data: all that a view needs, and nothing that a server or provider wrote. */
export interface FailureView {
  readonly failureId: string;
  readonly title: string;
  /** What happened: one whole sentence. */
  readonly cause: string;
  /** What became of the message or the answer; absent where no message is concerned. */
  readonly safety?: string;
  readonly severity: Severity;
  /** Text alternative of the severity's icon. */
  readonly severityLabel: string;
  readonly surface: Surface;
  /** In the order in which they are drawn: at most two, and `dismiss`. Never empty. */
  readonly actions: readonly ActionView[];
  readonly announce: Say;
  /** Wall-clock ms before which a repeat would be refused. */
  readonly retryAt?: number;
  /** How long that is from `now`, as a phrase: "in 12 seconds". Absent without `now`, and once the time has come. */
  readonly when?: string;
  /** The whole line for the reader of a closed button: "Possible again: in 12 seconds". As `when`. */
  readonly wait?: string;
  /** What a person can quote to support. Shown left to right. */
  readonly reference?: string;
  /** Stands at the end of the part of the reply that is on screen. */
  readonly partialMark?: string;
}

/** The language of a description, and what it may depend on besides the failure. */
export interface DescribeOptions {
  readonly catalog: Catalog;
  /** For times and numbers. Default: the catalogue's own. */
  readonly locale?: string;
  /** Wall-clock ms, for waits. */
  readonly now?: number;
  /** IANA zone of clock times. Default: the platform's. */
  readonly timeZone?: string;
  /** Whether a view can draw the action (has its handler). Default: every one. */
  readonly can?: (action: FailureAction) => boolean;
  /** Whether text of the failed reply is on the screen. Default: true where the failure says that a part stays. */
  readonly textShown?: boolean;
  /** Automatic tries go on: the message waits, and nothing is announced assertively. Default false. */
  readonly waiting?: boolean;
}

/**
 * Puts a failure into words: cause by reason, code, category or unclassified; title and safety by where the message is.
 * Total and pure. No text of the error itself is ever used.
 */
export function describeError(failure: Failure, options: DescribeOptions): FailureView {
  const { catalog, waiting = false } = options;
  const row = failureRow(failure.error, failure);
  const text = options.textShown ?? keepsPart(row.key);
  const safety = safetyOf(failure, row, text, waiting);
  const reference = supportReference(failure.error);
  return {
    failureId: failure.id,
    title: catalog.titles[titleOf(failure, row, text, waiting)],
    cause: causeOf(row.key, failure.error.reason, catalog),
    ...(safety && { safety: catalog.safety[safety] }),
    severity: failure.severity,
    severityLabel: catalog.severities[failure.severity],
    surface: row.surface,
    actions: actionsOf(failure, row, options),
    announce: waiting && row.say === 'assertive' ? 'polite' : row.say,
    ...waitOf(failure.retryAt, options),
    ...(reference !== undefined && { reference }),
    ...(text && isOfReply(row) && { partialMark: catalog.incompleteMark }),
  };
}

const OF_THE_PAGE = {
  crash: { title: 'displayProblem', cause: 'crash', surface: 'boundary' },
  'copy-failed': { title: 'notCopied', cause: 'copyFailed', surface: 'toast' },
} as const;

/** Words for what fails in the page itself and never was an error of the chat: a render crash, a copy that did not work. */
export function describeSituation(
  situation: keyof typeof OF_THE_PAGE,
  options: Pick<DescribeOptions, 'catalog' | 'can'> & { readonly id: string },
): FailureView {
  const { catalog, id } = options;
  const { title, cause, surface } = OF_THE_PAGE[situation];
  const { severity, primary, secondary, say } = SITUATION_ROWS[situation];
  const isAction = (action: RowAction | 'phase'): action is FailureAction =>
    action !== 'again' && action !== 'phase';
  const ids = [primary, secondary].flat().filter(isAction);
  return {
    failureId: id,
    title: catalog.titles[title],
    cause: catalog.causes.situations[cause],
    severity,
    severityLabel: catalog.severities[severity],
    surface,
    actions: draw(ids, primary.find(isAction), [], options),
    announce: say,
  };
}

/** Sentences of situations that no reason names. */
const causesOfSituations = ({
  situations,
  timeouts,
  reasons,
}: Catalog['causes']): Readonly<Partial<Record<SituationKey, string>>> => ({
  'phase-stop': situations.stopFailed,
  crash: situations.crash,
  'copy-failed': situations.copyFailed,
  'timeout-connect': timeouts.connect,
  'timeout-idle': timeouts.idle,
  'timeout-total': timeouts.total,
  'rate-limit-wait': reasons['rate-limit'],
});

// By the catalogue's own keys: the table of reasons would bring the English sentences along.
const isReason = (text: string | undefined, { reasons }: Catalog['causes']): text is Reason =>
  text !== undefined && Object.hasOwn(reasons, text);

/** The cause follows the row that was found, but a reason without a row of its own still picks the sentence. */
function causeOf(key: RowKey, reason: string | undefined, { causes }: Catalog): string {
  const situation = key.by === 'situation' ? key.name : undefined;
  const own = situation && causesOfSituations(causes)[situation];
  if (own !== undefined) return own;
  if (isReason(situation, causes)) return causes.reasons[situation];
  if (isReason(reason, causes)) return causes.reasons[reason];
  if (key.by === 'code') return causes.codes[key.name];
  return key.by === 'category' ? causes.categories[key.name] : causes.unclassified;
}

const PART_STAYS: readonly string[] = ['cut', 'finish-error', 'filtered', 'length'];
const keepsPart = (key: RowKey): boolean => key.by === 'situation' && PART_STAYS.includes(key.name);

const isSituation = (key: RowKey, name: string): boolean =>
  key.by === 'situation' && key.name === name;

/** A reply failed, as opposed to a message, an answer, a read or a stop. */
const isOfReply = ({ place, surface }: ResolvedRow): boolean =>
  place === 'reply' || (place === 'reading' && surface === 'reply');

/** Where the changed message of an edit is: an edit stands at the reply, but it is a message of the person's. */
const unsentEdit = ({ phase, committed }: Failure): boolean =>
  phase === 'edit' && committed !== 'yes';

function titleOf(failure: Failure, row: ResolvedRow, text: boolean, waiting: boolean): TitleKey {
  const { key, place } = row;
  if (place === 'stop' || (key.by === 'code' && key.name === 'state_already_running')) {
    return 'stillRunning';
  }
  if (place === 'answer' || isSituation(key, 'answer-rejected')) return 'answerNotTaken';
  if (isSituation(key, 'deferred')) return 'waiting';
  if (place === 'reading' && !isOfReply(row)) return 'notLoaded';
  if (waiting && place !== 'reply') return 'waiting';
  if (place === 'unsent') return 'notSent';
  if (place === 'unknown') return 'noReply';
  if (unsentEdit(failure)) return failure.committed === 'no' ? 'notSent' : 'noReply';
  if (text) return 'replyIncomplete';
  return row.fix === 'owner' && row.severity === 'blocking' ? 'notAvailable' : 'noReply';
}

function safetyOf(
  failure: Failure,
  row: ResolvedRow,
  text: boolean,
  waiting: boolean,
): SafetyKey | undefined {
  if (row.place === 'stop') return undefined;
  if (row.place === 'answer' || isSituation(row.key, 'answer-rejected')) return 'answerKept';
  if (row.place === 'reading') return text && isOfReply(row) ? 'incomplete' : undefined;
  if (row.place === 'reply' && !unsentEdit(failure)) return text ? 'incomplete' : 'kept';
  if (failure.committed === 'unknown') return 'unknown';
  return waiting ? 'held' : 'notSent';
}

/** Cells list alternatives where only the app knows whether it draws the first: of those, one is drawn. */
function actionsOf(
  failure: Failure,
  row: ResolvedRow,
  options: DescribeOptions,
): readonly ActionView[] {
  const alternatives = row.primary.filter((action): action is FailureAction => action !== 'again');
  return draw(failure.actions, failure.primary, alternatives, options);
}

function draw(
  ids: readonly FailureAction[],
  primary: FailureAction | undefined,
  alternatives: readonly FailureAction[],
  { catalog, can = () => true }: Pick<DescribeOptions, 'catalog' | 'can'>,
): readonly ActionView[] {
  const drawable = ids.filter(can);
  const chosen = drawable.find((id) => alternatives.includes(id));
  const left = drawable.filter((id) => id === chosen || !alternatives.includes(id));
  const acts = left.filter((id) => id !== 'dismiss').slice(0, 2);
  const shown =
    left.includes('dismiss') || acts.length === 0 ? [...acts, 'dismiss' as const] : acts;
  const passedOn = primary !== undefined && alternatives.includes(primary) ? chosen : primary;
  return shown.map((id) => ({ id, label: catalog.actions[id], primary: id === passedOn }));
}

function waitOf(
  retryAt: number | undefined,
  { catalog, locale = catalog.locale, now, timeZone }: DescribeOptions,
): Pick<FailureView, 'retryAt' | 'when' | 'wait'> {
  if (retryAt === undefined) return {};
  if (now === undefined) return { retryAt };
  const when = formatWait(retryAt, { now, locale, ...(timeZone && { timeZone }) });
  if (when === undefined) return { retryAt };
  return { retryAt, when, wait: fill(catalog.wait.possibleAgain, { when }) };
}

/** Title, cause and safety as one text for a live region, without labels of buttons. */
export function spokenText({ title, cause, safety }: FailureView): string {
  return joinSpoken(title, safety === undefined ? [cause] : [cause, safety]);
}

/** What the quiet status says. `at`: wall-clock ms of the next automatic step. */
export type StatusLine =
  | { readonly kind: Exclude<StatusKey, 'next-try' | 'deferred' | 'deferred-until'> }
  | { readonly kind: 'next-try'; readonly at: number }
  | { readonly kind: 'deferred'; readonly at?: number };

/** A status line as plain data: what it says, and when it has to be said anew. */
export interface StatusView {
  readonly kind: StatusLine['kind'];
  readonly text: string;
  /** In how many ms the text is worth drawing again; absent where it does not change. */
  readonly repaintMs?: number;
}

/** A status line in words. A next try whose time has come reads as a try under way. */
export function describeStatus(
  line: StatusLine,
  { catalog, locale = catalog.locale, now, timeZone }: Omit<DescribeOptions, 'can'>,
): StatusView {
  const { kind } = line;
  const { status } = catalog;
  if (kind !== 'next-try' && kind !== 'deferred') return { kind, text: status[kind] };
  const past = kind === 'next-try' ? status.trying : status.deferred;
  if (line.at === undefined || now === undefined) return { kind, text: past };
  const when = formatWait(line.at, { now, locale, ...(timeZone && { timeZone }) });
  const repaintMs = untilRepaint(line.at, now);
  if (when === undefined || repaintMs === undefined) return { kind, text: past };
  const pattern = kind === 'next-try' ? status['next-try'] : status['deferred-until'];
  return { kind, text: fill(pattern, { when }), repaintMs };
}

/** A pending message as far as its line needs it. `PendingSend` fits it. */
export interface PendingLine {
  readonly state: 'sending' | 'held' | 'parked' | 'failed' | 'restored';
  readonly cause?:
    | 'foreign-run'
    | 'own-run'
    | 'awaiting-answer'
    | 'queue-paused'
    | 'asked'
    | 'slept';
  readonly lostFiles?: readonly string[];
}

const HELD: Readonly<Record<NonNullable<PendingLine['cause']>, PendingKey>> = {
  'foreign-run': 'waitingForReply',
  'own-run': 'waitingForReply',
  'awaiting-answer': 'awaitingAnswer',
  'queue-paused': 'queuePaused',
  asked: 'asked',
  slept: 'slept',
};

/** What stands under a pending message: its state, and the files that a store could not keep. */
export function describePending(
  pending: PendingLine,
  { catalog, locale = catalog.locale }: Pick<DescribeOptions, 'catalog' | 'locale'>,
): { readonly state: string; readonly lostFiles?: string } {
  const { state, cause = 'own-run', lostFiles = [] } = pending;
  const words = catalog.pending;
  const text = words.states[state === 'held' ? HELD[cause] : state];
  const [only] = lostFiles;
  if (only === undefined) return { state: text };
  const lost =
    lostFiles.length === 1
      ? fill(words.lostFile, { file: only })
      : formatCount(words.lostFiles, lostFiles.length, locale);
  return { state: text, lostFiles: lost };
}
