import type { Cause } from './causes.ts';
import { CODES, type ErrorCode } from './codes.ts';

/** What is fixed about one reason. */
export interface ReasonRow {
  /** The English cause sentence: safe to show, at most 120 characters. */
  readonly sentence: string;
}

const as = (code: ErrorCode): ReasonRow => ({ sentence: CODES[code].sentence });

// A filled allowance and a filtered reply read alike whether a code or a reason says so.
const CUT = as('transport_stream_drop');
const INCOMPLETE = as('state_history_incomplete');

/** Why a failure happened, where its code alone does not say: the reasons that the client gives. */
const CLIENT_REASONS = {
  network: as('transport_error'),
  offline: { sentence: 'This device seems to have no connection.' },
  'unexpected-response': { sentence: 'The app answered with something that is not a reply.' },
  timeout: { sentence: 'The app took too long.' },
  cut: CUT,
  silent: { sentence: 'The reply stopped coming.' },
  're-anchor-limit': { sentence: 'The conversation could not be brought up to date.' },
  'answer-rejected': { sentence: 'An answer was not taken.' },
  patience: { sentence: 'The earlier reply is still not finished.' },
  'empty-reply': { sentence: 'The reply came back empty.' },
  'signed-out': { sentence: 'The sign-in has expired.' },
  forbidden: { sentence: 'The account has no access to what was asked for.' },
  'not-found': { sentence: 'The app could not find what was asked for.' },
  'too-large': { sentence: 'The message was not taken because it is too large with its files.' },
  file: {
    sentence: 'The message was not taken because it has a file of a kind that cannot be used.',
  },
  'rate-limit': { sentence: 'The app has had too many messages for now.' },
  quota: { sentence: 'The reply could not be written because an allowance is used up.' },
  deferred: { sentence: 'The message is kept, and its reply comes later.' },
  filtered: { sentence: 'The reply was ended by a safety filter.' },
  length: { sentence: 'The reply reached its longest size.' },
  'finish-error': { sentence: 'The reply broke off at the AI service.' },
  'too-long': { sentence: 'The reply could not be written because the conversation is too long.' },
} as const satisfies Record<string, ReasonRow>;

/** The cause words of the wire: on an error they are reasons too. Most read as their code does. */
const WIRE_REASONS: Readonly<Record<Exclude<Cause, keyof typeof CLIENT_REASONS>, ReasonRow>> = {
  run_not_live: { sentence: 'The reply stopped before it was finished.' },
  corrupt_row: INCOMPLETE,
  short_read: INCOMPLETE,
  store_error: INCOMPLETE,
  snapshot_unstable: INCOMPLETE,
  resume_message_unknown: as('state_not_resumable'),
  answer_not_stored: { sentence: 'An answer was not taken.' },
  idempotency_mismatch: as('state_run_start_conflict'),
  entry_status_changed: as('state_run_start_conflict'),
  entry_abandoned: as('state_run_start_conflict'),
  resumed_companion_ref_missing: as('state_run_start_conflict'),
  request_key_taken: as('state_run_start_conflict'),
};

/** The closed list of reasons. */
export type Reason = keyof typeof CLIENT_REASONS | Cause;

/** One row a reason. */
export const REASONS: Readonly<Record<Reason, ReasonRow>> = Object.freeze({
  ...CLIENT_REASONS,
  ...WIRE_REASONS,
});

/** Whether a value is one of the reasons. */
export function isReason(value: unknown): value is Reason {
  return typeof value === 'string' && Object.hasOwn(REASONS, value);
}

/** Which limit ran out: until the first answer, between two signs of life, or in all. */
export type TimeoutLayer = 'connect' | 'idle' | 'total';

/** One sentence a layer: reason `timeout` reads by it where the layer is known. */
export const TIMEOUT_LAYERS: Readonly<Record<TimeoutLayer, ReasonRow>> = Object.freeze({
  connect: { sentence: 'The app did not answer.' },
  idle: { sentence: CLIENT_REASONS.silent.sentence },
  total: { sentence: 'The reply took longer than the app allows.' },
});
