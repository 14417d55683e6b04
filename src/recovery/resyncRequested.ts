import { type Draft, enter, order, patch, usable } from './draft.ts';
import type { ChatMessage } from './ports.ts';
import { readByPress } from './pressedRead.ts';

/** The app or the person asks for the conversation as the server has it. */
export function resyncRequested<M extends ChatMessage>(d: Draft<M>): void {
  const { state, job } = d.model;
  if (!usable(d.env.routes.snapshot)) return;
  if (state.name === 'failed') {
    const { failure } = state;
    const { failedSubmit } = d.model;
    if (failedSubmit !== undefined) {
      const { error, committed } = failure;
      patch(d, { turn: { ...failedSubmit, refused: { error, committed, again: 'no' } } });
      readByPress(d, { why: 'answers', keep: failure });
      return;
    }
    readByPress(d, { why: failure.phase === 'load' ? 'load' : 'resync', keep: failure });
    return;
  }
  if (state.name === 'idle') {
    readByPress(d, { why: 'resync' });
    return;
  }
  if (job.at === 'streaming') {
    enter(
      d,
      { at: 'closing', next: { to: 'read', plan: { why: 'resync' } } },
      { name: 'resyncing', since: d.env.now, cause: 'requested', attached: true },
    );
    order(d, { do: 'end-read', boundMs: d.env.policy.stopMs });
  }
}
