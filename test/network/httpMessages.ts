/** The head of a request or a response: its bytes as they came, and what can be read from them. */
export interface Head {
  readonly raw: Buffer;
  /** The first line, cut at its spaces. */
  readonly line: readonly string[];
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
}

/** What a reader of messages tells, in order. */
export interface MessageEvents {
  head(head: Head): void;
  /** Bytes of the body, without the frames that carried them. */
  body(bytes: Buffer): void;
  end(): void;
}

/** How the end of a body is known. `open` ends with the connection. */
export type Framing = 'none' | 'length' | 'chunked' | 'open';

const HEAD_END = Buffer.from('\r\n\r\n');
const LINE_END = Buffer.from('\r\n');

/** Reads HTTP/1.1 messages from bytes that come in any pieces, one message after the other. */
export class MessageReader {
  readonly #events: MessageEvents;
  readonly #otherwise: 'none' | 'open';
  #rest: Buffer = Buffer.alloc(0);
  #state: 'head' | 'length' | 'size' | 'chunk' | 'chunk-end' | 'trailer' | 'open' = 'head';
  #left = 0;

  /** `otherwise`: what a body without a stated length is. */
  constructor(events: MessageEvents, otherwise: 'none' | 'open') {
    this.#events = events;
    this.#otherwise = otherwise;
  }

  /** True between the first byte of a message and its last. */
  get within(): boolean {
    return this.#state !== 'head' || this.#rest.length > 0;
  }

  read(bytes: Buffer): void {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    while (this.#rest.length > 0 && this.#step());
  }

  /** The connection has ended; a body that ends with it is complete by that. */
  close(): void {
    if (this.#state !== 'open') return;
    this.#state = 'head';
    this.#events.end();
  }

  /** Takes one piece; false when more bytes are needed. */
  #step(): boolean {
    switch (this.#state) {
      case 'head':
        return this.#readHead();
      case 'length':
      case 'chunk':
        return this.#readCounted();
      case 'open':
        this.#events.body(this.#take(this.#rest.length));
        return false;
      case 'size':
        return this.#readLine((line) => {
          this.#left = Number.parseInt(line, 16);
          this.#state = this.#left === 0 ? 'trailer' : 'chunk';
        });
      case 'chunk-end':
        return this.#readLine(() => {
          this.#state = 'size';
        });
      case 'trailer':
        return this.#readLine((line) => {
          if (line === '') this.#finish();
        });
    }
  }

  #readHead(): boolean {
    const at = this.#rest.indexOf(HEAD_END);
    if (at < 0) return false;
    const head = parseHead(this.#take(at + HEAD_END.length));
    const framing = framingOf(head, this.#otherwise);
    this.#events.head(head);
    if (framing === 'none') this.#finish();
    else if (framing === 'length') {
      this.#left = Number(head.headers.get('content-length'));
      this.#state = 'length';
      if (this.#left === 0) this.#finish();
    } else this.#state = framing === 'chunked' ? 'size' : 'open';
    return true;
  }

  #readCounted(): boolean {
    const taken = this.#take(Math.min(this.#left, this.#rest.length));
    this.#left -= taken.length;
    const whole = this.#state === 'length';
    if (this.#left === 0 && !whole) this.#state = 'chunk-end';
    this.#events.body(taken);
    if (this.#left === 0 && whole) this.#finish();
    return true;
  }

  #readLine(then: (line: string) => void): boolean {
    const at = this.#rest.indexOf(LINE_END);
    if (at < 0) return false;
    const line = this.#take(at + LINE_END.length).subarray(0, at);
    then(line.toString('latin1'));
    return true;
  }

  #finish(): void {
    this.#state = 'head';
    this.#events.end();
  }

  #take(count: number): Buffer {
    const taken = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(count);
    return taken;
  }
}

/** How the end of the body is known that follows this head. */
export function framingOf(head: Head, otherwise: 'none' | 'open'): Framing {
  const status = head.line[0]?.startsWith('HTTP/') ? Number(head.line[1]) : undefined;
  if (status === 204 || status === 304) return 'none';
  if (head.headers.get('transfer-encoding')?.toLowerCase().includes('chunked')) return 'chunked';
  if (head.headers.has('content-length')) return 'length';
  return otherwise;
}

function parseHead(raw: Buffer): Head {
  const [first = '', ...lines] = raw.toString('latin1').trimEnd().split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const at = line.indexOf(':');
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
  });
  return { raw, line: first.split(' '), headers: new Map(headers) };
}
