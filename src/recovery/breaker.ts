/** Pauses automatic work on an endpoint that does not answer, shared by all chats that share the object. */
export interface Breaker {
  /** Ms until automatic work may probe the endpoint; 0: now. */
  waitMs(endpoint: string, mono: number): number;
  /** A network failure, an own time-out, or an untyped 5xx. */
  failed(endpoint: string, mono: number): void;
  /** Any answer that proves a living server: a 2xx, or a typed refusal. */
  alive(endpoint: string): void;
}

/** Opens after `failures` in a row for `pauseMs`; the first try after that is the probe whose failure opens it again. */
export function createBreaker(limit: { failures: number; pauseMs: number }): Breaker {
  const endpoints = new Map<string, { inARow: number; openUntil: number }>();
  return {
    waitMs(endpoint, mono) {
      return Math.max(0, (endpoints.get(endpoint)?.openUntil ?? 0) - mono);
    },
    failed(endpoint, mono) {
      const inARow = (endpoints.get(endpoint)?.inARow ?? 0) + 1;
      const open = inARow >= limit.failures;
      endpoints.set(endpoint, { inARow, openUntil: open ? mono + limit.pauseMs : 0 });
    },
    alive(endpoint) {
      endpoints.delete(endpoint);
    },
  };
}
