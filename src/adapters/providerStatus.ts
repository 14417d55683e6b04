import { readModelStatus } from '../errors/modelStatus.ts';
import { quotaVerdict, type Verdict, verdictOf } from './verdict.ts';

/** What a model provider says by the status of its answer alone; undefined below 400. */
export function verdictByStatus(
  status: number | undefined,
  waitMs?: number | undefined,
): Verdict | undefined {
  const row = readModelStatus(status);
  if (row === undefined) return undefined;
  return row[2] === 'quota' ? quotaVerdict(waitMs) : verdictOf(row);
}
