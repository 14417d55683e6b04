import type { Refusal } from '../transport/turnHost.ts';
import type { Verdict } from './decide.ts';
import { type Env, usable } from './draft.ts';
import type { SubmitAgain, Turn } from './model.ts';

/** What to do about refused answers to tool calls. Reading the conversation comes first in every row. */
export type SubmitVerdict =
  | Extract<Verdict, { do: 'authorize' | 'fail' }>
  | { readonly do: 'read-answers'; readonly again: SubmitAgain };

const NO_ANSWER = [502, 503, 504];
/** One act of answering is repeated once by itself, whatever refuses it. */
export const ANSWERED_AGAIN = 'answered-again';

/** How the answers may go once more where the server still waits for them. */
function againOf({ status, error }: Refusal, env: Env): SubmitAgain {
  if (error === undefined) return 'no';
  if (status === undefined || NO_ANSWER.includes(status)) {
    const statedMs = error.retryAfterMs ?? 0;
    return statedMs <= env.policy.statedWaitCapMs ? 'later' : 'no';
  }
  if (error.code === 'state_already_running') return 'now';
  const unknownHere = error.reason === 'resume_message_unknown';
  return error.code === 'state_not_resumable' && unknownHere ? 'renamed' : 'no';
}

/** The table's rows for refused answers. Pure: the same refusal and history give the same verdict. */
export function decideSubmit(turn: Turn, refusal: Refusal, env: Env): SubmitVerdict {
  const { error, status, committed } = refusal;
  if (error === undefined) return { do: 'fail', committed: 'unknown' };
  if (status === 401 && env.canAuthorize && !turn.spent.includes('authorize')) {
    return { do: 'authorize' };
  }
  if (!usable(env.routes.snapshot)) return { do: 'fail', committed };
  const again = turn.spent.includes(ANSWERED_AGAIN) ? 'no' : againOf(refusal, env);
  return { do: 'read-answers', again };
}
