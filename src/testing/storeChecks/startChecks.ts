import {
  begin,
  finish,
  LONG,
  line,
  logOf,
  message,
  readOf,
  same,
  startOf,
  storeCheck,
} from './storeCheck.ts';

/** Of starting runs, request keys, and the transcript. */
export const startChecks = [
  storeCheck('a session that nobody has begun is none', async ({ store, chatId }) => {
    same(await store.read(chatId), undefined, 'reading it');
    same((await store.write(chatId, 'r1', {})).kind, 'fenced', 'writing to it');
    same(await store.putMessages(chatId, 0, []), 'changed', 'putting messages into it');
    same((await store.readLog(chatId, 'r1', 0, 10)).state, 'gone', 'reading its log');
    same(await store.requestStop(chatId, 'r1', 'abort'), { kind: 'not-live' }, 'stopping it');
    same(await store.read(chatId), undefined, 'reading it after all that');
  }),

  storeCheck('a run that was started is read as it was given, by every process', async (scene) => {
    const { store, other, chatId } = scene;
    const messages = [message('u1', 'Hi'), message('a1', 'Hello', 'assistant'), ODD_MESSAGE];
    const start = startOf('r1', undefined, { messages, entries: [line('one'), line('two')] });
    same(await store.startRun(chatId, start), 'started', 'the start');
    for (const reader of [store, other]) {
      const { run, ...record } = await readOf(reader, chatId);
      same(record.messages, messages, 'its messages');
      same([record.sequence, record.replayable], [2, true], 'its log');
      same(record.held, undefined, 'a key that was not asked about');
      same(Number.isFinite(record.revision), true, 'its revision being a number');
      const { leaseLeftMs = 0, ...rest } = run ?? {};
      const fresh = { status: 'active', committedTo: 2, superseded: [] };
      same(rest, { ...start.run, ...fresh }, 'the run');
      same(leaseLeftMs > LONG / 2 && leaseLeftMs <= LONG, true, 'its lease');
    }
  }),

  storeCheck('of many starts at once one starts, whichever process asks', async (scene) => {
    const { store, other, chatId } = scene;
    for (const round of ['first', 'second', 'third']) {
      const revision = (await store.read(chatId))?.revision;
      const ids = Array.from({ length: 10 }, (_, at) => `${round} ${at}`);
      const outcomes = await Promise.all(
        ids.map((id, at) => (at % 2 ? other : store).startRun(chatId, startOf(id, revision))),
      );
      const started = ids.filter((_, at) => outcomes[at] === 'started');
      same(started.length, 1, `starts of the ${round} race`);
      const { run, messages } = await readOf(other, chatId);
      same([run?.id, messages.length], [started[0], 1], `who won the ${round} race`);
      await finish(other, chatId, started[0] ?? '');
    }
  }),

  storeCheck('no run starts beside a live one', async ({ store, other, chatId }) => {
    await begin(store, chatId, 'r1');
    const { revision } = await readOf(store, chatId);
    same(await other.startRun(chatId, startOf('r2', revision)), 'changed', 'the other start');
    same(await other.putMessages(chatId, revision, []), 'changed', 'putting messages');
    const { run, messages } = await readOf(store, chatId);
    same([run?.id, messages.length], ['r1', 1], 'the session after it');
  }),

  storeCheck('a plan from an older state is told so', async ({ store, other, chatId }) => {
    await begin(store, chatId, 'r1');
    const live = (await readOf(store, chatId)).revision;
    await finish(store, chatId, 'r1');
    const { revision } = await readOf(other, chatId);
    for (const old of [undefined, live, revision - 1, revision + 1]) {
      same(await other.startRun(chatId, startOf('r2', old)), 'changed', `a start at ${old}`);
    }
    same(await other.putMessages(chatId, live, []), 'changed', 'messages at the old revision');
    same((await readOf(store, chatId)).messages.length, 1, 'the transcript');
    same(await other.startRun(chatId, startOf('r2', revision)), 'started', 'a start that is right');
  }),

  storeCheck('a reply that was stored makes another state', async ({ store, other, chatId }) => {
    await begin(store, chatId, 'r1');
    const before = (await readOf(store, chatId)).revision;
    const reply = message('reply of r1', 'Hello', 'assistant');
    await store.write(chatId, 'r1', { reply, commit: true });
    const after = (await readOf(other, chatId)).revision;
    same(before === after, false, 'the revision standing still');
  }),

  storeCheck('the same start again is a start, and writes nothing', async (scene) => {
    const { store, other, chatId } = scene;
    const start = startOf('r1', undefined, { key: { value: 'k1', fingerprint: 'f1' } });
    await store.startRun(chatId, start);
    await store.write(chatId, 'r1', { entries: [line('more')] });
    const before = await readOf(store, chatId);
    same(await other.startRun(chatId, start), 'started', 'the repeat');
    const after = await readOf(other, chatId);
    same(
      [after.revision, after.sequence, after.messages],
      [before.revision, 2, before.messages],
      'the session after it',
    );
    await finish(store, chatId, 'r1');
    same(await other.startRun(chatId, start), 'started', 'a repeat after its end');
    same((await readOf(store, chatId)).run?.status, 'ended', 'the run after that');
  }),

  storeCheck('a new run begins anew, with a log of its own', async ({ store, other, chatId }) => {
    await begin(store, chatId, 'r1');
    await store.requestStop(chatId, 'r1', 'abort');
    await store.write(chatId, 'r1', { entries: [line('lost')], number: 7 });
    const category = 'framework' as const;
    const cancelled = {
      code: 'framework_cancelled',
      error: 'Cancelled',
      retryable: false,
    } as const;
    const error = { ...cancelled, category };
    await store.write(chatId, 'r1', { supersede: true, end: { status: 'failed', error } });
    await begin(other, chatId, 'r2', { entries: [line('anew')] });
    const { run, sequence } = await readOf(store, chatId);
    const rest = [run?.stop ?? 'no stop', run?.error ?? 'no error', run?.superseded, sequence];
    same([run?.id, ...rest], ['r2', 'no stop', 'no error', [], 1], 'the new run');
    same(await logOf(store, chatId, 'r2'), [line('anew').json], 'its log');
    same(await store.readLog(chatId, 'r1', 0, 10), { entries: [], state: 'gone' }, 'the old log');
    await other.write(chatId, 'r2', { entries: [line('one')], number: 1 });
    same((await readOf(store, chatId)).sequence, 2, 'its first numbered change');
  }),

  storeCheck('a key is held by the run that it started', async ({ store, other, chatId }) => {
    const key = { value: 'k:1', fingerprint: 'f 1 {"a":"ü"}' };
    await begin(store, chatId, 'r1', { key });
    const held = { runId: 'r1', fingerprint: key.fingerprint };
    same((await readOf(other, chatId, 'k:1')).held, held, 'who holds it');
    same((await readOf(other, chatId, 'k:2')).held, undefined, 'who holds another one');
    same((await readOf(other, chatId)).held, undefined, 'who holds none');
    await finish(store, chatId, 'r1');
    await begin(other, chatId, 'r2', { key: { value: 'k:2', fingerprint: 'f2' } });
    same((await readOf(store, chatId, 'k:1')).held, held, 'who holds it after a later run');
    same((await readOf(store, chatId, 'k:2')).held?.runId, 'r2', 'who holds the later one');
  }),

  storeCheck('a start that is refused takes no key and no message', async (scene) => {
    const { store, other, chatId } = scene;
    await begin(store, chatId, 'r1');
    const { revision } = await readOf(store, chatId);
    const key = { value: 'k1', fingerprint: 'f1' };
    const messages = [message('u1', 'Hi'), message('u2', 'And?')];
    await other.startRun(chatId, startOf('r2', revision, { key, messages }));
    const { held, messages: kept } = await readOf(store, chatId, 'k1');
    same([held ?? 'free', kept.length], ['free', 1], 'the key and the transcript');
  }),

  storeCheck('a session remembers a hundred keys', async ({ store, chatId }) => {
    for (let at = 0; at < 100; at++) {
      await begin(store, chatId, `r${at}`, { key: { value: `k${at}`, fingerprint: 'f' } });
      await finish(store, chatId, `r${at}`);
    }
    same((await readOf(store, chatId, 'k0')).held?.runId, 'r0', 'who holds the first');
    same((await readOf(store, chatId, 'k99')).held?.runId, 'r99', 'who holds the last');
  }),

  storeCheck('messages are replaced while no run is live', async ({ store, other, chatId }) => {
    await begin(store, chatId, 'r1');
    await finish(store, chatId, 'r1');
    const { revision } = await readOf(store, chatId);
    const messages = [ODD_MESSAGE, message('u2', '')];
    same(await other.putMessages(chatId, revision, messages), 'written', 'putting them');
    const after = await readOf(store, chatId);
    same(after.messages, messages, 'the transcript');
    same(after.revision === revision, false, 'the revision standing still');
    same(await store.putMessages(chatId, after.revision, []), 'written', 'taking all away');
    same((await readOf(other, chatId)).messages, [], 'an empty transcript');
  }),

  storeCheck('what is stored is nobody else’s object', async ({ store, chatId }) => {
    const given = { ...message('u1', 'Hi'), metadata: { at: 1 } };
    await begin(store, chatId, 'r1', { messages: [given] });
    given.metadata.at = 2;
    same((await readOf(store, chatId)).messages[0]?.metadata, { at: 1 }, 'the metadata');
  }),

  storeCheck('sessions do not mix, whatever their ids', async ({ store, other, newChatId }) => {
    const base = newChatId();
    const ids = ['', ':', ':keys', '*', '{a}', '}{', ' ', '/', '\\', '%7B', 'ü🌊', '\n', 'A', 'a'];
    const chatIds = [...ids.map((id) => `${base}${id}`), `${base}${'x'.repeat(480)}`];
    for (const chatId of chatIds) {
      await begin(store, chatId, `run of ${chatId}`, { messages: [message('u1', chatId)] });
    }
    for (const chatId of chatIds) {
      const { run, messages } = await readOf(other, chatId);
      same([run?.id, messages], [`run of ${chatId}`, [message('u1', chatId)]], 'a session');
    }
  }),
];

/** Everything that JSON can hold and that a careless way through a store changes. */
const ODD_MESSAGE = {
  id: 'u-odd "quoted" \\ ü🌊',
  role: 'assistant',
  parts: [
    { type: 'text', text: 'line\nline\ttab \u0000 nul \u2028 \ud83c\udf0a <b> \\n' },
    {
      type: 'tool-weather',
      toolCallId: 'call',
      state: 'output-available',
      input: { list: [], map: {}, none: null, yes: false, nested: [[[]], [{}]] },
      output: [0, -0.5, 1e21, 1e-7, 9007199254740991, 0.1, '9007199254740993', ''],
    },
  ],
  metadata: { createdAt: '2026-01-01T00:00:00Z', '': 'empty', __index: 1 },
};
