import { describe, expect, test } from 'vitest';
import { lines, mountChat } from '../setup/mountChat.tsx';
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
