import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Committed, FailureAction, Phase } from '../../src/errors/failure.ts';
import {
  type ActionAbilities,
  failureActions,
  supportReference,
} from '../../src/errors/failureActions.ts';
import {
  type ClassifiedError,
  CODE_ROWS,
  failureRow,
  SITUATION_ROWS,
} from '../../src/errors/failureTable.ts';
import { CODES, categoryOf, type ErrorCode, isErrorCode } from '../../src/protocol/codes.ts';
import { runs } from '../setup/runs.ts';

const WHERE = {
  'send, not written': ['send', 'no'],
  'send, not known': ['send', 'unknown'],
  'send, taken': ['send', 'yes'],
  regenerate: ['regenerate', 'unknown'],
  edit: ['edit', 'no'],
  reply: ['stream', 'yes'],
  load: ['load', 'yes'],
  read: ['snapshot', 'yes'],
  answer: ['submit', 'unknown'],
  stop: ['stop', 'yes'],
} as const satisfies Record<string, readonly [Phase, Committed]>;
type Where = keyof typeof WHERE;

/** A chat in which everything is possible. */
const everything: ActionAbilities = {
  snapshot: true,
  checkFirst: false,
  keyed: true,
  draft: true,
  pending: true,
  reference: true,
  continue: true,
};
const nothing: ActionAbilities = {
  snapshot: false,
  checkFirst: false,
  keyed: false,
  draft: false,
  pending: false,
  reference: false,
  continue: false,
  hostStop: false,
  waiting: false,
};

const situationAt = (where: Where) => {
  const [phase, committed] = WHERE[where];
  return { phase, committed };
};

/** An error of a code, with the flag that the code states unless another is given. */
const coded = (code: string, more: Partial<ClassifiedError> = {}): ClassifiedError => ({
  code,
  category: categoryOf(code),
  retryable: isErrorCode(code) ? (CODES[code].retryable ?? undefined) : undefined,
  ...more,
});
const reasoned = (reason: string, more: Partial<ClassifiedError> = {}): ClassifiedError => ({
  category: 'unknown',
  reason,
  ...more,
});

const can = (where: Where, abilities: Partial<ActionAbilities> = {}): ActionAbilities => ({
  ...everything,
  // Only a message that is not in the transcript is among the pending sends.
  pending: WHERE[where][0] === 'send' && WHERE[where][1] !== 'yes',
  ...abilities,
});

/** The actions as one line, the filled one with a star. */
const actionLine = (error: ClassifiedError, where: Where, abilities?: Partial<ActionAbilities>) => {
  const { actions, primary } = failureActions(error, situationAt(where), can(where, abilities));
  return actions.map((action) => (action === primary ? `${action}*` : action)).join(' ');
};

const rowLine = (error: ClassifiedError, where: Where): string => {
  const { severity, surface, draft, say } = failureRow(error, situationAt(where));
  return [severity, surface, actionLine(error, where), draft, say].join(' | ');
};

const SEVERITY = { n: 'notice', w: 'warning', b: 'blocking' } as const;
const SAY = { A: 'assertive', P: 'polite', '–': 'none' } as const;

/** One fact a line: subject, where it failed, severity, surface, actions in order (`*` is filled), draft, announcement. */
const facts = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(
      ([
        subject = '',
        where = '',
        severity = '',
        surface = '',
        actions = '',
        draft = '',
        say = '',
      ]) => ({
        subject,
        where: where as Where,
        expected: [
          SEVERITY[severity as keyof typeof SEVERITY],
          surface,
          actions,
          draft,
          SAY[say as keyof typeof SAY],
        ].join(' | '),
      }),
    );

const CODE_FACTS = facts(`
provider_overloaded                       | send, not written | w | banner | send-again* take-back        | yes       | A
provider_overloaded                       | send, not known   | w | banner | send-again* stop-waiting     | check     | A
provider_overloaded                       | reply             | w | reply  | new-reply* dismiss           | no        | A
provider_overloaded                       | load              | w | banner | reload* start-new            | untouched | A
provider_overloaded                       | read              | w | banner | reload* start-new            | untouched | A
provider_overloaded                       | answer            | w | call   | answer-again* dismiss        | values    | A
provider_overloaded                       | regenerate        | w | reply  | new-reply* dismiss           | no        | A
provider_rate_limited                     | send, not written | w | banner | send-again* take-back        | yes       | A
provider_rate_limited                     | reply             | w | reply  | new-reply* dismiss           | no        | A
provider_auth_error                       | send, not written | b | banner | copy-ref* take-back          | yes       | A
provider_auth_error                       | reply             | b | reply  | copy-ref* dismiss            | no        | A
provider_content_filtered                 | reply             | w | reply  | edit* dismiss                | no        | A
provider_refused                          | reply             | w | reply  | edit* dismiss                | no        | A
provider_timeout                          | reply             | w | reply  | new-reply* dismiss           | no        | A
provider_invalid_request                  | reply             | b | reply  | start-new* edit              | no        | A
provider_invalid_request                  | send, not written | b | banner | start-new* edit take-back | yes       | A
provider_error                            | reply             | w | reply  | new-reply* dismiss           | no        | A
provider_unreachable                      | reply             | w | reply  | new-reply copy-ref           | no        | A
provider_unreachable                      | send, not known   | w | banner | send-again copy-ref take-back | check     | A
tool_input_invalid                        | reply             | n | reply  | new-reply* dismiss           | no        | A
tool_execution_failed                     | reply             | w | reply  | new-reply* dismiss           | no        | A
tool_not_found                            | reply             | w | reply  | new-reply* copy-ref          | no        | A
tool_timeout                              | reply             | w | reply  | new-reply* dismiss           | no        | A
state_concurrency_conflict                | send, not written | w | banner | send-again* take-back        | check     | A
state_concurrency_conflict                | reply             | w | reply  | new-reply* dismiss           | no        | A
state_session_not_found                   | send, not written | b | banner | start-new* take-back         | yes       | A
state_session_not_found                   | load              | b | banner | start-new*                   | untouched | A
state_already_running                     | send, not written | n | banner | stop-send* take-back         | held      | P
state_already_running                     | regenerate        | n | banner | stop-send*                   | no        | P
state_not_resumable                       | answer            | w | reply  | answer-again* dismiss        | values    | A
state_not_resumable                       | reply             | w | reply  | reload* dismiss              | no        | A
state_history_incomplete                  | read              | w | banner | reload* start-new            | untouched | A
state_checkpoint_not_found                | send, not written | w | banner | reload* start-new take-back  | yes       | A
state_checkpoint_foreign                  | send, not written | w | banner | reload* start-new take-back  | yes       | A
state_checkpoint_sequence_unavailable     | send, not written | w | banner | send-again* take-back        | yes       | A
state_run_start_conflict                  | send, not written | w | banner | send-again take-back         | yes       | A
state_run_superseded                      | answer            | n | reply  | dismiss                      | values    | P
state_step_messages_uncommitted           | reply             | w | reply  | reload* copy-ref             | no        | A
state_agent_type_mismatch                 | send, not written | b | banner | start-new* take-back         | yes       | A
transport_error                           | send, not known   | w | banner | send-again* stop-waiting     | check     | A
transport_error                           | reply             | w | reply  | new-reply* dismiss           | no        | A
transport_stream_drop                     | reply             | w | reply  | reload* new-reply            | no        | A
transport_remote_agent_failed             | reply             | w | reply  | edit* copy-ref               | no        | A
validation_error                          | send, not written | w | banner | edit* remove-file take-back | yes       | A
framework_internal_error                  | send, not known   | w | banner | send-again* copy-ref take-back | check     | A
framework_internal_error                  | reply             | w | reply  | new-reply* copy-ref          | no        | A
framework_not_supported                   | reply             | b | reply  | copy-ref* dismiss            | no        | A
framework_not_supported                   | send, not written | b | banner | copy-ref* take-back          | yes       | A
framework_companion_not_supported         | reply             | b | reply  | copy-ref* dismiss            | no        | A
framework_cancelled                       | reply             | n | reply  | new-reply* dismiss           | no        | P
framework_max_steps_exhausted             | reply             | w | reply  | continue* dismiss            | no        | A
framework_completion_strategy_unavailable | send, not written | b | banner | copy-ref* take-back          | yes       | A
framework_completion_schema_unsupported   | send, not written | b | banner | copy-ref* take-back          | yes       | A
framework_prompt_prefix_changed           | reply             | b | reply  | start-new* dismiss           | no        | A
framework_prompt_prefix_changed           | send, not written | b | banner | start-new* take-back         | yes       | A
framework_agent_not_found                 | reply             | b | reply  | start-new* copy-ref          | no        | A
framework_agent_resolution_failed         | send, not written | w | banner | send-again* take-back        | yes       | A
framework_agent_name_conflict             | reply             | b | reply  | copy-ref* dismiss            | no        | A
framework_auto_resume_exhausted           | reply             | w | reply  | continue* copy-ref           | no        | A
framework_usage_store_unavailable         | send, not written | w | banner | send-again* take-back        | yes       | A
framework_hook_failed                     | send, not written | w | banner | send-again* take-back        | yes       | A
framework_skills_unavailable              | send, not written | w | banner | send-again* take-back        | yes       | A
framework_forced_completion_exhausted     | reply             | w | reply  | new-reply* edit              | no        | A
framework_completion_protocol_violation   | reply             | w | reply  | new-reply* edit              | no        | A
framework_completion_invalid_output       | reply             | w | reply  | new-reply* edit              | no        | A
framework_completion_tool_missing         | reply             | w | reply  | new-reply* copy-ref          | no        | A
`);

const SITUATION_FACTS = facts(`
offline             | send, not known   | n | status | try-now* take-back           | check     | P
timeout connect     | send, not known   | w | banner | send-again* stop-waiting     | check     | A
timeout idle        | reply             | w | reply  | reload* new-reply            | no        | A
timeout total       | reply             | w | reply  | reload* new-reply            | no        | A
timeout total       | send, not known   | w | banner | reload* send-again take-back | check     | A
silent              | reply             | w | reply  | reload* new-reply            | no        | A
empty-reply         | reply             | w | reply  | new-reply* edit              | no        | A
cut                 | reply             | w | reply  | reload* new-reply            | no        | P
finish-error        | reply             | n | reply  | new-reply* dismiss           | no        | P
filtered            | reply             | n | reply  | edit* dismiss                | no        | P
length              | reply             | n | reply  | continue* dismiss            | no        | P
rate-limit          | send, not written | w | banner | send-again* take-back        | yes       | A
quota               | send, not written | b | banner | plan* take-back              | yes       | A
quota               | reply             | b | reply  | plan* dismiss                | no        | A
signed-out          | send, not written | b | banner | sign-in* take-back           | yes       | A
signed-out          | load              | b | banner | sign-in*                     | untouched | A
forbidden           | send, not written | b | banner | start-new* sign-in take-back | yes       | A
not-found           | send, not written | b | banner | start-new* copy-ref take-back | yes      | A
unexpected-response | send, not known   | w | banner | send-again* sign-in take-back | check     | A
too-large           | send, not written | w | banner | remove-file* edit take-back  | yes       | A
file                | send, not written | w | banner | remove-file* take-back       | yes       | A
too-long            | reply             | b | reply  | start-new* edit              | no        | A
patience            | send, not written | w | banner | send-again* stop-send take-back | yes       | A
re-anchor-limit     | reply             | w | reply  | reload* dismiss              | no        | A
run_not_live        | reply             | w | reply  | reload* new-reply            | no        | A
answer-rejected     | answer            | w | reply  | answer-again* dismiss        | values    | A
store_error         | read              | w | banner | reload* start-new            | untouched | A
snapshot_unstable   | read              | w | banner | reload* start-new            | untouched | A
corrupt_row         | read              | b | banner | copy-ref* start-new          | untouched | A
short_read          | read              | b | banner | copy-ref* start-new          | untouched | A
`);

const CATEGORY_FACTS = facts(`
provider_of_tomorrow   | reply             | w | reply  | new-reply* dismiss       | no    | A
tool_of_tomorrow       | reply             | w | reply  | new-reply* dismiss       | no    | A
state_of_tomorrow      | send, not known   | w | banner | reload* stop-waiting     | check | A
transport_of_tomorrow  | send, not known   | w | banner | send-again* stop-waiting | check | A
validation_of_tomorrow | send, not written | w | banner | edit* take-back          | yes   | A
framework_of_tomorrow  | reply             | w | reply  | new-reply* copy-ref      | no    | A
acme_of_tomorrow       | reply             | w | reply  | new-reply* copy-ref      | no    | A
`);

/** Rows whose end is not a failure. */
const QUIET: readonly { error: ClassifiedError; where: Where; surface: string; say: string }[] = [
  { error: coded('state_commit_stopped'), where: 'reply', surface: 'none', say: 'none' },
  { error: coded('state_not_stoppable'), where: 'stop', surface: 'status', say: 'polite' },
  { error: coded('state_run_superseded'), where: 'reply', surface: 'none', say: 'polite' },
  {
    error: coded('state_request_already_completed'),
    where: 'send, taken',
    surface: 'none',
    say: 'none',
  },
  {
    error: coded('state_request_key_conflict'),
    where: 'send, taken',
    surface: 'none',
    say: 'none',
  },
  { error: coded('framework_cancelled'), where: 'stop', surface: 'none', say: 'none' },
  {
    error: reasoned('deferred', { retryable: false }),
    where: 'send, taken',
    surface: 'status',
    say: 'polite',
  },
];

const ofSituation = (subject: string): ClassifiedError => {
  const [reason = '', layer] = subject.split(' ');
  return reasoned(reason, layer ? { layer: layer as 'connect' | 'idle' | 'total' } : {});
};

describe('each row of the table', () => {
  it.each(CODE_FACTS)('$subject, $where', ({ subject, where, expected }) => {
    expect(rowLine(coded(subject), where)).toBe(expected);
  });

  it.each(SITUATION_FACTS)('$subject, $where', ({ subject, where, expected }) => {
    expect(rowLine(ofSituation(subject), where)).toBe(expected);
  });

  it.each(CATEGORY_FACTS)('unknown code $subject, $where', ({ subject, where, expected }) => {
    expect(rowLine(coded(subject), where)).toBe(expected);
  });

  it.each(QUIET)(
    '$error.code $error.reason makes no failure, $where',
    ({ error, where, surface, say }) => {
      expect(failureRow(error, situationAt(where))).toMatchObject({
        makesFailure: false,
        surface,
        say,
      });
    },
  );

  it('is shown for every code and every situation', () => {
    const shown = new Set([
      ...CODE_FACTS.map(({ subject }) => subject),
      ...QUIET.map(({ error }) => error.code),
    ]);
    expect(Object.keys(CODES).filter((code) => !shown.has(code))).toEqual([]);
    expect(Object.keys(CODE_ROWS).sort()).toEqual(Object.keys(CODES).sort());
    const situations = new Set([
      ...SITUATION_FACTS.map(({ subject }) => subject.replace(' ', '-')),
      ...['deferred', 'rate-limit-wait', 'phase-stop', 'copy-failed', 'crash'],
    ]);
    expect(Object.keys(SITUATION_ROWS).filter((name) => !situations.has(name))).toEqual([]);
  });

  it('makes a failure of every row that is shown', () => {
    for (const { subject, where } of [...CODE_FACTS, ...CATEGORY_FACTS]) {
      expect(failureRow(coded(subject), situationAt(where)).makesFailure, subject).toBe(true);
    }
    for (const { subject, where } of SITUATION_FACTS) {
      expect(failureRow(ofSituation(subject), situationAt(where)).makesFailure, subject).toBe(true);
    }
  });

  it('says who can help', () => {
    const fixOf = (error: ClassifiedError) => failureRow(error, situationAt('reply')).fix;
    expect(fixOf(coded('provider_overloaded'))).toBe('wait');
    expect(fixOf(coded('provider_auth_error'))).toBe('owner');
    expect(fixOf(coded('provider_refused'))).toBe('person');
    expect(fixOf(coded('tool_input_invalid'))).toBe('nobody');
    expect(fixOf(reasoned('quota'))).toBe('person-or-owner');
    expect(fixOf(coded('framework_completion_tool_missing'))).toBe('owner');
    expect(fixOf(reasoned('corrupt_row'))).toBe('owner');
    expect(fixOf(reasoned('store_error'))).toBe('wait');
  });
});

describe('rows that depend on more than phase and flag', () => {
  it('a failed stop is a toast whatever refused it', () => {
    for (const error of [
      coded('transport_error', { reason: 'network' }),
      coded('provider_overloaded'),
      reasoned('timeout', { layer: 'connect' }),
    ]) {
      expect(rowLine(error, 'stop')).toBe('notice | toast | stop-again* dismiss | no | assertive');
    }
  });

  it('a stop refused for want of a sign-in asks for the sign-in', () => {
    expect(rowLine(reasoned('signed-out'), 'stop')).toBe(
      'blocking | banner | sign-in* | no | assertive',
    );
  });

  it('a stated limit is told politely, over a minute assertively', () => {
    const limit = (retryAfterMs: number) =>
      reasoned('rate-limit', { retryAfterMs, retryable: true });
    expect(rowLine(limit(60_000), 'send, not written')).toBe(
      'warning | banner | send-again* take-back | held | polite',
    );
    expect(rowLine(limit(60_001), 'send, not written')).toBe(
      'warning | banner | send-again* take-back | held | assertive',
    );
    expect(failureRow(limit(0), situationAt('send, not written')).key).toEqual({
      by: 'situation',
      name: 'rate-limit',
    });
  });

  it('a rate limit that no repeat lifts is a used-up allowance', () => {
    expect(rowLine(coded('provider_rate_limited', { retryable: false }), 'reply')).toBe(
      'blocking | reply | plan* dismiss | no | assertive',
    );
  });

  it('unless its reason says that time lifts it', () => {
    const passing = coded('provider_rate_limited', { retryable: false, reason: 'rate-limit' });
    expect(rowLine(passing, 'reply')).toBe(
      rowLine(coded('provider_rate_limited', { retryable: true }), 'reply').replace(
        'new-reply*',
        'new-reply',
      ),
    );
  });

  it('a hook that failed for good is the owner’s', () => {
    expect(rowLine(coded('framework_hook_failed', { retryable: false }), 'send, not written')).toBe(
      'warning | banner | copy-ref* take-back | yes | assertive',
    );
  });

  it('a history that cannot be read for good is the owner’s, with or without its cause', () => {
    expect(rowLine(coded('state_history_incomplete', { retryable: false }), 'load')).toBe(
      'blocking | banner | copy-ref* start-new | untouched | assertive',
    );
    expect(
      rowLine(
        coded('state_history_incomplete', { retryable: false, reason: 'short_read' }),
        'load',
      ),
    ).toBe('blocking | banner | copy-ref* start-new | untouched | assertive');
  });

  it.each(['state_request_key_conflict', 'state_request_already_completed'] as const)(
    'a repair of %s that found nothing leaves the message to be sent again',
    (code) => {
      for (const where of ['send, not written', 'send, not known'] as const) {
        expect(failureRow(coded(code), situationAt(where))).toMatchObject({
          makesFailure: true,
          key: { by: 'code', name: 'state_run_start_conflict' },
        });
        expect(actionLine(coded(code), where)).toBe('send-again take-back');
      }
    },
  );
});

describe('look-up', () => {
  const keyOf = (error: ClassifiedError) => failureRow(error, situationAt('reply')).key;

  it('takes the reason before the code, the code before the category, the category before nothing', () => {
    expect(keyOf(coded('provider_error', { reason: 'length' }))).toEqual({
      by: 'situation',
      name: 'length',
    });
    expect(keyOf(coded('provider_error', { reason: 'network' }))).toEqual({
      by: 'code',
      name: 'provider_error',
    });
    expect(keyOf(coded('provider_drained'))).toEqual({ by: 'category', name: 'provider' });
    expect(keyOf({ category: 'unknown' })).toEqual({ by: 'unclassified' });
  });

  it('reads a layer without a reason as a time-out', () => {
    expect(keyOf(coded('transport_error', { layer: 'connect' }))).toEqual({
      by: 'situation',
      name: 'timeout-connect',
    });
  });

  it('tells the layers of a time-out apart, and falls back to the code without one', () => {
    expect(keyOf(coded('transport_error', { reason: 'timeout', layer: 'total' }))).toEqual({
      by: 'situation',
      name: 'timeout-total',
    });
    expect(keyOf(coded('transport_error', { reason: 'timeout' }))).toEqual({
      by: 'code',
      name: 'transport_error',
    });
  });

  it.each([
    '__proto__',
    'constructor',
    'toString',
    'crash',
    'phase-stop',
    'copy-failed',
    'timeout-idle',
  ])('is not misled by the word %s from the wire', (word) => {
    expect(keyOf({ category: 'unknown', code: word, reason: word })).toEqual({
      by: 'unclassified',
    });
    expect(keyOf({ category: word as 'unknown' })).toEqual({ by: 'unclassified' });
  });
});

describe('what the flag allows', () => {
  it('puts a repeat that the server advises against last, and fills nothing', () => {
    expect(actionLine(coded('provider_error', { retryable: false }), 'send, not written')).toBe(
      'take-back send-again',
    );
    expect(actionLine(coded('provider_error', { retryable: false }), 'reply')).toBe(
      'new-reply dismiss',
    );
    expect(actionLine(coded('framework_internal_error', { retryable: false }), 'reply')).toBe(
      'copy-ref new-reply',
    );
    expect(actionLine(coded('transport_error', { retryable: false }), 'load')).toBe(
      'start-new reload',
    );
  });

  it('fills nothing beside such a repeat either', () => {
    expect(actionLine(coded('transport_stream_drop', { retryable: false }), 'reply')).toBe(
      'reload new-reply',
    );
  });

  it('drops such a repeat where only the person or the owner can help', () => {
    expect(actionLine(coded('tool_not_found', { retryable: false }), 'reply')).toBe('copy-ref');
    expect(
      actionLine(coded('framework_forced_completion_exhausted', { retryable: false }), 'reply'),
    ).toBe('edit');
    expect(
      actionLine(coded('tool_not_found', { retryable: false }), 'reply', { reference: false }),
    ).toBe('dismiss');
  });

  it('lets a failed run be gone on with beside a new reply, where one may be written at all', () => {
    const failedRun = { failedRun: true, continue: true };
    expect(actionLine(coded('provider_overloaded'), 'reply', failedRun)).toBe(
      'new-reply* continue dismiss',
    );
    expect(actionLine(coded('framework_max_steps_exhausted'), 'reply', failedRun)).toBe(
      'continue* dismiss',
    );
    expect(actionLine(coded('tool_not_found', { retryable: false }), 'reply', failedRun)).toBe(
      'copy-ref',
    );
    expect(
      actionLine(coded('provider_overloaded'), 'reply', { failedRun: true, continue: false }),
    ).toBe('new-reply* dismiss');
  });

  it('keeps a repeat in its place where the flag misleads, still unfilled', () => {
    expect(actionLine(coded('provider_unreachable'), 'send, not written')).toBe(
      'send-again copy-ref take-back',
    );
    expect(actionLine(coded('state_run_start_conflict'), 'send, not written')).toBe(
      'send-again take-back',
    );
    expect(actionLine(coded('framework_max_steps_exhausted'), 'reply', { continue: false })).toBe(
      'new-reply dismiss',
    );
  });

  it('leaves other actions alone', () => {
    expect(actionLine(coded('transport_remote_agent_failed', { retryable: false }), 'reply')).toBe(
      'edit* copy-ref',
    );
    expect(actionLine(reasoned('re-anchor-limit', { retryable: false }), 'reply')).toBe(
      'reload* dismiss',
    );
    expect(actionLine(coded('framework_max_steps_exhausted'), 'reply')).toBe('continue* dismiss');
  });

  it('an unknown flag is no advice against', () => {
    expect(actionLine({ category: 'unknown' }, 'send, not known')).toBe(
      'send-again* copy-ref take-back',
    );
  });
});

describe('what the chat allows', () => {
  const unclear = coded('transport_error', { reason: 'network' });

  it('repeats with a key, else checks where a read is possible and failed before, else sends again', () => {
    expect(actionLine(unclear, 'send, not known', { keyed: true, checkFirst: true })).toBe(
      'send-again* stop-waiting',
    );
    expect(actionLine(unclear, 'send, not known', { keyed: false, checkFirst: true })).toBe(
      'check* stop-waiting',
    );
    expect(actionLine(unclear, 'send, not known', { keyed: false, checkFirst: false })).toBe(
      'send-again* stop-waiting',
    );
    expect(
      actionLine(unclear, 'send, not known', { keyed: false, checkFirst: true, snapshot: false }),
    ).toBe('send-again* stop-waiting');
  });

  it('checks after an answer that is no reply, where a read is possible', () => {
    expect(
      actionLine(reasoned('unexpected-response'), 'send, not known', { checkFirst: true }),
    ).toBe('check* sign-in take-back');
    expect(actionLine(reasoned('unexpected-response'), 'regenerate', { checkFirst: true })).toBe(
      'new-reply* sign-in',
    );
    expect(actionLine(reasoned('unexpected-response'), 'load', { checkFirst: true })).toBe(
      'reload* sign-in',
    );
  });

  it('does not offer to end or hurry tries that are not under way', () => {
    expect(actionLine(unclear, 'send, not known', { waiting: false })).toBe(
      'send-again* take-back',
    );
    expect(actionLine(unclear, 'send, not known', { waiting: false, draft: false })).toBe(
      'send-again*',
    );
    expect(actionLine(reasoned('offline'), 'send, not written', { waiting: false })).toBe(
      'send-again* take-back',
    );
  });

  it('reads only where there is something to read from', () => {
    expect(actionLine(reasoned('cut'), 'reply', { snapshot: false })).toBe('new-reply');
    expect(actionLine(coded('state_not_resumable'), 'reply', { snapshot: false })).toBe('dismiss');
    expect(actionLine(coded('provider_error'), 'load', { snapshot: false })).toBe('start-new');
  });

  it('goes on where the backend can, else starts the reply anew', () => {
    expect(actionLine(coded('framework_auto_resume_exhausted'), 'reply', { continue: false })).toBe(
      'new-reply* copy-ref',
    );
    expect(actionLine(reasoned('length'), 'reply', { continue: false })).toBe('dismiss');
  });

  it('stops only what can be stopped', () => {
    expect(
      actionLine(coded('state_already_running'), 'send, not written', { hostStop: false }),
    ).toBe('take-back');
    expect(actionLine(coded('state_already_running'), 'answer')).toBe('answer-again*');
  });

  it('offers both where only the app knows whether it can draw the first', () => {
    expect(actionLine(reasoned('too-large'), 'send, not written', { draft: false })).toBe(
      'remove-file* send-again',
    );
  });

  it('a message that is not in the conversation can be taken back, after the row’s own actions', () => {
    const untyped: ClassifiedError = { category: 'unknown' };
    for (const where of ['send, not written', 'send, not known'] as const) {
      expect(actionLine(untyped, where, { reference: false })).toBe('send-again* take-back');
      expect(actionLine(untyped, where, { draft: false })).toBe('send-again* copy-ref');
      expect(actionLine(untyped, where, { pending: false })).toBe('send-again* copy-ref');
    }
    expect(actionLine(coded('validation_error'), 'send, not known')).toBe(
      'edit* remove-file take-back',
    );
    expect(actionLine(untyped, 'send, taken')).not.toContain('take-back');
  });

  it('what was certainly not written can be sent again or taken back', () => {
    expect(actionLine(reasoned('not-found', { retryable: false }), 'send, not written')).toBe(
      'start-new* copy-ref take-back',
    );
    expect(
      actionLine(reasoned('not-found', { retryable: false }), 'send, not written', {
        draft: false,
      }),
    ).toBe('start-new* copy-ref send-again');
    expect(actionLine(coded('provider_auth_error'), 'send, not written', { draft: false })).toBe(
      'copy-ref* send-again',
    );
    expect(actionLine(coded('tool_not_found', { retryable: false }), 'send, not written')).toBe(
      'copy-ref take-back',
    );
  });

  it('a message that may not be on the server has no reply to stand at', () => {
    expect(failureRow(coded('tool_timeout'), situationAt('send, not known')).surface).toBe(
      'banner',
    );
    expect(actionLine(coded('tool_timeout'), 'send, not known')).toBe(
      'send-again* take-back dismiss',
    );
  });

  it('a reply that a read shows as failed can be had anew', () => {
    expect(actionLine(coded('tool_timeout'), 'load')).toBe('new-reply* dismiss');
    expect(failureRow(coded('tool_timeout'), situationAt('load')).surface).toBe('reply');
  });

  it('finds a support reference only in what looks like one', () => {
    expect(supportReference({ requestId: 'iad1::abc-123', runId: 'run_1' })).toBe('iad1::abc-123');
    expect(supportReference({ requestId: 'see <b>here</b>', runId: 'run_1' })).toBe('run_1');
    expect(supportReference({})).toBeUndefined();
  });
});

const REPEATS: readonly FailureAction[] = ['send-again', 'new-reply'];
const arbitraryAbilities: fc.Arbitrary<ActionAbilities> = fc.record(
  {
    snapshot: fc.boolean(),
    checkFirst: fc.boolean(),
    keyed: fc.boolean(),
    draft: fc.boolean(),
    pending: fc.boolean(),
    reference: fc.boolean(),
    continue: fc.boolean(),
    hostStop: fc.boolean(),
    waiting: fc.boolean(),
  },
  {
    requiredKeys: ['snapshot', 'checkFirst', 'keyed', 'draft', 'pending', 'reference', 'continue'],
  },
);
const arbitraryError: fc.Arbitrary<ClassifiedError> = fc
  .record({
    code: fc.option(fc.oneof(fc.constantFrom(...Object.keys(CODES)), fc.string()), {
      nil: undefined,
    }),
    reason: fc.option(
      fc.oneof(fc.constantFrom(...Object.keys(SITUATION_ROWS), 'timeout'), fc.string()),
      { nil: undefined },
    ),
    retryable: fc.constantFrom(true, false, undefined),
    layer: fc.constantFrom('connect' as const, 'idle' as const, 'total' as const, undefined),
    retryAfterMs: fc.option(fc.integer({ min: -1, max: 200_000 }), { nil: undefined }),
  })
  .map((error) => ({ ...error, category: categoryOf(error.code) }));
const arbitrarySituation = fc.record({
  phase: fc.constantFrom<Phase>(
    'load',
    'send',
    'regenerate',
    'edit',
    'stream',
    'snapshot',
    'submit',
    'stop',
  ),
  committed: fc.constantFrom<Committed>('no', 'yes', 'unknown'),
});

describe('whatever fails, wherever, with whatever is possible', () => {
  it('the actions are few, possible, and never mislead', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(
        arbitraryError,
        arbitrarySituation,
        arbitraryAbilities,
        (error, situation, abilities) => {
          const { actions, primary } = failureActions(error, situation, abilities);
          const row = failureRow(error, situation);
          const lists = (...wanted: FailureAction[]) =>
            wanted.some((action) => actions.includes(action));

          expect(actions.length).toBeGreaterThan(0);
          expect(new Set(actions).size).toBe(actions.length);
          if (primary !== undefined) expect(actions).toContain(primary);
          expect(primary).not.toBe('dismiss');
          if (!abilities.draft) expect(lists('edit', 'take-back')).toBe(false);
          if (!abilities.pending) expect(lists('take-back')).toBe(false);
          if (!abilities.snapshot) expect(lists('reload', 'check')).toBe(false);
          if (!abilities.reference) expect(lists('copy-ref')).toBe(false);
          if (!abilities.continue) expect(lists('continue')).toBe(false);
          if (abilities.hostStop === false) expect(lists('stop-send', 'stop-again')).toBe(false);
          if (abilities.waiting === false) expect(lists('stop-waiting', 'try-now')).toBe(false);
          // A message that the server holds is never sent a second time.
          if (situation.committed === 'yes' || situation.phase !== 'send')
            expect(lists('send-again')).toBe(false);
          if (situation.committed === 'yes')
            expect(['no', 'untouched', 'values']).toContain(row.draft);
          if (error.retryable === false && primary !== undefined)
            expect(REPEATS).not.toContain(primary);
          if (situation.phase === 'send' && situation.committed === 'no' && row.makesFailure) {
            expect(lists('send-again', 'take-back', 'edit', 'stop-send')).toBe(true);
          }
          if (
            ['send', 'edit'].includes(situation.phase) &&
            situation.committed !== 'yes' &&
            row.makesFailure &&
            abilities.draft &&
            abilities.pending
          ) {
            expect(lists('take-back', 'stop-waiting')).toBe(true);
          }
          if (lists('dismiss')) expect(actions.at(-1)).toBe('dismiss');
          if (situation.phase === 'send' && situation.committed !== 'yes') {
            expect(row.surface).not.toBe('reply');
            expect(lists('new-reply', 'reload') && !abilities.snapshot).toBe(false);
          }
        },
      ),
      { numRuns: runs(20_000) },
    );
  });

  it('nothing possible still leaves a way to put the sentence away', () => {
    for (const code of Object.keys(CODES) as ErrorCode[]) {
      const { actions } = failureActions(
        coded(code, { retryable: false }),
        situationAt('reply'),
        nothing,
      );
      expect(actions.length, code).toBeGreaterThan(0);
    }
  });
});
