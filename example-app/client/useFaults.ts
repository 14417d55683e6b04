import type { Policy } from 'helix-chat';
import { useState } from 'react';

const place = 'helix-example-policy';

function keptPolicy(): Policy {
  return JSON.parse(sessionStorage.getItem(place) ?? '{}');
}

/** Arms scenarios for this page's chat. A scenario may need a policy of its own, which the chat is then made with. */
export function useFaults(chatId: string, client: string) {
  const [armed, setArmed] = useState<string>();
  const [policy, setPolicy] = useState(keptPolicy);
  async function arm(scenario: string) {
    const answer = await fetch('/api/faults', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ chatId, client, scenario }),
    });
    if (!answer.ok) return;
    const { policy: own = {} }: { policy?: Policy } = await answer.json();
    sessionStorage.setItem(place, JSON.stringify(own));
    setPolicy(own);
    setArmed(scenario);
  }
  return { armed, policy, arm, disarm: () => setArmed(undefined) };
}
