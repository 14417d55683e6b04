import type { UIMessage } from 'ai';
import { describe, expect, test } from 'vitest';
import { refuse, script, streaming } from '../setup/faultRules.ts';
import { instead, keepIds, slow } from '../setup/networkLayers.ts';
import { arm, leftovers, type Play, play } from '../setup/playScenario.ts';

const TEXT = 'What is a helix?';
const isOnce = async (game: Play, text = TEXT) =>
  expect((await game.truth()).filter((line) => line === `user: ${text}`)).toHaveLength(1);

async function answered(texts: readonly string[] = [TEXT]): Promise<Play> {
  const game = await play();
  for (const text of texts) {
    await game.send(text);
    await game.rest();
  }
  game.heard.order.length = 0;
  return game;
}

describe('stop', () => {
  test('while streaming: no error, one stop request, and the screen settles to the transcript', async () => {
    const game = await play();
    await game.send(TEXT);
    await streaming(game);
    await game.world.advance(300);
    await game.mounted.chat.stop();
    await game.world.settle();
    expect(game.mounted.chat.status).toBe('ready');
    expect(game.mounted.chat.error).toBeUndefined();
    await game.world.advance(10_000);
    expect(game.requests('stop')).toBe(1);
    expect(game.heard.order).toEqual(['onFinish']);
    expect(game.mounted.screen()).toEqual(await game.truth());
    await isOnce(game);
    expect(await leftovers(game)).toEqual([]);
  });

  test('while backing off: the message is parked, nothing goes by itself, and it goes again with its key', async () => {
    const game = await play();
    script(game, refuse(503, 2));
    await game.send(TEXT);
    await game.world.runUntil(() => game.mounted.chat.recovery.name === 'backing-off');
    await game.mounted.chat.stop();
    await game.world.advance(60_000);
    expect(game.posts()).toBe(1);
    expect(game.mounted.pending()).toEqual([`parked: ${TEXT}`]);
    expect(game.mounted.screen()).toEqual([]);
    await game.mounted.chat.act('send-again');
    await game.rest();
    const keys = game.server.requests.filter((r) => r.route === 'send').map((r) => r.key);
    expect(new Set(keys).size).toBe(1);
    await isOnce(game);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('while resyncing after a superseded attempt: nothing superseded stays on screen', async () => {
    const game = await play({}, slow('snapshot', 500));
    arm(game.server, 'superseded');
    await game.send(TEXT);
    await game.world.runUntil(() => game.mounted.chat.recovery.name === 'resyncing');
    await game.mounted.chat.stop();
    await game.world.advance(20_000);
    expect(game.mounted.chat.status).toBe('ready');
    expect(game.heard.order).toEqual(['onFinish']);
    await game.mounted.chat.resync();
    await game.rest();
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('after a stop the next message meets the run that is still stopping, and goes all the same', async () => {
    const game = await play();
    await game.send(TEXT);
    await streaming(game);
    await game.mounted.chat.stop();
    await game.send('next');
    await game.rest();
    await isOnce(game, 'next');
    await isOnce(game);
    expect(game.mounted.pending()).toEqual([]);
    await game.world.advance(5_000);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('a stop that does not reach the server is a notice, until a stop that does', async () => {
    let refuses = true;
    const game = await play(
      {},
      instead('stop', () => (refuses ? new Response('no', { status: 500 }) : undefined)),
    );
    await game.send(TEXT);
    await streaming(game);
    await game.world.advance(200);
    await game.mounted.chat.stop();
    await game.world.advance(100);
    expect(game.mounted.chat.failure).toMatchObject({ phase: 'stop', severity: 'notice' });
    expect(game.mounted.chat.failure?.actions).toContain('stop-again');
    expect(game.mounted.chat.status).toBe('ready');
    expect(game.mounted.chat.error).toBeUndefined();
    expect(game.heard.order).toEqual(['onFinish', 'onFailure']);
    refuses = false;
    void game.mounted.chat.act('stop-again');
    await game.world.advance(20_000);
    expect(game.requests('stop')).toBe(1);
    expect(game.mounted.chat.failure).toBeUndefined();
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('another reply', () => {
  test('takes the place of the last one', async () => {
    const game = await answered();
    void game.mounted.chat.regenerate();
    await game.rest();
    expect(game.mounted.screen()).toHaveLength(2);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.heard.order).toEqual(['onFinish']);
    expect(await leftovers(game)).toEqual([]);
  });

  test.each([409, 500, 503, 429, 400])(
    'refused with %i: the history is as it was, the same objects',
    async (status) => {
      const game = await answered(['one', 'two']);
      const before = [...game.mounted.chat.messages];
      script(game, {
        on: 'send',
        fault: {
          do: 'refuse',
          status,
          headers: { 'content-type': 'application/json' },
          body: status === 409 ? '{"error":"x","code":"state_already_running"}' : '{}',
        },
      });
      void game.mounted.chat.regenerate();
      await game.rest();
      const after = game.mounted.chat.messages;
      expect(after).toHaveLength(before.length);
      after.forEach((message, index) => {
        expect(message).toBe(before[index]);
      });
      expect(game.mounted.chat.failure?.phase).toBe('regenerate');
      // A conflict is a notice: nothing has gone wrong, something is merely under way.
      const heard = status === 409 ? [] : ['onError'];
      expect(game.heard.order).toEqual([...heard, 'onFinish', 'onFailure']);
      expect(game.posts()).toBe(3);
      expect(await leftovers(game)).toEqual([]);
    },
  );

  test('pressed while our own reply is written: that run is stopped first', async () => {
    const game = await play();
    await game.send(TEXT);
    await streaming(game);
    await game.world.advance(200);
    void game.mounted.chat.regenerate();
    await game.world.advance(20_000);
    await game.rest();
    expect(game.requests('stop')).toBe(1);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.mounted.screen()).toHaveLength(2);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('an edit', () => {
  const edit = (game: Play, text: string) => {
    const [first] = game.mounted.chat.messages;
    void game.mounted.chat.sendMessage({ text, messageId: first?.id ?? '' });
  };

  test('changes the message and cuts what followed', async () => {
    const game = await answered(['one', 'two']);
    edit(game, 'uno');
    await game.rest();
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.mounted.screen().filter((line) => line.startsWith('user'))).toEqual(['user: uno']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('refused: the history is as it was, and the new text is kept', async () => {
    const game = await answered(['one', 'two']);
    const before = [...game.mounted.chat.messages];
    script(game, refuse(500));
    edit(game, 'uno');
    await game.rest();
    expect(game.mounted.screen()).toEqual(await game.truth());
    before.forEach((message, index) => {
      expect(game.mounted.chat.messages[index]).toBe(message);
    });
    expect(game.mounted.pending()).toEqual(['failed: uno']);
    await game.mounted.chat.act('send-again');
    await game.rest();
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.mounted.screen()[0]).toBe('user: uno');
    expect(game.mounted.pending()).toEqual([]);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('a failed send', () => {
  test('sent again word for word is the same message', async () => {
    const game = await play();
    script(game, refuse(400));
    await game.send(TEXT);
    await game.rest();
    expect(game.mounted.pending()).toEqual([`failed: ${TEXT}`]);
    await game.send(TEXT);
    await game.rest();
    expect(game.mounted.pending()).toEqual([]);
    await isOnce(game);
    const sends = game.server.requests.filter((request) => request.route === 'send');
    expect(new Set(sends.map((request) => request.messageId)).size).toBe(1);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('is what a stock `regenerate()` sends again', async () => {
    const game = await play();
    script(game, refuse(400));
    await game.send(TEXT);
    await game.rest();
    void game.mounted.chat.regenerate();
    await game.rest();
    await isOnce(game);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('whose answer was lost is searched for before it is posted again', async () => {
    let fails = false;
    const reads = instead('snapshot', () =>
      fails ? new Response('no', { status: 503 }) : undefined,
    );
    const game = await play({ requestKeys: false }, (through, world) =>
      reads(keepIds(through, world), world),
    );
    arm(game.server, 'lost-response');
    fails = true;
    await game.send(TEXT);
    await game.rest();
    expect(game.mounted.pending()).toEqual([`failed: ${TEXT}`]);
    fails = false;
    await game.mounted.chat.act('send-again');
    await game.rest();
    expect(game.posts()).toBe(1);
    await isOnce(game);
    await game.world.advance(10_000);
    expect(game.mounted.pending()).toEqual([]);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('handed back by `take-back` goes to the composer and nowhere else', async () => {
    const drafts: UIMessage[] = [];
    const game = await play({ onDraft: (message) => void drafts.push(message) });
    script(game, refuse(413));
    await game.send(TEXT);
    await game.rest();
    expect(game.mounted.chat.failure?.actions).toContain('take-back');
    await game.mounted.chat.act('take-back');
    await game.world.settle();
    expect(drafts).toHaveLength(1);
    expect(game.mounted.pending()).toEqual([]);
    expect(game.mounted.chat.failure).toBeUndefined();
    expect(await leftovers(game)).toEqual([]);
  });

  test('stays pending when the composer throws', async () => {
    const warned: unknown[] = [];
    console.warn = (text: unknown) => warned.push(text);
    const game = await play({
      onDraft: () => {
        throw new Error('composer');
      },
    });
    script(game, refuse(413));
    await game.send(TEXT);
    await game.rest();
    await game.mounted.chat.act('take-back');
    expect(game.mounted.pending()).toEqual([`failed: ${TEXT}`]);
    expect(warned).toHaveLength(1);
    await leftovers(game);
  });

  test('with a stated wait over a minute is not repeated, and not sent before its time by a press', async () => {
    const game = await play();
    script(game, refuse(429, 1, { 'retry-after': '90' }));
    await game.send(TEXT);
    await game.rest();
    expect(game.mounted.chat.failure?.retryAt).toBe(game.world.now() + 90_000);
    expect(game.mounted.chat.canSend).toBe(false);
    void game.mounted.chat.act('send-again');
    await game.world.advance(80_000);
    expect(game.posts()).toBe(1);
    void game.mounted.chat.act('send-again');
    await game.world.advance(5_000);
    expect(game.posts()).toBe(1);
    await game.rest(30_000);
    expect(game.posts()).toBe(2);
    await isOnce(game);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('the network', () => {
  test('offline, then online: the message goes as soon as the network is back', async () => {
    let offline = false;
    const game = await play(
      {},
      (through) => (input, init) =>
        offline ? Promise.reject(new TypeError('Failed to fetch')) : through(input, init),
    );
    offline = true;
    game.world.setOnline(false);
    await game.send(TEXT);
    await game.world.advance(5_000);
    expect(game.mounted.chat.recovery).toMatchObject({ name: 'backing-off', cause: 'offline' });
    expect(game.mounted.chat.offline).toBe(true);
    offline = false;
    game.world.setOnline(true);
    await game.rest();
    await isOnce(game);
    expect(game.mounted.chat.offline).toBe(false);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('believed offline while everything works: nothing waits', async () => {
    const game = await play();
    game.world.setOnline(false);
    await game.send(TEXT);
    await game.rest();
    expect(game.mounted.chat.offline).toBe(false);
    await isOnce(game);
    expect(await leftovers(game)).toEqual([]);
  });

  test('a request that never answers is repeated with its key after its time', async () => {
    let hang = true;
    const game = await play(
      { recovery: { connectMs: 3000 } },
      (through) => (input, init) =>
        hang && init?.method === 'POST'
          ? new Promise((_resolve, reject) => {
              init.signal?.addEventListener('abort', () =>
                reject(new DOMException('aborted', 'AbortError')),
              );
            })
          : through(input, init),
    );
    await game.send(TEXT);
    await game.world.advance(2_900);
    expect(game.mounted.chat.recovery.name).toBe('sending');
    hang = false;
    await game.rest();
    await isOnce(game);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });
});
