import { describe, expect, it } from 'vitest';
import { HelixSnapshotError } from '../../src/errors/HelixError.ts';
import { createLearnedRoutes } from '../../src/transport/routes.ts';
import { createBoundChat, readAll, rejection, send } from './boundChat.ts';
import { createBytePipe, eventStream, frames, never, scriptedFetch } from './byteStream.ts';
import { createScriptedHost } from './scriptedHost.ts';

const open = new AbortController().signal;
const reply = frames(
  { type: 'start', messageId: 'a1' },
  { type: 'data-x', data: 1 },
  { type: 'finish' },
);
const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
const snapshot = {
  messages: [{ id: 'q1', role: 'user', parts: [] }],
  status: 'active',
  runId: 'r1',
};
const page = (status = 200) =>
  new Response('<html>', { status, headers: { 'content-type': 'text/html' } });

describe('the addresses of the routes', () => {
  it.each([
    ['/api/chat', '/api/chat/c1/snapshot'],
    ['/api/chat/', '/api/chat/c1/snapshot'],
    ['https://x.test/chat?tenant=7#top', 'https://x.test/chat/c1/snapshot?tenant=7#top'],
  ])('stand beside %s', async (api, url) => {
    const { fetch, sent } = scriptedFetch(json(snapshot));
    const { bound } = createBoundChat({ api, fetch });
    await bound.readSnapshot(open);
    expect(sent[0]?.url).toBe(url);
  });

  it('hold the chat id encoded', async () => {
    const { fetch, sent } = scriptedFetch(json(snapshot));
    const { transport, world, host } = createBoundChat({ api: '/api/chat', fetch });
    const chat = transport.bind({ chatId: 'a/b c?', host, settings: { world } });
    await chat.readSnapshot(open);
    expect(sent[0]?.url).toBe('/api/chat/a%2Fb%20c%3F/snapshot');
  });

  it.each(['.', '..'])('are none for the id %s, which no URL can hold', (chatId) => {
    const { transport, world, host } = createBoundChat({ api: '/api/chat' });
    expect(transport.bind({ chatId, host, settings: { world } }).route('snapshot')).toBe('absent');
  });

  it('are asked of a function once a chat', async () => {
    const asked: string[] = [];
    const { fetch, sent } = scriptedFetch(
      json(snapshot),
      json(snapshot),
      new Response(null, { status: 204 }),
    );
    const url = (id: string) => {
      asked.push(id);
      return `/own/${id}`;
    };
    const { bound } = createBoundChat({ fetch, routes: { snapshot: url, stream: url } });
    await bound.readSnapshot(open);
    await bound.readSnapshot(open);
    expect(await bound.reconnectToStream({ chatId: 'c1' })).toBeNull();
    expect(asked).toEqual(['c1', 'c1']);
    expect(sent.map((request) => request.url)).toEqual(['/own/c1', '/own/c1', '/own/c1']);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no id');
      },
    ],
    ['gives no text', () => ''],
  ])('whose function %s are a developer error at once', (_, url) => {
    expect(() => createBoundChat({ routes: { stop: url } })).toThrow(
      /^\[helix-chat\] .+\. .+\. .+\.$/,
    );
  });
});

describe('what is known of a route', () => {
  const all = (bound: { route(name: 'stream' | 'snapshot' | 'stop' | 'retry'): string }) =>
    (['stream', 'snapshot', 'stop', 'retry'] as const).map((name) => bound.route(name));

  it.each([
    ['auto', ['open', 'open', 'open', 'absent'], false],
    [true, ['known', 'known', 'known', 'absent'], true],
    [false, ['absent', 'absent', 'absent', 'absent'], false],
    [{ snapshot: '/s', retry: '/r' }, ['known', 'known', 'known', 'known'], true],
  ] as const)('with %o', (routes, knowledge, promised) => {
    const { bound } = createBoundChat({ routes });
    expect(all(bound)).toEqual(knowledge);
    expect(bound.promised).toBe(promised);
  });

  it.each([
    ['404 without a body of ours', () => new Response('Not Found', { status: 404 })],
    ['404 with a bare code word', () => json({ error: 'x', code: 'NOT_HERE' }, 404)],
    ['405', () => page(405)],
    ['501', () => page(501)],
    ['a page', () => page()],
    ['JSON that is no snapshot', () => json({ hello: 'world' })],
  ])(
    'after one look that brings %s is that there is none: remembered, told once, no failure',
    async (_, answer) => {
      const { fetch, sent } = scriptedFetch(answer());
      const { bound, notes } = createBoundChat({ fetch });
      expect(await bound.readSnapshot(open)).toEqual({ kind: 'absent' });
      expect(await bound.readSnapshot(open)).toEqual({ kind: 'absent' });
      expect(bound.route('snapshot')).toBe('absent');
      expect([sent.length, notes.length]).toEqual([1, 1]);
    },
  );

  it.each([
    ['a typed 404', () => json({ error: 'x', code: 'state_session_not_found' }, 404), 'known'],
    [
      'a typed 409',
      () => json({ error: 'x', code: 'state_history_incomplete', cause: 'corrupt_row' }, 409),
      'known',
    ],
    ['an untyped 503', () => page(503), 'open'],
    ['an untyped 401', () => page(401), 'open'],
  ])('after %s is %s, and the failure is one', async (_, answer, knowledge) => {
    const { bound, notes } = createBoundChat({ fetch: scriptedFetch(answer()).fetch });
    expect(await bound.readSnapshot(open)).toMatchObject({ kind: 'failed' });
    expect([bound.route('snapshot'), notes]).toEqual([knowledge, []]);
  });

  it('is not lost by a later 404: then it is a failure', async () => {
    const { bound } = createBoundChat({ fetch: scriptedFetch(json(snapshot), page(404)).fetch });
    expect(await bound.readSnapshot(open)).toMatchObject({ kind: 'snapshot' });
    expect(await bound.readSnapshot(open)).toMatchObject({
      kind: 'failed',
      error: { statusCode: 404, reason: 'not-found' },
    });
  });

  it('that is promised is a failure at once', async () => {
    const { bound, notes } = createBoundChat({
      routes: true,
      fetch: scriptedFetch(page(404)).fetch,
    });
    expect(await bound.readSnapshot(open)).toMatchObject({ kind: 'failed' });
    expect([bound.route('snapshot'), notes]).toEqual(['known', []]);
  });

  const blocked = () => new TypeError('Failed to fetch');
  it.each([
    ['another origin that answers sends', 'https://other.test/chat', {}, 'absent'],
    ['the page’s own origin', '/api/chat', {}, 'open'],
    [
      'another origin that is one of ours',
      'https://other.test/chat',
      { 'X-Helix-Run-Id': 'r1' },
      'open',
    ],
  ])('after a network failure at %s', async (_, api, headers, knowledge) => {
    const { bound } = createBoundChat({
      api,
      fetch: scriptedFetch(eventStream(reply, headers), blocked()).fetch,
    });
    await readAll(await send(bound));
    const answer = await bound.readSnapshot(open);
    expect(bound.route('snapshot')).toBe(knowledge);
    expect(answer.kind).toBe(knowledge === 'absent' ? 'absent' : 'failed');
  });

  it('after a network failure while offline is nothing', async () => {
    const { fetch } = scriptedFetch(eventStream(reply), blocked());
    const { bound, world } = createBoundChat({ api: 'https://other.test/chat', fetch });
    await readAll(await send(bound));
    world.setOnline(false);
    expect(await bound.readSnapshot(open)).toMatchObject({
      kind: 'failed',
      error: { reason: 'offline' },
    });
    expect(bound.route('snapshot')).toBe('open');
  });

  it('after a look for the stream is remembered: no second request, and no run', async () => {
    const { fetch, sent } = scriptedFetch(page(404));
    const { bound, refusals } = createBoundChat({ fetch });
    expect(await bound.reconnectToStream({ chatId: 'c1' })).toBeNull();
    expect(await bound.reconnectToStream({ chatId: 'c1' })).toBeNull();
    expect(sent).toHaveLength(1);
    expect(refusals).toMatchObject([
      { error: undefined, status: 204 },
      { error: undefined, status: 204 },
    ]);
    expect(bound.route('stream')).toBe('absent');
  });

  it('holds for every chat of one transport', async () => {
    const { transport, bound, world, host } = createBoundChat({
      fetch: scriptedFetch(page(404)).fetch,
    });
    await bound.readSnapshot(open);
    const other = transport.bind({ chatId: 'c2', host, settings: { world } });
    expect(other.route('snapshot')).toBe('absent');
    expect(createLearnedRoutes().absent.size).toBe(0);
  });
});

describe('a snapshot', () => {
  it('is read with the headers and credentials of the latest send, not with its key', async () => {
    const { fetch, sent } = scriptedFetch(eventStream(reply), json(snapshot));
    const { bound } = createBoundChat({
      fetch,
      credentials: 'include',
      headers: async () => ({ Authorization: 'Bearer x' }),
    });
    await readAll(await send(bound, { headers: { 'X-Tenant': '7', 'X-Helix-Request-Key': 'k' } }));
    const answer = await bound.readSnapshot(open);
    expect(answer).toMatchObject({ kind: 'snapshot', snapshot: { status: 'active', runId: 'r1' } });
    expect(sent[1]).toMatchObject({ method: 'GET', credentials: 'include' });
    expect(sent[1]?.headers.get('authorization')).toBe('Bearer x');
    expect(sent[1]?.headers.get('x-tenant')).toBe('7');
    expect(sent[1]?.headers.get('x-helix-request-key')).toBeNull();
  });

  it('is read with what the app prepared its sends with', async () => {
    const { fetch, sent } = scriptedFetch(eventStream(reply), json(snapshot), json({}, 202));
    const { bound } = createBoundChat({
      fetch,
      prepareSendMessagesRequest: () => ({
        body: {},
        headers: { Authorization: 'Bearer p', 'Content-Type': 'application/x-own' },
      }),
    });
    await readAll(await send(bound));
    await bound.readSnapshot(open);
    await bound.stopRun('abort', open);
    expect(sent[1]?.headers.get('authorization')).toBe('Bearer p');
    expect(sent[1]?.headers.get('content-type')).toBeNull();
    expect(sent[2]?.headers.get('authorization')).toBe('Bearer p');
    expect(sent[2]?.headers.get('content-type')).toBe('application/json');
  });

  it.each([
    ['JSON of another shape', () => json({ messages: 'none' })],
    ['a page', () => page()],
    [
      'broken JSON',
      () => new Response('{"messages":[', { headers: { 'content-type': 'application/json' } }),
    ],
    ['nothing', () => new Response(null, { status: 204 })],
  ])('that is %s on a promised route is corrupt, never empty', async (_, answer) => {
    const { bound } = createBoundChat({ routes: true, fetch: scriptedFetch(answer()).fetch });
    const read = await bound.readSnapshot(open);
    expect(read).toMatchObject({
      kind: 'failed',
      error: { code: 'state_history_incomplete', reason: 'corrupt_row', retryable: false },
    });
  });

  it('that is refused is a typed error of its kind', async () => {
    const { fetch } = scriptedFetch(json({ error: 'x', code: 'state_session_not_found' }, 404));
    const { bound } = createBoundChat({ routes: true, fetch });
    const read = await bound.readSnapshot(open);
    if (read.kind !== 'failed') throw new Error('It was read.');
    expect(read.error).toBeInstanceOf(HelixSnapshotError);
    expect(read.error).toMatchObject({ code: 'state_session_not_found', statusCode: 404 });
  });

  it('whose body breaks off is a network failure', async () => {
    const pipe = createBytePipe();
    const { fetch } = scriptedFetch(
      () => new Response(pipe.stream, { headers: { 'content-type': 'application/json' } }),
    );
    const { bound, world } = createBoundChat({ routes: true, fetch });
    const read = bound.readSnapshot(open);
    await world.settle();
    pipe.breakOff(new TypeError('terminated'));
    expect(await read).toMatchObject({ kind: 'failed', error: { reason: 'network' } });
  });

  it('comes from the app’s own reader where it gives one', async () => {
    const asked: string[] = [];
    const { bound } = createBoundChat({
      fetch: scriptedFetch().fetch,
      routes: {
        readSnapshot: async (id) => {
          asked.push(id);
          if (asked.length === 1) return snapshot;
          if (asked.length === 2) return undefined;
          throw Object.assign(new Error('gone'), { statusCode: 404 });
        },
      },
    });
    expect(bound.route('snapshot')).toBe('known');
    expect(await bound.readSnapshot(open)).toMatchObject({ kind: 'snapshot' });
    expect(await bound.readSnapshot(open)).toMatchObject({ error: { reason: 'corrupt_row' } });
    expect(await bound.readSnapshot(open)).toMatchObject({ error: { statusCode: 404 } });
    expect(asked).toEqual(['c1', 'c1', 'c1']);
  });

  it.each(['by the route', 'by the app'])(
    'read %s rejects only by its signal, and then at once',
    async (way) => {
      const stop = new AbortController();
      const forever = { readSnapshot: () => new Promise<unknown>(() => {}) };
      const { bound, world } = createBoundChat({
        fetch: scriptedFetch(never).fetch,
        ...(way === 'by the app' && { routes: forever }),
      });
      const read = rejection(bound.readSnapshot(stop.signal));
      await world.settle();
      stop.abort();
      expect(await read).toMatchObject({ name: 'AbortError' });
      expect(world.pending()).toBe(0);
    },
  );
});

describe('a stop', () => {
  it('is posted with its mode, and tells the run', async () => {
    const { fetch, sent } = scriptedFetch(json({ runId: 'r1', status: 'stopping' }, 202));
    const { bound } = createBoundChat({ fetch });
    expect(await bound.stopRun('interrupt', open)).toEqual({ kind: 'stopping', runId: 'r1' });
    expect(sent[0]).toMatchObject({
      method: 'POST',
      url: '/api/chat/c1/stop',
      body: { mode: 'interrupt' },
    });
  });

  it.each([
    [
      'an empty 202',
      () => new Response(null, { status: 202 }),
      { kind: 'stopping', runId: undefined },
    ],
    ['404 on an open route', () => page(404), { kind: 'absent' }],
    ['a page on an open route', () => page(), { kind: 'absent' }],
    [
      '409 that says it is over',
      () => json({ error: 'x', code: 'state_not_stoppable', currentStatus: 'ended' }, 409),
      { kind: 'failed', error: { code: 'state_not_stoppable', currentStatus: 'ended' } },
    ],
    [
      'a network failure',
      () => new TypeError('Load failed'),
      { kind: 'failed', error: { reason: 'network' } },
    ],
  ])('answered by %s', async (_, answer, expected) => {
    const { bound } = createBoundChat({ fetch: scriptedFetch(answer()).fetch });
    expect(await bound.stopRun('abort', open)).toMatchObject(expected);
  });
});

describe('a join', () => {
  it('is its own turn: the reply of the live run, or none', async () => {
    const { fetch, sent } = scriptedFetch(eventStream(reply), new Response(null, { status: 204 }));
    const { bound, calls, counts } = createBoundChat({ fetch });
    const stream = await bound.reconnectToStream({ chatId: 'c1' });
    if (stream === null) throw new Error('There was a run.');
    expect((await readAll(stream)).error).toBeUndefined();
    expect(await bound.reconnectToStream({ chatId: 'c1' })).toBeNull();
    expect(calls).toEqual([
      { kind: 'attach', messageId: undefined, messages: [] },
      { kind: 'attach', messageId: undefined, messages: [] },
    ]);
    expect([sent.length, counts.accepted]).toEqual([2, 1]);
    expect(bound.route('stream')).toBe('known');
  });

  it('that is refused is asked about as any request is', async () => {
    const body = { error: 'x', code: 'transport_stream_drop', cause: 'run_not_live' };
    const { fetch } = scriptedFetch(json(body, 503), json(body, 503));
    let asked = 0;
    const scripted = createScriptedHost({
      refused: () => {
        asked += 1;
        return asked === 1 ? 'repeat' : 'fail';
      },
    });
    const { bound, refusals } = createBoundChat({ fetch }, scripted);
    const error = await rejection(bound.reconnectToStream({ chatId: 'c1' }));
    expect(error).toMatchObject({ code: 'transport_stream_drop', reason: 'run_not_live' });
    expect(refusals.map(({ stage }) => stage)).toEqual(['request', 'request']);
  });

  it('gives a reply without an id the one that the chat knows, and each run the same', async () => {
    const unnamed = frames({ type: 'start' }, { type: 'data-x', data: 1 }, { type: 'finish' });
    const { fetch } = scriptedFetch(eventStream(unnamed));
    const { bound } = createBoundChat({ fetch }, undefined, { replyId: () => 'a9' });
    const stream = await bound.reconnectToStream({ chatId: 'c1' });
    if (stream === null) throw new Error('There was a run.');
    expect((await readAll(stream)).chunks[0]).toEqual({ type: 'start', messageId: 'a9' });

    const run = { 'X-Helix-Run-Id': 'r1' };
    const again = scriptedFetch(eventStream(unnamed, run), eventStream(unnamed, run));
    const chat = createBoundChat({ fetch: again.fetch });
    const first = await readAll(await send(chat.bound));
    const joined = await chat.bound.reconnectToStream({ chatId: 'c1' });
    if (joined === null) throw new Error('There was a run.');
    expect((await readAll(joined)).chunks[0]).toEqual(first.chunks[0]);
  });
});
