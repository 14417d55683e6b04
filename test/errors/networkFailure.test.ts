import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAbort, isNetworkFailure, isTimeout } from '../../src/errors/networkFailure.ts';

describe('no answer, or one that broke off', () => {
  test.each([
    ['Chromium', new TypeError('Failed to fetch')],
    ['Chromium, newer', new TypeError('Failed to fetch (chat.test)')],
    ['Chromium, in the body', new TypeError('network error')],
    ['Firefox', new TypeError('NetworkError when attempting to fetch resource.')],
    ['Firefox, in the body', new TypeError('Error in input stream')],
    ['WebKit', new TypeError('Load failed')],
    ['WebKit, newer', new TypeError('Load failed (chat.test)')],
    ['WebKit, lost', new TypeError('The network connection was lost.')],
    ['WebKit, offline', new TypeError('The Internet connection appears to be offline.')],
    ['undici', new TypeError('fetch failed')],
    ['undici, in the body', new TypeError('terminated')],
    ['undici, by code', Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })],
    [
      'Deno',
      new TypeError('error sending request for url (http://chat.test/): connection refused'),
    ],
    ['Deno, in the body', new TypeError('error reading a body from connection')],
    ['React Native', new TypeError('Network request failed')],
    ['workerd', new Error('Network connection lost.')],
    ['Bun', Object.assign(new Error('Unable to connect.'), { code: 'ConnectionRefused' })],
    ['Node', Object.assign(new Error('x'), { code: 'ECONNRESET' })],
    ['a DOMException', new DOMException('x', 'NetworkError')],
    ['a wrapper', new Error('Cannot connect to API', { cause: new TypeError('Failed to fetch') })],
  ])('is known from %s', (_name, error) => {
    expect(isNetworkFailure(error)).toBe(true);
  });

  test.each([
    new TypeError("Cannot read properties of undefined (reading 'id')"),
    new TypeError('Failed to parse URL'),
    new TypeError('x is not a function'),
    new Error('Failed to fetch'),
    new Error('terminated'),
    new Error('boom'),
    new DOMException('x', 'AbortError'),
    'Failed to fetch',
    { message: 'fetch failed' },
    Object.assign(new Error('x'), { code: 'ENOENT' }),
    undefined,
  ])('is not %s', (error) => {
    expect(isNetworkFailure(error)).toBe(false);
  });
});

describe('the real thing', () => {
  const server = createServer((request, response) => {
    if (request.url === '/body') {
      response.writeHead(200);
      response.write('begun');
      response.socket?.once('drain', () => {});
      setImmediate(() => response.socket?.destroy());
    } else if (request.url === '/close') request.socket.destroy();
  });
  let url = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const failureOf = (promise: Promise<unknown>) =>
    promise.then(
      () => undefined,
      (error: unknown) => error,
    );

  test('a closed connection', async () => {
    expect(isNetworkFailure(await failureOf(fetch(`${url}/close`)))).toBe(true);
  });

  test('a body that breaks off', async () => {
    const response = await fetch(`${url}/body`);
    expect(isNetworkFailure(await failureOf(response.text()))).toBe(true);
  });

  test('nobody listening', async () => {
    const idle = createServer();
    await new Promise<void>((resolve) => idle.listen(0, '127.0.0.1', resolve));
    const { port } = idle.address() as AddressInfo;
    await new Promise((resolve) => idle.close(resolve));
    expect(isNetworkFailure(await failureOf(fetch(`http://127.0.0.1:${port}`)))).toBe(true);
  });

  test('an abort is none', async () => {
    const error = await failureOf(fetch(url, { signal: AbortSignal.abort() }));
    expect([isAbort(error), isNetworkFailure(error)]).toEqual([true, false]);
  });

  test('an abort by time is a time-out', () => {
    const error = new DOMException('The operation timed out.', 'TimeoutError');
    expect([isTimeout(error), isAbort(error)]).toEqual([true, false]);
  });
});
