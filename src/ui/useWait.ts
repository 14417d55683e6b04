import { useState } from 'react';
import { formatWait } from '../i18n/format.ts';
import { useUI } from './uiContext.ts';
import { useTimeLeft } from './useTimeLeft.ts';

/** A wait that is still on, as of the last repaint. */
export interface Wait {
  /** Wall-clock ms of its end, what is left of it, and the whole of it. */
  readonly until: number;
  readonly left: number;
  readonly total: number;
  /** "in 12 seconds", or a clock time. */
  readonly when: string;
}

/** The wait until `until` (wall clock); undefined once it is over. `since` is its start; default: when it was first seen. */
export function useWait(until: number | undefined, since?: number): Wait | undefined {
  const { catalog, locale, world } = useUI();
  const left = useTimeLeft(until, world);
  const [seen, setSeen] = useState({ until, left });
  if (seen.until !== until) setSeen({ until, left });
  if (until === undefined || !left || !catalog) return undefined;
  const when = formatWait(until, { now: until - left, locale: locale ?? catalog.locale });
  if (when === undefined) return undefined;
  const total = since === undefined ? (seen.left ?? left) : until - since;
  return { until, left, total: Math.max(total, left), when };
}
