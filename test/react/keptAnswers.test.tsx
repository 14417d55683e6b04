import type { UIMessage } from 'ai';
import { lastAssistantMessageIsCompleteWithToolCalls } from 'ai';
import { createHelixChat } from 'helix-chat/react';
import { CLIENT_HEADER } from 'helix-chat/testing';
import { describe, expect, test } from 'vitest';
import { mountChat } from '../setup/mountChat.tsx';
import { firstAnswerNeverComes } from '../setup/networkLayers.ts';
import { CHAT, leftovers } from '../setup/playScenario.ts';
import {
  answer,
  asked,
  playTools,
  seen,
  stored,
  submits,
  type ToolPlay,
} from '../setup/toolPlay.ts';

/** A chat object that outlives its component, at the call `t1`. */
async function shared(between: (through: typeof fetch) => typeof fetch = (through) => through) {
  const game = await playTools();
  const ran: string[] = [];
  const chat = createHelixChat<UIMessage>({
    id: CHAT,
    fetch: between(game.server.fetch),
    headers: { [CLIENT_HEADER]: 'tab-1' },
    world: game.world,
    resync: true,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
    onToolCall: ({ toolCall }) => void ran.push(toolCall.toolCallId),
  });
  await game.mounted.rerender({ chat });
  void game.mounted.chat.sendMessage({ text: 'ask t1' });
  await game.rest();
  return {
    game,
    ran,
    async mountAgain() {
      const mounted = await mountChat(game.world, { chat });
      await game.world.advance(10_000);
      return mounted;
    },
  };
}

const expectAnswered = async (game: ToolPlay, posts = 1): Promise<void> => {
  expect(submits(game)).toHaveLength(posts);
  expect(await stored(game)).toEqual(['t1 output-available yes']);
};

describe('an answer is not lost, and goes once', () => {
  test('when it is given after the component has gone: it goes with the next mount', async () => {
    const { game, ran, mountAgain } = await shared();
    await game.mounted.unmount();
    await game.world.advance(1000);
    await answer(game, 't1');
    await game.world.advance(60_000);
    expect(submits(game)).toHaveLength(0);
    const mounted = await mountAgain();
    await expectAnswered(game);
    expect(mounted.screen().at(-1)).toBe('assistant: You said: t1 yes.');
    expect(ran).toEqual(['t1']);
    await mounted.unmount();
    expect(await leftovers(game)).toEqual([]);
  });

  test('when the component goes while it is on its way, and it never arrives', async () => {
    const { game, mountAgain } = await shared((through) => {
      let isLost = true;
      return async (input, init) => {
        if (!isLost || !String(init?.body).includes('output-available')) {
          return through(input, init);
        }
        isLost = false;
        return new Promise<Response>((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
        });
      };
    });
    await answer(game, 't1');
    await game.mounted.unmount();
    await game.world.advance(1000);
    const mounted = await mountAgain();
    await expectAnswered(game);
    await mounted.unmount();
    expect(await leftovers(game)).toEqual([]);
  });

  test('when the component goes while it is on its way, and it arrives', async () => {
    const { game, mountAgain } = await shared((through) => {
      const late = firstAnswerNeverComes(through, {} as never);
      return (input, init) =>
        String(init?.body).includes('output-available') ? late(input, init) : through(input, init);
    });
    await answer(game, 't1');
    await game.mounted.unmount();
    await game.world.advance(1000);
    const mounted = await mountAgain();
    await expectAnswered(game);
    expect(mounted.screen()).toEqual(await game.truth());
    await mounted.unmount();
    expect(await leftovers(game)).toEqual([]);
  });

  test('when the hook is turned to another chat before it is given', async () => {
    const game = await playTools();
    const ran: string[] = [];
    const options = (id: string) => ({
      id,
      fetch: game.server.fetch,
      headers: { [CLIENT_HEADER]: 'tab-1' },
      resync: true as const,
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
      onToolCall: ({ toolCall }: { toolCall: { toolCallId: string } }) =>
        void ran.push(toolCall.toolCallId),
    });
    await game.mounted.rerender(options('c2') as never);
    void game.mounted.chat.sendMessage({ text: 'ask t1' });
    await game.rest();
    const late = game.mounted.chat.addToolOutput;
    await game.mounted.rerender(options('c3') as never);
    await game.world.advance(1000);
    await late({ tool: 'ask-person', toolCallId: 't1', output: 'yes' } as never);
    await game.world.advance(60_000);
    expect(submits(game)).toHaveLength(0);
    expect(game.mounted.chat.messages).toEqual([]);
    await game.mounted.rerender(options('c2') as never);
    await game.world.advance(10_000);
    expect(submits(game)).toHaveLength(1);
    expect(ran).toEqual(['t1']);
    expect(game.mounted.screen().at(-1)).toBe('assistant: You said: t1 yes.');
    expect(await leftovers(game)).toEqual([]);
  });

  test('when it is given after a stop, where nothing says that its call is gone', async () => {
    const game = await playTools({
      resync: false,
      sendAutomaticallyWhen: ({ messages }) =>
        messages
          .at(-1)
          ?.parts.some((part) => 'state' in part && part.state === 'output-available') === true,
    });
    await game.send('ask t1 and talk');
    await game.world.runUntil(() => seen(game).length === 1);
    await game.mounted.chat.stop();
    await game.world.advance(5000);
    await answer(game, 't1');
    await game.world.advance(60_000);
    await expectAnswered(game);
    expect(seen(game)).toEqual(['t1 output-available yes']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('and to a call that a stop has done away with, nothing goes', async () => {
    const game = await playTools();
    await game.send('ask t1 and talk');
    await game.world.runUntil(() => seen(game).length === 1);
    await game.mounted.chat.stop();
    await answer(game, 't1');
    await game.world.advance(60_000);
    expect(submits(game)).toHaveLength(0);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.mounted.chat.recovery.name).toBe('idle');
    expect(await leftovers(game)).toEqual([]);
  });

  test('when it was given before a stop: it goes no more by itself', async () => {
    const game = await playTools();
    await game.send('ask t1 and talk');
    await game.world.runUntil(() => seen(game).length === 1);
    await answer(game, 't1');
    await game.mounted.chat.stop();
    await game.world.advance(60_000);
    expect(submits(game)).toHaveLength(0);
    expect(game.mounted.chat.recovery.name).toBe('idle');
    expect(await leftovers(game)).toEqual([]);
  });

  test('when it is stopped on its way: it stays on screen, and goes at a press', async () => {
    const game = await playTools({}, (through, world) => async (input, init) => {
      if (String(init?.body).includes('output-available')) {
        await new Promise<void>((resolve) => world.after(500, resolve));
        init?.signal?.throwIfAborted();
      }
      return through(input, init);
    });
    await asked(game, 'ask t1');
    await answer(game, 't1');
    await game.mounted.chat.stop();
    await game.world.advance(60_000);
    expect(submits(game)).toHaveLength(0);
    expect(game.mounted.chat.failure).toBeUndefined();
    expect(seen(game)).toEqual(['t1 output-available yes']);
    void game.mounted.chat.act('answer-again');
    await game.rest();
    await expectAnswered(game);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('an answer stays on screen', () => {
  const neverOpenAgain = (game: ToolPlay, from: number): void => {
    expect(game.mounted.frames.length).toBeGreaterThan(from);
    expect(seen(game)).toEqual(['t1 output-available yes']);
  };

  test('though the conversation is read that does not have it yet', async () => {
    const game = await playTools({ sendAutomaticallyWhen: () => false });
    await asked(game, 'ask t1');
    await answer(game, 't1');
    const from = game.mounted.frames.length;
    void game.mounted.chat.resync();
    await game.rest();
    neverOpenAgain(game, from);
    expect(await stored(game)).toEqual(['t1 input-available']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('though the reply is read from its start again, and goes at its end', async () => {
    const game = await playTools();
    const drawn: string[][] = [];
    await game.send('ask t1 and talk');
    await game.world.runUntil(() => seen(game).length === 1);
    await answer(game, 't1');
    void game.mounted.chat.resync();
    await game.world.runUntil(() => {
      drawn.push(seen(game));
      return game.mounted.chat.recovery.name === 'idle';
    });
    expect(game.requests('stream')).toBe(1);
    expect(drawn.filter((parts) => parts.includes('t1 input-available'))).toEqual([]);
    await expectAnswered(game);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('though it was given while the call was off screen', async () => {
    const game = await playTools();
    await game.send('ask t1 and talk');
    await game.world.runUntil(() => seen(game).length === 1);
    game.mounted.chat.setMessages((messages) => messages.slice(0, 1));
    await answer(game, 't1');
    await game.rest();
    await expectAnswered(game);
    expect(await leftovers(game)).toEqual([]);
  });
});
