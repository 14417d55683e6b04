import type { Committed } from '../errors/failure.ts';
import type { HelixError } from '../errors/HelixError.ts';
import { isOutOfTime } from '../errors/isOutOfTime.ts';
import type { Refusal, Trigger, TurnEnd } from '../transport/turnHost.ts';
import { type Env, usable } from './draft.ts';
import type { Model, Turn } from './model.ts';
import type { ChatMessage } from './ports.ts';

/** What to do about a refused request. `spend` marks a once-only repair as used. */
export type Verdict =
  | {
      readonly do: 'repeat';
      readonly wait: 'backoff' | 'none';
      readonly newKey?: boolean;
      readonly spend?: string;
    }
  | {
      readonly do: 'read';
      readonly absent: 'fail' | 'repeat' | 'repeat-new-key';
      readonly spend?: string;
    }
  | { readonly do: 'hold' }
  | { readonly do: 'authorize' }
  | { readonly do: 'defer' }
  | { readonly do: 'fail'; readonly committed: Committed; readonly newKey?: boolean };

const fail = (committed: Committed, newKey = false): Verdict => ({ do: 'fail', committed, newKey });

const BUSY = [408, 425, 429, 503];
const GATEWAY = [502, 504];

const spentTimes = (turn: Turn, name: string): number =>
  turn.spent.filter((spent) => spent === name).length;

/** No answer, or one that proves nothing: with a key the request is repeated, else the conversation is read. */
function unanswered(turn: Turn, env: Env): Verdict {
  if (env.keyed && turn.tries <= env.policy.repeats) return { do: 'repeat', wait: 'backoff' };
  if (usable(env.routes.snapshot)) return { do: 'read', absent: 'fail' };
  return fail('unknown');
}

function conflict(turn: Turn, error: HelixError, env: Env): Verdict {
  const reads = usable(env.routes.snapshot);
  switch (error.code) {
    case 'state_already_running':
      return { do: 'hold' };
    case 'state_run_start_conflict':
      if (error.reason === 'request_key_taken' && spentTimes(turn, 'key-taken') === 0) {
        return { do: 'repeat', wait: 'none', spend: 'key-taken' };
      }
      if (error.reason === 'entry_status_changed' || error.reason === 'entry_abandoned') {
        if (reads && spentTimes(turn, 'entry') === 0) {
          return { do: 'read', absent: 'repeat', spend: 'entry' };
        }
        return fail('no');
      }
      return fail('no', true);
    case 'state_request_key_conflict':
      if (!reads) return fail('unknown', true);
      return spentTimes(turn, 'key-conflict') === 0
        ? { do: 'read', absent: 'repeat-new-key', spend: 'key-conflict' }
        : { do: 'read', absent: 'fail' };
    case 'state_request_already_completed':
      return reads ? { do: 'read', absent: 'fail' } : fail('unknown', true);
    case 'state_concurrency_conflict':
      return reads && spentTimes(turn, 'concurrency') < 2
        ? { do: 'read', absent: 'repeat', spend: 'concurrency' }
        : fail('no');
    default:
      return unclearRefusal(turn, error, env);
  }
}

function unclearRefusal(turn: Turn, error: HelixError, env: Env): Verdict {
  if (!usable(env.routes.snapshot)) return fail('unknown');
  const again = error.shouldRetry === true && turn.tries <= env.policy.repeats;
  return { do: 'read', absent: again ? 'repeat' : 'fail' };
}

/** The table's rows for a refused act, by evidence; answers have their own. Pure: the same refusal and history give the same verdict. */
export function decideRefusal(turn: Turn, refusal: Refusal, env: Env): Verdict {
  const { status, error } = refusal;
  if (error === undefined) return fail('unknown');
  if (isOutOfTime(error)) {
    return usable(env.routes.snapshot) ? { do: 'read', absent: 'fail' } : fail('unknown');
  }
  if (status === undefined || GATEWAY.includes(status)) return unanswered(turn, env);
  if (status === 401 && env.canAuthorize && spentTimes(turn, 'authorize') === 0) {
    return { do: 'authorize' };
  }
  if (status >= 500 && error.reason === 'deferred' && turn.kind !== 'submit')
    return { do: 'defer' };
  if (turn.kind !== 'send') {
    // It was taken, and the conversation has moved on: that is read, not put back.
    const moved = error.code === 'state_request_already_completed';
    if (moved && usable(env.routes.snapshot)) {
      return { do: 'read', absent: 'fail' };
    }
    const unexpected = error.reason === 'unexpected-response' && status < 300;
    if (unexpected && usable(env.routes.snapshot)) {
      return { do: 'read', absent: 'fail' };
    }
    return fail(refusal.committed);
  }
  if (status < 300) {
    return usable(env.routes.snapshot) ? { do: 'read', absent: 'fail' } : fail('unknown');
  }
  if (BUSY.includes(status)) {
    const statedMs = error.retryAfterMs ?? 0;
    const may =
      error.retryable !== false &&
      turn.tries <= env.policy.repeats &&
      statedMs <= env.policy.statedWaitCapMs;
    return may ? { do: 'repeat', wait: 'backoff' } : fail('no');
  }
  if (status === 409) return conflict(turn, error, env);
  if (status < 500) return fail('no');
  return unclearRefusal(turn, error, env);
}

/**
 * Whether a route is only looked for: nothing says that it exists, or that the backend is one that could have it. A
 * look that fails is then no failure, and nothing is given up for it.
 */
export function isBareLook<M extends ChatMessage>(
  model: Model<M>,
  env: Env,
  route: 'stream' | 'snapshot' | 'stop',
): boolean {
  return env.routes[route] === 'open' && !env.keyed && model.run.id === undefined;
}

/** Triggers that say that what this step has said so far is void. */
const VOIDS_STEP = ['data-attempt-superseded', 'reset-step'];

/**
 * Whether a trigger ends the read now. One with an attempt id acts once; one without needs content since the last.
 * A read is left only for a conversation that is known to be there: else the stream is all there is, and what it takes
 * back is taken back here.
 */
export function decideTrigger<M extends ChatMessage>(
  model: Model<M>,
  trigger: Trigger,
  env: Env,
): 'leave' | 'ignore' | 'restart-step' {
  if (model.job.at !== 'streaming' && model.job.at !== 'reconnecting') return 'ignore';
  if (trigger.attemptId !== undefined && model.triggers.includes(trigger.attemptId))
    return 'ignore';
  if (trigger.attemptId === undefined && !trigger.content) return 'ignore';
  if (!VOIDS_STEP.includes(trigger.name)) return usable(env.routes.snapshot) ? 'leave' : 'ignore';
  return usable(env.routes.snapshot) && !isBareLook(model, env, 'snapshot')
    ? 'leave'
    : 'restart-step';
}

/** Finish reasons that say more than that nothing came. */
const NAMED_ENDS: readonly (string | undefined)[] = [
  'interrupted',
  'content-filter',
  'length',
  'error',
];

/** An act whose reply has begun before: nothing more to say is no empty reply. */
const goesOn = (turn: Turn | undefined): boolean =>
  turn?.kind === 'submit' || (turn?.kind === 'continue' && turn.targetId !== undefined);

/** Whether a reply that ends now is empty: a failure of our own turn, never after a stop or in a replay. */
export function isEmptyReply<M extends ChatMessage>(model: Model<M>, end: TurnEnd): boolean {
  return (
    model.own &&
    end.by === 'finish' &&
    !end.content &&
    !NAMED_ENDS.includes(end.finishReason) &&
    !goesOn(model.turn) &&
    model.job.at === 'streaming'
  );
}

/** Whether a snapshot read may be repeated after this failure, and how often. */
export function readRepeats(error: HelixError | undefined, env: Env): number {
  if (error === undefined) return env.policy.repeats;
  const status = error.statusCode;
  if (status === undefined || status === 429 || status === 408 || status === 503) {
    return error.code === 'state_history_incomplete' && error.retryable === false
      ? 0
      : env.policy.repeats;
  }
  return status >= 500 ? 2 : 0;
}

/** Whether a refusal of the stream route says that there is no live run to join, rather than that it cannot be joined now. */
export function isGone(status: number | undefined, error: HelixError | undefined): boolean {
  return (
    status === 404 ||
    status === 409 ||
    status === 410 ||
    (status === 503 && error?.reason === 'run_not_live')
  );
}
