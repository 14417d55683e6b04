import { HelixError, type HelixErrorInit } from '../../../src/errors/HelixError.ts';
import type { RecoveryEvent } from '../../../src/recovery/events.ts';
import type { ActKind, Entry, Model } from '../../../src/recovery/model.ts';
import type { ReadResult } from '../../../src/recovery/readResult.ts';
import type { Cut, Refusal, StopAnswer, TurnEnd } from '../../../src/transport/turnHost.ts';

type Fact = (model: Model) => RecoveryEvent;

const message = (id: string) => ({ id, role: 'user', parts: [] });
const call = { type: 'tool-weather', toolCallId: 'call', state: 'output-available', output: 1 };

/** A new message, reply or change. Each message has a name of its own. */
const act =
  (
    kind: ActKind,
    more: Partial<Extract<RecoveryEvent, { type: 'act-requested' }>> = {},
    text?: string,
  ): Fact =>
  ({ nextTurn }) => {
    const id = `m${nextTurn}`;
    const said = kind === 'send' ? { message: message(id) } : {};
    const changed = text === undefined ? {} : { message: message(text), targetId: text };
    return {
      type: 'act-requested',
      kind,
      entryId: id,
      request: { at: id },
      ...said,
      ...changed,
      ...more,
    };
  };

/** The pending message at a place of the queue; a name that nobody has where there is none. */
const idAt = ({ queue }: Model, at: number): string => queue.at(at)?.pending.id ?? 'nobody';

const failedCopy = ({ queue }: Model): Entry | undefined =>
  queue.find(({ pending }) => pending.state === 'failed');

const sendsSameAgain: Fact = (model) => {
  const copy = failedCopy(model);
  const event = act('send')(model);
  return copy === undefined ? event : { ...event, ...{ foldInto: copy.pending.id } };
};

const PRESSES: Record<string, Fact> = {
  send: act('send'),
  'send the same again': sendsSameAgain,
  'keep without sending': act('send', { park: true }),
  regenerate: act('regenerate'),
  'regenerate a1': act('regenerate', { targetId: 'a1' }),
  'regenerate once more': act('regenerate', { again: true }),
  'edit m0': act('edit', {}, 'm0'),
  'edit m1': act('edit', {}, 'm1'),
  'continue a1': act('continue', { targetId: 'a1' }),
  'continue once more': act('continue', { again: true }),
  'send answers': act('submit', { targetId: 'a1', answers: [call] }),
  'send answers again': act('submit', { targetId: 'a1', answers: [call], again: true }),
  'send no answers again': act('submit', { targetId: 'a1', answers: [], again: true }),
  'answer call': () => ({ type: 'answer-given', toolCallId: 'call' }),
  'answer some call': () => ({ type: 'answer-given', toolCallId: undefined }),
  'open the chat': () => ({ type: 'load-requested' }),
  'show the chat': () => ({ type: 'mounted' }),
  reload: () => ({ type: 'resync-requested' }),
  stop: () => ({ type: 'stop-requested' }),
  'stop the run': () => ({ type: 'run-stop-requested', mode: 'interrupt' }),
  'abort the run': () => ({ type: 'run-stop-requested', mode: 'abort' }),
  'stop and send': () => ({ type: 'stop-send-requested' }),
  'stop and send the last': (model) => ({ type: 'stop-send-requested', entryId: idAt(model, -1) }),
  'send the first': (model) => ({ type: 'send-again-requested', entryId: idAt(model, 0) }),
  'send the last': (model) => ({ type: 'send-again-requested', entryId: idAt(model, -1) }),
  'send the first as new': (model) => ({
    ...{ type: 'send-again-requested', entryId: idAt(model, 0), asNew: true },
  }),
  'take back the first': (model) => ({ type: 'entry-removed', entryId: idAt(model, 0) }),
  'take back the last': (model) => ({ type: 'entry-removed', entryId: idAt(model, -1) }),
  'let the first wait': (model) => ({ type: 'wait-chosen', entryId: idAt(model, 0) }),
  'let all wait': () => ({ type: 'wait-chosen' }),
  'try now': () => ({ type: 'try-now-requested' }),
  dismiss: () => ({ type: 'dismissed' }),
};

/** The answers to a request that the decisions tell apart, by their words. */
const REFUSALS: Record<string, Omit<Refusal, 'stage'>> = {};

const refusal = (
  words: string,
  status: number | undefined,
  error: HelixErrorInit,
  committed: Refusal['committed'] = status === undefined || status >= 500 ? 'unknown' : 'no',
): void => {
  const at = status === undefined ? {} : { statusCode: status };
  REFUSALS[words] = { status, error: new HelixError({ ...at, ...error }), committed };
};

refusal('no response', undefined, { code: 'transport_error', reason: 'network' });
refusal(
  '200 that is no stream',
  200,
  { code: 'transport_error', reason: 'unexpected-response' },
  'unknown',
);
refusal('401', 401, { reason: 'signed-out' });
refusal('403', 403, { reason: 'forbidden' });
refusal('404', 404, {});
refusal('408', 408, { code: 'transport_error', retryable: true });
refusal('409 busy', 409, { code: 'state_already_running', runId: 'other' });
refusal('409 busy with our run', 409, { code: 'state_already_running', runId: 'run' });
refusal('409 key taken', 409, { code: 'state_run_start_conflict', reason: 'request_key_taken' });
refusal('409 entry changed', 409, {
  code: 'state_run_start_conflict',
  reason: 'entry_status_changed',
});
refusal('409 entry abandoned', 409, {
  code: 'state_run_start_conflict',
  reason: 'entry_abandoned',
});
refusal('409 no start', 409, { code: 'state_run_start_conflict' });
refusal('409 key conflict', 409, { code: 'state_request_key_conflict' }, 'unknown');
refusal('409 already completed', 409, { code: 'state_request_already_completed' }, 'yes');
refusal('409 concurrency', 409, { code: 'state_concurrency_conflict' });
refusal('409 not resumable', 409, { code: 'state_not_resumable' });
refusal('409 message unknown', 409, {
  code: 'state_not_resumable',
  reason: 'resume_message_unknown',
});
refusal('409 answer not stored', 409, {
  ...{ code: 'state_not_resumable', reason: 'answer_not_stored', toolCallIds: ['call'] },
});
refusal('409 superseded', 409, { code: 'state_run_superseded' });
refusal('409 other', 409, {});
refusal('410', 410, {});
refusal('422', 422, { code: 'validation_error' });
refusal('429', 429, { code: 'provider_rate_limited', retryable: true });
refusal('429 for 5 s', 429, {
  code: 'provider_rate_limited',
  retryable: true,
  retryAfterMs: 5_000,
});
refusal('429 for 2 min', 429, {
  code: 'provider_rate_limited',
  retryable: true,
  retryAfterMs: 120_000,
});
refusal('429 for 1 min', 429, {
  code: 'provider_rate_limited',
  retryable: true,
  retryAfterMs: 60_000,
});
refusal('429 quota', 429, { code: 'provider_rate_limited', reason: 'quota', retryable: false });
refusal('500', 500, { code: 'framework_internal_error' });
refusal(
  '500 deferred',
  500,
  { code: 'provider_overloaded', reason: 'deferred', retryAfterMs: 5_000 },
  'yes',
);
refusal('500 to repeat', 500, { code: 'framework_internal_error', shouldRetry: true });
refusal('502', 502, {});
refusal('503', 503, { code: 'provider_overloaded', retryable: true }, 'no');
refusal('503 no live run', 503, { code: 'transport_error', reason: 'run_not_live' }, 'no');

const refusals = (stage: Refusal['stage'], words: string): Record<string, Fact> => ({
  ...Object.fromEntries(
    Object.entries(REFUSALS).map(([name, found]) => [
      `${words}: ${name}`,
      () => ({ type: 'request-refused', refusal: { stage, ...found } }) as const,
    ]),
  ),
  [`${words}: 204`]: () => ({
    type: 'request-refused',
    refusal: { stage, status: 204, error: undefined, committed: 'yes' },
  }),
});

const runFailed = new HelixError({ code: 'provider_overloaded' });

/** What a read of the conversation can bring, by its words. */
const READS: Record<string, ReadResult> = {
  'cannot be reached': {
    kind: 'failed',
    error: new HelixError({ code: 'transport_error', reason: 'network' }),
  },
  'takes too long': { kind: 'timed-out' },
  'has no route': { kind: 'absent' },
  'failed without a word': { kind: 'failed' },
};
for (const status of [401, 404, 408, 429, 500, 503]) {
  READS[`${status}`] = { kind: 'failed', error: new HelixError({ statusCode: status }) };
}
READS['is unknown'] = {
  kind: 'failed',
  error: new HelixError({ code: 'state_session_not_found', statusCode: 404 }),
};
READS['503 for 5 s'] = {
  kind: 'failed',
  error: new HelixError({ code: 'provider_overloaded', statusCode: 503, retryAfterMs: 5_000 }),
};
READS['503 for 1 min'] = {
  kind: 'failed',
  error: new HelixError({
    code: 'provider_overloaded',
    statusCode: 503,
    retryAfterMs: 60_000,
  }),
};
READS['503 for 2 min'] = {
  kind: 'failed',
  error: new HelixError({ code: 'provider_overloaded', statusCode: 503, retryAfterMs: 120_000 }),
};
READS['is incomplete'] = {
  kind: 'failed',
  error: new HelixError({ code: 'state_history_incomplete', statusCode: 503, retryable: false }),
};
for (const status of ['active', 'paused', 'ended', 'failed'] as const) {
  const base = {
    kind: 'snapshot',
    status,
    runId: 'run',
    messages: `as ${status}`,
    lastId: 'a9',
  } as const;
  const failed = status === 'failed' ? { runError: runFailed } : {};
  const calls = ['call'];
  READS[`${status}`] = { ...base, ...failed, found: false, answered: false };
  READS[`${status}, with it`] = { ...base, ...failed, found: true, grew: true };
  READS[`${status}, answered`] = { ...base, ...failed, found: true, grew: true, answered: true };
  READS[`${status}, answers open`] = {
    ...base,
    ...failed,
    found: false,
    answers: { fate: 'open', calls },
  };
  READS[`${status}, answers taken`] = {
    ...base,
    ...failed,
    found: true,
    answers: { fate: 'taken', calls },
  };
  READS[`${status}, other answers`] = {
    ...base,
    ...failed,
    found: true,
    answers: { fate: 'other', calls },
  };
}
READS['failed, nobody says why'] = {
  kind: 'snapshot',
  status: 'failed',
  messages: 'as failed',
  found: true,
};
READS['active, another run'] = {
  kind: 'snapshot',
  status: 'active',
  runId: 'newer',
  messages: 'as newer',
  found: false,
};
READS['paused, for answers of ours'] = {
  ...{ kind: 'snapshot', status: 'paused', runId: 'run', messages: 'as paused', awaitsOurs: true },
};

const reads = (): Record<string, Fact> =>
  Object.fromEntries(
    Object.entries(READS).flatMap(([words, result]) => [
      [
        `the conversation: ${words}`,
        ({ ticket }: Model) => ({ type: 'snapshot-read', ticket, result }) as const,
      ],
    ]),
  );

const checks = (): Record<string, Fact> =>
  Object.fromEntries(
    ['active', 'ended', 'ended, with it', 'failed', 'has no route', 'cannot be reached'].flatMap(
      (words) =>
        (['woken', 'stalled'] as const).map((why) => [
          `looked after (${why}): ${words}`,
          ({ ticket }: Model) =>
            ({
              type: 'run-checked',
              ticket,
              why,
              result: READS[words] ?? { kind: 'absent' },
            }) as const,
        ]),
    ),
  );

const dropped = new HelixError({ code: 'transport_stream_drop', reason: 'cut' });
const cut =
  (last: Cut['last'], progressed = last === 'none', content = true): Fact =>
  () => ({ type: 'stream-cut', cut: { error: dropped, last, progressed, content } });
const errorOf = (name: string): HelixError => REFUSALS[name]?.error ?? dropped;

const ends =
  (finishReason: string | undefined, more: Partial<TurnEnd> = {}): Fact =>
  () => ({ type: 'stream-ending', end: { by: 'finish', finishReason, content: true, ...more } });
const leaves =
  (name: string, attemptId?: string): Fact =>
  () => ({ type: 'stream-left', trigger: { name, attemptId, runId: undefined, content: true } });
const stopAnswer =
  (answer: StopAnswer, repeated = false, mode: 'interrupt' | 'abort' = 'interrupt'): Fact =>
  () => ({ type: 'stop-answered', answer, repeated, mode, ms: 40 });
const stopFails = (name: string, repeated = false): Fact =>
  stopAnswer({ kind: 'failed', error: errorOf(name) }, repeated, 'abort');

const STREAM: Record<string, Fact> = {
  'a reply begins': () => ({ type: 'stream-accepted' }),
  'the reply goes on': () => ({ type: 'stream-content' }),
  'the stream is cut': cut('none'),
  'the stream is cut before anything came': cut('none', false, false),
  'it is cut again': cut('cut', false),
  'it is cut again, further on': cut('cut', true),
  'there is no live reply': cut('gone'),
  'the replay differs': cut('diverged'),
  'the reconnect: no response': cut(errorOf('no response')),
  'the reconnect: 401': cut(errorOf('401')),
  'the reconnect: 403': cut(errorOf('403')),
  'the reconnect: 404': cut(errorOf('404')),
  'the reconnect: 503': cut(errorOf('503')),
  'the reconnect: 429 for 5 s': cut(errorOf('429 for 5 s')),
  'the reconnect: 429 for 1 min': cut(errorOf('429 for 1 min')),
  'the reconnect: 429 for 2 min': cut(errorOf('429 for 2 min')),
  'the reconnect: 503 no live run': cut(errorOf('503 no live run')),
  'the run fails': () => ({ type: 'stream-failed', error: runFailed }),
  'the run fails at its quota': () => ({ type: 'stream-failed', error: errorOf('429 quota') }),
  'the last of the reply': ends('stop'),
  'the last of an empty reply': ends('stop', { content: false }),
  'the last of a filtered reply': ends('content-filter'),
  'the last of a long reply': ends('length'),
  'the last of a broken reply': ends('error'),
  'the last of an interrupted reply': ends('interrupted'),
  'the last of an aborted reply': ends(undefined, { by: 'abort' }),
  'the attempt is superseded': leaves('data-attempt-superseded'),
  'the attempt x is superseded': leaves('data-attempt-superseded', 'x'),
  'the step begins anew': () => ({
    type: 'step-restarted',
    trigger: { name: 'reset-step', attemptId: 'x', runId: undefined, content: true },
  }),
  'the step begins anew, by no name': () => ({
    type: 'step-restarted',
    trigger: { name: 'reset-step', attemptId: undefined, runId: undefined, content: true },
  }),
  'the app forbids to read anew': () => ({ type: 're-anchor-forbidden' }),
  'it is of run': () => ({ type: 'run-known', run: { runId: 'run', attemptId: undefined } }),
  'it is of newer': () => ({ type: 'run-known', run: { runId: 'newer', attemptId: undefined } }),
  'it is of no run': () => ({ type: 'run-known', run: { runId: undefined, attemptId: undefined } }),
  'the reply is put away': () => ({ type: 'chat-ended', aborted: false }),
  'the reply is put away, without text': () => ({
    type: 'chat-ended',
    aborted: false,
    hasText: false,
  }),
  'the reply is put away at a call': () => ({ type: 'chat-ended', aborted: false, atCall: true }),
  'the reply is put away, and the app finds it bad': () => ({
    ...{ type: 'chat-ended', aborted: false, messageId: 'a1' },
    softFailure: new HelixError({ code: 'provider_content_filtered', reason: 'filtered' }),
  }),
  'the call is closed': () => ({ type: 'chat-ended', aborted: true }),
  'the failure is drawn': ({ job }) => ({
    type: 'chat-failed',
    error: job.at === 'closing' && job.next.to === 'fail' ? job.next.error : runFailed,
  }),
  'the failure is drawn under a part': ({ job }) => ({
    ...{ type: 'chat-failed', partial: 'Once', messageId: 'a1' },
    error: job.at === 'closing' && job.next.to === 'fail' ? job.next.error : runFailed,
  }),
  'the join fails: 503': () => ({ type: 'chat-failed', error: errorOf('503') }),
  'the join is closed': ({ ticket }) => ({ type: 'attach-closed', ticket }),
  'the join begins': () => ({ type: 'attach-begun' }),
  'the read is ended': () => ({ type: 'read-ended' }),
  'answers are rejected': () => ({
    type: 'answers-rejected',
    rejections: [{ toolCallId: 'call', reason: 'late' }],
  }),
  'no answers are rejected': () => ({ type: 'answers-rejected', rejections: [] }),
  'signed in again': ({ ticket }) => ({ type: 'authorized', ticket, ok: true }),
  'not signed in': ({ ticket }) => ({ type: 'authorized', ticket, ok: false }),
  'the run is stopping': stopAnswer({ kind: 'stopping', runId: 'run' }),
  'there is nothing to stop': stopAnswer({ kind: 'absent' }),
  'the stop: 409': stopFails('409 other'),
  'the stop: 429': stopFails('429'),
  'the stop: 500': stopFails('500'),
  'the stop: 500 again': stopFails('500', true),
  'the stop: no response': stopFails('no response'),
  'the stop: no response again': stopFails('no response', true),
};

const decided =
  (wanted: 'yes' | 'no' | 'later', request?: unknown): Fact =>
  ({ ticket }) => ({
    type: 'submit-decided',
    ticket,
    wanted,
    targetId: 'a1',
    answers: [call],
    request,
  });
const restored =
  (from: 'store' | 'memory', state: 'held' | 'failed'): Fact =>
  ({ nextTurn, queue }) => {
    const id = queue[0]?.pending.id === 'old' ? 'older' : 'old';
    const turn = {
      ...{
        id: nextTurn,
        kind: 'send',
        message: message(id),
        targetId: undefined,
        request: undefined,
      },
      ...{
        attempts: [],
        requests: 1,
        tries: 1,
        conflicts: 0,
        spent: [],
        unclear: state === 'failed',
      },
      ...{ accepted: false, readFailed: false, answers: [] },
    } as const;
    const cause = state === 'held' ? { cause: 'own-run' as const } : {};
    const pending = { id, message: message(id), state, ...cause };
    return {
      type: 'sends-restored',
      from,
      lefts: [{ entry: { pending, turn, newKey: state === 'failed' }, key: 'key', stood: [] }],
    } as unknown as RecoveryEvent;
  };

const REST: Record<string, Fact> = {
  'the wait is over': ({ ticket }) => ({ type: 'timer-fired', ticket }),
  'an old wait is over': ({ ticket }) => ({ type: 'timer-fired', ticket: ticket - 1 }),
  'an old read comes': ({ ticket }) => ({
    ...{ type: 'snapshot-read', ticket: ticket - 1, result: { kind: 'absent' } },
  }),
  'an old decision comes': ({ ticket }) => ({
    ...{ type: 'submit-decided', ticket: ticket - 1, wanted: 'yes', targetId: 'a1' },
    ...{ answers: [], request: undefined },
  }),
  'an old look comes': ({ ticket }) => ({
    ...{ type: 'run-checked', ticket: ticket - 1, why: 'woken', result: { kind: 'absent' } },
  }),
  'an old sign-in comes': ({ ticket }) => ({ type: 'authorized', ticket: ticket - 1, ok: true }),
  'an old join is closed': ({ ticket }) => ({ type: 'attach-closed', ticket: ticket - 1 }),
  'answers go': decided('yes'),
  'answers go, with options': decided('yes', { headers: 1 }),
  'no answers go': decided('no'),
  'the app has yet to say': decided('later'),
  'it is slow': () => ({ type: 'slow', slow: true }),
  'it is slow no more': () => ({ type: 'slow', slow: false }),
  'it stalls': () => ({ type: 'stalled' }),
  'the network comes': () => ({ type: 'online' }),
  'the network goes': () => ({ type: 'offline' }),
  'the page wakes': () => ({ type: 'woken' }),
  'the clock is set an hour on': () => ({ type: 'clock-jumped', driftMs: 3_600_000, sleptMs: 0 }),
  'the page slept for an hour': () => ({
    type: 'clock-jumped',
    driftMs: 3_600_000,
    sleptMs: 3_600_000,
  }),
  'the page stood still for an hour': () => ({
    type: 'clock-jumped',
    driftMs: 0,
    sleptMs: 3_600_000,
  }),
  'the page slept for ten minutes': () => ({
    type: 'clock-jumped',
    driftMs: 600_000,
    sleptMs: 600_000,
  }),
  'the page slept for a minute': () => ({ type: 'clock-jumped', driftMs: 60_000, sleptMs: 60_000 }),
  'a limit has changed': () => ({ type: 'limits-changed' }),
  'another tab lets go': () => ({ type: 'look-requested' }),
  'another tab has it': () => ({ type: 'taken-elsewhere', open: false }),
  'another tab has it, after a refusal': () => ({ type: 'taken-elsewhere', open: true }),
  'a held message is restored from the store': restored('store', 'held'),
  'a failed message is restored from the store': restored('store', 'failed'),
  'a failed message is restored from memory': restored('memory', 'failed'),
  'the first turns out to be there': (model) => ({ type: 'entries-found', ids: [idAt(model, 0)] }),
  'all turn out to be there': ({ queue }) => ({
    type: 'entries-found',
    ids: queue.map(({ pending }) => pending.id),
  }),
};

/** Whatever can happen to a chat, by the words of a history for it. */
export const FACTS: Record<string, Fact> = {
  ...PRESSES,
  ...refusals('request', 'the request'),
  ...refusals('attach', 'the join'),
  ...reads(),
  ...checks(),
  ...STREAM,
  ...REST,
};
