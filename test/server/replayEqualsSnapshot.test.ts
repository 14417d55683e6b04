import { simulateReadableStream, streamText, type UIMessageChunk } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HelixError } from '../../src/errors/HelixError.ts';
import { type Chunk, createReplyMessage } from '../../src/server/replyMessage.ts';
import { type Bench, createBench, type Read, textOf, user } from './chatClient.ts';
import { follow, type Line, STEP, STEP_END } from './scriptedReply.ts';

const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

/** The message that a client has on screen after it read this stream from its beginning. */
function onScreen(chunks: readonly Chunk[]): unknown {
  const reply = createReplyMessage('');
  let id: unknown;
  for (const chunk of chunks) {
    if (chunk.type === 'start') id = chunk.messageId;
    reply.add(chunk);
  }
  return plain({ ...reply.read(), id });
}

const line: fc.Arbitrary<Line> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<Line>('one ', 'two ', 'three ') },
  { weight: 3, arbitrary: fc.constantFrom<Line>(30, 200) },
  { weight: 2, arbitrary: fc.constantFrom<Line>(STEP, STEP_END) },
  { weight: 1, arbitrary: fc.constant<Line>({ type: 'data-note', id: 'n', data: 1 }) },
  {
    weight: 1,
    arbitrary: fc.constant<Line>({ type: 'data-ping', data: 1, transient: true }),
  },
  { weight: 1, arbitrary: fc.constant<Line>(new HelixError({ code: 'provider_overloaded' })) },
);

describe('what a late reader sees', () => {
  it('equals the snapshot at the end, wherever it came in and whatever attempts failed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(line, { maxLength: 12 }), { minLength: 1, maxLength: 3 }),
        fc.array(fc.nat(4000), { minLength: 1, maxLength: 3 }),
        async (scripts, arrivals) => {
          let calls = 0;
          const bench: Bench = createBench({
            reply: (context) => follow(bench.world, scripts[calls++] ?? ['last'], context),
          });
          await bench.send(user('u1', 'Hi'), { key: 'k1' });
          const readers: Read[] = [];
          for (const arrival of arrivals) {
            await bench.world.advance(arrival);
            const response = await bench.get('c1/stream');
            if (response.status === 200) readers.push(bench.read(response));
          }
          await bench.world.advance(60_000);
          const after = bench.read(await bench.send(user('u1', 'Hi'), { key: 'k1' }));
          await bench.world.settle();

          const snapshot = await bench.snapshot();
          const reply = snapshot.messages[1];
          for (const reader of [...readers, after]) {
            expect(reader.ended).toBe('done');
            const superseded = reader.chunks.some(
              (chunk) => chunk.type === 'data-attempt-superseded',
            );
            if (!superseded && snapshot.status === 'ended' && reply) {
              expect(onScreen(reader.chunks)).toEqual(plain(reply));
            }
          }
          // The replay after the end never needs a second look.
          expect(after.chunks.map((chunk) => chunk.type)).not.toContain('data-attempt-superseded');
          expect(bench.world.pending()).toBe(0);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('the AI SDK’s own stream', () => {
  it('fits `reply`, and its message is what the transcript keeps', async () => {
    const model = new MockLanguageModelV3({
      doStream: async () => ({
        stream: simulateReadableStream({
          initialDelayInMs: null,
          chunkDelayInMs: null,
          chunks: [
            { type: 'stream-start', warnings: [] },
            { type: 'text-start', id: '1' },
            { type: 'text-delta', id: '1', delta: 'Hello ' },
            { type: 'text-delta', id: '1', delta: 'there' },
            { type: 'text-end', id: '1' },
            {
              type: 'finish',
              finishReason: { unified: 'stop', raw: 'stop' },
              usage: {
                inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
                outputTokens: { total: 2, text: 2, reasoning: 0 },
              },
            },
          ],
        }),
      }),
    });
    const bench = createBench({
      reply: (): ReadableStream<UIMessageChunk> =>
        streamText({ model, prompt: 'Hi' }).toUIMessageStream(),
    });
    const read = bench.read(await bench.send(user('u1', 'Hi')));
    await bench.world.runUntil(() => read.ended !== 'open');

    const { messages, status } = await bench.snapshot();
    expect(status).toBe('ended');
    expect(messages.map(textOf)).toEqual(['Hi', 'Hello there']);
    expect(onScreen(read.chunks)).toEqual(plain(messages[1]));
  });
});
