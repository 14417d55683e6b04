import { useEffect, useState } from 'react';
import { untilRepaint } from '../i18n/format.ts';
import type { World } from '../world.ts';

/**
 * The ms left until `until` (wall clock), as of the last repaint; 0 once it has passed, undefined without a time. Renders
 * again only when a countdown is to be repainted, and not while nobody sees the page.
 */
export function useTimeLeft(until: number | undefined, world: World): number | undefined {
  const [painted, setPainted] = useState(() => ({ until, left: timeLeft(until, world) }));
  if (painted.until !== until) setPainted({ until, left: timeLeft(until, world) });

  useEffect(() => {
    if (until === undefined) return;
    let stopTimer = () => {};
    const plan = () => {
      const wait = untilRepaint(until, world.now());
      if (wait !== undefined && world.visible()) stopTimer = world.after(wait, paint);
    };
    const paint = () => {
      setPainted({ until, left: timeLeft(until, world) });
      plan();
    };
    const stopEvents = world.onPageEvent((event) => {
      if (event === 'hidden') stopTimer();
      if (event === 'visible') paint();
    });
    plan();
    return () => {
      stopTimer();
      stopEvents();
    };
  }, [until, world]);

  return painted.until === until ? painted.left : timeLeft(until, world);
}

function timeLeft(until: number | undefined, world: World): number | undefined {
  return until === undefined ? undefined : Math.max(0, until - world.now());
}

/** Whether `ms` have passed since `since` (wall clock); false without a start. */
export function useElapsed(since: number | undefined, ms: number, world: World): boolean {
  const until = since === undefined ? undefined : since + ms;
  const [passed, setPassed] = useState<number>();
  useEffect(() => {
    if (until === undefined) return;
    return world.after(Math.max(0, until - world.now()), () => setPassed(until));
  }, [until, world]);
  return until !== undefined && passed === until;
}
