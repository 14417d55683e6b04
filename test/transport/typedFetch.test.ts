import { describe, expect, it, vi } from 'vitest';
import { HelixError, HelixRequestError, HelixTimeoutError } from '../../src/errors/HelixError.ts';
import { createBoundChat, readAll, rejection, send, textOf } from './boundChat.ts';
import { createBytePipe, eventStream, frames, never, scriptedFetch } from './byteStream.ts';
import { createScriptedHost, type ScriptedHost } from './scriptedHost.ts';

const reply = (text: string) =>
  frames(
    { type: 'start', messageId: 'a1' },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: text },
    { type: 'text-end', id: 't' },
    { type: 'finish', finishReason: 'stop' },
  );
const begin = frames(
  { type: 'start', messageId: 'a1' },
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'Hel' },
);
const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });

describe('a refused request', () => {
  it('is one typed error with status, wait, body and support id, asked about and thrown', async () => {
    const body = { error: 'Busy.', code: 'provider_rate_limited', retryable: true };
    const { fetch } = scriptedFetch(json(503, body, { 'Retry-After': '2', 'x-request-id': 'r-7' }));
    const { bound, refusals } = createBoundChat({ fetch });
    const error = await rejection(send(bound));
    expect(error).toBeInstanceOf(HelixRequestError);
    expect(error).toMatchObject({
      code: 'provider_rate_limited',
      statusCode: 503,
      retryAfterMs: 2_000,
      requestId: 'r-7',
      body: { code: 'provider_rate_limited' },
    });
    expect(refusals).toEqual([{ stage: 'request', error, status: 503, committed: 'no' }]);
  });

  it.each([
    [400, 'no'],
    [409, 'unknown'],
    [429, 'no'],
    [500, 'unknown'],
    [502, 'unknown'],
    [503, 'no'],
  ] as const)('untyped with status %i says committed: %s', async (status, committed) => {
    const { fetch } = scriptedFetch(new Response('<html>', { status }));
    const { bound, refusals } = createBoundChat({ fetch });
    await rejection(send(bound));
    expect(refusals[0]?.committed).toBe(committed);
  });

  it.each([
    [{ code: 'state_already_running' }, 'no'],
    [{ code: 'state_request_already_completed' }, 'yes'],
    [{ code: 'state_request_key_conflict' }, 'unknown'],
    [{ code: 'state_run_start_conflict', cause: 'request_key_taken' }, 'yes'],
    [{ code: 'state_run_start_conflict', cause: 'entry_abandoned' }, 'no'],
    [{ code: 'state_not_resumable', cause: 'answer_not_stored' }, 'yes'],
  ] as const)('409 %o says committed: %s', async (body, committed) => {
    const { fetch } = scriptedFetch(json(409, { error: 'No.', ...body }));
    const { bound, refusals } = createBoundChat({ fetch });
    await rejection(send(bound));
    expect(refusals[0]?.committed).toBe(committed);
  });

  it('that never left wrote nothing', async () => {
    const { fetch, sent } = scriptedFetch();
    const { bound, refusals } = createBoundChat({
      fetch,
      headers: () => Promise.reject(new Error('no token')),
    });
    await rejection(send(bound));
    expect(sent).toEqual([]);
    expect(refusals[0]).toMatchObject({ committed: 'no', status: undefined });
  });

  it('is repeated with the same body and key when the host says so', async () => {
    const { fetch, sent } = scriptedFetch(json(503, {}), eventStream(reply('Hi')));
    const scripted = createScriptedHost({ requestKey: 'k1', refused: () => 'repeat' });
    const { bound, counts } = createBoundChat({ fetch, requestKeys: true }, scripted);
    const { chunks } = await readAll(await send(bound));
    expect(textOf(chunks)).toBe('Hi');
    expect(sent.map(({ headers }) => headers.get('x-helix-request-key'))).toEqual(['k1', 'k1']);
    expect(sent[1]?.body).toEqual(sent[0]?.body);
    expect(counts.accepted).toBe(1);
  });

  it('ends quietly when the host holds it, and by the host’s own error when it gives one', async () => {
    const hold = createBoundChat(
      { fetch: scriptedFetch(json(409, {})).fetch },
      createScriptedHost({ refused: () => 'hold' }),
    );
    expect(await rejection(send(hold.bound))).toMatchObject({ name: 'AbortError' });
    const other = new HelixError({ code: 'state_already_running', reason: 'patience' });
    const failing = createBoundChat(
      { fetch: scriptedFetch(json(409, {})).fetch },
      createScriptedHost({ refused: () => other }),
    );
    expect(await rejection(send(failing.bound))).toBe(other);
  });

  it('goes on with the live run’s stream when the host says so', async () => {
    const { fetch, sent } = scriptedFetch(json(409, {}), eventStream(reply('Live')));
    const scripted = createScriptedHost({ refused: () => 'attach' });
    const { bound } = createBoundChat({ api: '/chat', fetch, headers: { a: '1' } }, scripted);
    const { chunks } = await readAll(
      await send(bound, { headers: { b: '2', 'X-Helix-Request-Key': 'own' } }),
    );
    expect(textOf(chunks)).toBe('Live');
    expect(sent[1]).toMatchObject({ url: '/chat/c1/stream', method: 'GET' });
    expect(sent[1]?.headers.get('a')).toBe('1');
    expect(sent[1]?.headers.get('b')).toBe('2');
    expect(sent[1]?.headers.get('x-helix-request-key')).toBeNull();
  });

  it('says when there is no live run to go on with', async () => {
    const { fetch } = scriptedFetch(json(409, {}), new Response(null, { status: 204 }));
    const scripted = createScriptedHost({
      refused: ({ stage }) => (stage === 'request' ? 'attach' : 'fail'),
    });
    const { bound, refusals } = createBoundChat({ fetch }, scripted);
    expect(await rejection(send(bound))).toBe(refusals[0]?.error);
    expect(refusals[1]).toMatchObject({ stage: 'attach', error: undefined, status: 204 });
  });
});

describe('an answer that is no event stream', () => {
  it('is unexpected when it is a page, and nothing of it is kept', async () => {
    const page = new Response('<h1>Sign in</h1>', { headers: { 'content-type': 'text/html' } });
    const { bound } = createBoundChat({ fetch: scriptedFetch(page).fetch });
    const error = await rejection(send(bound));
    expect(error).toMatchObject({
      code: 'transport_error',
      reason: 'unexpected-response',
      retryable: undefined,
      statusCode: 200,
    });
    expect(JSON.stringify(error)).not.toContain('Sign in');
  });

  it('is decoded when it is a Helix body', async () => {
    const { fetch } = scriptedFetch(json(200, { error: 'No.', code: 'provider_auth_error' }));
    const { bound } = createBoundChat({ fetch });
    expect(await rejection(send(bound))).toMatchObject({ code: 'provider_auth_error' });
  });

  it('is unexpected when it is empty', async () => {
    const { fetch } = scriptedFetch(new Response(null, { status: 204 }));
    const { bound } = createBoundChat({ fetch });
    expect(await rejection(send(bound))).toMatchObject({ reason: 'unexpected-response' });
  });

  it.each(['text/plain; charset=utf-8', 'application/octet-stream'])(
    'is read all the same when %s holds one, as stock does',
    async (type) => {
      const { fetch } = scriptedFetch(
        new Response(reply('Hello'), { headers: { 'content-type': type } }),
      );
      const { bound } = createBoundChat({ fetch });
      expect(textOf((await readAll(await send(bound))).chunks)).toBe('Hello');
    },
  );

  it('is unexpected when plain text holds none', async () => {
    const { fetch } = scriptedFetch(
      new Response('Hello there', { headers: { 'content-type': 'text/plain' } }),
    );
    const { bound } = createBoundChat({ fetch });
    expect(await rejection(send(bound))).toMatchObject({ reason: 'unexpected-response' });
  });
});

describe('no answer', () => {
  it.each([
    ['a network failure', new TypeError('Failed to fetch')],
    ['an abort that nobody here asked for', new DOMException('Aborted', 'AbortError')],
  ])('after %s is typed as such', async (_, thrown) => {
    const { bound, refusals } = createBoundChat({ fetch: scriptedFetch(thrown).fetch });
    const error = await rejection(send(bound));
    expect(error).toMatchObject({ code: 'transport_error', reason: 'network', retryable: true });
    expect(error).toMatchObject({ cause: thrown });
    expect(refusals[0]).toMatchObject({ status: undefined, committed: 'unknown' });
  });

  it('is told as offline while the platform says so', async () => {
    const { fetch } = scriptedFetch(new TypeError('Load failed'));
    const { bound, world } = createBoundChat({ fetch });
    world.setOnline(false);
    expect(await rejection(send(bound))).toMatchObject({ reason: 'offline' });
  });

  it('is a stop only when the caller’s own signal says so', async () => {
    const stop = new AbortController();
    const { bound, refusals } = createBoundChat({ fetch: scriptedFetch(never).fetch });
    const ended = rejection(send(bound, { abortSignal: stop.signal }));
    stop.abort();
    expect(await ended).toMatchObject({ name: 'AbortError' });
    expect(refusals).toEqual([]);
  });

  it('within connectMs is a time-out that names its layer', async () => {
    const { fetch } = scriptedFetch(never);
    const { bound, world } = createBoundChat({ fetch, timeouts: { connectMs: 100 } });
    const ended = rejection(send(bound));
    await world.advance(100);
    const error = await ended;
    expect(error).toBeInstanceOf(HelixTimeoutError);
    expect(error).toMatchObject({ code: 'transport_error', reason: 'timeout', layer: 'connect' });
    expect(world.pending()).toBe(0);
  });

  it('is waited for without end by default, and for a minute where keys are vouched for', async () => {
    const stop = new AbortController();
    const open = createBoundChat({ fetch: scriptedFetch(never).fetch });
    const waiting = rejection(send(open.bound, { abortSignal: stop.signal }));
    await open.world.settle();
    expect(open.world.pending()).toBe(0);
    stop.abort();
    await waiting;
    const keyed = createBoundChat({ fetch: scriptedFetch(never).fetch, requestKeys: true });
    const ended = rejection(send(keyed.bound));
    await keyed.world.advance(60_000);
    expect(await ended).toMatchObject({ layer: 'connect' });
  });

  it('from a fetch that ignores its signal does not hold up a stop, and its late body is let go', async () => {
    const stop = new AbortController();
    const pipe = createBytePipe();
    let answer: (response: Response) => void = () => {};
    const late = new Promise<Response>((resolve) => {
      answer = resolve;
    });
    const { bound, world } = createBoundChat({ fetch: scriptedFetch(() => late).fetch });
    const ended = rejection(send(bound, { abortSignal: stop.signal }));
    await world.settle();
    stop.abort();
    expect(await ended).toMatchObject({ name: 'AbortError' });
    answer(eventStream(pipe));
    await world.settle();
    expect(pipe.cancelled).toBe(true);
  });
});

describe('a stream’s bytes', () => {
  it('count, comment lines too', async () => {
    const pipe = createBytePipe();
    const { bound, counts, world } = createBoundChat({
      fetch: scriptedFetch(eventStream(pipe)).fetch,
    });
    const done = readAll(await send(bound));
    pipe.write(': keep-alive\n\n');
    await world.settle();
    expect(counts).toMatchObject({ bytes: 1, content: 0 });
    pipe.write(reply('Hi'));
    pipe.close();
    await done;
    expect(counts.bytes).toBe(2);
  });

  it('keep the watchdog quiet as long as they come, and their absence is silence', async () => {
    const pipe = createBytePipe();
    const { bound, cuts, world } = createBoundChat({
      fetch: scriptedFetch(eventStream(pipe)).fetch,
      timeouts: { idleMs: 40 },
    });
    const done = readAll(await send(bound));
    pipe.write(begin);
    for (let beat = 0; beat < 10; beat += 1) {
      pipe.write(': still here\n\n');
      await world.advance(30);
    }
    expect(cuts).toEqual([]);
    await world.advance(40);
    const { chunks, error } = await done;
    expect(textOf(chunks)).toBe('Hel');
    expect(error).toBe(cuts[0]?.error);
    expect(error).toMatchObject({ code: 'transport_stream_drop', reason: 'silent', layer: 'idle' });
    expect(pipe.cancelled).toBe(true);
  });

  it('may stay away for ever where no keep-alive was seen and no route is known', async () => {
    const pipe = createBytePipe();
    const { bound, cuts, world } = createBoundChat({
      fetch: scriptedFetch(eventStream(pipe)).fetch,
    });
    const done = readAll(await send(bound));
    pipe.write(begin);
    await world.advance(70_000);
    pipe.write(
      frames(
        { type: 'text-delta', id: 't', delta: 'lo' },
        { type: 'text-end', id: 't' },
        { type: 'finish' },
      ),
    );
    pipe.close();
    expect(textOf((await done).chunks)).toBe('Hello');
    expect(cuts).toEqual([]);
  });

  it.each([
    ['the header announces keep-alives', {}, { 'X-Helix-Keep-Alive': '15000' }],
    ['routes are promised', { routes: true }, {}],
  ] as const)('are watched from the start where %s', async (_, options, headers) => {
    const pipe = createBytePipe();
    const { fetch } = scriptedFetch(eventStream(pipe, headers));
    const { bound, cuts, world } = createBoundChat({ fetch, ...options });
    const done = readAll(await send(bound));
    pipe.write(begin);
    await world.advance(44_999);
    expect(cuts).toEqual([]);
    await world.advance(1);
    await done;
    expect(cuts[0]?.error.reason).toBe('silent');
  });

  it('are not missed while nobody reads', async () => {
    const pipe = createBytePipe();
    const { fetch } = scriptedFetch(eventStream(pipe));
    const { bound, cuts, world } = createBoundChat({
      fetch,
      routes: true,
      timeouts: { idleMs: 10 },
    });
    const stream = await send(bound);
    pipe.write(reply('Hi'));
    pipe.close();
    const reader = stream.getReader();
    await reader.read();
    await world.advance(1_000);
    expect(cuts).toEqual([]);
    reader.releaseLock();
    expect(textOf((await readAll(stream)).chunks)).toBe('Hi');
  });

  it('end after totalMs in a failure, not in a reconnect', async () => {
    const pipe = createBytePipe();
    const { fetch } = scriptedFetch(eventStream(pipe));
    const { bound, cuts, failures, world } = createBoundChat({ fetch, timeouts: { totalMs: 500 } });
    const done = readAll(await send(bound));
    pipe.write(begin);
    await world.advance(500);
    const { error } = await done;
    expect(error).toMatchObject({ code: 'transport_error', reason: 'timeout', layer: 'total' });
    expect(failures).toEqual([error]);
    expect(cuts).toEqual([]);
    expect(world.pending()).toBe(0);
  });

  it('that break off are a cut with the original as cause', async () => {
    const pipe = createBytePipe();
    const broken = new TypeError('terminated');
    const { bound, cuts } = createBoundChat({ fetch: scriptedFetch(eventStream(pipe)).fetch });
    const done = readAll(await send(bound));
    pipe.write(begin);
    pipe.breakOff(broken);
    const { error } = await done;
    expect(error).toMatchObject({ code: 'transport_stream_drop', reason: 'cut', cause: broken });
    expect(cuts).toHaveLength(1);
  });

  it('that are aborted by nobody here are a cut', async () => {
    const pipe = createBytePipe();
    const { bound } = createBoundChat({ fetch: scriptedFetch(eventStream(pipe)).fetch });
    const done = readAll(await send(bound));
    pipe.breakOff(new DOMException('The user aborted a request.', 'AbortError'));
    expect((await done).error).toMatchObject({ code: 'transport_stream_drop', reason: 'cut' });
  });
});

describe('the request key', () => {
  const keyOf = (sent: { headers: Headers } | undefined) =>
    sent?.headers.get('x-helix-request-key');

  it.each([
    ['/api/chat', 'k1'],
    ['https://app.test/api/chat', 'k1'],
    ['https://other.test/api/chat', null],
  ])('goes to the page’s own origin only: %s', async (api, expected) => {
    const { fetch, sent } = scriptedFetch(eventStream(reply('Hi')));
    const { bound } = createBoundChat({ api, fetch }, createScriptedHost({ requestKey: 'k1' }));
    await readAll(await send(bound));
    expect(keyOf(sent[0])).toBe(expected);
  });

  it('goes nowhere with `false`, and everywhere with `true`', async () => {
    const scripted = createScriptedHost({ requestKey: 'k1' });
    const off = scriptedFetch(eventStream(reply('Hi')));
    await send(createBoundChat({ fetch: off.fetch, requestKeys: false }, scripted).bound);
    expect(keyOf(off.sent[0])).toBeNull();
    const on = scriptedFetch(eventStream(reply('Hi')));
    const api = 'https://other.test/chat';
    await send(createBoundChat({ api, fetch: on.fetch, requestKeys: true }, scripted).bound);
    expect(keyOf(on.sent[0])).toBe('k1');
  });

  it('is proven once an answer has carried it back, a refusal too', async () => {
    const { fetch } = scriptedFetch(
      eventStream(reply('Hi')),
      json(503, {}, { 'X-Helix-Request-Key': 'k1' }),
    );
    const { bound } = createBoundChat({ fetch }, createScriptedHost({ requestKey: 'k1' }));
    await readAll(await send(bound));
    expect(bound.keyed()).toBe(false);
    await rejection(send(bound));
    expect(bound.keyed()).toBe(true);
  });

  it('is set after prepareSendMessagesRequest, whose headers replace all others', async () => {
    const { fetch, sent } = scriptedFetch(eventStream(reply('Hi')));
    const { bound } = createBoundChat(
      {
        fetch,
        headers: { a: '1' },
        prepareSendMessagesRequest: () => ({
          body: { only: 'this' },
          headers: { c: '3' },
          api: '/p?q=1',
        }),
      },
      createScriptedHost({ requestKey: 'k1' }),
    );
    await readAll(await send(bound));
    expect(keyOf(sent[0])).toBe('k1');
    expect(sent[0]).toMatchObject({ url: '/p?q=1', body: { only: 'this' } });
    expect(sent[0]?.headers.get('a')).toBeNull();
    expect(sent[0]?.headers.get('c')).toBe('3');
    expect(bound.endpoint).toBe('/p');
  });

  it('of the app replaces ours, whatever the mode', async () => {
    const { fetch, sent } = scriptedFetch(json(503, {}), eventStream(reply('Hi')));
    const scripted = createScriptedHost({ requestKey: 'k1', refused: () => 'repeat' });
    const { bound } = createBoundChat({ fetch, requestKeys: false }, scripted);
    await readAll(await send(bound, { headers: { 'X-Helix-Request-Key': 'order-7' } }));
    expect(sent.map(keyOf)).toEqual(['order-7', 'order-7']);
  });

  it('of a repeat is the one that the host has by then', async () => {
    const { fetch, sent } = scriptedFetch(json(409, {}), eventStream(reply('Hi')));
    const { host } = createScriptedHost();
    let key = 'k1';
    const changing: ScriptedHost = {
      ...createScriptedHost(),
      host: {
        begin: (call) => ({
          ...host.begin(call),
          get requestKey() {
            return key;
          },
          refused: async () => {
            key = 'k2';
            return 'repeat';
          },
        }),
      },
    };
    const { bound } = createBoundChat({ fetch, requestKeys: true }, changing);
    await readAll(await send(bound));
    expect(sent.map(keyOf)).toEqual(['k1', 'k2']);
  });

  it('of the app is checked at once', async () => {
    const { fetch, sent } = scriptedFetch();
    const { bound, calls } = createBoundChat({ fetch });
    const error = await rejection(send(bound, { headers: { 'x-helix-request-key': 'a b' } }));
    expect((error as Error).message).toMatch(/^\[helix-chat\] .+\. .+\. .+\.$/);
    expect([sent, calls]).toEqual([[], []]);
  });
});

describe('one call of the SDK', () => {
  it('puts one listener on its abort signal, however many requests it makes, and takes it away', async () => {
    const stop = new AbortController();
    const add = vi.spyOn(stop.signal, 'addEventListener');
    const remove = vi.spyOn(stop.signal, 'removeEventListener');
    const { fetch } = scriptedFetch(
      json(503, {}),
      json(503, {}),
      eventStream(begin),
      eventStream(begin),
      eventStream(reply('Hello')),
    );
    const scripted = createScriptedHost({ refused: () => 'repeat', cut: () => 'reconnect' });
    const { bound } = createBoundChat({ fetch }, scripted);
    const { chunks } = await readAll(await send(bound, { abortSignal: stop.signal }));
    expect(textOf(chunks)).toBe('Hello');
    expect(add).toHaveBeenCalledTimes(1);
    expect(remove).toHaveBeenCalledTimes(1);
  });

  it('aborts no request that has ended by itself', async () => {
    const { fetch, sent } = scriptedFetch(eventStream(reply('Hi')));
    await readAll(await send(createBoundChat({ fetch }).bound));
    expect(sent[0]?.signal?.aborted).toBe(false);
  });

  it('ends while the host has not answered when the caller stops', async () => {
    const stop = new AbortController();
    const scripted = createScriptedHost({ refused: () => new Promise(() => {}) });
    const { bound, world } = createBoundChat(
      { fetch: scriptedFetch(json(503, {})).fetch },
      scripted,
    );
    const ended = rejection(send(bound, { abortSignal: stop.signal }));
    await world.settle();
    stop.abort();
    expect(await ended).toMatchObject({ name: 'AbortError' });
  });

  it('leaves no reader and no timer when its stream is cancelled', async () => {
    const pipe = createBytePipe();
    const { fetch, sent } = scriptedFetch(eventStream(pipe));
    const { bound, world } = createBoundChat({ fetch, routes: true });
    const stream = await send(bound);
    const reader = stream.getReader();
    pipe.write(begin);
    await reader.read();
    await reader.cancel();
    await world.settle();
    expect(pipe.cancelled).toBe(true);
    expect(sent[0]?.signal?.aborted).toBe(true);
    expect(world.pending()).toBe(0);
  });

  it('reads no run but its own: the header and the part both name it', async () => {
    const body = frames({
      type: 'data-run',
      data: { runId: 'r1', attemptId: 'x' },
      transient: true,
    });
    const { fetch } = scriptedFetch(eventStream(body + reply('Hi'), { 'X-Helix-Run-Id': 'r1' }));
    const { bound, runs } = createBoundChat({ fetch });
    const { chunks } = await readAll(await send(bound));
    expect(runs).toEqual([
      { runId: 'r1', attemptId: undefined },
      { runId: 'r1', attemptId: 'x' },
    ]);
    expect(chunks.some(({ type }) => type === 'data-run')).toBe(false);
  });
});
