import { HelixStreamError } from 'helix-chat';
import { describe, expect, test } from 'vitest';
import { turn } from '../setup/faultRules.ts';
import { type Layer, replaced } from '../setup/networkLayers.ts';
import { leftovers, type Play, play } from '../setup/playScenario.ts';

const TEXT = 'What is a helix?';
const said = [
  { type: 'start', messageId: 'a1' },
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'A helix is' },
];

/** Every answer names what support can find it by. */
const named: Layer = (through) => async (input, init) => {
  const answer = await through(input, init);
  const headers = new Headers(answer.headers);
  headers.set('x-request-id', 'r1');
  return new Response(answer.body, { status: answer.status, headers });
};

/** A turn whose reply ends in this frame, on a backend with none of our routes. */
async function failedBy(frame: object): Promise<Play> {
  const reply = replaced(['send'], [...said, frame]);
  const game = await play({ requestKeys: false, resync: false }, (through, world) =>
    named(reply(through, world), world),
  );
  await turn(game, TEXT);
  return game;
}

describe('a reply that breaks off by what its provider says', () => {
  test.each<[string, object]>([
    ['a status in the text', { type: 'error', errorText: '{"status":529,"message":"x"}' }],
    ['a status beside the text', { type: 'error', errorText: 'x', status: 529 }],
    ['a status inside the error', { type: 'error', errorText: '{"error":{"status":529}}' }],
    ['a number as its code', { type: 'error', errorText: '{"error":{"code":529,"message":"x"}}' }],
    ['a frame of its own with a number', { error: { code: 529, message: 'x' } }],
    ['a frame of its own kind', { type: 'error', error: { status: 529, message: 'x' } }],
  ])('%s: the AI service is too busy, and the part stays', async (_, frame) => {
    const game = await failedBy(frame);
    const { failure } = game.mounted.chat;
    expect(failure?.error).toMatchObject({ code: 'provider_overloaded', retryable: true });
    expect(failure?.phase).toBe('stream');
    expect(game.mounted.screen()).toEqual([`user: ${TEXT}`, 'assistant: A helix is']);
    expect(game.posts()).toBe(1);
    expect(await leftovers(game)).toEqual([]);
  });

  test.each<[string, object]>([
    ['the code of the event', { type: 'error', errorText: 'x', code: 'insufficient_quota' }],
    ['its text', { type: 'error', errorText: '{"error":{"code":"insufficient_quota"}}' }],
    ['a frame of its own', { error: { type: 'insufficient_quota', message: 'x' } }],
  ])('%s: an allowance is used up, and nothing is to be repeated', async (_, frame) => {
    const game = await failedBy(frame);
    expect(game.mounted.chat.failure?.error).toMatchObject({ reason: 'quota', retryable: false });
    expect(game.mounted.chat.failure?.actions).not.toContain('new-reply');
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('an error event that says nothing of its cause', () => {
  test('can be found by support all the same: the answer’s own id stands at the failure', async () => {
    const game = await failedBy({ type: 'error', errorText: 'An error occurred.' });
    const { failure } = game.mounted.chat;
    expect(failure?.error).toBeInstanceOf(HelixStreamError);
    expect(failure?.error).toMatchObject({ code: undefined, requestId: 'r1' });
    expect(failure?.error.retryable).toBeUndefined();
    expect(await leftovers(game)).toEqual([]);
  });

  test('is kept whole as the cause, and is nowhere on the screen', async () => {
    const rawEvent = { provider: 'acme', body: { upstream: 'Provider returned error' } };
    const frame = { type: 'error', errorText: 'Provider returned error', rawEvent };
    const game = await failedBy(frame);
    expect(game.mounted.chat.failure?.error.cause).toEqual(frame);
    expect(JSON.stringify(game.mounted.chat.messages)).not.toContain('Provider returned');
    expect(await leftovers(game)).toEqual([]);
  });
});

test('a reply that failed after some words: one failure, told once, the words stay at it', async () => {
  const game = await failedBy({ type: 'error', errorText: 'x' });
  expect(game.heard.order).toEqual(['onError', 'onFinish', 'onFailure']);
  expect(game.heard.finished).toEqual(['error assistant: A helix is']);
  expect(game.mounted.chat.failure?.messageId).toBeDefined();
  expect(game.mounted.screen().at(-1)).toBe('assistant: A helix is');
  expect(await leftovers(game)).toEqual([]);
});
