import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backoffMs, pollWaitMs, statedWaitMs } from '../../src/recovery/backoff.ts';
import { createBreaker } from '../../src/recovery/breaker.ts';
import { createBudget } from '../../src/recovery/budget.ts';
import { resolvePolicy } from '../../src/recovery/policy.ts';

const policy = resolvePolicy();
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('waits', () => {
  test('back-off is full jitter under a doubling, capped ceiling', () => {
    fc.assert(
      fc.property(fc.nat(100), chance, (n, random) => {
        const ceiling = Math.min(30_000, 500 * 2 ** n);
        const ms = backoffMs(n, random, policy);
        expect(ms).toBeGreaterThanOrEqual(0);
        expect(ms).toBeLessThanOrEqual(ceiling);
        expect(backoffMs(n, random, policy, true)).toBeLessThanOrEqual(2 * ceiling);
      }),
    );
    expect(backoffMs(0, 0.5, policy)).toBe(250);
    expect(backoffMs(3, 0.5, policy)).toBe(2000);
  });
  test('a stated wait is never shortened and at most a second longer', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), chance, (wait, random) => {
        expect(statedWaitMs(wait, random)).toBeGreaterThanOrEqual(wait);
        expect(statedWaitMs(wait, random)).toBeLessThanOrEqual(wait + Math.min(1000, wait) + 1);
      }),
    );
  });
  test('polls grow from one second to ten', () => {
    expect(pollWaitMs(0, 1, policy)).toBe(1000);
    expect(pollWaitMs(9, 1, policy)).toBe(10_000);
    expect(pollWaitMs(9, 0, policy)).toBe(7_500);
  });
});

describe('the budget', () => {
  const me = {};
  const other = {};

  test('ten moves in a rolling minute, an endpoint for itself', () => {
    const budget = createBudget({ moves: 10, perMs: 60_000 });
    for (let i = 0; i < 10; i += 1) {
      expect(budget.waitMs('/a', i * 1000, me)).toBe(0);
      budget.spend('/a', i * 1000);
    }
    expect(budget.waitMs('/a', 10_000, me)).toBe(50_000);
    expect(budget.waitMs('/b', 10_000, me)).toBe(0);
    expect(budget.waitMs('/a', 60_000, me)).toBe(0);
  });

  test('who stands in line is told a time of its own', () => {
    const budget = createBudget({ moves: 2, perMs: 60_000 });
    budget.spend('/a', 0);
    budget.spend('/a', 5_000);
    const line = Array.from({ length: 5 }, () => ({}));
    for (const who of line) budget.queue('/a', who);
    const waits = line.map((who) => budget.waitMs('/a', 10_000, who));
    expect(waits).toEqual([50_000, 55_000, 110_000, 115_000, 170_000]);
    expect(budget.waitMs('/a', 10_000, me)).toBe(175_000);
  });

  test('a place that is left moves the others up, and standing in line twice is standing once', () => {
    const budget = createBudget({ moves: 1, perMs: 60_000 });
    budget.spend('/a', 0);
    for (const who of [other, other, me]) budget.queue('/a', who);
    expect(budget.waitMs('/a', 0, me)).toBe(120_000);
    budget.leave(other);
    expect(budget.waitMs('/a', 0, me)).toBe(60_000);
    expect(budget.waitMs('/a', 60_000, me)).toBe(0);
  });

  test('who comes later waits behind the line even where a move is free', () => {
    const budget = createBudget({ moves: 1, perMs: 60_000 });
    budget.queue('/a', other);
    expect(budget.waitMs('/a', 0, other)).toBe(0);
    expect(budget.waitMs('/a', 0, me)).toBe(60_000);
  });

  test('a budget of no moves lets none go', () => {
    expect(createBudget({ moves: 0, perMs: 60_000 }).waitMs('/a', 0, me)).toBe(
      Number.POSITIVE_INFINITY,
    );
  });

  test('no line and no window ever lets more moves go than it says', () => {
    const steps = fc.array(
      fc.record({ who: fc.nat(5), after: fc.nat(30_000), stays: fc.boolean() }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 4 }), (list, moves) => {
        const budget = createBudget({ moves, perMs: 60_000 });
        const chats = Array.from({ length: 6 }, () => ({}));
        const went: number[] = [];
        let mono = 0;
        for (const { who, after, stays } of list) {
          mono += after;
          const chat = chats[who] ?? me;
          if (budget.waitMs('/a', mono, chat) === 0) {
            budget.spend('/a', mono);
            budget.leave(chat);
            went.push(mono);
          } else if (stays) budget.queue('/a', chat);
          else budget.leave(chat);
        }
        for (const at of went) {
          const inWindow = went.filter((other) => other <= at && at - other < 60_000);
          expect(inWindow.length).toBeLessThanOrEqual(moves);
        }
      }),
    );
  });
});

describe('the breaker', () => {
  const me = {};
  const other = {};
  const open = () => {
    const breaker = createBreaker({ failures: 5, pauseMs: 30_000 });
    for (let i = 0; i < 5; i += 1) breaker.failed('/a', 0);
    return breaker;
  };

  test('opens after five failures in a row, lets one probe through, and closes on any sign of life', () => {
    const breaker = createBreaker({ failures: 5, pauseMs: 30_000 });
    for (let i = 0; i < 4; i += 1) breaker.failed('/a', 0);
    expect(breaker.waitMs('/a', 0, me)).toBe(0);
    breaker.failed('/a', 1000);
    expect(breaker.waitMs('/a', 1000, me)).toBe(30_000);
    expect(breaker.probes('/a', 1000)).toBe(false);
    expect(breaker.waitMs('/a', 31_000, me)).toBe(0);
    expect(breaker.probes('/a', 31_000)).toBe(true);
    breaker.failed('/a', 31_000);
    expect(breaker.waitMs('/a', 31_000, me)).toBe(30_000);
    breaker.alive('/a');
    expect(breaker.waitMs('/a', 31_000, me)).toBe(0);
    expect(breaker.probes('/a', 31_000)).toBe(false);
  });

  test('one of many probes, and the others wait for what comes of it', () => {
    const breaker = open();
    breaker.claim('/a', 30_000, me);
    expect(breaker.waitMs('/a', 30_000, me)).toBe(0);
    expect(breaker.waitMs('/a', 30_000, other)).toBe(30_000);
    breaker.failed('/a', 35_000);
    expect(breaker.waitMs('/a', 35_000, me)).toBe(30_000);
    breaker.claim('/a', 65_000, other);
    expect(breaker.waitMs('/a', 65_000, me)).toBe(30_000);
    breaker.alive('/a');
    expect(breaker.waitMs('/a', 65_000, me)).toBe(0);
  });

  test('a probe that is given up, or that never ends, lets another go', () => {
    const breaker = open();
    breaker.claim('/a', 30_000, other);
    breaker.release(other);
    expect(breaker.waitMs('/a', 30_000, me)).toBe(0);
    breaker.claim('/a', 30_000, other);
    expect(breaker.waitMs('/a', 59_999, me)).toBe(1);
    expect(breaker.waitMs('/a', 60_000, me)).toBe(0);
  });

  test('another network may be probed at once, by one', () => {
    const breaker = open();
    breaker.reconsider('/a', 10_000);
    expect(breaker.waitMs('/a', 10_000, me)).toBe(0);
    expect(breaker.probes('/a', 10_000)).toBe(true);
    breaker.claim('/a', 10_000, me);
    breaker.reconsider('/a', 11_000);
    expect(breaker.waitMs('/a', 11_000, other)).toBe(29_000);
  });

  test('who waits hears when a probe has ended, and nothing of failures during a pause', () => {
    const breaker = open();
    const heard: string[] = [];
    const forget = breaker.onChange((endpoint, change) => heard.push(`${endpoint} ${change}`));
    breaker.failed('/a', 1_000);
    expect(heard).toEqual([]);
    breaker.claim('/a', 31_000, me);
    breaker.failed('/a', 31_000);
    breaker.claim('/a', 61_000, me);
    breaker.release(me);
    breaker.alive('/a');
    expect(heard).toEqual(['/a other', '/a other', '/a alive']);
    forget();
    breaker.alive('/a');
    expect(heard).toHaveLength(3);
  });
});

describe('the policy', () => {
  test.each([
    ['a negative wait', { idleMs: -1 }],
    ['a limit that is not a number', { repeats: Number.NaN }],
    ['an endless budget window', { budget: { moves: 1, perMs: Number.POSITIVE_INFINITY } }],
    ['an `allow` that is no function', { allow: 'always' as never }],
  ])('%s is refused at once, in three parts', (_name, given) => {
    expect(() => resolvePolicy(given)).toThrow(/^\[helix-chat\] .+\. .+\. Give .+\.$/);
  });
});
