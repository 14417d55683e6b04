import { describe, expect, it } from 'vitest';
import type { ChatStore } from '../../src/server/store/chatStore.ts';
import { createMemoryStore } from '../../src/server/store/memoryStore.ts';
import { type Bench, createBench, textOf, user } from './chatClient.ts';
import { follow, STEP, STEP_END } from './scriptedReply.ts';

/** A memory store some of whose methods fail while `broken` names them. */
function fragile(): ChatStore & { broken: Set<keyof ChatStore>; failAt: number } {
  const store = createMemoryStore();
  const state = { broken: new Set<keyof ChatStore>(), failAt: Number.POSITIVE_INFINITY };
  let writes = 0;
  const guarded =
    (name: keyof ChatStore) =>
    async (...args: unknown[]) => {
      if (name === 'write') writes += 1;
      if (state.broken.has(name) || (name === 'write' && writes === state.failAt)) {
        throw new Error(`redis: ${name} failed at 10.0.0.7`);
      }
      return (store[name] as (...given: unknown[]) => unknown)(...args);
    };
  const names = ['read', 'startRun', 'write', 'putMessages', 'readLog', 'requestStop'] as const;
  return Object.assign(state, {
    ...(Object.fromEntries(names.map((name) => [name, guarded(name)])) as unknown as ChatStore),
    subscribe: store.subscribe,
  });
}

function withStore(store: ChatStore): Bench {
  const bench: Bench = createBench({
    store,
    reply: (context) => follow(bench.world, [STEP, 'Hello', 100, ' there', STEP_END], context),
  });
  return bench;
}

const typed = async (response: Response) => [response.status, await response.json()];

describe('a store that fails', () => {
  it('before the message is written: 503, and the message may be sent again', async () => {
    const store = fragile();
    const bench = withStore(store);
    store.broken.add('read');
    const refused = await bench.send(user('u1', 'Hi'), { key: 'k1' });
    store.broken.clear();
    const again = await bench.send(user('u1', 'Hi'), { key: 'k1' });

    expect(await typed(refused)).toMatchObject([
      503,
      { code: 'state_history_incomplete', cause: 'store_error' },
    ]);
    expect(again.status).toBe(200);
    await bench.world.advance(300);
    expect(bench.errors).toHaveLength(1);
  });

  it('while it is written: 500, because nobody knows', async () => {
    const store = fragile();
    const bench = withStore(store);
    store.broken.add('startRun');
    const response = await bench.send(user('u1', 'Hi'));
    const [status, body] = await typed(response);

    expect([status, body]).toMatchObject([500, { code: 'framework_internal_error' }]);
    expect(JSON.stringify(body)).not.toContain('10.0.0.7');
  });

  it('when the snapshot is read: 503', async () => {
    const store = fragile();
    const bench = withStore(store);
    store.broken.add('read');

    expect(await typed(await bench.get('c1/snapshot'))).toMatchObject([
      503,
      { code: 'state_history_incomplete', cause: 'store_error' },
    ]);
  });

  it('once in the middle of a reply: the run ends as failed', async () => {
    const store = fragile();
    store.failAt = 3;
    const bench = withStore(store);
    const read = bench.read(await bench.send(user('u1', 'Hi')));
    await bench.world.advance(300);

    expect(await bench.snapshot()).toMatchObject({
      status: 'failed',
      error: { code: 'framework_internal_error' },
    });
    expect(read.chunks.at(-1)?.type).toBe('error');
    expect(JSON.stringify(read.chunks)).not.toContain('10.0.0.7');
    expect(bench.world.pending()).toBe(0);
  });

  it('for good in the middle of a reply: the lease lapses, and the next reader ends the run', async () => {
    const store = fragile();
    const bench = withStore(store);
    const read = bench.read(await bench.send(user('u1', 'Hi')));
    await bench.world.advance(50);
    store.broken.add('write');
    await bench.world.advance(9_000);
    store.broken.clear();
    expect((await bench.snapshot()).status).toBe('active');
    await bench.world.advance(1_000);

    expect(await bench.snapshot()).toMatchObject({
      status: 'failed',
      error: { cause: 'run_not_live' },
      messages: [{ id: 'u1' }],
    });
    await bench.world.advance(30_000);
    expect(read.ended).toBe('done');
    expect(bench.world.pending()).toBe(0);
  });

  it('under a reader: its stream breaks, the run goes on', async () => {
    const store = fragile();
    const bench = withStore(store);
    const read = bench.read(await bench.send(user('u1', 'Hi')));
    await bench.world.advance(50);
    store.broken.add('readLog');
    await bench.world.advance(300);

    expect(read.ended).toBe('broken');
    expect((await bench.snapshot()).messages.map(textOf)).toEqual(['Hi', 'Hello there']);
    expect(bench.world.pending()).toBe(0);
  });

  it('at a renewal of the lease: the next one may still come in time', async () => {
    const store = fragile();
    const bench: Bench = createBench({
      store,
      reply: (context) => follow(bench.world, ['Hello', 30_000, ' there'], context),
    });
    await bench.send(user('u1', 'Hi'));
    await bench.world.advance(3_000);
    store.broken.add('write');
    await bench.world.advance(1_000);
    store.broken.clear();
    await bench.world.advance(40_000);

    expect((await bench.snapshot()).status).toBe('ended');
  });

  it('and a session that changes under every try: a typed conflict, nothing written', async () => {
    const store = createMemoryStore();
    const bench = withStore({ ...store, startRun: async () => 'changed' });

    expect(await typed(await bench.send(user('u1', 'Hi')))).toMatchObject([
      409,
      { code: 'state_concurrency_conflict' },
    ]);
    expect(await store.read('c1')).toBeUndefined();
  });
});

describe('the memory store', () => {
  const start = (revision: number | undefined, id: string) => ({
    revision,
    messages: [user('u1', 'Hi')],
    run: { id, replyId: 'a1', attemptId: 'att', leaseUntil: 10_000 },
    entries: [],
  });

  it('starts one run of many that plan from the same revision', async () => {
    const store = createMemoryStore();
    const outcomes = await Promise.all(
      ['r1', 'r2', 'r3'].map((id) => store.startRun('c1', start(undefined, id))),
    );
    expect(outcomes).toEqual(['started', 'changed', 'changed']);
  });

  it('starts none beside a live one, and none that was planned from an older revision', async () => {
    const store = createMemoryStore();
    const now = async () => (await store.read('c1'))?.revision;
    await store.startRun('c1', start(undefined, 'r1'));
    const old = await now();
    expect(await store.startRun('c1', start(old, 'r2'))).toBe('changed');
    await store.write('c1', 'r1', { end: { status: 'ended' } });
    expect(await store.startRun('c1', start(old, 'r2'))).toBe('changed');
    expect(await store.startRun('c1', start(await now(), 'r2'))).toBe('started');
  });

  it('fences the writes of a run that is over or another one', async () => {
    const store = createMemoryStore();
    await store.startRun('c1', start(undefined, 'r1'));
    expect(await store.write('c1', 'r0', { entries: [] })).toBe('fenced');
    expect(await store.write('c1', 'r1', { end: { status: 'ended' } })).toBe('written');
    expect(await store.write('c1', 'r1', { entries: [] })).toBe('fenced');
  });

  it('marks a lapsed run only while its lease has lapsed', async () => {
    const store = createMemoryStore();
    await store.startRun('c1', start(undefined, 'r1'));
    const lapse = { ifLeaseEndedBy: 10_000, end: { status: 'failed' } } as const;
    await store.write('c1', 'r1', { leaseUntil: 20_000 });
    expect(await store.write('c1', 'r1', lapse)).toBe('fenced');
    expect(await store.write('c1', 'r1', { ...lapse, ifLeaseEndedBy: 20_000 })).toBe('written');
  });

  it('keeps its own copy of what it is given', async () => {
    const store = createMemoryStore();
    const message = { ...user('u1', 'Hi'), metadata: { at: 1 } };
    await store.startRun('c1', { ...start(undefined, 'r1'), messages: [message] });
    message.metadata.at = 2;
    expect((await store.read('c1'))?.messages[0]?.metadata).toEqual({ at: 1 });
  });

  it('does not soften an abort by a later interrupt', async () => {
    const store = createMemoryStore();
    await store.startRun('c1', start(undefined, 'r1'));
    await store.requestStop('c1', 'abort');
    await store.requestStop('c1', 'interrupt');
    expect((await store.read('c1'))?.run?.stop).toBe('abort');
  });

  it('forgets the oldest of very many keys', async () => {
    const store = createMemoryStore();
    for (let at = 0; at < 300; at++) {
      const revision = (await store.read('c1'))?.revision;
      const key = { value: `k${at}`, fingerprint: 'f' };
      await store.startRun('c1', { ...start(revision, `r${at}`), key });
      await store.write('c1', `r${at}`, { end: { status: 'ended' } });
    }
    expect((await store.read('c1', { key: 'k0' }))?.held).toBeUndefined();
    expect((await store.read('c1', { key: 'k299' }))?.held?.runId).toBe('r299');
  });
});
