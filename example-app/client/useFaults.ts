import type { Policy } from 'helix-chat';
import { type Scenario, scenarioOf } from 'helix-chat/testing';
import { useState } from 'react';

const place = 'helix-example-scenario';
const noPolicy: Policy = {};

/**
 * Arms scenarios for this page's chat. `policy` is what the last armed one needs of the client; it stays until another
 * is armed, reloads included.
 */
export function useFaults(chatId: string, client: string) {
  const [armed, setArmed] = useState<Scenario>();
  const [last, setLast] = useState(() => scenarioOf(sessionStorage.getItem(place) ?? ''));
  async function arm(scenario: Scenario) {
    const answer = await fetch('/api/faults', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ chatId, client, scenario: scenario.name }),
    });
    if (!answer.ok) return;
    sessionStorage.setItem(place, scenario.name);
    setLast(scenario);
    setArmed(scenario);
  }
  return { armed, policy: last?.policy ?? noPolicy, arm, disarm: () => setArmed(undefined) };
}
