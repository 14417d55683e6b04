import { CLIENT_HEADER, createFaultServer, createManualWorld } from 'helix-chat/testing';
import { describe, expect, test } from 'vitest';
import { asked, streaming, turn } from '../setup/faultRules.ts';
import { mountMany } from '../setup/mountMany.tsx';
import { breakableNetwork } from '../setup/networkLayers.ts';
import { leftovers, type Play, play } from '../setup/playScenario.ts';

const TEXT = 'What is a helix?';
const MINUTE = 60_000;

const gaps = (times: readonly number[]): number[] =>
  times.slice(1).map((at, index) => at - (times[index] ?? 0));

/** A chat whose network is away, as the platform knows. */
async function offline() {
  const network = breakableNetwork();
  const game = await play({}, network.layer);
  network.down = true;
  game.world.setOnline(false);
  await game.send(TEXT);
  return { game, network };
}

async function backOnline(game: Play): Promise<void> {
  await game.rest(MINUTE);
  expect(await asked(game)).toEqual([`user: ${TEXT}`]);
  expect(game.mounted.screen()).toEqual(await game.truth());
  expect(await leftovers(game)).toEqual([]);
}

describe('while the platform says offline', () => {
  test('one probe each half minute, and they never stop', async () => {
    const { game, network } = await offline();
    await game.world.advance(30 * MINUTE);
    expect(network.tried.length).toBeGreaterThanOrEqual(55);
    expect(gaps(network.tried).every((ms) => ms >= 30_000 && ms <= 32_000)).toBe(true);
    expect(game.mounted.chat.recovery).toMatchObject({
      name: 'backing-off',
      cause: 'offline',
      attempt: 2,
    });
    expect(game.mounted.chat.offline).toBe(true);
    expect(game.heard.order).toEqual([]);
    network.down = false;
    game.world.setOnline(true);
    await backOnline(game);
  });

  test('the message goes at once when the network is back', async () => {
    const { game, network } = await offline();
    await game.world.advance(5 * MINUTE);
    network.down = false;
    game.world.setOnline(true);
    await game.world.settle();
    expect(game.posts()).toBe(1);
    await backOnline(game);
  });

  test('the message goes at once by a press', async () => {
    const { game, network } = await offline();
    await game.world.advance(5_000);
    network.down = false;
    void game.mounted.chat.act('try-now');
    await game.world.settle();
    expect(game.posts()).toBe(1);
    await backOnline(game);
  });

  test('a probe costs no try: the tries of a message begin when the network is back', async () => {
    const { game, network } = await offline();
    await game.world.advance(10 * MINUTE);
    const probes = network.tried.length;
    game.world.setOnline(true);
    await game.world.advance(10 * MINUTE);
    expect(network.tried.length - probes).toBeGreaterThanOrEqual(4);
    expect(game.mounted.chat.recovery.name).toBe('failed');
    expect(await leftovers(game)).toEqual([]);
  });

  test('a conversation that was to be loaded is read when the network is back', async () => {
    const network = breakableNetwork();
    network.down = true;
    const world = createManualWorld();
    const server = createFaultServer({ world });
    world.setOnline(false);
    const mounted = await mountMany(world, 1, () => ({
      id: 'c1',
      fetch: network.layer(server.fetch, world),
      headers: { [CLIENT_HEADER]: 'tab-1' },
      resync: true,
    }));
    await world.advance(10 * MINUTE);
    expect(mounted.chats[0]?.recovery).toMatchObject({ name: 'backing-off', cause: 'offline' });
    expect(mounted.chats[0]?.status).toBe('ready');
    network.down = false;
    world.setOnline(true);
    await world.advance(100);
    expect(mounted.chats[0]?.recovery.name).toBe('idle');
    await mounted.unmount();
    expect(world.pending()).toBe(0);
  });

  test('a wait that has begun before is stretched', async () => {
    const network = breakableNetwork();
    const game = await play({}, network.layer);
    network.down = true;
    await game.send(TEXT);
    game.world.setOnline(false);
    await game.world.settle();
    expect(game.mounted.chat.recovery).toMatchObject({ name: 'backing-off', cause: 'offline' });
    const tried = network.tried.length;
    await game.world.advance(29_000);
    expect(network.tried).toHaveLength(tried);
    network.down = false;
    game.world.setOnline(true);
    await backOnline(game);
  });

  test('a byte that reaches one chat of the page ends the wait of another', async () => {
    const network = breakableNetwork();
    const world = createManualWorld();
    const server = createFaultServer({ world });
    const page = await mountMany(world, 2, (index) => ({
      id: `c${index}`,
      fetch: network.layer(server.fetch, world),
      requestKeys: true,
      resync: true,
      resume: false,
    }));
    const [first, second] = [() => page.chats[0], () => page.chats[1]];
    network.down = true;
    world.setOnline(false);
    void first()?.sendMessage({ text: TEXT });
    await world.advance(5_000);
    expect(first()?.recovery).toMatchObject({ name: 'backing-off', cause: 'offline' });
    // The platform is wrong: something gets through.
    network.down = false;
    void second()?.sendMessage({ text: TEXT });
    await world.advance(500);
    expect(first()?.recovery.name).toBe('streaming');
    expect([first()?.offline, second()?.offline]).toEqual([false, false]);
    await world.advance(MINUTE);
    await page.unmount();
  });
});

describe('a platform that says offline while everything works', () => {
  test('changes nothing: the same requests at the same times, the same frames, and no word of it', async () => {
    const run = async (online: boolean) => {
      const game = await play();
      game.world.setOnline(online);
      // As it was from the beginning: no event tells of it.
      await turn(game, TEXT);
      await game.send('And then?');
      await streaming(game);
      const saidOffline = game.mounted.chat.offline;
      await game.rest();
      const requests = game.server.requests.map(({ at, route, status }) => [at, route, status]);
      const frames = game.mounted.frames.map(({ state, status, texts }) => [state, status, texts]);
      expect(await leftovers(game)).toEqual([]);
      return { requests, frames: frames.slice(2), saidOffline };
    };
    const [there, said] = [await run(true), await run(false)];
    expect(said.requests).toEqual(there.requests);
    expect(said.frames.at(-1)).toEqual(there.frames.at(-1));
    expect(said.saidOffline).toBe(false);
  });

  test('is told as offline when a request goes missing, and not any more when one gets through', async () => {
    const network = breakableNetwork();
    const game = await play({}, network.layer);
    game.world.setOnline(false);
    await turn(game, TEXT);
    expect(game.mounted.chat.offline).toBe(false);
    network.down = true;
    await game.send('And then?');
    await game.world.advance(1_000);
    expect(game.mounted.chat.offline).toBe(true);
    const tried = network.tried.length;
    await game.world.advance(31_000);
    expect(network.tried.length).toBeGreaterThan(tried);
    network.down = false;
    await game.rest(MINUTE);
    expect(game.mounted.chat.offline).toBe(false);
    expect(await asked(game)).toEqual([`user: ${TEXT}`, 'user: And then?']);
    expect(await leftovers(game)).toEqual([]);
  });
});

// A hundred hooks for twenty minutes take a while on a busy machine.
test('a hundred chats whose network comes back do not all go at one moment, and ten a minute are all', {
  timeout: 60_000,
}, async () => {
  const network = breakableNetwork();
  const world = createManualWorld();
  const server = createFaultServer({ world });
  const times: number[] = [];
  const counted: typeof fetch = (input, init) => {
    if (!network.down) times.push(world.monotonic());
    return network.layer(server.fetch, world)(input, init);
  };
  const page = await mountMany(world, 100, (index) => ({
    id: `c${index}`,
    fetch: counted,
    requestKeys: true,
    resync: false,
  }));
  network.down = true;
  world.setOnline(false);
  for (const chat of page.chats) void chat.sendMessage({ text: TEXT });
  await world.advance(10_000);
  expect(network.tried).toHaveLength(100);
  network.down = false;
  const at = world.monotonic();
  world.setOnline(true);
  await world.advance(MINUTE);
  const first = times.filter((time) => time - at < MINUTE);
  expect(first.length).toBeGreaterThanOrEqual(10);
  expect(new Set(first).size).toBe(first.length);
  await world.advance(20 * MINUTE);
  for (const time of times) {
    expect(
      times.filter((other) => other <= time && time - other < MINUTE).length,
    ).toBeLessThanOrEqual(10);
  }
  await page.unmount();
  expect(world.pending()).toBe(0);
});
