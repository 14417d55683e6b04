import { describe, expect, test } from 'vitest';
import { turn } from '../setup/faultRules.ts';
import { CHAT, leftovers, type Play, play } from '../setup/playScenario.ts';
import { type Step, stepReply } from '../setup/stepReply.ts';

const replying = async (
  steps: readonly Step[],
  change: Parameters<typeof play>[0] = {},
): Promise<Play> => {
  const game = await play(change, undefined, stepReply(steps));
  await turn(game, 'hi');
  await game.world.advance(5_000);
  return game;
};

describe('a reply that ends otherwise than by saying all', () => {
  test.each([
    ['content-filter', 'provider_content_filtered', 'filtered'],
    ['length', 'provider_error', 'length'],
    ['error', 'provider_error', 'finish-error'],
  ])('%s: what was said stays, with a notice beside it', async (finish, code, reason) => {
    const game = await replying(['Some words', { finish }]);
    const { chat } = game.mounted;
    expect(game.mounted.screen()).toEqual(['user: hi', 'assistant: Some words']);
    expect(chat.failure).toMatchObject({ severity: 'notice', committed: 'yes', phase: 'stream' });
    expect(chat.failure?.error).toMatchObject({ code, reason });
    expect([chat.status, chat.error]).toEqual(['ready', undefined]);
    expect(game.heard.order).toEqual(['onFinish', 'onFailure']);
    expect(await leftovers(game)).toEqual([]);
  });

  test.each(['content-filter', 'length', 'error'])(
    '%s without a word: a failure, not a notice',
    async (finish) => {
      const game = await replying([{ finish }]);
      const { chat } = game.mounted;
      expect(chat.failure?.severity).toBe('warning');
      expect(chat.failure?.error.reason).toBeUndefined();
      expect(chat.status).toBe('error');
      expect(game.heard.order).toEqual(['onError', 'onFinish', 'onFailure']);
      expect(await leftovers(game)).toEqual([]);
    },
  );

  test.each(['stop', 'other', 'tool-calls'])('%s: no failure', async (finish) => {
    const game = await replying(['Some words', { finish }]);
    expect(game.mounted.chat.failure).toBeUndefined();
    expect(game.heard.order).toEqual(['onFinish']);
    expect(await leftovers(game)).toEqual([]);
  });

  test.each(['content-filter', 'length', 'error'])(
    '%s, with all such rules off: no failure',
    async (finish) => {
      const game = await replying(['Some words', { finish }], { detectSoftFailure: false });
      expect(game.mounted.chat.failure).toBeUndefined();
      expect(game.mounted.chat.status).toBe('ready');
      expect(await leftovers(game)).toEqual([]);
    },
  );
});

describe('an app names failures of its own', () => {
  test('it is asked once a reply, with its finish reason, and told whether it was seen live', async () => {
    const asked: unknown[] = [];
    const game = await replying(['Sorry'], {
      detectSoftFailure(message, about) {
        asked.push([message.parts.length > 0, about]);
        return { code: 'provider_refused' };
      },
    });
    expect(asked).toEqual([[true, { finishReason: 'stop', isReplay: false }]]);
    expect(game.mounted.chat.failure?.error.code).toBe('provider_refused');
    expect(game.mounted.screen()).toEqual(['user: hi', 'assistant: Sorry']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('not of a reply to another client: it makes no failure here', async () => {
    const game = await play(
      { detectSoftFailure: () => ({ code: 'provider_refused' }) },
      undefined,
      stepReply(['Sorry, that took a while to say', { finish: 'length' }]),
    );
    await game.server.foreignSend(CHAT, 'from elsewhere');
    await game.mounted.chat.resync();
    await game.rest();
    await game.world.advance(5_000);
    expect(game.mounted.chat.failure).toBeUndefined();
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('a throw counts as none, and is reported', async () => {
    const said: string[] = [];
    console.error = (...words: unknown[]) => void said.push(words.join(' '));
    console.warn = console.error;
    const game = await replying(['Fine'], {
      detectSoftFailure() {
        throw new Error('the app');
      },
    });
    expect(game.mounted.chat.failure).toBeUndefined();
    expect(said.join()).toMatch(/\[helix-chat\].*detectSoftFailure/);
    expect(await leftovers(game)).toEqual([]);
  });
});
