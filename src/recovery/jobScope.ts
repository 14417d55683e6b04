import type { World } from '../world.ts';

/** What one job has started: its timers and its read. All of it ends with the job. */
export interface JobScope {
  readonly ticket: number;
  readonly signal: AbortSignal;
  after(ms: number, task: () => void): void;
  /** Ends the read alone. */
  abortRead(): void;
  end(): void;
}

export function createJobScope(world: World, ticket: number): JobScope {
  const abort = new AbortController();
  const cancels: (() => void)[] = [];
  return {
    ticket,
    signal: abort.signal,
    after(ms, task) {
      cancels.push(world.after(ms, task));
    },
    abortRead: () => abort.abort(),
    end() {
      for (const cancel of cancels) cancel();
      abort.abort();
    },
  };
}
