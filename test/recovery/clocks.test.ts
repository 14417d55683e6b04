import { describe, expect, test } from 'vitest';
import { createClockWatch, jumpBetween } from '../../src/recovery/clockWatch.ts';
import { createNetworkBelief } from '../../src/recovery/networkBelief.ts';
import { createManualWorld } from '../../src/testing/manualWorld.ts';

const MINUTE = 60_000;
const start = { wall: 1_000_000, mono: 0 };
const later = (wallMs: number, monoMs: number) => ({
  wall: start.wall + wallMs,
  mono: start.mono + monoMs,
});

describe('between two looks at the clocks', () => {
  test.each([
    ['both went on alike', 10_000, 10_000, undefined],
    ['the wall clock was set right by a second', 11_000, 10_000, undefined],
    [
      'a sleep in which the monotonic clock stood still',
      20 * MINUTE,
      10_000,
      { driftMs: 20 * MINUTE - 10_000, sleptMs: 20 * MINUTE - 10_000 },
    ],
    [
      'a sleep in which both went on: the look is late',
      20 * MINUTE,
      20 * MINUTE,
      { driftMs: 0, sleptMs: 20 * MINUTE - 10_000 },
    ],
    ['a hidden page, whose timers run once a minute', MINUTE, MINUTE, undefined],
    ['a wall clock that was set back', -MINUTE, 10_000, { driftMs: -MINUTE - 10_000, sleptMs: 0 }],
  ])('%s', (_name, wallMs, monoMs, expected) => {
    expect(jumpBetween(start, later(wallMs, monoMs), true)).toEqual(expected);
  });

  test('a late look is no sleep where nobody was looking', () => {
    expect(jumpBetween(start, later(60 * MINUTE, 60 * MINUTE), false)).toBeUndefined();
  });
});

describe('the watch on the clocks', () => {
  test('tells of a jump within ten seconds, once, and has a timer only while it watches', async () => {
    const world = createManualWorld();
    const heard: number[] = [];
    const clock = createClockWatch(world, ({ sleptMs }) => heard.push(sleptMs));
    clock.look();
    expect(world.pending()).toBe(0);
    clock.watch(true);
    clock.watch(true);
    expect(world.pending()).toBe(1);
    await world.advance(25_000);
    world.jumpClock(5 * MINUTE);
    await world.advance(30_000);
    expect(heard).toEqual([5 * MINUTE]);
    clock.watch(false);
    expect(world.pending()).toBe(0);
  });

  test('a jump that was looked at is not told again', async () => {
    const world = createManualWorld();
    const heard: number[] = [];
    const clock = createClockWatch(world, ({ sleptMs }) => heard.push(sleptMs));
    clock.watch(true);
    clock.look();
    world.jumpClock(5 * MINUTE);
    expect(clock.look()).toMatchObject({ sleptMs: 5 * MINUTE });
    await world.advance(30_000);
    expect(heard).toEqual([]);
    clock.end();
  });
});

describe('what is believed of the network', () => {
  const belief = (online: boolean) => {
    const world = createManualWorld();
    world.setOnline(online);
    return { world, network: createNetworkBelief(world) };
  };

  test('a platform that says online is believed, whatever goes missing', () => {
    const { network } = belief(true);
    network.wentMissing();
    expect([network.hinted(), network.offline()]).toEqual([false, false]);
  });

  test('a platform that says offline is a hint, and worth a word only once something went missing', () => {
    const { network } = belief(false);
    expect([network.hinted(), network.offline()]).toEqual([true, false]);
    network.wentMissing();
    expect([network.hinted(), network.offline()]).toEqual([true, true]);
  });

  test('whatever gets through disproves it, until something goes missing', () => {
    const { network } = belief(false);
    expect(network.gotThrough()).toBe(true);
    expect(network.gotThrough()).toBe(false);
    expect([network.hinted(), network.offline()]).toEqual([false, false]);
    network.wentMissing();
    expect([network.hinted(), network.offline()]).toEqual([true, true]);
  });

  test('a platform that has just gone offline is believed until something gets through', () => {
    const { world, network } = belief(true);
    network.gotThrough();
    world.setOnline(false);
    network.lost();
    expect([network.hinted(), network.offline()]).toEqual([true, true]);
    network.gotThrough();
    expect(network.offline()).toBe(false);
    world.setOnline(true);
    expect(network.offline()).toBe(false);
  });
});
