import { readWait } from '../protocol/readField.ts';

/** The wait of an error in ms, where it is one that can be sent: finite and not negative, in plain digits. */
export function statedWait(error: object): number | undefined {
  const wait = readWait(error, 'retryAfterMs');
  return wait === undefined ? undefined : Math.min(Math.ceil(wait), Number.MAX_SAFE_INTEGER);
}
