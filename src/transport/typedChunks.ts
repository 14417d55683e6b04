import type { UIMessageChunk } from 'ai';
import { cutFailure } from '../errors/clientFailures.ts';
import { HelixError } from '../errors/HelixError.ts';
import { isOutOfTime } from '../errors/isOutOfTime.ts';
import { isAbort, isNetworkFailure } from '../errors/networkFailure.ts';
import { type ErrorAdapter, toHelixError } from '../errors/toHelixError.ts';
import { readRejections, readRun, readTrigger } from '../protocol/triggers.ts';
import type { World } from '../world.ts';
import { ChunkOrder } from './chunkOrder.ts';
import type { ChunkSource } from './chunkSource.ts';
import { finishReasonOf, sdkResetsSteps } from './readChunks.ts';
import { Delivered, isTransient, type Replay } from './splice.ts';
import { streamErrorOf } from './streamError.ts';
import type { TransientLog } from './transientLog.ts';
import { quietAbort, type Turn } from './turn.ts';
import type { Cut, RunIdentity, TurnHost } from './turnHost.ts';

/** A reply that is taken up again in another call of the SDK, cut back to its last finished step. */
export interface ParkedReply {
  readonly source: ChunkSource;
  /** `start` with the id on screen, then everything up to the last finished step. */
  readonly chunks: readonly UIMessageChunk[];
  /** A step was begun after these: the rest may go on in it without beginning it again. */
  readonly stepOpen: boolean;
}

/** The message that a reply may go on with. */
export interface ContinuedMessage {
  readonly id: string;
  readonly role: string;
  readonly parts: readonly { readonly type: string }[];
}

/** What one stream is read from, and who decides about it. */
export interface TypedChunksOptions {
  readonly source: ChunkSource;
  readonly turn: Turn;
  /** Without one nothing is repeated or spliced: errors are typed, that is all. */
  readonly host: TurnHost | undefined;
  readonly world: World;
  readonly adapters: readonly ErrorAdapter[];
  readonly triggers: readonly string[];
  readonly transients: TransientLog;
  readonly isTerminal: (chunk: UIMessageChunk) => boolean;
  /** The chunks begin at the reply's beginning, so that a missing start can be told from one that came before. */
  readonly whole: boolean;
  readonly continued: ContinuedMessage | undefined;
  /** A reply that this read goes on with instead of beginning one. */
  readonly resumed: ParkedReply | undefined;
  /** Chunks are the only sign of life: each counts as bytes. */
  readonly countsChunks: boolean;
  /** Whose run this is. */
  run(run: RunIdentity): void;
  /** The id for a reply whose `start` has none. */
  replyId(): string;
  /** Another stream of the same live run; undefined when there is none. Rejects by a typed error. */
  reconnect(): Promise<ChunkSource | undefined>;
  park(reply: ParkedReply): void;
  /** A stream came to its end by itself. True when one without a terminal chunk counts as whole here. */
  sawEnd(terminal: boolean): boolean;
}

const boundaries: ReadonlySet<string> = new Set([
  'start',
  'start-step',
  'finish-step',
  'reset-step',
  'finish',
  'abort',
]);

/** The default of `isTerminal`: the chunks after which a reply is whole. */
export function isTerminalChunk(chunk: UIMessageChunk): boolean {
  return chunk.type === 'finish' || chunk.type === 'abort' || chunk.type === 'error';
}

/**
 * The chunks of a reply as the SDK gets them: one a pull, so that nothing is lost that came before an error in the same
 * packet. Parts that steer are taken out, an error event becomes one typed error, an end without a terminal chunk is a
 * cut, and what a cut is answered with is for the host.
 */
export function typedChunks(options: TypedChunksOptions): ReadableStream<UIMessageChunk> {
  const read = new TypedRead(options);
  return new ReadableStream<UIMessageChunk>(
    {
      async pull(controller) {
        try {
          const chunk = await read.next();
          if (read.over) return;
          if (chunk !== undefined) {
            controller.enqueue(chunk);
            return;
          }
          read.close();
          controller.close();
        } catch (thrown) {
          if (read.over) return;
          read.close();
          controller.error(thrown);
        }
      },
      cancel: () => read.close(),
    },
    { highWaterMark: 0 },
  );
}

class TypedRead {
  /** Nothing is handed on any more. */
  over = false;
  readonly #options: TypedChunksOptions;
  readonly #delivered = new Delivered();
  #order: ChunkOrder | undefined;
  #source: ChunkSource | undefined;
  #replay: Replay | undefined;
  /** Chunks that come before the next one of the source. */
  readonly #ready: UIMessageChunk[] = [];
  /** A terminal chunk waits for the end of the stream: only the last one is the end of the turn. */
  #held: UIMessageChunk | undefined;
  #terminal: UIMessageChunk | undefined;
  /** The typed half of an error event; its plain half follows. */
  #typedHalf: UIMessageChunk | undefined;
  #content = false;
  #contentSinceTrigger = false;
  #progressed = false;
  #last: Cut['last'] = 'none';
  #lastCut: HelixError | undefined;
  #stepToReopen = false;
  #startToDrop = false;

  constructor(options: TypedChunksOptions) {
    this.#options = options;
    this.#source = options.source;
    if (options.resumed === undefined) return;
    this.#ready.push(...options.resumed.chunks);
    this.#stepToReopen = options.resumed.stepOpen;
    this.#startToDrop = true;
  }

  /** The next chunk for the SDK; undefined at the end. Rejects by what the stream is to end with. */
  async next(): Promise<UIMessageChunk | undefined> {
    await this.#begin();
    while (!this.over) {
      const ready = this.#ready.shift();
      if (ready !== undefined) return ready;
      if (this.#source === undefined) return undefined;
      let chunk: UIMessageChunk | undefined;
      try {
        chunk = await this.#source.read();
      } catch (thrown) {
        await this.#broke(thrown);
        continue;
      }
      const out = chunk === undefined ? await this.#ended() : await this.#take(chunk);
      if (out !== undefined) return out;
    }
    return undefined;
  }

  /** Ends everything that this read holds. Calling it twice is harmless. */
  close(): void {
    if (this.over) return;
    this.over = true;
    this.#leaveSource();
    this.#options.turn.end();
  }

  async #begin(): Promise<void> {
    if (this.#order !== undefined) return;
    const { continued, resumed } = this.#options;
    this.#order = new ChunkOrder(!(await sdkResetsSteps()), continued);
    for (const chunk of resumed?.chunks ?? []) {
      this.#order.accepts(chunk);
      this.#note(chunk);
    }
    this.#contentSinceTrigger = false;
  }

  /** What a chunk becomes: itself, a part of itself, or nothing. */
  async #take(chunk: UIMessageChunk): Promise<UIMessageChunk | undefined> {
    const { host, world, countsChunks } = this.#options;
    if (countsChunks) host?.bytes(world.monotonic());
    if (await this.#steers(chunk)) return undefined;
    if (isTransient(chunk)) {
      if (!this.#options.transients.admits(chunk)) return undefined;
      const rejections = readRejections(chunk);
      if (rejections !== undefined) host?.rejected(rejections);
      return this.#flushBefore(chunk);
    }
    const fresh = await this.#spliced(chunk);
    if (fresh === undefined) return undefined;
    if (fresh.type === 'start') return this.#started(fresh);
    if (this.#options.whole && this.#order?.accepts(fresh) === false) {
      await this.#cut(cutFailure(), this.#last);
      return undefined;
    }
    this.#reopen(fresh);
    if (this.#options.isTerminal(fresh)) return this.#hold(fresh);
    this.#count(fresh);
    return this.#flushBefore(fresh);
  }

  /** Parts that are for the host and not for the SDK. */
  async #steers(chunk: UIMessageChunk): Promise<boolean> {
    const { host, triggers } = this.#options;
    const type: string = chunk.type;
    if (type === 'data-run') {
      const run = readRun(chunk);
      if (run !== undefined) this.#options.run({ runId: run.runId, attemptId: run.attemptId });
      return true;
    }
    if (type === 'data-helix-error') {
      this.#typedHalf = chunk;
      return true;
    }
    if (type === 'error') {
      return this.#fail(this.#errorOf(chunk));
    }
    if (type === 'reset-step' && !(await sdkResetsSteps())) {
      this.#trigger({ name: type });
      return true;
    }
    const trigger = readTrigger(chunk, triggers);
    if (trigger === undefined || host === undefined) return false;
    this.#trigger(trigger);
    return true;
  }

  #trigger(part: {
    readonly name: string;
    readonly attemptId?: string;
    readonly runId?: string;
  }): void {
    const { host } = this.#options;
    if (host === undefined) return;
    const { name, attemptId, runId } = part;
    const content = this.#contentSinceTrigger;
    this.#contentSinceTrigger = false;
    const answer = host.trigger({ name, attemptId, runId, content });
    if (answer === 'ignore') return;
    if (answer === 'restart-step') this.#parkRest();
    throw quietAbort();
  }

  #parkRest(): void {
    const source = this.#source;
    if (source === undefined) return;
    const { chunks, stepOpen } = this.#delivered.untilLastStep();
    const start = this.#delivered.start ?? {
      type: 'start',
      messageId: this.#options.replyId(),
    };
    this.#source = undefined;
    source.detach();
    this.#options.park({ source, chunks: [start, ...chunks], stepOpen });
  }

  /** What a replay adds; undefined for what was delivered before. Without a replay the chunk itself. */
  async #spliced(chunk: UIMessageChunk): Promise<UIMessageChunk | undefined> {
    const replay = this.#replay;
    if (replay === undefined) return chunk;
    const verdict = replay.read(chunk);
    if (verdict.is === 'differs') {
      await this.#cut(this.#lastCut ?? cutFailure(), 'diverged');
      return undefined;
    }
    if (replay.caughtUp) {
      this.#replay = undefined;
      this.#options.transients.caughtUp();
    }
    return verdict.is === 'new' ? verdict.chunk : undefined;
  }

  #started(chunk: UIMessageChunk): UIMessageChunk | undefined {
    if (this.#startToDrop) {
      this.#startToDrop = false;
      return undefined;
    }
    const named =
      this.#options.host === undefined || 'messageId' in chunk
        ? chunk
        : ({ ...chunk, messageId: this.#options.replyId() } as UIMessageChunk);
    this.#note(named);
    return this.#flushBefore(named);
  }

  /** A rest that goes on in a step which the SDK no longer has gets its beginning back. */
  #reopen(chunk: UIMessageChunk): void {
    this.#startToDrop = false;
    if (this.#stepToReopen && chunk.type !== 'start-step') {
      this.#stepToReopen = false;
      const step: UIMessageChunk = { type: 'start-step' };
      this.#note(step);
      this.#ready.push(step);
    }
    this.#stepToReopen = false;
    if (this.#options.host !== undefined && this.#delivered.start === undefined) {
      // Without a `start` the SDK would make up an id that nobody else knows.
      const start: UIMessageChunk = { type: 'start', messageId: this.#options.replyId() };
      this.#note(start);
      this.#ready.push(start);
    }
  }

  #hold(chunk: UIMessageChunk): UIMessageChunk | undefined {
    const before = this.#held;
    if (before !== undefined) this.#ready.push(before);
    this.#held = chunk;
    this.#terminal = chunk;
    return this.#ready.shift();
  }

  /** The chunk, after those that must come before it. */
  #flushBefore(chunk: UIMessageChunk): UIMessageChunk {
    if (this.#held !== undefined) {
      this.#ready.push(this.#held);
      this.#held = undefined;
    }
    const first = this.#ready.shift();
    if (first === undefined) return chunk;
    this.#ready.push(chunk);
    return first;
  }

  #count(chunk: UIMessageChunk): void {
    this.#note(chunk);
    this.#progressed = true;
    if (boundaries.has(chunk.type)) return;
    this.#options.host?.content(this.#options.world.monotonic());
  }

  #note(chunk: UIMessageChunk): void {
    this.#delivered.add(chunk);
    if (chunk.type !== 'start') this.#options.transients.progressed();
    if (boundaries.has(chunk.type)) return;
    this.#content = true;
    this.#contentSinceTrigger = true;
  }

  async #ended(): Promise<UIMessageChunk | undefined> {
    if (this.#typedHalf !== undefined) {
      return this.#fail(this.#errorOf(undefined));
    }
    const terminal = this.#terminal !== undefined;
    const whole = terminal || this.#last === 'none' ? this.#options.sawEnd(terminal) : false;
    if (!terminal && !whole) {
      await this.#cut(cutFailure(), this.#last);
      return undefined;
    }
    return this.#finish();
  }

  async #broke(thrown: unknown): Promise<void> {
    const { turn, adapters } = this.#options;
    if (turn.stopped) throw quietAbort();
    if (this.#typedHalf !== undefined) {
      await this.#fail(this.#errorOf(undefined));
    }
    if (this.#terminal !== undefined) {
      this.#leaveSource();
      const last = this.#finish();
      if (last !== undefined) this.#ready.push(last);
      return;
    }
    const failure = failureOf(thrown, adapters);
    if (failure !== undefined) await this.#fail(failure);
    await this.#cut(cutFailure(thrown), this.#last);
  }

  /** The end of the turn: the terminal chunk, or the error that the host puts in its place. */
  #finish(): UIMessageChunk | undefined {
    const { host } = this.#options;
    this.#source = undefined;
    const error = host?.ending({
      by: this.#terminal?.type === 'abort' ? 'abort' : 'finish',
      finishReason: this.#terminal === undefined ? undefined : finishReasonOf(this.#terminal),
      content: this.#content,
    });
    if (error !== undefined) throw error;
    const held = this.#held;
    this.#held = undefined;
    return held;
  }

  /** The one error of an error event, with what support can find its answer by. */
  #errorOf(plain: UIMessageChunk | undefined): HelixError {
    const { adapters, world } = this.#options;
    const requestId = this.#source?.call.requestId;
    return streamErrorOf(this.#typedHalf, plain, { adapters, now: world.now(), requestId });
  }

  async #fail(error: HelixError): Promise<never> {
    const { host, turn } = this.#options;
    this.#leaveSource();
    if (host !== undefined && (await turn.race(host.failed(error))) === 'leave') throw quietAbort();
    throw error;
  }

  /** Asks until there is another stream to go on with. Bounded by the host's answers alone. */
  async #cut(error: HelixError, last: Cut['last']): Promise<void> {
    const { host, turn, reconnect, transients } = this.#options;
    this.#leaveSource();
    if (host === undefined) throw error;
    this.#lastCut = error;
    for (let brought = last; ; ) {
      const progressed = this.#progressed;
      this.#progressed = false;
      const content = this.#content;
      const answer = await turn.race(host.cut({ error, last: brought, progressed, content }));
      if (answer === 'leave') throw quietAbort();
      if (answer === 'fail') throw error;
      if (answer !== 'reconnect') throw answer;
      brought = 'gone';
      try {
        this.#source = await turn.race(reconnect(), (late) => late?.leave());
      } catch (thrown) {
        if (!HelixError.isInstance(thrown)) throw thrown;
        if (isOutOfTime(thrown)) await this.#fail(thrown);
        brought = thrown;
      }
      if (this.#source !== undefined) break;
    }
    this.#last = 'cut';
    this.#replay = this.#delivered.compare();
    transients.beginReplay(true);
  }

  #leaveSource(): void {
    this.#source?.leave();
    this.#source = undefined;
  }
}

/** A failure of the run itself; undefined where only the stream has broken. */
function failureOf(thrown: unknown, adapters: readonly ErrorAdapter[]): HelixError | undefined {
  if (isAbort(thrown) || isNetworkFailure(thrown)) return undefined;
  const error = toHelixError(thrown, { adapters, phase: 'stream' });
  if (isOutOfTime(error)) return error;
  const broken = error.code === undefined || error.category === 'transport';
  return broken || error.code === 'framework_cancelled' ? undefined : error;
}
