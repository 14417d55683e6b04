import { useEffect, useState } from 'react';
import type { World } from '../world.ts';

/** Trouble shorter than this is not shown. */
const APPEARS_AFTER_MS = 1_000;
/** What is shown stays at least this long. */
const STAYS_MS = 1_000;
const BACK_MS = 4_000;

/** A trouble that a status line tells of, `Kind`, or that it is over. */
interface Shown<Kind extends string> {
  readonly kind: Kind | 'back';
  /** Monotonic ms. */
  readonly at: number;
}

/** Something that a status line may tell of. */
export interface Trouble<Kind extends string> {
  readonly kind: Kind;
  /** Shown at once: it was waited for already. */
  readonly late: boolean;
  /** Its end is good news worth telling. */
  readonly connection: boolean;
}

/**
 * Keeps a status line from flickering: trouble appears after a second and stays at least one; its end is told only if it
 * was shown, for four seconds. `recovered`: what ends now ends well, and not by a failure or a person's stop.
 */
export function useSteadyStatus<Kind extends string>(
  trouble: Trouble<Kind> | undefined,
  recovered: boolean,
  world: World,
): Kind | 'back' | undefined {
  const [shown, setShown] = useState<Shown<Kind> & { readonly connection: boolean }>();
  const [since, setSince] = useState<number>();
  if (trouble && since === undefined) setSince(world.monotonic());
  if (!trouble && since !== undefined) setSince(undefined);

  const kind = trouble?.kind;
  const late = trouble?.late ?? false;
  const connection = trouble?.connection ?? false;
  useEffect(() => {
    const now = world.monotonic();
    const stayed = shown ? now - shown.at : 0;
    const show = (next: Kind | 'back' | undefined, after: number) =>
      world.after(Math.max(0, after), () =>
        setShown(next && { kind: next, at: world.monotonic(), connection }),
      );
    if (kind !== undefined) {
      if (shown?.kind === kind) return;
      if (shown && shown.kind !== 'back') return show(kind, STAYS_MS - stayed);
      return show(kind, late ? 0 : APPEARS_AFTER_MS - (now - (since ?? now)));
    }
    if (!shown) return;
    if (shown.kind === 'back') return show(undefined, BACK_MS - stayed);
    return show(shown.connection && recovered ? 'back' : undefined, STAYS_MS - stayed);
  }, [kind, late, connection, shown, since, recovered, world]);

  return shown?.kind;
}
