import { silentFailure, timeoutFailure } from '../errors/clientFailures.ts';
import { readRequestId } from '../protocol/requestId.ts';
import type { World } from '../world.ts';
import { Latch } from './latch.ts';
import { quietAbort } from './turn.ts';

/** Why a request was ended here. `stopped`: by the caller. `left`: nobody reads it any more. Else a time-out's layer. */
export type CallEnd = 'stopped' | 'left' | 'connect' | 'idle' | 'total';

/** Who watches a request. Changes hands when another turn goes on with its stream. */
export interface CallWatcher {
  bytes(at: number): void;
  run(runId: string): void;
}

/** What one request is told by the one who makes it. All times in ms; 0 switches a limit off. */
export interface CallOptions {
  readonly world: World;
  /** Our key for this act, if it carries one. */
  readonly key: string | undefined;
  /** The app's own key for this act: it is sent whatever the mode. */
  readonly ownKey: string | undefined;
  readonly connectMs: (url: string) => number;
  /** How long silence may last, given the server's own keep-alive interval; 0 where silence is not watched. */
  readonly idleMs: (keepAlive: { readonly seen: boolean; readonly everyMs: number }) => number;
  readonly totalMs: number;
  readonly watcher: CallWatcher;
}

/** The error of a request that was ended here. */
export function endError(reason: CallEnd): Error {
  switch (reason) {
    case 'stopped':
    case 'left':
      return quietAbort();
    case 'idle':
      return silentFailure();
    case 'connect':
    case 'total':
      return timeoutFailure(reason);
  }
}

/** One request from its begin to the last byte of its answer. */
export class Call {
  readonly options: CallOptions;
  watcher: CallWatcher;
  /** The request has left: before that nothing can have been written. */
  sent = false;
  /** The status of the answer, once there is one. */
  status: number | undefined;
  /** What support can find that answer by, where it says so. */
  requestId: string | undefined;
  readonly #ended = new Latch<CallEnd>();
  readonly #controller = new AbortController();

  constructor(options: CallOptions) {
    this.options = options;
    this.watcher = options.watcher;
  }

  /** Given to `fetch`; aborted exactly when this call is ended here. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get endedBy(): CallEnd | undefined {
    return this.#ended.reason;
  }

  /** The headers of the answer have come. */
  answered({ status, headers }: Pick<Response, 'status' | 'headers'>): void {
    this.status = status;
    this.requestId = readRequestId(headers);
  }

  /** Ends the request and the reading of its answer. The first reason stays. */
  end(reason: CallEnd): void {
    if (this.#ended.closed) return;
    this.#ended.close(reason);
    this.#controller.abort();
  }

  /** The error of this call's end; call it only when it was ended here. */
  endError(): Error {
    return endError(this.#ended.reason ?? 'left');
  }

  onEnd(listener: () => void): () => void {
    return this.#ended.onClose(listener);
  }

  /** Waits for `work`, but not beyond the end of this call: rejects by what ended it. */
  race<T>(work: PromiseLike<T>, discard?: (late: T) => void): Promise<T> {
    return this.#ended.race(work, endError, discard);
  }
}
