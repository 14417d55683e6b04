import type { UIMessage } from 'ai';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  asked,
  keysOf,
  refuse,
  refuseTyped,
  script,
  streaming,
  turn,
} from '../setup/faultRules.ts';
import { textOf } from '../setup/mountChat.tsx';
import { instead, type Layer, replaced, slow } from '../setup/networkLayers.ts';
import { arm, CHAT, leftovers, type Play, play } from '../setup/playScenario.ts';

const TEXT = 'What is a helix?';
const LONG = 20_000;
const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
const lastBody = (game: Play): { messageId?: string; messages: UIMessage[] } =>
  game.server.requests.filter(({ route }) => route === 'send').at(-1)?.body as never;
const withText = (game: Play, text: string): UIMessage[] =>
  game.mounted.chat.messages.filter((message) => textOf(message) === text);
const keyCount = (game: Play): number => new Set(keysOf(game)).size;

afterEach(() => {
  vi.useRealTimers();
});

describe('a send that is refused with a typed conflict', () => {
  test.each(['entry_status_changed', 'entry_abandoned'] as const)(
    '%s: read, repeated once with its key, then it returns to the person',
    async (reason) => {
      const game = await play();
      const reads = game.requests('snapshot');
      script(game, refuseTyped({ code: 'state_run_start_conflict', reason }, 2));
      await game.send(TEXT);
      await game.world.advance(LONG);
      expect(game.posts()).toBe(2);
      expect(game.requests('snapshot')).toBeGreaterThan(reads);
      expect(keyCount(game)).toBe(1);
      expect(game.mounted.pending()).toEqual([`failed: ${TEXT}`]);
      expect(game.mounted.chat.failure?.actions).toContain('send-again');
      expect(await leftovers(game)).toEqual([]);
    },
  );

  test('`idempotency_mismatch`: it returns to the person, and goes again with a new key', async () => {
    const game = await play();
    script(game, refuseTyped({ code: 'state_run_start_conflict', reason: 'idempotency_mismatch' }));
    await game.send(TEXT);
    await game.world.advance(LONG);
    expect(game.posts()).toBe(1);
    expect(game.mounted.pending()).toEqual([`failed: ${TEXT}`]);
    void game.mounted.chat.act('send-again');
    await game.world.advance(LONG);
    expect(keyCount(game)).toBe(2);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('`request_key_taken` once: repeated with the same key, no failure', async () => {
    const game = await play();
    script(game, refuseTyped({ code: 'state_run_start_conflict', reason: 'request_key_taken' }));
    await game.send(TEXT);
    await game.world.advance(LONG);
    expect(game.posts()).toBe(2);
    expect(keyCount(game)).toBe(1);
    expect(game.heard.order).toEqual(['onFinish']);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('`request_key_taken` again: it returns to the person', async () => {
    const game = await play();
    script(game, refuseTyped({ code: 'state_run_start_conflict', reason: 'request_key_taken' }, 5));
    await game.send(TEXT);
    await game.world.advance(LONG);
    expect(game.posts()).toBe(2);
    expect(game.mounted.pending()).toEqual([`failed: ${TEXT}`]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('`state_concurrency_conflict`: repeated twice at most', async () => {
    const game = await play();
    script(game, refuseTyped({ code: 'state_concurrency_conflict' }, 5));
    await game.send(TEXT);
    await game.world.advance(LONG);
    expect(game.posts()).toBe(3);
    expect(keyCount(game)).toBe(1);
    expect(game.mounted.pending()).toEqual([`failed: ${TEXT}`]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('a second key conflict: one new key was tried, then it returns to the person', async () => {
    const game = await play();
    script(game, refuseTyped({ code: 'state_request_key_conflict' }, 5));
    await game.send(TEXT);
    await game.world.advance(LONG);
    expect(game.posts()).toBe(2);
    expect(keyCount(game)).toBe(2);
    expect(game.mounted.pending()).toEqual([`failed: ${TEXT}`]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('a new message beside a failed one meets a live run: it waits and goes, the failed one stays', async () => {
    const game = await play();
    script(game, refuse(400));
    await turn(game, 'A');
    expect(game.mounted.pending()).toEqual(['failed: A']);
    await game.server.foreignSend(CHAT, 'foreign', { totalMs: 3000 });
    await game.send('B');
    await game.world.advance(30_000);
    expect(await asked(game)).toEqual(['user: foreign', 'user: B']);
    expect(game.mounted.pending()).toEqual(['failed: A']);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('a send that the server has put off', () => {
  const deferred = {
    do: 'refuse',
    status: 500,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      error: 'Later.',
      code: 'provider_error',
      cause: 'deferred',
      retryAfterMs: 4000,
    }),
  } as const;

  test('stays on screen; after the stated time the conversation is read, nothing is posted again', async () => {
    const game = await play();
    script(game, { on: 'send', fault: deferred });
    await game.send(TEXT);
    const reads = game.requests('snapshot');
    await game.world.advance(3900);
    expect(game.requests('snapshot')).toBe(reads);
    expect(game.mounted.chat.status).not.toBe('error');
    expect(withText(game, TEXT)).toHaveLength(1);
    await game.world.advance(LONG);
    expect(game.requests('snapshot')).toBeGreaterThan(reads);
    expect(game.posts()).toBe(1);
    expect(withText(game, TEXT)).toHaveLength(1);
    expect(await leftovers(game)).toEqual([]);
  });

  test('without a way to read the conversation: it stays on screen and nothing is waited for', async () => {
    const game = await play({ resync: false });
    script(game, { on: 'send', fault: deferred });
    await game.send(TEXT);
    await game.world.advance(LONG);
    expect(game.mounted.chat.recovery.name).toBe('idle');
    expect(game.mounted.screen()).toEqual([`user: ${TEXT}`]);
    expect(game.posts()).toBe(1);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('a key that the app gives to one send', () => {
  const header = (key: string) => ({ headers: { 'X-Helix-Request-Key': key } });

  test('is kept for its repeats', async () => {
    const game = await play();
    script(game, refuse(503));
    void game.mounted.chat.sendMessage({ text: TEXT }, header('mine-1'));
    await game.world.settle();
    await game.rest();
    expect(keysOf(game)).toEqual(['mine-1', 'mine-1']);
    expect(await asked(game)).toEqual([`user: ${TEXT}`]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('must be well-formed', async () => {
    const game = await play();
    await expect(game.mounted.chat.sendMessage({ text: TEXT }, header('a b'))).rejects.toThrow(
      /^\[helix-chat\] .*malformed/,
    );
    expect(game.posts()).toBe(0);
    expect(game.mounted.chat.messages).toEqual([]);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('a reply that stands still', () => {
  /** The reply has begun and keeps its connection alive, but says nothing. */
  const onlyBytes: Layer = (through, world) => async (input, init) => {
    const answer = await through(input, init);
    if (init?.method !== 'POST' || !String(input).endsWith('/chat')) return answer;
    void answer.text().catch(() => {});
    const bytes = new TextEncoder();
    let cancel = (): void => {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes.encode('data: {"type":"start","messageId":"m1"}\n\n'));
        const beat = (): void => {
          controller.enqueue(bytes.encode(': beat\n\n'));
          cancel = world.after(1000, beat);
        };
        cancel = world.after(1000, beat);
        init.signal?.addEventListener('abort', () => {
          cancel();
          controller.error(new DOMException('aborted', 'AbortError'));
        });
      },
      cancel: () => cancel(),
    });
    return new Response(body, { status: 200, headers: answer.headers });
  };

  test('for `progressMs` though bytes come: the conversation says that it has ended, and settles it', async () => {
    const game = await play({ recovery: { progressMs: 15_000 } }, onlyBytes);
    await game.send(TEXT);
    await game.world.advance(14_000);
    expect(game.mounted.chat.status).toBe('streaming');
    await game.world.advance(LONG);
    expect(game.mounted.chat.recovery.name).toBe('idle');
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.heard.order).toEqual(['onFinish']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('and whose reads bring nothing new: few reads, and the transcript in the end', async () => {
    const game = await play(
      {},
      replaced(
        ['send', 'stream'],
        [
          { type: 'start', messageId: 'm1' },
          { type: 'start-step' },
          { type: 'text-start', id: 't' },
        ],
      ),
    );
    await game.send(TEXT);
    await game.world.advance(100_000);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.requests('stream')).toBeLessThanOrEqual(20);
    expect(game.posts()).toBe(1);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('a reply that is cut and cannot be joined', () => {
  test('401: signed out, one failure, the part stays', async () => {
    const game = await play(
      {},
      instead('stream', () => new Response('no', { status: 401 })),
    );
    arm(game.server, 'cut');
    await game.send(TEXT);
    await game.world.advance(LONG);
    expect(game.mounted.chat.failure?.error.reason).toBe('signed-out');
    expect(game.mounted.chat.failure?.actions).toContain('sign-in');
    expect(game.heard.order).toEqual(['onError', 'onFinish', 'onFailure']);
    expect(game.mounted.screen()).toHaveLength(2);
    expect(await leftovers(game)).toEqual([]);
  });

  test('503 `run_not_live`: the conversation is read, no failure', async () => {
    let refusals = 2;
    const game = await play(
      {},
      instead('stream', () =>
        refusals-- > 0
          ? json(503, { error: 'x', code: 'transport_stream_drop', cause: 'run_not_live' })
          : undefined,
      ),
    );
    arm(game.server, 'cut');
    await game.send(TEXT);
    await game.world.advance(LONG);
    expect(game.mounted.chat.recovery.name).toBe('idle');
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.posts()).toBe(1);
    expect(game.heard.order).toEqual(['onFinish']);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('a run that changes between the read and the join', () => {
  test('never shows a reply under the question of another', async () => {
    let swap: (() => Promise<void>) | undefined;
    const game = await play(
      {},
      instead('stream', async () => {
        const now = swap;
        swap = undefined;
        await now?.();
        return undefined;
      }),
    );
    await turn(game, 'one');
    const first = await game.server.foreignSend(CHAT, 'foreign one', { totalMs: 1000 });
    swap = async () => {
      const ended = first.ended();
      void game.world.advance(5000);
      await ended;
      await game.server.foreignSend(CHAT, 'foreign two', { totalMs: 2000 });
    };
    await game.mounted.chat.resync();
    await game.world.advance(LONG);
    const misplaced = game.mounted.frames.filter(({ texts }) =>
      texts.some(
        (line, index) =>
          line.startsWith('assistant: You asked: foreign two') &&
          texts[index - 1] !== 'user: foreign two',
      ),
    );
    expect(misplaced).toEqual([]);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.mounted.screen()).toContain('user: foreign two');
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('ending a run without leaving it', () => {
  test('`stopRun` while our own reply is written: it is read to its early end', async () => {
    const game = await play();
    await game.send(TEXT);
    await streaming(game);
    await game.world.advance(300);
    void game.mounted.chat.stopRun();
    await game.world.advance(LONG);
    expect(game.requests('stop')).toBe(1);
    expect(game.heard.order).toEqual(['onFinish']);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.mounted.chat.recovery.name).toBe('idle');
    expect(await leftovers(game)).toEqual([]);
  });

  test('`stopRun` with nothing running changes nothing', async () => {
    const game = await play();
    await turn(game, TEXT);
    game.heard.order.length = 0;
    void game.mounted.chat.stopRun();
    await game.world.advance(LONG);
    expect(game.mounted.chat.recovery.name).toBe('idle');
    expect(game.heard.order).toEqual([]);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('`stopAndSend` with a name sends that one first', async () => {
    const game = await play();
    await game.send('one');
    await streaming(game);
    void game.mounted.chat.sendMessage({ text: 'two' });
    void game.mounted.chat.sendMessage({ text: 'three' });
    await game.world.settle();
    const [, three] = game.mounted.chat.pendingSends;
    void game.mounted.chat.stopAndSend(three?.id ?? '');
    await game.world.advance(30_000);
    expect(await asked(game)).toEqual(['user: one', 'user: three', 'user: two']);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.heard.order).toEqual(['onFinish', 'onFinish', 'onFinish']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('a stop of what has ended already is a wish fulfilled', async () => {
    const game = await play(
      {},
      instead('stop', () =>
        json(409, { error: 'x', code: 'state_not_stoppable', currentStatus: 'ended' }),
      ),
    );
    await game.send(TEXT);
    await streaming(game);
    await game.mounted.chat.stop();
    await game.world.advance(LONG);
    expect(game.mounted.chat.failure).toBeUndefined();
    expect(game.heard.order).toEqual(['onFinish']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('a stop that cannot be made leaves the held message held', async () => {
    const game = await play(
      {},
      instead('stop', () => new Response('no', { status: 500 })),
    );
    arm(game.server, 'busy');
    await game.send(TEXT);
    await game.world.runUntil(() => game.mounted.chat.recovery.name === 'waiting-on-run');
    void game.mounted.chat.stopAndSend();
    await game.world.advance(500);
    expect(game.mounted.pending()).toEqual([`held: ${TEXT}`]);
    expect(game.heard.order).toEqual(['onFailure']);
    expect(game.heard.failures).toMatchObject([{ phase: 'stop', severity: 'notice' }]);
    await game.world.advance(30_000);
    expect(await asked(game)).toContain(`user: ${TEXT}`);
    expect(await leftovers(game)).toEqual([]);
  });

  test('stop-and-send for another reply that met a live run: that run is stopped, the act repeated', async () => {
    const game = await play();
    await turn(game, 'one');
    await game.server.foreignSend(CHAT, 'foreign', { totalMs: 8000 });
    void game.mounted.chat.regenerate();
    await game.world.runUntil(() => game.mounted.chat.failure !== undefined);
    expect(game.mounted.chat.failure?.actions).toContain('stop-send');
    void game.mounted.chat.act('stop-send');
    await game.world.advance(30_000);
    expect(game.mounted.chat.failure).toBeUndefined();
    expect(game.requests('stop')).toBe(1);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('a stop while a failed reply is settled shows no error', async () => {
    const game = await play({}, slow('snapshot', 800));
    await game.world.advance(2000);
    arm(game.server, 'auth');
    await game.send(TEXT);
    await game.world.runUntil(() => game.mounted.chat.recovery.name === 'resyncing');
    await game.mounted.chat.stop();
    await game.world.advance(LONG);
    expect(game.mounted.chat.error).toBeUndefined();
    expect(game.heard.order).toEqual(['onFinish']);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('what waits behind a reply that fails', () => {
  async function behindFailure(): Promise<Play> {
    const game = await play();
    script(game, {
      on: 'send',
      fault: { do: 'reply', words: 8, fails: { code: 'provider_auth_error' } },
    });
    await game.send('one');
    await streaming(game);
    await game.world.advance(80);
    void game.mounted.chat.sendMessage({ text: 'two' });
    await game.world.advance(LONG);
    return game;
  }

  test('stays, says why, and nothing is posted', async () => {
    const game = await behindFailure();
    expect(game.mounted.chat.pendingSends).toMatchObject([
      { state: 'held', cause: 'queue-paused' },
    ]);
    expect(game.mounted.pending()).toEqual(['held: two']);
    expect(game.posts()).toBe(1);
    expect(await leftovers(game)).toEqual([]);
  });

  test('goes by a press when the failure has been put away', async () => {
    const game = await behindFailure();
    game.mounted.chat.dismiss();
    await game.world.settle();
    expect(game.mounted.pending()).toEqual(['held: two']);
    void game.mounted.chat.act('send-again');
    await game.world.advance(LONG);
    expect(game.mounted.pending()).toEqual([]);
    expect(await asked(game)).toEqual(['user: one', 'user: two']);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('`sendMessage` resolves', () => {
  /** Whether the promise of a send has resolved by now. */
  function sent(game: Play): () => boolean {
    let done = false;
    void game.mounted.chat.sendMessage({ text: TEXT }).then(() => {
      done = true;
    });
    return () => done;
  }

  test('when its turn has failed', async () => {
    const game = await play();
    script(game, refuse(400));
    const isDone = sent(game);
    await game.world.settle();
    await game.rest();
    expect(game.mounted.chat.recovery.name).toBe('failed');
    expect(isDone()).toBe(true);
    expect(await leftovers(game)).toEqual([]);
  });

  test('when its turn has failed on a backend with no routes and keys', async () => {
    const game = await play({ requestKeys: false, resync: false });
    script(game, { on: 'send', fault: { do: 'drop', taken: false } });
    const isDone = sent(game);
    await game.world.settle();
    await game.rest();
    expect(game.mounted.chat.status).toBe('error');
    expect(isDone()).toBe(true);
    expect(await leftovers(game)).toEqual([]);
  });

  test('when a stop has parked its message, not before', async () => {
    const game = await play();
    script(game, refuse(503, 2));
    const isDone = sent(game);
    await game.world.runUntil(() => game.mounted.chat.recovery.name === 'backing-off');
    expect(isDone()).toBe(false);
    await game.mounted.chat.stop();
    await game.world.advance(5000);
    expect(game.mounted.pending()).toEqual([`parked: ${TEXT}`]);
    expect(isDone()).toBe(true);
    expect(await leftovers(game)).toEqual([]);
  });

  test('when the chat leaves the page with its message held', async () => {
    const game = await play();
    arm(game.server, 'busy');
    const isDone = sent(game);
    await game.world.runUntil(() => game.mounted.pending().length === 1);
    expect(isDone()).toBe(false);
    expect(await leftovers(game)).toEqual([]);
    expect(isDone()).toBe(true);
  });

  test('each at its own end, for two that `onFinish` sends', async () => {
    const order: string[] = [];
    let first = true;
    const game: Play = await play({
      onFinish() {
        if (!first) return;
        first = false;
        for (const text of ['two', 'three']) {
          void game.mounted.chat.sendMessage({ text }).then(() => order.push(text));
        }
      },
    });
    await game.send('one');
    await game.world.advance(60_000);
    expect(order).toEqual(['two', 'three']);
    expect(await asked(game)).toEqual(['user: one', 'user: two', 'user: three']);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('`setMessages` and the pending messages', () => {
  test.each([
    ['an updater', (game: Play) => game.mounted.chat.setMessages((messages) => messages)],
    [
      'the returned list',
      (game: Play) => game.mounted.chat.setMessages(game.mounted.chat.messages),
    ],
  ])('%s never takes the tail into the conversation', async (_name, set) => {
    const game = await play();
    script(game, refuse(400));
    await turn(game, TEXT);
    set(game);
    await game.world.settle();
    expect(withText(game, TEXT)).toHaveLength(1);
    expect(game.mounted.screen()).toEqual([]);
    void game.mounted.chat.act('send-again');
    await game.world.settle();
    await game.rest();
    expect(lastBody(game).messages.filter(({ role }) => role === 'user')).toHaveLength(1);
    expect(withText(game, TEXT)).toHaveLength(1);
    expect(await asked(game)).toEqual([`user: ${TEXT}`]);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('an edit with several parts', () => {
  test('is posted with all of them', async () => {
    const game = await play();
    await turn(game, 'one');
    const parts: UIMessage['parts'] = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ];
    const messageId = game.mounted.chat.messages[0]?.id ?? '';
    void game.mounted.chat.sendMessage({ parts, messageId } as never);
    await game.rest();
    expect(lastBody(game).messages.at(-1)?.parts).toEqual(parts);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('another reply after one that was refused', () => {
  test('is asked for the same message', async () => {
    const game = await play();
    await turn(game, 'one');
    await turn(game, 'two');
    const messageId = game.mounted.chat.messages[1]?.id ?? '';
    script(game, refuse(500));
    void game.mounted.chat.regenerate({ messageId });
    await game.rest();
    expect(game.mounted.chat.failure?.actions).toContain('new-reply');
    void game.mounted.chat.act('new-reply');
    await game.world.settle();
    await game.rest();
    expect(lastBody(game).messageId).toBe(messageId);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('keeps the key of one whose answer was lost', async () => {
    const game = await play({ recovery: { repeats: 0 } });
    await turn(game, 'one');
    script(
      game,
      { on: 'send', fault: { do: 'drop', taken: false } },
      { on: 'snapshot', times: 5, fault: { do: 'refuse', status: 500, body: '' } },
    );
    void game.mounted.chat.regenerate();
    await game.rest();
    expect(game.mounted.chat.recovery.name).toBe('failed');
    void game.mounted.chat.act('new-reply');
    await game.world.settle();
    await game.rest();
    const keys = keysOf(game);
    expect(keys).toHaveLength(3);
    expect(keys[2]).toBe(keys[1]);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('a throttle', () => {
  /** Lets the SDK's own throttle, which runs on the platform's timers, come to its end. */
  const throttleEnds = async (game: Play): Promise<void> => {
    await vi.advanceTimersByTimeAsync(1000);
    await game.world.settle();
  };

  test.each(['none', 'superseded'] as const)(
    'never hides a new row (what goes wrong: %s)',
    async (scenario) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
      const game = await play({ throttle: 400 });
      await turn(game, 'one');
      await throttleEnds(game);
      const from = game.mounted.frames.length;
      if (scenario !== 'none') arm(game.server, scenario);
      // The row comes while the list is held back for the reply before it, too.
      await game.send('two');
      await streaming(game);
      await game.send(TEXT);
      for (let ms = 0; ms < LONG; ms += 200) {
        await game.world.advance(200);
        await vi.advanceTimersByTimeAsync(200);
      }
      await throttleEnds(game);
      const frames = game.mounted.frames.slice(from);
      const first = frames.findIndex(({ texts }) => texts.includes(`user: ${TEXT}`));
      expect(first).toBeGreaterThanOrEqual(0);
      for (const frame of frames.slice(first)) expect(frame.texts).toContain(`user: ${TEXT}`);
      expect(game.mounted.screen()).toEqual(await game.truth());
      expect(await leftovers(game)).toEqual([]);
    },
  );
});
