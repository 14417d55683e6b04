import type { World } from '../world.ts';

/** How the clocks have moved since the last look, where they did not move as they should. */
export interface ClockJump {
  /** How far the wall clock moved against the monotonic one, in ms; negative: back. */
  readonly driftMs: number;
  /** For how long the page did not run, in ms. */
  readonly sleptMs: number;
}

/** One look at both clocks: wall time and monotonic time, in ms. */
export interface Moment {
  readonly wall: number;
  readonly mono: number;
}

/** How often the clocks are looked at while something is under way. */
const LOOK_MS = 10_000;
/** Clocks that are set right drift by less. */
const DRIFT_MS = 2_000;
/** A look comes so late where the page did not run. Timers of hidden pages are held back by a minute at most. */
const LATE_MS = 90_000;

/**
 * What happened between two looks. On some platforms the monotonic clock stands still in sleep and on others it does
 * not: then the look itself is late. `watched`: there should have been a look every ten seconds.
 */
export function jumpBetween(before: Moment, now: Moment, watched: boolean): ClockJump | undefined {
  const passed = now.mono - before.mono;
  const drift = now.wall - before.wall - passed;
  const driftMs = Math.abs(drift) >= DRIFT_MS ? drift : 0;
  const late = watched ? passed - LOOK_MS : 0;
  const sleptMs = Math.max(0, driftMs) + (late >= LATE_MS ? late : 0);
  return driftMs === 0 && sleptMs === 0 ? undefined : { driftMs, sleptMs };
}

/** Looks at the clocks. One timer at most, and none where nothing is under way. */
export interface ClockWatch {
  /** What has happened since the last look, if anything has. */
  look(): ClockJump | undefined;
  /** Whether anything is under way that a sleep would matter to. */
  watch(active: boolean): void;
  end(): void;
}

/** One a chat. `onJump` is called by the watch itself; `look` gives its jump back instead. */
export function createClockWatch(world: World, onJump: (jump: ClockJump) => void): ClockWatch {
  const read = (): Moment => ({ wall: world.now(), mono: world.monotonic() });
  let last: Moment | undefined;
  let cancel: (() => void) | undefined;
  const look = (): ClockJump | undefined => {
    const now = read();
    const jump = last === undefined ? undefined : jumpBetween(last, now, cancel !== undefined);
    last = now;
    return jump;
  };
  const arm = (): void => {
    cancel = world.after(LOOK_MS, () => {
      const jump = look();
      arm();
      if (jump !== undefined) onJump(jump);
    });
  };
  const end = (): void => {
    cancel?.();
    cancel = undefined;
  };
  return {
    look,
    watch(active) {
      if (!active) end();
      else if (cancel === undefined) arm();
    },
    end,
  };
}
