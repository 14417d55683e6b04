import { afterEach, beforeEach, expect } from 'vitest';

/** Any stray console output fails the test that made it. A test that expects some replaces the method itself. */
const methods = ['error', 'warn'] as const;
const original = { error: console.error, warn: console.warn };
let stray: string[] = [];

beforeEach(() => {
  stray = [];
  for (const method of methods) {
    console[method] = (...values: unknown[]) => {
      stray.push(`${method}: ${values.map(String).join(' ')}`);
    };
  }
});

afterEach(() => {
  for (const method of methods) console[method] = original[method];
  expect(stray).toEqual([]);
});
