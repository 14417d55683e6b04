import { describe, expect, it } from 'vitest';
import { HelixError } from '../../src/errors/HelixError.ts';
import type { ReplyContext } from '../../src/server/driveRun.ts';
import { type Bench, createBench, type Read, textOf, types, user } from './chatClient.ts';
import { follow, type Line, STEP, STEP_END } from './scriptedReply.ts';

/** A bench whose model follows these scripts, one a call, the last one for good. */
function withModel(...scripts: readonly (readonly Line[])[]): Bench & { calls: ReplyContext[] } {
  const calls: ReplyContext[] = [];
  const bench: Bench = createBench({
    reply: (context) => {
      calls.push(context);
      const script = scripts[Math.min(calls.length, scripts.length) - 1] ?? [];
      return follow(bench.world, script, context);
    },
  });
  return Object.assign(bench, { calls });
}

const HELLO = [STEP, 'Hello', 100, ' there', 100, ' you', STEP_END] as const;

async function bodyOf(response: Response): Promise<Record<string, unknown>> {
  return (await response.json()) as Record<string, unknown>;
}

/** Nothing of the server is left: no timer waits. */
async function expectRest(bench: Bench, ...reads: Read[]): Promise<void> {
  await bench.world.settle();
  expect(bench.world.pending()).toBe(0);
  for (const read of reads) expect(read.ended).not.toBe('open');
}

describe('a send', () => {
  it('streams the reply, whose run it is first, and keeps it', async () => {
    const bench = withModel(HELLO);
    const read = bench.read(await bench.send(user('u1', 'Hi')));
    await bench.world.advance(300);

    expect(types(read.chunks)).toEqual([
      'data-run',
      'start',
      'start-step',
      'text-start',
      'text-delta',
      'text-end',
      'finish-step',
      'finish',
    ]);
    expect(read.text()).toBe('Hello there you');
    const snapshot = await bench.snapshot();
    expect(snapshot.status).toBe('ended');
    expect(snapshot.messages.map((message) => [message.role, textOf(message)])).toEqual([
      ['user', 'Hi'],
      ['assistant', 'Hello there you'],
    ]);
    expect(snapshot.messages[1]?.id).toBe(read.chunks[1]?.messageId);
    await expectRest(bench, read);
  });

  it('names the run in a header and in the first part, and its keep-alive', async () => {
    const bench = withModel(HELLO);
    const response = await bench.send(user('u1', 'Hi'));
    const read = bench.read(response);
    await bench.world.advance(300);

    const runId = response.headers.get('X-Helix-Run-Id');
    expect(read.chunks[0]).toMatchObject({ data: { runId }, transient: true });
    expect(response.headers.get('X-Helix-Keep-Alive')).toBe('15000');
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1');
  });

  it('gives the model the transcript, not what the client claims it was', async () => {
    const bench = withModel(HELLO);
    const read = bench.read(await bench.send(user('u1', 'Hi')));
    await bench.world.advance(300);
    const forged = [user('u1', 'Forged')];
    const second = bench.read(await bench.send(user('u2', 'Again'), { before: forged }));
    await bench.world.advance(300);

    expect(bench.calls[1]?.messages.map(textOf)).toEqual(['Hi', 'Hello there you', 'Again']);
    await expectRest(bench, read, second);
  });

  it('begins an unknown session with what the client shows', async () => {
    const bench = withModel(HELLO);
    const greeting = {
      id: 'a0',
      role: 'assistant',
      parts: [{ type: 'text', text: 'Welcome' }],
    } as const;
    const read = bench.read(await bench.send(user('u1', 'Hi'), { before: [greeting] }));
    await bench.world.advance(300);

    expect((await bench.snapshot()).messages.map(textOf)).toEqual([
      'Welcome',
      'Hi',
      'Hello there you',
    ]);
    await expectRest(bench, read);
  });

  it('goes on after the browser has left', async () => {
    const bench = withModel(HELLO);
    const read = bench.read(await bench.send(user('u1', 'Hi')));
    await bench.world.advance(150);
    await read.leave();
    await bench.world.advance(300);

    expect(textOf((await bench.snapshot()).messages[1])).toBe('Hello there you');
    await expectRest(bench);
  });

  it('goes on when nobody ever reads', async () => {
    const bench = withModel(HELLO);
    await bench.send(user('u1', 'Hi'));
    await bench.world.advance(300);

    expect((await bench.snapshot()).status).toBe('ended');
    await expectRest(bench);
  });

  it('is refused while a run is live, with that run', async () => {
    const bench = withModel(HELLO);
    const first = await bench.send(user('u1', 'Hi'));
    const second = await bench.send(user('u2', 'And?'));

    expect(second.status).toBe(409);
    expect(await bodyOf(second)).toEqual({
      error: expect.any(String),
      code: 'state_already_running',
      retryable: true,
      runId: first.headers.get('X-Helix-Run-Id'),
    });
    await bench.world.advance(300);
    expect((await bench.snapshot()).messages.map(textOf)).toEqual(['Hi', 'Hello there you']);
    await expectRest(bench);
  });

  it('wins or loses against another one that comes at once; never both', async () => {
    const bench = withModel(HELLO);
    const both = await Promise.all([bench.send(user('u1', 'One')), bench.send(user('u2', 'Two'))]);

    expect(both.map((response) => response.status).sort()).toEqual([200, 409]);
    await bench.world.advance(300);
    expect((await bench.snapshot()).messages).toHaveLength(2);
    expect(bench.calls).toHaveLength(1);
    await expectRest(bench);
  });

  it.each([
    ['no JSON', '{"id":'],
    ['a list', []],
    ['no id', { messages: [user('u1', 'Hi')] }],
    ['an empty id', { id: '', messages: [user('u1', 'Hi')] }],
    ['no messages', { id: 'c1' }],
    ['an empty list of messages', { id: 'c1', messages: [] }],
    ['a message without parts', { id: 'c1', messages: [{ id: 'u1', role: 'user' }] }],
    ['a part without a type', { id: 'c1', messages: [{ id: 'u1', role: 'user', parts: [{}] }] }],
    ['an unknown role', { id: 'c1', messages: [{ id: 'u1', role: 'god', parts: [] }] }],
    ['a system message last', { id: 'c1', messages: [{ id: 's', role: 'system', parts: [] }] }],
    ['an unknown trigger', { id: 'c1', messages: [user('u1', 'Hi')], trigger: 'dance' }],
    ['a message id that is no text', { id: 'c1', messages: [user('u1', 'Hi')], messageId: 7 }],
  ])('with %s is a typed 400, and nothing is written', async (_, body) => {
    const bench = withModel(HELLO);
    const response = await bench.post(body);

    expect(response.status).toBe(400);
    expect(await bodyOf(response)).toEqual({
      error: expect.any(String),
      code: 'validation_error',
    });
    expect((await bench.get('c1/snapshot')).status).toBe(404);
    expect(bench.calls).toEqual([]);
  });

  it('of a message that is there already never writes it twice', async () => {
    const bench = withModel(HELLO);
    await bench.send(user('u1', 'Hi'));
    await bench.world.advance(300);

    const same = await bench.send(user('u1', 'Hi'));
    expect([same.status, (await bodyOf(same)).code]).toEqual([
      409,
      'state_request_already_completed',
    ]);
    const other = await bench.send(user('u1', 'Ho'));
    expect([other.status, await bodyOf(other)]).toMatchObject([
      409,
      { code: 'state_run_start_conflict', cause: 'idempotency_mismatch' },
    ]);
    expect((await bench.snapshot()).messages).toHaveLength(2);
  });
});

describe('edit and regenerate', () => {
  it('an edit cuts the history at the message and writes the new one in its place', async () => {
    const bench = withModel(HELLO);
    for (const id of ['u1', 'u2']) {
      await bench.send(user(id, id));
      await bench.world.advance(300);
    }
    await bench.send(user('u1', 'Better'), { messageId: 'u1' });
    await bench.world.advance(300);

    expect((await bench.snapshot()).messages.map(textOf)).toEqual(['Better', 'Hello there you']);
    await expectRest(bench);
  });

  it('a regenerate cuts from the reply and answers again', async () => {
    const bench = withModel(HELLO, ['Other']);
    await bench.send(user('u1', 'Hi'));
    await bench.world.advance(300);
    const before = (await bench.snapshot()).messages[1];
    await bench.post({
      id: 'c1',
      messages: [user('u1', 'Hi')],
      trigger: 'regenerate-message',
      messageId: before?.id,
    });
    await bench.world.advance(300);

    const { messages } = await bench.snapshot();
    expect(messages.map(textOf)).toEqual(['Hi', 'Other']);
    expect(messages[1]?.id).not.toBe(before?.id);
    expect(bench.calls[1]?.trigger).toBe('regenerate-message');
  });

  it('a regenerate without a target replaces the last reply', async () => {
    const bench = withModel(HELLO, ['Other']);
    await bench.send(user('u1', 'Hi'));
    await bench.world.advance(300);
    await bench.post({ id: 'c1', messages: [user('u1', 'Hi')], trigger: 'regenerate-message' });
    await bench.world.advance(300);

    expect((await bench.snapshot()).messages.map(textOf)).toEqual(['Hi', 'Other']);
  });

  it('a regenerate of a reply that only the client has answers the question before it', async () => {
    const bench = withModel([new HelixError({ code: 'provider_auth_error' })], ['Other']);
    await bench.send(user('u1', 'Hi'));
    await bench.world.advance(10);
    await bench.post({
      id: 'c1',
      messages: [user('u1', 'Hi')],
      trigger: 'regenerate-message',
      messageId: 'only-on-screen',
    });
    await bench.world.advance(10);

    expect((await bench.snapshot()).messages.map(textOf)).toEqual(['Hi', 'Other']);
  });

  it('a regenerate of what nobody knows is refused', async () => {
    const bench = withModel(HELLO);
    await bench.send(user('u1', 'Hi'));
    await bench.world.advance(300);
    const response = await bench.post({
      id: 'c1',
      messages: [user('elsewhere', 'Hi')],
      trigger: 'regenerate-message',
      messageId: 'nowhere',
    });

    expect([response.status, await bodyOf(response)]).toMatchObject([
      409,
      { code: 'state_run_start_conflict', cause: 'entry_status_changed' },
    ]);
    expect((await bench.snapshot()).messages).toHaveLength(2);
  });
});

describe('request keys', () => {
  it('are echoed on every answer, and exposed to another origin', async () => {
    const bench = withModel(HELLO);
    const ok = await bench.send(user('u1', 'Hi'), { key: 'k1' });
    const busy = await bench.send(user('u2', 'Ho'), { key: 'k2' });
    const missing = await bench.get('nowhere/snapshot', {
      'X-Helix-Request-Key': 'k3',
      origin: 'http://elsewhere.test',
    });

    expect([ok, busy, missing].map((r) => r.headers.get('X-Helix-Request-Key'))).toEqual([
      'k1',
      'k2',
      'k3',
    ]);
    expect(missing.headers.get('access-control-expose-headers')).toContain('X-Helix-Request-Key');
    expect(ok.headers.get('access-control-expose-headers')).toBeNull();
  });

  it.each(['', 'with space', 'x'.repeat(129), 'ü'.normalize('NFC')])(
    'malformed: %j is a typed 400 before anything is read, and is not echoed',
    async (key) => {
      const bench = withModel(HELLO);
      const response = await bench.send(user('u1', 'Hi'), { key });

      expect([response.status, (await bodyOf(response)).code]).toEqual([400, 'validation_error']);
      expect(response.headers.get('X-Helix-Request-Key')).toBeNull();
      expect((await bench.get('c1/snapshot')).status).toBe(404);
    },
  );

  it('a repeat while the run is live attaches to it, from its first chunk', async () => {
    const bench = withModel(HELLO);
    const first = bench.read(await bench.send(user('u1', 'Hi'), { key: 'k1' }));
    await bench.world.advance(150);
    const again = bench.read(await bench.send(user('u1', 'Hi'), { key: 'k1' }));
    await bench.world.advance(300);

    expect(again.text()).toBe('Hello there you');
    expect(again.chunks).toEqual(first.chunks);
    expect(bench.calls).toHaveLength(1);
    expect((await bench.snapshot()).messages).toHaveLength(2);
    await expectRest(bench, first, again);
  });

  it('a repeat after the end replays it', async () => {
    const bench = withModel(HELLO);
    await bench.send(user('u1', 'Hi'), { key: 'k1' });
    await bench.world.advance(300);
    const again = bench.read(await bench.send(user('u1', 'Hi'), { key: 'k1' }));
    await bench.world.settle();

    expect(again.text()).toBe('Hello there you');
    expect(again.ended).toBe('done');
    expect(bench.calls).toHaveLength(1);
  });

  it('a repeat of a run that failed replays its failure, typed', async () => {
    const bench = withModel([STEP, 'Half', new HelixError({ code: 'provider_auth_error' })]);
    await bench.send(user('u1', 'Hi'), { key: 'k1' });
    await bench.world.advance(10);
    const again = bench.read(await bench.send(user('u1', 'Hi'), { key: 'k1' }));
    await bench.world.settle();

    expect(types(again.chunks)).toEqual(['data-run', 'start', 'data-helix-error', 'error']);
    expect(again.chunks[2]).toMatchObject({ data: { code: 'provider_auth_error' } });
  });

  it('parts in another order of keys are the same input', async () => {
    const bench = withModel(HELLO);
    const message = (part: object) => ({ id: 'u1', role: 'user', parts: [part] }) as never;
    await bench.send(message({ type: 'text', text: 'Hi' }), { key: 'k1' });
    const again = await bench.send(message({ text: 'Hi', type: 'text' }), { key: 'k1' });

    expect(again.status).toBe(200);
    await bench.world.advance(300);
  });

  it.each(['live', 'over'])('other input under the same key is refused (%s)', async (when) => {
    const bench = withModel(HELLO);
    const first = await bench.send(user('u1', 'Hi'), { key: 'k1' });
    if (when === 'over') await bench.world.advance(300);
    const other = await bench.send(user('u2', 'Ho'), { key: 'k1' });

    expect(other.status).toBe(409);
    expect(await bodyOf(other)).toEqual({
      error: expect.any(String),
      code: 'state_request_key_conflict',
      runId: first.headers.get('X-Helix-Run-Id'),
    });
    await bench.world.advance(300);
    expect((await bench.snapshot()).messages).toHaveLength(2);
  });

  it('a repeat after a later run is refused, with the run that answered', async () => {
    const bench = withModel(HELLO);
    const first = await bench.send(user('u1', 'Hi'), { key: 'k1' });
    await bench.world.advance(300);
    await bench.send(user('u2', 'Ho'), { key: 'k2' });
    const again = await bench.send(user('u1', 'Hi'), { key: 'k1' });

    expect(again.status).toBe(409);
    expect(await bodyOf(again)).toEqual({
      error: expect.any(String),
      code: 'state_request_already_completed',
      runId: first.headers.get('X-Helix-Run-Id'),
    });
    await bench.world.advance(300);
  });

  it('two repeats that come at once start one run', async () => {
    const bench = withModel(HELLO);
    const all = await Promise.all([1, 2, 3].map(() => bench.send(user('u1', 'Hi'), { key: 'k1' })));

    expect(all.map((response) => response.status)).toEqual([200, 200, 200]);
    expect(new Set(all.map((r) => r.headers.get('X-Helix-Run-Id'))).size).toBe(1);
    await bench.world.advance(300);
    expect(bench.calls).toHaveLength(1);
    expect((await bench.snapshot()).messages).toHaveLength(2);
  });

  it('bind a regenerate by its target', async () => {
    const bench = withModel(HELLO, ['Other', 500]);
    await bench.send(user('u1', 'Hi'));
    await bench.world.advance(300);
    const target = (await bench.snapshot()).messages[1]?.id;
    const again = (messageId: unknown) =>
      bench.post(
        { id: 'c1', messages: [user('u1', 'Hi')], trigger: 'regenerate-message', messageId },
        { 'X-Helix-Request-Key': 'k1' },
      );
    const statuses = [await again(target), await again(target), await again('other')];

    expect(statuses.map((response) => response.status)).toEqual([200, 200, 409]);
    await bench.world.advance(1000);
    expect(bench.calls).toHaveLength(2);
  });
});

describe('the live stream', () => {
  it('is 204 when no run is live, also for a chat that nobody knows', async () => {
    const bench = withModel(HELLO);
    const unknown = await bench.get('c1/stream');
    await bench.send(user('u1', 'Hi'));
    await bench.world.advance(300);

    expect([unknown.status, (await bench.get('c1/stream')).status]).toEqual([204, 204]);
  });

  it('replays the reply from its first chunk and goes on with it', async () => {
    const bench = withModel(HELLO);
    const first = bench.read(await bench.send(user('u1', 'Hi')));
    await bench.world.advance(150);
    const later = bench.read(await bench.get('c1/stream'));
    await bench.world.settle();
    expect(later.text()).toBe('Hello there');
    await bench.world.advance(300);

    expect(later.chunks).toEqual(first.chunks);
    await expectRest(bench, first, later);
  });

  it('leaves transient parts out of a replay and passes them live', async () => {
    const ping = (at: number) => ({ type: 'data-ping', data: at, transient: true });
    const bench = withModel([STEP, ping(1), 'Hello', 100, ping(2), STEP_END]);
    await bench.send(user('u1', 'Hi'));
    await bench.world.advance(50);
    const later = bench.read(await bench.get('c1/stream'));
    await bench.world.advance(300);

    expect(later.chunks.filter((chunk) => chunk.type === 'data-ping')).toEqual([ping(2)]);
    expect((await bench.snapshot()).messages[1]?.parts.map((part) => part.type)).toEqual([
      'step-start',
      'text',
    ]);
  });

  it('writes a comment line in every silence of 15 s, and none while it speaks', async () => {
    const bench = withModel(['Hello', 14_000, ' there', 40_000, ' you']);
    const read = bench.read(await bench.send(user('u1', 'Hi')));
    await bench.world.advance(28_999);
    expect(read.comments).toHaveLength(0);
    await bench.world.advance(15_001);
    expect(read.comments).toHaveLength(2);
    await bench.world.advance(20_000);

    expect(read.text()).toBe('Hello there you');
    await expectRest(bench, read);
  });

  it('holds no more of a long log for a slow reader than one page', async () => {
    const words = Array.from({ length: 1000 }, (_, at) => `${at} `);
    const bench = withModel(words);
    const response = await bench.send(user('u1', 'Hi'));
    await bench.world.settle();
    const reader = response.body?.getReader();
    await reader?.read();
    const page = new TextDecoder().decode((await reader?.read())?.value);

    expect(page.match(/text-delta/g)?.length).toBeLessThanOrEqual(64);
    expect((await bench.snapshot()).status).toBe('ended');
    await reader?.cancel();
    await expectRest(bench);
  });

  it('ends when the request is aborted; the run goes on', async () => {
    const bench = withModel(HELLO);
    await bench.send(user('u1', 'Hi'));
    const left = new AbortController();
    const read = bench.read(
      await bench.route(
        new Request('http://helix.test/api/chat/c1/stream', { signal: left.signal }),
      ),
    );
    await bench.world.advance(50);
    left.abort();
    await bench.world.settle();

    expect(read.ended).toBe('done');
    await bench.world.advance(300);
    expect((await bench.snapshot()).status).toBe('ended');
    await expectRest(bench);
  });
});

describe('the snapshot', () => {
  it('of an unknown chat is a typed 404', async () => {
    const bench = withModel(HELLO);
    const response = await bench.get('c1/snapshot');

    expect([response.status, (await bodyOf(response)).code]).toEqual([
      404,
      'state_session_not_found',
    ]);
  });

  it('holds what is committed while a run is live: steps that are finished', async () => {
    const bench = withModel([STEP, 'One', STEP_END, 100, STEP, 'Two', 100, STEP_END]);
    await bench.send(user('u1', 'Hi'));
    await bench.world.advance(50);
    const early = await bench.snapshot();
    await bench.world.advance(100);
    const middle = await bench.snapshot();
    await bench.world.advance(300);

    expect(early.status).toBe('active');
    expect(early.messages.map(textOf)).toEqual(['Hi', 'One']);
    expect(middle.messages.map(textOf)).toEqual(['Hi', 'One']);
    expect((await bench.snapshot()).messages.map(textOf)).toEqual(['Hi', 'OneTwo']);
  });

  it('is never stored by a cache, and says 304 to who has it', async () => {
    const bench = withModel(HELLO);
    await bench.send(user('u1', 'Hi'));
    await bench.world.advance(300);
    const response = await bench.get('c1/snapshot');
    const etag = response.headers.get('etag') ?? '';

    expect(response.headers.get('cache-control')).toBe('no-store');
    expect((await bench.get('c1/snapshot', { 'if-none-match': etag })).status).toBe(304);
    await bench.send(user('u2', 'Ho'));
    expect((await bench.get('c1/snapshot', { 'if-none-match': etag })).status).toBe(200);
    await bench.world.advance(300);
  });

  it('takes an id with slashes and spaces, encoded in the path', async () => {
    const bench = withModel(HELLO);
    await bench.send(user('u1', 'Hi'), { chatId: 'a/b c' });
    await bench.world.advance(300);

    expect((await bench.snapshot(encodeURIComponent('a/b c'))).messages).toHaveLength(2);
    expect((await bench.get('%E0%A4%A/snapshot')).status).toBe(400);
  });
});

describe('stop', () => {
  it('ends the run interrupted, keeps what was said, and closes the stream with an abort', async () => {
    const bench = withModel(HELLO);
    const read = bench.read(await bench.send(user('u1', 'Hi')));
    await bench.world.advance(150);
    const answer = await bench.act('c1/stop', { mode: 'interrupt' });
    await bench.world.settle();

    expect(answer.status).toBe(202);
    expect(await bodyOf(answer)).toEqual({
      runId: read.response.headers.get('X-Helix-Run-Id'),
      status: 'stopping',
    });
    expect(read.chunks.at(-1)).toEqual({ type: 'abort' });
    expect(read.ended).toBe('done');
    const snapshot = await bench.snapshot();
    expect([snapshot.status, snapshot.messages.map(textOf)]).toEqual([
      'ended',
      ['Hi', 'Hello there'],
    ]);
    expect(bench.calls[0]?.signal.aborted).toBe(true);
    await expectRest(bench, read);
  });

  it('with abort fails the run as cancelled and throws the attempt away', async () => {
    const bench = withModel(HELLO);
    const read = bench.read(await bench.send(user('u1', 'Hi')));
    await bench.world.advance(150);
    await bench.act('c1/stop', { mode: 'abort' });
    await bench.world.settle();

    const snapshot = await bench.snapshot();
    expect(snapshot).toMatchObject({ status: 'failed', error: { code: 'framework_cancelled' } });
    expect(snapshot.messages.map(textOf)).toEqual(['Hi']);
    expect(types(read.chunks).slice(-2)).toEqual(['data-helix-error', 'error']);
    await expectRest(bench, read);
  });

  it('ends a run whose model never answers', async () => {
    const bench = createBench({ reply: () => new Promise(() => {}) });
    const read = bench.read(await bench.send(user('u1', 'Hi')));
    await bench.world.advance(1000);
    await bench.act('c1/stop');
    await bench.world.settle();

    expect(read.chunks.at(-1)).toEqual({ type: 'abort' });
    expect((await bench.snapshot()).messages.map(textOf)).toEqual(['Hi']);
    await expectRest(bench, read);
  });

  it('during the wait for a retry makes no further call', async () => {
    const failure = new HelixError({ code: 'provider_overloaded' });
    const bench = withModel(['Hel', failure], ['Hello']);
    const read = bench.read(await bench.send(user('u1', 'Hi')));
    await bench.world.advance(500);
    await bench.act('c1/stop');
    await bench.world.advance(5000);

    expect(bench.calls).toHaveLength(1);
    expect((await bench.snapshot()).messages.map(textOf)).toEqual(['Hi']);
    await expectRest(bench, read);
  });

  it.each([
    ['ended', HELLO],
    ['failed', [new HelixError({ code: 'provider_auth_error' })]],
  ])('of a run that has %s is a typed 409 with the status', async (status, script) => {
    const bench = withModel(script);
    await bench.send(user('u1', 'Hi'));
    await bench.world.advance(300);
    const answer = await bench.act('c1/stop');

    expect([answer.status, await bodyOf(answer)]).toMatchObject([
      409,
      { code: 'state_not_stoppable', currentStatus: status },
    ]);
  });

  it('of an unknown chat is a typed 404, an unknown mode a typed 400', async () => {
    const bench = withModel(HELLO);
    expect((await bench.act('c1/stop')).status).toBe(404);
    await bench.send(user('u1', 'Hi'));
    expect((await bench.act('c1/stop', { mode: 'gently' })).status).toBe(400);
    await bench.world.advance(300);
  });
});

describe('a model call that fails', () => {
  const overloaded = new HelixError({
    code: 'provider_overloaded',
    message: 'upstream pod 7 is full',
  });

  it('retryably is called again after 1 s; the failed attempt leaves no trace', async () => {
    const bench = withModel([STEP, 'Bad', overloaded], [STEP, 'Good', STEP_END]);
    const read = bench.read(await bench.send(user('u1', 'Hi')));
    await bench.world.advance(999);
    expect(bench.calls).toHaveLength(1);
    await bench.world.advance(1);

    expect(bench.calls.map((call) => call.attempt)).toEqual([1, 2]);
    expect(types(read.chunks)).toEqual([
      'data-run',
      'start',
      'start-step',
      'text-start',
      'text-delta',
      'data-attempt-superseded',
      'start-step',
      'text-start',
      'text-delta',
      'text-end',
      'finish-step',
      'finish',
    ]);
    expect(read.chunks.find((chunk) => chunk.type === 'data-attempt-superseded')).toMatchObject({
      data: {
        step: 1,
        runId: bench.calls[0]?.runId,
        supersededAttemptId: bench.calls[0]?.attemptId,
        attemptId: bench.calls[1]?.attemptId,
      },
      transient: true,
    });
    expect((await bench.snapshot()).messages.map(textOf)).toEqual(['Hi', 'Good']);
    await expectRest(bench, read);
  });

  it('is left out of a replay that begins after the switch', async () => {
    const bench = withModel([STEP, 'Bad', overloaded], [STEP, 'Good', 500, ' reply', STEP_END]);
    await bench.send(user('u1', 'Hi'));
    await bench.world.advance(1100);
    const later = bench.read(await bench.get('c1/stream'));
    await bench.world.advance(1000);

    expect(later.text()).toBe('Good reply');
    expect(types(later.chunks)).not.toContain('data-attempt-superseded');
    await expectRest(bench, later);
  });

  it('is told to a reader who replays it while it fails', async () => {
    const bench = withModel([STEP, 'Bad', 100, ' start', overloaded], [STEP, 'Good', STEP_END]);
    await bench.send(user('u1', 'Hi'));
    await bench.world.advance(50);
    const later = bench.read(await bench.get('c1/stream'));
    await bench.world.advance(2000);

    expect(later.text()).toBe('Bad startGood');
    expect(types(later.chunks)).toContain('data-attempt-superseded');
  });

  it('keeps the steps that were committed and goes on behind them', async () => {
    const bench = withModel(
      [STEP, 'One', STEP_END, STEP, 'Bad', overloaded],
      [STEP, 'Two', STEP_END],
    );
    await bench.send(user('u1', 'Hi'));
    await bench.world.advance(50);
    expect((await bench.snapshot()).messages.map(textOf)).toEqual(['Hi', 'One']);
    await bench.world.advance(2000);

    expect(bench.calls[1]?.messages.map(textOf)).toEqual(['Hi', 'One']);
    expect((await bench.snapshot()).messages.map(textOf)).toEqual(['Hi', 'OneTwo']);
  });

  it('for good ends with one error event and the last failure, after 1, 2 and 4 s', async () => {
    const bench = withModel([STEP, 'Bad', overloaded]);
    const read = bench.read(await bench.send(user('u1', 'Hi')));
    await bench.world.advance(6999);
    expect(bench.calls).toHaveLength(3);
    await bench.world.advance(1);

    expect(bench.calls).toHaveLength(4);
    expect(read.chunks.filter((chunk) => chunk.type === 'error')).toHaveLength(1);
    expect(read.chunks.filter((chunk) => chunk.type === 'data-attempt-superseded')).toHaveLength(3);
    expect(await bench.snapshot()).toMatchObject({
      status: 'failed',
      messages: [{ id: 'u1' }],
      error: { code: 'provider_overloaded', retryable: true },
    });
    await expectRest(bench, read);
  });

  it.each([
    ['a thrown error', overloaded],
    ['an error event', { type: 'error', errorText: 'full', code: 'provider_overloaded' }],
    [
      'a typed data part',
      { type: 'data-helix-error', data: { errorText: 'full', code: 'provider_overloaded' } },
    ],
    [
      'a Helix error chunk',
      { type: 'error', error: 'full', code: 'provider_error', recoverable: true },
    ],
    ['a wrapped typed error', new Error('step failed', { cause: overloaded })],
  ])('by %s is retried', async (_, line) => {
    const bench = withModel(['Bad', line], ['Good']);
    await bench.send(user('u1', 'Hi'));
    await bench.world.advance(1100);

    expect((await bench.snapshot()).messages.map(textOf)).toEqual(['Hi', 'Good']);
  });

  it.each([
    ['a plain error', new Error('secret stack'), undefined],
    ['a network error of the model call', new TypeError('fetch failed'), undefined],
    ['an untyped error event', { type: 'error', errorText: 'An error occurred.' }, undefined],
    ['a final one', new HelixError({ code: 'provider_auth_error' }), 'provider_auth_error'],
    ['an unknown code', { type: 'error', errorText: 'x', code: 'provider_new' }, 'provider_new'],
  ])('by %s is not retried', async (_, line, code) => {
    const bench = withModel([STEP, 'Bad', line], ['Good']);
    const read = bench.read(await bench.send(user('u1', 'Hi')));
    await bench.world.advance(10_000);

    expect(bench.calls).toHaveLength(1);
    const snapshot = await bench.snapshot();
    expect([snapshot.status, snapshot.error?.code]).toEqual(['failed', code]);
    expect(snapshot.messages.map(textOf)).toEqual(['Hi']);
    expect(types(read.chunks).slice(-2)).toEqual(['data-helix-error', 'error']);
    expect(JSON.stringify(read.chunks)).not.toContain('secret stack');
    await expectRest(bench, read);
  });

  it('tells the developer what happened, and the client only with exposeDetail', async () => {
    const bench: Bench = createBench({
      exposeDetail: true,
      reply: () =>
        follow(bench.world, [
          new HelixError({
            code: 'provider_auth_error',
            message: 'key sk-abcdef1234567890abcd refused',
          }),
        ]),
    });
    const read = bench.read(await bench.send(user('u1', 'Hi')));
    await bench.world.advance(10);

    expect(bench.errors).toHaveLength(1);
    const data = read.chunks.find((chunk) => chunk.type === 'data-helix-error')?.data;
    expect(data).toMatchObject({ detail: expect.stringContaining('refused') });
    expect(JSON.stringify(data)).not.toContain('sk-abcdef1234567890abcd');
  });

  it('by giving something that is no stream fails the run', async () => {
    const bench = createBench({ reply: () => 'hello' as never });
    await bench.send(user('u1', 'Hi'));
    await bench.world.advance(10);

    expect((await bench.snapshot()).status).toBe('failed');
    expect(bench.errors).toHaveLength(1);
    await expectRest(bench);
  });
});

describe('a reply that its host ends by itself', () => {
  it.each([
    ['with a reason', { type: 'abort', reason: 'The host has had enough.' }],
    ['without one', { type: 'abort' }],
  ])('%s is a stopped one', async (_, abort) => {
    const bench = withModel([STEP, 'Hel', abort]);
    const read = bench.read(await bench.send(user('u1', 'Hi')));
    await bench.world.advance(300);
    expect(read.chunks.at(-1)).toEqual(abort);
    expect(await bench.snapshot()).toMatchObject({ status: 'ended' });
    await expectRest(bench, read);
  });

  it.each([
    'The operation was aborted due to timeout',
    'TimeoutError: The operation was aborted due to timeout',
    'Step timeout of 120ms exceeded',
    'TimeoutError: Chunk timeout of 120ms exceeded',
  ])('because of its limit (%s) is called again, and fails as late', async (reason) => {
    const bench = withModel([STEP, 'Hel', { type: 'abort', reason }]);
    const read = bench.read(await bench.send(user('u1', 'Hi')));
    await bench.world.advance(60_000);
    expect(bench.calls).toHaveLength(4);
    expect(await bench.snapshot()).toMatchObject({
      status: 'failed',
      error: { code: 'provider_timeout' },
    });
    expect(JSON.stringify(read.chunks)).not.toContain('120ms');
    await expectRest(bench, read);
  });
});

describe('a malformed chunk', () => {
  it.each([
    ['a delta without its start', { type: 'text-delta', id: 'x', delta: 'lost' }],
    ['no object', 'text' as never],
    ['no type', { delta: 'lost' } as never],
    ['something that is no JSON', { type: 'data-x', data: 1n }],
    ['an output without its call', { type: 'tool-output-available', toolCallId: 'x', output: 1 }],
  ])('(%s) is left out and reported; the reply goes on', async (_, chunk) => {
    const bench: Bench = createBench({
      reply: async function* () {
        yield { type: 'text-start', id: 't' };
        yield { type: 'text-delta', id: 't', delta: 'Hello' };
        yield chunk;
        yield { type: 'text-end', id: 't' };
        yield { type: 'finish' };
      } as never,
    });
    const read = bench.read(await bench.send(user('u1', 'Hi')));
    await bench.world.advance(10);

    expect(types(read.chunks)).toEqual([
      'data-run',
      'start',
      'text-start',
      'text-delta',
      'text-end',
      'finish',
    ]);
    expect(bench.errors).toHaveLength(1);
    expect((await bench.snapshot()).messages.map(textOf)).toEqual(['Hi', 'Hello']);
  });
});

describe('a run that lost its process', () => {
  /** A session whose live run nobody drives. */
  async function stranded(): Promise<Bench> {
    const bench = withModel(HELLO);
    await bench.store.startRun('c1', {
      revision: undefined,
      messages: [user('u1', 'Hi')],
      run: {
        id: 'run_lost',
        replyId: 'a1',
        attemptId: 'att_1',
      },
      leaseMs: 10_000,
      entries: [{ kind: 'content', json: '{"type":"start","messageId":"a1"}' }],
      key: { value: 'k1', fingerprint: 'unknown' },
    });
    await bench.store.write('c1', 'run_lost', {
      entries: [
        { kind: 'content', json: '{"type":"text-start","id":"t"}' },
        { kind: 'content', json: '{"type":"text-delta","id":"t","delta":"Half"}' },
      ],
    });
    return bench;
  }

  it('is live until its lease has passed', async () => {
    const bench = await stranded();
    await bench.world.advance(9999);
    expect((await bench.snapshot()).status).toBe('active');
  });

  it('is marked failed by the snapshot that reads it next', async () => {
    const bench = await stranded();
    await bench.world.advance(10_000);

    expect(await bench.snapshot()).toMatchObject({
      status: 'failed',
      error: { code: 'transport_stream_drop', cause: 'run_not_live' },
    });
  });

  it('answers the reconnect that finds it with 503, later ones with 204', async () => {
    const bench = await stranded();
    await bench.world.advance(10_000);
    const first = await bench.get('c1/stream');

    expect([first.status, await bodyOf(first)]).toMatchObject([
      503,
      { code: 'transport_stream_drop', cause: 'run_not_live' },
    ]);
    expect((await bench.get('c1/stream')).status).toBe(204);
  });

  it('is marked by a send, which then goes out', async () => {
    const bench = await stranded();
    await bench.world.advance(10_000);
    const response = await bench.send(user('u2', 'Again'));
    await bench.world.advance(300);

    expect(response.status).toBe(200);
    expect((await bench.snapshot()).messages.map(textOf)).toEqual([
      'Hi',
      'Again',
      'Hello there you',
    ]);
  });

  it('ends a reader who is attached to it, as soon as its lease has passed', async () => {
    const bench = await stranded();
    const read = bench.read(await bench.get('c1/stream'));
    await bench.world.advance(9_999);
    expect(read.ended).toBe('open');
    await bench.world.advance(1);

    expect(read.text()).toBe('Half');
    expect(types(read.chunks).slice(-2)).toEqual(['data-helix-error', 'error']);
    await expectRest(bench, read);
  });

  it('is not marked when its process renews the lease at the last moment', async () => {
    const bench = await stranded();
    await bench.world.advance(10_000);
    const { read } = bench.store;
    let reads = 0;
    bench.store.read = async (...args) => {
      const record = await read(...args);
      reads += 1;
      if (reads === 1) {
        await bench.store.write('c1', 'run_lost', { leaseMs: 10_000 });
      }
      return record;
    };
    expect((await bench.snapshot()).status).toBe('active');
  });

  it('does not come to a run that is slow but alive', async () => {
    const bench = withModel(['Hello', 120_000, ' there']);
    await bench.send(user('u1', 'Hi'));
    for (let minute = 0; minute < 12; minute++) {
      await bench.world.advance(9_999);
      expect((await bench.snapshot()).status).toBe('active');
    }
    await bench.world.advance(10_000);
    expect((await bench.snapshot()).status).toBe('ended');
  });

  it('writes nothing more once another has taken the session', async () => {
    const bench = withModel(['Hello', 30_000, ' there'], ['Second']);
    const read = bench.read(await bench.send(user('u1', 'Hi')));
    await bench.world.advance(100);
    const runId = bench.calls[0]?.runId ?? '';
    await bench.store.write('c1', runId, { end: { status: 'failed' } });
    await bench.send(user('u2', 'Next'));
    await bench.world.advance(40_000);

    expect((await bench.snapshot()).messages.map(textOf)).toEqual(['Hi', 'Next', 'Second']);
    expect(bench.calls[0]?.signal.aborted).toBe(true);
    await expectRest(bench, read);
  });
});

describe('retry', () => {
  const final = new HelixError({ code: 'framework_max_steps_exhausted' });

  it('goes on with the failed run from what it had committed, and adds no message', async () => {
    const bench = withModel([STEP, 'One', STEP_END, STEP, 'Bad', final], [STEP, 'Two', STEP_END]);
    await bench.send(user('u1', 'Hi'));
    await bench.world.advance(10);
    const before = (await bench.snapshot()).messages;
    const read = bench.read(await bench.act('c1/retry'));
    await bench.world.advance(10);

    expect(before.map(textOf)).toEqual(['Hi', 'One']);
    expect(read.text()).toBe('Two');
    expect(read.chunks[1]).toEqual({ type: 'start', messageId: before[1]?.id });
    expect((await bench.snapshot()).messages.map(textOf)).toEqual(['Hi', 'OneTwo']);
    expect(bench.calls[1]).toMatchObject({ trigger: 'retry', messageId: before[1]?.id });
  });

  it('of a run with nothing committed answers the question again', async () => {
    const bench = withModel(['Bad', final], ['Good']);
    await bench.send(user('u1', 'Hi'));
    await bench.world.advance(10);
    await bench.act('c1/retry');
    await bench.world.advance(10);

    expect((await bench.snapshot()).messages.map(textOf)).toEqual(['Hi', 'Good']);
  });

  it('replays the whole message to who attaches', async () => {
    const bench = withModel(
      [STEP, 'One', STEP_END, STEP, final],
      [STEP, 'Two', 100, ' more', STEP_END],
    );
    await bench.send(user('u1', 'Hi'));
    await bench.world.advance(10);
    await bench.act('c1/retry');
    await bench.world.advance(10);
    const later = bench.read(await bench.get('c1/stream'));
    await bench.world.advance(200);

    expect(later.text()).toBe('OneTwo more');
  });

  it('goes on with a reply that reached its longest size', async () => {
    const full = { type: 'finish', finishReason: 'length' } as const;
    const bench = withModel([STEP, 'One', STEP_END, full], [STEP, 'Two', STEP_END]);
    await bench.send(user('u1', 'Hi'));
    await bench.world.advance(10);
    const before = (await bench.snapshot()).messages;
    const went = await bench.act('c1/retry');
    await bench.world.advance(10);
    const again = await bench.act('c1/retry');

    expect([went.status, again.status]).toEqual([200, 409]);
    expect(bench.calls[1]).toMatchObject({ trigger: 'retry', messageId: before[1]?.id });
    expect((await bench.snapshot()).messages.map(textOf)).toEqual(['Hi', 'OneTwo']);
  });

  it('is refused where nothing has failed', async () => {
    const bench = withModel(HELLO);
    expect((await bench.act('c1/retry')).status).toBe(404);
    await bench.send(user('u1', 'Hi'));
    const live = await bench.act('c1/retry');
    await bench.world.advance(300);
    const over = await bench.act('c1/retry');

    expect((await bodyOf(live)).code).toBe('state_already_running');
    expect(await bodyOf(over)).toMatchObject({
      code: 'state_not_resumable',
      currentStatus: 'ended',
    });
  });

  it('keeps its key: a repeat attaches', async () => {
    const bench = withModel(['Bad', final], ['Good', 100]);
    await bench.send(user('u1', 'Hi'));
    await bench.world.advance(10);
    const key = { 'X-Helix-Request-Key': 'k9' };
    const first = await bench.act('c1/retry', undefined, key);
    const again = await bench.act('c1/retry', undefined, key);

    expect([first.status, again.status]).toEqual([200, 200]);
    await bench.world.advance(200);
    expect(bench.calls).toHaveLength(2);
  });
});

describe('answers of a person to tool calls', () => {
  const call = (id: string) => ({
    type: 'tool-input-available',
    toolCallId: id,
    toolName: 'place',
    input: { q: id },
  });
  const asks = [STEP, 'Wait', call('t1'), call('t2'), STEP_END];

  const answered = (id: string, outputs: Record<string, unknown>) => ({
    id,
    role: 'assistant',
    parts: Object.entries(outputs).map(([toolCallId, output]) => ({
      type: 'tool-place',
      toolCallId,
      state: 'output-available',
      input: {},
      output,
    })),
  });

  async function paused() {
    const bench = withModel(asks, [STEP, ' Thanks', 100, ' a lot', STEP_END]);
    await bench.send(user('u1', 'Hi'));
    await bench.world.advance(10);
    const snapshot = await bench.snapshot();
    const id = snapshot.messages[1]?.id ?? '';
    const submit = (message: object, messages: object[] = []) =>
      bench.post({
        id: 'c1',
        messages: [user('u1', 'Hi'), ...messages, message],
        trigger: 'submit-message',
        messageId: id,
      });
    return { bench, snapshot, id, submit };
  }

  it('the run ends paused and waits for them', async () => {
    const { snapshot } = await paused();
    expect(snapshot.status).toBe('paused');
  });

  it('are taken, and the same message goes on', async () => {
    const { bench, id, submit } = await paused();
    const read = bench.read(await submit(answered(id, { t1: 'here', t2: 'there' })));
    await bench.world.advance(200);

    expect(read.chunks[1]).toEqual({ type: 'start', messageId: id });
    expect(read.text()).toBe(' Thanks a lot');
    const { messages, status } = await bench.snapshot();
    expect(status).toBe('ended');
    expect(messages).toHaveLength(2);
    expect(textOf(messages[1])).toBe('Wait Thanks a lot');
    expect(messages[1]?.parts.filter((part) => part.type === 'tool-place')).toMatchObject([
      { toolCallId: 't1', state: 'output-available', output: 'here', input: { q: 't1' } },
      { toolCallId: 't2', state: 'output-available', output: 'there', input: { q: 't2' } },
    ]);
    await expectRest(bench, read);
  });

  it('a reader who attaches meanwhile gets the whole message, answers included', async () => {
    const { bench, id, submit } = await paused();
    await submit(answered(id, { t1: 'here', t2: 'there' }));
    await bench.world.advance(10);
    const later = bench.read(await bench.get('c1/stream'));
    await bench.world.advance(200);

    expect(later.text()).toBe('Wait Thanks a lot');
    expect(later.chunks.filter((chunk) => chunk.type === 'tool-output-available')).toHaveLength(2);
  });

  it('for a message that nobody knows are refused', async () => {
    const { submit } = await paused();
    const response = await submit(answered('elsewhere', { t1: 'here' }));

    expect([response.status, await bodyOf(response)]).toMatchObject([
      409,
      { code: 'state_not_resumable', cause: 'resume_message_unknown' },
    ]);
  });

  it('for some calls only are kept, and the rest is asked for', async () => {
    const { bench, id, submit } = await paused();
    const part = await submit(answered(id, { t1: 'here' }));
    expect([part.status, await bodyOf(part)]).toMatchObject([
      409,
      { code: 'state_not_resumable', toolCallIds: ['t2'] },
    ]);
    expect((await bench.snapshot()).status).toBe('paused');
    const rest = await submit(answered(id, { t1: 'here', t2: 'there' }));
    expect(rest.status).toBe(200);
    await bench.world.advance(200);
  });

  it('given twice start one run', async () => {
    const { bench, id, submit } = await paused();
    const answers = answered(id, { t1: 'here', t2: 'there' });
    const [first, second] = [await submit(answers), await submit(answers)];
    await bench.world.advance(200);
    const third = await submit(answers);

    expect([first.status, second.status, third.status]).toEqual([200, 409, 409]);
    expect((await bodyOf(second)).code).toBe('state_already_running');
    expect((await bodyOf(third)).code).toBe('state_not_resumable');
    expect(bench.calls).toHaveLength(2);
  });

  it('that come after the conversation went on are superseded, and the calls are closed', async () => {
    const { bench, id, submit } = await paused();
    await bench.send(user('u2', 'Never mind'));
    const late = await submit(answered(id, { t1: 'here', t2: 'there' }));
    await bench.world.advance(300);

    expect([late.status, (await bodyOf(late)).code]).toEqual([409, 'state_run_superseded']);
    const calls = (await bench.snapshot()).messages[1]?.parts.filter(
      (part) => part.type === 'tool-place',
    );
    expect(calls?.map((part) => part.state)).toEqual(['output-error', 'output-error']);
  });

  it('that do not apply are named in the stream', async () => {
    const { bench, id, submit } = await paused();
    const read = bench.read(await submit(answered(id, { t1: 'here', t2: 'there', t9: 'what' })));
    await bench.world.advance(200);

    expect(read.chunks.find((chunk) => chunk.type === 'data-resume-rejected')).toMatchObject({
      data: { rejections: [{ toolCallId: 't9', reason: 'unknown_call' }] },
    });
  });

  it('of an unknown chat are a typed 404', async () => {
    const bench = withModel(HELLO);
    const response = await bench.post({ id: 'c1', messages: [answered('a1', { t1: 1 })] });
    expect(response.status).toBe(404);
  });
});

describe('an empty reply', () => {
  it('leaves no message behind', async () => {
    const bench = withModel([]);
    const read = bench.read(await bench.send(user('u1', 'Hi')));
    await bench.world.advance(10);

    expect(types(read.chunks)).toEqual(['data-run', 'start', 'finish']);
    expect(await bench.snapshot()).toMatchObject({ status: 'ended', messages: [{ id: 'u1' }] });
  });

  it('that was stopped before its first word leaves no message behind either', async () => {
    const bench = withModel([STEP, { type: 'text-start', id: 't1' }, 1000, 'Hello']);
    const read = bench.read(await bench.send(user('u1', 'Hi')));
    await bench.world.advance(500);
    await bench.act('c1/stop');
    await bench.world.settle();

    expect(types(read.chunks).slice(-2)).toEqual(['text-start', 'abort']);
    expect((await bench.snapshot()).messages.map(textOf)).toEqual(['Hi']);
    await expectRest(bench, read);
  });
});

describe('the host', () => {
  it('may refuse with its own answer, before anything is read', async () => {
    const bench = createBench({
      reply: () => follow(bench.world, HELLO),
      authorize: () => new Response('Sign in', { status: 401 }),
    });
    const response = await bench.send(user('u1', 'Hi'), { key: 'k1' });

    expect([response.status, await response.text()]).toEqual([401, 'Sign in']);
    expect(response.headers.get('X-Helix-Request-Key')).toBe('k1');
    expect(await bench.store.read('c1')).toBeUndefined();
  });

  it('may refuse with a typed error', async () => {
    const bench = createBench({
      reply: () => follow(bench.world, HELLO),
      authorize: () => {
        throw new HelixError({ code: 'framework_hook_failed' });
      },
    });
    const response = await bench.send(user('u1', 'Hi'));
    expect([response.status, (await bodyOf(response)).code]).toEqual([
      503,
      'framework_hook_failed',
    ]);
  });

  it('hears of an unknown failure; the client does not', async () => {
    const bench = createBench({
      reply: () => follow(bench.world, HELLO),
      authorize: () => {
        throw new Error('db password is hunter2');
      },
    });
    const response = await bench.send(user('u1', 'Hi'));
    const text = await response.text();

    expect(response.status).toBe(500);
    expect(text).toContain('framework_internal_error');
    expect(text).not.toContain('hunter2');
    expect(bench.errors).toHaveLength(1);
  });

  it('gets a support id on every answer, its own where it sent one', async () => {
    const bench = withModel(HELLO);
    const made = await bench.get('c1/snapshot');
    const given = await bench.get('c1/snapshot', { 'x-request-id': 'abc-1' });

    expect(made.headers.get('x-request-id')).toMatch(/^req_/);
    expect(given.headers.get('x-request-id')).toBe('abc-1');
  });

  it.each([
    ['an unknown path', 'GET', '/api/chat/c1/dance', 404],
    ['a path outside', 'GET', '/other', 404],
    ['a deeper path', 'GET', '/api/chat/c1/stream/more', 404],
    ['another method', 'DELETE', '/api/chat', 405],
    ['a GET of stop', 'GET', '/api/chat/c1/stop', 405],
  ])('sees no Helix body for %s', async (_, method, path, status) => {
    const bench = withModel(HELLO);
    const response = await bench.route(new Request(`http://helix.test${path}`, { method }));

    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).not.toContain('json');
  });

  it.each([
    ['no reply', {}],
    ['a negative lease', { reply: () => [], leaseMs: -1 }],
    ['a keep-alive that is no number', { reply: () => [], keepAliveMs: Number.NaN }],
    ['a negative retry limit', { reply: () => [], stepRetry: { limit: -1, delayMs: 1 } }],
    ['a base path without a slash', { reply: () => [], basePath: 'api' }],
  ])('is told at once of %s', async (_, options) => {
    const { createChatRoute } = await import('../../src/server/chatRoute.ts');
    expect(() => createChatRoute(options as never)).toThrow(/^\[helix-chat\] createChatRoute: /);
  });
});
