import { connect as connectTo, createServer, type Server, type Socket } from 'node:net';
import { type ChatRouteName, readRoutePath } from '../../src/server/routePath.ts';
import { framingOf, type Head, MessageReader } from './httpMessages.ts';
import { type Ending, type FaultRule, type NetworkFault, PlaceFinder } from './networkFault.ts';

/** What stands in front of a server, and behind it the server. */
export interface FaultProxyOptions {
  /** Port of the server; undefined while there is none. */
  readonly upstream: () => number | undefined;
  /** Kills the server at once; it comes back after so many ms. */
  readonly kill?: (downMs: number) => void;
  /** What a request meets while there is no server. Default `reset`. */
  readonly whenDown?: 'reset' | 'gateway';
  /** Answers by itself, as a page's host would. */
  readonly page?: (path: string) => { readonly type: string; readonly body: string } | undefined;
}

/** One request that has come through. */
export interface SeenRequest {
  readonly route: ChatRouteName | undefined;
  readonly method: string;
  readonly path: string;
  readonly fault: NetworkFault['do'] | 'down' | undefined;
}

/** A proxy between client and server that goes wrong when it is told to. */
export interface FaultProxy {
  readonly url: string;
  /** Adds a fault for the next request that it fits. */
  arm(rule: FaultRule): void;
  /** Takes back what has not happened, and lets go of what stands still. Nothing goes wrong from now on. */
  endFaults(): void;
  /** Every request so far, oldest first. */
  readonly seen: readonly SeenRequest[];
  /** Bytes of event streams that have gone to clients. */
  streamed(): number;
  /** Requests whose answer has neither ended nor been left. */
  underWay(): number;
  close(): Promise<void>;
}

const BASE = '/api/chat';
const GATEWAY_PAGE =
  '<html><head><title>SECRET gateway</title></head><body><h1>SECRET Bad Gateway at 10.0.0.7</h1></body></html>';
const PORTAL_PAGE = '<html><body>SECRET Welcome to the hotel. Please sign in.</body></html>';

/** Opens a proxy on a free port. */
export async function createFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const proxy = new TcpProxy(options);
  await proxy.listen();
  return proxy;
}

class TcpProxy implements FaultProxy {
  readonly seen: SeenRequest[] = [];
  readonly options: FaultProxyOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #release = new Set<() => void>();
  #rules: FaultRule[] = [];
  #streamed = 0;
  #underWay = 0;

  constructor(options: FaultProxyOptions) {
    this.options = options;
    this.#server = createServer({ noDelay: true }, (socket) => {
      this.keep(socket);
      readRequests(socket, (request) => this.#answer(socket, request));
    });
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The proxy is closed.');
    return `http://127.0.0.1:${address.port}`;
  }

  arm(rule: FaultRule): void {
    this.#rules.push(rule);
  }

  endFaults(): void {
    this.#rules = [];
    for (const release of [...this.#release]) release();
  }

  streamed(): number {
    return this.#streamed;
  }

  underWay(): number {
    return this.#underWay;
  }

  async close(): Promise<void> {
    this.endFaults();
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Errors of a socket are what this file is about; its end is enough to know. */
  keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
  }

  count(bytes: number): void {
    this.#streamed += bytes;
  }

  /** Waits so long, or until the faults end, or the client has left. */
  pause(ms: number | undefined, client: Socket): Promise<void> {
    return new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(() => done(), ms);
      const done = () => {
        clearTimeout(timer);
        this.#release.delete(done);
        client.off('close', done);
        resolve();
      };
      this.#release.add(done);
      client.once('close', done);
      if (client.destroyed) done();
    });
  }

  async #answer(client: Socket, request: Request): Promise<void> {
    const path = (request.head.line[1] ?? '/').split('?')[0] ?? '/';
    const page = this.options.page?.(path);
    if (page !== undefined) return write(client, canned(200, page.type, page.body));
    const route = readRoutePath(path, BASE)?.route;
    const at = this.#rules.findIndex(({ on }) => on === 'any' || on === route);
    const fault =
      route === undefined ? undefined : this.#rules.splice(at, at < 0 ? 0 : 1)[0]?.fault;
    const down = this.options.upstream() === undefined;
    const method = request.head.line[0] ?? '';
    this.seen.push({ route, method, path, fault: down ? 'down' : fault?.do });
    this.#underWay += 1;
    const over = () => {
      client.off('close', over);
      this.#underWay -= 1;
    };
    client.once('close', over);
    try {
      await new Exchange(this, client, request).perform(fault);
    } finally {
      if (client.listeners('close').includes(over)) over();
    }
  }
}

/** A whole request as it came. */
interface Request {
  readonly head: Head;
  readonly body: Buffer;
}

/** Reads a client's requests, one after the other: the next begins when the answer to the last has gone out. */
function readRequests(client: Socket, answer: (request: Request) => Promise<void>): void {
  let head: Head | undefined;
  let body: Buffer[] = [];
  let answering = Promise.resolve();
  const reader = new MessageReader(
    {
      head(next) {
        head = next;
        body = [];
      },
      body: (bytes) => void body.push(bytes),
      end() {
        if (head === undefined) return;
        const request = { head, body: Buffer.concat(body) };
        const next = async (): Promise<void> => {
          await answering;
          await answer(request);
        };
        answering = next().catch(() => void client.destroy());
      },
    },
    'none',
  );
  client.on('data', (bytes) => reader.read(bytes));
  // No client of `fetch` says that it has asked enough and still listens: it has left.
  client.on('end', () => client.destroy());
}

/** One request on its way to the server and its answer on its way back. */
class Exchange {
  readonly #proxy: TcpProxy;
  readonly #client: Socket;
  readonly #request: Request;

  constructor(proxy: TcpProxy, client: Socket, request: Request) {
    this.#proxy = proxy;
    this.#client = client;
    this.#request = request;
  }

  async perform(fault: NetworkFault | undefined): Promise<void> {
    switch (fault?.do) {
      case 'reset':
        if (fault.when !== 'at-once') await this.#taken(fault.when);
        return this.#end('reset');
      case 'gateway':
        if (fault.taken) await this.#taken('answered');
        return write(this.#client, canned(fault.status, 'text/html', GATEWAY_PAGE));
      case 'portal':
        return write(this.#client, canned(200, 'text/html', PORTAL_PAGE));
      default:
        return this.#relay(fault);
    }
  }

  /** The server has the request; `answered`: and has begun to answer, so that what it does is on record. */
  async #taken(until: 'forwarded' | 'answered'): Promise<void> {
    const upstream = this.#forward(undefined);
    if (until === 'forwarded') await upstream.sent;
    else await upstream.next();
    upstream.leave();
  }

  /** Passes the answer on, with what befalls it on the way. */
  async #relay(fault: NetworkFault | undefined): Promise<void> {
    const upstream = this.#forward(fault);
    const leave = () => upstream.leave();
    this.#client.once('close', leave);
    try {
      await this.#pass(upstream, fault);
    } finally {
      this.#client.off('close', leave);
      upstream.leave();
    }
  }

  async #pass(upstream: Upstream, fault: NetworkFault | undefined): Promise<void> {
    const send = fault?.do === 'trickle' ? writeSlowly : write;
    let head: Head | undefined;
    const place = placeOf(fault);
    let found = false;
    for (;;) {
      const event = await upstream.next();
      if (this.#client.destroyed) return;
      if (event.kind === 'lost') return this.#lost(fault, head !== undefined);
      if (event.kind === 'end') {
        if (head && framingOf(head, 'open') === 'chunked') await send(this.#client, LAST_CHUNK);
        return;
      }
      if (event.kind === 'head') {
        head = event.head;
        if (fault?.do === 'hold-head') await this.#proxy.pause(fault.ms, this.#client);
        await send(this.#client, head.raw);
        continue;
      }
      const streams = head?.headers.get('content-type')?.startsWith('text/event-stream') === true;
      const put = async (bytes: Buffer): Promise<void> => {
        if (bytes.length === 0 || head === undefined) return;
        await send(this.#client, framed(bytes, head));
        if (streams) this.#proxy.count(bytes.length);
      };
      const at = found ? undefined : place?.in(event.bytes);
      if (at === undefined) {
        await put(event.bytes);
        continue;
      }
      found = true;
      await put(event.bytes.subarray(0, at));
      if (fault?.do === 'cut') return this.#end(fault.how, head);
      if (fault?.do === 'kill') this.#proxy.options.kill?.(fault.downMs);
      if (fault?.do === 'stall') await this.#proxy.pause(fault.ms, this.#client);
      // What the process had written before it died may still arrive; the rest will not.
      await put(event.bytes.subarray(at));
    }
  }

  /** The server is not there, or has gone. */
  #lost(fault: NetworkFault | undefined, begun: boolean): Promise<void> {
    if (fault?.do === 'kill') return this.#end(fault.how === 'complete' ? 'closed' : fault.how);
    const pages = this.#proxy.options.whenDown === 'gateway';
    if (pages && !begun) {
      return write(this.#client, canned(502, 'text/html', GATEWAY_PAGE));
    }
    return this.#end('reset');
  }

  async #end(how: Ending, head?: Head): Promise<void> {
    if (how === 'reset') this.#client.resetAndDestroy();
    else if (how === 'complete' && head && framingOf(head, 'open') === 'chunked') {
      await write(this.#client, LAST_CHUNK);
    } else {
      // What was written goes out before the end does.
      this.#client.end();
    }
  }

  #forward(fault: NetworkFault | undefined): Upstream {
    const port = this.#proxy.options.upstream();
    const upstream = new Upstream(port, this.#request, fault?.do === 'half-close');
    if (upstream.socket) this.#proxy.keep(upstream.socket);
    return upstream;
  }
}

type UpstreamEvent =
  | { readonly kind: 'head'; readonly head: Head }
  | { readonly kind: 'body'; readonly bytes: Buffer }
  | { readonly kind: 'end' }
  | { readonly kind: 'lost' };

/** One request to the server, over a connection of its own. */
class Upstream {
  readonly socket: Socket | undefined;
  /** The request has left for the server. */
  readonly sent: Promise<void>;
  readonly #events: UpstreamEvent[] = [];
  #wake: (() => void) | undefined;
  #over = false;

  constructor(port: number | undefined, request: Request, halfCloses: boolean) {
    if (port === undefined) {
      this.sent = Promise.resolve();
      this.#tell({ kind: 'lost' });
      return;
    }
    const socket = connectTo({ port, host: '127.0.0.1', noDelay: true });
    this.socket = socket;
    const reader = new MessageReader(
      {
        head: (head) => this.#tell({ kind: 'head', head }),
        body: (bytes) => this.#tell({ kind: 'body', bytes }),
        end: () => this.#tell({ kind: 'end' }),
      },
      'open',
    );
    socket.on('data', (bytes) => reader.read(bytes));
    socket.on('close', () => {
      reader.close();
      this.#tell({ kind: 'lost' });
    });
    this.sent = new Promise((resolve) => {
      socket.once('close', () => resolve());
      socket.write(Buffer.concat([request.head.raw, request.body]), () => {
        if (halfCloses) socket.end();
        resolve();
      });
    });
  }

  /** The next of the answer. After the last there is only `lost`. */
  async next(): Promise<UpstreamEvent> {
    for (;;) {
      const event = this.#events.shift();
      if (event !== undefined) return event;
      if (this.#over) return { kind: 'lost' };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  leave(): void {
    this.socket?.destroy();
  }

  #tell(event: UpstreamEvent): void {
    if (this.#over) return;
    this.#over = event.kind === 'end' || event.kind === 'lost';
    this.#events.push(event);
    this.#wake?.();
  }
}

const LAST_CHUNK = Buffer.from('0\r\n\r\n');

function placeOf(fault: NetworkFault | undefined): PlaceFinder | undefined {
  if (fault?.do === 'cut' || fault?.do === 'stall') {
    return new PlaceFinder(fault.from, fault.place);
  }
  return fault?.do === 'kill' ? new PlaceFinder(fault.from, 'anywhere') : undefined;
}

function framed(bytes: Buffer, head: Head): Buffer {
  if (framingOf(head, 'open') !== 'chunked') return bytes;
  return Buffer.concat([
    Buffer.from(`${bytes.length.toString(16)}\r\n`),
    bytes,
    Buffer.from('\r\n'),
  ]);
}

function canned(status: number, type: string, body: string): Buffer {
  const bytes = Buffer.from(body);
  const head = [
    `HTTP/1.1 ${status} ${status === 200 ? 'OK' : 'Bad Gateway'}`,
    `content-type: ${type}`,
    `content-length: ${bytes.length}`,
    'cache-control: no-store',
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]);
}

/** Resolves when the bytes have left this process, or when nobody takes them any more. */
function write(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed || socket.writableEnded) resolve();
    else socket.write(bytes, () => resolve());
  });
}

/** Each byte in a packet of its own, as far as the system lets it. */
async function writeSlowly(socket: Socket, bytes: Buffer): Promise<void> {
  for (const byte of bytes) {
    await write(socket, Buffer.from([byte]));
    await new Promise((resolve) => setImmediate(resolve));
  }
}
