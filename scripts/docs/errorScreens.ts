import { type ActionAbilities, failureActions } from '../../src/errors/failureActions.ts';
import {
  type ClassifiedError,
  type FailureSituation,
  failureRow,
} from '../../src/errors/failureTable.ts';
import { code } from './markdown.ts';

// A chat in which everything is possible: what a page lists is then all that there can be.
const ABILITIES: ActionAbilities = {
  snapshot: true,
  checkFirst: false,
  keyed: true,
  draft: true,
  pending: true,
  reference: true,
  continue: true,
  // What is written here is what stands once nothing goes on by itself.
  waiting: false,
};

const WHERE: Readonly<Record<string, FailureSituation>> = {
  'before the message was taken': { phase: 'send', committed: 'no' },
  'while the reply is written': { phase: 'stream', committed: 'yes' },
  'while the conversation is read': { phase: 'snapshot', committed: 'unknown' },
};

/** The columns of `screensOf`. */
export const SCREENS_HEAD: readonly string[] = Object.keys(WHERE);

/** Where a failure is shown and what a person can do about it, at each of the three places. The filled action is bold. */
export function screensOf(error: ClassifiedError): readonly string[] {
  return Object.values(WHERE).map((situation) => {
    const { surface, makesFailure } = failureRow(error, situation);
    if (!makesFailure) return surface === 'none' ? 'nothing' : surface;
    const { actions, primary } = failureActions(error, situation, ABILITIES);
    const can = actions.map((action) =>
      action === primary ? `**${code(action)}**` : code(action),
    );
    return `${surface}: ${can.join(', ')}`;
  });
}

/** Who can mend it. */
export const fixOf = (error: ClassifiedError): string => {
  const [situation] = Object.values(WHERE);
  return situation === undefined
    ? ''
    : failureRow(error, situation).fix.replaceAll('-', ' ').replace('wait', 'time');
};
