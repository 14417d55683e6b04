import { describe, expect, test } from 'vitest';
import { refuse, refuseTyped, script, turn } from '../setup/faultRules.ts';
import { instead, type Layer } from '../setup/networkLayers.ts';
import { leftovers, type Play, play } from '../setup/playScenario.ts';

const page = () =>
  new Response('<html>Sign in</html>', { headers: { 'content-type': 'text/html' } });

/** From now on the route is answered by `answer`; before, nothing stands in the way. */
function later(answer: () => Response): { layer: Layer; begin(): void } {
  let on = false;
  return {
    layer: instead('send', () => (on ? answer() : undefined)),
    begin: () => {
      on = true;
    },
  };
}

/** The ways in which a server, or what stands before it, does not take an act. */
const REFUSALS: readonly [string, (game: Play) => void][] = [
  ['a running reply (409)', (game) => script(game, refuseTyped({ code: 'state_already_running' }))],
  ['an untyped conflict (409)', (game) => script(game, refuse(409, 9))],
  ['a request that it does not understand (422)', (game) => script(game, refuse(422))],
  ['a sign-in that has ended (401)', (game) => script(game, refuse(401))],
  ['a busy server (503)', (game) => script(game, refuse(503, 9))],
  ['a failing server (500)', (game) => script(game, refuse(500, 9))],
];

async function answered(change: Parameters<typeof play>[0] = {}, layer?: Layer): Promise<Play> {
  const game = await play(change, layer);
  await turn(game, 'one');
  await turn(game, 'two');
  return game;
}

/** Does the act, and says which messages are not the objects that they were. */
async function changedBy(game: Play, act: () => void): Promise<unknown[]> {
  const before = [...game.mounted.chat.messages];
  act();
  await game.world.settle();
  await game.rest(400_000);
  const pending = new Set(game.mounted.chat.pendingSends.map(({ message }) => message.id));
  const after = game.mounted.chat.messages.filter(({ id }) => !pending.has(id));
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  return after.filter((message, index) => message !== before[index]);
}

describe.each<['regenerate' | 'edit', (game: Play) => void]>([
  ['regenerate', (game) => void game.mounted.chat.regenerate()],
  [
    'edit',
    (game) => {
      const [first] = game.mounted.chat.messages;
      void game.mounted.chat.sendMessage({ text: 'changed', messageId: first?.id ?? '' });
    },
  ],
])('%s refused', (phase, act) => {
  test.each(REFUSALS)('by %s leaves the history, the same objects', async (_, refused) => {
    const game = await answered();
    refused(game);
    expect(await changedBy(game, () => act(game))).toEqual([]);
    expect(game.mounted.chat.failure?.phase).toBe(phase);
    expect(game.mounted.pending()).toEqual(phase === 'edit' ? ['failed: changed'] : []);
    expect(await game.truth()).toHaveLength(4);
    expect(await leftovers(game)).toEqual([]);
  });

  test('by a page that is no reply leaves the history, the same objects', async () => {
    const { layer, begin } = later(page);
    const game = await answered({}, layer);
    begin();
    expect(await changedBy(game, () => act(game))).toEqual([]);
    expect(game.mounted.chat.failure?.error.reason).toBe('unexpected-response');
    expect(await leftovers(game)).toEqual([]);
  });

  test('by a dead network, without keys, leaves the history, the same objects', async () => {
    const { layer, begin } = later(() => Response.error());
    const dead: Layer = (through, world) => {
      const layered = layer(through, world);
      return async (input, init) => {
        const answer = await layered(input, init);
        if (answer.type === 'error') throw new TypeError('Failed to fetch');
        return answer;
      };
    };
    const game = await answered({ requestKeys: false }, dead);
    begin();
    expect(await changedBy(game, () => act(game))).toEqual([]);
    expect(game.mounted.chat.failure?.error.reason).toBe('network');
    expect(await leftovers(game)).toEqual([]);
  });
});
