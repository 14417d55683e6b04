import { useCallback, useRef, useState } from 'react';
import type { World } from '../world.ts';
import { useElapsed } from './useTimeLeft.ts';

/** A busy look that comes at once makes a fast answer blink. */
const BUSY_AFTER_MS = 200;

/** What has been pressed, and the way to press. */
export interface Press {
  /** The action pressed last, if `token` was what there was. */
  readonly on: (token: unknown) => string | undefined;
  /** The action at work, if it was pressed on `token`. */
  readonly busy: (token: unknown) => string | undefined;
  /** Some pressed action is at work. */
  readonly working: boolean;
  /** That action has been at work long enough for a spinner. */
  readonly spinning: boolean;
  /** Runs an action once, however often it is pressed before it is done. Never throws. */
  readonly run: (token: unknown, action: string, task: () => void | Promise<void>) => void;
}

interface Running {
  readonly token: unknown;
  readonly action: string;
  /** Wall-clock ms of the press; undefined once it is done. */
  readonly since: number | undefined;
}

/** What a person has pressed, and whether it is still at work. A token is the failure or state that the press was about. */
export function usePress(world: World): Press {
  const [last, setLast] = useState<Running>();
  const running = useRef<Running>(undefined);
  const spinning = useElapsed(last?.since, BUSY_AFTER_MS, world);

  const run = useCallback(
    (token: unknown, action: string, task: () => void | Promise<void>) => {
      const current = running.current;
      if (current && current.token === token && current.action === action) return;
      const own: Running = { token, action, since: world.now() };
      const done = () => {
        if (running.current !== own) return;
        running.current = undefined;
        setLast({ token, action, since: undefined });
      };
      const failed = (cause: unknown) => {
        done();
        console.error(
          `[helix-chat] The action "${action}" threw. The failure it belongs to stays on screen. ` +
            'Catch errors in the handler that you gave for it.',
          cause,
        );
      };
      running.current = own;
      setLast(own);
      try {
        const result = task();
        if (result instanceof Promise) result.then(done, failed);
        else done();
      } catch (cause) {
        failed(cause);
      }
    },
    [world],
  );

  return {
    on: (token) => (last?.token === token ? last?.action : undefined),
    busy: (token) => (last?.since !== undefined && last.token === token ? last.action : undefined),
    working: last?.since !== undefined,
    spinning,
    run,
  };
}
