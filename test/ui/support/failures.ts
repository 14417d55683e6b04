import type { Committed, Failure, Phase } from '../../../src/errors/failure.ts';
import type { ActionAbilities } from '../../../src/errors/failureActions.ts';
import { failureActions } from '../../../src/errors/failureActions.ts';
import { failureRow } from '../../../src/errors/failureTable.ts';
import type { HelixErrorInit } from '../../../src/errors/HelixError.ts';
import { HelixError } from '../../../src/errors/HelixError.ts';

const everything: ActionAbilities = {
  snapshot: true,
  checkFirst: true,
  keyed: true,
  draft: true,
  pending: true,
  reference: true,
  continue: true,
};

export interface FailureInit {
  readonly id?: string;
  readonly phase?: Phase;
  readonly committed?: Committed;
  readonly messageId?: string;
  readonly retryAt?: number;
  readonly incomplete?: true;
  readonly can?: Partial<ActionAbilities>;
}

/** A failure as recovery makes it: severity and actions by the table. */
export function failureOf(error: HelixErrorInit, init: FailureInit = {}): Failure {
  const { id = 'failure-1', phase = 'send', committed = 'no', can, ...rest } = init;
  const typed = new HelixError(error);
  const situation = { phase, committed };
  return {
    id,
    error: typed,
    phase,
    committed,
    severity: failureRow(typed, situation).severity,
    attempts: [],
    ...failureActions(typed, situation, { ...everything, ...can }),
    ...rest,
  };
}
