import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFaultProxy, type FaultProxy } from './faultProxy.ts';
import type { NetworkFault, Place } from './networkFault.ts';

/** Frames with characters of two, three and four bytes. */
const FRAMES = ['größer', '你好', '🌊🌊', 'plain'].map((text) => `data: "${text}"\n\n`);
const WHOLE = FRAMES.join('');

let server: Server;
let proxy: FaultProxy;
let taken: string[];
let kills: number[];
let isDown: boolean;

beforeEach(async () => {
  taken = [];
  kills = [];
  isDown = false;
  server = createServer(async (request, response) => {
    let body = '';
    for await (const bytes of request) body += String(bytes);
    taken.push(body);
    const streams = request.url === '/api/chat';
    response.writeHead(200, { 'content-type': streams ? 'text/event-stream' : 'application/json' });
    if (!streams) return void response.end('{"messages":[]}');
    for (const frame of FRAMES) {
      response.write(frame);
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy = await createFaultProxy({
    upstream: () => (isDown ? undefined : (server.address() as AddressInfo).port),
    kill(downMs) {
      kills.push(downMs);
      server.closeAllConnections();
    },
    whenDown: 'gateway',
  });
});

afterEach(async () => {
  await proxy.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const post = (signal?: AbortSignal): Promise<Response> =>
  fetch(`${proxy.url}/api/chat`, { method: 'POST', body: 'hi', ...(signal ? { signal } : {}) });

/** The bytes of a body that came before it ended or broke. */
async function read(response: Response): Promise<{ bytes: Buffer; broke: boolean }> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const bytes of response.body ?? []) chunks.push(bytes);
    return { bytes: Buffer.concat(chunks), broke: false };
  } catch {
    return { bytes: Buffer.concat(chunks), broke: true };
  }
}

async function postWith(fault: NetworkFault): Promise<Response> {
  proxy.arm({ on: 'send', fault });
  return post();
}

const lost = (answer: Promise<Response>): Promise<void> =>
  expect(answer).rejects.toThrow(TypeError);

test('what nothing befalls comes through as it is, one request after the other', async () => {
  for (let round = 1; round <= 3; round += 1) {
    expect((await read(await post())).bytes.toString()).toBe(WHOLE);
    expect(await (await fetch(`${proxy.url}/api/chat/c1/snapshot`)).json()).toEqual({
      messages: [],
    });
  }
  expect(taken).toEqual(['hi', '', 'hi', '', 'hi', '']);
  expect(proxy.streamed()).toBe(3 * Buffer.byteLength(WHOLE));
  expect(proxy.underWay()).toBe(0);
});

test('a reset at once never reaches the server; one after the answer has begun does', async () => {
  await lost(postWith({ do: 'reset', when: 'at-once' }));
  expect(taken).toEqual([]);
  await lost(postWith({ do: 'reset', when: 'answered' }));
  expect(taken).toEqual(['hi']);
});

test('a gateway answers by a page of its own, whether the server has the request or not', async () => {
  const first = await postWith({ do: 'gateway', status: 502, taken: false });
  expect(first.status).toBe(502);
  expect(await first.text()).toContain('<html>');
  expect(taken).toEqual([]);
  expect((await postWith({ do: 'gateway', status: 504, taken: true })).status).toBe(504);
  expect(taken).toEqual(['hi']);
  isDown = true;
  expect((await post()).status).toBe(502);
});

test('a portal answers 200 with a page', async () => {
  const response = await postWith({ do: 'portal' });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html']);
});

describe('a cut', () => {
  const cutAt = async (place: Place, how: 'reset' | 'closed' | 'complete') =>
    read(await postWith({ do: 'cut', from: 8, place, how }));

  test('inside a character leaves half of it', async () => {
    const { bytes, broke } = await cutAt('in-character', 'closed');
    expect(broke).toBe(true);
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toThrow();
    expect(Buffer.from(WHOLE).subarray(0, bytes.length)).toEqual(bytes);
  });

  test('inside a frame ends in none', async () => {
    const { bytes, broke } = await cutAt('in-frame', 'closed');
    expect(broke).toBe(true);
    expect(bytes.toString().endsWith('\n')).toBe(false);
  });

  test('between two frames ends with one', async () => {
    const { bytes, broke } = await cutAt('between-frames', 'closed');
    expect(broke).toBe(true);
    expect(bytes.toString()).toBe(FRAMES[0]);
  });

  test('can look like the end of a whole answer, or be a reset', async () => {
    expect(await cutAt('between-frames', 'complete')).toEqual({
      bytes: Buffer.from(FRAMES[0] ?? ''),
      broke: false,
    });
    expect((await cutAt('anywhere', 'reset')).broke).toBe(true);
  });
});

test('byte by byte, all of it comes', async () => {
  expect((await read(await postWith({ do: 'trickle' }))).bytes.toString()).toBe(WHOLE);
});

test('what stands still goes on when the faults end, and a client may leave it', async () => {
  const stalled = await postWith({ do: 'stall', from: 20, place: 'anywhere' });
  const reading = read(stalled);
  await expect.poll(() => proxy.streamed()).toBeGreaterThan(0);
  expect(proxy.underWay()).toBe(1);
  proxy.endFaults();
  expect((await reading).bytes.toString()).toBe(WHOLE);
  const controller = new AbortController();
  proxy.arm({ on: 'send', fault: { do: 'hold-head' } });
  const held = post(controller.signal);
  await expect.poll(() => taken).toHaveLength(2);
  controller.abort();
  await expect(held).rejects.toThrow('abort');
  await expect.poll(() => proxy.underWay()).toBe(0);
});

test('a server that dies while it answers breaks its answer off', async () => {
  const { bytes, broke } = await read(
    await postWith({ do: 'kill', from: 0, downMs: 7, how: 'reset' }),
  );
  expect(kills).toEqual([7]);
  expect(broke).toBe(true);
  expect(Buffer.from(WHOLE).subarray(0, bytes.length)).toEqual(bytes);
});

test('a half-closed connection tells the server that the client has said all', async () => {
  const ended = new Promise<void>((resolve) => {
    server.once('connection', (socket) => socket.once('end', () => resolve()));
  });
  const { bytes } = await read(await postWith({ do: 'half-close' }));
  await ended;
  expect(Buffer.from(WHOLE).subarray(0, bytes.length)).toEqual(bytes);
});

test('a fault befalls the next request of its route alone', async () => {
  proxy.arm({ on: 'snapshot', fault: { do: 'reset', when: 'at-once' } });
  expect((await read(await post())).broke).toBe(false);
  await lost(fetch(`${proxy.url}/api/chat/c1/snapshot`));
  expect((await fetch(`${proxy.url}/api/chat/c1/snapshot`)).status).toBe(200);
  expect(proxy.seen.map(({ route, fault }) => [route, fault])).toEqual([
    ['send', undefined],
    ['snapshot', 'reset'],
    ['snapshot', undefined],
  ]);
});
