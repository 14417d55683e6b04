import type { HelixError } from '../errors/HelixError.ts';
import { readField } from '../protocol/readField.ts';
import { type Draft, order } from './draft.ts';
import type { ChatMessage } from './ports.ts';

/** What a request's outcome says of its server; undefined: nothing. */
export type Liveness = 'alive' | 'dead' | undefined;

/** Codes that an answer without a typed body is given by its status alone. */
const BY_STATUS: readonly unknown[] = [undefined, 'transport_error', 'validation_error'];

/** Any answer proves a living server, but an untyped 5xx, as whatever stands in front of a dead one writes it. */
export function livenessOf(status: number | undefined, error: HelixError | undefined): Liveness {
  if (status === undefined) return error?.category === 'transport' ? 'dead' : undefined;
  if (status < 500) return 'alive';
  const typed = readField(error, 'body') !== undefined || !BY_STATUS.includes(error?.code);
  return typed ? 'alive' : 'dead';
}

/** Tells the limits what a request's outcome says of its server, and of the network. */
export function noteOutcome<M extends ChatMessage>(
  d: Draft<M>,
  status: number | undefined,
  error: HelixError | undefined,
): void {
  const life = livenessOf(status, error);
  if (life === 'alive') order(d, { do: 'note-alive' });
  else if (life === 'dead') order(d, { do: 'note-dead', answered: status !== undefined });
}
