import { createRedisStore } from 'helix-chat/server';
import { type OpenStore, STORE_CHECKS } from 'helix-chat/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_REDIS, onRedis, type RedisServer, startRedis } from './redisServer.ts';

describe.skipIf(NO_REDIS)(onRedis('the Redis store'), () => {
  let redis: RedisServer;
  let clients: Awaited<ReturnType<RedisServer['connect']>>[];
  beforeAll(async () => {
    redis = await startRedis();
    clients = [await redis.connect(), await redis.connect()];
  });
  afterAll(() => redis?.close());

  /** Two processes' stores, each with connections of its own. */
  const open: OpenStore = (needs) => {
    const [store, other] = clients.map((client) => createRedisStore(client, needs));
    if (!store || !other) throw new Error('no client');
    const close = () => {
      store.close();
      other.close();
    };
    return { store, other, elapse: redis.elapse, close };
  };

  test.each(STORE_CHECKS.map((check) => [check.name, check] as const))('%s', (_, check) =>
    check.play(open),
  );

  const start = (revision?: number) => ({
    revision,
    messages: [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
    run: { id: 'r1', replyId: 'a1', attemptId: 't1' },
    leaseMs: 60_000,
    entries: [{ kind: 'content' as const, json: '{"type":"start"}' }],
    key: { value: 'k1', fingerprint: 'f' },
  });

  test('lets every key of a session expire, and uses none outside of its prefix', async () => {
    const [client] = clients;
    if (!client) throw new Error('no client');
    await client.sendCommand(['FLUSHALL']);
    const store = createRedisStore(client, { prefix: 'mine:', keepMs: 1_000_000 });
    await store.startRun('c1', start());
    const keys = (await client.sendCommand(['KEYS', '*'])) as unknown as string[];
    const ttl = async (key: string) => Number(await client.sendCommand(['PTTL', key]));
    expect(keys.length).toBe(6);
    for (const key of keys) {
      expect(key).toMatch(/^mine:\{c1\}:/);
      // While its run is live it lasts as much longer as the lease.
      expect(await ttl(key)).toBeGreaterThan(1_000_000);
    }
    await store.write('c1', 'r1', { end: { status: 'ended' } });
    for (const key of keys) {
      expect(await ttl(key)).toBeGreaterThan(0);
      expect(await ttl(key)).toBeLessThanOrEqual(1_000_000);
    }
  });

  test('goes on when Redis has forgotten the scripts', async () => {
    const [client] = clients;
    if (!client) throw new Error('no client');
    const store = createRedisStore(client);
    await store.startRun('forgotten', start());
    await client.sendCommand(['SCRIPT', 'FLUSH']);
    expect((await store.read('forgotten'))?.run?.id).toBe('r1');
    expect((await store.write('forgotten', 'r1', {})).kind).toBe('written');
  });

  test('gives a step up that Redis does not answer in time, and works again afterwards', async () => {
    const store = createRedisStore(await redis.connect(), { commandMs: 100 });
    await store.startRun('frozen', start());
    redis.freeze();
    const write = store.write('frozen', 'r1', { number: 1, entries: start().entries });
    await expect(write).rejects.toThrow('[helix-chat] Redis did not answer within 100 ms.');
    redis.thaw();
    // The step that was given up may have been done: again, it is done once.
    const again = await store.write('frozen', 'r1', { number: 1, entries: start().entries });
    expect(again).toEqual({ kind: 'written' });
    expect((await store.read('frozen'))?.sequence).toBe(2);
  });

  test('hears again after Redis was away, and of what it missed', async () => {
    const store = createRedisStore(await redis.connect());
    const other = createRedisStore(await redis.connect());
    await other.startRun('away', start());
    const heard: string[] = [];
    const leave = store.subscribe('away', (change) => heard.push(change));
    await expect.poll(() => heard).toEqual(['log', 'stop']);
    await redis.kill();
    heard.length = 0;
    await redis.revive();
    await expect.poll(() => heard, { timeout: 5_000 }).toEqual(['log', 'stop']);
    heard.length = 0;
    await expect
      .poll(() => other.write('away', 'r1', { number: 1, entries: start().entries }), {
        timeout: 5_000,
      })
      .toEqual({ kind: 'written' });
    await expect.poll(() => heard).toEqual(['log']);
    expect((await store.read('away'))?.sequence).toBe(2);
    leave();
    store.close();
    other.close();
  });
});

describe('options of a Redis store', () => {
  const client = { sendCommand: async () => null, duplicate: () => client } as never;

  test('that is given no client are refused', () => {
    for (const wrong of [undefined, {}, { sendCommand: 1 }]) {
      expect(() => createRedisStore(wrong as never)).toThrow(
        /^\[helix-chat\] createRedisStore: the client/,
      );
    }
  });

  test.each([{ keepMs: 0 }, { keepLogMs: Number.NaN }, { commandMs: -1 }])(
    '%o are refused',
    (options) => {
      expect(() => createRedisStore(client, options)).toThrow(
        /^\[helix-chat\] createRedisStore: `\w+` is/,
      );
    },
  );
});
