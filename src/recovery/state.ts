import type { Failure, Phase } from '../errors/failure.ts';

/** Why a state waits before its next automatic try. */
export type BackoffCause = 'backoff' | 'stated-wait' | 'offline' | 'budget' | 'breaker';

/** Why the transcript is being read or joined again. */
export type ResyncCause =
  | 'load'
  | 'cut'
  | 'superseded'
  | 'unclear'
  | 'settle'
  | 'failed'
  | 'requested';

/** Where a chat stands. Each state has only the fields that mean something in it. Times are wall-clock ms. */
export type RecoveryState =
  | { readonly name: 'idle' }
  | {
      readonly name: 'sending';
      readonly since: number;
      readonly attempt: number;
      readonly slow?: boolean;
    }
  | {
      readonly name: 'streaming';
      readonly since: number;
      readonly own: boolean;
      readonly slow?: boolean;
    }
  | {
      readonly name: 'resyncing';
      readonly since: number;
      readonly cause: ResyncCause;
      /** A read is attached or a reply is on screen that it goes on with: `status` stays `streaming`. */
      readonly attached: boolean;
    }
  | {
      readonly name: 'waiting-on-run';
      readonly since: number;
      /** Another client's reply, our own, or a choice (`onConflict: 'ask'`) that the person has yet to make. */
      readonly cause: 'foreign-run' | 'own-run' | 'asked';
      readonly runId?: string;
      readonly attached: boolean;
      /** A stop of that run was asked for and has not ended it yet. */
      readonly stopping: boolean;
    }
  | {
      readonly name: 'backing-off';
      readonly since: number;
      readonly of: 'send' | 'read' | 'load';
      readonly cause: BackoffCause;
      readonly retryAt: number;
      /** The try that comes next, counted from 1, and how many there are at most. */
      readonly attempt: number;
      readonly attempts: number;
      readonly phase: Phase;
      /** What the last try failed with. */
      readonly failure: Failure;
    }
  | { readonly name: 'failed'; readonly failure: Failure };

/** The names of the seven states. */
export type RecoveryStateName = RecoveryState['name'];

/** The `status` that an app sees in a state, as `useChat` names them. */
export function chatStatusOf(state: RecoveryState): 'ready' | 'submitted' | 'streaming' | 'error' {
  switch (state.name) {
    case 'idle':
      return 'ready';
    case 'sending':
      return 'submitted';
    case 'streaming':
      return 'streaming';
    case 'resyncing':
      return state.cause === 'load' ? 'ready' : 'streaming';
    case 'waiting-on-run':
      return state.attached ? 'streaming' : 'submitted';
    case 'backing-off':
      if (state.of === 'load') return 'ready';
      return state.of === 'send' ? 'submitted' : 'streaming';
    case 'failed':
      return state.failure.severity === 'notice' ? 'ready' : 'error';
  }
}
