import type { Committed, Phase, Severity } from '../errors/failure.ts';
import type { HelixError } from '../errors/HelixError.ts';
import { redact } from '../errors/redact.ts';
import { isReason, type Reason } from '../protocol/reasons.ts';
import type { Move } from './policy.ts';
import type { HoldCause } from './ports.ts';
import type { BackoffCause, ResyncCause } from './state.ts';

/** What a refusal or a failure is known by. No text of a server is among it: a code that does not look like one is left out. */
export interface Evidence {
  readonly code?: string;
  readonly reason?: Reason;
  /** The HTTP status, where there was an answer. */
  readonly status?: number;
}

/** What recovery has done or met. Every kind has its own fields. `attempt` counts from 1; `ms` is how long something took, or will take. */
export type RecoveryFact =
  /** A request of an act went out: the first one, or a repeat. */
  | { readonly type: 'sent'; readonly phase: Phase; readonly attempt: number }
  /** A request was in vain: of an act, of a read (`load`, `snapshot`), of a join (`stream`), or of a stop (`stop`). */
  | ({
      readonly type: 'request-refused';
      readonly phase: Phase;
      readonly attempt: number;
      readonly ms: number;
    } & Evidence)
  /** The next automatic try waits for `ms`. */
  | ({
      readonly type: 'backing-off';
      readonly phase: Phase;
      readonly attempt: number;
      readonly cause: BackoffCause;
      readonly ms: number;
    } & Evidence)
  /** The app was asked to renew its sign-in. */
  | { readonly type: 'sign-in-asked'; readonly phase: Phase }
  /** `Policy.allow` has forbidden a move. */
  | { readonly type: 'move-forbidden'; readonly move: Move; readonly phase: Phase }
  /** A message is kept instead of being sent. */
  | { readonly type: 'held'; readonly cause: HoldCause }
  /** The answer to an act has begun, after `ms`. */
  | {
      readonly type: 'reply-started';
      readonly phase: Phase;
      readonly attempt: number;
      readonly ms: number;
    }
  /** A live run's stream was joined. `own`: it answers a message of this chat object. */
  | { readonly type: 'attached'; readonly own: boolean; readonly ms: number }
  /** The stream broke off, for the `attempt`-th time in this turn. */
  | ({ readonly type: 'cut'; readonly attempt: number } & Evidence)
  /** The stream goes on where it broke off. */
  | { readonly type: 'spliced'; readonly attempt: number; readonly ms: number }
  /** What the reply has said so far is void: it is read anew. `trigger`: the name of the part that said so. */
  | { readonly type: 're-anchored'; readonly trigger: string; readonly attempt: number }
  /** The server's transcript was read. `run`: what it says of the last run. */
  | {
      readonly type: 'conversation-read';
      readonly cause: ResyncCause;
      readonly run: 'active' | 'paused' | 'ended' | 'failed';
      readonly ms: number;
    }
  /** A message that an earlier page left behind is pending again. */
  | { readonly type: 'restored'; readonly phase: Phase }
  /** Another tab has a message that was about to go out: it did not. */
  | { readonly type: 'taken-elsewhere'; readonly phase: Phase }
  | { readonly type: 'taken-back' }
  /** The person stopped what was under way. */
  | { readonly type: 'stopped' }
  /** Trouble that began `ms` ago is over. */
  | { readonly type: 'recovered'; readonly ms: number }
  /** A failure was told to the app. `attempts`: requests of its act. */
  | ({
      readonly type: 'failed';
      readonly phase: Phase;
      readonly severity: Severity;
      readonly committed: Committed;
      readonly attempts: number;
    } & Evidence);

/** A fact with its time, for logs and telemetry: `onEvent` gets it. It holds no text of a message, a server or a provider. */
export type RecoveryReport = RecoveryFact & {
  /** Wall-clock ms. */
  readonly at: number;
};

const CODE = /^[\w.:-]{1,64}$/;

/** What may be told of an error. `status` stands in where the error has none. */
export function evidenceOf(error: HelixError | undefined, status?: number): Evidence {
  const { code, reason, statusCode = status } = error ?? {};
  return {
    ...(code !== undefined && CODE.test(code) && redact(code) === code ? { code } : {}),
    ...(isReason(reason) ? { reason } : {}),
    ...(statusCode === undefined ? {} : { status: statusCode }),
  };
}
