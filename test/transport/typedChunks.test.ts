import type { UIMessage, UIMessageChunk } from 'ai';
import { describe, expect, it } from 'vitest';
import { HelixError } from '../../src/errors/HelixError.ts';
import { HelixStreamError } from '../../src/errors/HelixStreamError.ts';
import { createBoundChat, question, readAll, send, textOf } from './boundChat.ts';
import { createBytePipe, eventStream, frames, scriptedFetch } from './byteStream.ts';
import { createScriptedHost, type ScriptedHost } from './scriptedHost.ts';

declare const __AI_MAJOR__: number;

const start = { type: 'start', messageId: 'a1' };
const open = { type: 'text-start', id: 't' };
const say = (delta: string) => ({ type: 'text-delta', id: 't', delta });
const shut = { type: 'text-end', id: 't' };
const finish = { type: 'finish', finishReason: 'stop' };
const typesOf = (chunks: readonly UIMessageChunk[]) => chunks.map(({ type }) => type);

/** Sends a question that is answered by these bodies, one a request, and reads to the end. */
async function play(
  bodies: readonly string[],
  scripted: ScriptedHost = createScriptedHost(),
  options: object = {},
) {
  const { fetch, sent } = scriptedFetch(...bodies.map((body) => eventStream(body)));
  const chat = createBoundChat({ fetch, ...options }, scripted);
  const read = await readAll(await send(chat.bound));
  return { ...chat, ...read, sent };
}

describe('an error event', () => {
  const half = {
    type: 'data-helix-error',
    data: {
      errorText: 'The key is wrong.',
      code: 'provider_auth_error',
      retryable: false,
      runId: 'r1',
    },
    transient: true,
  };
  const plain = { type: 'error', errorText: 'The key is wrong.' };

  it('of two halves is one typed error, and no text of the same packet is lost', async () => {
    const { chunks, error, failures } = await play([
      frames(start, open, say('abcd'), say('efgh'), half, plain),
    ]);
    expect(textOf(chunks)).toBe('abcdefgh');
    expect(typesOf(chunks)).not.toContain('data-helix-error');
    expect(typesOf(chunks)).not.toContain('error');
    expect(error).toBeInstanceOf(HelixStreamError);
    expect(error).toMatchObject({
      code: 'provider_auth_error',
      retryable: false,
      runId: 'r1',
      serverMessage: 'The key is wrong.',
    });
    expect(failures).toEqual([error]);
  });

  it.each([
    ['only its typed half', [half], 'provider_auth_error'],
    ['only its plain half', [plain], undefined],
    [
      'a Helix ErrorChunk',
      [{ type: 'error', error: 'No.', code: 'tool_timeout', recoverable: true }],
      'tool_timeout',
    ],
    [
      'a chunk with fields of its own',
      [{ ...plain, code: 'provider_overloaded' }],
      'provider_overloaded',
    ],
    ['a typed half, then the end of the reply', [half, finish], 'provider_auth_error'],
  ])('that is %s is one typed error', async (_, chunks, code) => {
    const { error, cuts } = await play([frames(start, open, say('x'), ...chunks)]);
    expect(error).toBeInstanceOf(HelixStreamError);
    expect((error as HelixStreamError).code).toBe(code);
    expect(cuts).toEqual([]);
  });

  it('that is a provider’s own frame is typed by the adapters', async () => {
    const frame = { error: { type: 'overloaded_error', message: 'secret text' } };
    const adapter = (thrown: unknown) =>
      JSON.stringify(thrown).includes('overloaded_error')
        ? { code: 'provider_overloaded', retryable: true }
        : undefined;
    const { error } = await play([frames(start, frame)], undefined, { adapters: [adapter] });
    expect(error).toBeInstanceOf(HelixStreamError);
    expect(error).toMatchObject({ code: 'provider_overloaded', retryable: true });
    expect((error as Error).message).not.toContain('secret');
  });

  it('waits for the host, and ends quietly when the host says so', async () => {
    const scripted = createScriptedHost({ failed: () => 'leave' });
    const { error } = await play([frames(start, plain)], scripted);
    expect(error).toMatchObject({ name: 'AbortError' });
  });
});

describe('an end', () => {
  it.each([
    ['nothing behind the last delta', frames(start, open, say('Hel'))],
    ['[DONE] without a finish', `${frames(start, open, say('Hel'))}data: [DONE]\n\n`],
    ['a broken frame', `${frames(start, open, say('Hel'))}data: {"type":"text-de\n\n`],
    ['a frame that is no object', `${frames(start, open, say('Hel'))}data: 7\n\n`],
    [
      'a delta without its id',
      frames(start, open, say('Hel'), { type: 'text-delta', delta: 'lo' }),
    ],
    [
      'a delta whose start is missing',
      frames(start, open, say('Hel'), { type: 'text-delta', id: 'u', delta: 'x' }),
    ],
    [
      'an end whose start is missing',
      frames(start, open, say('Hel'), { type: 'reasoning-end', id: 't' }),
    ],
    [
      'an output whose call is missing',
      frames(start, open, say('Hel'), {
        type: 'tool-output-available',
        toolCallId: 'k',
        output: 1,
      }),
    ],
  ])('with %s is a cut', async (_, body) => {
    const { chunks, error, cuts } = await play([body]);
    expect(textOf(chunks)).toBe('Hel');
    expect(error).toBe(cuts[0]?.error);
    expect(cuts).toMatchObject([
      {
        error: { code: 'transport_stream_drop', reason: 'cut', retryable: true },
        last: 'none',
        progressed: true,
        content: true,
      },
    ]);
  });

  it('by finish is told before the chunk is handed on', async () => {
    const { chunks, ends } = await play([frames(start, open, say('x'), shut, finish)]);
    expect(ends).toEqual([{ by: 'finish', finishReason: 'stop', content: true }]);
    expect(typesOf(chunks).at(-1)).toBe('finish');
  });

  it('by abort is told as such', async () => {
    const { ends, error } = await play([frames(start, { type: 'abort' })]);
    expect(ends).toEqual([{ by: 'abort', finishReason: undefined, content: false }]);
    expect(error).toBeUndefined();
  });

  it('gives way to the error that the host puts in its place', async () => {
    const empty = new HelixError({ code: 'framework_internal_error', reason: 'empty-reply' });
    const scripted = createScriptedHost({ ending: ({ content }) => (content ? undefined : empty) });
    const { chunks, error } = await play([frames(start, { type: 'start-step' }, finish)], scripted);
    expect(error).toBe(empty);
    expect(typesOf(chunks)).not.toContain('finish');
  });

  it.each([
    [
      'steps and transient parts',
      [
        { type: 'start-step' },
        { type: 'data-hint', data: 1, transient: true },
        { type: 'finish-step' },
      ],
      false,
    ],
    ['a part that stays', [{ type: 'data-card', data: 1 }], true],
    [
      'a tool call',
      [{ type: 'tool-input-available', toolCallId: 'k', toolName: 'n', input: {} }],
      true,
    ],
  ])('after %s: content %s', async (_, chunks, content) => {
    const { ends } = await play([frames(start, ...chunks, finish)]);
    expect(ends[0]?.content).toBe(content);
  });

  it('with a reason that the SDK does not know keeps its metadata and tells the reason', async () => {
    const odd = { type: 'finish', finishReason: 'paused-by-moon', messageMetadata: { tokens: 3 } };
    const { chunks, ends, error, notes } = await play([frames(start, open, say('x'), shut, odd)]);
    expect(error).toBeUndefined();
    expect(chunks.at(-1)).toEqual({ type: 'finish', messageMetadata: { tokens: 3 } });
    expect(ends[0]?.finishReason).toBe('paused-by-moon');
    expect(notes).toEqual([]);
  });

  it('is the last one, where a stream holds several replies', async () => {
    const second = [
      { ...open, id: 'u' },
      { ...say('two'), id: 'u' },
      { ...shut, id: 'u' },
    ];
    const { chunks, ends } = await play([
      frames(
        start,
        open,
        say('one '),
        shut,
        { type: 'finish', finishReason: 'tool-calls' },
        ...second,
        finish,
      ),
    ]);
    expect(textOf(chunks)).toBe('one two');
    expect(typesOf(chunks).filter((type) => type === 'finish')).toHaveLength(2);
    expect(ends).toEqual([{ by: 'finish', finishReason: 'stop', content: true }]);
  });

  it('may be followed by parts of the app', async () => {
    const usage = { type: 'data-usage', data: { tokens: 5 } };
    const { chunks, ends, error } = await play([
      frames(start, open, say('x'), shut, finish, usage),
    ]);
    expect(typesOf(chunks).slice(-2)).toEqual(['finish', 'data-usage']);
    expect(ends).toHaveLength(1);
    expect(error).toBeUndefined();
  });

  it('stands when the connection breaks after it', async () => {
    const pipe = createBytePipe();
    const { bound, cuts } = createBoundChat({ fetch: scriptedFetch(eventStream(pipe)).fetch });
    const done = readAll(await send(bound));
    pipe.write(frames(start, open, say('x'), shut, finish));
    await new Promise((resolve) => setImmediate(resolve));
    pipe.breakOff(new TypeError('terminated'));
    const { chunks, error } = await done;
    expect(typesOf(chunks).at(-1)).toBe('finish');
    expect([error, cuts]).toEqual([undefined, []]);
  });

  it('may be another chunk, where the app says so', async () => {
    const isTerminal = (chunk: UIMessageChunk) => chunk.type === 'data-done';
    const { error, ends } = await play(
      [frames(start, open, say('x'), { type: 'data-done', data: {} })],
      undefined,
      { isTerminal },
    );
    expect([error, ends.length]).toEqual([undefined, 1]);
  });

  it('without one is believed after three in a row, with one note', async () => {
    const body = frames(start, open, say('Hi'), shut);
    const { fetch } = scriptedFetch(...[1, 2, 3, 4].map(() => eventStream(body)));
    const { bound, cuts, ends, notes } = createBoundChat({ fetch });
    for (let turn = 0; turn < 4; turn += 1) await readAll(await send(bound));
    expect([cuts.length, ends.length]).toEqual([2, 2]);
    expect(notes).toHaveLength(1);
  });

  it('without one is never believed where a snapshot route is promised', async () => {
    const body = frames(start, open, say('Hi'), shut);
    const { fetch } = scriptedFetch(...[1, 2, 3, 4].map(() => eventStream(body)));
    const { bound, cuts } = createBoundChat({ fetch, routes: true });
    for (let turn = 0; turn < 4; turn += 1) await readAll(await send(bound));
    expect(cuts).toHaveLength(4);
  });
});

describe('a chunk', () => {
  it('of a type that the SDK does not know is dropped, with one note a type', async () => {
    const odd = { type: 'hologram', data: 'x' };
    const { chunks, error, notes } = await play([
      frames(start, odd, open, say('x'), odd, { type: 'scent' }, shut, finish),
    ]);
    expect(error).toBeUndefined();
    expect(typesOf(chunks)).toEqual(['start', 'text-start', 'text-delta', 'text-end', 'finish']);
    expect(notes).toHaveLength(2);
    expect(notes[0]).toMatch(/^\[helix-chat\] .*"hologram"/);
  });

  it('without a type, under an event name of the server, is left out, with one note', async () => {
    const named = { done: 1 };
    const { chunks, error, notes } = await play([
      frames(start, named, open, say('x'), named, shut, finish),
    ]);
    expect(error).toBeUndefined();
    expect(typesOf(chunks)).toEqual(['start', 'text-start', 'text-delta', 'text-end', 'finish']);
    expect(notes).toEqual([expect.stringMatching(/^\[helix-chat\] .*without a `type`/)]);
  });

  it('that begins the reply without an id is given one, and keeps one that it has', async () => {
    const named = await play([frames(start, open, say('x'), shut, finish)]);
    expect(named.chunks[0]).toEqual(start);
    const unnamed = await play([frames({ type: 'start', messageMetadata: 1 }, open, shut, finish)]);
    expect(unnamed.chunks[0]).toMatchObject({ type: 'start', messageMetadata: 1 });
    expect((unnamed.chunks[0] as { messageId?: string }).messageId).toMatch(/^[a-z0-9]{16,}$/);
    const none = await play([frames(open, say('x'), shut, finish)]);
    expect(typesOf(none.chunks)).toEqual([
      'start',
      'text-start',
      'text-delta',
      'text-end',
      'finish',
    ]);
  });

  it('that begins the reply is given an id as the chat makes them', async () => {
    const { fetch } = scriptedFetch(eventStream(frames({ type: 'start' }, open, shut, finish)));
    const { bound } = createBoundChat({ fetch }, undefined, { generateId: () => 'msg-1' });
    const { chunks } = await readAll(await send(bound));
    expect(chunks[0]).toEqual({ type: 'start', messageId: 'msg-1' });
  });

  it('that begins the answer to tool results is given the id of the message that goes on', async () => {
    const answered: UIMessage = {
      id: 'a0',
      role: 'assistant',
      parts: [
        { type: 'tool-look', toolCallId: 'k', state: 'output-available', input: {}, output: 1 },
      ] as UIMessage['parts'],
    };
    const body = frames(
      { type: 'start' },
      { type: 'tool-output-available', toolCallId: 'k', output: 2 },
      finish,
    );
    const { bound, cuts } = createBoundChat({ fetch: scriptedFetch(eventStream(body)).fetch });
    const { chunks } = await readAll(
      await send(bound, { messages: [question, answered], messageId: 'a0' }),
    );
    expect(chunks[0]).toEqual({ type: 'start', messageId: 'a0' });
    expect(cuts).toEqual([]);
  });

  it('of the app’s own is handed on, answers that did not apply too, and told to the host', async () => {
    const named = [{ toolCallId: 't1', reason: 'already_answered' }];
    const rejected = { type: 'data-resume-rejected', data: { rejections: named }, transient: true };
    const { chunks, rejections } = await play([
      frames(start, { type: 'data-mine', data: 1 }, rejected, finish),
    ]);
    expect(typesOf(chunks)).toEqual(['start', 'data-mine', 'data-resume-rejected', 'finish']);
    expect(rejections).toEqual(named);
  });

  it('of text in a step that is over fits where the SDK keeps it open', async () => {
    const { cuts } = await play([
      frames(
        start,
        { type: 'start-step' },
        open,
        say('a'),
        { type: 'finish-step' },
        say('b'),
        shut,
        finish,
      ),
    ]);
    expect(cuts).toHaveLength(__AI_MAJOR__ === 6 ? 1 : 0);
  });
});

describe('a trigger', () => {
  const superseded = {
    type: 'data-attempt-superseded',
    data: { runId: 'r1', attemptId: 'x2' },
    transient: true,
  };

  it('is told with what it names and whether content came before it, and swallowed', async () => {
    const { chunks, triggers } = await play([
      frames(
        start,
        { type: 'data-resync', data: {}, transient: true },
        open,
        say('x'),
        superseded,
        superseded,
        shut,
        finish,
      ),
    ]);
    expect(triggers).toEqual([
      { name: 'data-resync', attemptId: undefined, runId: undefined, content: false },
      { name: 'data-attempt-superseded', attemptId: 'x2', runId: 'r1', content: true },
      { name: 'data-attempt-superseded', attemptId: 'x2', runId: 'r1', content: false },
    ]);
    expect(typesOf(chunks).filter((type) => type.startsWith('data-'))).toEqual([]);
  });

  it('ends the read quietly when the host leaves, and lets the body go', async () => {
    const pipe = createBytePipe();
    const scripted = createScriptedHost({ trigger: () => 'leave' });
    const { bound } = createBoundChat({ fetch: scriptedFetch(eventStream(pipe)).fetch }, scripted);
    const done = readAll(await send(bound));
    pipe.write(frames(start, open, say('bad'), superseded, say('never')));
    const { chunks, error } = await done;
    expect(textOf(chunks)).toBe('bad');
    expect(error).toMatchObject({ name: 'AbortError' });
    expect(pipe.cancelled).toBe(true);
  });

  it('can be named by the app', async () => {
    const { triggers } = await play(
      [frames(start, { type: 'data-again', data: {} }, finish)],
      undefined,
      {
        triggers: ['data-again'],
      },
    );
    expect(triggers).toMatchObject([{ name: 'data-again' }]);
  });

  it('is `reset-step` exactly where the SDK does not reset steps itself', async () => {
    const { chunks, triggers, notes } = await play([
      frames(
        start,
        { type: 'start-step' },
        open,
        say('bad'),
        { type: 'reset-step' },
        open,
        say('good'),
        shut,
        finish,
      ),
    ]);
    expect(triggers.map(({ name }) => name)).toEqual(__AI_MAJOR__ === 6 ? ['reset-step'] : []);
    expect(typesOf(chunks).includes('reset-step' as never)).toBe(__AI_MAJOR__ === 7);
    expect(notes).toEqual([]);
  });

  it('that restarts the step hands the kept steps and the live rest to the next join, without a request', async () => {
    const pipe = createBytePipe();
    const scripted = createScriptedHost({ trigger: () => 'restart-step' });
    const { fetch, sent } = scriptedFetch(eventStream(pipe));
    const { bound, counts, ends } = createBoundChat({ fetch }, scripted);
    const first = readAll(await send(bound));
    pipe.write(
      frames(
        { type: 'start' },
        { type: 'start-step' },
        open,
        say('kept '),
        say('text'),
        shut,
        { type: 'finish-step' },
        { type: 'start-step' },
        { ...open, id: 'u' },
        { ...say('bad'), id: 'u' },
        superseded,
        { ...open, id: 'u' },
        { ...say('good'), id: 'u' },
      ),
    );
    const before = await first;
    expect(before.error).toMatchObject({ name: 'AbortError' });
    expect(textOf(before.chunks)).toBe('kept textbad');
    expect(pipe.cancelled).toBe(false);
    const again = await bound.reconnectToStream({ chatId: 'c1' });
    if (again === null) throw new Error('The rest was lost.');
    const second = readAll(again);
    pipe.write(frames({ ...shut, id: 'u' }, { type: 'finish-step' }, finish));
    pipe.close();
    const after = await second;
    expect(after.chunks[0]).toEqual(before.chunks[0]);
    expect(textOf(after.chunks)).toBe('kept textgood');
    expect(typesOf(after.chunks)).toEqual([
      'start',
      'start-step',
      'text-start',
      'text-delta',
      'text-end',
      'finish-step',
      'start-step',
      'text-start',
      'text-delta',
      'text-end',
      'finish-step',
      'finish',
    ]);
    expect(after.error).toBeUndefined();
    expect([sent.length, counts.accepted, ends.length]).toEqual([1, 2, 1]);
  });

  it('that restarts the step leaves nothing open when nobody joins', async () => {
    const pipe = createBytePipe();
    const scripted = createScriptedHost({ trigger: () => 'restart-step' });
    const { bound } = createBoundChat({ fetch: scriptedFetch(eventStream(pipe)).fetch }, scripted);
    const first = readAll(await send(bound));
    pipe.write(frames(start, open, say('bad'), superseded));
    await first;
    bound.close();
    await new Promise((resolve) => setImmediate(resolve));
    expect(pipe.cancelled).toBe(true);
  });
});

describe('a cut', () => {
  const part = frames(start, open, say('Hel'));
  const whole = frames(start, open, say('Hello'), shut, finish);

  it('is spliced inside the same stream: the SDK sees one reply', async () => {
    const scripted = createScriptedHost({ cut: () => 'reconnect' });
    const { chunks, error, sent, ends, counts } = await play([part, whole], scripted, {
      headers: { a: '1' },
    });
    expect(error).toBeUndefined();
    expect(textOf(chunks)).toBe('Hello');
    expect(typesOf(chunks).filter((type) => type === 'start')).toHaveLength(1);
    expect(sent[1]).toMatchObject({ method: 'GET', url: '/api/chat/c1/stream' });
    expect(sent[1]?.headers.get('a')).toBe('1');
    expect([ends.length, counts.accepted]).toEqual([1, 1]);
  });

  it('asks anew with what the reconnect brought, for as long as the host goes on', async () => {
    const { fetch } = scriptedFetch(
      eventStream(part),
      new Response(null, { status: 204 }),
      new TypeError('Failed to fetch'),
      eventStream(part),
      eventStream(frames(start, open, say('Hell'))),
      eventStream(frames(start, open, say('Good'))),
    );
    const scripted = createScriptedHost({
      cut: ({ last }) => (last === 'diverged' ? 'fail' : 'reconnect'),
    });
    const { bound, cuts } = createBoundChat({ fetch }, scripted);
    const { error } = await readAll(await send(bound));
    expect(
      cuts.map(({ last, progressed }) => [
        typeof last === 'string' ? last : last.reason,
        progressed,
      ]),
    ).toEqual([
      ['none', true],
      ['gone', false],
      ['network', false],
      ['cut', false],
      ['cut', true],
      ['diverged', false],
    ]);
    expect(error).toBe(cuts.at(-1)?.error);
  });

  it('ends quietly or by the host’s own error when the host says so', async () => {
    const left = await play([part], createScriptedHost({ cut: () => 'leave' }));
    expect(left.error).toMatchObject({ name: 'AbortError' });
    const own = new HelixError({ code: 'transport_stream_drop', reason: 're-anchor-limit' });
    expect((await play([part], createScriptedHost({ cut: () => own }))).error).toBe(own);
  });

  it('before any chunk is spliced too', async () => {
    const scripted = createScriptedHost({ cut: () => 'reconnect' });
    const { chunks, cuts } = await play(['', whole], scripted);
    expect(textOf(chunks)).toBe('Hello');
    expect(cuts[0]).toMatchObject({ content: false, progressed: false });
  });

  it('in whose replay the run has failed is that failure', async () => {
    const scripted = createScriptedHost({ cut: () => 'reconnect' });
    const failed = frames(start, open, say('He'), { type: 'error', errorText: 'Broken.' });
    const { error, failures } = await play([part, failed], scripted);
    expect(error).toBeInstanceOf(HelixStreamError);
    expect(failures).toEqual([error]);
  });

  it('repeats no transient part, whether or not the replay holds it, and loses no new one', async () => {
    const hint = (data: number) => ({ type: 'data-hint', data, transient: true });
    const scripted = createScriptedHost({ cut: () => 'reconnect' });
    const { chunks } = await play(
      [
        frames(start, hint(1), open, say('Hel'), hint(2)),
        frames(start, hint(1), open, say('Hel'), hint(2), say('l'), hint(2)),
        frames(start, open, say('Hello'), hint(1), shut, finish),
      ],
      scripted,
    );
    const hints = chunks.flatMap((chunk) => (chunk.type === 'data-hint' ? [chunk.data] : []));
    expect(hints).toEqual([1, 2, 2, 1]);
  });

  it('does not reconnect after its stream was cancelled', async () => {
    let answer: (answer: 'reconnect') => void = () => {};
    const scripted = createScriptedHost({
      cut: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    const { fetch, sent } = scriptedFetch(eventStream(part));
    const { bound, world } = createBoundChat({ fetch }, scripted);
    const reader = (await send(bound)).getReader();
    for (let chunk = 0; chunk < 3; chunk += 1) await reader.read();
    const pending = reader.read();
    await world.settle();
    await reader.cancel();
    answer('reconnect');
    await world.settle();
    expect(await pending).toEqual({ done: true, value: undefined });
    expect(sent).toHaveLength(1);
  });
});
