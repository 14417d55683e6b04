import { timeoutFailure } from '../errors/clientFailures.ts';
import { toHelixError } from '../errors/toHelixError.ts';
import type { Backend, StopAnswer } from '../transport/turnHost.ts';
import type { World } from '../world.ts';
import type { RecoveryEvent } from './events.ts';
import type { JobScope } from './jobScope.ts';
import type { Turn } from './model.ts';
import type { ResolvedPolicy } from './policy.ts';
import type { ChatMessage, StopMode } from './ports.ts';
import type { ReadResult } from './readResult.ts';
import type { Transcript } from './transcript.ts';

interface BackendCallsOptions<M extends ChatMessage> {
  readonly world: World;
  readonly policy: ResolvedPolicy;
  readonly transcript: Transcript<M>;
  backend(): Backend | undefined;
  /** Of the present job. */
  scope(): JobScope;
  dispatch(event: RecoveryEvent<M>): void;
}

/** What is asked of the server beside the SDK's own calls. */
export interface BackendCalls<M extends ChatMessage> {
  /** Reads the conversation as long as the job lasts, and at most `boundMs`; 0: no bound. */
  read(
    boundMs: number,
    looksFor: Turn<M> | undefined,
    tell: (result: ReadResult, ticket: number) => RecoveryEvent<M>,
  ): void;
  /** Asks for the end of the run. Goes on when the job changes. */
  stopRun(mode: StopMode, repeated: boolean): void;
  /** The conversation where it holds the act's message; undefined where it does not, or cannot be read. Never rejects. */
  findIn(turn: Turn<M>): Promise<ReadResult | undefined>;
  /** Ends the requests that outlive the job that made them. */
  end(): void;
}

/** One a chat. */
export function createBackendCalls<M extends ChatMessage>(
  options: BackendCallsOptions<M>,
): BackendCalls<M> {
  const { world, policy, transcript, dispatch } = options;
  const requests = new Set<AbortController>();

  /** A request with a bound of its own that goes on when the job changes, and ends with the chat. */
  const bounded = async <T>(request: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const abort = new AbortController();
    requests.add(abort);
    const cancel = world.after(policy.heldReadMs, () => abort.abort());
    try {
      return await request(abort.signal);
    } finally {
      cancel();
      requests.delete(abort);
    }
  };

  return {
    read(boundMs, looksFor, tell) {
      const backend = options.backend();
      if (backend === undefined) return;
      const scope = options.scope();
      const { ticket } = scope;
      const abort = scope.request();
      let unbound = (): void => {};
      const finish = (result: ReadResult): void => {
        unbound();
        if (!abort.signal.aborted) dispatch(tell(result, ticket));
      };
      if (boundMs > 0) {
        unbound = scope.after(boundMs, () => {
          finish({ kind: 'timed-out' });
          abort.abort();
        });
      }
      backend.readSnapshot(abort.signal).then(
        (answer) => {
          if (!abort.signal.aborted) finish(transcript.resultOf(answer, looksFor));
        },
        (error: unknown) => finish({ kind: 'failed', error: toHelixError(error) }),
      );
    },
    stopRun(mode, repeated) {
      const backend = options.backend();
      if (backend === undefined) return;
      const since = world.monotonic();
      const answered = (answer: StopAnswer): void => {
        const ms = world.monotonic() - since;
        dispatch({ type: 'stop-answered', answer, repeated, mode, ms });
      };
      bounded((signal) => backend.stopRun(mode, signal)).then(answered, () =>
        answered({ kind: 'failed', error: timeoutFailure('connect') }),
      );
    },
    async findIn(turn) {
      const backend = options.backend();
      if (backend === undefined || backend.route('snapshot') === 'absent') return undefined;
      try {
        const answer = await bounded((signal) => backend.readSnapshot(signal));
        const result = transcript.resultOf(answer, turn);
        return result.kind === 'snapshot' && result.found ? result : undefined;
      } catch {
        return undefined;
      }
    },
    end() {
      for (const abort of requests) abort.abort();
    },
  };
}
