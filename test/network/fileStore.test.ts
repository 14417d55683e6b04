import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ChatStore } from '../../src/server/store/chatStore.ts';
import { createMemoryStore } from '../../src/server/store/memoryStore.ts';
import { createManualWorld, type ManualWorld } from '../../src/testing/manualWorld.ts';
import { createFileStore } from './fileStore.ts';

let folder: string;
let world: ManualWorld;
beforeEach(() => {
  world = createManualWorld();
  folder = mkdtempSync(join(tmpdir(), 'helix-chat-store-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const CHAT = 'c1';
const asked = { id: 'u1', role: 'user', parts: [{ type: 'text', text: '你好 🌊' }] } as const;
const reply = { id: 'a1', role: 'assistant', parts: [{ type: 'text', text: 'Hallo' }] } as const;
const content = (json: object) => ({ kind: 'content' as const, json: JSON.stringify(json) });

/** One turn, stopped in its reply. */
async function fill(store: ChatStore): Promise<void> {
  const run = { id: 'r1', replyId: 'a1', attemptId: 't1' };
  const key = { value: 'k1', fingerprint: 'f1' };
  const entries = [content({ type: 'start', messageId: 'a1' })];
  const start = { revision: undefined, messages: [asked], run, leaseMs: 1_000, entries, key };
  await store.startRun(CHAT, start);
  await store.write(CHAT, 'r1', {
    entries: [content({ type: 'start-step' })],
    commit: true,
    reply,
  });
  await store.write(CHAT, 'gone', { end: { status: 'ended' } });
  await store.requestStop(CHAT, 'r1', 'interrupt');
}

const contents = async (store: ChatStore) => [
  await store.read(CHAT, { key: 'k1' }),
  await store.readLog(CHAT, 'r1', 0, 10),
];

test('whoever opens the folder next finds everything as it was', async () => {
  const inMemory = createMemoryStore({ world });
  await fill(inMemory);
  await fill(await createFileStore(folder, world));
  const opened = await createFileStore(folder, world);
  expect(await contents(opened)).toEqual(await contents(inMemory));
});

test('what the next one changes is there for the one after it', async () => {
  await fill(await createFileStore(folder, world));
  const second = await createFileStore(folder, world);
  const failed = { end: { status: 'failed' }, onlyIfLost: true } as const;
  expect(await second.write(CHAT, 'r1', failed)).toEqual({ kind: 'fenced' });
  await world.advance(1_000);
  expect(await second.write(CHAT, 'r1', failed)).toMatchObject({ kind: 'written' });
  const third = await createFileStore(folder, world);
  expect((await third.read(CHAT))?.run?.status).toBe('failed');
  expect(await third.write(CHAT, 'r1', { commit: true })).toEqual({ kind: 'fenced' });
});

test('a change that a kill has cut off did not happen, and the next one is whole', async () => {
  await fill(await createFileStore(folder, world));
  appendFileSync(join(folder, 'journal.jsonl'), '{"change":"write","given":["c1","r1",{"end":{"st');
  const opened = await createFileStore(folder, world);
  expect((await opened.read(CHAT))?.run?.status).toBe('active');
  await opened.write(CHAT, 'r1', { end: { status: 'ended' } });
  expect((await (await createFileStore(folder, world)).read(CHAT))?.run?.status).toBe('ended');
});

test('who listens hears of a change after it is on record', async () => {
  const store = await createFileStore(folder, world);
  const heard: string[] = [];
  store.subscribe(CHAT, (change) => heard.push(change));
  await fill(store);
  expect(heard).toEqual(['log', 'log', 'stop']);
});
