import { describe, expect, it } from 'vitest';
import type { ChatStore, RunStart } from '../../src/server/store/chatStore.ts';
import { createMemoryStore, type MemoryStoreOptions } from '../../src/server/store/memoryStore.ts';
import { createManualWorld } from '../../src/testing/manualWorld.ts';
import { createBench, textOf, user } from './chatClient.ts';
import { follow } from './scriptedReply.ts';

const HOUR = 3_600_000;

function held(options: MemoryStoreOptions = {}) {
  const world = createManualWorld();
  return { world, store: createMemoryStore({ world, ...options }) };
}

const start = (id: string, revision?: number): RunStart => ({
  revision,
  messages: [user('u1', 'Hi')],
  run: { id, replyId: 'a1', attemptId: 'att' },
  leaseMs: 10_000,
  entries: [{ kind: 'content', json: '{"type":"start"}' }],
});

/** A session whose run has ended. */
async function turn(store: ChatStore, chatId: string): Promise<void> {
  await store.startRun(chatId, start(`run of ${chatId}`));
  await store.write(chatId, `run of ${chatId}`, { end: { status: 'ended' } });
}

describe('the memory store', () => {
  it('keeps its own copy of what it is given', async () => {
    const { store } = held();
    const message = { ...user('u1', 'Hi'), metadata: { at: 1 } };
    await store.startRun('c1', { ...start('r1'), messages: [message] });
    message.metadata.at = 2;
    expect((await store.read('c1'))?.messages[0]?.metadata).toEqual({ at: 1 });
  });

  it('forgets the oldest of very many keys', async () => {
    const { store } = held();
    for (let at = 0; at < 300; at++) {
      const revision = (await store.read('c1'))?.revision;
      const key = { value: `k${at}`, fingerprint: 'f' };
      await store.startRun('c1', { ...start(`r${at}`, revision), key });
      await store.write('c1', `r${at}`, { end: { status: 'ended' } });
    }
    expect((await store.read('c1', { key: 'k0' }))?.held).toBeUndefined();
    expect((await store.read('c1', { key: 'k299' }))?.held?.runId).toBe('r299');
  });

  it('forgets a session a day after its last change, not after its first', async () => {
    const { world, store } = held();
    await turn(store, 'c1');
    await world.advance(23 * HOUR);
    await store.putMessages('c1', (await store.read('c1'))?.revision ?? 0, [user('u1', 'Edited')]);
    await world.advance(23 * HOUR);
    expect((await store.read('c1'))?.messages.map(textOf)).toEqual(['Edited']);
    await world.advance(HOUR);
    expect(await store.read('c1')).toBeUndefined();
  });

  it('forgets a log an hour after its run, and keeps the transcript', async () => {
    const { world, store } = held();
    await turn(store, 'c1');
    await world.advance(HOUR - 1);
    expect((await store.read('c1'))?.replayable).toBe(true);
    expect((await store.readLog('c1', 'run of c1', 0, 10)).state).toBe('complete');
    await world.advance(1);
    expect(await store.read('c1')).toMatchObject({ replayable: false, sequence: 1 });
    expect(await store.readLog('c1', 'run of c1', 0, 10)).toEqual({ entries: [], state: 'gone' });
    expect((await store.read('c1'))?.messages.map(textOf)).toEqual(['Hi']);
  });

  it('holds so many sessions at most: the one that changed longest ago goes first', async () => {
    const { store } = held({ maxSessions: 3 });
    for (const chatId of ['c1', 'c2', 'c3']) await turn(store, chatId);
    await store.putMessages('c1', (await store.read('c1'))?.revision ?? 0, []);
    await turn(store, 'c4');
    const known = await Promise.all(['c1', 'c2', 'c3', 'c4'].map((chatId) => store.read(chatId)));
    expect(known.map((record) => record !== undefined)).toEqual([true, false, true, true]);
  });

  it('never forgets a session whose run is live, and does once that is lost', async () => {
    const { world, store } = held({ maxSessions: 1, keepMs: 1_000 });
    await store.startRun('c1', start('r1'));
    await turn(store, 'c2');
    await world.advance(9_000);
    expect((await store.read('c1'))?.run?.status).toBe('active');
    await world.advance(1_000);
    await turn(store, 'c3');
    expect(await store.read('c1')).toBeUndefined();
  });

  it('refuses limits under which it would keep nothing', () => {
    for (const wrong of [{ keepMs: 0 }, { keepLogMs: -1 }, { maxSessions: Number.NaN }]) {
      expect(() => createMemoryStore(wrong)).toThrow(/^\[helix-chat\] createMemoryStore: `\w+` is/);
    }
  });
});

describe('a repeat of a send', () => {
  it('whose reply is not kept any more is told that it is in the transcript', async () => {
    const { world, store } = held();
    const bench = createBench({
      world,
      store,
      reply: (context) => follow(world, ['Hello'], context),
    });
    await bench.send(user('u1', 'Hi'), { key: 'k1' });
    await world.advance(HOUR - 1);
    const early = bench.read(await bench.send(user('u1', 'Hi'), { key: 'k1' }));
    await world.advance(1);
    expect([early.text(), early.ended]).toEqual(['Hello', 'done']);
    const late = await bench.send(user('u1', 'Hi'), { key: 'k1' });
    expect([late.status, await late.json()]).toMatchObject([
      409,
      { code: 'state_request_already_completed', runId: expect.any(String) },
    ]);
    expect((await bench.snapshot()).messages.map(textOf)).toEqual(['Hi', 'Hello']);
  });
});
