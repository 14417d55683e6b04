import { lastAssistantMessageIsCompleteWithToolCalls } from 'ai';
import type { ManualWorld } from 'helix-chat/testing';
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

describe('a reply that is over though it says that it is not', () => {
  test.each(['unknown', 'interrupted'])('%s: what was said stays, no failure', async (finish) => {
    const game = await replying(['Some words', { finish }]);
    const { chat } = game.mounted;
    expect([chat.status, chat.failure]).toEqual(['ready', undefined]);
    expect(game.mounted.screen()).toEqual(['user: hi', 'assistant: Some words']);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.heard.order).toEqual(['onFinish']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('interrupted, without a word: a stop somewhere, no empty reply', async () => {
    const game = await replying([{ finish: 'interrupted' }]);
    expect(game.mounted.chat.failure).toBeUndefined();
    expect(game.mounted.chat.status).toBe('ready');
    expect(game.heard.order).toEqual(['onFinish']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('interrupted: the conversation is read once, and no answer goes by itself', async () => {
    let asked = 0;
    const game = await play(
      {
        sendAutomaticallyWhen() {
          asked += 1;
          return false;
        },
      },
      undefined,
      stepReply(['Some words', { finish: 'interrupted' }]),
    );
    const reads = game.requests('snapshot');
    await turn(game, 'hi');
    await game.world.advance(10_000);
    expect(game.requests('snapshot')).toBe(reads + 1);
    expect([asked, game.posts()]).toEqual([0, 1]);
    expect(await leftovers(game)).toEqual([]);
  });

  test('unknown, without a word: an empty reply, to be written anew', async () => {
    const game = await replying([{ finish: 'unknown' }]);
    expect(game.mounted.chat.failure).toMatchObject({
      phase: 'stream',
      primary: 'new-reply',
      error: { code: 'framework_internal_error', reason: 'empty-reply' },
    });
    expect(game.heard.order).toEqual(['onError', 'onFinish', 'onFailure']);
    expect(await leftovers(game)).toEqual([]);
  });
});

/** The same a while later. */
const later =
  (steps: readonly Step[]) =>
  (world: ManualWorld): ReturnType<ReturnType<typeof stepReply>> => {
    const { reply } = stepReply(steps)(world);
    return {
      async reply(context) {
        await new Promise<void>((resolve) => world.after(2_000, resolve));
        return reply(context);
      },
    };
  };

describe("another client's reply, watched as it is written", () => {
  test.each([
    ['length', ['Far ', { finish: 'length' }]],
    ['content-filter', ['Far ', { finish: 'content-filter' }]],
    ['error', ['Far ', { finish: 'error' }]],
  ] as const)('ends by %s: that is its end, and no failure of this chat', async (_, steps) => {
    const game = await play({}, undefined, later(steps));
    await game.rest();
    await game.server.foreignSend(CHAT, 'from elsewhere');
    void game.mounted.chat.resync();
    await game.world.advance(1_000);
    expect(game.mounted.chat.status).toBe('streaming');
    await game.rest();
    await game.world.advance(5_000);
    expect(game.mounted.chat.failure).toBeUndefined();
    expect(game.mounted.chat.status).toBe('ready');
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.heard.order).toEqual([]);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('a step that says nothing after the result of a tool', () => {
  test.each(['chunks', 'answer'] as const)(
    'is no empty reply: the result came from the %s',
    async (from) => {
      const call = { toolCallId: 'c1', toolName: 'look' };
      const before = [
        { type: 'start-step' },
        { type: 'tool-input-available', ...call, input: {} },
        ...(from === 'chunks' ? [{ type: 'tool-output-available', ...call, output: 1 }] : []),
        { type: 'finish-step' },
      ];
      const after = [{ type: 'start-step' }, { type: 'finish-step' }];
      const end = { type: 'finish', finishReason: 'stop' };
      let runs = 0;
      const reply = async function* () {
        runs += 1;
        if (from === 'chunks') yield* [...before, ...after, end];
        else if (runs === 1) yield* [...before, { type: 'finish', finishReason: 'tool-calls' }];
        else yield* [...after, end];
      };
      const answering: Parameters<typeof play>[0] =
        from === 'chunks'
          ? {}
          : { sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls };
      const game = await play(answering, undefined, () => ({ reply }) as never);
      await turn(game, 'hi');
      if (from === 'answer') {
        void game.mounted.chat.addToolOutput({ tool: 'look', toolCallId: 'c1', output: 1 });
        await game.world.settle();
        await game.rest();
      }
      await game.world.advance(5_000);
      expect(game.mounted.chat.failure).toBeUndefined();
      expect(game.mounted.chat.status).toBe('ready');
      expect([runs, game.posts()]).toEqual(from === 'chunks' ? [1, 1] : [2, 2]);
      expect(await leftovers(game)).toEqual([]);
    },
  );
});
