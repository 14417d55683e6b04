import { describe, expect, test } from 'vitest';
import { HelixError, type HelixErrorInit } from '../../src/errors/HelixError.ts';
import {
  decideTrigger,
  isBareLook,
  isEmptyReply,
  isGone,
  readRepeats,
} from '../../src/recovery/decide.ts';
import type { Env } from '../../src/recovery/draft.ts';
import { livenessOf } from '../../src/recovery/liveness.ts';
import { initialModel, type Model } from '../../src/recovery/model.ts';
import { resolvePolicy } from '../../src/recovery/policy.ts';
import type { TurnEnd } from '../../src/transport/turnHost.ts';
import { testEnv, testTurn } from './fixtures.ts';

const streaming: Model = { ...initialModel(true), job: { at: 'streaming' }, own: true };
const routes = (snapshot: Env['routes']['snapshot']): Env =>
  testEnv({ routes: { stream: 'known', snapshot, stop: 'known' } });
const trigger = {
  name: 'data-attempt-superseded',
  attemptId: undefined,
  runId: undefined,
  content: true,
};

describe('a trigger in the stream', () => {
  test.each([
    ['known', 'leave'],
    ['open', 'restart-step'],
    ['absent', 'restart-step'],
  ] as const)('that voids the step, with the conversation %s: %s', (route, expected) => {
    expect(decideTrigger(streaming, trigger, routes(route))).toBe(expected);
    expect(decideTrigger(streaming, { ...trigger, name: 'reset-step' }, routes(route))).toBe(
      expected,
    );
  });

  test.each([
    ['known', 'leave'],
    ['open', 'leave'],
    ['absent', 'ignore'],
  ] as const)('of another kind, with the conversation %s: %s', (route, expected) => {
    expect(decideTrigger(streaming, { ...trigger, name: 'data-reload' }, routes(route))).toBe(
      expected,
    );
  });

  test('a look for the conversation is enough where keys or a run say that it may be there', () => {
    const open = routes('open');
    expect(decideTrigger(streaming, trigger, { ...open, keyed: true })).toBe('leave');
    const run = { ...streaming.run, id: 'run' };
    expect(decideTrigger({ ...streaming, run }, trigger, open)).toBe('leave');
  });

  test('without an attempt it needs content since the last one; with one it acts once', () => {
    const env = routes('known');
    expect(decideTrigger(streaming, { ...trigger, content: false }, env)).toBe('ignore');
    const named = { ...trigger, attemptId: 'x', content: false };
    expect(decideTrigger(streaming, named, env)).toBe('leave');
    expect(decideTrigger({ ...streaming, triggers: ['x'] }, named, env)).toBe('ignore');
    expect(decideTrigger({ ...streaming, triggers: ['y'] }, named, env)).toBe('leave');
  });

  test('it acts on a reply that is read, and on nothing else', () => {
    const env = routes('known');
    const cut = {
      error: new HelixError({}),
      last: 'none',
      progressed: false,
      content: true,
    } as const;
    expect(decideTrigger({ ...streaming, job: { at: 'reconnecting', cut } }, trigger, env)).toBe(
      'leave',
    );
    for (const job of [{ at: 'rest' }, { at: 'requesting' }, { at: 'cut-wait', cut }] as const) {
      expect(decideTrigger({ ...streaming, job }, trigger, env)).toBe('ignore');
    }
  });
});

describe('a route is only looked for', () => {
  test('where nothing says that it is there', () => {
    const route = (name: 'stream' | 'snapshot' | 'stop', knowledge: 'known' | 'open' | 'absent') =>
      testEnv({ routes: { ...testEnv().routes, [name]: knowledge } });
    for (const name of ['stream', 'snapshot', 'stop'] as const) {
      expect(isBareLook(streaming, route(name, 'open'), name)).toBe(true);
      expect(isBareLook(streaming, route(name, 'known'), name)).toBe(false);
      expect(isBareLook(streaming, route(name, 'absent'), name)).toBe(false);
      expect(isBareLook(streaming, { ...route(name, 'open'), keyed: true }, name)).toBe(false);
      const run = { ...streaming.run, id: 'run' };
      expect(isBareLook({ ...streaming, run }, route(name, 'open'), name)).toBe(false);
    }
  });
});

describe('a reply that ends without anything in it', () => {
  const end: TurnEnd = { by: 'finish', finishReason: 'stop', content: false };
  const isEmpty = (model: Partial<Model> = {}, change: Partial<TurnEnd> = {}): boolean =>
    isEmptyReply({ ...streaming, turn: testTurn(), ...model }, { ...end, ...change });

  test('is empty, whether its end has a reason or not', () => {
    expect([isEmpty(), isEmpty({}, { finishReason: undefined })]).toEqual([true, true]);
    expect(isEmpty({}, { content: true })).toBe(false);
  });

  test('is not where it was ended, by a stop or by a reason that says more', () => {
    expect(isEmpty({}, { by: 'abort' })).toBe(false);
    for (const finishReason of ['interrupted', 'content-filter', 'length', 'error']) {
      expect([finishReason, isEmpty({}, { finishReason })]).toEqual([finishReason, false]);
    }
  });

  test('is not where it is another’s, a replay’s, or goes on with what was there', () => {
    expect(isEmpty({ own: false })).toBe(false);
    expect(isEmpty({ job: { at: 'requesting' } })).toBe(false);
    expect(isEmpty({ turn: testTurn({ kind: 'submit' }) })).toBe(false);
    expect(isEmpty({ turn: testTurn({ kind: 'continue', targetId: 'a1' }) })).toBe(false);
    expect(isEmpty({ turn: testTurn({ kind: 'continue' }) })).toBe(true);
    expect(isEmpty({ turn: testTurn({ kind: 'regenerate', targetId: 'a1' }) })).toBe(true);
    expect(isEmpty({ turn: undefined })).toBe(true);
  });
});

describe('how often the conversation is read again', () => {
  const env = testEnv({ policy: resolvePolicy({ repeats: 7 }) });
  const repeats = (init: HelixErrorInit): number => readRepeats(new HelixError(init), env);

  test.each([408, 429, 503])('after %i: as often as a send', (statusCode) => {
    expect(repeats({ statusCode })).toBe(7);
  });
  test('without an answer: as often as a send', () => {
    expect(repeats({ code: 'transport_error' })).toBe(7);
    expect(readRepeats(undefined, env)).toBe(7);
  });
  test.each([500, 502, 504])('after %i: twice', (statusCode) => {
    expect(repeats({ statusCode })).toBe(2);
  });
  test.each([401, 403, 404, 409, 422, 499])('after %i: never', (statusCode) => {
    expect(repeats({ statusCode })).toBe(0);
  });
  test('where its history is incomplete for good: never', () => {
    const incomplete = { code: 'state_history_incomplete', statusCode: 503 } as const;
    expect(repeats({ ...incomplete, retryable: false })).toBe(0);
    expect(repeats({ ...incomplete, retryable: true })).toBe(7);
    expect(repeats({ code: 'provider_overloaded', statusCode: 503, retryable: false })).toBe(7);
  });
});

describe('a stream that cannot be joined', () => {
  test.each([404, 409, 410])('is gone after %i', (status) => {
    expect(isGone(status, undefined)).toBe(true);
  });
  test('is gone after a 503 only where it says so', () => {
    expect(isGone(503, new HelixError({ reason: 'run_not_live' }))).toBe(true);
    expect(isGone(503, new HelixError({}))).toBe(false);
    expect(isGone(503, undefined)).toBe(false);
    expect(isGone(500, new HelixError({ reason: 'run_not_live' }))).toBe(false);
  });
  test.each([undefined, 200, 401, 500])('may be joined later after %s', (status) => {
    expect(isGone(status, undefined)).toBe(false);
  });
});

describe('what an answer says of its server', () => {
  test.each([200, 404, 429, 499])('%i: it lives', (status) => {
    expect(livenessOf(status, undefined)).toBe('alive');
  });
  test('an untyped 5xx comes from whatever stands in front of a dead one, a typed one from a living one', () => {
    expect(livenessOf(500, undefined)).toBe('dead');
    expect(livenessOf(502, new HelixError({ code: 'transport_error' }))).toBe('dead');
    expect(livenessOf(500, new HelixError({ code: 'validation_error' }))).toBe('dead');
    expect(livenessOf(500, new HelixError({ code: 'provider_overloaded' }))).toBe('alive');
  });
  test('no answer: it is dead where the network failed, else nothing is known', () => {
    expect(livenessOf(undefined, new HelixError({ code: 'transport_error' }))).toBe('dead');
    expect(livenessOf(undefined, new HelixError({ code: 'provider_overloaded' }))).toBeUndefined();
    expect(livenessOf(undefined, undefined)).toBeUndefined();
  });
});
