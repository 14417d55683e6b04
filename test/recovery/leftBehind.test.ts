import { describe, expect, test } from 'vitest';
import { leftoversOf } from '../../src/recovery/leftover.ts';
import { type Entry, initialModel, type Model, type Turn } from '../../src/recovery/model.ts';
import { testTurn, textMessage } from './fixtures.ts';

const turnOf = (id: number, change: Partial<Turn> = {}): Turn =>
  testTurn({ id, message: textMessage(`m${id}`, 'x'), ...change });
const entryOf = (
  id: number,
  pending: Partial<Entry['pending']>,
  change: Partial<Turn> = {},
): Entry => {
  const turn = turnOf(id, change);
  const message = textMessage(`m${id}`, 'x');
  return { pending: { id: message.id, message, state: 'failed', ...pending }, turn, newKey: true };
};

/** What would be lost, in words. */
const left = (change: Partial<Model>): readonly string[] =>
  leftoversOf(
    { ...initialModel(true), ...change },
    {
      keyOf: ({ id }) => `key ${id}`,
      memoryOf: ({ id }) => ({ stood: [`before ${id}`], print: undefined }),
    },
  ).map(({ left: { entry, key, stood }, going, unclear }) =>
    [
      `${entry.pending.id} ${entry.pending.state} ${key}`,
      stood?.join() ?? 'nothing stood',
      `going ${going}, unclear ${unclear}, its act unclear ${entry.turn.unclear}`,
      `message ${entry.pending.message.id}`,
      `new key ${entry.newKey}`,
    ].join('; '),
  );

const told = (id: string, n: number, rest: string): string =>
  `${id} parked key ${n}; before m${n}; ${rest}`;

describe('what a chat that goes would lose', () => {
  test('nothing of a chat at rest', () => {
    expect(left({})).toEqual([]);
  });

  test('the message on its way, which may arrive from the moment its request is out', () => {
    const turn = turnOf(1);
    const end = 'message m1; new key false';
    expect(left({ turn })).toEqual([
      told('m1', 1, `going true, unclear false, its act unclear false; ${end}`),
    ]);
    expect(left({ turn, job: { at: 'requesting' } })).toEqual([
      told('m1', 1, `going true, unclear false, its act unclear true; ${end}`),
    ]);
    expect(left({ turn: { ...turn, unclear: true } })).toEqual([
      told('m1', 1, `going true, unclear true, its act unclear true; ${end}`),
    ]);
  });

  test('not one that the server has taken, and no act without a message', () => {
    expect(left({ turn: turnOf(1, { accepted: true }) })).toEqual([]);
    expect(left({ turn: testTurn({ kind: 'regenerate', message: undefined }) })).toEqual([]);
  });

  test('the edit that waits for the end of a run, under a name of its own, and not as one that is out', () => {
    const after = turnOf(2, { kind: 'edit', entryId: 'e2' });
    const end = 'going true, unclear false, its act unclear false; message e2; new key false';
    expect(left({ after, job: { at: 'requesting' } })).toEqual([told('e2', 2, end)]);
  });

  test('what is pending, in its state, and whether it goes by itself', () => {
    const held = entryOf(3, { state: 'held', cause: 'own-run' });
    const failed = entryOf(4, {}, { unclear: true });
    expect(left({ queue: [held, failed] })).toEqual([
      'm3 held key 3; before m3; going true, unclear false, its act unclear false; message m3; new key true',
      'm4 failed key 4; before m4; going false, unclear true, its act unclear true; message m4; new key true',
    ]);
  });

  test('nothing is remembered of a pending act that has no message', () => {
    const [line] = left({ queue: [entryOf(3, {}, { message: undefined })] });
    expect(line).toContain('nothing stood');
  });
});
