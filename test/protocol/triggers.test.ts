import { describe, expect, test } from 'vitest';
import {
  attemptSupersededPart,
  DEFAULT_TRIGGERS,
  isTransientControlPart,
  readRejections,
  readRun,
  readTrigger,
  resumeRejectedPart,
  resyncPart,
  runPart,
} from '../../src/protocol/triggers.ts';

describe('a re-anchor trigger', () => {
  test('comes back as it was written', () => {
    const data = { runId: 'r1', step: 2, supersededAttemptId: 'a1', attemptId: 'a2' };
    expect(readTrigger(attemptSupersededPart(data))).toEqual({
      name: 'data-attempt-superseded',
      ...data,
    });
    expect(readTrigger(resyncPart({ reason: 'edited' }))).toEqual({
      name: 'data-resync',
      reason: 'edited',
    });
  });

  test('is one without a payload too', () => {
    expect(readTrigger({ type: 'data-attempt-superseded' })).toEqual({
      name: 'data-attempt-superseded',
    });
    expect(readTrigger(attemptSupersededPart())).toEqual({ name: 'data-attempt-superseded' });
  });

  test('has the names that are given', () => {
    expect(readTrigger({ type: 'reset-step' })).toBeUndefined();
    expect(readTrigger({ type: 'reset-step' }, [...DEFAULT_TRIGGERS, 'reset-step'])).toEqual({
      name: 'reset-step',
    });
    expect(readTrigger(resyncPart(), ['data-mine'])).toBeUndefined();
  });

  test('drops fields of the wrong type', () => {
    const data = { attemptId: 7, runId: '', step: 'two', reason: null };
    expect(readTrigger({ type: 'data-resync', data })).toEqual({ name: 'data-resync' });
  });
});

describe('whose run a stream is', () => {
  test('comes back as it was written', () => {
    const run = { runId: 'r1', attemptId: 'a1', step: 0 };
    expect(readRun(runPart(run))).toEqual(run);
    expect(readRun(runPart({ runId: 'r1' }))).toEqual({ runId: 'r1' });
  });

  test.each([
    { type: 'data-run' },
    { type: 'data-run', data: { runId: '' } },
    { type: 'data-run', data: { runId: 7 } },
    { type: 'text-delta', data: { runId: 'r1' } },
    null,
    'data-run',
  ])('is not said by %j', (chunk) => {
    expect(readRun(chunk)).toBeUndefined();
  });
});

describe('answers that did not apply', () => {
  test('come back as they were written', () => {
    const rejections = [
      { toolCallId: 'c1', reason: 'unknown' },
      { toolCallId: 'c2', reason: '' },
    ];
    expect(readRejections(resumeRejectedPart(rejections))).toEqual(rejections);
  });

  test('without a call are left out', () => {
    const data = { rejections: [{ reason: 'x' }, null, { toolCallId: 'c1' }] };
    expect(readRejections({ type: 'data-resume-rejected', data })).toEqual([
      { toolCallId: 'c1', reason: '' },
    ]);
  });

  test('are in no other chunk', () => {
    expect(readRejections({ type: 'data-other', data: { rejections: [] } })).toBeUndefined();
  });
});

test.each([
  ['data-attempt-superseded', true],
  ['data-resync', true],
  ['data-run', true],
  ['data-resume-rejected', true],
  ['data-helix-error', true],
  ['data-weather', false],
  ['text-delta', false],
  ['error', false],
])('%s steers: %s', (type, steers) => {
  expect(isTransientControlPart(type)).toBe(steers);
});

test('every part that steers is transient', () => {
  const parts = [
    attemptSupersededPart(),
    resyncPart(),
    runPart({ runId: 'r' }),
    resumeRejectedPart([]),
  ];
  for (const part of parts) {
    expect(part.transient).toBe(true);
    expect(isTransientControlPart(part.type)).toBe(true);
  }
});
