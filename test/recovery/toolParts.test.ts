import { describe, expect, test } from 'vitest';
import { createAnswers } from '../../src/recovery/answers.ts';
import { canonical } from '../../src/recovery/canonical.ts';
import type { ChatMessage } from '../../src/recovery/ports.ts';
import {
  answerFate,
  answersIn,
  standsAtCall,
  type ToolPart,
  toolPartOf,
  toolPartsOf,
} from '../../src/recovery/toolParts.ts';

const call = (toolCallId: string, state: string, more: object = {}): ToolPart => ({
  type: 'tool-ask',
  toolCallId,
  state,
  ...more,
});
const reply = (...parts: readonly { readonly type: string }[]): ChatMessage => ({
  id: 'a1',
  role: 'assistant',
  parts,
});
const question: ChatMessage = { id: 'u1', role: 'user', parts: [{ type: 'text' }] };

describe('a tool call in a message', () => {
  test.each([
    ['static', call('t1', 'input-available'), true],
    ['dynamic', { ...call('t1', 'input-available'), type: 'dynamic-tool' }, true],
    ['a text', { type: 'text', toolCallId: 't1', state: 'done' }, false],
    ['without an id', { type: 'tool-ask', state: 'input-available' }, false],
    ['without a state', { type: 'tool-ask', toolCallId: 't1' }, false],
    ['with an id that is none', { type: 'tool-ask', toolCallId: 1, state: 'x' }, false],
  ])('is known by its shape: %s', (_name, part, is) => {
    expect(toolPartOf(part) !== undefined).toBe(is);
  });

  test('stands among all of a conversation, in order', () => {
    const messages = [question, reply(call('t1', 'x'), { type: 'text' }), reply(call('t2', 'x'))];
    expect(toolPartsOf(messages).map(({ toolCallId }) => toolCallId)).toEqual(['t1', 't2']);
  });
});

describe('a conversation stands at a call', () => {
  test.each([
    ['that waits for an output', [question, reply(call('t1', 'input-available'))], true],
    ['that waits for leave', [question, reply(call('t1', 'approval-requested'))], true],
    ['whose input is still written', [question, reply(call('t1', 'input-streaming'))], false],
    [
      'that the server runs',
      [reply(call('t1', 'input-available', { providerExecuted: true }))],
      false,
    ],
    ['that is answered', [question, reply(call('t1', 'output-available'))], false],
    ['that a message follows', [reply(call('t1', 'input-available')), question], false],
    ['of none', [], false],
  ])('%s: %s', (_name, messages, stands) => {
    expect(standsAtCall(messages)).toBe(stands);
  });
});

test('a submit answers the calls of the last reply that have an answer', () => {
  const states = [
    'input-available',
    'output-available',
    'output-error',
    'output-denied',
    'approval-responded',
    'approval-requested',
  ];
  const parts = states.map((state) => call(state, state));
  const { targetId, answers } = answersIn([
    reply(call('old', 'output-available')),
    reply(...parts),
  ]);
  expect(targetId).toBe('a1');
  expect(answers.map(({ toolCallId }) => toolCallId)).toEqual(states.slice(1, 5));
  expect(answersIn([reply(...parts), question])).toEqual({ targetId: 'u1', answers: [] });
  expect(answersIn([])).toEqual({ targetId: undefined, answers: [] });
});

describe('what became of answers', () => {
  const yes = call('t1', 'output-available', { output: { a: 1, b: [undefined, 2] } });
  const fate = (ours: readonly ToolPart[], ...theirs: ToolPart[]) =>
    answerFate(ours, [question, reply(...theirs)]);

  test('none were given', () => {
    expect(fate([], yes)).toBeUndefined();
  });

  test.each(['input-streaming', 'input-available', 'approval-requested'])('open: %s', (state) => {
    expect(fate([yes], call('t1', state))).toEqual({ fate: 'open', calls: ['t1'] });
  });

  test.each([
    ['the same after the wire', yes, { ...yes, output: { b: [null, 2], a: 1 } }, 'taken'],
    ['another output', yes, { ...yes, output: 'no' }, 'other'],
    ['an error instead', yes, call('t1', 'output-error', { errorText: 'x' }), 'other'],
    [
      'another error',
      call('t1', 'output-error', { errorText: 'x' }),
      call('t1', 'output-error', { errorText: 'y' }),
      'other',
    ],
    [
      'leave that was given, and used',
      call('t1', 'approval-responded', { approval: { id: 'l', approved: true } }),
      call('t1', 'output-available', { approval: { id: 'l', approved: true }, output: 1 }),
      'taken',
    ],
    [
      'leave that another refused',
      call('t1', 'approval-responded', { approval: { id: 'l', approved: true } }),
      call('t1', 'output-denied', { approval: { id: 'l', approved: false } }),
      'other',
    ],
    [
      'leave that was refused, told by the state alone',
      call('t1', 'approval-responded', { approval: { id: 'l', approved: false } }),
      call('t1', 'output-denied'),
      'taken',
    ],
    [
      'leave of which nothing is said',
      call('t1', 'approval-responded', { approval: { id: 'l', approved: true } }),
      call('t1', 'output-available', { output: 1 }),
      'other',
    ],
    ['a call that is gone', yes, call('t2', 'output-available'), 'other'],
  ])('%s', (_name, ours, theirs, expected) => {
    expect(fate([ours], theirs)).toEqual({ fate: expected, calls: ['t1'] });
  });

  test('one that is waited for decides, then one that did not apply', () => {
    const [t2, t3] = [
      { ...yes, toolCallId: 't2' },
      { ...yes, toolCallId: 't3' },
    ];
    const other = call('t2', 'output-available', { output: 'no' });
    expect(fate([yes, t2, t3], yes, other, call('t3', 'input-available'))).toEqual({
      fate: 'open',
      calls: ['t3'],
    });
    expect(fate([yes, t2], yes, other)).toEqual({ fate: 'other', calls: ['t2'] });
    expect(fate([yes, t2], yes, t2)).toEqual({ fate: 'taken', calls: ['t1', 't2'] });
  });
});

describe('answers that are kept', () => {
  const output = (toolCallId: string, value: unknown = 'yes') =>
    ({ toolCallId, state: 'output-available', output: value, errorText: undefined }) as const;
  const leave = (approvalId: string, approved = true) =>
    ({ approvalId, approved, reason: undefined }) as const;
  const open = reply(call('t1', 'input-available', { input: 1 }), { type: 'text' });
  const asks = reply(call('t2', 'approval-requested', { approval: { id: 'l2', note: 'n' } }));

  test('stand wherever their call stands open, and nothing else changes', () => {
    const answers = createAnswers();
    answers.note(output('t1'), undefined);
    answers.note(leave('l2', false), undefined);
    const messages = [question, open, asks];
    const [first, second, third] = answers.apply(messages);
    expect(first).toBe(question);
    expect(second?.parts[0]).toMatchObject({ input: 1, state: 'output-available', output: 'yes' });
    expect(second?.parts[1]).toBe(open.parts[1]);
    expect(third?.parts[0]).toMatchObject({
      state: 'approval-responded',
      approval: { id: 'l2', note: 'n', approved: false },
    });
  });

  test.each([
    ['answered', call('t1', 'output-error')],
    ['of which the input is still written', call('t1', 'input-streaming')],
    ['that the server runs', call('t1', 'input-available', { providerExecuted: true })],
    ['of another id', call('t9', 'input-available')],
    ['for leave, without an id', call('t1', 'approval-requested')],
  ])('leave a call alone that is %s', (_name, part) => {
    const answers = createAnswers();
    answers.note(output('t1'), undefined);
    const messages = [reply(part)];
    expect(answers.apply(messages)).toBe(messages);
  });

  test('leave every message as it is where there are none', () => {
    const messages = [open];
    expect(createAnswers().apply(messages)).toBe(messages);
  });

  test('are fresh until they go, in the last reply only', () => {
    const answers = createAnswers();
    expect(answers.fresh([open])).toBe(false);
    answers.note(output('t1'), { headers: 1 });
    expect(answers.fresh([open])).toBe(true);
    expect(answers.fresh([open, question])).toBe(false);
    expect(answers.fresh([open, asks])).toBe(false);
    expect(answers.request([open])).toEqual({ headers: 1 });
    answers.going(toolPartsOf([open]));
    expect(answers.fresh([open])).toBe(false);
    expect(answers.request([open])).toBeUndefined();
    expect(answers.holds(call('t1', 'input-available'))).toBe(true);
    answers.note(output('t1', 'no'), undefined);
    expect(answers.fresh([open])).toBe(true);
    expect(answers.apply([open])[0]?.parts[0]).toMatchObject({ output: 'no' });
  });

  test('tell the request of the freshest', () => {
    const answers = createAnswers();
    const both = reply(call('t1', 'input-available'), call('t3', 'input-available'));
    answers.note(output('t1'), 'first');
    answers.note(output('t3'), 'second');
    answers.note(output('t1'), 'third');
    expect(answers.request([both])).toBe('third');
  });

  test('are forgotten once the server has them', () => {
    const answers = createAnswers();
    answers.note(output('t1'), undefined);
    answers.note(leave('l2'), undefined);
    answers.forget([call('t2', 'output-available', { approval: { id: 'l2' } })]);
    expect(answers.holds(call('t2', 'x', { approval: { id: 'l2' } }))).toBe(false);
    expect(answers.holds(call('t1', 'x'))).toBe(true);
    answers.forget([call('t1', 'output-available')]);
    expect(answers.holds(call('t1', 'x'))).toBe(false);
  });
});

describe('a value as text', () => {
  test.each([
    [{ b: 1, a: { d: 2, c: 3 } }, '{"a":{"c":3,"d":2},"b":1}'],
    [{ a: undefined }, '{}'],
    [[undefined, 1], '[null,1]'],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [null, 'null'],
    ['x', '"x"'],
    [undefined, 'undefined'],
  ])('%j', (value, text) => {
    expect(canonical(value)).toBe(text);
  });

  test('never throws', () => {
    const ring: Record<string, unknown> = {};
    ring.self = ring;
    expect(canonical(ring)).toBe('[object Object]');
    expect(canonical(10n)).toBe('10');
  });
});
