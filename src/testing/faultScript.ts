import type { HelixErrorInit } from '../errors/HelixError.ts';
import type { ChatRouteName } from '../server/routePath.ts';

/**
 * What goes wrong with one request, as plain data.
 *
 * Before the route sees the request: `refuse` answers it with these bytes, `refuse-typed` with a typed body.
 * `drop` closes the connection before a byte; with `taken` the route has taken the request first.
 * `break` lets the answer begin and breaks its stream after so many words: `cut` closes the connection, `silence` sends
 * no further byte and keeps it open, `broken-frame` sends half of the next frame and then goes on.
 * `no-run` answers 204: nothing to attach to.
 * `reply` makes the model fail: after `words` words with this error, or at once with nothing said (`empty`).
 * `foreign-run` puts another client's turn of `ms` in the way first.
 * `overtaken` answers the message, lets another client's turn follow, and only then answers the request.
 */
export type Fault =
  | {
      readonly do: 'refuse';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: string;
    }
  | { readonly do: 'refuse-typed'; readonly error: HelixErrorInit }
  | { readonly do: 'drop'; readonly taken: boolean }
  | {
      readonly do: 'break';
      readonly afterWords: number;
      readonly how: 'cut' | 'silence' | 'broken-frame';
    }
  | { readonly do: 'no-run' }
  | {
      readonly do: 'reply';
      readonly words: number;
      readonly fails: HelixErrorInit;
      readonly attempts?: number;
    }
  | { readonly do: 'reply'; readonly empty: true }
  | { readonly do: 'foreign-run'; readonly ms: number }
  | { readonly do: 'overtaken' };

/** One fault and the requests that it befalls. */
export interface FaultRule {
  /** The route whose requests it is for. Faults of other routes than `send` wait until a send has been touched. */
  readonly on: ChatRouteName;
  /** How many of these requests. Default 1. */
  readonly times?: number;
  readonly fault: Fault;
}

/** What goes wrong around one send and what follows from it. The rules of a route apply one after the other. */
export interface FaultScript {
  readonly name: string;
  readonly rules: readonly FaultRule[];
}
