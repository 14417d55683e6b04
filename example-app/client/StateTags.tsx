import type { RecoveryState, RecoveryStateName } from 'helix-chat';
import { useEffect, useState } from 'react';

const names: readonly RecoveryStateName[] = [
  'idle',
  'sending',
  'streaming',
  'resyncing',
  'waiting-on-run',
  'backing-off',
  'failed',
];

/** The state and the one before it. */
function useBefore(name: RecoveryStateName): RecoveryStateName | undefined {
  const [seen, setSeen] = useState<{ now: RecoveryStateName; before?: RecoveryStateName }>({
    now: name,
  });
  if (seen.now !== name) setSeen({ now: name, before: seen.now });
  return seen.now === name ? seen.before : seen.now;
}

function useNow(running: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [running]);
  return now;
}

const seconds = (ms: number) => `${Math.max(0, Math.ceil(ms / 1000))} s`;

/** What the present state is about, in one line. */
function remarkOn(state: RecoveryState, now: number): string {
  switch (state.name) {
    case 'idle':
      return 'Nothing to do';
    case 'failed':
      return `${state.failure.phase}, ${state.failure.severity}`;
    case 'backing-off':
      return `try ${state.attempt} of ${state.attempts} in ${seconds(state.retryAt - now)}, ${state.cause}`;
    case 'sending':
      return `try ${state.attempt}, for ${seconds(now - state.since)}`;
    case 'streaming':
      return `for ${seconds(now - state.since)}`;
    case 'resyncing':
    case 'waiting-on-run':
      return `${state.cause}, for ${seconds(now - state.since)}`;
  }
}

/** The seven states as tags: the present one filled, the one before it tinted. */
export function StateTags({ state }: { state: RecoveryState }) {
  const before = useBefore(state.name);
  const now = useNow(state.name !== 'idle' && state.name !== 'failed');
  return (
    <>
      <ul className="tags">
        {names.map((name) => (
          <li
            key={name}
            aria-current={name === state.name ? 'true' : undefined}
            data-before={name === before || undefined}
          >
            {name}
          </li>
        ))}
      </ul>
      <p className="panel-remark">{remarkOn(state, now)}</p>
    </>
  );
}
