import { afterEach, describe, expect, it, vi } from 'vitest';
import { createManualWorld } from '../../src/testing/manualWorld.ts';

describe('a manual world', () => {
  it('fires timers in order of their time, then of their making, with the clocks at their time', async () => {
    const world = createManualWorld({ now: 1000 });
    const fired: unknown[] = [];
    const note = (name: string) => () => fired.push([name, world.now(), world.monotonic()]);
    world.after(20, note('late'));
    world.after(10, note('a'));
    world.after(10, note('b'));
    world.after(-5, note('now'));
    await world.advance(15);

    expect(fired).toEqual([
      ['now', 1000, 0],
      ['a', 1010, 10],
      ['b', 1010, 10],
    ]);
    expect([world.now(), world.monotonic(), world.pending()]).toEqual([1015, 15, 1]);
  });

  it('lets what a timer sets off come to rest before the next one fires', async () => {
    const world = createManualWorld();
    const seen: string[] = [];
    world.after(10, () => {
      new ReadableStream<string>({
        start(controller) {
          controller.enqueue('piped');
          controller.close();
        },
      })
        .pipeThrough(new TransformStream())
        .pipeThrough(new TransformStream())
        .pipeTo(new WritableStream({ write: (text) => void seen.push(text) }));
    });
    world.after(11, () => seen.push('next'));
    await world.advance(20);

    expect(seen).toEqual(['piped', 'next']);
  });

  it('fires a timer that a timer sets within the same advance', async () => {
    const world = createManualWorld();
    let ticks = 0;
    const tick = () => {
      ticks += 1;
      world.after(10, tick);
    };
    world.after(10, tick);
    await world.advance(100);
    expect(ticks).toBe(10);
  });

  it('forgets a timer that was cancelled, twice too', async () => {
    const world = createManualWorld();
    const task = vi.fn();
    const cancel = world.after(10, task);
    cancel();
    cancel();
    await world.advance(20);
    expect(task).not.toHaveBeenCalled();
    expect(world.pending()).toBe(0);
  });

  it('settles without moving time or firing what is due', async () => {
    const world = createManualWorld();
    const task = vi.fn();
    world.after(0, task);
    await world.settle();
    expect([task.mock.calls.length, world.monotonic()]).toEqual([0, 0]);
  });

  it('runs until a condition holds, and says so when it never does', async () => {
    const world = createManualWorld();
    let done = false;
    world.after(300, () => {
      done = true;
    });
    await world.runUntil(() => done);
    expect(world.monotonic()).toBe(300);
    world.after(5000, () => {});
    await expect(world.runUntil(() => false, 100)).rejects.toThrow(
      /^\[helix-chat\] runUntil: .* within 100 ms .* 1 timer/,
    );
    expect(world.monotonic()).toBe(300);
  });

  it('gives the same chance for the same seed, in [0, 1)', () => {
    const draw = (seed: number) => {
      const { random } = createManualWorld({ seed });
      return Array.from({ length: 1000 }, random);
    };
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
    expect(draw(7).every((value) => value >= 0 && value < 1)).toBe(true);
    expect(new Set(draw(7)).size).toBeGreaterThan(990);
  });

  it('tells of network and visibility once a change, and of page events as they are', () => {
    const world = createManualWorld();
    const heard: string[] = [];
    const leave = world.onPageEvent((event) => heard.push(event));
    world.setOnline(true);
    world.setOnline(false);
    world.setOnline(false);
    world.setVisible(false);
    world.emit('restored');
    world.setOnline(true);
    expect(heard).toEqual(['offline', 'hidden', 'restored', 'online']);
    expect([world.online(), world.visible(), world.listeners()]).toEqual([true, false, 1]);
    leave();
    leave();
    expect(world.listeners()).toBe(0);
  });

  it('lets the wall clock jump alone', () => {
    const world = createManualWorld({ now: 0 });
    world.jumpClock(600_000);
    expect([world.now(), world.monotonic()]).toEqual([600_000, 0]);
  });

  it('has a page at helix.test, or none', () => {
    expect(createManualWorld().origin()).toBe('http://helix.test');
    expect(createManualWorld({ origin: null }).origin()).toBeUndefined();
  });

  describe('where there is no setImmediate', () => {
    afterEach(() => vi.unstubAllGlobals());

    it('settles by messages', async () => {
      vi.stubGlobal('setImmediate', undefined);
      const world = createManualWorld();
      let done = false;
      world.after(1, () => void Promise.resolve().then(() => (done = true)));
      await world.advance(1);
      expect(done).toBe(true);
    });
  });
});
