import { afterEach, describe, expect, test, vi } from 'vitest';
import { streaming } from '../setup/faultRules.ts';
import { instead } from '../setup/networkLayers.ts';
import { leftovers, type Play, play } from '../setup/playScenario.ts';
import { stepReply } from '../setup/stepReply.ts';

const RETRY = { retry: (id: string) => `/api/chat/${id}/retry` };
const OUT_OF_STEPS = { code: 'framework_max_steps_exhausted' } as const;
const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

/** A reply whose first step was kept and whose second failed. */
async function failed(
  change: Parameters<typeof play>[0] = {},
  between?: Parameters<typeof play>[1],
  rest: readonly string[] = ['the end'],
): Promise<Play> {
  const serving = stepReply(['One step, ', 'half', OUT_OF_STEPS], rest);
  const game = await play({ resync: RETRY, ...change }, between, serving);
  await game.send('hi');
  await game.rest();
  expect(game.mounted.chat.recovery.name).toBe('failed');
  return game;
}

const going = async (game: Play): Promise<void> => {
  void game.mounted.chat.act('continue');
  await game.world.settle();
};
const posted = (game: Play) => game.server.requests.filter(({ route }) => route === 'retry');
const flashes = (game: Play, from: number): string[] =>
  game.mounted.frames.slice(from).flatMap(({ texts }) => (texts.length < 2 ? texts.join('|') : []));

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a failed reply with a way to go on with it', () => {
  test('offers to continue first; the rest is added to what was kept, in the same message', async () => {
    const game = await failed();
    const { messages, failure } = game.mounted.chat;
    expect(failure).toMatchObject({ primary: 'continue', phase: 'stream' });
    expect(game.mounted.screen()).toEqual(['user: hi', 'assistant: One step, ']);
    const from = game.mounted.frames.length;
    await going(game);
    await game.rest();
    expect(game.mounted.screen()).toEqual(['user: hi', 'assistant: One step, the end']);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.mounted.chat.messages.map(({ id }) => id)).toEqual(messages.map(({ id }) => id));
    expect(game.mounted.chat.messages[0]).toBe(messages[0]);
    expect(game.posts()).toBe(1);
    expect(posted(game)).toHaveLength(1);
    expect(posted(game)[0]?.key).toBeDefined();
    expect(game.mounted.chat.failure).toBeUndefined();
    expect(flashes(game, from)).toEqual([]);
    expect(game.heard.finished).toEqual([
      'error assistant: One step, ',
      'assistant: One step, the end',
    ]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('`retry()` continues it', async () => {
    const game = await failed();
    void game.mounted.chat.retry();
    await game.world.settle();
    await game.rest();
    expect(posted(game)).toHaveLength(1);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('another failure of it is offered beside a new reply', async () => {
    const serving = stepReply(
      ['Kept, ', 'half', { code: 'provider_overloaded', retryable: false }],
      ['end'],
    );
    const game = await play({ resync: RETRY }, undefined, serving);
    await game.send('hi');
    await game.rest();
    expect(game.mounted.chat.failure?.actions).toEqual(['new-reply', 'continue', 'dismiss']);
    await going(game);
    await game.rest();
    expect(game.mounted.screen()).toEqual(['user: hi', 'assistant: Kept, end']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('when nothing of it was kept, the question is answered', async () => {
    const game = await play({ resync: RETRY }, undefined, stepReply([OUT_OF_STEPS], ['Good']));
    await game.send('hi');
    await game.rest();
    expect(game.mounted.screen()).toEqual(['user: hi']);
    await going(game);
    await game.rest();
    expect(game.mounted.screen()).toEqual(['user: hi', 'assistant: Good']);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('two presses are one request', async () => {
    const game = await failed();
    const both = [game.mounted.chat.act('continue'), game.mounted.chat.act('continue')];
    await game.world.settle();
    await game.rest();
    await Promise.all(both);
    expect(posted(game)).toHaveLength(1);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('a chat that is opened on a failed run can go on with it', async () => {
    const game = await failed();
    await game.mounted.unmount();
    const { mountChat } = await import('../setup/mountChat.tsx');
    const again = await mountChat(game.world, {
      id: 'c1',
      fetch: game.server.fetch,
      requestKeys: true,
      resync: RETRY,
    });
    await game.world.runUntil(() => again.chat.recovery.name === 'failed');
    expect(again.chat.failure?.actions).toContain('continue');
    void again.chat.act('continue');
    await game.world.settle();
    await game.world.runUntil(() => again.chat.recovery.name === 'idle');
    expect(again.screen()).toEqual(await game.truth());
    await again.unmount();
  });
});

describe('a reply that reached its longest size', () => {
  test('is kept with a notice, and goes on from where it stopped by a press', async () => {
    const serving = stepReply(['As far as this, ', { finish: 'length' }], ['and to the end.']);
    const game = await play({ resync: RETRY }, undefined, serving);
    await game.send('hi');
    await game.rest();
    expect(game.mounted.chat.failure).toMatchObject({
      severity: 'notice',
      primary: 'continue',
      error: { reason: 'length' },
    });
    expect(game.mounted.screen()).toEqual(['user: hi', 'assistant: As far as this, ']);
    const from = game.mounted.frames.length;
    await going(game);
    await game.rest();
    expect(game.mounted.screen()).toEqual([
      'user: hi',
      'assistant: As far as this, and to the end.',
    ]);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect([posted(game).length, game.posts()]).toEqual([1, 1]);
    expect(game.mounted.chat.recovery.name).toBe('idle');
    expect(flashes(game, from)).toEqual([]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('again, goes on again', async () => {
    const serving = stepReply(
      ['One, ', { finish: 'length' }],
      ['two, ', { finish: 'length' }],
      ['three'],
    );
    const game = await play({ resync: RETRY }, undefined, serving);
    await game.send('hi');
    await game.rest();
    for (let times = 0; times < 2; times += 1) {
      expect(game.mounted.chat.failure?.primary).toBe('continue');
      await going(game);
      await game.rest();
    }
    expect(game.mounted.screen()).toEqual(['user: hi', 'assistant: One, two, three']);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('offers nothing that would stop at the same place where no retry route is named', async () => {
    const serving = stepReply(['As far as this, ', { finish: 'length' }]);
    const game = await play({}, undefined, serving);
    await game.send('hi');
    await game.rest();
    expect(game.mounted.chat.failure?.actions).toEqual(['dismiss']);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('without a way to go on', () => {
  test.each([
    ['no route is named', { resync: true } as const],
    ['the routes are only looked for', { resync: 'auto' } as const],
  ])('%s: a new reply is offered instead', async (_name, change) => {
    const game = await failed(change);
    expect(game.mounted.chat.failure?.actions).not.toContain('continue');
    expect(game.mounted.chat.failure?.actions).toContain('new-reply');
    expect(await leftovers(game)).toEqual([]);
  });

  test('to ask for it all the same tells the developer, and nothing happens', async () => {
    const game = await failed({ resync: true });
    const said = vi.spyOn(console, 'error').mockImplementation(() => {});
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    await game.mounted.chat.act('continue');
    expect([...said.mock.calls, ...warned.mock.calls].join()).toMatch(/\[helix-chat\] `continue`/);
    expect(game.mounted.chat.recovery.name).toBe('failed');
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('going on is refused', () => {
  const busyOnce = () => {
    let left = 1;
    return () => {
      left -= 1;
      return left < 0 ? undefined : json(409, { error: 'x', code: 'state_not_resumable' });
    };
  };

  test('typed: the reply stays as it was, the same objects, and the next try keeps its key', async () => {
    const game = await failed({}, instead('retry', busyOnce()));
    const before = game.mounted.chat.messages;
    await going(game);
    await game.rest();
    expect(game.mounted.chat.failure).toMatchObject({ phase: 'regenerate', committed: 'no' });
    expect(game.mounted.chat.failure?.error.code).toBe('state_not_resumable');
    expect(game.mounted.chat.messages).toHaveLength(2);
    for (const [at, message] of game.mounted.chat.messages.entries())
      expect(message).toBe(before[at]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('no answer: it is repeated with its key, and runs once', async () => {
    const keys: (string | null)[] = [];
    let left = 2;
    const game = await failed({}, (through) => async (input, init) => {
      if (!String(input).endsWith('/retry')) return through(input, init);
      keys.push(new Headers(init?.headers).get('x-helix-request-key'));
      left -= 1;
      if (left === 1) throw new TypeError('Failed to fetch');
      const answer = await through(input, init);
      if (left > 0) throw new TypeError('Failed to fetch');
      return answer;
    });
    await going(game);
    await game.rest();
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(game.mounted.screen()).toEqual(['user: hi', 'assistant: One step, the end']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('the server has taken it, but its answer is lost: it is repeated with its key, and nothing is doubled', async () => {
    let posts = 0;
    const lost: Parameters<typeof play>[1] = (through) => async (input, init) => {
      const answer = await through(input, init);
      if (!String(input).endsWith('/retry')) return answer;
      posts += 1;
      if (posts > 1) return answer;
      void answer.text().catch(() => {});
      throw new TypeError('Failed to fetch');
    };
    const game = await failed({}, lost, [
      'the end comes slowly, word by word, to the very last one',
    ]);
    const from = game.mounted.frames.length;
    await going(game);
    await game.rest();
    expect(posts).toBe(2);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.mounted.frames.slice(from).some(({ texts }) => /One.*One/.test(texts.join()))).toBe(
      false,
    );
    expect(flashes(game, from)).toEqual([]);
    expect(game.heard.order).toEqual(['onError', 'onFinish', 'onFailure', 'onFinish']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('no answer and no keys: the conversation is read; what goes on there is watched, posted once', async () => {
    let posts = 0;
    const lost: Parameters<typeof play>[1] = (through) => async (input, init) => {
      if (!String(input).endsWith('/retry')) return through(input, init);
      posts += 1;
      void (await through(input, init)).text().catch(() => {});
      throw new TypeError('Failed to fetch');
    };
    const game = await failed({ requestKeys: false }, lost, ['the end comes slowly']);
    await going(game);
    await game.rest();
    expect(posts).toBe(1);
    expect(game.mounted.chat.failure).toBeUndefined();
    expect(game.mounted.screen()).toEqual([
      'user: hi',
      'assistant: One step, the end comes slowly',
    ]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('a 401: the sign-in is renewed and it goes once more with the new headers', async () => {
    let token = 'old';
    const sent: (string | null)[] = [];
    const game = await failed(
      {
        headers: () => ({ authorization: token }),
        onUnauthorized: () => {
          token = 'new';
        },
      },
      (through) => async (input, init) => {
        if (!String(input).endsWith('/retry')) return through(input, init);
        const given = new Headers(init?.headers).get('authorization');
        sent.push(given);
        return given === 'new' ? through(input, init) : new Response('no', { status: 401 });
      },
    );
    await going(game);
    await game.rest();
    expect(sent).toEqual(['old', 'new']);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('the conversation cannot be read before: nothing is posted and the failure stays', async () => {
    let down = false;
    const game = await failed({}, (through) => async (input, init) => {
      if (down && String(input).endsWith('/snapshot')) throw new TypeError('Failed to fetch');
      return through(input, init);
    });
    const { failure } = game.mounted.chat;
    down = true;
    const pressed = game.mounted.chat.act('continue');
    await game.world.settle();
    await game.rest(60_000);
    await pressed;
    expect(posted(game)).toHaveLength(0);
    expect(game.mounted.chat.failure).toBe(failure);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('while a reply is gone on with', () => {
  test('a stop ends it, tells the server, and keeps what was kept', async () => {
    const game = await failed({}, undefined, ['the end comes slowly, word by word']);
    await going(game);
    await streaming(game);
    await game.world.advance(25);
    await game.mounted.chat.stop();
    await game.rest();
    await game.world.advance(5_000);
    expect(game.requests('stop')).toBe(1);
    expect(game.mounted.chat.failure).toBeUndefined();
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('a cut is mended', async () => {
    let cutNext = true;
    const game = await failed(
      {},
      (through) => async (input, init) => {
        const answer = await through(input, init);
        if (!String(input).endsWith('/retry') || !cutNext || answer.body === null) return answer;
        cutNext = false;
        const reader = answer.body.getReader();
        let frames = 0;
        const body = new ReadableStream<Uint8Array>({
          async pull(controller) {
            frames += 1;
            const { value } = await reader.read();
            if (frames > 5 || value === undefined) {
              void reader.cancel();
              controller.error(new TypeError('network error'));
            } else controller.enqueue(value);
          },
        });
        return new Response(body, { status: 200, headers: answer.headers });
      },
      ['the end comes slowly, word by word'],
    );
    const from = game.mounted.frames.length;
    await going(game);
    await game.rest();
    expect(cutNext).toBe(false);
    expect(game.mounted.screen()).toEqual([
      'user: hi',
      'assistant: One step, the end comes slowly, word by word',
    ]);
    expect(flashes(game, from)).toEqual([]);
    expect(game.mounted.chat.failure).toBeUndefined();
    expect(await leftovers(game)).toEqual([]);
  });

  test('a message that is sent meanwhile waits and follows', async () => {
    const game = await failed({}, undefined, ['the end comes slowly', 'yes']);
    await going(game);
    await streaming(game);
    await game.send('more');
    expect(game.mounted.pending()).toEqual(['held: more']);
    await game.rest();
    await game.rest();
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect((await game.truth()).filter((line) => line === 'user: more')).toHaveLength(1);
    expect(await leftovers(game)).toEqual([]);
  });

  test('it fails once more: it can be gone on with again, under a new key', async () => {
    const serving = stepReply(['A, ', 'x', OUT_OF_STEPS], ['B, ', 'y', OUT_OF_STEPS], ['C']);
    const game = await play({ resync: RETRY }, undefined, serving);
    await game.send('hi');
    await game.rest();
    await going(game);
    await game.rest();
    expect(game.mounted.chat.failure?.primary).toBe('continue');
    expect(game.mounted.screen()).toEqual(['user: hi', 'assistant: A, B, ']);
    await going(game);
    await game.rest();
    expect(game.mounted.screen()).toEqual(['user: hi', 'assistant: A, B, C']);
    expect(new Set(posted(game).map(({ key }) => key)).size).toBe(2);
    expect(await leftovers(game)).toEqual([]);
  });
});
