import { type ChatTransport, DefaultChatTransport, type UIMessage, type UIMessageChunk } from 'ai';
import { describe, expect, it } from 'vitest';
import { HelixStreamError } from '../../src/errors/HelixStreamError.ts';
import { createManualWorld } from '../../src/testing/manualWorld.ts';
import { HelixChatTransport } from '../../src/transport/HelixChatTransport.ts';
import type { RecoveryOptions } from '../../src/transport/transportOptions.ts';
import { wrapTransport } from '../../src/transport/wrapTransport.ts';
import { readAll, rejection, send, textOf } from './boundChat.ts';
import { eventStream, frames, scriptedFetch } from './byteStream.ts';
import { createScriptedHost, type ScriptedHost } from './scriptedHost.ts';

declare const __AI_MAJOR__: number;

const part: UIMessageChunk[] = [
  { type: 'start', messageId: 'a1' },
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'Hel' },
];
const whole: UIMessageChunk[] = [
  ...part,
  { type: 'text-delta', id: 't', delta: 'lo' },
  { type: 'text-end', id: 't' },
  { type: 'finish' },
];
const streamOf = (chunks: readonly UIMessageChunk[], error?: unknown) => {
  const queue = [...chunks];
  return new ReadableStream<UIMessageChunk>({
    pull(controller) {
      const chunk = queue.shift();
      if (chunk !== undefined) controller.enqueue(chunk);
      else if (error === undefined) controller.close();
      else controller.error(error);
    },
  });
};

function bind(
  transport: ChatTransport<UIMessage>,
  options: RecoveryOptions = {},
  scripted: ScriptedHost = createScriptedHost(),
) {
  const world = createManualWorld({ origin: 'https://app.test' });
  const notes: string[] = [];
  const settings = { world, onDeveloperNote: (text: string) => notes.push(text) };
  const bound = wrapTransport(transport, options).bind({
    chatId: 'c1',
    host: scripted.host,
    settings,
  });
  return { ...scripted, bound, world, notes };
}

/** A transport that is not the SDK's: it answers with what it is given. */
function custom(
  sends: readonly (ReadableStream<UIMessageChunk> | Error)[],
  joins: readonly (ReadableStream<UIMessageChunk> | Error | null)[] = [],
) {
  const queues = { sends: [...sends], joins: [...joins] };
  const seen: Headers[] = [];
  const transport: ChatTransport<UIMessage> = {
    async sendMessages({ headers }) {
      seen.push(new Headers(headers));
      const answer = queues.sends.shift();
      if (answer instanceof ReadableStream) return answer;
      throw answer ?? new Error('Nothing was scripted.');
    },
    async reconnectToStream() {
      const answer = queues.joins.shift();
      if (answer instanceof Error) throw answer;
      return answer ?? null;
    },
  };
  return { transport, seen };
}

describe('a transport of the app’s own', () => {
  it('is read as it is, and its cuts are spliced by its own way to the live run', async () => {
    const { transport } = custom([streamOf(part)], [streamOf(whole)]);
    const { bound, cuts, ends, counts } = bind(
      transport,
      {},
      createScriptedHost({ cut: () => 'reconnect' }),
    );
    expect(bound.route('stream')).toBe('open');
    const { chunks, error } = await readAll(await send(bound));
    expect([textOf(chunks), error]).toEqual(['Hello', undefined]);
    expect([cuts.length, ends.length]).toEqual([1, 1]);
    expect(counts.bytes).toBeGreaterThan(0);
    expect(bound.route('stream')).toBe('known');
  });

  it('tells the developer once what stays off', () => {
    const { notes } = bind(custom([]).transport);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(/^\[helix-chat\] .+`HelixChatTransport`/);
  });

  it.each([
    [
      'a network failure',
      new TypeError('Failed to fetch'),
      { code: 'transport_error', reason: 'network' },
    ],
    [
      'an abort nobody asked for',
      Object.assign(new Error('x'), { name: 'AbortError' }),
      { reason: 'network' },
    ],
    [
      'the JSON of a Helix body',
      new Error('{"error":"x","code":"provider_overloaded"}'),
      { code: 'provider_overloaded' },
    ],
    ['anything', new Error('boom'), { code: undefined, category: 'unknown' }],
  ])('that throws %s has thrown a typed error', async (_, thrown, expected) => {
    const { bound, refusals } = bind(custom([thrown]).transport);
    const error = await rejection(send(bound));
    expect(error).toMatchObject({ ...expected, cause: thrown });
    expect(refusals).toMatchObject([{ error, committed: 'unknown' }]);
  });

  it.each([
    ['breaks', new Error('socket closed')],
    ['is aborted by nobody here', Object.assign(new Error('x'), { name: 'AbortError' })],
  ])('whose stream %s has a cut', async (_, thrown) => {
    const { bound, cuts } = bind(custom([streamOf(part, thrown)]).transport);
    const { error } = await readAll(await send(bound));
    expect(error).toMatchObject({ code: 'transport_stream_drop', reason: 'cut', cause: thrown });
    expect(cuts).toHaveLength(1);
  });

  it('whose stream ends in a typed failure has failed', async () => {
    const thrown = new Error('{"error":"x","code":"provider_auth_error"}');
    const { bound, failures, cuts } = bind(custom([streamOf(part, thrown)]).transport);
    const { error } = await readAll(await send(bound));
    expect(error).toMatchObject({ code: 'provider_auth_error' });
    expect([failures, cuts]).toEqual([[error], []]);
  });

  it('whose stream holds an error chunk has failed', async () => {
    const { bound } = bind(
      custom([streamOf([...part, { type: 'error', errorText: 'No.' }])]).transport,
    );
    expect((await readAll(await send(bound))).error).toBeInstanceOf(HelixStreamError);
  });

  it('that cannot join is not asked twice', async () => {
    const { transport } = custom([], [new Error('not supported')]);
    const { bound } = bind(transport);
    expect(await bound.reconnectToStream({ chatId: 'c1' })).toBeNull();
    expect(bound.route('stream')).toBe('absent');
  });

  it('has no snapshot and no stop route but those that are given', async () => {
    const { bound } = bind(custom([]).transport);
    expect([bound.route('snapshot'), bound.route('stop')]).toEqual(['absent', 'absent']);
    const given = bind(custom([]).transport, {
      routes: { readSnapshot: async () => ({ messages: [] }) },
    });
    expect(given.bound.route('snapshot')).toBe('known');
    expect(await given.bound.readSnapshot(new AbortController().signal)).toMatchObject({
      kind: 'snapshot',
    });
  });

  it('is given a key only where the app vouches for it', async () => {
    const scripted = createScriptedHost({ requestKey: 'k1' });
    const auto = custom([streamOf(whole)]);
    const { bound } = bind(auto.transport, {}, scripted);
    await send(bound);
    expect([auto.seen[0]?.get('x-helix-request-key'), bound.keyed()]).toEqual([null, false]);
    const vouched = custom([streamOf(whole)]);
    const keyed = bind(vouched.transport, { requestKeys: true }, scripted);
    await send(keyed.bound);
    expect([vouched.seen[0]?.get('x-helix-request-key'), keyed.bound.keyed()]).toEqual([
      'k1',
      true,
    ]);
  });

  it('that ignores its signal does not hold up a stop, and its late stream is let go', async () => {
    const stop = new AbortController();
    let answer: (stream: ReadableStream<UIMessageChunk>) => void = () => {};
    const late = new Promise<ReadableStream<UIMessageChunk>>((resolve) => {
      answer = resolve;
    });
    const { transport } = custom([]);
    const { bound, world } = bind({ ...transport, sendMessages: () => late });
    const ended = rejection(send(bound, { abortSignal: stop.signal }));
    await world.settle();
    stop.abort();
    expect(await ended).toMatchObject({ name: 'AbortError' });
    let cancelled = false;
    answer(
      new ReadableStream({
        cancel() {
          cancelled = true;
        },
      }),
    );
    await world.settle();
    expect(cancelled).toBe(true);
  });
});

describe('a stock DefaultChatTransport', () => {
  const stock = (options: ConstructorParameters<typeof DefaultChatTransport<UIMessage>>[0]) =>
    new DefaultChatTransport<UIMessage>(options);

  it('has its routes beside its address, asked with its headers, credentials and fetch', async () => {
    const { fetch, sent } = scriptedFetch(
      new Response(JSON.stringify({ messages: [] }), {
        headers: { 'content-type': 'application/json' },
      }),
    );
    const { bound } = bind(
      stock({ api: '/chat', fetch, headers: () => ({ A: '1' }), credentials: 'include' }),
    );
    expect(bound.endpoint).toBe('/chat');
    expect(await bound.readSnapshot(new AbortController().signal)).toMatchObject({
      kind: 'snapshot',
    });
    expect(sent[0]).toMatchObject({ url: '/chat/c1/snapshot', credentials: 'include' });
    expect(sent[0]?.headers.get('a')).toBe('1');
  });

  it('has its refusals typed as far as it tells them', async () => {
    const body = JSON.stringify({ error: 'x', code: 'state_already_running', runId: 'r1' });
    const { fetch } = scriptedFetch(new Response(body, { status: 409 }));
    const { bound, refusals } = bind(stock({ fetch }));
    const error = await rejection(send(bound));
    expect(error).toMatchObject({ code: 'state_already_running', runId: 'r1' });
    expect(refusals[0]?.status).toBe(409);
  });

  it('has a broken frame typed as a cut', async () => {
    const { fetch } = scriptedFetch(eventStream(`${frames(...part)}data: {"type":\n\n`));
    const { bound } = bind(stock({ fetch }));
    const { error } = await readAll(await send(bound));
    expect(error).toMatchObject({ code: 'transport_stream_drop', reason: 'cut' });
  });

  it('is asked for its live run once where there is no route for it', async () => {
    const { fetch, sent } = scriptedFetch(new Response('Not Found', { status: 404 }));
    const { bound } = bind(stock({ fetch }));
    expect(await bound.reconnectToStream({ chatId: 'c1' })).toBeNull();
    expect(await bound.reconnectToStream({ chatId: 'c1' })).toBeNull();
    expect(sent).toHaveLength(1);
  });
});

describe('what is given as a transport', () => {
  it('is handed back when it is one of ours', () => {
    const ours = new HelixChatTransport<UIMessage>();
    expect(wrapTransport(ours)).toBe(ours);
  });

  it.each([undefined, null, 'x', {}, { sendMessages: 1 }])(
    'is a developer error when it is %o',
    (value) => {
      expect(() => wrapTransport(value as unknown as ChatTransport<UIMessage>)).toThrow(
        /^\[helix-chat\] .+\. .+\. .+\.$/,
      );
    },
  );

  it('has its options checked at once', () => {
    expect(() => wrapTransport(custom([]).transport, { timeouts: { idleMs: -1 } })).toThrow(
      '[helix-chat]',
    );
  });
});
