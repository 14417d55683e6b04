import { HelixError } from '../errors/HelixError.ts';
import { type ErrorAdapter, toHelixError } from '../errors/toHelixError.ts';
import { readField } from '../protocol/readField.ts';
import type { World } from '../world.ts';
import type { Call } from './call.ts';
import type { ChatRoutes, Look, RouteName } from './routes.ts';

/** What a request to an optional route stands on. */
export interface RoutePort {
  readonly chatId: string;
  readonly endpoint: string;
  readonly routes: ChatRoutes;
  readonly world: World;
  readonly adapters: readonly ErrorAdapter[];
  /** A call that ends with the signal. `close` lets the signal go. */
  open(signal: AbortSignal): { readonly call: Call; close(): void };
  /** A request with the send's headers, credentials and fetch. Rejects by a typed error for anything but a 2xx. */
  request(call: Call, url: string, init: RequestInit): Promise<Response>;
}

/** Codes that an answer without a typed body is given by its status. */
const codesByStatus: ReadonlySet<string> = new Set(['transport_error', 'validation_error']);

/** Whether an answer had a typed body. A bare word in a `code` field, as any backend may write, makes none. */
function isTyped(error: HelixError | undefined): boolean {
  if (error?.code === undefined || error.statusCode === undefined) return false;
  return readField(error, 'body') !== undefined || !codesByStatus.has(error.code);
}

/** What a failed look says about a route. */
export function lookOf(error: HelixError | undefined, status: number | undefined): Look {
  return {
    error,
    status: error?.statusCode ?? status,
    typed: isTyped(error),
    foreign: error?.reason === 'unexpected-response',
  };
}

/** A failed look: absent where it shows that there is no such route, else its typed error. */
export function failedLook(
  port: RoutePort,
  name: RouteName,
  thrown: unknown,
  status: number | undefined,
): { readonly kind: 'absent' } | { readonly kind: 'failed'; readonly error: HelixError } {
  const error = HelixError.isInstance(thrown)
    ? thrown
    : toHelixError(thrown, {
        adapters: port.adapters,
        phase: name === 'stop' ? 'stop' : 'snapshot',
      });
  const absent = port.routes.learnFrom(
    name,
    port.endpoint,
    lookOf(error, status),
    port.world.origin(),
  );
  return absent ? { kind: 'absent' } : { kind: 'failed', error };
}
