import { allAdapters } from '../../src/adapters/allAdapters.ts';
import type { HelixError } from '../../src/errors/HelixError.ts';
import { toHelixError } from '../../src/errors/toHelixError.ts';

/** The tests' wall clock: 2026-11-30T17:18:32.910Z. */
export const NOW = Date.UTC(2026, 10, 30, 17, 18, 32, 910);

/** A foreign failure through the funnel with every adapter. */
export const decode = (value: unknown): HelixError =>
  toHelixError(value, { adapters: allAdapters, now: NOW });

/** What a table compares: the code, the flag, and the reason where there is one. */
export function reading(value: unknown): readonly unknown[] {
  const { code, retryable, reason } = decode(value);
  return reason === undefined ? [code, retryable] : [code, retryable, reason];
}

/** An answer with a JSON body, as a proxy passes it on. */
export const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

/** A 200 whose body is an event stream of these values. */
export const events = (parts: readonly unknown[], headers: Record<string, string> = {}) => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream', ...headers },
  body: parts.map((part) => `data: ${JSON.stringify(part)}\n\n`).join(''),
});

/** An error as it is while it is alive: its fields on an Error, its name by a getter of its class. */
export function live(fields: Record<string, unknown>): Error {
  const { name, message, ...own } = fields;
  const error = new Error(typeof message === 'string' ? message : '');
  Object.defineProperty(error, 'name', { value: name, configurable: true });
  return Object.assign(error, own);
}
