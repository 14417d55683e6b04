import { Chat } from '@ai-sdk/react';
import { DefaultChatTransport, type UIMessage, type UIMessageChunk } from 'ai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HelixStreamError } from '../../src/errors/HelixStreamError.ts';
import { HelixChatTransport } from '../../src/transport/HelixChatTransport.ts';
import type { HelixChatTransportOptions } from '../../src/transport/transportOptions.ts';
import { createBoundChat, question, readAll, send, textOf } from './boundChat.ts';
import { createBytePipe, eventStream, frames, scriptedFetch } from './byteStream.ts';
import { createScriptedHost } from './scriptedHost.ts';

const begin = frames(
  { type: 'start', messageId: 'a1' },
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'Hel' },
);
const end = frames(
  { type: 'text-delta', id: 't', delta: 'lo' },
  { type: 'text-end', id: 't' },
  { type: 'finish', finishReason: 'stop' },
);
const failure = frames(
  {
    type: 'data-helix-error',
    data: { errorText: 'No.', code: 'provider_auth_error', retryable: false },
    transient: true,
  },
  { type: 'error', errorText: 'No.' },
);

let unhandled: unknown[] = [];
const collect = (reason: unknown) => unhandled.push(reason);
beforeEach(() => {
  unhandled = [];
  process.on('unhandledRejection', collect);
});
afterEach(async () => {
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', collect);
  expect(unhandled).toEqual([]);
});

/** A real `Chat` of the SDK on a bound transport. */
function createChat(
  options: HelixChatTransportOptions<UIMessage>,
  scripted = createScriptedHost(),
) {
  const bound = createBoundChat(options, scripted);
  const errors: Error[] = [];
  const finishes: { isAbort: boolean; isError: boolean }[] = [];
  const chat = new Chat<UIMessage>({
    id: 'c1',
    transport: bound.bound,
    onError: (error) => errors.push(error),
    onFinish: ({ isAbort, isError }) => finishes.push({ isAbort, isError }),
  });
  return { ...bound, chat, errors, finishes };
}

const screen = (chat: Chat<UIMessage>) =>
  chat.messages.map(({ parts }) =>
    parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
  );

describe('in a real Chat', () => {
  it('an error event is chat.error itself, and the text before it stays', async () => {
    const { fetch } = scriptedFetch(eventStream(begin + failure));
    const { chat, errors, finishes, failures } = createChat({ fetch });
    await chat.sendMessage({ text: 'Hello?' });
    expect(chat.status).toBe('error');
    expect(chat.error).toBeInstanceOf(HelixStreamError);
    expect(chat.error).toBe(failures[0]);
    expect(errors).toEqual([chat.error]);
    expect(finishes).toEqual([{ isAbort: false, isError: true }]);
    expect(screen(chat)).toEqual(['Hello?', 'Hel']);
  });

  it('a refusal is chat.error itself', async () => {
    const { fetch } = scriptedFetch(new Response('<html>', { status: 502 }));
    const { chat, refusals } = createChat({ fetch });
    await chat.sendMessage({ text: 'Hello?' });
    expect(chat.error).toBe(refusals[0]?.error);
    expect(chat.error?.message).not.toContain('<');
  });

  it('two cuts are spliced into one reply: no error, one end', async () => {
    const { fetch } = scriptedFetch(
      eventStream(begin),
      eventStream(begin),
      eventStream(begin + end),
    );
    const { chat, errors, finishes } = createChat(
      { fetch },
      createScriptedHost({ cut: () => 'reconnect' }),
    );
    await chat.sendMessage({ text: 'Hello?' });
    expect(screen(chat)).toEqual(['Hello?', 'Hello']);
    expect([chat.status, errors, finishes]).toEqual([
      'ready',
      [],
      [{ isAbort: false, isError: false }],
    ]);
  });

  it('a hold is an abort, not an error', async () => {
    const { fetch } = scriptedFetch(new Response('{}', { status: 409 }));
    const { chat, errors, finishes } = createChat(
      { fetch },
      createScriptedHost({ refused: () => 'hold' }),
    );
    await chat.sendMessage({ text: 'Hello?' });
    expect([chat.status, errors, finishes]).toEqual([
      'ready',
      [],
      [{ isAbort: true, isError: false }],
    ]);
  });

  it('a restarted step is drawn in the place of the old one', async () => {
    const pipe = createBytePipe();
    const { fetch, sent } = scriptedFetch(eventStream(pipe));
    const { chat, errors } = createChat(
      { fetch },
      createScriptedHost({ trigger: () => 'restart-step' }),
    );
    const sending = chat.sendMessage({ text: 'Hello?' });
    pipe.write(
      frames(
        { type: 'start' },
        { type: 'start-step' },
        { type: 'text-start', id: 't' },
        { type: 'text-delta', id: 't', delta: 'bad' },
        { type: 'data-attempt-superseded', data: {}, transient: true },
        { type: 'text-start', id: 't' },
        { type: 'text-delta', id: 't', delta: 'good' },
      ),
    );
    await sending;
    expect(screen(chat)).toEqual(['Hello?', 'bad']);
    const id = chat.messages[1]?.id;
    const joining = chat.resumeStream();
    pipe.write(frames({ type: 'text-end', id: 't' }, { type: 'finish-step' }, { type: 'finish' }));
    pipe.close();
    await joining;
    expect(screen(chat)).toEqual(['Hello?', 'good']);
    expect(chat.messages[1]?.id).toBe(id);
    expect([errors.length, sent.length]).toEqual([0, 1]);
  });

  it('stop ends the read and the request, whatever the stream does', async () => {
    const pipe = createBytePipe();
    const { fetch, sent } = scriptedFetch(eventStream(pipe));
    const { chat, errors, finishes, cuts, world } = createChat({ fetch, routes: true });
    const sending = chat.sendMessage({ text: 'Hello?' });
    pipe.write(begin);
    await world.settle();
    expect(screen(chat)).toEqual(['Hello?', 'Hel']);
    await chat.stop();
    await sending;
    await world.settle();
    expect([pipe.cancelled, sent[0]?.signal?.aborted, world.pending()]).toEqual([true, true, 0]);
    expect([errors, cuts, finishes]).toEqual([[], [], [{ isAbort: true, isError: false }]]);
    expect(chat.status).toBe('ready');
  });

  it('stop while the host thinks about a cut ends the turn', async () => {
    const scripted = createScriptedHost({ cut: () => new Promise(() => {}) });
    const { fetch } = scriptedFetch(eventStream(begin));
    const { chat, world } = createChat({ fetch }, scripted);
    const sending = chat.sendMessage({ text: 'Hello?' });
    await world.settle();
    await chat.stop();
    await sending;
    expect(chat.status).toBe('ready');
  });
});

describe('given to stock useChat, without a host', () => {
  const stock = (options: HelixChatTransportOptions<UIMessage>) =>
    new Chat<UIMessage>({ id: 'c1', transport: new HelixChatTransport<UIMessage>(options) });

  it('a reply is as it always was, with one request and one key', async () => {
    const { fetch, sent } = scriptedFetch(eventStream(begin + end));
    const chat = stock({ fetch, requestKeys: true });
    await chat.sendMessage({ text: 'Hello?' });
    expect(screen(chat)).toEqual(['Hello?', 'Hello']);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.headers.get('x-helix-request-key')).toMatch(/^[a-z0-9]+$/);
  });

  it.each([
    ['an error event', () => eventStream(begin + failure), { code: 'provider_auth_error' }],
    ['a cut', () => eventStream(begin), { code: 'transport_stream_drop', reason: 'cut' }],
    [
      'a page',
      () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
      { reason: 'unexpected-response' },
    ],
    [
      'a refusal',
      () => new Response('x', { status: 429, headers: { 'Retry-After': '3' } }),
      { statusCode: 429, retryAfterMs: 3_000 },
    ],
    [
      'no answer',
      () => new TypeError('Failed to fetch'),
      { code: 'transport_error', reason: 'network' },
    ],
  ])('%s is typed, and nothing is repeated', async (_, answer, expected) => {
    const { fetch, sent } = scriptedFetch(answer());
    const chat = stock({ fetch });
    await chat.sendMessage({ text: 'Hello?' });
    expect(chat.error).toMatchObject(expected);
    expect(sent).toHaveLength(1);
  });

  it('a start without an id keeps the id that the app’s generateId gave', async () => {
    const body = frames({ type: 'start' }, { type: 'data-x', data: 1 }, { type: 'finish' });
    let made = 0;
    const chat = new Chat<UIMessage>({
      id: 'c1',
      generateId: () => {
        made += 1;
        return `app-${made}`;
      },
      transport: new HelixChatTransport<UIMessage>({
        fetch: scriptedFetch(eventStream(body)).fetch,
      }),
    });
    await chat.sendMessage({ text: 'Hello?' });
    expect(chat.messages.map(({ id }) => id.slice(0, 4))).toEqual(['app-', 'app-']);
  });

  it('a trigger reaches onData', async () => {
    const seen: string[] = [];
    const trigger = frames({ type: 'data-resync', data: {}, transient: true });
    const chat = new Chat<UIMessage>({
      id: 'c1',
      onData: (part) => seen.push(part.type),
      transport: new HelixChatTransport<UIMessage>({
        fetch: scriptedFetch(eventStream(begin + trigger + end)).fetch,
      }),
    });
    await chat.sendMessage({ text: 'Hello?' });
    expect(seen).toEqual(['data-resync']);
  });

  it('resuming asks the stream route, and takes 204 for no run', async () => {
    const { fetch, sent } = scriptedFetch(
      new Response(null, { status: 204 }),
      eventStream(begin + end),
    );
    const chat = stock({ fetch, routes: { stream: (id) => `/live/${id}` } });
    await chat.resumeStream();
    expect([chat.status, chat.messages.length]).toEqual(['ready', 0]);
    await chat.resumeStream();
    expect(screen(chat)).toEqual(['Hello']);
    expect(sent.map(({ url }) => url)).toEqual(['/live/c1', '/live/c1']);
  });
});

describe('as a DefaultChatTransport', () => {
  const requestOf = async (
    make: (options: HelixChatTransportOptions<UIMessage>) => DefaultChatTransport<UIMessage>,
    options: HelixChatTransportOptions<UIMessage>,
  ) => {
    const { fetch, sent } = scriptedFetch(
      eventStream(begin + end),
      new Response(null, { status: 204 }),
    );
    const transport = make({ ...options, fetch });
    const asked = {
      chatId: 'c 1',
      headers: { 'X-Send': '1' },
      body: { extra: 1 },
      metadata: { m: 1 },
    };
    await transport.sendMessages({
      ...asked,
      trigger: 'regenerate-message',
      messageId: 'a0',
      messages: [question],
      abortSignal: undefined,
    });
    await transport.reconnectToStream(asked);
    return sent.map(({ url, method, headers, body, credentials }) => ({
      ...{ url, method, body, credentials },
      headers: Object.fromEntries(headers),
    }));
  };

  it.each<[string, HelixChatTransportOptions<UIMessage>]>([
    ['no options', {}],
    ['values', { api: '/a?x=1', headers: { A: '1' }, body: { b: 1 }, credentials: 'include' }],
    [
      'functions',
      {
        headers: () => new Headers({ A: '2' }),
        body: async () => ({ b: 2 }),
        credentials: () => 'omit',
      },
    ],
    [
      'prepared requests',
      {
        headers: { A: '1' },
        prepareSendMessagesRequest: ({ id, messages, requestMetadata }) => ({
          api: `/send/${id}`,
          body: { messages, requestMetadata },
          headers: { P: '1' },
          credentials: 'omit',
        }),
        prepareReconnectToStreamRequest: ({ id, headers }) => ({
          api: `/join/${id}`,
          headers: { ...Object.fromEntries(new Headers(headers)), J: '1' },
        }),
      },
    ],
  ])('sends the very requests that stock sends: %s', async (_, options) => {
    const ours = await requestOf(
      (given) => new HelixChatTransport({ ...given, requestKeys: false }),
      options,
    );
    const stock = await requestOf((given) => new DefaultChatTransport(given), options);
    expect(ours).toEqual(stock);
  });

  it('looks up the platform’s fetch at the call', async () => {
    const original = globalThis.fetch;
    const { fetch, sent } = scriptedFetch(eventStream(begin + end));
    const { bound } = createBoundChat({});
    globalThis.fetch = fetch;
    try {
      await readAll(await send(bound));
    } finally {
      globalThis.fetch = original;
    }
    expect(sent).toHaveLength(1);
  });

  it('is known by its marker, in whatever bundle it was made', () => {
    expect(HelixChatTransport.isInstance(new HelixChatTransport())).toBe(true);
    const foreign = { [Symbol.for('helix-chat.HelixChatTransport')]: true };
    expect(HelixChatTransport.isInstance(foreign)).toBe(true);
    for (const value of [new DefaultChatTransport(), undefined, null, 'x', {}]) {
      expect(HelixChatTransport.isInstance(value)).toBe(false);
    }
  });

  it('honours a subclass that overrides how it sends, joins and parses', async () => {
    const log: string[] = [];
    class Loud extends HelixChatTransport<UIMessage> {
      override async sendMessages(options: Parameters<HelixChatTransport['sendMessages']>[0]) {
        log.push('send');
        const stream = await super.sendMessages(options);
        return stream.pipeThrough(
          new TransformStream<UIMessageChunk, UIMessageChunk>({
            transform(chunk, controller) {
              const loud =
                chunk.type === 'text-delta'
                  ? { ...chunk, delta: chunk.delta.toUpperCase() }
                  : chunk;
              controller.enqueue(loud);
            },
          }),
        );
      }

      override async reconnectToStream(
        options: Parameters<HelixChatTransport['reconnectToStream']>[0],
      ) {
        log.push('join');
        return super.reconnectToStream(options);
      }
    }
    const { fetch } = scriptedFetch(
      new Response('x', { status: 503 }),
      eventStream(begin + end),
      new Response(null, { status: 204 }),
    );
    const scripted = createScriptedHost({
      refused: ({ status }) => (status === 503 ? 'repeat' : 'fail'),
    });
    const { bound, ends } = createBoundChat(
      { fetch },
      scripted,
      {},
      (options) => new Loud(options),
    );
    expect(textOf((await readAll(await send(bound))).chunks)).toBe('HELLO');
    expect(await bound.reconnectToStream({ chatId: 'c1' })).toBeNull();
    expect(log).toEqual(['send', 'send', 'join']);
    expect(ends).toHaveLength(1);
  });

  it('types a request whose signal a subclass has replaced', async () => {
    class Own extends HelixChatTransport<UIMessage> {
      override sendMessages(options: Parameters<HelixChatTransport['sendMessages']>[0]) {
        return super.sendMessages({ ...options, abortSignal: new AbortController().signal });
      }
    }
    const { fetch } = scriptedFetch(new Response('x', { status: 503 }));
    const { bound, refusals } = createBoundChat(
      { fetch },
      undefined,
      {},
      (options) => new Own(options),
    );
    await expect(send(bound)).rejects.toMatchObject({ statusCode: 503 });
    expect(refusals).toHaveLength(1);
  });
});

describe('a malformed option', () => {
  it.each<[string, object]>([
    ['a negative time', { timeouts: { idleMs: -1 } }],
    ['a time that is no number', { timeouts: { totalMs: Number.NaN } }],
    ['a time as text', { timeouts: { connectMs: '5s' } }],
    ['an unknown limit', { timeouts: { idle: 5 } }],
    ['an unknown key mode', { requestKeys: 'always' }],
    ['an unknown route mode', { routes: 'yes' }],
    ['an unknown route', { routes: { snapshots: '/x' } }],
    ['an address that is none', { routes: { stream: 7 } }],
    ['an empty address', { routes: { stop: '' } }],
    ['a reader that is no function', { routes: { readSnapshot: '/x' } }],
    ['adapters that are none', { adapters: [{}] }],
    ['triggers that are no parts', { triggers: ['reset'] }],
    ['a terminal rule that is none', { isTerminal: true }],
    ['a world that is none', { world: {} }],
  ])('%s is a developer error in three parts, at once', (_, options) => {
    expect(() => new HelixChatTransport(options as HelixChatTransportOptions<UIMessage>)).toThrow(
      /^\[helix-chat\] .+\. .+\. .+\.$/,
    );
  });

  it('of the binding is one too', () => {
    expect(() => createBoundChat({}, undefined, { timeouts: { idleMs: -5 } })).toThrow(
      '[helix-chat]',
    );
  });
});
