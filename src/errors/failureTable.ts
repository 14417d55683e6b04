import type { Category, ErrorCode } from '../protocol/codes.ts';
import type { Reason, TimeoutLayer } from '../protocol/reasons.ts';
import type { Committed, FailureAction, Phase, Severity } from './failure.ts';

/** Who can help: the person, time, the app's owner, nobody needs to. `person-or-owner` where only the app knows which. */
export type Fix = 'person' | 'wait' | 'owner' | 'nobody' | 'person-or-owner';

/** Where a failure is shown. `call`: inline at the tool call that was answered. */
export type Surface = 'banner' | 'reply' | 'status' | 'toast' | 'boundary' | 'call' | 'none';

/** How it is read out, once. */
export type Say = 'assertive' | 'polite' | 'none';

/**
 * What becomes of the person's text. `yes`: it can be given back. `held`: it waits among the pending sends. `no`: the
 * server holds it, giving it back invites a second copy. `check`: only after a read shows that it is missing.
 * `untouched`: the composer is not concerned. `values`: the answer stays filled in.
 */
export type Draft = 'yes' | 'held' | 'no' | 'check' | 'untouched' | 'values';

/** An action, or `again`: the repeat that fits the phase. */
export type RowAction = FailureAction | 'again';

/** One row of the table. Lists of actions are alternatives, the first that is possible counts; empty means none. */
export interface FailureRow {
  readonly fix: Fix;
  readonly severity: Severity;
  readonly surface: Surface | 'phase';
  readonly primary: readonly RowAction[];
  readonly secondary: readonly RowAction[] | 'phase';
  readonly draft: Draft | 'phase';
  readonly say: Say;
  /** A `retryable: false` does not keep a person from repeating. */
  readonly repeatable: boolean;
}

/** What failed where, as far as the table asks. A `HelixError` fits. */
export interface ClassifiedError {
  readonly code?: string | undefined;
  readonly category: Category;
  readonly retryable?: boolean | undefined;
  readonly reason?: string | undefined;
  readonly layer?: TimeoutLayer | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** What the chat was doing when it failed, and whether the message is written: with the error, all that a row is found by. */
export interface FailureSituation {
  readonly phase: Phase;
  readonly committed: Committed;
}

/** Situations that have a row of their own, whatever the code. */
export type SituationKey =
  | 'offline'
  | 'timeout-connect'
  | 'timeout-idle'
  | 'timeout-total'
  | 'empty-reply'
  | 'cut'
  | 'silent'
  | 'finish-error'
  | 'filtered'
  | 'length'
  | 'rate-limit-wait'
  | 'rate-limit'
  | 'quota'
  | 'signed-out'
  | 'forbidden'
  | 'not-found'
  | 'unexpected-response'
  | 'too-large'
  | 'file'
  | 'too-long'
  | 'patience'
  | 're-anchor-limit'
  | 'run_not_live'
  | 'answer-rejected'
  | 'deferred'
  | 'store_error'
  | 'snapshot_unstable'
  | 'corrupt_row'
  | 'short_read'
  | 'phase-stop'
  | 'copy-failed'
  | 'crash';

/** The categories that have a row of their own. */
export type KnownCategory = Exclude<Category, 'unknown'>;

/** Which row was found. Cause sentences follow it. */
export type RowKey =
  | { readonly by: 'situation'; readonly name: SituationKey }
  | { readonly by: 'code'; readonly name: ErrorCode }
  | { readonly by: 'category'; readonly name: KnownCategory }
  | { readonly by: 'unclassified' };

/** What the phase adds to a row. `stop` is a failed stop, `reading` the first load and every later read. */
export type Place = 'unsent' | 'unknown' | 'reply' | 'reading' | 'answer' | 'stop';

/** A row with `phase` filled in. */
export interface ResolvedRow {
  readonly key: RowKey;
  readonly place: Place;
  readonly fix: Fix;
  readonly severity: Severity;
  readonly surface: Surface;
  readonly primary: readonly RowAction[];
  readonly secondary: readonly RowAction[];
  readonly draft: Draft;
  readonly say: Say;
  readonly repeatable: boolean;
  /** False where nothing is wrong for the person: the chat settles, nothing is shown as a failure. */
  readonly makesFailure: boolean;
}

/** From this many ms on, a stated wait is not sat out by the program: the person is told the time. */
const LONG_WAIT_MS = 60_000;

type Column<T> = T | readonly T[] | '-';
const list = <T>(column: Column<T>): readonly T[] =>
  column === '-' ? [] : Array.isArray(column) ? column : [column as T];

const row = (
  fix: Fix,
  severity: Severity,
  surface: Surface | 'phase',
  primary: Column<RowAction>,
  secondary: Column<RowAction> | 'phase',
  draft: Draft | 'phase',
  say: Say,
): FailureRow => ({
  fix,
  severity,
  surface,
  primary: list(primary),
  secondary: secondary === 'phase' ? 'phase' : list<RowAction>(secondary),
  draft,
  say,
  repeatable: false,
});
const despiteFalse = (plain: FailureRow): FailureRow => ({ ...plain, repeatable: true });

const AGAIN = row('wait', 'warning', 'phase', 'again', 'phase', 'phase', 'assertive');
const AGAIN_OR_REPORT = { ...AGAIN, secondary: ['copy-ref'] } satisfies FailureRow;
const OWNER = row('owner', 'blocking', 'phase', 'copy-ref', 'phase', 'phase', 'assertive');
const NOTHING = row('nobody', 'notice', 'none', '-', '-', 'no', 'none');
const MOVED_ON = row('wait', 'warning', 'banner', 'send-again', 'take-back', 'yes', 'assertive');
const TOOL = row('wait', 'warning', 'reply', 'new-reply', 'dismiss', 'no', 'assertive');
const CHECKPOINT = row('person', 'warning', 'banner', 'reload', 'start-new', 'yes', 'assertive');
const NO_RESULT = row('wait', 'warning', 'reply', 'new-reply', 'edit', 'no', 'assertive');
const READ_REPLY = row('wait', 'warning', 'reply', 'reload', 'new-reply', 'no', 'assertive');
const READ_AGAIN = row('wait', 'warning', 'phase', 'reload', 'start-new', 'yes', 'assertive');
const UNREADABLE = row('owner', 'blocking', 'phase', 'copy-ref', 'start-new', 'yes', 'assertive');

/**
 * One row a code. A cell that depends on whether work goes on states what holds once a failure stands: what goes on
 * by itself never comes here.
 */
// biome-ignore format: one row a line
export const CODE_ROWS: Readonly<Record<ErrorCode, FailureRow>> = {
  provider_overloaded: AGAIN,
  provider_rate_limited: AGAIN,
  provider_auth_error: OWNER,
  provider_content_filtered: row('person', 'warning', 'reply', 'edit', 'dismiss', 'no', 'assertive'),
  provider_refused: row('person', 'warning', 'reply', 'edit', 'dismiss', 'no', 'assertive'),
  provider_timeout: AGAIN,
  provider_invalid_request: row('owner', 'blocking', 'phase', 'start-new', 'edit', 'phase', 'assertive'),
  provider_error: AGAIN,
  provider_unreachable: despiteFalse(AGAIN_OR_REPORT),

  // The assistant usually gets over its own mistake; a failure stands only where it ended the reply.
  tool_input_invalid: row('nobody', 'notice', 'reply', 'new-reply', 'dismiss', 'no', 'assertive'),
  tool_execution_failed: TOOL,
  tool_not_found: row('owner', 'warning', 'reply', 'new-reply', 'copy-ref', 'no', 'assertive'),
  tool_timeout: TOOL,

  state_commit_stopped: NOTHING,
  state_concurrency_conflict: row('wait', 'warning', 'phase', 'again', 'phase', 'check', 'assertive'),
  state_not_stoppable: row('nobody', 'notice', 'status', '-', '-', 'no', 'polite'),
  state_session_not_found: row('person', 'blocking', 'banner', 'start-new', 'take-back', 'yes', 'assertive'),
  state_already_running: row('wait', 'notice', 'banner', 'stop-send', 'take-back', 'held', 'polite'),
  state_not_resumable: row('person', 'warning', 'reply', ['answer-again', 'reload'], 'dismiss', 'no', 'assertive'),
  state_history_incomplete: READ_AGAIN,
  state_checkpoint_not_found: CHECKPOINT,
  state_checkpoint_foreign: CHECKPOINT,
  state_checkpoint_sequence_unavailable: AGAIN,
  state_run_start_conflict: despiteFalse(MOVED_ON),
  state_run_superseded: row('nobody', 'notice', 'none', '-', 'dismiss', 'no', 'polite'),
  state_step_messages_uncommitted: row('owner', 'warning', 'reply', 'reload', 'copy-ref', 'no', 'assertive'),
  state_agent_type_mismatch: row('person', 'blocking', 'banner', 'start-new', 'take-back', 'yes', 'assertive'),
  state_request_key_conflict: { ...NOTHING, draft: 'held', repeatable: true },
  state_request_already_completed: NOTHING,

  transport_error: row('wait', 'warning', 'phase', 'again', 'phase', 'check', 'assertive'),
  transport_stream_drop: READ_REPLY,
  transport_remote_agent_failed: row('wait', 'warning', 'reply', 'edit', 'copy-ref', 'no', 'assertive'),

  validation_error: row('person', 'warning', 'banner', 'edit', 'remove-file', 'yes', 'assertive'),

  framework_internal_error: AGAIN_OR_REPORT,
  framework_not_supported: OWNER,
  framework_companion_not_supported: OWNER,
  // A stop asked for here never becomes a failure: what comes here is somebody else's.
  framework_cancelled: row('nobody', 'notice', 'reply', 'new-reply', 'dismiss', 'no', 'polite'),
  framework_max_steps_exhausted: despiteFalse(row('person', 'warning', 'reply', ['continue', 'new-reply'], 'dismiss', 'no', 'assertive')),
  framework_completion_strategy_unavailable: OWNER,
  framework_completion_schema_unsupported: OWNER,
  framework_prompt_prefix_changed: row('person', 'blocking', 'phase', 'start-new', 'phase', 'phase', 'assertive'),
  framework_agent_not_found: row('owner', 'blocking', 'phase', 'start-new', 'copy-ref', 'phase', 'assertive'),
  framework_agent_resolution_failed: AGAIN,
  framework_agent_name_conflict: OWNER,
  framework_auto_resume_exhausted: row('wait', 'warning', 'reply', ['continue', 'new-reply'], 'copy-ref', 'no', 'assertive'),
  framework_usage_store_unavailable: AGAIN,
  framework_hook_failed: AGAIN,
  framework_skills_unavailable: AGAIN,
  framework_forced_completion_exhausted: row('person', 'warning', 'reply', 'new-reply', 'edit', 'no', 'assertive'),
  framework_completion_protocol_violation: NO_RESULT,
  framework_completion_invalid_output: NO_RESULT,
  framework_completion_tool_missing: row('owner', 'warning', 'reply', 'new-reply', 'copy-ref', 'no', 'assertive'),
};

/** One row a situation. */
// biome-ignore format: one row a line
export const SITUATION_ROWS: Readonly<Record<SituationKey, FailureRow>> = {
  offline: row('person', 'notice', 'status', 'try-now', 'take-back', 'phase', 'polite'),
  'timeout-connect': row('wait', 'warning', 'phase', 'again', 'stop-waiting', 'check', 'assertive'),
  'timeout-idle': READ_REPLY,
  'timeout-total': row('wait', 'warning', 'phase', 'reload', 'new-reply', 'check', 'assertive'),
  'empty-reply': NO_RESULT,
  cut: { ...READ_REPLY, say: 'polite' },
  silent: READ_REPLY,
  'finish-error': row('wait', 'notice', 'reply', 'new-reply', 'dismiss', 'no', 'polite'),
  filtered: row('person', 'notice', 'reply', 'edit', 'dismiss', 'no', 'polite'),
  length: row('person', 'notice', 'reply', 'continue', 'dismiss', 'no', 'polite'),
  // The program repeats at the stated time; once it has given up, the button opens at that time.
  'rate-limit-wait': row('wait', 'warning', 'banner', 'send-again', 'take-back', 'held', 'polite'),
  'rate-limit': row('wait', 'warning', 'banner', 'send-again', 'take-back', 'yes', 'assertive'),
  quota: row('person-or-owner', 'blocking', 'phase', 'plan', 'phase', 'phase', 'assertive'),
  'signed-out': row('person', 'blocking', 'banner', 'sign-in', 'take-back', 'yes', 'assertive'),
  forbidden: row('person-or-owner', 'blocking', 'banner', 'start-new', 'sign-in', 'yes', 'assertive'),
  'not-found': row('owner', 'blocking', 'phase', 'start-new', 'copy-ref', 'yes', 'assertive'),
  'unexpected-response': row('person-or-owner', 'warning', 'phase', ['check', 'again'], 'sign-in', 'check', 'assertive'),
  'too-large': row('person', 'warning', 'banner', ['remove-file', 'edit'], 'take-back', 'yes', 'assertive'),
  file: row('person', 'warning', 'banner', 'remove-file', 'take-back', 'yes', 'assertive'),
  'too-long': row('person', 'blocking', 'phase', 'start-new', 'edit', 'phase', 'assertive'),
  patience: row('person', 'warning', 'banner', 'send-again', 'stop-send', 'yes', 'assertive'),
  're-anchor-limit': row('wait', 'warning', 'reply', 'reload', 'dismiss', 'no', 'assertive'),
  run_not_live: READ_REPLY,
  'answer-rejected': row('person', 'warning', 'reply', 'answer-again', 'dismiss', 'values', 'assertive'),
  deferred: row('wait', 'notice', 'status', '-', 'reload', 'no', 'polite'),
  store_error: READ_AGAIN,
  snapshot_unstable: READ_AGAIN,
  corrupt_row: UNREADABLE,
  short_read: UNREADABLE,
  'phase-stop': row('person', 'notice', 'toast', 'stop-again', 'dismiss', 'no', 'assertive'),
  'copy-failed': row('person', 'notice', 'toast', '-', 'dismiss', 'no', 'polite'),
  crash: row('person', 'blocking', 'boundary', 'show-again', 'reload-page', 'yes', 'assertive'),
};

/** What holds for a code that is not known here but wears a known prefix. */
// biome-ignore format: one row a line
export const CATEGORY_ROWS: Readonly<Record<KnownCategory, FailureRow>> = {
  provider: AGAIN,
  tool: TOOL,
  state: row('wait', 'warning', 'phase', 'reload', 'phase', 'check', 'assertive'),
  transport: row('wait', 'warning', 'phase', 'again', 'phase', 'check', 'assertive'),
  validation: row('person', 'warning', 'banner', 'edit', 'take-back', 'yes', 'assertive'),
  framework: AGAIN_OR_REPORT,
};

/** The row of an error that neither code nor category says anything of. */
export const UNCLASSIFIED_ROW: FailureRow = AGAIN_OR_REPORT;

/** What `phase` stands for in a row, by place. For its draft see `draftAt`. */
export const PLACE_ROWS: Readonly<
  Record<Place, { readonly surface: Surface; readonly secondary: FailureAction }>
> = {
  unsent: { surface: 'banner', secondary: 'take-back' },
  unknown: { surface: 'banner', secondary: 'stop-waiting' },
  reply: { surface: 'reply', secondary: 'dismiss' },
  reading: { surface: 'banner', secondary: 'start-new' },
  answer: { surface: 'call', secondary: 'dismiss' },
  stop: { surface: 'toast', secondary: 'dismiss' },
};

/** Reasons whose row is not their code's. The rest only picks a sentence. */
const REASON_ROWS: Readonly<Partial<Record<Reason, SituationKey>>> = {
  offline: 'offline',
  'empty-reply': 'empty-reply',
  cut: 'cut',
  silent: 'silent',
  'finish-error': 'finish-error',
  filtered: 'filtered',
  length: 'length',
  quota: 'quota',
  'signed-out': 'signed-out',
  forbidden: 'forbidden',
  'not-found': 'not-found',
  'unexpected-response': 'unexpected-response',
  'too-large': 'too-large',
  file: 'file',
  'too-long': 'too-long',
  patience: 'patience',
  're-anchor-limit': 're-anchor-limit',
  run_not_live: 'run_not_live',
  'answer-rejected': 'answer-rejected',
  deferred: 'deferred',
  store_error: 'store_error',
  snapshot_unstable: 'snapshot_unstable',
  corrupt_row: 'corrupt_row',
  short_read: 'short_read',
};

/** `record[key]` for a key that came over the wire: nothing inherited is ever found. */
const own = <T>(record: Readonly<Record<string, T>>, key: string | undefined): T | undefined =>
  key !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;

const hasStatedWait = (error: ClassifiedError): boolean => (error.retryAfterMs ?? 0) > 0;

function situationOf(error: ClassifiedError): SituationKey | undefined {
  const { reason, layer } = error;
  if (reason === 'timeout' || reason === undefined) {
    if (layer !== undefined) return `timeout-${layer}`;
  }
  if (reason === 'rate-limit') {
    // Of the model provider's limit only the sentence differs; the app's own has a row.
    if (error.code === 'provider_rate_limited') return undefined;
    return hasStatedWait(error) ? 'rate-limit-wait' : 'rate-limit';
  }
  const named = own(REASON_ROWS, reason);
  if (named) return named;
  // A rate limit that no repeat lifts is a used-up allowance.
  if (error.code === 'provider_rate_limited' && error.retryable === false) return 'quota';
  return undefined;
}

/** Where a failure stands for the person: what its phase and the fate of the message come to. */
export function placeOf({ phase, committed }: FailureSituation): Place {
  switch (phase) {
    case 'send':
      return committed === 'no' ? 'unsent' : committed === 'unknown' ? 'unknown' : 'reply';
    case 'regenerate':
    case 'edit':
    case 'stream':
      return 'reply';
    case 'load':
    case 'snapshot':
      return 'reading';
    case 'submit':
      return 'answer';
    case 'stop':
      return 'stop';
  }
}

const isCode = (code: string | undefined): code is ErrorCode =>
  code !== undefined && Object.hasOwn(CODE_ROWS, code);

/** The row before its `phase` cells are filled in: reason (with its layer), code, category, unclassified. */
function lookUp(error: ClassifiedError): { readonly key: RowKey; readonly row: FailureRow } {
  const situation = situationOf(error);
  if (situation) return ofSituation(situation);
  if (isCode(error.code)) return ofCode(error.code);
  const category = own<FailureRow>(CATEGORY_ROWS, error.category);
  if (category) {
    return { key: { by: 'category', name: error.category as KnownCategory }, row: category };
  }
  return { key: { by: 'unclassified' }, row: UNCLASSIFIED_ROW };
}

const ofSituation = (name: SituationKey) => ({
  key: { by: 'situation', name } as const,
  row: SITUATION_ROWS[name],
});
const ofCode = (name: ErrorCode) => ({ key: { by: 'code', name } as const, row: CODE_ROWS[name] });

type Found = ReturnType<typeof lookUp>;

/** A failed stop is one thing to the person, whatever refused it: unless nothing is left to stop, or the sign-in ran out. */
function inPhaseStop(found: Found): Found {
  const { key } = found;
  if (key.by === 'code' && isQuiet(found.row)) return found;
  if (key.by === 'code' && key.name === 'framework_cancelled') return { key, row: NOTHING };
  return key.by === 'situation' && key.name === 'signed-out' ? found : ofSituation('phase-stop');
}

type Adjust = (found: Found, error: ClassifiedError, situation: FailureSituation) => Found;

// Their repair ends in a failure only where the message is not known to be written.
const unlessWritten: Adjust = (found, _, { committed }) =>
  committed === 'yes' ? found : ofCode('state_run_start_conflict');

/** Codes whose cells depend on more than phase and flag. */
const ADJUSTED_CODES: Readonly<Partial<Record<ErrorCode, Adjust>>> = {
  state_request_key_conflict: unlessWritten,
  state_request_already_completed: unlessWritten,
  state_run_superseded: ({ key, row: base }, _, { phase }) => ({
    key,
    row: phase === 'submit' ? { ...base, surface: 'reply' } : base,
  }),
  // Keeps the flag of what made it fail: without a repeat, only the owner can mend it.
  framework_hook_failed: ({ key, row: base }, { retryable }) => ({
    key,
    row: retryable === false ? { ...base, fix: 'owner', primary: ['copy-ref'] } : base,
  }),
  // Without a cause, the flag says whether reading again can help.
  state_history_incomplete: ({ key, row: base }, { retryable }) => ({
    key,
    row: retryable === false ? UNREADABLE : base,
  }),
};

function adjusted(found: Found, error: ClassifiedError, situation: FailureSituation): Found {
  if (situation.phase === 'stop') return inPhaseStop(found);
  const { key, row: base } = found;
  if (key.by === 'code') return ADJUSTED_CODES[key.name]?.(found, error, situation) ?? found;
  const isLong = (error.retryAfterMs ?? 0) > LONG_WAIT_MS;
  return key.by === 'situation' && key.name === 'rate-limit-wait' && isLong
    ? { key, row: { ...base, say: 'assertive' } }
    : found;
}

/** A message that may not be on the server has no reply to stand at. */
const surfaceAt = (surface: Surface | 'phase', place: Place): Surface => {
  if (surface === 'phase') return PLACE_ROWS[place].surface;
  return surface === 'reply' && (place === 'unsent' || place === 'unknown') ? 'banner' : surface;
};

/** Text is given back exactly where the server does not hold it, whatever the row expects of its usual phase. */
function draftAt(
  draft: Draft | 'phase',
  place: Place,
  { phase, committed }: FailureSituation,
): Draft {
  if (draft === 'values' || place === 'answer') return 'values';
  if (place === 'reading') return 'untouched';
  if (place === 'stop') return 'no';
  const givesBack = phase === 'send' || phase === 'edit';
  if (committed === 'yes' || !givesBack) return 'no';
  if (committed === 'unknown' || draft === 'check') return 'check';
  return draft === 'held' ? 'held' : 'yes';
}

const isQuiet = ({ surface, primary }: Pick<FailureRow, 'surface' | 'primary'>): boolean =>
  (surface === 'none' || surface === 'status') && primary.length === 0;

/**
 * What a failure means for the person, from the error and where it happened. Total: an unknown code or reason falls back
 * to its category, then to unclassified.
 */
export function failureRow(error: ClassifiedError, situation: FailureSituation): ResolvedRow {
  const place = placeOf(situation);
  const { key, row: found } = adjusted(lookUp(error), error, situation);
  return {
    key,
    place,
    fix: found.fix,
    severity: found.severity,
    surface: surfaceAt(found.surface, place),
    primary: found.primary,
    secondary: found.secondary === 'phase' ? [PLACE_ROWS[place].secondary] : found.secondary,
    draft: draftAt(found.draft, place, situation),
    say: found.say,
    repeatable: found.repeatable,
    makesFailure: !isQuiet(found),
  };
}
