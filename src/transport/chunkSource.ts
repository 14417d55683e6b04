import type { UIMessageChunk } from 'ai';
import type { Call } from './call.ts';
import type { Turn } from './turn.ts';

/** A chunk stream with the request that it came by, read on behalf of one turn at a time. */
export class ChunkSource {
  readonly call: Call;
  readonly #reader: ReadableStreamDefaultReader<UIMessageChunk>;
  #unwatch: () => void;

  /** `unwatch`: the turn's hold on the call, as `holdBy` gives it. */
  constructor(stream: ReadableStream<UIMessageChunk>, call: Call, unwatch: () => void) {
    this.call = call;
    this.#reader = stream.getReader();
    this.#unwatch = unwatch;
  }

  /** The next chunk, undefined at the end. Rejects by what ended the call here, else by what broke the stream. */
  async read(): Promise<UIMessageChunk | undefined> {
    try {
      const { done, value } = await this.call.race(this.#reader.read());
      if (!done) return value;
      this.#unwatch();
      return undefined;
    } catch (thrown) {
      this.#unwatch();
      throw thrown;
    }
  }

  /** Nobody reads on: the reader is cancelled, the request aborted. Harmless when all is over. */
  leave(): void {
    this.#unwatch();
    this.#reader.cancel().catch(() => {});
    this.call.end('left');
  }

  /** The turn that read it is over, but the stream is not. */
  detach(): void {
    this.#unwatch();
    this.#unwatch = () => {};
  }

  /** Another turn reads on. */
  attach(turn: Turn): void {
    this.#unwatch = holdBy(turn, this.call);
  }
}

/** Ends the call with the turn. The returned function lets it go. */
export function holdBy(turn: Turn, call: Call): () => void {
  return turn.onOver(() => call.end(turn.stopped ? 'stopped' : 'left'));
}
