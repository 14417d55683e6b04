import type { Failure, Move } from 'helix-chat';
import { describe, expect, test } from 'vitest';
import { refuse, refuseTyped, script, turn } from '../setup/faultRules.ts';
import { arm, leftovers, type Play, play } from '../setup/playScenario.ts';

interface Asked {
  readonly game: Play;
  readonly moves: readonly Move[];
  readonly forbidden: readonly string[];
}

/** A chat whose app forbids these moves, and what it was asked about. */
async function forbidding(...no: readonly Move[]): Promise<Asked> {
  const moves: Move[] = [];
  const forbidden: string[] = [];
  const game = await play({
    recovery: {
      allow(move: Move, failure: Failure) {
        expect(failure.error.code).toBeDefined();
        moves.push(move);
        return !no.includes(move);
      },
    },
    onEvent(report) {
      if (report.type === 'move-forbidden') forbidden.push(report.move);
    },
  });
  return { game, moves, forbidden };
}

describe('an app forbids a move', () => {
  test('`repeat`: the message is posted once and returns to the person', async () => {
    const { game, forbidden } = await forbidding('repeat');
    script(game, refuse(503, 5));
    await turn(game, 'hi');
    expect(game.posts()).toBe(1);
    expect(game.mounted.pending()).toEqual(['failed: hi']);
    expect(forbidden).toEqual(['repeat']);
    expect(await leftovers(game)).toEqual([]);
  });

  test('`resync`: a message of unclear fate is not looked for, and returns to the person', async () => {
    const { game, forbidden } = await forbidding('resync');
    const reads = game.requests('snapshot');
    script(game, refuseTyped({ code: 'state_request_already_completed' }));
    await turn(game, 'hi');
    expect(game.requests('snapshot')).toBe(reads);
    expect(game.mounted.pending()).toEqual(['failed: hi']);
    expect(forbidden).toContain('resync');
    expect(await leftovers(game)).toEqual([]);
  });

  test('`reconnect`: a cut stream is not joined again; the conversation is read', async () => {
    const { game, forbidden } = await forbidding('reconnect');
    script(game, { on: 'send', fault: { do: 'break', afterWords: 3, how: 'cut' } });
    await turn(game, 'hi');
    expect(forbidden).toContain('reconnect');
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('`re-anchor`: the read goes on, and the screen settles when the reply is over', async () => {
    const { game, forbidden } = await forbidding('re-anchor');
    arm(game.server, 'superseded');
    await turn(game, 'hi');
    await game.world.advance(5_000);
    expect(game.requests('stream')).toBe(0);
    expect(forbidden).toContain('re-anchor');
    expect(game.mounted.chat.failure).toBeUndefined();
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('`send-held`: a message that waited for another reply stays until it is pressed for', async () => {
    const { game, moves, forbidden } = await forbidding('send-held');
    arm(game.server, 'busy');
    await game.send('hi');
    await game.world.advance(60_000);
    expect(game.mounted.pending()).toEqual(['held: hi']);
    expect(game.mounted.chat.recovery.name).toBe('idle');
    expect(forbidden).toEqual(['send-held']);
    const before = moves.length;
    await game.mounted.chat.act('send-again');
    await game.rest();
    expect(moves.slice(before)).not.toContain('send-held');
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('`send-held`: nor does one that waited for our own reply go', async () => {
    const { game, forbidden } = await forbidding('send-held');
    await game.send('one');
    await game.send('two');
    await game.world.advance(60_000);
    expect(game.mounted.pending()).toEqual(['held: two']);
    expect(forbidden).toEqual(['send-held']);
    void game.mounted.chat.act('send-again');
    await game.world.settle();
    await game.rest();
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('an app is asked', () => {
  test('and a throw counts as allowed, and is reported', async () => {
    const said: string[] = [];
    console.error = (...words: unknown[]) => void said.push(words.join(' '));
    console.warn = console.error;
    const game = await play({
      recovery: {
        allow() {
          throw new Error('the app');
        },
      },
    });
    script(game, refuse(503));
    await turn(game, 'hi');
    expect(game.posts()).toBe(2);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(said.join()).toMatch(/\[helix-chat\].*allow/);
    expect(await leftovers(game)).toEqual([]);
  });

  test('but nothing is forced: where a row says that nothing is automatic, it is not asked', async () => {
    const { game, moves } = await forbidding();
    script(game, refuse(400));
    await turn(game, 'hi');
    expect(moves).toEqual([]);
    expect(game.posts()).toBe(1);
    expect(await leftovers(game)).toEqual([]);
  });
});
