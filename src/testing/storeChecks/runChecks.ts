import type { LogPage } from '../../server/store/chatStore.ts';
import {
  begin,
  finish,
  line,
  logOf,
  message,
  readOf,
  same,
  startOf,
  storeCheck,
  until,
} from './storeCheck.ts';

/** Of a live run: its log, its changes, its lease, its stops, and who hears of them. */
export const runChecks = [
  storeCheck('a log is read in its order, from any position', async ({ store, other, chatId }) => {
    const texts = ['one', 'two \n\n "2"', 'ü🌊\u0000\u2028', '', 'x'.repeat(100_000), '[]', '{}'];
    const kinds = [
      'content',
      'transient',
      'prefix',
      'content',
      'content',
      'content',
      'end',
    ] as const;
    const lines = texts.map((text, at) => line(text, kinds[at]));
    await begin(store, chatId, 'r1', { entries: lines.slice(0, 2) });
    await store.write(chatId, 'r1', { entries: lines.slice(2, 3) });
    await store.write(chatId, 'r1', { entries: lines.slice(3) });
    for (const reader of [store, other]) {
      same(await reader.readLog(chatId, 'r1', 0, 100), { entries: lines, state: 'open' }, 'all');
      const page = await reader.readLog(chatId, 'r1', 2, 3);
      same(page, { entries: lines.slice(2, 5), state: 'open' }, 'a page');
      const none = { entries: [], state: 'open' };
      same(await reader.readLog(chatId, 'r1', 7, 100), none, 'what is to come');
      same((await readOf(reader, chatId)).sequence, 7, 'its length');
    }
  }),

  storeCheck('a log of thousands of lines keeps its order', async ({ store, other, chatId }) => {
    await begin(store, chatId, 'r1', { entries: [] });
    const lines = Array.from({ length: 3_000 }, (_, at) => line(String(at)));
    for (let at = 0; at < lines.length; at += 500) {
      await store.write(chatId, 'r1', { entries: lines.slice(at, at + 500) });
    }
    same((await logOf(other, chatId, 'r1')).length, 3_000, 'its length');
    const page = await other.readLog(chatId, 'r1', 2_998, 10);
    same(page.entries, lines.slice(2_998), 'its last lines');
  }),

  storeCheck('a log is complete with its run’s end, and at its last line only', async (scene) => {
    const { store, other, chatId } = scene;
    await begin(store, chatId, 'r1', { entries: [line('one'), line('two')] });
    same((await other.readLog(chatId, 'r1', 0, 2)).state, 'open', 'a live run’s log');
    const end = { entries: [line('end', 'end')], end: { status: 'ended' } } as const;
    await store.write(chatId, 'r1', end);
    same((await other.readLog(chatId, 'r1', 0, 2)).state, 'open', 'a page before the last line');
    same((await other.readLog(chatId, 'r1', 0, 3)).state, 'complete', 'the page to the last line');
    same((await other.readLog(chatId, 'r1', 3, 3)).state, 'complete', 'what follows the last line');
    same((await readOf(other, chatId)).replayable, true, 'a log that can be replayed');
  }),

  storeCheck('a change is seen whole or not at all', async (scene) => {
    const { store, other, chatId } = scene;
    await begin(store, chatId, 'r1', { entries: [] });
    const seen: { record: unknown; page: LogPage }[] = [];
    let writing = true;
    const watch = async () => {
      for (let turn = 0; writing && turn < 100; turn++) {
        const page = await other.readLog(chatId, 'r1', 0, 10);
        const { run, sequence, messages } = await readOf(other, chatId);
        seen.push({ page, record: [run?.status, sequence, messages.length] });
        await scene.elapse(0);
      }
    };
    const watching = watch();
    await store.write(chatId, 'r1', {
      entries: [line('one'), line('end', 'end')],
      reply: message('reply of r1', 'Hello', 'assistant'),
      end: { status: 'ended' },
    });
    writing = false;
    await watching;
    for (const { page, record } of seen) {
      const shown = [page.entries.length, page.state];
      same(shown, page.entries.length === 0 ? [0, 'open'] : [2, 'complete'], 'the log');
      same(
        [
          ['active', 0, 1],
          ['ended', 2, 2],
        ].some((whole) => String(whole) === String(record)),
        true,
        'the session',
      );
    }
    same((await readOf(other, chatId)).run?.status, 'ended', 'the run');
  }),

  storeCheck('who is not the live run writes nothing', async ({ store, other, chatId }) => {
    await begin(store, chatId, 'r1');
    const change = { entries: [line('stray')], reply: message('a9', 'Stray', 'assistant') };
    same(await other.write(chatId, 'r0', change), { kind: 'fenced' }, 'a run that never was');
    await finish(store, chatId, 'r1');
    same(await other.write(chatId, 'r1', change), { kind: 'fenced' }, 'a run that has ended');
    await begin(store, chatId, 'r2');
    same(await other.write(chatId, 'r1', change), { kind: 'fenced' }, 'a run before this one');
    const { sequence, messages } = await readOf(store, chatId);
    same([sequence, messages.length], [1, 1], 'the session');
  }),

  storeCheck('a numbered change that comes again changes nothing', async (scene) => {
    const { store, other, chatId } = scene;
    await begin(store, chatId, 'r1');
    const first = { number: 1, entries: [line('one')], supersede: true, commit: true } as const;
    const second = { number: 2, entries: [line('two')] };
    const end = { number: 3, entries: [line('end', 'end')], end: { status: 'ended' } } as const;
    for (const change of [first, first, second, first, second, end, end, second]) {
      same((await store.write(chatId, 'r1', change)).kind, 'written', `change ${change.number}`);
      same((await other.write(chatId, 'r1', change)).kind, 'written', `its repeat`);
    }
    const texts = ['start', 'one', 'two'].map((text) => line(text).json);
    same(await logOf(other, chatId, 'r1'), [...texts, line('end').json], 'the log');
    const late = await store.write(chatId, 'r1', { number: 4, entries: [line('late')] });
    same(late, { kind: 'fenced' }, 'a new change after the end');
  }),

  storeCheck('what was not committed is superseded', async ({ store, other, chatId }) => {
    const superseded = async () => (await readOf(other, chatId)).run;
    await begin(store, chatId, 'r1');
    await store.write(chatId, 'r1', { supersede: true, entries: [line('again')] });
    same((await superseded())?.superseded, [], 'nothing that could be');
    await store.write(chatId, 'r1', { entries: [line('lost')] });
    await store.write(chatId, 'r1', { supersede: true, attemptId: 'second', entries: [line('b')] });
    same((await superseded())?.superseded, [[1, 3]], 'the first attempt');
    same((await superseded())?.attemptId, 'second', 'the attempt');
    await store.write(chatId, 'r1', { entries: [line('kept')], commit: true });
    same((await superseded())?.committedTo, 5, 'what is committed');
    await store.write(chatId, 'r1', { entries: [line('lost')] });
    await store.write(chatId, 'r1', { supersede: true, end: { status: 'failed' } });
    same(
      (await superseded())?.superseded,
      [
        [1, 3],
        [5, 6],
      ],
      'both',
    );
  }),

  storeCheck('the reply takes its message’s place, or comes last', async (scene) => {
    const { store, other, chatId } = scene;
    const messages = [message('u1', 'Hi'), message('a1', 'Old', 'assistant'), message('u2', 'So?')];
    await begin(store, chatId, 'r1', { messages });
    await store.write(chatId, 'r1', { reply: message('a2', 'One', 'assistant') });
    await store.write(chatId, 'r1', { reply: message('a2', 'One two', 'assistant') });
    await store.write(chatId, 'r1', { reply: message('a1', 'New', 'assistant') });
    const kept = (await readOf(other, chatId)).messages;
    const expected = [messages[0], message('a1', 'New', 'assistant'), messages[2]];
    same(kept, [...expected, message('a2', 'One two', 'assistant')], 'the transcript');
  }),

  storeCheck('an end is kept with why its reply is over', async ({ store, other, chatId }) => {
    await begin(store, chatId, 'r1');
    await store.write(chatId, 'r1', { end: { status: 'ended', finishReason: 'length' } });
    const { run } = await readOf(other, chatId);
    same([run?.status, run?.finishReason], ['ended', 'length'], 'the run');
    await begin(store, chatId, 'r2');
    const next = (await readOf(other, chatId)).run;
    same([next?.status, next?.finishReason ?? 'none'], ['active', 'none'], 'the next run');
  }),

  storeCheck('an end is kept with its error', async ({ store, other, chatId }) => {
    const error = {
      code: 'provider_overloaded',
      category: 'provider',
      error: 'Busy "now" 🌊',
      retryable: true,
      toolCallIds: [],
    } as const;
    await begin(store, chatId, 'r1');
    await store.write(chatId, 'r1', { end: { status: 'failed', error } });
    const { run } = await readOf(other, chatId);
    same([run?.status, run?.error], ['failed', error], 'the run');
    for (const status of ['paused', 'interrupted', 'failed', 'ended'] as const) {
      await begin(store, chatId, status);
      await store.write(chatId, status, { end: { status } });
      const after = (await readOf(other, chatId)).run;
      same([after?.status, after?.error ?? 'none'], [status, 'none'], 'a run without an error');
    }
  }),

  storeCheck('a lease ends by the store’s clock, and a change renews it', async (scene) => {
    const { store, other, chatId, elapse } = scene;
    const left = async () => (await readOf(other, chatId)).run?.leaseLeftMs ?? 0;
    await begin(store, chatId, 'r1', { leaseMs: 20 });
    await elapse(30);
    same((await left()) <= 0, true, 'a lease that has ended');
    same((await store.write(chatId, 'r1', {})).kind, 'written', 'a sign of life without a lease');
    same((await left()) <= 0, true, 'the lease after it');
    same((await store.write(chatId, 'r1', { leaseMs: 60_000 })).kind, 'written', 'a renewal');
    const renewed = await left();
    same(renewed > 0 && renewed <= 60_000, true, 'the lease after that');
    await store.write(chatId, 'r1', { number: 1, leaseMs: 20, entries: [line('one')] });
    await elapse(30);
    same((await left()) <= 0, true, 'a lease that was made shorter');
  }),

  storeCheck('a run is marked lost once its lease has ended, by one of many', async (scene) => {
    const { store, other, chatId, elapse } = scene;
    const lost = {
      onlyIfLost: true,
      entries: [line('lost', 'end')],
      end: { status: 'failed' },
    } as const;
    await begin(store, chatId, 'r1');
    same(await other.write(chatId, 'r1', lost), { kind: 'fenced' }, 'a run that is live');
    same((await readOf(store, chatId)).run?.status, 'active', 'that run');
    await store.write(chatId, 'r1', { leaseMs: 20 });
    await elapse(30);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => (at % 2 ? store : other).write(chatId, 'r1', lost)),
    );
    same(answers.filter(({ kind }) => kind === 'written').length, 1, 'how many mark it');
    same(await store.write(chatId, 'r1', { leaseMs: 60_000 }), { kind: 'fenced' }, 'its process');
    same((await logOf(store, chatId, 'r1')).length, 2, 'its log');
  }),

  storeCheck('a stop reaches the run with its next change', async ({ store, other, chatId }) => {
    await begin(store, chatId, 'r1');
    same(await store.write(chatId, 'r1', {}), { kind: 'written' }, 'a change before it');
    const asked = await other.requestStop(chatId, 'r1', 'interrupt');
    same(asked, { kind: 'stopping' }, 'the stop');
    const told = { kind: 'written', stop: 'interrupt' };
    same(await store.write(chatId, 'r1', {}), told, 'the change after it');
    const numbered = { number: 1, entries: [line('one')] };
    same(await store.write(chatId, 'r1', numbered), told, 'a numbered change');
    same(await store.write(chatId, 'r1', numbered), told, 'its repeat');
    same((await readOf(store, chatId)).run?.stop, 'interrupt', 'what is on record');
  }),

  storeCheck('an abort is not softened', async ({ store, other, chatId }) => {
    await begin(store, chatId, 'r1');
    await store.requestStop(chatId, 'r1', 'interrupt');
    await other.requestStop(chatId, 'r1', 'abort');
    await store.requestStop(chatId, 'r1', 'interrupt');
    same((await readOf(other, chatId)).run?.stop, 'abort', 'what is on record');
  }),

  storeCheck('a stop meets the run that it names, or none', async ({ store, other, chatId }) => {
    await begin(store, chatId, 'r1');
    const early = await other.requestStop(chatId, 'r0', 'abort');
    same(early, { kind: 'not-live', status: 'active' }, 'a stop of another run');
    same((await readOf(store, chatId)).run?.stop ?? 'none', 'none', 'the live run');
    await store.write(chatId, 'r1', { end: { status: 'paused' } });
    const late = await other.requestStop(chatId, 'r1', 'abort');
    same(late, { kind: 'not-live', status: 'paused' }, 'a stop of a run that has ended');
    await begin(store, chatId, 'r2');
    await other.requestStop(chatId, 'r1', 'abort');
    same((await readOf(store, chatId)).run?.stop ?? 'none', 'none', 'the run after it');
  }),

  storeCheck('who listens hears of what another process does', async (scene) => {
    const { store, other, chatId } = scene;
    await begin(store, chatId, 'r1');
    let heard: string[] = [];
    const leave = store.subscribe(chatId, (change) => heard.push(change));
    // A store that needs time to listen calls back once it does: those calls do not count.
    await scene.elapse(100);
    const hears = async (change: 'log' | 'stop', act: () => Promise<unknown>, what: string) => {
      heard = [];
      await act();
      await until(scene, () => heard.includes(change), what);
    };
    try {
      const entries = [line('one')];
      await hears('log', () => other.write(chatId, 'r1', { entries }), 'hearing of a line');
      await hears('stop', () => other.requestStop(chatId, 'r1', 'abort'), 'hearing of a stop');
      await hears('log', () => finish(other, chatId, 'r1'), 'hearing of an end');
      await hears('log', () => begin(other, chatId, 'r2'), 'hearing of a start');
    } finally {
      leave();
    }
  }),

  storeCheck('a change is not heard of before it can be read', async (scene) => {
    const { store, other, chatId } = scene;
    await begin(store, chatId, 'r1', { entries: [] });
    const read: Promise<number>[] = [];
    const leave = other.subscribe(chatId, (change) => {
      if (change === 'log') read.push(readOf(other, chatId).then(({ sequence }) => sequence));
    });
    try {
      await scene.elapse(100);
      read.length = 0;
      await store.write(chatId, 'r1', { entries: [line('one')] });
      await until(scene, () => read.length > 0, 'hearing of a line');
      same(await read[0], 1, 'what is read then');
    } finally {
      leave();
    }
  }),

  storeCheck('who has left hears nothing more, and others still do', async (scene) => {
    const { store, chatId } = scene;
    const heard: string[] = [];
    const listener = (name: string) => () => heard.push(name);
    const leaves = ['first', 'second', 'third'].map((name) =>
      store.subscribe(chatId, listener(name)),
    );
    await begin(store, chatId, 'r1');
    await until(scene, () => heard.includes('first') && heard.includes('second'), 'hearing');
    leaves[0]?.();
    leaves[0]?.();
    await scene.elapse(50);
    heard.length = 0;
    await store.write(chatId, 'r1', { entries: [line('one')] });
    await until(scene, () => heard.includes('second') && heard.includes('third'), 'hearing on');
    same(heard.includes('first'), false, 'hearing after leaving');
    for (const leave of leaves) leave();
    await scene.elapse(50);
    heard.length = 0;
    await finish(store, chatId, 'r1');
    await scene.elapse(50);
    same(heard, [], 'hearing after all have left');
  }),

  storeCheck('the same listener may listen twice, and leave once', async (scene) => {
    const { store, chatId } = scene;
    let heard = 0;
    const listener = () => {
      heard += 1;
    };
    const leaves = [store.subscribe(chatId, listener), store.subscribe(chatId, listener)];
    await begin(store, chatId, 'r1');
    await until(scene, () => heard >= 2, 'hearing twice');
    leaves[0]?.();
    await scene.elapse(50);
    heard = 0;
    await store.write(chatId, 'r1', { entries: [line('one')] });
    await until(scene, () => heard >= 1, 'hearing on');
    leaves[1]?.();
  }),

  storeCheck(
    'a session is forgotten after its time, and can begin anew',
    async ({ store, other, chatId, elapse }) => {
      await begin(store, chatId, 'r1', { key: { value: 'k1', fingerprint: 'f' } });
      await finish(store, chatId, 'r1');
      const { revision } = await readOf(store, chatId);
      await elapse(400);
      same(await other.read(chatId), undefined, 'reading it');
      same((await other.readLog(chatId, 'r1', 0, 10)).state, 'gone', 'its log');
      same(await other.startRun(chatId, startOf('r2', revision)), 'changed', 'a plan from before');
      same(await other.startRun(chatId, startOf('r2')), 'started', 'a new beginning');
      const after = await readOf(store, chatId, 'k1');
      same(after.held ?? 'free', 'free', 'a key of before');
      same(after.revision === revision, false, 'the old revision coming back');
    },
    { keepMs: 300, about: 'forgetting' },
  ),

  storeCheck(
    'a session whose run is live is not forgotten',
    async ({ store, other, chatId, elapse }) => {
      await begin(store, chatId, 'r1');
      await elapse(200);
      same((await other.read(chatId))?.run?.id, 'r1', 'reading it');
      same(await logOf(other, chatId, 'r1'), [line('start').json], 'its log');
      same((await store.write(chatId, 'r1', { entries: [line('on')] })).kind, 'written', 'writing');
      same((await readOf(other, chatId)).sequence, 2, 'its length');
    },
    { keepMs: 50, keepLogMs: 50, about: 'forgetting' },
  ),

  storeCheck(
    'a log is forgotten before its transcript',
    async ({ store, other, chatId, elapse }) => {
      await begin(store, chatId, 'r1');
      await finish(store, chatId, 'r1');
      await elapse(200);
      const { sequence, replayable, messages } = await readOf(other, chatId);
      same([sequence, replayable, messages.length], [1, false, 1], 'the session');
      const gone = { entries: [], state: 'gone' };
      same(await other.readLog(chatId, 'r1', 0, 10), gone, 'its log');
      await begin(other, chatId, 'r2', { entries: [line('anew')] });
      same(await logOf(store, chatId, 'r2'), [line('anew').json], 'the next log');
      same((await readOf(store, chatId)).replayable, true, 'the next log being kept');
    },
    { keepLogMs: 100, about: 'forgetting' },
  ),
];
