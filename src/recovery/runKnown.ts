import { type Draft, enter, isWatching, order, patch } from './draft.ts';
import type { ChatMessage } from './ports.ts';

/** The server has named its run. */
export function runKnown<M extends ChatMessage>(d: Draft<M>, runId: string | undefined): void {
  if (runId === undefined || runId === d.model.run.id) return;
  const { job } = d.model;
  const joins =
    job.at === 'attaching' ? d.model.run.id : job.at === 'streaming' ? job.joins : undefined;
  if (joins !== undefined && joins !== runId) {
    // Another run began between the read and the join: its reply would stand under the wrong message.
    const plan = job.at === 'attaching' ? job.plan : { why: 'resync' as const };
    patch(d, { run: { id: runId, stoppedHere: false, stopping: false } });
    enter(d, {
      at: 'closing',
      next: { to: 'read', plan: isWatching(d) ? { why: 'waiting' } : plan },
    });
    order(d, { do: 'end-read', boundMs: d.env.policy.stopMs });
    return;
  }
  patch(d, { run: { id: runId, stoppedHere: false, stopping: d.model.run.stopping } });
}
