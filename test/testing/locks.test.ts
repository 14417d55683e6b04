import { systemWorld, type World } from 'helix-chat';
import { createManualLocks, createManualWorld } from 'helix-chat/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

type Lock = NonNullable<World['lock']>;

/** Work that goes on until it is told to end. */
function work() {
  let end = (): void => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  const seen = { begun: false };
  const task = (): Promise<void> => {
    seen.begun = true;
    return over;
  };
  return { task, end, seen };
}

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
const never = new AbortController().signal;

/** Web Locks as a platform gives them, over the fake. */
function platformLocks() {
  const locks = createManualLocks();
  return {
    async request(
      name: string,
      { ifAvailable, signal }: { ifAvailable?: boolean; signal?: AbortSignal },
      run: (lock: object | null) => Promise<void>,
    ) {
      const options = { wait: ifAvailable !== true, signal: signal ?? never };
      const ran = await locks.request(name, () => run({}), options);
      if (ran) return;
      if (ifAvailable) await run(null);
      else throw new DOMException('given up', 'AbortError');
    },
  };
}

const places: readonly (readonly [string, () => readonly [Lock | undefined, Lock | undefined]])[] =
  [
    [
      'two manual worlds that share their locks',
      () => {
        const locks = createManualLocks();
        return [createManualWorld({ locks }).lock, createManualWorld({ locks }).lock];
      },
    ],
    [
      'the real world on a platform with Web Locks',
      () => {
        vi.stubGlobal('navigator', { locks: platformLocks() });
        return [systemWorld().lock, systemWorld().lock];
      },
    ],
  ];

afterEach(() => vi.unstubAllGlobals());

describe.each(places)('a lock in %s', (_where, open) => {
  let one: Lock;
  let two: Lock;

  beforeEach(() => {
    const [first, second] = open();
    if (first === undefined || second === undefined) throw new Error('There are no locks.');
    one = first;
    two = second;
  });

  it('is left alone by the other tab while it is held, and free again afterwards', async () => {
    const first = work();
    const second = work();
    const holding = one('a', first.task, { wait: false, signal: never });
    expect(await two('a', second.task, { wait: false, signal: never })).toBe(false);
    expect([first.seen.begun, second.seen.begun]).toEqual([true, false]);
    first.end();
    expect(await holding).toBe(true);
    second.end();
    expect(await two('a', second.task, { wait: false, signal: never })).toBe(true);
  });

  it('goes to whoever waits for it, first come first served', async () => {
    const [first, second, third] = [work(), work(), work()];
    void one('a', first.task, { wait: true, signal: never });
    void two('a', second.task, { wait: true, signal: never });
    void one('a', third.task, { wait: true, signal: never });
    await soon();
    first.end();
    await soon();
    expect([second.seen.begun, third.seen.begun]).toEqual([true, false]);
    second.end();
    await soon();
    expect(third.seen.begun).toBe(true);
    third.end();
  });

  it('is no longer waited for once the signal aborts', async () => {
    const [first, second] = [work(), work()];
    const given = new AbortController();
    const holding = one('a', first.task, { wait: true, signal: never });
    const waiting = two('a', second.task, { wait: true, signal: given.signal });
    await soon();
    given.abort();
    expect(await waiting).toBe(false);
    first.end();
    await holding;
    await soon();
    expect(second.seen.begun).toBe(false);
  });

  it('is freed by a task that fails, and the failure is told', async () => {
    const fails = () => Promise.reject(new Error('broken'));
    await expect(one('a', fails, { wait: false, signal: never })).rejects.toThrow('broken');
    const next = work();
    next.end();
    expect(await two('a', next.task, { wait: false, signal: never })).toBe(true);
  });

  it('of another name is another lock', async () => {
    const [first, second] = [work(), work()];
    void one('a', first.task, { wait: false, signal: never });
    second.end();
    expect(await two('b', second.task, { wait: false, signal: never })).toBe(true);
    first.end();
  });
});

describe('a world without locks', () => {
  it('runs the task unlocked where the platform has none, or refuses them', async () => {
    const refused = { request: () => Promise.reject(new DOMException('no', 'SecurityError')) };
    for (const navigator of [undefined, {}, { locks: refused }]) {
      vi.stubGlobal('navigator', navigator);
      const task = vi.fn(async () => {});
      expect(await systemWorld().lock?.('a', task, { wait: false, signal: never })).toBe(true);
      expect(task).toHaveBeenCalledOnce();
    }
  });

  it('is a manual world that was told so', () => {
    const world = createManualWorld({ locks: null });
    expect([world.lock, world.locks()]).toEqual([undefined, 0]);
  });
});
