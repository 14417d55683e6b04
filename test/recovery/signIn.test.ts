import { describe, expect, test } from 'vitest';
import { createSignIn } from '../../src/recovery/signIn.ts';

/** Chats that ask, with every question that reached the app. */
function asked() {
  const signIn = createSignIn();
  const questions: { who: string; say: (ok: boolean) => void; fail: () => void }[] = [];
  const told: string[] = [];
  let now = 1_000;
  const whos = new Map<string, object>();
  const whoOf = (name: string): object => {
    const who = whos.get(name) ?? {};
    whos.set(name, who);
    return who;
  };
  const ask = (name: string, of = 'app', since = 0): void => {
    const question = () =>
      new Promise<boolean>((say, reject) => {
        questions.push({ who: name, say, fail: () => reject(new Error('closed')) });
      });
    void signIn
      .ask({ of, who: whoOf(name), since, mono: () => now, question })
      .then((ok) => told.push(`${name} ${ok}`));
  };
  return {
    ...{ ask, questions, told },
    leave: (name: string) => signIn.leave(whoOf(name)),
    at(ms: number) {
      now = ms;
    },
    settled: () => new Promise((resolve) => setImmediate(resolve)),
    askers: () => questions.map(({ who }) => who),
  };
}

describe('a sign-in that several chats need', () => {
  test('is asked for once, and its answer counts for all that wait', async () => {
    for (const ok of [true, false]) {
      const { ask, questions, told, settled, askers } = asked();
      ask('a');
      ask('b');
      expect(askers()).toEqual(['a']);
      questions[0]?.say(ok);
      await settled();
      expect(told).toEqual([`a ${ok}`, `b ${ok}`]);
    }
  });

  test('a question that breaks is a no', async () => {
    const { ask, questions, told, settled } = asked();
    ask('a');
    questions[0]?.fail();
    await settled();
    expect(told).toEqual(['a false']);
  });

  test('sign-ins of another name are asked for by themselves', async () => {
    const { ask, questions, told, settled, askers } = asked();
    ask('a', 'one');
    ask('b', 'two');
    expect(askers()).toEqual(['a', 'b']);
    questions[1]?.say(true);
    await settled();
    expect(told).toEqual(['b true']);
  });

  test('a request from before the renewal goes again without a question, a later one asks', async () => {
    const { ask, questions, told, at, settled, askers } = asked();
    ask('a');
    at(5_000);
    questions[0]?.say(true);
    await settled();
    ask('b', 'app', 4_999);
    await settled();
    expect(told).toEqual(['a true', 'b true']);
    ask('c', 'app', 5_000);
    ask('d', 'other', 4_999);
    expect(askers()).toEqual(['a', 'c', 'd']);
  });

  test('a no renews nothing: the next request asks again', async () => {
    const { ask, questions, settled, askers } = asked();
    ask('a');
    questions[0]?.say(false);
    await settled();
    ask('b');
    expect(askers()).toEqual(['a', 'b']);
  });
});

describe('a chat that leaves', () => {
  test('takes its question with it: the next one that waits asks, and the old answer counts no more', async () => {
    const { ask, leave, questions, told, settled, askers } = asked();
    ask('a');
    ask('b');
    ask('c');
    leave('a');
    expect(askers()).toEqual(['a', 'b']);
    questions[0]?.say(false);
    await settled();
    expect(told).toEqual([]);
    questions[1]?.say(true);
    await settled();
    expect(told).toEqual(['b true', 'c true']);
  });

  test('and did not ask itself leaves the question as it is', async () => {
    const { ask, leave, questions, told, settled, askers } = asked();
    ask('a');
    ask('b');
    leave('b');
    expect(askers()).toEqual(['a']);
    questions[0]?.say(true);
    await settled();
    expect(told).toEqual(['a true']);
  });

  test('as the last one ends it all: another chat asks anew', async () => {
    const { ask, leave, questions, told, settled, askers } = asked();
    ask('a');
    leave('a');
    ask('b');
    expect(askers()).toEqual(['a', 'b']);
    questions[0]?.say(true);
    await settled();
    expect(told).toEqual([]);
    questions[1]?.say(true);
    await settled();
    expect(told).toEqual(['b true']);
  });
});
