import { runPart } from '../protocol/triggers.ts';
import type { World } from '../world.ts';
import type { ChatStore, LogEntry, RunRecord } from './store/chatStore.ts';

/** What a stream of a run reads from and reports to. `keepAliveMs` is in ms. */
export interface EventStreamDeps {
  readonly store: ChatStore;
  readonly world: World;
  readonly keepAliveMs: number;
  /** Called after each silence of `keepAliveMs`: ends a run whose lease has lapsed. */
  readonly checkLease: (chatId: string) => Promise<unknown>;
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
const KEEP_ALIVE = ': keep-alive\n\n';

/** A run's log as server-sent events: whose run it is, what was said, what is being said, and a comment line in every silence. */
export function openEventStream(
  deps: EventStreamDeps,
  options: EventStreamOptions,
): ReadableStream<Uint8Array> {
  const { store, world, keepAliveMs, report } = deps;
  const { chatId, run, signal } = options;
  const encoder = new TextEncoder();
  let position = 0;
  let begun = false;
  let left = false;
  let news = false;
  let wake: (() => void) | undefined;
  let unsubscribe = () => {};

  const leave = () => {
    left = true;
    unsubscribe();
    signal?.removeEventListener('abort', leave);
    wake?.();
  };
  const begin = () => {
    begun = true;
    unsubscribe = store.subscribe(chatId, () => {
      news = true;
      wake?.();
    });
    signal?.addEventListener('abort', leave);
    if (signal?.aborted) leave();
    return frame(JSON.stringify(runPart({ runId: run.id, attemptId: run.attemptId })));
  };
  /** True when something happened, false after a silence. */
  const waitForNews = () =>
    new Promise<boolean>((resolve) => {
      const cancel = world.after(keepAliveMs, () => settle(false));
      const settle = (happened: boolean) => {
        cancel();
        wake = undefined;
        resolve(happened);
      };
      wake = () => settle(true);
      if (news || left) settle(true);
    });
  /** The next text to send; `done` after the last. */
  const next = async (): Promise<{ text: string; done: boolean }> => {
    for (;;) {
      news = false;
      const page = await store.readLog(chatId, run.id, position, PAGE);
      const text = page.entries
        .map((entry, at) => (isSent(entry, position + at, options) ? frame(entry.json) : ''))
        .join('');
      position += page.entries.length;
      if (page.complete) return { text: text + DONE, done: true };
      if (text !== '') return { text, done: false };
      if (page.entries.length > 0) continue;
      const happened = await waitForNews();
      if (left) return { text: '', done: true };
      if (happened) continue;
      await deps.checkLease(chatId);
      return { text: KEEP_ALIVE, done: false };
    }
  };

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!begun) {
          controller.enqueue(encoder.encode(begin()));
          return;
        }
        try {
          const { text, done } = left ? { text: '', done: true } : await next();
          if (text !== '' && !left) controller.enqueue(encoder.encode(text));
          if (!done) return;
          leave();
          closeQuietly(controller);
        } catch (error) {
          leave();
          report(error, { chatId, runId: run.id });
          controller.error(new TypeError('The stream broke off.'));
        }
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
}

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
