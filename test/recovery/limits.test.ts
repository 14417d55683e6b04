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
  test('ten moves in a rolling minute, an endpoint for itself', () => {
    const budget = createBudget({ moves: 10, perMs: 60_000 });
    for (let i = 0; i < 10; i += 1) {
      expect(budget.waitMs('/a', i * 1000)).toBe(0);
      budget.spend('/a', i * 1000);
    }
    expect(budget.waitMs('/a', 10_000)).toBe(50_000);
    expect(budget.waitMs('/b', 10_000)).toBe(0);
    expect(budget.waitMs('/a', 60_000)).toBe(0);
  });
});

describe('the breaker', () => {
  test('opens after five failures in a row, lets one probe through, and closes on any sign of life', () => {
    const breaker = createBreaker({ failures: 5, pauseMs: 30_000 });
    for (let i = 0; i < 4; i += 1) breaker.failed('/a', 0);
    expect(breaker.waitMs('/a', 0)).toBe(0);
    breaker.failed('/a', 1000);
    expect(breaker.waitMs('/a', 1000)).toBe(30_000);
    expect(breaker.waitMs('/a', 31_000)).toBe(0);
    breaker.failed('/a', 31_000);
    expect(breaker.waitMs('/a', 31_000)).toBe(30_000);
    breaker.alive('/a');
    expect(breaker.waitMs('/a', 31_000)).toBe(0);
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
