import type { UIMessage } from 'ai';
import type { UseHelixChatOptions } from 'helix-chat/react';
import { CLIENT_HEADER } from 'helix-chat/testing';
import { describe, expect, test } from 'vitest';
import { refuse, script, streaming, turn } from '../setup/faultRules.ts';
import { replaced } from '../setup/networkLayers.ts';
import { arm, leftovers, type Play, play, TAB } from '../setup/playScenario.ts';

const TEXT = 'What is a helix?';

type Options = UseHelixChatOptions<UIMessage>;

/** Plays with the options of a first render, then renders the chat again with others. */
async function rendered(first: Options, second: Options, between?: Parameters<typeof play>[1]) {
  let given: Options = {};
  const game = await play(first, (through, world) => {
    const passed = between?.(through, world) ?? through;
    given = { fetch: passed };
    return passed;
  });
  await game.mounted.rerender({
    id: 'c1',
    headers: { [CLIENT_HEADER]: TAB },
    requestKeys: true,
    resync: true,
    ...given,
    ...second,
  });
  return game;
}

describe('after another render the chat uses', () => {
  test.each<[string, (hear: (what: string) => void) => Options, (game: Play) => Promise<void>]>([
    ['onFinish', (hear) => ({ onFinish: () => hear('onFinish') }), (game) => turn(game, TEXT)],
    [
      'onError',
      (hear) => ({ onError: () => hear('onError') }),
      async (game) => {
        script(game, refuse(400));
        await turn(game, TEXT);
      },
    ],
    [
      'onFailure',
      (hear) => ({ onFailure: () => hear('onFailure') }),
      async (game) => {
        script(game, refuse(400));
        await turn(game, TEXT);
      },
    ],
    [
      'onRecovered',
      (hear) => ({ onRecovered: () => hear('onRecovered') }),
      async (game) => {
        script(game, refuse(503));
        await turn(game, TEXT);
      },
    ],
    [
      'onEvent',
      (hear) => ({ onEvent: ({ type }) => type === 'sent' && hear('onEvent') }),
      (game) => turn(game, TEXT),
    ],
    [
      'onDraft',
      (hear) => ({ onDraft: () => hear('onDraft') }),
      async (game) => {
        script(game, refuse(400));
        await turn(game, TEXT);
        await game.mounted.chat.act('take-back');
      },
    ],
    [
      'onConflict',
      (hear) => ({
        onConflict: () => {
          hear('onConflict');
          return 'fail' as const;
        },
      }),
      async (game) => {
        arm(game.server, 'busy');
        await turn(game, TEXT);
      },
    ],
    [
      'detectSoftFailure',
      (hear) => ({
        detectSoftFailure: () => {
          hear('detectSoftFailure');
          return undefined;
        },
      }),
      (game) => turn(game, TEXT),
    ],
    [
      'sendAutomaticallyWhen',
      (hear) => ({
        sendAutomaticallyWhen: () => {
          hear('sendAutomaticallyWhen');
          return false;
        },
      }),
      (game) => turn(game, TEXT),
    ],
    [
      'onUnauthorized',
      (hear) => ({
        onUnauthorized: () => {
          hear('onUnauthorized');
          return false;
        },
      }),
      async (game) => {
        script(game, refuse(401));
        await turn(game, TEXT);
      },
    ],
  ])('the `%s` of the latest render', async (name, options, makeItHeard) => {
    const heard: string[] = [];
    const game = await rendered(
      options((what) => heard.push(`first ${what}`)),
      options((what) => heard.push(`second ${what}`)),
    );
    heard.length = 0;
    await makeItHeard(game);
    expect(new Set(heard)).toEqual(new Set([`second ${name}`]));
    expect(await leftovers(game)).toEqual([]);
  });

  test('the `headers` and `body` of the latest render, for a repeat too', async () => {
    const sent: string[] = [];
    const game = await rendered(
      { headers: { [CLIENT_HEADER]: TAB, 'x-version': 'first' }, body: { version: 'first' } },
      { headers: { [CLIENT_HEADER]: TAB, 'x-version': 'second' }, body: { version: 'second' } },
      (through) => async (input, init) => {
        if (init?.method === 'POST') {
          const { version } = JSON.parse(String(init.body)) as { version: string };
          sent.push(`${new Headers(init.headers).get('x-version')} ${version}`);
        }
        return through(input, init);
      },
    );
    script(game, refuse(503));
    await turn(game, TEXT);
    expect(sent).toEqual(['second second', 'second second']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('the `onData` of the latest render', async () => {
    const heard: string[] = [];
    const note = [{ type: 'start' }, { type: 'data-note', data: 1 }, { type: 'finish' }];
    const game = await rendered(
      { onData: () => heard.push('first') },
      { onData: () => heard.push('second'), detectSoftFailure: false },
      replaced(['send'], note),
    );
    await turn(game, TEXT);
    expect(heard).toEqual(['second']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('the `stopServer` of the latest render', async () => {
    const game = await rendered({ stopServer: 'interrupt' }, { stopServer: false });
    await game.send(TEXT);
    await streaming(game);
    await game.mounted.chat.stop();
    await game.world.advance(60_000);
    expect(game.requests('stop')).toBe(0);
    expect(await leftovers(game)).toEqual([]);
  });

  test('the policy of the first render', async () => {
    const game = await rendered({ recovery: { repeats: 1 } }, { recovery: { repeats: 3 } });
    script(game, refuse(503, 9));
    await turn(game, TEXT);
    expect(game.posts()).toBe(2);
    expect(await leftovers(game)).toEqual([]);
  });
});
