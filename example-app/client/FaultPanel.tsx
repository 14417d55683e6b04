import type { RecoveryState } from 'helix-chat';
import { SCENARIOS, type Scenario, scenarioOf } from 'helix-chat/testing';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Icon } from './Icon.tsx';
import { RecoveryLogList } from './RecoveryLogList.tsx';
import type { RecoveryLog } from './recoveryLog.ts';
import { StateTags } from './StateTags.tsx';
import type { ServerTruth } from './useServerTruth.ts';

interface FaultPanelProps {
  readonly state: RecoveryState;
  readonly log: RecoveryLog;
  readonly truth: ServerTruth | undefined;
  /** The scenario that waits for the next send. */
  readonly armed: Scenario | undefined;
  readonly onArm: (scenario: Scenario) => void;
  readonly onClose: () => void;
  /** Lies over the chat instead of beside it: takes the focus and closes on Escape. */
  readonly sheet: boolean;
}

function truthInWords(truth: ServerTruth | undefined): string {
  if (!truth) return 'Not read yet';
  const messages = truth.count === 1 ? '1 message' : `${truth.count} messages`;
  return `${messages}, ${truth.status}; ${truth.same ? 'as on screen' : 'not as on screen'}`;
}

/** How the chosen fault will end. */
function promiseOf({ name, promise }: Scenario): string {
  const outcome = promise.ends === 'idle' ? 'then goes on' : 'then asks the person';
  return `${name}: ${promise.sent === 'once' ? 'sent once' : 'not sent'}, ${outcome}`;
}

/** Breaks the next request on purpose, and shows what recovery does about it. */
export function FaultPanel(props: FaultPanelProps) {
  const { state, log, truth, armed, onArm, onClose, sheet } = props;
  const [chosen, setChosen] = useState(armed ?? SCENARIOS[0]);
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (sheet) close.current?.focus();
  }, [sheet]);
  return (
    <aside
      className="panel"
      aria-label="Fault panel"
      onKeyDown={(event: KeyboardEvent) => {
        if (sheet && event.key === 'Escape') onClose();
      }}
    >
      <header className="panel-head">
        <h2>Fault panel</h2>
        <button
          ref={close}
          type="button"
          className="icon-button"
          aria-label="Close the fault panel"
          onClick={onClose}
        >
          <Icon name="close" />
        </button>
      </header>
      <section className="panel-part">
        <h3>Break the next request</h3>
        <div className="fault-row">
          <select
            aria-label="Fault"
            value={chosen?.name}
            onChange={(event) => setChosen(scenarioOf(event.target.value))}
          >
            {SCENARIOS.map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
          <button type="button" className="bordered-button" onClick={() => chosen && onArm(chosen)}>
            Arm
          </button>
        </div>
        <p className="panel-remark">
          <span className="fixed">{chosen && promiseOf(chosen)}</span>
        </p>
        <p className="panel-remark" role="status">
          {armed && `Armed for the next send: ${armed.name}`}
        </p>
      </section>
      <section className="panel-part">
        <h3>State</h3>
        <StateTags state={state} />
      </section>
      <section className="panel-part panel-log">
        <h3>
          Recovery log
          <span
            className="live"
            data-quiet={state.name === 'idle' || state.name === 'failed' || undefined}
          >
            live
          </span>
        </h3>
        <RecoveryLogList log={log} state={state} />
      </section>
      <footer className="panel-foot">
        <span>On the server</span>
        <span data-truth={truth ? (truth.same ? 'same' : 'other') : 'unread'}>
          {truthInWords(truth)}
        </span>
      </footer>
    </aside>
  );
}
