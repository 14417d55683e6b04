import type { RecoveryState } from 'helix-chat';
import { useSyncExternalStore } from 'react';
import type { RecoveryLog } from './recoveryLog.ts';
import { useStickToEnd } from './useStickToEnd.ts';

const clock = (at: number) => {
  const time = new Date(at);
  const part = (value: number, digits = 2) => String(value).padStart(digits, '0');
  return `${part(time.getHours())}:${part(time.getMinutes())}:${part(time.getSeconds())}.${part(time.getMilliseconds(), 3)}`;
};

/** The step that comes next by itself, where there is one. */
function nextStep(state: RecoveryState): string | undefined {
  switch (state.name) {
    case 'backing-off':
      return `Then: ${state.of === 'send' ? 'send with the same key' : 'read again'}, ${clock(state.retryAt)}`;
    case 'waiting-on-run':
      return state.cause === 'asked'
        ? 'Then: as the person chooses'
        : 'Then: read once, send with the same key';
    case 'resyncing':
      return 'Then: show what the server holds';
    default:
      return undefined;
  }
}

/** What was asked of the server and what recovery made of the answers, oldest first. */
export function RecoveryLogList({ log, state }: { log: RecoveryLog; state: RecoveryState }) {
  const lines = useSyncExternalStore(log.subscribe, log.lines);
  const box = useStickToEnd<HTMLDivElement>(lines);
  const next = nextStep(state);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled box has to be reachable by keyboard
    <div ref={box} className="log" role="log" aria-label="Recovery" aria-live="off" tabIndex={0}>
      {lines.map((line) => (
        <div key={line.key} className="log-line" data-tone={line.tone}>
          <span className="log-title">{line.title}</span>
          <time className="log-time">{clock(line.at)}</time>
          {line.detail && <span className="log-detail">{line.detail}</span>}
        </div>
      ))}
      {next && (
        <div className="log-line" data-tone="coming">
          <span className="log-title">{next}</span>
        </div>
      )}
    </div>
  );
}
