import type { UIMessage } from 'ai';
import { describe, expect, test } from 'vitest';
import { asked, script, streaming, turn } from '../setup/faultRules.ts';
import { instead, type Layer, replaced } from '../setup/networkLayers.ts';
import { leftovers, play } from '../setup/playScenario.ts';

const TEXT = 'What is a helix?';
const plain = { requestKeys: false, resync: false } as const;

const start = { type: 'start', messageId: 'a1' };
const open = { type: 'text-start', id: 't' };
const say = (delta: string) => ({ type: 'text-delta', id: 't', delta });
const shut = { type: 'text-end', id: 't' };
const finish = { type: 'finish', finishReason: 'stop' };

/** Notes to the developer, taken off the console. */
function notes(): string[] {
  const told: string[] = [];
  console.warn = (text: unknown) => told.push(String(text));
  return told;
}

describe('a server that is newer than this client', () => {
  test('a chunk of an unknown kind between two texts: both are shown, and the turn is whole', async () => {
    const told = notes();
    const frames = [
      start,
      open,
      say('one '),
      { type: 'brand-new', x: 1 },
      say('two'),
      shut,
      finish,
    ];
    const game = await play(plain, replaced(['send'], frames));
    await turn(game, TEXT);
    expect(game.mounted.screen()).toEqual([`user: ${TEXT}`, 'assistant: one two']);
    expect(game.mounted.chat.status).toBe('ready');
    expect(told).toHaveLength(1);
    expect(told[0]).toContain('brand-new');
    expect(await leftovers(game)).toEqual([]);
  });

  test('events under names of its own: they are left out, and the reply is whole', async () => {
    const told = notes();
    const text = [start, open, say('one '), say('two'), shut, finish]
      .map((frame) => `data: ${JSON.stringify(frame)}\n\n`)
      .join('event: tool.progress\ndata: {"done":1}\n\n');
    const layer = instead(
      'send',
      () => new Response(text, { headers: { 'content-type': 'text/event-stream' } }),
    );
    const game = await play(plain, layer);
    await turn(game, TEXT);
    expect(game.mounted.screen()).toEqual([`user: ${TEXT}`, 'assistant: one two']);
    expect(game.mounted.chat.failure).toBeUndefined();
    // Once a page: an earlier test on it may have been told already.
    expect(told.length).toBeLessThan(2);
    expect(await leftovers(game)).toEqual([]);
  });
});

describe('a reply that failed before its first word', () => {
  test('leaves no blank bubble: the question is the last message', async () => {
    const game = await play({}, replaced(['send'], [start, { type: 'error', errorText: 'x' }]));
    await game.send(TEXT);
    await game.world.runUntil(() => game.mounted.chat.recovery.name === 'failed');
    const last = game.mounted.chat.messages.at(-1);
    expect(last?.role === 'user' || last?.parts.length !== 0).toBe(true);
    await leftovers(game);
  });

  test('that a conversation holds as an empty message is read without harm', async () => {
    const messages: UIMessage[] = [
      { id: 'u1', role: 'user', parts: [{ type: 'text', text: TEXT }] },
      { id: 'a1', role: 'assistant', parts: [] },
    ];
    const game = await play(
      {},
      instead('snapshot', () => Response.json({ messages })),
    );
    await game.rest();
    expect(game.mounted.screen()).toEqual([`user: ${TEXT}`, 'assistant: ']);
    expect(game.mounted.chat.failure).toBeUndefined();
    await turn(game, 'next');
    expect(game.mounted.chat.failure).toBeUndefined();
    expect(await leftovers(game)).toEqual([]);
  });
});

/** The stream of the first send breaks after some bytes, with what an engine throws then. */
const brokenBy = (thrown: unknown): Layer => {
  let first = true;
  return (through) => async (input, init) => {
    const answer = await through(input, init);
    if (init?.method !== 'POST' || !first || answer.body === null) return answer;
    first = false;
    const reader = answer.body.getReader();
    let reads = 0;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        reads += 1;
        const { done, value } = await reader.read();
        if (done || reads > 6) {
          void reader.cancel().catch(() => {});
          controller.error(thrown);
        } else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    });
    return new Response(body, { status: answer.status, headers: answer.headers });
  };
};

describe('a connection that breaks in the middle of a reply', () => {
  test.each([
    new TypeError('terminated'),
    new TypeError('Error in input stream'),
    new TypeError('network error'),
    new TypeError('Load failed'),
    new TypeError('The network connection was lost.'),
    new DOMException('BodyStreamBuffer was aborted', 'AbortError'),
  ])('%s: the stream is joined again, and the reply is whole', async (thrown) => {
    const game = await play({}, brokenBy(thrown));
    await game.send(TEXT);
    await game.rest();
    expect(game.requests('stream')).toBe(1);
    expect(game.posts()).toBe(1);
    expect(game.mounted.chat.failure).toBeUndefined();
    expect(game.heard.order).toEqual(['onFinish']);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });

  test('the first wait before it is joined is a second at most, and asks nothing of the app', async () => {
    const game = await play();
    script(game, { on: 'send', fault: { do: 'break', afterWords: 3, how: 'cut' } });
    await game.send(TEXT);
    await streaming(game);
    await game.world.runUntil(() => game.mounted.chat.recovery.name !== 'streaming');
    const cutAt = game.world.monotonic();
    await game.world.runUntil(() => game.requests('stream') === 1);
    expect(game.world.monotonic() - cutAt).toBeLessThanOrEqual(1_000);
    await game.rest();
    expect(await leftovers(game)).toEqual([]);
  });

  test('nothing is live any more: the conversation is read, and the part gives way to the whole', async () => {
    const game = await play();
    script(
      game,
      { on: 'send', fault: { do: 'break', afterWords: 3, how: 'cut' } },
      { on: 'stream', times: 20, fault: { do: 'no-run' } },
    );
    const before = game.requests('snapshot');
    await game.send(TEXT);
    await game.rest();
    const truth = await game.truth();
    expect(game.mounted.screen()).toEqual(truth);
    expect(truth[1]?.length).toBeGreaterThan('assistant: '.length);
    expect(game.requests('snapshot') - before).toBeGreaterThanOrEqual(1);
    expect(game.mounted.frames.filter(({ status }) => status === 'error')).toEqual([]);
    expect(game.mounted.chat.failure).toBeUndefined();
    expect(await leftovers(game)).toEqual([]);
  });

  test('after the message was taken: it stays where it was sent, never back with the person', async () => {
    const game = await play();
    script(game, { on: 'send', fault: { do: 'break', afterWords: 0, how: 'cut' } });
    await game.send(TEXT);
    await game.rest();
    expect(game.mounted.frames.every(({ pending }) => pending.length === 0)).toBe(true);
    expect(await asked(game)).toEqual([`user: ${TEXT}`]);
    expect(game.mounted.screen()).toEqual(await game.truth());
    expect(await leftovers(game)).toEqual([]);
  });
});
