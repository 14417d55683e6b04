/** How grave a line of the log is: the colour of its dot. */
export type Tone = 'quiet' | 'notice' | 'warning' | 'blocking' | 'recovered';

export interface LogLine {
  readonly key: number;
  /** Wall-clock ms. */
  readonly at: number;
  readonly title: string;
  readonly detail?: string | undefined;
  /** `state`: recovery has entered the state of this name. */
  readonly tone: Tone | 'state';
}

/** The lines of the fault panel's log, oldest first, as an external store for `useSyncExternalStore`. */
export interface RecoveryLog {
  add(line: Omit<LogLine, 'key' | 'at'>): void;
  /** Notes the present state; the same one twice is one line. */
  enter(state: string): void;
  lines(): readonly LogLine[];
  subscribe(listener: () => void): () => void;
}

const kept = 200;

export function createRecoveryLog(): RecoveryLog {
  const listeners = new Set<() => void>();
  let lines: readonly LogLine[] = [];
  let count = 0;
  let present = 'idle';
  const add: RecoveryLog['add'] = (line) => {
    count += 1;
    lines = [...lines.slice(1 - kept), { ...line, key: count, at: Date.now() }];
    for (const listener of listeners) listener();
  };
  return {
    add,
    enter(state) {
      if (state === present) return;
      present = state;
      add({ title: state, tone: 'state' });
    },
    lines: () => lines,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
