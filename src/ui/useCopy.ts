import { useEffect, useState } from 'react';
import type { World } from '../world.ts';

const SHOWN_MS = 2_000;

/** How the last copying went; `copied` only for a moment. */
export type CopyOutcome = 'copied' | 'failed' | undefined;

/** Copies a text, such as a support reference. Never rejects: `outcome` tells how it went. */
export function useCopy(world: World): {
  readonly outcome: CopyOutcome;
  readonly copy: (text: string) => Promise<void>;
} {
  const [outcome, setOutcome] = useState<CopyOutcome>();
  useEffect(
    () => (outcome === 'copied' ? world.after(SHOWN_MS, () => setOutcome(undefined)) : undefined),
    [outcome, world],
  );
  return {
    outcome,
    async copy(text) {
      try {
        if (!world.copy) throw new Error('no clipboard');
        await world.copy(text);
        setOutcome('copied');
      } catch {
        setOutcome('failed');
      }
    },
  };
}
