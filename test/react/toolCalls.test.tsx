import type { UIMessage } from 'ai';
import { createHelixChat } from 'helix-chat/react';
import { CLIENT_HEADER, createManualWorld } from 'helix-chat/testing';
import { describe, expect, test } from 'vitest';
import { script } from '../setup/faultRules.ts';
import { mountChat } from '../setup/mountChat.tsx';
import { CHAT, leftovers } from '../setup/playScenario.ts';
import { answer, asked, otherTab, playTools, seen, submits } from '../setup/toolPlay.ts';

describe('a tool call is heard of once', () => {
  test('by the reply that brings it', async () => {
    const game = await playTools();
    await asked(game, 'ask t1 t2');
    expect(game.ran).toEqual(['t1', 't2']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('though the reply is cut and joined again, or read once more', async () => {
    const game = await playTools();
    script(game, { on: 'send', fault: { do: 'break', afterWords: 3, how: 'cut' } });
    await asked(game, 'ask t1 and talk');
    expect(game.requests('stream')).toBe(1);
    void game.mounted.chat.resync();
    await game.rest();
    expect(game.ran).toEqual(['t1']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('though the attempt is superseded and its call comes again', async () => {
    const game = await playTools();
    const fails = { code: 'provider_overloaded', retryable: true } as const;
    script(game, { on: 'send', fault: { do: 'reply', words: 3, fails, attempts: 1 } });
    await asked(game, 'ask t1 and talk');
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(game.ran).toEqual(['t1']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('though the component is unmounted, mounted again, and the conversation loaded', async () => {
    const game = await playTools();
    const ran: string[] = [];
    const chat = createHelixChat<UIMessage>({
      id: CHAT,
      fetch: game.server.fetch,
      headers: { [CLIENT_HEADER]: 'tab-1' },
      world: game.world,
      resync: true,
      onToolCall: ({ toolCall }) => void ran.push(toolCall.toolCallId),
    });
    await game.mounted.rerender({ chat });
    void game.mounted.chat.sendMessage({ text: 'ask t1' });
    await game.rest();
    await game.mounted.unmount();
    await game.world.advance(1000);
    const again = await mountChat(game.world, { chat });
    await game.world.advance(10);
    expect(seen({ mounted: again })).toEqual(['t1 input-available']);
    expect(ran).toEqual(['t1']);
    await again.unmount();
    expect(await leftovers(game)).toEqual([]);
  });

  test('though the hook is turned to another chat and back', async () => {
    const game = await playTools();
    const ran: string[] = [];
    const options = (id: string) => ({
      id,
      fetch: game.server.fetch,
      headers: { [CLIENT_HEADER]: 'tab-1' },
      resync: true as const,
      onToolCall: ({ toolCall }: { toolCall: { toolCallId: string } }) =>
        void ran.push(toolCall.toolCallId),
    });
    await game.mounted.rerender(options('c2'));
    void game.mounted.chat.sendMessage({ text: 'ask t1' });
    await game.rest();
    await game.mounted.rerender(options('c3'));
    await game.world.advance(100);
    await game.mounted.rerender(options('c2'));
    await game.world.advance(100);
    expect(seen(game)).toEqual(['t1 input-available']);
    expect(ran).toEqual(['t1']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('when a conversation that stands open at it is loaded', async () => {
    const game = await playTools();
    await asked(game, 'ask t1');
    await game.mounted.unmount();
    await game.world.advance(1000);
    const other = await otherTab(game);
    expect(other.ran).toEqual(['t1']);
    void other.mounted.chat.resync();
    await game.world.advance(10);
    expect(other.ran).toEqual(['t1']);
    await answer(other, 't1');
    await game.world.advance(5000);
    expect(submits(game)).toHaveLength(1);
    await other.mounted.unmount();
    expect(await leftovers(game)).toEqual([]);
  });

  test('when it came in a reply to another client, at the end of that reply', async () => {
    const game = await playTools();
    const other = await otherTab(game);
    await game.send('ask t1 and talk');
    await game.world.advance(100);
    void other.mounted.chat.resync();
    await game.world.advance(100);
    await game.mounted.unmount();
    expect(other.ran).toEqual([]);
    await game.world.advance(5000);
    expect(other.ran).toEqual(['t1']);
    await other.mounted.unmount();
    expect(await leftovers(game)).toEqual([]);
  });

  test('unless its time is over', async () => {
    const game = await playTools();
    await asked(game, 'ask lapsed');
    expect(seen(game)).toEqual(['lapsed input-available']);
    expect(game.ran).toEqual([]);
    void game.mounted.chat.resync();
    await game.rest();
    expect(game.ran).toEqual([]);
    await game.mounted.unmount();
    const other = await otherTab(game);
    expect(other.ran).toEqual([]);
    await other.mounted.unmount();
    expect(await leftovers(game)).toEqual([]);
  });

  test('before its time is over, and not after it', async () => {
    const game = await playTools();
    await asked(game, 'ask open');
    expect(game.ran).toEqual(['open']);
    await game.mounted.unmount();
    const early = await otherTab(game);
    expect(early.ran).toEqual(['open']);
    await early.mounted.unmount();
    await game.world.advance(61_000);
    const late = await otherTab(game);
    expect(late.ran).toEqual([]);
    await late.mounted.unmount();
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('two tabs at one call', () => {
  test('the tab whose reply brought it runs it, the other does not', async () => {
    const game = await playTools();
    await asked(game, 'ask t1');
    const other = await otherTab(game);
    expect(seen(other)).toEqual(['t1 input-available']);
    expect([game.ran, other.ran]).toEqual([['t1'], []]);
    await other.mounted.unmount();
    expect(await leftovers(game)).toEqual([]);
  });

  test('a tab that met it while the reply was lost on the way runs it, the one that asked does not', async () => {
    const game = await playTools();
    script(game, { on: 'send', fault: { do: 'drop', taken: true } });
    await game.send('ask t1');
    const other = await otherTab(game);
    await game.world.advance(150);
    expect(seen(other)).toEqual(['t1 input-available']);
    expect([game.ran, other.ran]).toEqual([[], ['t1']]);
    await game.rest();
    expect(seen(game)).toEqual(['t1 input-available']);
    expect(game.ran).toEqual([]);
    await other.mounted.unmount();
    await game.world.advance(10);
    expect(game.ran).toEqual(['t1']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('of two that load it at once, one runs it', async () => {
    const game = await playTools();
    await asked(game, 'ask t1');
    await game.mounted.unmount();
    const [one, two] = await Promise.all([otherTab(game), otherTab(game)]);
    expect([...one.ran, ...two.ran]).toEqual(['t1']);
    await one.mounted.unmount();
    await two.mounted.unmount();
    expect(await leftovers(game)).toEqual([]);
  });

  test('when the one goes away the other takes it over, if it is open still', async () => {
    const game = await playTools();
    await asked(game, 'ask t1');
    const other = await otherTab(game);
    await game.mounted.unmount();
    await game.world.advance(10);
    expect(other.ran).toEqual(['t1']);
    await other.mounted.unmount();
    expect(await leftovers(game)).toEqual([]);
  });

  test('once the one has answered, the other sees the reply and runs nothing', async () => {
    const game = await playTools();
    await asked(game, 'ask t1');
    const other = await otherTab(game);
    await answer(game, 't1');
    await game.rest();
    await game.world.advance(10);
    expect(other.ran).toEqual([]);
    expect(other.mounted.screen()).toEqual(await game.truth());
    await other.mounted.unmount();
    expect(await leftovers(game)).toEqual([]);
  });

  test('a reply that another tab’s answer set off is that tab’s, though the same was answered here', async () => {
    const game = await playTools();
    await asked(game, 'ask t1 then t2');
    const other = await otherTab(game);
    await answer(other, 't1');
    await answer(game, 't1');
    await game.rest();
    await game.world.advance(1000);
    expect(seen(game)).toEqual(['t1 output-available yes', 't2 input-available']);
    expect(game.mounted.chat.failure).toBeUndefined();
    expect([game.ran, other.ran]).toEqual([['t1'], ['t2']]);
    await other.mounted.unmount();
    await game.world.advance(10);
    expect(game.ran).toEqual(['t1', 't2']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('a call is no business of a tab that only meant to go on itself', async () => {
    const game = await playTools({ sendAutomaticallyWhen: () => false });
    await game.send('Hello');
    await game.rest();
    const other = await otherTab(game);
    void other.mounted.chat.sendMessage({ text: 'ask t1' });
    await game.world.settle();
    void game.mounted.chat.sendMessage();
    await game.rest();
    expect([game.ran, other.ran]).toEqual([[], ['t1']]);
    expect(game.mounted.chat.failure?.phase).toBe('submit');
    expect(game.mounted.screen()).toEqual(await game.truth());
    await other.mounted.unmount();
    expect(await leftovers(game)).toEqual([]);
  });

  test('where there are no locks, each runs what it meets', async () => {
    const game = await playTools();
    await asked(game, 'ask t1');
    await game.mounted.unmount();
    const { lock: _none, ...world } = { ...createManualWorld({ locks: null }), ...game.world };
    const other = await otherTab(game, { world });
    expect(other.ran).toEqual(['t1']);
    await other.mounted.unmount();
    expect(await leftovers(game)).toEqual([]);
  });
});
