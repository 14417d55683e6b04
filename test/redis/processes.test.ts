import { wordReplyText } from 'helix-chat/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Read, textOf } from '../server/chatClient.ts';
import { NO_REDIS, onRedis, type RedisServer, startRedis } from './redisServer.ts';
import {
  createProcesses,
  type Processes,
  QUESTION,
  type ServerProcess,
} from './serverProcesses.ts';

const REPLY = wordReplyText(QUESTION);
/** `HELIX_RACES=1000` for a hunt. */
const RACES = Number(process.env.HELIX_RACES ?? 50);

/** The lease of a process that is killed, in ms. */
const BRIEF = 1_500;

/** Waits for something that real processes do. */
const soon = <T>(look: () => T | Promise<T>) =>
  expect.poll(look, { timeout: 30_000, interval: 20 });

describe.skipIf(NO_REDIS)(onRedis('two processes on one Redis'), { timeout: 120_000 }, () => {
  let redis: RedisServer;
  let processes: Processes;
  let options: Parameters<Processes['start']>[0];
  let other: ServerProcess;
  beforeAll(async () => {
    [redis, processes] = await Promise.all([startRedis(), createProcesses()]);
    // Patient, for a machine that has other things to do.
    options = { url: redis.url, wordMs: 15, leaseMs: 60_000, commandMs: 30_000 };
    other = await processes.start(options);
  }, 120_000);
  afterAll(async () => {
    await processes?.end();
    await redis?.close();
  });

  let chats = 0;
  const newChat = () => {
    chats += 1;
    return `chat-${chats}`;
  };
  const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;
  /** The transcript as texts, and what became of the latest run. */
  const truth = async (server: ServerProcess, chatId: string) => {
    const { status, messages } = await server.snapshot(chatId);
    return [status, ...messages.map(textOf)];
  };
  const ended = (read: Read) => soon(() => read.ended).not.toBe('open');

  /** One message of each process at once, on one session. */
  async function race(one: ServerProcess, two: ServerProcess, chatId: string): Promise<void> {
    const answers = await Promise.all([one.send(chatId, 'm-one'), two.send(chatId, 'm-two')]);
    const [won, lost] = answers.toSorted((a, b) => a.status - b.status);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    if (!won || !lost) return;
    const refusal = (await lost.json()) as { code: string; runId: string };
    expect(refusal.code).toBe('state_already_running');
    expect(refusal.runId).toBe(won.headers.get('X-Helix-Run-Id'));
    const read = one.read(won);
    await ended(read);
    expect(read.text()).toBe(REPLY);
    const { messages } = await two.snapshot(chatId);
    const winner = won === answers[0] ? 'm-one' : 'm-two';
    expect(messages.map(({ id }) => id)).toEqual([winner, read.chunks[1]?.messageId]);
    expect(messages.map(textOf)).toEqual([QUESTION, REPLY]);
  }

  test(`${RACES} pairs of sends at once: a run and a refusal each, nothing twice`, {
    timeout: 60_000 + RACES * 500,
  }, async () => {
    const server = await processes.start(options);
    const ids = Array.from({ length: RACES }, newChat);
    // Ten at a time: enough to be in each other’s way.
    const lane = async () => {
      for (let id = ids.pop(); id !== undefined; id = ids.pop()) await race(server, other, id);
    };
    await Promise.all(Array.from({ length: 10 }, lane));
    await server.kill();
  });

  test('the same send to both at once, with its key: one run, and both read it', async () => {
    const server = await processes.start(options);
    for (const chatId of Array.from({ length: 5 }, newChat)) {
      const answers = await Promise.all(
        [server, other].map((one) => one.send(chatId, 'm1', 'key-1')),
      );
      const reads = answers.map((answer) => server.read(answer));
      await Promise.all(reads.map(ended));
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(new Set(answers.map(({ headers }) => headers.get('X-Helix-Run-Id'))).size).toBe(1);
      expect(reads.map((read) => read.text())).toEqual([REPLY, REPLY]);
      expect(await truth(other, chatId)).toEqual(['ended', QUESTION, REPLY]);
    }
    await server.kill();
  });

  test('who comes back on the other process sees the whole reply, once', async () => {
    const server = await processes.start(options);
    const chatId = newChat();
    const first = server.read(await server.send(chatId, 'm1'));
    await soon(() => first.text()).toMatch(/\w+ \w+ \w+/);
    await first.leave();
    const again = other.read(await other.get(`${chatId}/stream`));
    await ended(again);
    expect([again.ended, again.text()]).toEqual(['done', REPLY]);
    expect(again.chunks.filter(({ type }) => type === 'finish')).toHaveLength(1);
    expect(await truth(other, chatId)).toEqual(['ended', QUESTION, REPLY]);
    expect((await other.get(`${chatId}/stream`)).status).toBe(204);
    await server.kill();
  });

  test.each([
    ['interrupt', 'ended'],
    ['abort', 'failed'],
  ] as const)(
    'a stop (%s) by the other process reaches the one that runs',
    async (mode, status) => {
      const server = await processes.start({ ...options, wordMs: 1_000 });
      const chatId = newChat();
      const read = server.read(await server.send(chatId, 'm1'));
      await soon(() => read.chunks.length).toBeGreaterThan(2);
      const stopped = await other.act(`${chatId}/stop`, { mode });
      expect([stopped.status, await stopped.json()]).toEqual([
        202,
        { runId: read.response.headers.get('X-Helix-Run-Id'), status: 'stopping' },
      ]);
      // Far sooner than its next word or a renewal of its lease.
      await ended(read);
      expect(read.text()).not.toBe(REPLY);
      expect((await other.snapshot(chatId)).status).toBe(status);
      await server.kill();
    },
  );

  test('a killed process’s run is failed once its lease has passed, and goes on elsewhere', async () => {
    const server = await processes.start({ ...options, leaseMs: BRIEF });
    const chatId = newChat();
    const read = server.read(await server.send(chatId, 'm1'));
    const along = other.read(await other.get(`${chatId}/stream`));
    await soon(() => along.text()).toMatch(/\w+ \w+ \w+/);
    await server.kill();
    await redis.elapse(BRIEF);
    const { status, error, messages } = await other.snapshot(chatId);
    expect([status, error?.code, error?.cause]).toEqual([
      ...['failed', 'transport_stream_drop', 'run_not_live'],
    ]);
    expect(messages.map(textOf)).toEqual([QUESTION]);
    await ended(along);
    expect([read.ended, along.ended, along.chunks.at(-1)?.type]).toEqual([
      ...['broken', 'done', 'error'],
    ]);
    const retried = other.read(await other.act(`${chatId}/retry`));
    await ended(retried);
    expect(retried.text()).toBe(REPLY);
    expect(await truth(other, chatId)).toEqual(['ended', QUESTION, REPLY]);
  });

  test.each([0, 5, 20, 50, 200])(
    'a repeat with its key, of a send whose process was killed %i ms later, doubles nothing',
    async (ms) => {
      const server = await processes.start({ ...options, leaseMs: BRIEF });
      const chatId = newChat();
      const sent = server.send(chatId, 'm1', 'key-1').catch(() => undefined);
      await redis.elapse(ms);
      // The repeat is on its way while the process dies.
      const [repeat] = await Promise.all([other.send(chatId, 'm1', 'key-1'), server.kill()]);
      const runId = repeat.headers.get('X-Helix-Run-Id');
      const first = await sent;
      expect(repeat.status).toBe(200);
      if (first?.ok) expect(first.headers.get('X-Helix-Run-Id')).toBe(runId);
      const read = other.read(repeat);
      await ended(read);
      expect(read.ended).toBe('done');
      const late = other.read(await other.send(chatId, 'm1', 'key-1'));
      await ended(late);
      expect(late.response.headers.get('X-Helix-Run-Id')).toBe(runId);
      const after = await other.snapshot(chatId);
      expect(after.runId).toBe(runId);
      if (after.status === 'failed') {
        expect([read, late].map(({ chunks }) => chunks.at(-1)?.type)).toEqual(['error', 'error']);
        await ended(other.read(await other.act(`${chatId}/retry`)));
      } else {
        expect([read.text(), late.text()]).toEqual([REPLY, REPLY]);
      }
      expect(await truth(other, chatId)).toEqual(['ended', QUESTION, REPLY]);
    },
  );

  test.each(['dead', 'frozen'] as const)(
    'Redis is %s for 5 s in the middle of a reply: typed answers, and then all of it',
    async (how) => {
      const slow = { ...options, wordMs: 60, leaseMs: 20_000, commandMs: 2_000 };
      const [server, second] = [await processes.start(slow), await processes.start(slow)];
      const [chatId, untouched] = [newChat(), newChat()];
      const read = server.read(await server.send(chatId, 'm1', 'key-1'));
      const along = second.read(await second.get(`${chatId}/stream`));
      await soon(() => along.text()).toMatch(/\w+ \w+ \w+/);
      const back = new Promise((resolve) => setTimeout(resolve, 5_000));
      if (how === 'dead') await redis.kill();
      else redis.freeze();
      const refused = await Promise.all([
        second.get(`${chatId}/snapshot`),
        second.get(`${chatId}/stream`),
        second.send(untouched, 'm1', 'key-1'),
        second.send(chatId, 'm1', 'key-1'),
        second.act(`${chatId}/stop`, { mode: 'abort' }),
      ]);
      for (const response of refused) {
        expect(response.status).toBe(503);
        expect(await codeOf(response)).toBe('state_history_incomplete');
      }
      await back;
      if (how === 'dead') await redis.revive();
      else redis.thaw();
      await Promise.all([ended(read), ended(along)]);
      expect([read.ended, read.text()]).toEqual(['done', REPLY]);
      expect([along.ended, along.text()]).toEqual(['done', REPLY]);
      expect(await truth(second, chatId)).toEqual(['ended', QUESTION, REPLY]);
      const replayed = second.read(await second.send(chatId, 'm1', 'key-1'));
      const begun = second.read(await second.send(untouched, 'm1', 'key-1'));
      await Promise.all([ended(replayed), ended(begun)]);
      expect([replayed.text(), begun.text()]).toEqual([REPLY, REPLY]);
      expect(await truth(server, untouched)).toEqual(['ended', QUESTION, REPLY]);
      await Promise.all([server.kill(), second.kill()]);
    },
  );
});
