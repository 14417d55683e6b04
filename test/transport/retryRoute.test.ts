import { DefaultChatTransport } from 'ai';
import { describe, expect, it } from 'vitest';
import { createManualWorld } from '../../src/testing/manualWorld.ts';
import { wrapTransport } from '../../src/transport/wrapTransport.ts';
import { createBoundChat, readAll, rejection, send, textOf } from './boundChat.ts';
import { eventStream, frames, scriptedFetch } from './byteStream.ts';
import { createScriptedHost } from './scriptedHost.ts';

const rest = () =>
  eventStream(
    frames(
      { type: 'start', messageId: 'a1' },
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'the end' },
      { type: 'text-end', id: 't' },
      { type: 'finish' },
    ),
  );
const routes = { retry: (id: string) => `/api/chat/${id}/retry` };
const goesOn = () => createScriptedHost({ requestKey: 'key-1', continues: true });

describe('a call that goes on with a failed run', () => {
  it('posts to the retry route with the key, the headers and the credentials of sends, and without a message', async () => {
    const { fetch, sent } = scriptedFetch(rest());
    const { bound } = createBoundChat(
      {
        fetch,
        routes,
        requestKeys: true,
        credentials: 'include',
        headers: { authorization: 'Bearer t' },
      },
      goesOn(),
    );
    expect(textOf((await readAll(await send(bound))).chunks)).toBe('the end');
    expect(sent[0]?.url).toBe('/api/chat/c1/retry');
    expect(sent[0]).toMatchObject({ method: 'POST', credentials: 'include', body: undefined });
    expect(sent[0]?.headers.get('authorization')).toBe('Bearer t');
    expect(sent[0]?.headers.get('x-helix-request-key')).toBe('key-1');
  });

  it.each([
    [
      'a typed refusal',
      () => Response.json({ error: 'x', code: 'state_not_resumable' }, { status: 409 }),
      'state_not_resumable',
    ],
    ['an answer that is no event stream', () => Response.json({ ok: true }), 'transport_error'],
    ['an empty success', () => new Response(null, { status: 204 }), 'transport_error'],
  ])('%s is asked about, and ends it typed', async (_name, answer, code) => {
    const { fetch } = scriptedFetch(answer());
    const { bound, refusals } = createBoundChat({ fetch, routes }, goesOn());
    expect(await rejection(send(bound))).toMatchObject({ code });
    expect(refusals).toHaveLength(1);
    expect(refusals[0]).toMatchObject({ stage: 'request' });
  });

  it('without a named route is a developer error', async () => {
    const { fetch, sent } = scriptedFetch();
    const { bound } = createBoundChat({ fetch }, goesOn());
    expect(String(await rejection(send(bound)))).toMatch(/\[helix-chat\] .*no retry route/);
    expect(sent).toEqual([]);
  });

  it('works beside a transport of the SDK', async () => {
    const { fetch, sent } = scriptedFetch(rest());
    const stock = new DefaultChatTransport({ api: '/api/chat', fetch, headers: { 'x-own': '1' } });
    const bound = wrapTransport(stock, { routes, requestKeys: true }).bind({
      chatId: 'c1',
      host: goesOn().host,
      settings: { world: createManualWorld(), onDeveloperNote: () => {} },
    });
    expect(textOf((await readAll(await send(bound))).chunks)).toBe('the end');
    expect(sent[0]?.url).toBe('/api/chat/c1/retry');
    expect(sent[0]?.headers.get('x-own')).toBe('1');
    expect(sent[0]?.headers.get('x-helix-request-key')).toBe('key-1');
  });
});
