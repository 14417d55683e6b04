import { readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Delivered, type Verdict } from '../../src/transport/splice.ts';
import { createBoundChat, readAll, send } from './boundChat.ts';
import { eventStream, frames, scriptedFetch } from './byteStream.ts';
import { createScriptedHost } from './scriptedHost.ts';

const delta = (id: string, text: string): UIMessageChunk => ({
  type: 'text-delta',
  id,
  delta: text,
});

function compare(delivered: readonly UIMessageChunk[], replay: readonly UIMessageChunk[]) {
  const record = new Delivered();
  for (const chunk of delivered) record.add(chunk);
  const reader = record.compare();
  const verdicts: Verdict[] = [];
  for (const chunk of replay) {
    const verdict = reader.read(chunk);
    verdicts.push(verdict);
    if (verdict.is === 'differs') break;
  }
  return verdicts;
}

describe('a replay read against what was delivered', () => {
  const begun: UIMessageChunk[] = [
    { type: 'start', messageId: 'a1' },
    { type: 'start-step' },
    { type: 'text-start', id: 't' },
    delta('t', 'Hel'),
    delta('t', 'lo'),
  ];

  it('passes on the rest of a delta that is cut elsewhere', () => {
    const verdicts = compare(begun, [
      ...begun.slice(0, 3),
      delta('t', 'H'),
      delta('t', 'ello you'),
    ]);
    expect(verdicts.slice(0, 4).every(({ is }) => is === 'old')).toBe(true);
    expect(verdicts[4]).toEqual({ is: 'new', chunk: delta('t', ' you') });
  });

  it('notices another text', () => {
    expect(compare(begun, [...begun.slice(0, 3), delta('t', 'Good')]).at(-1)?.is).toBe('differs');
  });

  it('notices a reply that ends before what was delivered', () => {
    const shorter = [
      ...begun.slice(0, 3),
      delta('t', 'Hel'),
      { type: 'text-end', id: 't' } as const,
    ];
    expect(compare(begun, shorter).at(-1)?.is).toBe('differs');
  });

  it('notices more text of a part that another part followed', () => {
    const ended: UIMessageChunk[] = [...begun, { type: 'text-end', id: 't' }];
    const longer = [...begun, delta('t', ' again'), { type: 'text-end', id: 't' } as const];
    expect(compare(ended, longer).at(-1)?.is).toBe('differs');
  });

  it('notices another message id', () => {
    expect(compare(begun, [{ type: 'start', messageId: 'a2' }]).at(-1)?.is).toBe('differs');
  });

  it('takes a start without an id for the same reply', () => {
    expect(compare(begun, [{ type: 'start' }]).at(-1)?.is).toBe('old');
  });

  it('notices another tool input under the same call id', () => {
    const call = (city: string): UIMessageChunk => ({
      type: 'tool-input-available',
      toolCallId: 'k',
      toolName: 'weather',
      input: { city },
    });
    expect(compare([call('Rome')], [call('Rome')]).at(-1)?.is).toBe('old');
    expect(compare([call('Rome')], [call('Oslo')]).at(-1)?.is).toBe('differs');
  });

  it('does not care about the order of keys, provider metadata or empty deltas', () => {
    const delivered: UIMessageChunk[] = [
      { type: 'data-x', id: '1', data: { a: 1, b: 2 } },
      { type: 'text-start', id: 't', providerMetadata: { p: { n: 1 } } },
    ];
    const replay: UIMessageChunk[] = [
      { type: 'data-x', data: { b: 2, a: 1 }, id: '1' },
      delta('t', ''),
      { type: 'text-start', id: 't' },
    ];
    expect(compare(delivered, replay).map(({ is }) => is)).toEqual(['old', 'old', 'old']);
  });
});

/** One piece of a reply: a text, a thought, a tool call, or a part with data. */
const piece = fc.oneof(
  fc.record({
    kind: fc.constant('text'),
    words: fc.array(fc.string({ minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 }),
  }),
  fc.record({
    kind: fc.constant('reasoning'),
    words: fc.array(fc.string({ minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    kind: fc.constant('tool'),
    words: fc.array(fc.string({ minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('data'),
    words: fc.array(fc.string({ maxLength: 6 }), { minLength: 1, maxLength: 2 }),
  }),
  fc.record({
    kind: fc.constant('note'),
    words: fc.array(fc.string({ maxLength: 6 }), { minLength: 1, maxLength: 1 }),
  }),
);
type Piece = { kind: string; words: string[] };

function chunksOf({ kind, words }: Piece, id: string): UIMessageChunk[] {
  switch (kind) {
    case 'text':
    case 'reasoning':
      return [
        { type: `${kind}-start`, id },
        ...words.map((text) => ({ type: `${kind}-delta`, id, delta: text })),
        { type: `${kind}-end`, id },
      ] as UIMessageChunk[];
    case 'tool':
      return [
        { type: 'tool-input-start', toolCallId: id, toolName: 'look' },
        ...words.map(
          (text): UIMessageChunk => ({
            type: 'tool-input-delta',
            toolCallId: id,
            inputTextDelta: JSON.stringify(text),
          }),
        ),
        { type: 'tool-input-available', toolCallId: id, toolName: 'look', input: { words } },
        { type: 'tool-output-available', toolCallId: id, output: words.join(' ') },
      ];
    case 'data':
      return words.map((text) => ({ type: 'data-thing', id, data: { text } }));
    default:
      return words.map((text) => ({ type: 'data-hint', data: text, transient: true }));
  }
}

const steps = fc.array(fc.array(piece, { minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 3,
});

function replyOf(allSteps: Piece[][], prefix: string): UIMessageChunk[] {
  return [
    { type: 'start', messageId: 'a1' },
    ...allSteps.flatMap((pieces, step): UIMessageChunk[] => [
      { type: 'start-step' },
      ...pieces.flatMap((one, at) => chunksOf(one, `${prefix}${step}-${at}`)),
      { type: 'finish-step' },
    ]),
    { type: 'finish', finishReason: 'stop' },
  ];
}

/** The same reply with its deltas joined and cut in other places, and without transient parts when they are left out. */
function recut(chunks: readonly UIMessageChunk[], sizes: readonly number[], keepHints: boolean) {
  const joined: UIMessageChunk[] = [];
  for (const chunk of chunks) {
    if (chunk.type === 'data-hint' && !keepHints) continue;
    const last = joined.at(-1);
    if (chunk.type === 'text-delta' && last?.type === 'text-delta' && last.id === chunk.id) {
      joined[joined.length - 1] = { ...last, delta: last.delta + chunk.delta };
    } else joined.push(chunk);
  }
  let turn = 0;
  return joined.flatMap((chunk): UIMessageChunk[] => {
    if (chunk.type !== 'text-delta') return [chunk];
    const parts: UIMessageChunk[] = [];
    let rest = chunk.delta;
    while (rest !== '') {
      const size = sizes[turn % sizes.length] ?? 1;
      turn += 1;
      parts.push({ ...chunk, delta: rest.slice(0, size) });
      rest = rest.slice(size);
    }
    return parts;
  });
}

async function screenOf(chunks: readonly UIMessageChunk[]): Promise<UIMessage | undefined> {
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  let last: UIMessage | undefined;
  for await (const message of readUIMessageStream({ stream })) last = message;
  return last === undefined ? undefined : structuredClone(last);
}

const cutScript = fc.record({
  steps,
  cuts: fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 3 }),
  sizes: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
  keepHints: fc.boolean(),
  broken: fc.boolean(),
  /** What the retry of a superseded attempt says, and before which stream it took over. */
  retry: fc.option(
    fc.record({ steps, sameIds: fc.boolean(), from: fc.integer({ min: 1, max: 3 }) }),
    { nil: undefined },
  ),
});

describe('1,000 random replies with cuts', () => {
  it('end as the server has them, or the difference is noticed', { timeout: 120_000 }, async () => {
    let wrong = 0;
    let falseAlarms = 0;
    let noticed = 0;
    let spliced = 0;
    await fc.assert(
      fc.asyncProperty(
        cutScript,
        async ({ steps: said, cuts, sizes, keepHints, broken, retry }) => {
          const first = replyOf(said, 'p');
          const second = retry && replyOf(retry.steps, retry.sameIds ? 'p' : 'r');
          const serverAt = (stream: number) =>
            second !== undefined && retry !== undefined && stream >= retry.from ? second : first;
          const bodies = [...cuts, 100].map((cut, stream) => {
            const reply = serverAt(stream);
            const written = stream === 0 ? reply : recut(reply, sizes, keepHints);
            const bytes = frames(...written);
            if (stream === cuts.length) return bytes;
            // Never the whole: the terminal frame at least is missing.
            const end = Math.min(Math.floor((bytes.length * cut) / 100), bytes.length - 12);
            const text = bytes.slice(0, end);
            return broken ? `${text}\n\ndata: {broken\n\n` : text;
          });
          const { fetch } = scriptedFetch(...bodies.map((body) => eventStream(body)));
          const scripted = createScriptedHost({
            cut: ({ last }) => (last === 'diverged' ? 'leave' : 'reconnect'),
          });
          const { bound, cuts: asked } = createBoundChat({ api: '/api/chat', fetch }, scripted);
          const { chunks, error } = await readAll(await send(bound));
          const diverged = asked.some(({ last }) => last === 'diverged');
          if (diverged) {
            noticed += 1;
            if (second === undefined) falseAlarms += 1;
            expect(error).toMatchObject({ name: 'AbortError' });
            return;
          }
          expect(error).toBeUndefined();
          spliced += 1;
          const truth = await screenOf(serverAt(cuts.length));
          const screen = await screenOf(chunks);
          if (JSON.stringify(screen) !== JSON.stringify(truth)) wrong += 1;
          expect(screen).toEqual(truth);
        },
      ),
      { numRuns: 1_000 },
    );
    expect({ wrong, falseAlarms }).toEqual({ wrong: 0, falseAlarms: 0 });
    expect(noticed).toBeGreaterThan(50);
    expect(spliced).toBeGreaterThan(400);
  });
});
