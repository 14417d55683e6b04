import type { UIMessage } from 'ai';
import type { Policy } from 'helix-chat';
import type { UseHelixChatOptions } from 'helix-chat/react';
import { createManualWorld, type ManualWorld } from 'helix-chat/testing';
import { describe, expect, test } from 'vitest';
import { type MountedMany, mountMany } from '../setup/mountMany.tsx';

const MINUTE = 60_000;
const COUNT = 100;

interface Asked {
  readonly at: number;
  readonly what: string;
  /** Which chat it is of, where the URL says. */
  readonly chat: number;
}

/** A page of chats whose endpoint answers nothing, with every request on record. */
interface DeadPage {
  readonly world: ManualWorld;
  readonly asked: Asked[];
  readonly mounted: MountedMany;
  sendAll(): Promise<void>;
  /** Requests by now that `from` did not know. */
  since(from: number): readonly Asked[];
}

async function deadPage(
  change: UseHelixChatOptions<UIMessage>,
  answer: (what: string) => Response | Promise<Response> = () => {
    throw new TypeError('fetch failed');
  },
  count = COUNT,
  recovery?: Policy,
): Promise<DeadPage> {
  const world = createManualWorld();
  const asked: Asked[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = String(input);
    const what = `${init?.method ?? 'GET'} ${url.replace('/api/chat', '').replace(/\/c\d+/, '')}`;
    const chat = Number(/\/c(\d+)/.exec(url)?.[1]);
    asked.push({ at: world.monotonic(), what, chat });
    return answer(what);
  };
  const optionsOf = (index: number) => ({ id: `c${index}`, fetch, ...change });
  const mounted = await mountMany(world, count, optionsOf, recovery);
  return {
    world,
    asked,
    mounted,
    async sendAll() {
      for (const chat of mounted.chats) void chat.sendMessage({ text: 'Is anybody there?' });
      await world.settle();
    },
    since: (from) => asked.slice(from),
  };
}

/** The most of these that any rolling minute holds. */
function busiest(asked: readonly Asked[]): number {
  return Math.max(
    0,
    ...asked.map(
      ({ at }) => asked.filter((other) => other.at <= at && at - other.at < MINUTE).length,
    ),
  );
}

/** The first try of each chat, and everything that followed by itself. */
function split(asked: readonly Asked[], what: string) {
  const first = asked.filter((request) => request.what === what).slice(0, COUNT);
  return { first, repeats: asked.filter((request) => !first.includes(request)) };
}

const statesOf = ({ mounted }: DeadPage): string[] => [
  ...new Set(mounted.chats.map((chat) => chat.recovery.name)),
];

const backends: readonly [string, UseHelixChatOptions<UIMessage>][] = [
  ['with keys and routes', { requestKeys: true, resync: true, resume: false }],
  ['with keys alone', { requestKeys: true, resync: false }],
  ['with routes alone', { requestKeys: false, resync: true, resume: false }],
  ['with neither', { requestKeys: false, resync: false }],
];

// A hundred hooks for ten minutes take a while on a busy machine.
const many = { timeout: 60_000 };

describe('a hundred chats of one page against an endpoint that does not answer', many, () => {
  test.each(backends)(
    '%s: each tries once, and ten repeats a minute are all',
    async (_name, change) => {
      const page = await deadPage(change);
      await page.sendAll();
      await page.world.advance(10 * MINUTE);
      const { first, repeats } = split(page.asked, 'POST ');
      expect(first).toHaveLength(COUNT);
      expect(busiest(repeats)).toBeLessThanOrEqual(10);
      expect(statesOf(page)).toEqual(['failed']);
      // A press goes through, whatever our own pauses are.
      const before = page.asked.length;
      void page.mounted.chats[7]?.act('send-again');
      await page.world.settle();
      expect(page.asked.length).toBeGreaterThan(before);
      await page.world.advance(10 * MINUTE);
      await page.mounted.unmount();
      expect(page.world.pending()).toBe(0);
      expect(page.world.listeners()).toBe(0);
    },
  );

  test('that are loading: each reads once, and ten repeats a minute are all', async () => {
    const page = await deadPage({ requestKeys: true, resync: true });
    expect(page.asked).toHaveLength(COUNT);
    await page.world.advance(10 * MINUTE);
    expect(busiest(page.since(COUNT))).toBeLessThanOrEqual(10);
    expect(statesOf(page)).toEqual(['failed']);
    await page.mounted.unmount();
    expect(page.world.pending()).toBe(0);
  });
});

describe('while our own limits hold automatic work up', many, () => {
  const keyed = { requestKeys: true, resync: true, resume: false } as const;

  test('a press goes out at once', async () => {
    const page = await deadPage(keyed);
    await page.sendAll();
    await page.world.advance(5_000);
    const paused = page.mounted.chats.findIndex(
      ({ recovery }) => recovery.name === 'backing-off' && recovery.cause === 'breaker',
    );
    expect(paused).toBeGreaterThanOrEqual(0);
    const before = page.asked.length;
    void page.mounted.chats[paused]?.act('try-now');
    await page.world.settle();
    expect(page.since(before).map(({ what }) => what)).toEqual(['POST ']);
    await page.mounted.unmount();
  });

  test('one chat alone asks whether the server is back, by a read, and then all go, but not at one moment', async () => {
    let alive = false;
    const budget = { moves: 1000, perMs: MINUTE };
    const breaker = { failures: 5, pauseMs: 30_000 };
    const page = await deadPage(
      keyed,
      (route) => {
        if (!alive) throw new TypeError('fetch failed');
        return route === 'GET /snapshot'
          ? Response.json({ messages: [], status: 'ended' })
          : Response.json({ error: 'no', code: 'validation_error' }, { status: 400 });
      },
      20,
      { budget, breaker },
    );
    await page.sendAll();
    await page.world.advance(20_000);
    const paused = page.mounted.chats.filter(
      ({ recovery }) => recovery.name === 'backing-off' && recovery.cause === 'breaker',
    );
    expect(paused).toHaveLength(20);
    // The first pause ends in a probe that fails: the others wait on.
    const from = page.asked.length;
    await page.world.advance(20_000);
    expect(page.since(from).map(({ what }) => what)).toEqual(['GET /snapshot']);
    alive = true;
    await page.world.advance(40_000);
    const [probe, ...others] = page.since(from + 1);
    expect(probe?.what).toBe('GET /snapshot');
    expect(others.map(({ what }) => what)).toEqual(Array(20).fill('POST '));
    expect(new Set(others.map(({ at }) => at)).size).toBeGreaterThan(15);
    expect(Math.max(...others.map(({ at }) => at - (probe?.at ?? 0)))).toBeLessThanOrEqual(1_000);
    expect(statesOf(page)).toEqual(['failed']);
    await page.mounted.unmount();
  });

  test('the probe of a chat that leaves is taken over by another', async () => {
    const hangs = new Promise<Response>(() => {});
    const page = await deadPage(
      keyed,
      (route) => {
        if (route === 'GET /snapshot') return hangs;
        throw new TypeError('fetch failed');
      },
      6,
    );
    await page.sendAll();
    await page.world.runUntil(() => page.asked.at(-1)?.what === 'GET /snapshot', MINUTE);
    const prober = page.asked.at(-1)?.chat ?? -1;
    await page.world.advance(2_000);
    const probers = () =>
      new Set(page.asked.filter(({ what }) => what === 'GET /snapshot').map(({ chat }) => chat));
    expect([...probers()]).toEqual([prober]);
    await page.mounted.chats[prober]?.stop();
    await page.world.advance(1_100);
    expect(probers().size).toBe(2);
    await page.mounted.unmount();
    expect(page.world.pending()).toBe(0);
  });

  test('a pause is never longer than the patience, and then the failure is the one that it began with', async () => {
    const page = await deadPage({ ...keyed, recovery: { patienceMs: 40_000 } });
    await page.sendAll();
    await page.world.advance(20_000);
    const { recovery } = page.mounted.chats[0] ?? {};
    expect(recovery).toMatchObject({ name: 'backing-off', cause: 'breaker' });
    await page.world.advance(40_000);
    const [chat] = page.mounted.chats;
    expect(chat?.failure?.error).toMatchObject({ code: 'transport_error', reason: 'network' });
    expect(chat?.pendingSends.map(({ state }) => state)).toEqual(['failed']);
    await page.mounted.unmount();
  });

  test('the budget tells each chat a time of its own, and keeps it', async () => {
    const page = await deadPage({ ...keyed, resync: false }, () =>
      Response.json({ error: 'busy', code: 'provider_overloaded' }, { status: 503 }),
    );
    await page.sendAll();
    await page.world.advance(10_000);
    const times = page.mounted.chats.flatMap(({ recovery }) =>
      recovery.name === 'backing-off' && recovery.cause === 'budget' ? [recovery.retryAt] : [],
    );
    expect(times.length).toBeGreaterThan(80);
    expect(new Set(times).size).toBeGreaterThan(30);
    await page.world.advance(10 * MINUTE);
    const { first, repeats } = split(page.asked, 'POST ');
    expect(first).toHaveLength(COUNT);
    expect(busiest(repeats)).toBe(10);
    expect(statesOf(page)).toEqual(['failed']);
    await page.mounted.unmount();
    expect(page.world.pending()).toBe(0);
  });
});

describe('one chat on a page whose every request fails for ten minutes', () => {
  test.each(backends)(
    '%s: few tries, no flood of the console, and the app stands',
    async (_name, change) => {
      const said: unknown[] = [];
      console.warn = (...words: unknown[]) => said.push(words);
      console.error = (...words: unknown[]) => said.push(words);
      const page = await deadPage({ ...change, resume: true }, undefined, 1);
      const header = page.mounted.page.querySelector('header');
      await page.sendAll();
      await page.world.advance(10 * MINUTE);
      expect(page.asked.length).toBeLessThanOrEqual(12);
      expect(said.length).toBeLessThanOrEqual(1);
      expect(page.mounted.page.querySelector('header')).toBe(header);
      expect(header?.isConnected).toBe(page.mounted.page.isConnected);
      expect(page.mounted.chats[0]?.failure?.error.message).toBeTruthy();
      expect(page.mounted.chats[0]?.messages.map(({ role }) => role)).toEqual(['user']);
      await page.mounted.unmount();
      expect(page.world.pending()).toBe(0);
    },
  );
});
