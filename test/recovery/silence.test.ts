import { describe, expect, test } from 'vitest';
import { createWatch, type Deadline, nextDeadline } from '../../src/recovery/deadlines.ts';
import { resolvePolicy } from '../../src/recovery/policy.ts';
import type { RecoveryState } from '../../src/recovery/state.ts';
import { createManualWorld } from '../../src/testing/manualWorld.ts';

const policy = resolvePolicy({ progressMs: 20_000 });
const sending = { name: 'sending', since: 0, attempt: 1 } as const;
const watching = {
  name: 'waiting-on-run',
  since: 0,
  cause: 'foreign-run',
  stopping: false,
  attached: true,
} as const;
const streaming = { name: 'streaming', since: 0, own: true } as const;

describe('the next look at silence', () => {
  const next = (state: RecoveryState, heard = {}, progressMs = 20_000): Deadline | undefined =>
    nextDeadline(
      state,
      { stateAt: 1_000, bytesAt: 0, contentAt: 0, ...heard },
      resolvePolicy({ progressMs }),
    );

  test('a send is slow after ten seconds, once', () => {
    expect(next(sending)).toEqual({ at: 11_000, what: 'slow' });
    expect(next({ ...sending, slow: true })).toBeUndefined();
  });
  test('a reply is slow fifteen seconds after it began, or after its last bytes', () => {
    expect(next(streaming)).toEqual({ at: 16_000, what: 'slow' });
    expect(next(streaming, { bytesAt: 3_000 })).toEqual({ at: 18_000, what: 'slow' });
  });
  test('a reply stalls where bytes come without content, and that is looked at first when it is sooner', () => {
    expect(next(streaming, { bytesAt: 9_000 })).toEqual({ at: 21_000, what: 'stalled' });
    expect(next(streaming, { bytesAt: 9_000, contentAt: 2_000 })).toEqual({
      at: 22_000,
      what: 'stalled',
    });
    expect(next({ ...streaming, slow: true })).toEqual({ at: 21_000, what: 'stalled' });
    expect(next({ ...streaming, slow: true }, {}, 0)).toBeUndefined();
    expect(next(streaming, { bytesAt: 6_000 })).toEqual({ at: 21_000, what: 'slow' });
  });
  test('another client’s reply that is watched stalls as well, but is never called slow', () => {
    expect(next(watching)).toEqual({ at: 21_000, what: 'stalled' });
    expect(next(watching, {}, 0)).toBeUndefined();
  });
  test('any other state is not waited for', () => {
    expect(next({ ...watching, attached: false })).toBeUndefined();
    expect(next({ name: 'idle' })).toBeUndefined();
  });
});

describe('the watch on silence', () => {
  const watched = () => {
    const world = createManualWorld();
    const heard: string[] = [];
    let state: RecoveryState = { name: 'idle' };
    const watch = createWatch({
      world,
      policy,
      state: () => state,
      onSlow() {
        heard.push(`slow at ${world.monotonic()}`);
        if (state.name === 'sending' || state.name === 'streaming')
          state = { ...state, slow: true };
        watch.look();
      },
      onStalled: () => heard.push(`stalled at ${world.monotonic()}`),
    });
    const become = (next: RecoveryState): void => {
      state = next;
      watch.look();
    };
    return { world, heard, watch, become };
  };

  test('has no timer where nothing is under way, and one at most', () => {
    const { world, become } = watched();
    become({ name: 'idle' });
    expect(world.pending()).toBe(0);
    become(sending);
    become(streaming);
    expect(world.pending()).toBe(1);
    become({ name: 'idle' });
    expect(world.pending()).toBe(0);
  });

  test('tells that a send is slow, once', async () => {
    const { world, heard, become } = watched();
    become(sending);
    await world.advance(60_000);
    expect(heard).toEqual(['slow at 10000']);
    expect(world.pending()).toBe(0);
  });

  test('bytes put it off; content puts off that it stalls, which is told each time anew', async () => {
    const { world, heard, watch, become } = watched();
    await world.advance(1_000);
    become(streaming);
    for (let at = 0; at < 50; at += 10) {
      await world.advance(10_000);
      watch.bytes(world.monotonic());
      if (at === 0) watch.content(world.monotonic());
    }
    const stalled = ['stalled at 31000', 'stalled at 51000'];
    expect(heard).toEqual(stalled);
    await world.advance(20_000);
    expect(heard).toEqual([...stalled, 'slow at 66000', 'stalled at 71000']);
  });

  test('says how long nothing was heard, by the clock that says longer', async () => {
    const { world, watch, become } = watched();
    become(streaming);
    await world.advance(4_000);
    expect(watch.silentMs()).toBe(4_000);
    watch.bytes(world.monotonic());
    expect(watch.silentMs()).toBe(0);
    world.jumpClock(90_000);
    expect(watch.silentMs()).toBe(90_000);
    watch.look();
    expect(watch.silentMs()).toBe(90_000);
    become(watching);
    expect(watch.silentMs()).toBe(0);
    world.jumpClock(-30_000);
    expect(watch.silentMs()).toBe(0);
  });

  test('joining a reply is news, and so is another state; the same once more is none', async () => {
    const { world, watch, become } = watched();
    become({ ...watching, attached: false });
    await world.advance(4_000);
    become({ ...watching, attached: false });
    expect(watch.silentMs()).toBe(4_000);
    become(watching);
    expect(watch.silentMs()).toBe(0);
    await world.advance(4_000);
    become({ ...watching, attached: false });
    expect(watch.silentMs()).toBe(0);
  });

  test('nothing was heard of a chat that has just been made', async () => {
    const { world, watch } = watched();
    await world.advance(3_000);
    expect(watch.silentMs()).toBe(3_000);
  });

  test('is over at its end', async () => {
    const { world, heard, watch, become } = watched();
    become(sending);
    watch.end();
    expect(world.pending()).toBe(0);
    become(streaming);
    await world.advance(60_000);
    expect([heard, world.pending()]).toEqual([[], 0]);
  });
});
