import { type ManualWorld, wordReply } from 'helix-chat/testing';
import { describe, expect, test } from 'vitest';
import { asked, script, streaming, turn } from '../setup/faultRules.ts';
import { instead, type Layer, mortalStreams, type Route } from '../setup/networkLayers.ts';
import { arm, CHAT, leftovers, type Play, play } from '../setup/playScenario.ts';

const TEXT = 'What is a helix?';
const MINUTE = 60_000;

const isOf = (route: Route, input: Parameters<typeof fetch>[0], init?: RequestInit): boolean =>
  route === 'send'
    ? init?.method === 'POST' && String(input).endsWith('/chat')
    : String(input).endsWith(`/${route}`);

const untilAborted = (signal?: AbortSignal | null): Promise<Response> =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
  });

/** The requests of a route get no answer while it is silent; they end when they are aborted. `open`: how many are out. */
function silentRoute(route: Route) {
  const line = {
    silent: true,
    open: 0,
    asked: 0,
    layer: ((through) => async (input, init) => {
      if (!line.silent || !isOf(route, input, init)) return through(input, init);
      line.open += 1;
      line.asked += 1;
      try {
        return await untilAborted(init?.signal);
      } finally {
        line.open -= 1;
      }
    }) satisfies Layer,
  };
  return line;
}

/** A reply that takes so long. */
const lasting = (totalMs: number) => (world: ManualWorld) => ({
  reply: (context: Parameters<typeof wordReply>[1]) => wordReply(world, context, { totalMs }),
});

/** Streams of a route that say nothing but that they live. */
const onlyBeats =
  (...routes: Route[]): Layer =>
  (through, world) =>
  async (input, init) => {
    const answer = await through(input, init);
    if (answer.status !== 200 || !routes.some((route) => isOf(route, input, init))) return answer;
    void answer.text().catch(() => {});
    let cancel = (): void => {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const beat = (): void => {
          controller.enqueue(new TextEncoder().encode(': beat\n\n'));
          cancel = world.after(1_000, beat);
        };
        cancel = world.after(1_000, beat);
        init?.signal?.addEventListener('abort', () => {
          cancel();
          controller.error(new DOMException('aborted', 'AbortError'));
        });
      },
      cancel: () => cancel(),
    });
    return new Response(body, { status: 200, headers: answer.headers });
  };

const all =
  (...layers: Layer[]): Layer =>
  (through, world) =>
    layers.reduce((fetch, layer) => layer(fetch, world), through);

async function isWhole(game: Play): Promise<void> {
  expect(game.mounted.chat.recovery.name).toBe('idle');
  expect(game.mounted.screen()).toEqual(await game.truth());
  expect(await asked(game)).toEqual([`user: ${TEXT}`]);
  expect(game.mounted.pending()).toEqual([]);
}

describe('a request whose headers do not come', () => {
  test('is repeated after `connectMs`, with its key', async () => {
    const line = silentRoute('send');
    const game = await play({ recovery: { connectMs: 3_000 } }, line.layer);
    await game.send(TEXT);
    await game.world.advance(2_900);
    expect([game.mounted.chat.recovery.name, line.open]).toEqual(['sending', 1]);
    line.silent = false;
    await game.rest();
    await isWhole(game);
    expect(game.posts()).toBe(1);
    expect(await leftovers(game)).toEqual([]);
  });

  test('is given a minute where keys are proven', async () => {
    const line = silentRoute('send');
    const game = await play({}, line.layer);
    await game.send(TEXT);
    await game.world.advance(MINUTE - 100);
    expect(line.open).toBe(1);
    line.silent = false;
    await game.rest(MINUTE);
    await isWhole(game);
    expect(await leftovers(game)).toEqual([]);
  });

  test('is waited for without end where nothing could repeat it safely; a stop ends it', async () => {
    const line = silentRoute('send');
    const game = await play({ requestKeys: false, resync: false }, line.layer);
    await game.send(TEXT);
    await game.world.advance(60 * MINUTE);
    expect(game.mounted.chat.recovery).toMatchObject({ name: 'sending', slow: true });
    await game.mounted.chat.stop();
    await game.world.advance(10_000);
    expect(line.open).toBe(0);
    expect(game.mounted.pending()).toEqual([`parked: ${TEXT}`]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('is not ended where `connectMs` is 0', async () => {
    const line = silentRoute('send');
    const game = await play({ recovery: { connectMs: 0 } }, line.layer);
    await game.send(TEXT);
    await game.world.advance(60 * MINUTE);
    expect([game.mounted.chat.recovery.name, line.open]).toEqual(['sending', 1]);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('the headers of a live run that is joined do not come', () => {
  test.each([true, false])(
    'the join is tried again after a minute, and the reply shown: keys %s',
    async (requestKeys) => {
      const line = silentRoute('stream');
      const game = await play({ requestKeys }, line.layer, lasting(3 * MINUTE));
      const foreign = await game.server.foreignSend(CHAT, TEXT, { totalMs: 3 * MINUTE });
      void game.mounted.chat.resync();
      await game.world.settle();
      expect(line.open).toBe(1);
      await game.world.advance(MINUTE - 100);
      expect(line.open).toBe(1);
      line.silent = false;
      await game.world.advance(5_000);
      expect(line.open).toBe(0);
      expect(game.mounted.chat.status).toBe('streaming');
      await game.world.advance(3 * MINUTE);
      await foreign.ended();
      await isWhole(game);
      expect(await leftovers(game)).toEqual([]);
    },
  );

  test('for ever: the conversation shows the reply when it is whole', async () => {
    const line = silentRoute('stream');
    const game = await play({ requestKeys: false }, line.layer);
    const foreign = await game.server.foreignSend(CHAT, TEXT, { totalMs: 2 * MINUTE });
    void game.mounted.chat.resync();
    await game.world.advance(10 * MINUTE);
    await foreign.ended();
    await isWhole(game);
    expect(line.open).toBe(0);
    expect(await leftovers(game)).toEqual([]);
  });

  test('while a message waits for that run: it goes when the run is over', async () => {
    const line = silentRoute('stream');
    const game = await play({ requestKeys: false }, line.layer);
    await game.server.foreignSend(CHAT, 'from elsewhere', { totalMs: 2 * MINUTE });
    await game.send(TEXT);
    await game.world.advance(4 * MINUTE);
    await game.rest(MINUTE);
    expect(await asked(game)).toEqual(['user: from elsewhere', `user: ${TEXT}`]);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.mounted.pending()).toEqual([]);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('an answer that may be an event stream and says nothing', () => {
  test('is asked about like any that is none: the conversation holds the message', async () => {
    let plain = true;
    const game = await play({}, (through, world) => async (input, init) => {
      if (!plain || !isOf('send', input, init)) return through(input, init);
      plain = false;
      const { signal: _kept, ...rest } = init ?? {};
      void through(input, rest).then((answer) => answer.text().catch(() => {}));
      await new Promise<void>((resolve) => world.after(10, resolve));
      return new Response(new ReadableStream(), { headers: { 'content-type': 'text/plain' } });
    });
    await game.send(TEXT);
    await game.world.advance(2 * MINUTE);
    await isWhole(game);
    expect(game.posts()).toBe(1);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('a stream that falls silent', () => {
  test('is cut after 45 s and taken up again, with no failure', async () => {
    const streams = mortalStreams();
    const game = await play({}, streams.layer, lasting(2 * MINUTE));
    await game.send(TEXT);
    await streaming(game);
    await game.world.advance(10_000);
    streams.kill();
    const joins = game.requests('stream');
    await game.world.advance(37_000);
    expect(game.requests('stream')).toBe(joins);
    await game.world.advance(10_000);
    expect(game.requests('stream')).toBe(joins + 1);
    await game.rest(3 * MINUTE);
    await isWhole(game);
    expect(game.heard.order).toEqual(['onFinish']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('is waited for where `idleMs` is 0', async () => {
    const streams = mortalStreams();
    const game = await play({ recovery: { idleMs: 0 } }, streams.layer, lasting(2 * MINUTE));
    await game.send(TEXT);
    await streaming(game);
    await game.world.advance(10_000);
    streams.kill();
    const joins = game.requests('stream');
    await game.world.advance(4 * MINUTE);
    expect(game.requests('stream')).toBe(joins);
    expect(game.mounted.chat.recovery).toMatchObject({ name: 'streaming', slow: true });
    await game.world.advance(2 * MINUTE);
    await isWhole(game);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('a reply that brings bytes and no content', () => {
  test('after a cut: the conversation says that it is over', async () => {
    const game = await play({ recovery: { progressMs: 20_000 } }, onlyBeats('stream'));
    arm(game.server, 'cut');
    await game.send(TEXT);
    await game.world.runUntil(() => game.mounted.chat.recovery.name === 'resyncing');
    await game.world.advance(MINUTE);
    await isWhole(game);
    expect(await leftovers(game)).toEqual([]);
  });

  test("is another client's: the message that waits for it goes when the conversation says that it is over", async () => {
    const game = await play({ recovery: { progressMs: 20_000 } }, onlyBeats('stream'));
    await game.server.foreignSend(CHAT, 'from elsewhere', { totalMs: 30_000 });
    await game.send(TEXT);
    await game.world.advance(5_000);
    expect(game.mounted.chat.recovery).toMatchObject({ name: 'waiting-on-run', attached: true });
    const reads = game.requests('snapshot');
    await game.world.advance(10_000);
    expect(game.requests('snapshot')).toBe(reads);
    await game.world.advance(2 * MINUTE);
    expect(await asked(game)).toEqual(['user: from elsewhere', `user: ${TEXT}`]);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.mounted.pending()).toEqual([]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('goes on being read while the conversation says that its run lives', async () => {
    const game = await play({ recovery: { progressMs: 10_000 } }, onlyBeats('stream'));
    await game.server.foreignSend(CHAT, 'from elsewhere', { totalMs: MINUTE });
    await game.send(TEXT);
    await game.world.advance(5_000);
    const joins = game.requests('stream');
    await game.world.advance(40_000);
    expect(game.requests('stream')).toBe(joins);
    expect(game.mounted.chat.recovery).toMatchObject({ name: 'waiting-on-run', attached: true });
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('a reply that takes longer than `totalMs`', () => {
  const TOTAL = { recovery: { totalMs: 30_000 } };
  const timedOut = async (game: Play): Promise<void> => {
    expect(game.mounted.chat.failure).toMatchObject({
      phase: 'stream',
      committed: 'yes',
      error: { reason: 'timeout', layer: 'total' },
    });
    expect(game.mounted.chat.failure?.actions).toContain('reload');
    expect(game.mounted.screen()).toHaveLength(2);
    expect(await asked(game)).toEqual([`user: ${TEXT}`]);
    expect(game.heard.order).toEqual(['onError', 'onFinish', 'onFailure']);
  };

  test('ends in a failure that says so; what came of it stays', async () => {
    const game = await play(TOTAL, undefined, lasting(MINUTE));
    await game.send(TEXT);
    await game.world.advance(29_000);
    expect(game.mounted.chat.status).toBe('streaming');
    await game.world.advance(2_000);
    await timedOut(game);
    expect(game.mounted.screen()[1]).toMatch(/^assistant: ./);
    expect(await leftovers(game)).toEqual([]);
  });

  test('however many requests it takes: each cut goes on with the same time', async () => {
    const streams = mortalStreams();
    const game = await play(
      { recovery: { totalMs: 30_000, idleMs: 4_000 } },
      streams.layer,
      lasting(MINUTE),
    );
    await game.send(TEXT);
    await streaming(game);
    for (let at = 0; at < 2; at += 1) {
      await game.world.advance(5_000);
      streams.kill();
      await game.world.advance(6_000);
      expect(game.mounted.chat.status).toBe('streaming');
    }
    expect(game.requests('stream')).toBe(2);
    await game.world.advance(10_000);
    await timedOut(game);
    expect(await leftovers(game)).toEqual([]);
  });

  test('while it is joined again: the failure comes then, and nothing is joined after it', async () => {
    const streams = mortalStreams();
    const line = silentRoute('stream');
    const game = await play(
      { recovery: { totalMs: 30_000, idleMs: 4_000 } },
      all(streams.layer, line.layer),
      lasting(MINUTE),
    );
    await game.send(TEXT);
    await streaming(game);
    await game.world.advance(8_000);
    streams.kill();
    await game.world.advance(14_000);
    expect(line.open).toBe(1);
    await game.world.advance(9_000);
    await timedOut(game);
    expect(line.open).toBe(0);
    expect(await leftovers(game)).toEqual([]);
  });

  test('and is read anew meanwhile: the time goes on', async () => {
    const game = await play(TOTAL, undefined, lasting(MINUTE));
    await game.send(TEXT);
    await game.world.advance(15_000);
    void game.mounted.chat.resync();
    await game.world.advance(10_000);
    expect(game.mounted.chat.status).toBe('streaming');
    await game.world.advance(6_000);
    await timedOut(game);
    expect(await leftovers(game)).toEqual([]);
  });

  test('though the server has written it to its end meanwhile: it is shown whole, with no failure', async () => {
    const streams = mortalStreams();
    const game = await play(
      { recovery: { totalMs: 30_000, idleMs: 0 } },
      streams.layer,
      lasting(20_000),
    );
    await game.send(TEXT);
    await streaming(game);
    streams.kill();
    await game.world.advance(32_000);
    await isWhole(game);
    expect(game.heard.order).toEqual(['onFinish']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('before its first byte: the conversation is read, and the message stands where it is', async () => {
    const line = silentRoute('send');
    const game = await play({ recovery: { totalMs: 30_000 } }, line.layer);
    await game.send(TEXT);
    await game.world.advance(32_000);
    expect(game.mounted.chat.failure).toMatchObject({ phase: 'send', error: { layer: 'total' } });
    expect(game.mounted.pending()).toEqual([`failed: ${TEXT}`]);
    line.silent = false;
    void game.mounted.chat.act('send-again');
    await game.rest();
    await isWhole(game);
    expect(await leftovers(game)).toEqual([]);
  });

  test("and is another client's: it is no turn of ours, and is watched to its end", async () => {
    const game = await play(TOTAL);
    await game.server.foreignSend(CHAT, 'from elsewhere', { totalMs: MINUTE });
    await game.send(TEXT);
    await game.world.advance(50_000);
    expect(game.mounted.chat.recovery).toMatchObject({ name: 'waiting-on-run', attached: true });
    const joins = game.requests('stream');
    await game.world.advance(20_000);
    await game.rest();
    expect(game.requests('stream')).toBe(joins);
    expect(await asked(game)).toEqual(['user: from elsewhere', `user: ${TEXT}`]);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('is one reply: the next one has all the time again', async () => {
    const game = await play(TOTAL, undefined, lasting(20_000));
    await turn(game, 'one');
    await game.world.advance(5_000);
    await game.send(TEXT);
    await game.rest(30_000);
    expect(game.mounted.chat.failure).toBeUndefined();
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('a read of the conversation that is not answered', () => {
  test('on load: it is bounded, tried again, and offered as `reload` in the end', async () => {
    const line = silentRoute('snapshot');
    const game = await play({ requestKeys: false }, line.layer);
    expect(line.open).toBe(1);
    await game.world.advance(9_900);
    expect([game.mounted.chat.recovery.name, line.asked]).toEqual(['resyncing', 1]);
    await game.world.advance(2_000);
    expect([line.open, line.asked]).toEqual([1, 2]);
    await game.world.advance(2 * MINUTE);
    expect(game.mounted.chat.failure).toMatchObject({
      phase: 'load',
      primary: 'reload',
      error: { reason: 'timeout', layer: 'connect' },
    });
    expect(line.open).toBe(0);
    line.silent = false;
    void game.mounted.chat.act('reload');
    await game.rest();
    expect(game.mounted.chat.recovery.name).toBe('idle');
    expect(await leftovers(game)).toEqual([]);
  });

  test('before a failure of the run: it holds the failure up for three seconds', async () => {
    const line = silentRoute('snapshot');
    line.silent = false;
    const game = await play({}, line.layer);
    line.silent = true;
    script(game, {
      on: 'send',
      fault: { do: 'reply', words: 3, fails: { code: 'provider_auth_error' } },
    });
    await game.send(TEXT);
    await game.world.runUntil(() => game.mounted.chat.recovery.name === 'resyncing');
    await game.world.advance(2_900);
    expect(game.mounted.chat.recovery.name).toBe('resyncing');
    await game.world.advance(200);
    expect(game.mounted.chat.recovery.name).toBe('failed');
    expect(line.open).toBe(0);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('a stop that the server does not answer', () => {
  test('is asked once more after its time, then told; the chat was ready at once', async () => {
    const line = silentRoute('stop');
    const game = await play({}, line.layer, lasting(MINUTE));
    await game.send(TEXT);
    await streaming(game);
    await game.mounted.chat.stop();
    await game.world.advance(100);
    expect([game.mounted.chat.status, line.open]).toEqual(['ready', 1]);
    await game.world.advance(10_000);
    expect(line.open).toBe(1);
    await game.world.advance(10_000);
    expect(line.open).toBe(0);
    expect(game.mounted.chat.failure).toMatchObject({ phase: 'stop', severity: 'notice' });
    expect(game.mounted.chat.failure?.actions).toContain('stop-again');
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('a conversation that may not be read before a stated time', () => {
  const busy = (seconds: number): Response =>
    new Response('no', { status: 503, headers: { 'retry-after': String(seconds) } });

  test('is not read by a press either: a long wait leaves the failure with its time', async () => {
    let isBusy = true;
    const game = await play(
      {},
      instead('snapshot', () => (isBusy ? busy(90) : undefined)),
    );
    await game.rest();
    const { failure } = game.mounted.chat;
    expect(failure).toMatchObject({ phase: 'load' });
    isBusy = false;
    const reads = game.requests('snapshot');
    await game.mounted.chat.act('reload');
    await game.mounted.chat.resync();
    await game.world.advance(80_000);
    expect(game.requests('snapshot')).toBe(reads);
    expect(game.mounted.chat.failure).toBe(failure);
    await game.world.advance(11_000);
    await game.mounted.chat.act('reload');
    await game.rest();
    expect(game.requests('snapshot')).toBe(reads + 1);
    expect(game.mounted.chat.recovery.name).toBe('idle');
    expect(await leftovers(game)).toEqual([]);
  });

  test('a short one is sat out, with its time on screen; a message may go meanwhile', async () => {
    let answers = 4;
    const game = await play(
      {},
      instead('snapshot', () => (answers-- > 0 ? busy(20) : undefined)),
    );
    await game.world.runUntil(() => game.mounted.chat.recovery.name === 'failed', 5 * MINUTE);
    const reads = game.requests('snapshot');
    await game.mounted.chat.act('reload');
    expect(game.mounted.chat.recovery).toMatchObject({ name: 'backing-off', cause: 'stated-wait' });
    await game.mounted.chat.act('try-now');
    await game.world.advance(19_000);
    expect(game.requests('snapshot')).toBe(reads);
    await game.world.advance(2_500);
    expect(game.requests('snapshot')).toBe(reads + 1);
    expect(game.mounted.chat.recovery.name).toBe('idle');
    await turn(game, TEXT);
    await isWhole(game);
    expect(await leftovers(game)).toEqual([]);
  });
});
