import { describe, expect, test } from 'vitest';
import { HelixStreamError } from '../../src/errors/HelixStreamError.ts';
import { parseHelixChatError } from '../../src/errors/parseHelixChatError.ts';
import { isErrorCode } from '../../src/protocol/codes.ts';
import { chatErrorResponse } from '../../src/server/chatErrorResponse.ts';
import type { ChatStore } from '../../src/server/store/chatStore.ts';
import { createMemoryStore } from '../../src/server/store/memoryStore.ts';
import { createManualWorld } from '../../src/testing/manualWorld.ts';
import { type Bench, createBench, user } from './chatClient.ts';
import { follow, STEP, STEP_END } from './scriptedReply.ts';
import { THROWN } from './thrownValues.ts';

/** Fails in one method, whatever it is thrown. */
function failingStore(method: keyof ChatStore, make: () => unknown): ChatStore {
  const store = createMemoryStore();
  return {
    ...store,
    [method]: async () => {
      throw make();
    },
  };
}

const words =
  (bench: Bench): Parameters<typeof createBench>[0]['reply'] =>
  (context) =>
    follow(bench.world, [STEP, 'Hello', STEP_END], context);

/** An answer that is a typed refusal, and nothing more. */
async function expectTyped(response: Response): Promise<void> {
  const text = await response.text();
  expect(text).not.toMatch(/PLANTED|sk-live/);
  expect(text.length).toBeLessThan(1_000);
  expect([...response.headers].join()).not.toMatch(/PLANTED|sk-live/);
  const body = parseHelixChatError({ status: response.status, body: text });
  expect(isErrorCode(body?.code)).toBe(true);
  expect(body?.error).not.toBe('');
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.headers.get('content-type')).toContain('application/json');
}

describe.each(THROWN)('%s', (_name, make) => {
  test('out of nowhere is a typed answer', async () => {
    await expectTyped(chatErrorResponse(make(), { sessionId: 's1', exposeDetail: true }));
  });

  test('out of `authorize` is a typed answer, on every route', async () => {
    const bench: Bench = createBench({
      reply: (context) => words(bench)(context),
      exposeDetail: true,
      authorize: () => {
        throw make();
      },
    });
    const answers = [
      await bench.send(user('u1', 'Hi')),
      await bench.get('c1/stream'),
      await bench.get('c1/snapshot'),
      await bench.act('c1/stop', { mode: 'abort' }),
      await bench.act('c1/retry'),
    ];
    for (const answer of answers) await expectTyped(answer);
    expect(bench.errors).toHaveLength(5);
  });

  test.each(['read', 'startRun', 'requestStop'] as const)(
    'out of the store’s `%s` is a typed answer',
    async (method) => {
      const bench: Bench = createBench({
        reply: (context) => words(bench)(context),
        store: failingStore(method, make),
        exposeDetail: true,
      });
      const sent = bench.send(user('u1', 'Hi'));
      await bench.world.advance(2_000);
      const stop = () => bench.act('c1/stop', { mode: 'abort' });
      await expectTyped(method === 'requestStop' ? await stop() : await sent);
      await bench.world.advance(60_000);
      expect(bench.errors.length).toBeGreaterThan(0);
    },
  );

  test('out of the store for as long as a lease, in the middle of a run, ends it, and no text of it gets out', async () => {
    const world = createManualWorld();
    const store = createMemoryStore({ world });
    let writes = 0;
    const bench: Bench = createBench({
      world,
      reply: (context) => words(bench)(context),
      exposeDetail: true,
      store: {
        ...store,
        write: async (...given) => {
          writes += 1;
          if (writes > 1 && world.monotonic() < 12_000) throw make();
          return store.write(...given);
        },
      },
    });
    const read = bench.read(await bench.send(user('u1', 'Hi')));
    await bench.world.advance(60_000);
    const snapshot = await bench.snapshot();
    expect(snapshot).toMatchObject({
      status: 'failed',
      error: { code: 'transport_stream_drop', cause: 'run_not_live' },
    });
    expect(JSON.stringify([snapshot, read.chunks])).not.toMatch(/PLANTED|sk-live/);
    expect([read.ended, bench.world.pending()]).toEqual(['done', 0]);
  });

  test.each([
    ['at once', false],
    ['after its first words', true],
  ])('out of `reply` %s is one typed event', async (_, late) => {
    const bench: Bench = createBench({
      reply: async function* () {
        if (late)
          yield* [
            { type: 'text-start', id: 't' },
            { type: 'text-delta', id: 't', delta: 'Hi' },
          ];
        throw make();
      },
    });
    const read = bench.read(await bench.send(user('u1', 'Hi')));
    await bench.world.advance(60_000);
    const events = read.chunks.filter(HelixStreamError.isErrorEvent);
    expect(events.map(({ type }) => type)).toEqual(['data-helix-error', 'error']);
    expect(HelixStreamError.fromEvent(events[0])).toMatchObject({
      code: undefined,
      category: 'unknown',
      retryable: undefined,
    });
    const seen = JSON.stringify([read.chunks, await bench.snapshot()]);
    expect(seen).not.toMatch(/PLANTED|sk-live/);
    expect([read.ended, bench.errors.length, bench.world.pending()]).toEqual(['done', 1, 0]);
  });
});

describe('a host’s own listener', () => {
  test.each([
    [
      'throws',
      () => {
        throw new Error('log is full');
      },
    ],
    [
      'rejects later',
      async () => {
        throw new Error('log is full');
      },
    ],
  ])('that %s changes nothing', async (_, onError) => {
    const bench = createBench({
      reply: () => {
        throw new Error('x');
      },
      onError,
    });
    const read = bench.read(await bench.send(user('u1', 'Hi')));
    await bench.world.advance(1_000);
    expect(read.chunks.at(-1)?.type).toBe('error');
  });
});
