import { describe, expect, test } from 'vitest';
import { createAnswers } from '../../src/recovery/answers.ts';
import type { ChatMessage } from '../../src/recovery/ports.ts';
import type { ToolPart } from '../../src/recovery/toolParts.ts';

const call = (toolCallId: string, state = 'input-available', more: object = {}): ToolPart => ({
  ...{ type: 'tool-ask', toolCallId, state },
  ...more,
});
const approval = (toolCallId: string, id: string): ToolPart =>
  call(toolCallId, 'approval-requested', { approval: { id, isAutomatic: false } });
const reply = (...parts: readonly { readonly type: string }[]): ChatMessage => ({
  ...{ id: 'a1', role: 'assistant' },
  parts,
});
const output = (toolCallId: string, value: unknown) =>
  ({ toolCallId, state: 'output-available', output: value, errorText: undefined }) as const;

describe('answers that were given here', () => {
  test('stand in the calls that the client runs, with their outcome', () => {
    const answers = createAnswers();
    answers.note(output('t1', 1), undefined);
    const failed = { state: 'output-error', output: undefined, errorText: 'broke' } as const;
    answers.note({ toolCallId: 't2', ...failed }, undefined);
    const [message] = answers.apply([reply(call('t1'), call('t2'), call('t3'))]);
    expect(message?.parts).toEqual([
      call('t1', 'output-available', { output: 1, errorText: undefined }),
      call('t2', 'output-error', { output: undefined, errorText: 'broke' }),
      call('t3'),
    ]);
  });

  test('stand in no call that streams, is answered, or that the server runs', () => {
    const answers = createAnswers();
    answers.note(output('t1', 1), undefined);
    for (const part of [
      call('t1', 'input-streaming'),
      call('t1', 'output-available', { output: 0 }),
      call('t1', 'input-available', { providerExecuted: true }),
    ]) {
      const messages = [reply(part)];
      expect(answers.apply(messages)).toBe(messages);
    }
  });

  test('words on approvals stand in the calls that ask for them, beside what the approval says already', () => {
    const answers = createAnswers();
    answers.note({ approvalId: 'p1', approved: false, reason: 'no' }, undefined);
    const [message] = answers.apply([reply(approval('t1', 'p1'), approval('t2', 'p2'))]);
    const said = { id: 'p1', isAutomatic: false, approved: false, reason: 'no' };
    expect(message?.parts).toEqual([
      call('t1', 'approval-responded', { approval: said }),
      approval('t2', 'p2'),
    ]);
    const other = [reply(call('t1', 'input-available', { approval: { id: 'p1' } }))];
    expect(answers.apply(other)).toBe(other);
  });

  test('an output is no word on an approval of the same name, nor the other way round', () => {
    const answers = createAnswers();
    answers.note(output('p1', 1), undefined);
    answers.note({ approvalId: 't1', approved: true, reason: undefined }, undefined);
    const messages = [reply(call('t1'), approval('t2', 'p1'), { type: 'text' })];
    expect(answers.apply(messages)).toBe(messages);
  });

  test('messages that hold none stay the same objects', () => {
    const answers = createAnswers();
    const messages = [reply(call('t1')), reply(call('t2'))];
    expect(answers.apply(messages)).toBe(messages);
    answers.note(output('t2', 1), undefined);
    const applied = answers.apply(messages);
    expect(applied[0]).toBe(messages[0]);
    expect(applied[1]).not.toBe(messages[1]);
  });
});

describe('an answer is fresh', () => {
  const messages = [reply(call('t1'), approval('t2', 'p2'))];

  test('until it is on its way, and only where the last reply asks for it', () => {
    const answers = createAnswers();
    expect(answers.fresh(messages)).toBe(false);
    answers.note(output('t9', 1), undefined);
    expect(answers.fresh(messages)).toBe(false);
    answers.note(output('t1', 1), undefined);
    expect(answers.fresh(messages)).toBe(true);
    expect(answers.fresh([...messages, { id: 'u1', role: 'user', parts: [] }])).toBe(false);
    expect(answers.fresh([])).toBe(false);
    answers.going([call('t9')]);
    expect(answers.fresh(messages)).toBe(true);
    answers.going([call('t1')]);
    expect(answers.fresh(messages)).toBe(false);
    expect(answers.holds(call('t1'))).toBe(true);
  });

  test('again, once it is given anew', () => {
    const answers = createAnswers();
    answers.note(output('t1', 1), undefined);
    answers.going([call('t1')]);
    answers.note(output('t1', 2), undefined);
    expect(answers.fresh(messages)).toBe(true);
  });

  test('a word on an approval as well', () => {
    const answers = createAnswers();
    answers.note({ approvalId: 'p2', approved: true, reason: undefined }, undefined);
    expect(answers.fresh(messages)).toBe(true);
    answers.going([approval('t2', 'p2')]);
    expect(answers.fresh(messages)).toBe(false);
  });

  test('the options of the freshest go with all of them', () => {
    const answers = createAnswers();
    expect(answers.request(messages)).toBeUndefined();
    answers.note(output('t1', 1), 'first');
    answers.note({ approvalId: 'p2', approved: true, reason: undefined }, 'second');
    expect(answers.request(messages)).toBe('second');
    answers.note(output('t1', 2), 'third');
    expect(answers.request(messages)).toBe('third');
  });
});

describe('an answer is held', () => {
  test('until the server has one', () => {
    const answers = createAnswers();
    answers.note(output('t1', 1), undefined);
    answers.note({ approvalId: 'p2', approved: true, reason: undefined }, undefined);
    expect([call('t1'), approval('t2', 'p2'), call('t3')].map(answers.holds)).toEqual([
      ...[true, true, false],
    ]);
    answers.forget([call('t1')]);
    expect([call('t1'), approval('t2', 'p2')].map(answers.holds)).toEqual([false, true]);
    answers.forget([approval('t2', 'p2')]);
    expect(answers.holds(approval('t2', 'p2'))).toBe(false);
  });
});
