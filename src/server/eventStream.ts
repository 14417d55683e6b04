import { runPart } from '../protocol/triggers.ts';
import type { World } from '../world.ts';
import type { ChatStore, LogEntry, RunRecord } from './store/chatStore.ts';
import { storeBackoff } from './storeBackoff.ts';

/** What a stream of a run reads from and reports to. `keepAliveMs` is in ms. */
export interface EventStreamDeps {
  readonly store: ChatStore;
  readonly world: World;
  readonly keepAliveMs: number;
  /** How long a store that fails is asked again before the stream breaks off, in ms. */
  readonly leaseMs: number;
  /** Called in a silence when the lease should have been renewed: ends a run whose lease has lapsed. Gives the latest run. */
  readonly checkLease: (chatId: string) => Promise<RunRecord | undefined>;
  readonly report: (error: unknown, where: { chatId: string; runId: string }) => void;
}

/** Which run to read, and what of its log was there before the reader came: that part is a replay. */
export interface EventStreamOptions {
  readonly chatId: string;
  readonly run: RunRecord;
  /** Log length when the reader came; 0 for the request that started the run. */
  readonly replayTo: number;
  /** The reader has left. */
  readonly signal?: AbortSignal | undefined;
}

/** Entries read at once. A slow reader holds at most one page: the log, not a buffer, keeps what it has yet to read. */
const PAGE = 64;
const DONE = 'data: [DONE]\n\n';
/** A lease is not looked at more often than this, in ms. */
const LEAST_LEASE_MS = 100;
const KEEP_ALIVE = ': keep-alive\n\n';

/**
 * A run's log as server-sent events: whose run it is, what was said, what is being said, and a comment line in every
 * silence. A store that fails for a while makes a silence; the stream goes on where it was.
 */
export function openEventStream(
  deps: EventStreamDeps,
  options: EventStreamOptions,
): ReadableStream<Uint8Array> {
  const reader = new LogReader(deps, options);
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { text, done } = await reader.next();
          if (text !== '' && !reader.left) controller.enqueue(encoder.encode(text));
          if (!done) return;
          reader.leave();
          closeQuietly(controller);
        } catch {
          reader.leave();
          controller.error(new TypeError('The stream broke off.'));
        }
      },
      cancel: () => reader.leave(),
    },
    { highWaterMark: 0 },
  );
}

interface Text {
  readonly text: string;
  /** Nothing comes after it. */
  readonly done: boolean;
}

/** One reader of a run's log, on its way. */
class LogReader {
  left = false;
  readonly #deps: EventStreamDeps;
  readonly #options: EventStreamOptions;
  #begun = false;
  #position = 0;
  /** Something happened since the log was read last. */
  #news = false;
  #wake: (() => void) | undefined;
  #unsubscribe = () => {};
  /** When the reader is to hear a comment line, and when the lease has to be looked at, by the monotonic clock. */
  #quietUntil = 0;
  #leaseUntil = 0;
  /** Since when the store fails, and how long the next try waits. */
  #failing: { readonly since: number; readonly wait: () => number } | undefined;

  constructor(deps: EventStreamDeps, options: EventStreamOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  readonly leave = (): void => {
    this.left = true;
    this.#unsubscribe();
    this.#options.signal?.removeEventListener('abort', this.leave);
    this.#wake?.();
  };

  /** The next text to send. Rejects when the log is not to be had any more. */
  async next(): Promise<Text> {
    if (!this.#begun) return { text: this.#begin(), done: false };
    for (;;) {
      if (this.left) return { text: '', done: true };
      const step = await this.#step();
      if (step) return this.#said(step);
    }
  }

  #said(step: Text): Text {
    this.#quietUntil = this.#deps.world.monotonic() + this.#deps.keepAliveMs;
    return step;
  }

  #begin(): string {
    const { store, world } = this.#deps;
    const { chatId, run, signal } = this.#options;
    this.#begun = true;
    this.#unsubscribe = store.subscribe(chatId, () => {
      this.#news = true;
      this.#wake?.();
    });
    signal?.addEventListener('abort', this.leave);
    if (signal?.aborted) this.leave();
    this.#leaseUntil = world.monotonic() + run.leaseLeftMs;
    this.#said({ text: '', done: false });
    return frame(JSON.stringify(runPart({ runId: run.id, attemptId: run.attemptId })));
  }

  /** Reads on, or waits; undefined when there is nothing to send yet. */
  async #step(): Promise<Text | undefined> {
    this.#news = false;
    try {
      const text = await this.#read();
      this.#failing = undefined;
      if (text) return text;
    } catch (error) {
      return this.#failed(error);
    }
    const now = this.#deps.world.monotonic();
    if (await this.#newsBy(Math.min(this.#quietUntil, this.#leaseUntil) - now)) return undefined;
    return this.#deps.world.monotonic() >= this.#quietUntil
      ? { text: KEEP_ALIVE, done: false }
      : undefined;
  }

  /** The next page as text; undefined when the reader has all there is and the lease holds. */
  async #read(): Promise<Text | undefined> {
    const { store, world, checkLease } = this.#deps;
    const { chatId, run } = this.#options;
    for (;;) {
      const page = await store.readLog(chatId, run.id, this.#position, PAGE);
      if (page.state === 'gone') throw new LogGone();
      const text = page.entries
        .map((entry, at) =>
          isSent(entry, this.#position + at, this.#options) ? frame(entry.json) : '',
        )
        .join('');
      this.#position += page.entries.length;
      if (page.state === 'complete') return { text: text + DONE, done: true };
      if (text !== '') return { text, done: false };
      if (page.entries.length > 0) continue;
      if (world.monotonic() < this.#leaseUntil || this.#news) return undefined;
      const latest = await checkLease(chatId);
      const left = latest?.id === run.id && latest.status === 'active' ? latest.leaseLeftMs : 0;
      // The check that found the run lost has ended it: the log says so.
      this.#leaseUntil = world.monotonic() + Math.max(left, LEAST_LEASE_MS);
      if (left > 0) return undefined;
    }
  }

  async #failed(error: unknown): Promise<Text> {
    const { world, report, leaseMs } = this.#deps;
    const { chatId, run } = this.#options;
    if (error instanceof LogGone) throw error;
    const now = world.monotonic();
    if (!this.#failing) report(error, { chatId, runId: run.id });
    this.#failing ??= { since: now, wait: storeBackoff() };
    if (now - this.#failing.since >= leaseMs) throw error;
    this.#news = false;
    await this.#newsBy(this.#failing.wait());
    return { text: KEEP_ALIVE, done: false };
  }

  /** Waits at most so many ms; true when something happened, false after a silence. */
  #newsBy(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (happened: boolean) => {
        cancel();
        this.#wake = undefined;
        resolve(happened);
      };
      const cancel = this.#deps.world.after(ms, () => settle(false));
      this.#wake = () => settle(true);
      if (this.#news || this.left) settle(true);
    });
  }
}

/** A newer run has taken the log's place, or it is not kept any more: the reader comes again and finds the transcript. */
class LogGone extends Error {}

function isSent(entry: LogEntry, at: number, options: EventStreamOptions): boolean {
  if (at >= options.replayTo) return entry.kind !== 'prefix';
  if (entry.kind === 'transient') return false;
  // As it was when the reader came: what is superseded later was read before, and ends with a trigger.
  return !options.run.superseded.some(([from, to]) => at >= from && at < to);
}

function frame(json: string): string {
  return `data: ${json}\n\n`;
}

/** A stream that its reader cancelled while a page was being read is closed already. */
function closeQuietly(controller: ReadableStreamDefaultController<Uint8Array>): void {
  try {
    controller.close();
  } catch {}
}
