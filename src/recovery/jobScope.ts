import type { World } from '../world.ts';

/** What one job has started: its timers and its reads. All of it ends with the job. */
export interface JobScope {
  readonly ticket: number;
  /** The returned function cancels the timer. */
  after(ms: number, task: () => void): () => void;
  /** The signal of one request of the job. */
  request(): AbortController;
  end(): void;
}

/** The scope of the job with that ticket. */
export function createJobScope(world: World, ticket: number): JobScope {
  const requests: AbortController[] = [];
  const cancels: (() => void)[] = [];
  return {
    ticket,
    after(ms, task) {
      const cancel = world.after(ms, task);
      cancels.push(cancel);
      return cancel;
    },
    request() {
      const abort = new AbortController();
      requests.push(abort);
      return abort;
    },
    end() {
      for (const cancel of cancels) cancel();
      for (const abort of requests) abort.abort();
    },
  };
}
