import type { Scenario } from 'helix-chat/testing';
import { useState } from 'react';

/** Arms scenarios for this page's chat. `armed` waits for the next send. */
export function useFaults(chatId: string, client: string) {
  const [armed, setArmed] = useState<Scenario>();
  async function arm(scenario: Scenario) {
    const answer = await fetch('/api/faults', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ chatId, client, scenario: scenario.name }),
    });
    if (answer.ok) setArmed(scenario);
  }
  return { armed, arm, disarm: () => setArmed(undefined) };
}
