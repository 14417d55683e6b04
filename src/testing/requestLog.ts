import type { ChatRouteName } from '../server/routePath.ts';
import type { Fault } from './faultScript.ts';

/** One request as it came and how it was answered. */
export interface LoggedRequest {
  /** Wall-clock ms. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** Undefined for a path that is no route. */
  readonly route: ChatRouteName | undefined;
  readonly chatId: string | undefined;
  readonly client: string | undefined;
  readonly key: string | undefined;
  /** Id of the last message of a send. */
  readonly messageId: string | undefined;
  /** The parsed body, as far as it was JSON. */
  readonly body: unknown;
  /** What went wrong on purpose. */
  readonly fault: Fault['do'] | undefined;
  /** Undefined while the answer is being made; `lost` when the connection closed before a byte. */
  readonly status: number | 'lost' | undefined;
}

/** Every request, oldest first, for those who read it later and those who listen. */
export interface RequestLog {
  readonly entries: readonly LoggedRequest[];
  /** Enters a request; the returned function notes its answer. */
  enter(request: Omit<LoggedRequest, 'status'>): (status: number | 'lost') => void;
  /** Tells of a request when it comes and again when it was answered, until the returned function is called. */
  listen(listener: (request: LoggedRequest) => void): () => void;
}

/** A log without entries. */
export function createRequestLog(): RequestLog {
  const entries: LoggedRequest[] = [];
  const listeners = new Set<(request: LoggedRequest) => void>();
  const put = (at: number, entry: LoggedRequest) => {
    entries[at] = entry;
    for (const listener of [...listeners]) listener(entry);
  };
  return {
    entries,
    enter(request) {
      const at = entries.length;
      put(at, { ...request, status: undefined });
      return (status) => put(at, { ...request, status });
    },
    listen(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
