import { statedWaitMs } from './backoff.ts';
import { type Draft, enter, order, patch } from './draft.ts';
import { restore } from './ending.ts';
import { gateLeftMs, type ReadPlan } from './model.ts';
import type { ChatMessage } from './ports.ts';
import { startRead } from './reading.ts';

/**
 * A person or the app asks for the conversation. A wait that the server stated is not undercut for it: a short one is
 * sat out, and while a long one lasts everything stays as it is.
 */
export function readByPress<M extends ChatMessage>(d: Draft<M>, plan: ReadPlan): void {
  const { gate } = d.model;
  const leftMs = gateLeftMs(d.model, d.env.mono);
  if (gate === undefined || leftMs === 0) {
    startRead(d, plan);
    return;
  }
  if (leftMs > d.env.policy.statedWaitCapMs) {
    if (plan.keep !== undefined) restore(d, plan.keep);
    else {
      patch(d, { turn: undefined });
      order(d, { do: 'release', entryId: '' });
    }
    return;
  }
  const ms = statedWaitMs(leftMs, d.env.chance);
  // Nothing of ours is under way: a message may go out meanwhile, as it may while a chat is opened.
  const isFree = plan.why === 'load' || plan.why === 'resync';
  enter(
    d,
    { at: 'read-wait', plan: { ...plan, pressed: true }, tries: 0 },
    {
      name: 'backing-off',
      since: d.env.now,
      of: isFree ? 'load' : 'read',
      cause: 'stated-wait',
      retryAt: d.env.now + ms,
      attempt: 1,
      attempts: 1,
      phase: plan.why === 'load' ? 'load' : 'snapshot',
      failure: gate.failure,
    },
  );
  patch(d, { notBefore: gate.untilMono });
  order(d, { do: 'start-timer', ms });
}
