/** Pauses automatic work on an endpoint that does not answer, shared by all chats that share the object. Times are monotonic ms. */
export interface Breaker {
  /**
   * Ms until `who` may go on by itself; 0: now. After a pause that is so for one at a time: whoever claims the probe.
   * The others wait for what comes of it.
   */
  waitMs(endpoint: string, mono: number, who: object): number;
  /** The next automatic request is the probe after a pause. */
  probes(endpoint: string, mono: number): boolean;
  claim(endpoint: string, mono: number, who: object): void;
  /** The probe of `who` was given up without an outcome. */
  release(who: object): void;
  /** A network failure, an own time-out, or an untyped 5xx. */
  failed(endpoint: string, mono: number): void;
  /** Any answer that proves a living server: a 2xx, or a typed refusal. */
  alive(endpoint: string): void;
  /** The network may be another one than before: what is paused may be probed now. */
  reconsider(endpoint: string, mono: number): void;
  /** Hears of each sign of life, and of each end of a probe or a pause, until the returned function is called. */
  onChange(listener: (endpoint: string, change: 'alive' | 'other') => void): () => void;
}

interface Line {
  readonly inARow: number;
  readonly openUntil: number;
  readonly probe: { readonly by: object; readonly until: number } | undefined;
}

/** Opens after `failures` in a row for `pauseMs`; the first try after that is the probe whose failure opens it again. */
export function createBreaker(limit: { failures: number; pauseMs: number }): Breaker {
  const lines = new Map<string, Line>();
  const listeners = new Set<(endpoint: string, change: 'alive' | 'other') => void>();
  const tell = (endpoint: string, change: 'alive' | 'other'): void => {
    for (const listener of [...listeners]) listener(endpoint, change);
  };
  const tripped = (line: Line | undefined): line is Line =>
    line !== undefined && line.inARow >= limit.failures;
  return {
    waitMs(endpoint, mono, who) {
      const line = lines.get(endpoint);
      if (!tripped(line)) return 0;
      const { probe, openUntil } = line;
      const isOthers = probe !== undefined && probe.by !== who && probe.until > mono;
      return Math.max(0, openUntil - mono, isOthers ? probe.until - mono : 0);
    },
    probes: (endpoint, mono) => {
      const line = lines.get(endpoint);
      return tripped(line) && line.openUntil <= mono;
    },
    claim(endpoint, mono, who) {
      const line = lines.get(endpoint);
      // A probe that never ends must not hold up the others for ever.
      if (tripped(line)) {
        lines.set(endpoint, { ...line, probe: { by: who, until: mono + limit.pauseMs } });
      }
    },
    release(who) {
      for (const [endpoint, line] of lines) {
        if (line.probe?.by !== who) continue;
        lines.set(endpoint, { ...line, probe: undefined });
        tell(endpoint, 'other');
      }
    },
    failed(endpoint, mono) {
      const before = lines.get(endpoint);
      const inARow = (before?.inARow ?? 0) + 1;
      const opens = inARow >= limit.failures;
      lines.set(endpoint, {
        inARow,
        openUntil: opens ? mono + limit.pauseMs : 0,
        probe: undefined,
      });
      // Who waits looks again when its own time has come; only the end of a probe is news before that.
      if (tripped(before) && before.openUntil <= mono) tell(endpoint, 'other');
    },
    alive(endpoint) {
      lines.delete(endpoint);
      tell(endpoint, 'alive');
    },
    reconsider(endpoint, mono) {
      const line = lines.get(endpoint);
      if (!tripped(line) || line.openUntil <= mono) return;
      lines.set(endpoint, { ...line, openUntil: mono });
      tell(endpoint, 'other');
    },
    onChange(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
