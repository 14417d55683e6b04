import type { ChatRouteName } from '../../src/server/routePath.ts';

/** Where in a body something happens, looked for from a byte on. */
export type Place = 'anywhere' | 'in-character' | 'in-frame' | 'between-frames';

/** How a connection ends: by a reset, by the end of the connection, or by an end that looks like that of a whole body. */
export type Ending = 'reset' | 'closed' | 'complete';

/** What the network does to one request. Times in ms. */
export type NetworkFault =
  /** The connection is reset; `answered`: after the server has taken the request and begun its answer. */
  | { readonly do: 'reset'; readonly when: 'at-once' | 'forwarded' | 'answered' }
  /** A gateway answers by a page of its own; `taken`: the server has had the request. */
  | { readonly do: 'gateway'; readonly status: 502 | 504; readonly taken: boolean }
  /** Something in between answers 200 with a page. */
  | { readonly do: 'portal' }
  /** The server's answer is held back before its first byte; without `ms` until the faults end. */
  | { readonly do: 'hold-head'; readonly ms?: number }
  /** The answer breaks off at a place of its body. */
  | {
      readonly do: 'cut';
      readonly from: number;
      readonly place: Place;
      readonly how: Ending;
    }
  /** The answer stands still at a place of its body; without `ms` until the faults end. */
  | {
      readonly do: 'stall';
      readonly from: number;
      readonly place: Place;
      readonly ms?: number;
    }
  /** The answer comes byte by byte, each in a packet of its own. */
  | { readonly do: 'trickle' }
  /** What came from the client has ended, the server is told: one half of the connection is closed. */
  | { readonly do: 'half-close' }
  /** The server's process dies when its answer has come to this byte of its body, and is back after `downMs`. */
  | { readonly do: 'kill'; readonly from: number; readonly downMs: number; readonly how: Ending };

/** Which request a fault befalls: the next of this route, or the next at all. */
export interface FaultRule {
  readonly on: ChatRouteName | 'any';
  readonly fault: NetworkFault;
}

/** Finds a place in a body that comes in pieces. */
export class PlaceFinder {
  readonly #from: number;
  readonly #place: Place;
  #passed = 0;
  #before = '';

  constructor(from: number, place: Place) {
    this.#from = from;
    this.#place = place;
  }

  /** How many bytes of this piece lie before the place; undefined when it is not in it. */
  in(piece: Buffer): number | undefined {
    for (const [at, byte] of piece.entries()) {
      // Between two bytes: the one before has passed, this one has not.
      const here = this.#passed >= this.#from && this.#fits(byte);
      if (here) return at;
      this.#passed += 1;
      this.#before = (this.#before + String.fromCharCode(byte)).slice(-2);
    }
    return undefined;
  }

  #fits(next: number): boolean {
    switch (this.#place) {
      case 'anywhere':
        return true;
      case 'in-character':
        return (next & 0xc0) === 0x80;
      case 'in-frame':
        return this.#before.length > 0 && !this.#before.endsWith('\n') && next !== 0x0a;
      case 'between-frames':
        return this.#before === '\n\n';
    }
  }
}
