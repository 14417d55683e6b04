import {
  CLIENT_HEADER,
  createFaultServer,
  createManualWorld,
  type ManualWorld,
} from 'helix-chat/testing';
import { describe, expect, test } from 'vitest';
import { lines, mountChat } from '../setup/mountChat.tsx';
import { slow } from '../setup/networkLayers.ts';
import { CHAT, leftovers, type Play, play, TAB } from '../setup/playScenario.ts';

/** A chat whose first read of the conversation meets these answers. */
async function loadWith(answers: readonly (Response | 'drop')[]): Promise<Play> {
  const left = [...answers];
  return play({}, (through) => async (input, init) => {
    if (!String(input).endsWith('/snapshot')) return through(input, init);
    const next = left.shift();
    if (next === 'drop') throw new TypeError('Failed to fetch');
    return next ?? through(input, init);
  });
}

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

const said = (role: string, text: string, id: string) => ({
  id,
  role,
  parts: [{ type: 'text', text }],
});

/** The answer, whose connection is lost after so many ms. */
function cutAfter(ms: number, answer: Response, world: ManualWorld): Response {
  const body = answer.body?.pipeThrough(
    new TransformStream({
      start(controller) {
        world.after(ms, () => controller.error(new TypeError('terminated')));
      },
    }),
  );
  return new Response(body ?? null, answer);
}

/** A page that comes to a run on its way, whose stream takes 500 ms to be joined, and how that ends. */
async function joinSlowly(end: 'joined' | 'cut' | 'lost' | 'gone') {
  const world = createManualWorld();
  const server = createFaultServer({ world });
  await server.foreignSend(CHAT, 'from elsewhere', { totalMs: 3000 });
  // A send takes so long that the stream's end comes first.
  const slowly = slow('send', 800)(server.fetch, world);
  let joins = 0;
  const mounted = await mountChat(world, {
    id: CHAT,
    async fetch(input, init) {
      if (!String(input).endsWith('/stream') || joins > 0) return slowly(input, init);
      joins += 1;
      await new Promise<void>((resolve) => world.after(500, resolve));
      init?.signal?.throwIfAborted();
      if (end === 'joined') return server.fetch(input, init);
      if (end === 'cut') return cutAfter(100, await server.fetch(input, init), world);
      if (end === 'gone') return new Response(null, { status: 204 });
      throw new TypeError('Failed to fetch');
    },
    headers: { [CLIENT_HEADER]: TAB },
    resync: true,
    requestKeys: true,
  });
  await world.runUntil(() => joins === 1);
  await world.advance(100);
  return { world, server, mounted };
}

describe('sending while a reply that is being written is about to be joined', () => {
  test.each(['joined', 'cut', 'lost', 'gone'] as const)(
    'the messages wait for the end of that reply, and are sent once each: the stream is %s',
    async (end) => {
      const { world, server, mounted } = await joinSlowly(end);
      expect(mounted.chat.canSend).toBe(false);
      void mounted.chat.sendMessage({ text: 'one' });
      await world.advance(1000);
      void mounted.chat.sendMessage({ text: 'two' });
      await world.advance(60_000);
      const truth = lines(await server.transcript(CHAT));
      const asked = truth.filter((line) => line.startsWith('user: '));
      expect(asked).toEqual(['user: from elsewhere', 'user: one', 'user: two']);
      expect(mounted.screen()).toEqual(truth);
      expect(mounted.pending()).toEqual([]);
      const posts = server.requests.filter(
        ({ route, client }) => route === 'send' && client === TAB,
      );
      expect(posts).toHaveLength(2);
      await mounted.unmount();
      await world.advance(60_000);
      expect([world.pending(), server.settled()]).toEqual([0, true]);
    },
  );
});

describe('loading a chat', () => {
  test('a new chat is idle, without a failure', async () => {
    const game = await play();
    expect(game.mounted.chat.recovery.name).toBe('idle');
    expect(game.heard.order).toEqual([]);
    expect(game.requests('snapshot')).toBe(1);
    expect(game.requests('stream')).toBe(0);
    expect(await leftovers(game)).toEqual([]);
  });

  test('a reply that is being written is joined and shown, with one snapshot and one stream', async () => {
    const game = await play();
    await game.server.foreignSend(CHAT, 'from elsewhere');
    await game.world.advance(300);
    // Two clients of one chat on one page: the developer is told, which is held elsewhere.
    console.warn = () => {};
    const second = await mountChat(game.world, {
      id: CHAT,
      fetch: game.server.fetch,
      headers: { 'X-Helix-Example-Client': 'tab-2' },
      resync: true,
      requestKeys: true,
    });
    await game.world.advance(0);
    expect(second.chat.status).toBe('streaming');
    expect(second.chat.canSend).toBe(false);
    await game.world.runUntil(() => second.chat.status === 'ready');
    expect(lines(second.chat.messages)).toEqual(await game.truth());
    const tab = game.server.requests.filter((request) => request.client === 'tab-2');
    expect(tab.map((request) => request.route)).toEqual(['snapshot', 'stream']);
    await second.unmount();
    expect(await leftovers(game)).toEqual([]);
  });

  test('a failed run shows its typed error at the last turn, with another reply on offer', async () => {
    const game = await loadWith([
      json(200, {
        messages: [said('user', 'hi', 'm1')],
        status: 'failed',
        error: { error: 'The service is busy.', code: 'provider_overloaded', retryable: true },
      }),
    ]);
    expect(game.mounted.chat.failure).toMatchObject({ phase: 'stream', messageId: 'm1' });
    expect(game.mounted.chat.failure?.error.code).toBe('provider_overloaded');
    expect(game.mounted.chat.failure?.actions).toContain('new-reply');
    expect(game.heard.order).toEqual(['onError', 'onFailure']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('a paused run is put and left to the person', async () => {
    const game = await loadWith([
      json(200, { messages: [said('user', 'hi', 'm1')], status: 'paused' }),
    ]);
    expect(game.mounted.chat.recovery.name).toBe('idle');
    expect(game.mounted.screen()).toEqual(['user: hi']);
    expect(await leftovers(game)).toEqual([]);
  });

  test.each([
    ['the network', 'drop' as const],
    ['a 503', json(503, { error: 'x', code: 'state_history_incomplete', cause: 'store_error' })],
    ['a 429', new Response('slow down', { status: 429 })],
    ['a 500', new Response('oops', { status: 500 })],
  ])(
    '%s fails once: it is read again, and sending stays possible meanwhile',
    async (_name, answer) => {
      const game = await loadWith([answer]);
      expect(game.mounted.chat.recovery).toMatchObject({ name: 'backing-off', of: 'load' });
      expect(game.mounted.chat.status).toBe('ready');
      expect(game.mounted.chat.canSend).toBe(true);
      await game.rest();
      expect(game.mounted.chat.recovery.name).toBe('idle');
      expect(game.heard.order).toEqual([]);
      expect(await leftovers(game)).toEqual([]);
    },
  );

  test('the network stays away: it ends in a failure that can be reloaded', async () => {
    const game = await loadWith(['drop', 'drop', 'drop', 'drop']);
    await game.rest(60_000);
    expect(game.mounted.chat.failure).toMatchObject({ phase: 'load' });
    expect(game.mounted.chat.failure?.actions).toContain('reload');
    await game.mounted.chat.retry();
    await game.rest();
    expect(game.mounted.chat.failure).toBeUndefined();
    expect(await leftovers(game)).toEqual([]);
  });

  test.each([
    ['401', new Response('no', { status: 401 }), 'signed-out'],
    ['403', new Response('no', { status: 403 }), 'forbidden'],
    [
      'a corrupt row',
      json(409, { error: 'x', code: 'state_history_incomplete', cause: 'corrupt_row' }),
      'corrupt_row',
    ],
    ['a list instead of a snapshot', json(200, []), 'corrupt_row'],
  ])('%s fails at once, and never as an empty chat', async (_name, answer, reason) => {
    const game = await loadWith([answer]);
    expect(game.mounted.chat.recovery.name).toBe('failed');
    expect(game.mounted.chat.failure?.error.reason).toBe(reason);
    expect(game.requests('snapshot')).toBe(0);
    expect(await leftovers(game)).toEqual([]);
  });

  test('a send during a load that backs off goes out at once', async () => {
    const game = await loadWith(['drop', 'drop', 'drop']);
    await game.send('hello');
    expect(game.posts()).toBe(1);
    await game.rest();
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('with `resync: auto` nothing is read on mount', async () => {
    const game = await play({ resync: 'auto' });
    expect(game.server.requests).toHaveLength(0);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('reading again', () => {
  test('shows what another client has written', async () => {
    const game = await play();
    const turn = await game.server.foreignSend(CHAT, 'from elsewhere');
    const ended = turn.ended();
    await game.world.advance(10_000);
    await ended;
    expect(game.mounted.screen()).toEqual([]);
    await game.mounted.chat.resync();
    await game.rest();
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('does not clear a failed reply that it does not settle', async () => {
    const game = await play();
    game.server.arm('auth', { client: TAB });
    await game.send('hi');
    await game.rest();
    const failure = game.mounted.chat.failure;
    expect(failure?.error.code).toBe('provider_auth_error');
    await game.mounted.chat.resync();
    await game.rest();
    expect(game.mounted.chat.recovery.name).toBe('failed');
    expect(game.mounted.chat.failure?.error.code).toBe('provider_auth_error');
    expect(await leftovers(game)).toEqual([]);
  });
});
