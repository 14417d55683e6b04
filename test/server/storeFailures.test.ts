import { describe, expect, it } from 'vitest';
import type { ChatStore } from '../../src/server/store/chatStore.ts';
import { createMemoryStore } from '../../src/server/store/memoryStore.ts';
import { createManualWorld, type ManualWorld } from '../../src/testing/manualWorld.ts';
import { type Bench, createBench, textOf, user } from './chatClient.ts';
import { follow, STEP, STEP_END } from './scriptedReply.ts';

type Fragile = ChatStore & {
  readonly world: ManualWorld;
  broken: Set<keyof ChatStore>;
  /** The write that fails, counted from 1. */
  failAt: number;
  /** What fails has done its work: only the answer is lost. */
  answersLost: boolean;
};

/** A memory store some of whose methods fail while `broken` names them. */
function fragile(): Fragile {
  const world = createManualWorld();
  const store = createMemoryStore({ world });
  const state = {
    world,
    broken: new Set<keyof ChatStore>(),
    failAt: Number.POSITIVE_INFINITY,
    answersLost: false,
  };
  let writes = 0;
  const guarded =
    (name: keyof ChatStore) =>
    async (...args: unknown[]) => {
      const call = store[name] as (...given: unknown[]) => unknown;
      if (name === 'write') writes += 1;
      if (state.broken.has(name) || (name === 'write' && writes === state.failAt)) {
        if (state.answersLost) await call(...args);
        throw new Error(`redis: ${name} failed at 10.0.0.7`);
      }
      return call(...args);
    };
  const names = ['read', 'startRun', 'write', 'putMessages', 'readLog', 'requestStop'] as const;
  return Object.assign(state, {
    ...(Object.fromEntries(names.map((name) => [name, guarded(name)])) as unknown as ChatStore),
    subscribe: store.subscribe,
  });
}

function withStore(store: ChatStore, world = createManualWorld()): Bench {
  const bench: Bench = createBench({
    store,
    world,
    reply: (context) => follow(bench.world, [STEP, 'Hello', 100, ' there', STEP_END], context),
  });
  return bench;
}

const typed = async (response: Response) => [response.status, await response.json()];

describe('a store that fails', () => {
  it('before the message is written: 503, and the message may be sent again', async () => {
    const store = fragile();
    const bench = withStore(store, store.world);
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

  it('while it is written, for good: 500, because nobody knows', async () => {
    const store = fragile();
    const bench = withStore(store, store.world);
    store.broken.add('startRun');
    const sent = bench.send(user('u1', 'Hi'));
    await bench.world.advance(2_000);
    const [status, body] = await typed(await sent);

    expect([status, body]).toMatchObject([500, { code: 'framework_internal_error' }]);
    expect(JSON.stringify(body)).not.toContain('10.0.0.7');
  });

  it.each([false, true])(
    'while it is written, for a moment: the message goes out once (only the answer was lost: %s)',
    async (answersLost) => {
      const store = fragile();
      const bench = withStore(store, store.world);
      store.answersLost = answersLost;
      store.broken.add('startRun');
      const sent = bench.send(user('u1', 'Hi'));
      await bench.world.advance(50);
      store.broken.clear();
      await bench.world.advance(500);

      expect((await sent).status).toBe(200);
      expect(await bench.snapshot()).toMatchObject({ status: 'ended' });
      expect((await bench.snapshot()).messages.map(textOf)).toEqual(['Hi', 'Hello there']);
    },
  );

  it('while a stop is asked for: 503, and it may be asked for again', async () => {
    const store = fragile();
    const bench = withStore(store, store.world);
    await bench.send(user('u1', 'Hi'));
    store.broken.add('requestStop');
    const refused = await bench.act('c1/stop', { mode: 'interrupt' });
    store.broken.clear();
    const again = await bench.act('c1/stop', { mode: 'interrupt' });
    await bench.world.settle();

    expect((await typed(refused))[0]).toBe(503);
    expect(again.status).toBe(202);
    expect((await bench.snapshot()).status).toBe('ended');
  });

  it('when the snapshot is read: 503', async () => {
    const store = fragile();
    const bench = withStore(store, store.world);
    store.broken.add('read');

    expect(await typed(await bench.get('c1/snapshot'))).toMatchObject([
      503,
      { code: 'state_history_incomplete', cause: 'store_error' },
    ]);
  });

  it.each([false, true])(
    'once in the middle of a reply: it goes on, whole (only the answer was lost: %s)',
    async (answersLost) => {
      for (const failAt of [1, 2, 3, 4, 5, 6, 7]) {
        const store = fragile();
        Object.assign(store, { failAt, answersLost });
        const bench = withStore(store, store.world);
        const read = bench.read(await bench.send(user('u1', 'Hi')));
        await bench.world.advance(2_000);
        const late = bench.read(await bench.send(user('u2', 'And?')));
        await bench.world.advance(2_000);

        expect([read.text(), read.ended, late.ended]).toEqual(['Hello there', 'done', 'done']);
        const { status, messages } = await bench.snapshot();
        expect([status, ...messages.map(textOf)]).toEqual([
          'ended',
          ...['Hi', 'Hello there', 'And?', 'Hello there'],
        ]);
        expect(bench.errors).toHaveLength(1);
        expect(bench.world.pending()).toBe(0);
      }
    },
  );

  it('for most of the lease: nothing is lost, and who reads along misses nothing', async () => {
    const store = fragile();
    const bench = withStore(store, store.world);
    const read = bench.read(await bench.send(user('u1', 'Hi')));
    await bench.world.advance(50);
    const all = ['read', 'startRun', 'write', 'readLog', 'requestStop'] as const;
    for (const name of all) store.broken.add(name);
    await bench.world.advance(9_000);
    expect([read.text(), read.ended]).toEqual(['Hello', 'open']);
    store.broken.clear();
    await bench.world.advance(1_000);

    expect([read.text(), read.ended]).toEqual(['Hello there', 'done']);
    expect((await bench.snapshot()).messages.map(textOf)).toEqual(['Hi', 'Hello there']);
    expect(bench.world.pending()).toBe(0);
  });

  it('for good in the middle of a reply: the lease lapses, and the next reader ends the run', async () => {
    const store = fragile();
    const bench = withStore(store, store.world);
    const read = bench.read(await bench.send(user('u1', 'Hi')));
    await bench.world.advance(50);
    store.broken.add('write');
    await bench.world.advance(9_000);
    expect((await bench.snapshot()).status).toBe('active');
    await bench.world.advance(2_000);
    store.broken.clear();

    expect(await bench.snapshot()).toMatchObject({
      status: 'failed',
      error: { cause: 'run_not_live' },
      messages: [{ id: 'u1' }],
    });
    await bench.world.advance(30_000);
    expect(read.ended).toBe('done');
    expect(bench.world.pending()).toBe(0);
  });

  it('under a reader, for good: its stream breaks, the run goes on', async () => {
    const store = fragile();
    const bench = withStore(store, store.world);
    const read = bench.read(await bench.send(user('u1', 'Hi')));
    await bench.world.advance(50);
    store.broken.add('readLog');
    await bench.world.advance(300);
    expect(read.ended).toBe('open');
    await bench.world.advance(12_000);

    expect(read.ended).toBe('broken');
    expect((await bench.snapshot()).messages.map(textOf)).toEqual(['Hi', 'Hello there']);
    expect(bench.world.pending()).toBe(0);
  });

  it('at a renewal of the lease: the next one may still come in time', async () => {
    const store = fragile();
    const bench: Bench = createBench({
      store,
      world: store.world,
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
