import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createFaultServer } from '../../src/testing/faultServer.ts';
import { createManualWorld } from '../../src/testing/manualWorld.ts';
import { toNodeHandler } from '../../src/testing/nodeHandler.ts';
import { wordReplyText } from '../../src/testing/wordReply.ts';
import { readEvents, textOf, user } from '../server/chatClient.ts';

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

async function serve(handle: (request: Request) => Promise<Response>): Promise<string> {
  const server = createServer(toNodeHandler(handle));
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A promise and what settles it. */
function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

describe('over real HTTP', () => {
  it('a request arrives whole: method, path, headers and body', async () => {
    const url = await serve(async (request) =>
      Response.json({
        method: request.method,
        path: new URL(request.url).pathname,
        header: request.headers.get('x-some'),
        body: await request.text(),
      }),
    );
    const response = await fetch(`${url}/a/b?c=d`, {
      method: 'POST',
      headers: { 'x-some': 'thing' },
      body: 'ü'.repeat(100_000),
    });
    expect(await response.json()).toEqual({
      method: 'POST',
      path: '/a/b',
      header: 'thing',
      body: 'ü'.repeat(100_000),
    });
  });

  it('an answer arrives whole: status, headers, several cookies', async () => {
    const url = await serve(async () => {
      const headers = new Headers([
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
        ['x-some', 'thing'],
      ]);
      return new Response(null, { status: 204, headers });
    });
    const response = await fetch(url);
    expect([response.status, response.headers.get('x-some')]).toEqual([204, 'thing']);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  });

  it('headers go out before the first byte of the body', async () => {
    const gate = deferred<void>();
    const url = await serve(
      async () =>
        new Response(
          new ReadableStream({
            async pull(controller) {
              await gate.promise;
              controller.close();
            },
          }),
        ),
    );
    const response = await fetch(url);
    expect(response.status).toBe(200);
    gate.resolve();
    expect(await response.text()).toBe('');
  });

  it('a body that breaks closes the socket after what was said before', async () => {
    let sent = 0;
    const url = await serve(
      async () =>
        new Response(
          new ReadableStream(
            {
              pull(controller) {
                sent += 1;
                if (sent > 1) controller.error(new TypeError('terminated'));
                else controller.enqueue(new TextEncoder().encode('before'));
              },
            },
            { highWaterMark: 0 },
          ),
        ),
    );
    const response = await fetch(url);
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('before');
    await expect(reader?.read()).rejects.toThrow('terminated');
  });

  it('an error response closes the socket before a byte', async () => {
    const url = await serve(async () => Response.error());
    await expect(fetch(url)).rejects.toThrow(TypeError);
  });

  it('a handler that throws closes the socket; the server lives', async () => {
    let calls = 0;
    const url = await serve(async () => {
      calls += 1;
      if (calls === 1) throw new Error('broken');
      return new Response('fine');
    });
    await expect(fetch(url, { method: 'POST' })).rejects.toThrow(TypeError);
    expect(await (await fetch(url)).text()).toBe('fine');
  });

  it('a client that leaves aborts the request and cancels the body', async () => {
    const aborted = deferred<true>();
    const cancelled = deferred<true>();
    const url = await serve(async (request) => {
      request.signal.addEventListener('abort', () => aborted.resolve(true));
      return new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode('x')),
          cancel: () => cancelled.resolve(true),
        }),
      );
    });
    const controller = new AbortController();
    const response = await fetch(url, { signal: controller.signal });
    await response.body?.getReader().read();
    controller.abort();
    expect(await Promise.all([aborted.promise, cancelled.promise])).toEqual([true, true]);
  });

  it('a slow client is not flooded: the body is asked for chunk by chunk', async () => {
    let asked = 0;
    const chunk = new Uint8Array(1 << 20);
    const url = await serve(
      async () =>
        new Response(
          new ReadableStream(
            {
              pull(controller) {
                asked += 1;
                if (asked > 64) controller.close();
                else controller.enqueue(chunk);
              },
            },
            { highWaterMark: 0 },
          ),
        ),
    );
    const response = await fetch(url);
    const reader = response.body?.getReader();
    await reader?.read();
    // What the kernel and undici hold is a few MiB; the other chunks were not even made.
    expect(asked).toBeLessThan(64);
    let size = 0;
    for (let step = await reader?.read(); step && !step.done; step = await reader?.read()) {
      size += step.value.length;
    }
    expect(size).toBeGreaterThan(60 * (1 << 20));
  });

  it('a whole turn of the fault server, cut and attached again', async () => {
    const world = createManualWorld();
    const server = createFaultServer({ world });
    const url = await serve(server.handle);
    server.arm('cut');
    const send = fetch(`${url}/api/chat`, {
      method: 'POST',
      body: JSON.stringify({ id: 'c1', messages: [user('u1', 'Hi')] }),
    });
    const first = readEvents(await send);
    await world.runUntil(async () => (await server.transcript('c1')).length === 2);
    const answered = deferred<void>();
    const poll = () => (first.ended === 'open' ? setImmediate(poll) : answered.resolve());
    poll();
    await answered.promise;

    expect(first.ended).toBe('broken');
    expect(first.text().trim().split(' ')).toHaveLength(5);
    expect((await server.transcript('c1')).map(textOf)).toEqual(['Hi', wordReplyText('Hi')]);
    expect((await fetch(`${url}/api/chat/c1/stream`)).status).toBe(204);
    expect(server.settled()).toBe(true);
  });
});
