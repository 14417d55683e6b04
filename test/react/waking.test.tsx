import { type ManualWorld, wordReply } from 'helix-chat/testing';
import { describe, expect, test } from 'vitest';
import { asked, backingOff, streaming, turn } from '../setup/faultRules.ts';
import {
  breakableNetwork,
  firstAnswerNeverComes,
  type Layer,
  mortalStreams,
  slow,
} from '../setup/networkLayers.ts';
import { leftovers, type Play, play } from '../setup/playScenario.ts';

const TEXT = 'What is a helix?';
const MINUTE = 60_000;

/** A server that takes two minutes for a reply. */
const slowly = (world: ManualWorld) => ({
  reply: (context: Parameters<typeof wordReply>[1]) =>
    wordReply(world, context, { totalMs: 2 * MINUTE }),
});

/** What the chat has asked for since, beside what it asked before. */
function counting(game: Play) {
  const before = { snapshot: game.requests('snapshot'), stream: game.requests('stream') };
  return () => ({
    snapshot: game.requests('snapshot') - before.snapshot,
    stream: game.requests('stream') - before.stream,
    posts: game.posts(),
  });
}

const WAKES = ['visible', 'online', 'restored'] as const;

/** Everything that wakes a page, within 50 ms. */
async function wake(game: Play): Promise<void> {
  for (const event of WAKES) {
    game.world.emit(event);
    await game.world.advance(20);
  }
}

async function endsWell(game: Play): Promise<void> {
  await game.rest(5 * MINUTE);
  expect(game.mounted.chat.recovery.name).toBe('idle');
  expect(game.mounted.screen()).toEqual(await game.truth());
  expect(await asked(game)).toEqual([`user: ${TEXT}`]);
  expect(game.heard.order).toEqual(['onFinish']);
  expect(await leftovers(game)).toEqual([]);
}

/** A reply that is being written, on a connection that can die. */
async function replying(layer: Layer = (fetch) => fetch) {
  const streams = mortalStreams();
  const game = await play({}, (fetch, world) => streams.layer(layer(fetch, world), world), slowly);
  await game.send(TEXT);
  await streaming(game);
  await game.world.advance(10_000);
  return { game, streams };
}

describe('a reply whose connection died while the page was away', () => {
  test('is asked about once and joined once, however many things wake the page', async () => {
    const { game, streams } = await replying();
    const asks = counting(game);
    streams.kill();
    game.world.setVisible(false);
    await game.world.advance(30_000);
    expect(asks()).toEqual({ snapshot: 0, stream: 0, posts: 1 });
    await wake(game);
    await game.world.advance(3_000);
    expect(asks()).toEqual({ snapshot: 1, stream: 1, posts: 1 });
    await endsWell(game);
    expect(asks()).toEqual({ snapshot: 1, stream: 1, posts: 1 });
  });

  test('and that has ended meanwhile comes whole by one read', async () => {
    const streams = mortalStreams();
    const game = await play({}, streams.layer);
    await game.send(TEXT);
    await streaming(game);
    await game.world.advance(200);
    const asks = counting(game);
    streams.kill();
    game.world.setVisible(false);
    await game.world.advance(30_000);
    await wake(game);
    await game.world.advance(3_000);
    expect(asks()).toEqual({ snapshot: 1, stream: 0, posts: 1 });
    await endsWell(game);
  });

  test('without any event: a clock that jumped is noticed within ten seconds', async () => {
    const { game, streams } = await replying();
    const asks = counting(game);
    streams.kill();
    game.world.jumpClock(5 * MINUTE);
    await game.world.advance(12_000);
    expect(asks()).toEqual({ snapshot: 1, stream: 1, posts: 1 });
    await endsWell(game);
  });

  test('is asked about again when something wakes the page while the answer is on its way, but never twice at a time', async () => {
    let under = 0;
    let most = 0;
    const count: Layer = (through) => async (input, init) => {
      if (!String(input).endsWith('/snapshot')) return through(input, init);
      under += 1;
      most = Math.max(most, under);
      return through(input, init).finally(() => {
        under -= 1;
      });
    };
    const both: Layer = (fetch, world) => count(slow('snapshot', 4_000)(fetch, world), world);
    const { game, streams } = await replying(both);
    const asks = counting(game);
    // For as short as this it may be a reply in thought.
    await game.world.advance(1_000);
    streams.kill();
    await wake(game);
    await game.world.advance(2_000);
    for (let times = 0; times < 5; times += 1) await wake(game);
    await game.world.advance(12_000);
    expect(most).toBe(1);
    expect(asks()).toMatchObject({ snapshot: 2, stream: 0 });
    await endsWell(game);
  });
});

describe('a reply on a healthy connection', () => {
  test('is read on, the same one, when the page is hidden and shown ten times', async () => {
    const aborts: unknown[] = [];
    const watched: Layer = (through) => (input, init) => {
      init?.signal?.addEventListener('abort', () => aborts.push(String(input)));
      return through(input, init);
    };
    const { game } = await replying(watched);
    const asks = counting(game);
    for (let times = 0; times < 10; times += 1) {
      game.world.setVisible(false);
      await game.world.advance(500);
      game.world.setVisible(true);
      await game.world.advance(2_500);
    }
    expect(asks()).toMatchObject({ stream: 0, posts: 1 });
    expect(aborts.filter((url) => !String(url).endsWith('/snapshot'))).toEqual([]);
    await endsWell(game);
  });

  test('is not even asked about while its bytes come', async () => {
    const game = await play();
    await game.send(TEXT);
    await streaming(game);
    const asks = counting(game);
    await wake(game);
    await endsWell(game);
    expect(asks()).toEqual({ snapshot: 0, stream: 0, posts: 1 });
  });
});

describe('a chat that is down', () => {
  test('goes on by each thing that wakes the page, also right after another', async () => {
    const network = breakableNetwork();
    const streams = mortalStreams();
    const game = await play(
      {},
      (fetch, world) => streams.layer(network.layer(fetch, world), world),
      slowly,
    );
    await game.send(TEXT);
    await streaming(game);
    await game.world.advance(5_000);
    game.world.emit('visible');
    await game.world.advance(20);
    game.world.emit('hidden');
    network.down = true;
    streams.kill();
    game.world.jumpClock(MINUTE);
    await game.world.advance(15_000);
    await game.world.runUntil(() => network.tried.length >= 2, MINUTE);
    const tried = network.tried.length;
    network.down = false;
    const asks = counting(game);
    game.world.emit('visible');
    await game.world.advance(100);
    expect(network.tried).toHaveLength(tried);
    expect(asks().stream + asks().snapshot).toBeGreaterThan(0);
    await endsWell(game);
  });

  test('makes one request of five network events in a tenth of a second', async () => {
    const network = breakableNetwork();
    const game = await play({}, network.layer);
    network.down = true;
    await game.send(TEXT);
    await game.world.advance(400);
    await backingOff(game);
    network.down = false;
    for (let times = 0; times < 5; times += 1) {
      game.world.emit('online');
      await game.world.advance(20);
    }
    await game.rest(MINUTE);
    expect(await asked(game)).toEqual([`user: ${TEXT}`]);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('a request whose answer died while the page was away', () => {
  test('is not awaited any more when the conversation holds its message', async () => {
    const game = await play({ requestKeys: false }, firstAnswerNeverComes, slowly);
    await game.send(TEXT);
    await game.world.advance(30_000);
    expect(game.mounted.chat.status).toBe('submitted');
    await wake(game);
    await game.world.advance(3_000);
    expect(game.mounted.chat.status).toBe('streaming');
    expect(game.posts()).toBe(1);
    await endsWell(game);
  });
});

describe('a failure for want of a network', () => {
  async function failedOnLoad() {
    const network = breakableNetwork();
    network.down = true;
    const game = await play({}, network.layer);
    await game.world.advance(5 * MINUTE);
    expect(game.mounted.chat.recovery.name).toBe('failed');
    return { game, network };
  }

  test('is over when the page is shown again and the network is back', async () => {
    const { game, network } = await failedOnLoad();
    network.down = false;
    game.world.emit('visible');
    await game.world.advance(100);
    expect(game.mounted.chat.recovery.name).toBe('idle');
    expect(game.mounted.chat.error).toBeUndefined();
    expect(await leftovers(game)).toEqual([]);
  });

  test('stands as it was while the network is away: looked at once each time, and told once', async () => {
    const { game, network } = await failedOnLoad();
    const tried = network.tried.length;
    const frames = game.mounted.frames.length;
    const { failure } = game.mounted.chat;
    await wake(game);
    await game.world.advance(2_000);
    expect(network.tried.length - tried).toBe(3);
    expect(game.mounted.chat.failure?.id).toBe(failure?.id);
    expect(game.heard.order).toEqual(['onError', 'onFailure']);
    const after = game.mounted.frames.slice(frames);
    expect(after.every(({ state, status }) => state === 'failed' && status === 'error')).toBe(true);
    await game.world.advance(5 * MINUTE);
    expect(network.tried.length - tried).toBe(3);
    expect(await leftovers(game)).toEqual([]);
  });
});

test('a chat with nothing under way asks for nothing when the page wakes up', async () => {
  const game = await play();
  await turn(game, TEXT);
  const asks = counting(game);
  await wake(game);
  game.world.jumpClock(MINUTE);
  await wake(game);
  await game.world.advance(MINUTE);
  expect(asks()).toEqual({ snapshot: 0, stream: 0, posts: 1 });
  expect(game.world.pending()).toBe(0);
  expect(await leftovers(game)).toEqual([]);
});

test('a chat on a plain backend asks for nothing when the page wakes up', async () => {
  const streams = mortalStreams();
  const game = await play({ requestKeys: false, resync: false }, streams.layer, slowly);
  await game.send(TEXT);
  await streaming(game);
  streams.kill();
  await game.world.advance(30_000);
  await wake(game);
  await game.world.advance(10_000);
  expect(game.mounted.chat.status).toBe('streaming');
  expect(game.server.requests).toHaveLength(1);
  await game.mounted.chat.stop();
  await game.world.advance(3 * MINUTE);
  expect(await leftovers(game)).toEqual([]);
});
