/** How grave a line of the log is: the colour of its dot. */
export type Tone = 'quiet' | 'notice' | 'warning' | 'blocking' | 'recovered';

export interface LogLine {
  readonly key: number;
  /** Wall-clock ms. */
  readonly at: number;
  readonly title: string;
  readonly detail?: string | undefined;
  readonly tone: Tone;
}

/** The lines of the fault panel's log, oldest first, as an external store for `useSyncExternalStore`. */
export interface RecoveryLog {
  add(line: Omit<LogLine, 'key' | 'at'>): void;
  lines(): readonly LogLine[];
  subscribe(listener: () => void): () => void;
}

const kept = 200;

export function createRecoveryLog(): RecoveryLog {
  const listeners = new Set<() => void>();
  let lines: readonly LogLine[] = [];
  let count = 0;
  return {
    add(line) {
      count += 1;
      lines = [...lines.slice(1 - kept), { ...line, key: count, at: Date.now() }];
      for (const listener of listeners) listener();
    },
    lines: () => lines,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
