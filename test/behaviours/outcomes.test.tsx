import { createManualWorld } from 'helix-chat/testing';
import { expect, test } from 'vitest';
import { mountChat } from '../setup/mountChat.tsx';

const SEEDS = 120;

/** A small generator of its own, so that a failing seed can be played again. */
function chance(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) | 0;
    return ((state >>> 0) % 100_000) / 100_000;
  };
}

const KINDS: readonly object[] = [
  { type: 'start', messageId: 'a1' },
  { type: 'start-step' },
  { type: 'finish-step' },
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'x' },
  { type: 'text-end', id: 't' },
  { type: 'reasoning-start', id: 'r' },
  { type: 'reasoning-delta', id: 'r', delta: 'y' },
  { type: 'data-note', data: 1 },
  { type: 'data-note', data: 1, transient: true },
  { type: 'source-url', sourceId: 's', url: 'https://chat.test/' },
  {
    type: 'tool-input-available',
    toolCallId: 'c',
    toolName: 'n',
    input: {},
    providerExecuted: true,
  },
  { type: 'tool-output-available', toolCallId: 'c', output: 1, providerExecuted: true },
  { type: 'message-metadata', messageMetadata: { a: 1 } },
  { type: 'data-run', data: { runId: 'r1' }, transient: true },
  { type: 'data-attempt-superseded', data: {}, transient: true },
  { type: 'data-helix-error', data: { code: 'provider_overloaded' }, transient: true },
  { type: 'error', errorText: 'x' },
  { type: 'abort' },
  { type: 'finish', finishReason: 'stop' },
  { type: 'finish', finishReason: 'length' },
  {},
];

/** Kinds that may stand anywhere in a reply that is in order. */
const FREE = KINDS.filter((kind) => 'data' in kind || 'messageMetadata' in kind || 'url' in kind);

const some = (random: () => number, kinds: readonly object[], most: number): readonly object[] =>
  Array.from(
    { length: Math.floor(random() * most) },
    () => kinds[Math.floor(random() * kinds.length)] ?? {},
  );

/** The chunks of a reply: every other one in order, else in any, any of them missing or there twice, with or without an end. */
function frames(random: () => number): string {
  const finish = { type: 'finish', finishReason: 'stop' };
  const chunks =
    random() < 0.5
      ? [
          ...KINDS.slice(0, 1),
          ...KINDS.slice(3, 5),
          ...some(random, FREE, 3),
          ...KINDS.slice(5, 6),
          finish,
        ]
      : [...some(random, KINDS.slice(0, 1), 2), ...some(random, KINDS, 12), finish].slice(
          0,
          random() < 0.5 ? 99 : -1,
        );
  return chunks.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('');
}

test('chunks in whatever order: each turn has one end, told once, and the chat can be used', async () => {
  console.warn = () => {};
  console.error = () => {};
  let failures = 0;
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const random = chance(seed);
    const world = createManualWorld({ seed });
    const heard = { onFinish: 0, onError: 0, onFailure: 0 };
    let breaks = false;
    const mounted = await mountChat(world, {
      id: `c${seed}`,
      resync: false,
      requestKeys: false,
      fetch: async () => {
        const bytes = new TextEncoder().encode(frames(random));
        breaks = random() < 0.3;
        const body = new ReadableStream<Uint8Array>({
          pull(controller) {
            if (bytes.length > 0 && controller.desiredSize === 1) controller.enqueue(bytes);
            if (breaks) controller.error(new TypeError('terminated'));
            else controller.close();
          },
        });
        return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
      },
      onFinish: () => {
        heard.onFinish += 1;
      },
      onError: () => {
        heard.onError += 1;
      },
      onFailure: () => {
        heard.onFailure += 1;
      },
    });
    let settled = false;
    void mounted.chat.sendMessage({ text: 'Hello' }).then(() => {
      settled = true;
    });
    await world.advance(60_000);
    const { chat } = mounted;
    const what = `seed ${seed}`;
    expect(settled, what).toBe(true);
    expect(heard.onFinish, what).toBe(1);
    expect(heard.onFailure, what).toBe(chat.failure === undefined ? 0 : 1);
    expect(heard.onError, what).toBe(chat.error === undefined ? 0 : 1);
    expect(['ready', 'error'], what).toContain(chat.status);
    expect(['idle', 'failed'], what).toContain(chat.recovery.name);
    expect(
      [...mounted.screen(), ...mounted.pending()].filter((line) => line.endsWith('Hello')),
      what,
    ).toHaveLength(1);
    failures += heard.onFailure;
    await mounted.unmount();
    expect(world.pending(), what).toBe(0);
  }
  // Both ends are among what was played.
  expect(failures).toBeGreaterThan(10);
  expect(failures).toBeLessThan(SEEDS - 10);
}, 60_000);
