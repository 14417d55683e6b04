import type { UIMessage } from 'ai';
import { describeError, isHelixError } from 'helix-chat';
import { en } from 'helix-chat/locales/en';
import type { UseHelixChatOptions } from 'helix-chat/react';
import { createManualWorld, inProcessFetch, type ManualWorld } from 'helix-chat/testing';
import { describe, expect, test } from 'vitest';
import { type MountedChat, mountChat } from '../setup/mountChat.tsx';

const TEXT = 'What is a helix?';
const before: UIMessage[] = [
  { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'one' }] },
  { id: 'a1', role: 'assistant', parts: [{ type: 'text', text: 'two' }] },
];
const shown = ['user: one', 'assistant: two'];

const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html; charset=utf-8' };
const sse = { 'content-type': 'text/event-stream' };
const long = `<!doctype html><title>SECRET</title>${'<p>SECRET stack at /srv/app.ts</p>'.repeat(4_000)}`;
const oddBody = JSON.stringify({
  error: { message: 'SECRET' },
  code: ['state_session_not_found'],
  retryable: 'yes',
  detail: 7,
  retryAfterMs: 'soon',
  toolCallIds: { a: 1 },
  cause: [[[[]]]],
});
const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

type Answer = readonly [status: number, headers: Record<string, string>, body: string];

/** Answers that are no snapshot. */
const snapshots: Record<string, Answer> = {
  'a list': [200, json, '[]'],
  'a number': [200, json, '5'],
  null: [200, json, 'null'],
  'messages that are a text': [200, json, '{"messages":"none"}'],
  'messages without parts': [200, json, '{"messages":[{"id":"u1","role":"user"}]}'],
  'messages without ids': [200, json, '{"messages":[{"role":"user","parts":[]}]}'],
  'a message that is null': [200, json, '{"messages":[null]}'],
  'truncated JSON': [200, json, '{"messages":[{"id":"u1","ro'],
  nothing: [200, json, ''],
  '204': [204, {}, ''],
  'a page': [200, html, long],
  'a page that claims to be JSON': [200, json, long],
  'an event stream': [200, sse, 'data: {"type":"start"}\n\n'],
  'very deep JSON': [200, json, deep],
  'an error body of wrong types': [409, json, oddBody],
  'a long page with 500': [500, html, long],
  '409 with null': [409, json, 'null'],
  '404 with a list': [404, json, '["state_session_not_found"]'],
  'a redirect without a target': [302, {}, ''],
};

/** Answers that are no reply. */
const replies: Record<string, Answer> = {
  'a list': [200, json, '[]'],
  'truncated JSON': [200, json, '{"error":"x","co'],
  'an error body with 200': [200, json, '{"error":"SECRET","code":"provider_overloaded"}'],
  nothing: [200, {}, ''],
  'a long page': [200, html, long],
  'a page that claims to be an event stream': [200, sse, long],
  'JSON that claims to be an event stream': [
    200,
    sse,
    '{"error":"SECRET","code":"provider_error"}',
  ],
  'an event stream of texts': [200, sse, 'data: hello\n\ndata: SECRET\n\n'],
  'an event stream of lists': [200, sse, 'data: [1,2]\n\ndata: null\n\n'],
  'an event stream with nothing in it': [200, sse, ''],
  'an event stream that only says that it is over': [200, sse, 'data: [DONE]\n\n'],
  'an error chunk of wrong types': [
    200,
    sse,
    'data: {"type":"error","errorText":{"a":1},"code":5}\n\n',
  ],
  'a typed half of wrong types': [
    200,
    sse,
    'data: {"type":"data-helix-error","data":[]}\n\ndata: {"type":"error","errorText":"SECRET"}\n\n',
  ],
  'a text that grows before it begins': [
    200,
    sse,
    'data: {"type":"text-delta","id":"t","delta":"x"}\n\n',
  ],
  'an error body of wrong types': [409, json, oddBody],
  'an error body that is null': [400, json, 'null'],
  'an error body that is a text': [422, json, '"SECRET"'],
  'a long page with 500': [500, html, long],
  'a provider’s own error': [500, json, '{"error":{"message":"SECRET","type":"server_error"}}'],
  'very deep JSON': [500, json, deep],
  'truncated JSON with 409': [409, json, '{"error":"x","code":"state_already_run'],
  'a page that claims to be JSON': [502, json, long],
  'a redirect without a target': [302, {}, ''],
};

const answer = ([status, headers, body]: Answer): Response =>
  new Response(status === 204 ? null : body, { status, headers });

interface Told extends MountedChat {
  readonly world: ManualWorld;
  readonly asked: readonly string[];
}

/** A chat with two messages on a backend that answers as it is told. */
async function mountOn(
  handle: (request: Request) => Answer,
  options: UseHelixChatOptions<UIMessage>,
): Promise<Told> {
  const world = createManualWorld();
  const asked: string[] = [];
  const mounted = await mountChat(world, {
    id: 'c1',
    messages: before,
    fetch: inProcessFetch(async (request) => {
      asked.push(`${request.method} ${new URL(request.url).pathname}`);
      return answer(handle(request));
    }),
    ...options,
  });
  return Object.assign(mounted, { world, asked });
}

function expectHonest({ chat, frames }: Told): void {
  expect(isHelixError(chat.failure?.error)).toBe(true);
  if (chat.failure === undefined) return;
  const view = describeError(chat.failure, { catalog: en });
  expect(JSON.stringify(view)).not.toMatch(/SECRET|srv|doctype/);
  expect(chat.failure.actions.length).toBeGreaterThan(0);
  for (const { texts } of frames) expect(texts.length).toBeGreaterThanOrEqual(shown.length);
}

describe('a promised snapshot that is none', () => {
  test.each(Object.entries(snapshots))(
    '%s: a typed failure, and the screen stays',
    async (_, told) => {
      const mounted = await mountOn(() => told, { resync: true });
      await mounted.world.runUntil(() => mounted.chat.recovery.name === 'failed', 300_000);
      expect(mounted.chat.failure?.phase).toBe('load');
      expect(mounted.screen()).toEqual(shown);
      expectHonest(mounted);
      expect(mounted.asked.every((line) => line === 'GET /api/chat/c1/snapshot')).toBe(true);
      expect(mounted.asked.length).toBeLessThanOrEqual(4);
      await mounted.unmount();
      expect(mounted.world.pending()).toBe(0);
    },
  );
});

describe('an answer to a send that is none', () => {
  const ways: Record<string, UseHelixChatOptions<UIMessage>> = {
    'without routes': { resync: false, requestKeys: false },
    'with promised routes that are none either': { resync: true, resume: false, requestKeys: true },
  };
  describe.each(Object.entries(ways))('%s', (way, options) => {
    test.each(Object.entries(replies))(
      '%s: a typed failure, and the text is kept',
      async (name, told) => {
        const mounted = await mountOn(
          ({ method }) => (method === 'POST' ? told : [200, json, '[]']),
          options,
        );
        void mounted.chat.sendMessage({ text: TEXT });
        await mounted.world.runUntil(() => mounted.chat.recovery.name === 'failed', 300_000);
        const kept = [...mounted.screen(), ...mounted.pending()].filter((line) =>
          line.includes(TEXT),
        );
        expect(kept).toHaveLength(1);
        expect(mounted.screen().slice(0, 2)).toEqual(shown);
        expectHonest(mounted);
        const posts = mounted.asked.filter((line) => line.startsWith('POST')).length;
        if (way === 'without routes' || told[0] !== 502) expect(posts, name).toBe(1);
        await mounted.unmount();
        expect(mounted.world.pending()).toBe(0);
      },
    );
  });
});

describe('an answer to a stop that is none', () => {
  test.each(Object.entries(snapshots))(
    '%s: the reading has ended all the same',
    async (_, told) => {
      const world = createManualWorld();
      const mounted = await mountChat(world, {
        id: 'c1',
        messages: before,
        resync: { stop: '/stop' },
        resume: false,
        fetch: async (input, init) => {
          const url = String(input);
          if (url.endsWith('/stop')) return answer(told);
          if (init?.method !== 'POST') return answer([503, {}, '']);
          return new Response(
            new ReadableStream<Uint8Array>({
              start(controller) {
                const chunk = 'data: {"type":"text-start","id":"t"}\n\n';
                controller.enqueue(new TextEncoder().encode(`data: {"type":"start"}\n\n${chunk}`));
                init?.signal?.addEventListener('abort', () =>
                  controller.error(init.signal?.reason),
                );
              },
            }),
            { headers: sse },
          );
        },
      });
      void mounted.chat.sendMessage({ text: TEXT });
      await world.runUntil(() => mounted.chat.status === 'streaming');
      void mounted.chat.stop();
      await world.advance(60_000);
      expect(mounted.chat.status).toBe('ready');
      expect(mounted.chat.error).toBeUndefined();
      expect(mounted.screen().slice(0, 3)).toEqual([...shown, `user: ${TEXT}`]);
      await mounted.unmount();
      expect(world.pending()).toBe(0);
    },
  );
});
