import { CLIENT_HEADER, createFaultServer, createManualWorld } from 'helix-chat/testing';
import { describe, expect, test } from 'vitest';
import { asked, script, streaming, turn } from '../setup/faultRules.ts';
import { mountChat } from '../setup/mountChat.tsx';
import { instead, slow } from '../setup/networkLayers.ts';
import { CHAT, leftovers, play, TAB } from '../setup/playScenario.ts';

const TEXT = 'What is a helix?';

describe('stop while a live reply is watched that was joined', () => {
  test('nothing of it is drawn any more, and the server is asked to stop it once', async () => {
    const game = await play();
    script(game, { on: 'send', fault: { do: 'break', afterWords: 2, how: 'cut' } });
    await game.send(TEXT);
    await game.world.runUntil(() => game.requests('stream') === 1);
    await game.world.runUntil(() => game.mounted.chat.recovery.name === 'streaming');
    await game.mounted.chat.stop();
    await game.world.settle();
    expect(game.mounted.chat.status).toBe('ready');
    const stopped = game.mounted.frames.length;
    await game.world.advance(20_000);
    expect(game.requests('stop')).toBe(1);
    expect(game.requests('stream')).toBe(1);
    const after = game.mounted.frames.slice(stopped);
    expect(after.every(({ status }) => status === 'ready')).toBe(true);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('a conversation that is read after a cut', () => {
  /** The live stream is gone, and the conversation can be read only after some failures. */
  const unreadable = async (failures: number) => {
    const seen = { reads: 0, armed: false };
    const layer = instead('snapshot', () => {
      if (!seen.armed) return undefined;
      seen.reads += 1;
      return seen.reads > failures ? undefined : new Response('no', { status: 503 });
    });
    const game = await play({}, layer);
    script(
      game,
      { on: 'send', fault: { do: 'break', afterWords: 3, how: 'cut' } },
      { on: 'stream', times: 20, fault: { do: 'refuse', status: 404, body: '' } },
    );
    await game.send(TEXT);
    await streaming(game);
    seen.armed = true;
    return { seen, game };
  };

  test('twice fails and then succeeds: three reads, and the reply is whole', async () => {
    const { seen, game } = await unreadable(2);
    await game.world.runUntil(() => seen.reads === 3);
    expect(game.mounted.frames.some(({ failure }) => failure !== undefined)).toBe(false);
    await game.rest();
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.posts()).toBe(1);
    expect(await leftovers(game)).toEqual([]);
  });

  test('is read no more once the page has gone', async () => {
    const { seen, game } = await unreadable(100);
    await game.world.runUntil(() => seen.reads === 1);
    expect(await leftovers(game)).toEqual([]);
    expect(seen.reads).toBe(1);
  });

  test('keeps the composer from sending into the unknown until it is read', async () => {
    const { seen, game } = await unreadable(2);
    await game.world.runUntil(() => seen.reads === 1);
    expect(game.mounted.chat.canSend).toBe(false);
    void game.mounted.chat.sendMessage({ text: 'next' });
    await game.world.settle();
    expect(game.posts()).toBe(1);
    expect(game.mounted.pending()).toEqual(['held: next']);
    await game.rest(60_000);
    expect(await asked(game)).toEqual([`user: ${TEXT}`, 'user: next']);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('a live reply that cannot be joined', () => {
  test.each([404, 409, 410])(
    '%i on the stream: the conversation is read, nothing is sent again, nothing fails',
    async (status) => {
      const game = await play();
      script(
        game,
        { on: 'send', fault: { do: 'break', afterWords: 3, how: 'cut' } },
        { on: 'stream', times: 1, fault: { do: 'refuse', status, body: '{"error":"no"}' } },
      );
      await game.send(TEXT);
      await streaming(game);
      const before = game.requests('snapshot');
      await game.rest(60_000);
      expect(game.requests('snapshot')).toBeGreaterThan(before);
      expect(game.posts()).toBe(1);
      expect(game.heard.order).toEqual(['onFinish']);
      expect(game.mounted.frames.every(({ failure }) => failure === undefined)).toBe(true);
      expect(game.mounted.screen()).toEqual(await game.truth());
      expect(await leftovers(game)).toEqual([]);
    },
  );

  test('the stream fails again and again: it is tried a few times, then the conversation is read', async () => {
    const game = await play();
    script(
      game,
      { on: 'send', fault: { do: 'break', afterWords: 3, how: 'cut' } },
      { on: 'stream', times: 50, fault: { do: 'refuse', status: 500, body: 'no' } },
    );
    await game.send(TEXT);
    await game.rest(120_000);
    expect(game.requests('stream')).toBeGreaterThan(1);
    expect(game.requests('stream')).toBeLessThan(10);
    expect(game.posts()).toBe(1);
    expect(game.heard.order).toEqual(['onFinish']);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('its run fell silent and another one took its place: the new one is followed, in one reply', async () => {
    const world = createManualWorld();
    const user = { role: 'user', parts: [{ type: 'text', text: TEXT }] };
    const frames = (runId: string, ...texts: string[]) =>
      [
        { type: 'data-run', data: { runId }, transient: true },
        { type: 'start', messageId: `a-${runId}` },
        { type: 'text-start', id: 't' },
        ...texts.map((delta) => ({ type: 'text-delta', id: 't', delta })),
      ].map((frame) => `data: ${JSON.stringify(frame)}\n\n`);
    const end = [
      { type: 'text-end', id: 't' },
      { type: 'finish', finishReason: 'stop' },
    ].map((frame) => `data: ${JSON.stringify(frame)}\n\n`);
    const aborted: string[] = [];
    let id = '';
    let over = false;
    const stream = (text: string, runId: string, signal: AbortSignal | null | undefined) =>
      new Response(
        new ReadableStream<Uint8Array>({
          start(controller) {
            controller.enqueue(new TextEncoder().encode(text));
            if (runId === 'r2') controller.close();
            signal?.addEventListener('abort', () => {
              aborted.push(runId);
              if (runId === 'r1') controller.error(signal.reason);
            });
          },
        }),
        { headers: { 'content-type': 'text/event-stream', 'x-helix-run-id': runId } },
      );
    const mounted = await mountChat(world, {
      ...{ id: CHAT, resync: true, resume: false, requestKeys: true },
      async fetch(input, init) {
        const url = String(input);
        if (init?.method === 'POST') {
          id = JSON.parse(String(init.body)).messages.at(-1).id;
          return stream(frames('r1', 'old words').join(''), 'r1', init.signal);
        }
        if (url.endsWith('/stream')) {
          over = true;
          return stream([...frames('r2', 'new words'), ...end].join(''), 'r2', init?.signal);
        }
        const reply = {
          id: 'a-r2',
          role: 'assistant',
          parts: [{ type: 'text', text: 'new words' }],
        };
        return Response.json(
          over
            ? { status: 'ended', runId: 'r2', messages: [{ ...user, id }, reply] }
            : { status: 'active', runId: 'r2', messages: [{ ...user, id }] },
        );
      },
    });
    void mounted.chat.sendMessage({ text: TEXT });
    await world.runUntil(() => over, 600_000);
    await world.advance(60_000);
    expect(aborted).toContain('r1');
    expect(mounted.chat.status).toBe('ready');
    expect(mounted.screen()).toEqual([`user: ${TEXT}`, 'assistant: new words']);
    await mounted.unmount();
    await world.advance(0);
    expect(world.pending()).toBe(0);
  });

  test('accepted, cut at once, nothing to join yet: the reply comes whole, without a word of trouble', async () => {
    const game = await play();
    script(
      game,
      { on: 'send', fault: { do: 'break', afterWords: 0, how: 'cut' } },
      { on: 'stream', times: 1, fault: { do: 'no-run' } },
    );
    await game.send(TEXT);
    await game.rest(60_000);
    expect(game.posts()).toBe(1);
    expect(game.mounted.frames.every(({ failure }) => failure === undefined)).toBe(true);
    expect(game.mounted.frames.every(({ status }) => status !== 'error')).toBe(true);
    expect(game.heard.order).toEqual(['onFinish']);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('reading the conversation while a reply is written', () => {
  test('never makes the words on the screen fewer', async () => {
    const game = await play();
    await turn(game, 'before');
    await game.send(TEXT);
    await streaming(game);
    await game.world.advance(150);
    const from = game.mounted.frames.length;
    void game.mounted.chat.resync();
    await game.rest();
    const replies = game.mounted.frames
      .slice(from)
      .map(({ texts }) => texts[3] ?? '')
      .map((text) => text.length);
    expect(replies.length).toBeGreaterThan(1);
    expect(replies).toEqual(replies.toSorted((a, b) => a - b));
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('a chat that is opened reads what was said before it joins what is being said', async () => {
    const world = createManualWorld();
    const server = createFaultServer({ world });
    await server.foreignSend(CHAT, 'from elsewhere', { totalMs: 20_000 });
    const slowly = slow('snapshot', 800)(server.fetch, world);
    const mounted = await mountChat(world, {
      ...{ id: CHAT, fetch: slowly, resync: true, requestKeys: true },
      headers: { [CLIENT_HEADER]: TAB },
    });
    await world.advance(700);
    expect(server.requests.filter(({ client }) => client === TAB)).toEqual([]);
    await world.runUntil(() => mounted.chat.status === 'streaming');
    const routes = server.requests.filter(({ client }) => client === TAB).map(({ route }) => route);
    expect(routes.slice(0, 2)).toEqual(['snapshot', 'stream']);
    expect(mounted.screen()[0]).toBe('user: from elsewhere');
    await mounted.unmount();
    await world.advance(60_000);
    expect([world.pending(), server.settled()]).toEqual([0, true]);
  });
});
