import type { ToastEntry } from './toastEntries.ts';

/** How long it is told that something has gone well. */
const RECOVERED_MS = 4_000;

/** How long a toast stays by itself, in ms. Undefined: until it is put away, as there is something to do or to know. */
export function lifetimeOf(entry: ToastEntry, duration: number): number | undefined {
  const { phase, content, pointer } = entry;
  if (phase === 'recovered') return RECOVERED_MS;
  if (phase !== 'failed' || pointer || content.view.severity !== 'notice') return undefined;
  return content.actions.every(({ id }) => id === 'dismiss') ? duration : undefined;
}
