import { HelixError } from '../errors/HelixError.ts';
import { classifiedCause } from '../errors/resolveErrorDetail.ts';
import type { StepRetryPolicy } from '../errors/stepRetry.ts';
import type { ErrorAdapter } from '../errors/toHelixError.ts';
import type { HelixChatErrorBody } from '../protocol/errorBody.ts';
import { type ErrorEvent, parseErrorEvent } from '../protocol/errorEvent.ts';
import { present } from '../protocol/present.ts';
import { attemptSupersededPart, isTransientControlPart } from '../protocol/triggers.ts';
import type { World } from '../world.ts';
import { adaptError, typedErrorBody } from './chatErrorResponse.ts';
import { createInterrupt, type Interrupt } from './interrupt.ts';
import { type KeptRun, keepRun, StoreFailure, type Word } from './keepRun.ts';
import { mapVercelError } from './mapVercelError.ts';
import { type Chunk, createReplyMessage, type ReplyMessage } from './replyMessage.ts';
import { type ReplySource, readSource, type SourceReader } from './replySource.ts';
import type { ChatStore, LogEntry, RunChange, StoredMessage } from './store/chatStore.ts';
import { errorChunks } from './writeErrorChunk.ts';

/** What a host's `reply` is told about one model attempt. */
export interface ReplyContext {
  readonly chatId: string;
  /** The transcript, and last in it what this run has committed of its reply, if anything. The host's own copy. */
  readonly messages: StoredMessage[];
  readonly trigger: 'submit-message' | 'regenerate-message' | 'retry';
  /** Id of the assistant message that is being written. */
  readonly messageId: string;
  readonly runId: string;
  readonly attemptId: string;
  /** Counted from 1. */
  readonly attempt: number;
  /** Aborted when nobody wants the rest: a stop, a lost lease, a failed attempt. Never because a browser left. */
  readonly signal: AbortSignal;
}

/** Gives the reply: what `streamText` gives, or UI message chunks. What it throws or yields as an error event fails the attempt. */
export type Reply = (context: ReplyContext) => ReplySource | Promise<ReplySource>;

/** What every run of a route shares. */
export interface RunDeps {
  readonly store: ChatStore;
  readonly world: World;
  readonly reply: Reply;
  readonly leaseMs: number;
  readonly stepRetry: StepRetryPolicy;
  readonly adapters: readonly ErrorAdapter[] | undefined;
  readonly exposeDetail: boolean;
  /** Tells the host's developer. Never throws. */
  readonly report: (error: unknown, where: { chatId: string; runId: string }) => void;
  readonly createId: (prefix: string) => string;
}

/** A run that the store has just started. */
export interface StartedRun {
  readonly chatId: string;
  readonly runId: string;
  readonly attemptId: string;
  readonly replyId: string;
  readonly trigger: ReplyContext['trigger'];
  /** The transcript, without the message that the run goes on with. */
  readonly messages: readonly StoredMessage[];
  readonly continued: StoredMessage | undefined;
}

type Outcome =
  | { readonly kind: 'done'; readonly finish: Chunk }
  | { readonly kind: 'aborted'; readonly abort: Chunk }
  | { readonly kind: 'failed'; readonly error: HelixError }
  | { readonly kind: 'left'; readonly word: Word };

/**
 * Runs a reply to its end: calls the host, writes the log, commits finished steps, retries a failed model call, keeps
 * the lease, obeys a stop. It does not care whether anybody reads. Never rejects.
 */
export async function driveRun(deps: RunDeps, run: StartedRun): Promise<void> {
  const interrupt = createInterrupt<Word>();
  const kept = keepRun(deps, run, interrupt);
  try {
    await new Drive(deps, run, interrupt, kept).toEnd();
  } catch (error) {
    // The store failed us for as long as the lease lasts. If it can again, the run is ended; else the next reader ends it.
    deps.report(error, run);
    const lost = new HelixError({ code: 'framework_internal_error', cause: error });
    const { chatId, runId } = run;
    await deps.store.write(chatId, runId, failureChange(deps, runId, lost)).catch(() => {});
  } finally {
    kept.leave();
  }
}

/** One run on its way, with the reply as it stands. */
class Drive {
  readonly #deps: RunDeps;
  readonly #run: StartedRun;
  readonly #interrupt: Interrupt<Word>;
  readonly #kept: KeptRun;
  readonly #reply: ReplyMessage;
  #attemptId: string;
  #steps = 0;

  constructor(deps: RunDeps, run: StartedRun, interrupt: Interrupt<Word>, kept: KeptRun) {
    this.#deps = deps;
    this.#run = run;
    this.#interrupt = interrupt;
    this.#kept = kept;
    this.#reply = createReplyMessage(run.replyId, run.continued);
    this.#attemptId = run.attemptId;
  }

  async toEnd(): Promise<void> {
    const { limit } = this.#deps.stepRetry;
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#attempt(attempt);
      const again =
        outcome.kind === 'failed' && outcome.error.retryable === true && attempt <= limit;
      if (!again) return this.#end(outcome);
      const word = await this.#supersede(attempt);
      if (word) return this.#end({ kind: 'left', word });
    }
  }

  /** One model attempt. Whatever it ends with, the host's source is left and its signal aborted. */
  async #attempt(attempt: number): Promise<Outcome> {
    const controller = new AbortController();
    let source: SourceReader | undefined;
    try {
      const opening = await this.#interrupt.race(this.#open(attempt, controller.signal));
      if ('word' in opening) return { kind: 'left', word: opening.word };
      source = opening.value;
      return await this.#read(source);
    } catch (error) {
      if (isStoreFailure(error)) throw error.cause;
      this.#deps.report(error, this.#run);
      return { kind: 'failed', error: this.#failureOf(error, source) };
    } finally {
      controller.abort();
      source?.leave();
    }
  }

  async #open(attempt: number, signal: AbortSignal): Promise<SourceReader> {
    const { chatId, runId, trigger, replyId, messages } = this.#run;
    const committed = this.#reply.hasContent() ? [this.#reply.read()] : [];
    const source = await this.#deps.reply({
      chatId,
      messages: structuredClone([...messages, ...committed]),
      trigger,
      messageId: replyId,
      runId,
      attemptId: this.#attemptId,
      attempt,
      signal,
    });
    return readSource(source);
  }

  async #read(source: SourceReader): Promise<Outcome> {
    // The terminal chunk goes out last, together with the end of the run: who sees it finds the run ended.
    let finish: Chunk = { type: 'finish' };
    for (;;) {
      const step = await this.#interrupt.race(source.next());
      if ('word' in step) return { kind: 'left', word: step.word };
      if (step.value.done) return { kind: 'done', finish };
      const chunk = plainChunk(step.value.value);
      const event = chunk && parseErrorEvent(chunk);
      if (event) return { kind: 'failed', error: errorOfEvent(event) };
      if (chunk?.type === 'abort') return aborted(chunk);
      if (chunk?.type === 'finish') finish = chunk;
      const taken = chunk !== undefined && this.#reply.add(chunk);
      if (!taken) this.#reportChunk(chunk);
      else if (chunk.type !== 'finish') await this.#log(chunk);
    }
  }

  async #log(chunk: Chunk): Promise<void> {
    if (chunk.type === 'start') {
      // The run has written its own `start`, with the id that the transcript uses.
      const added = chunk.messageMetadata;
      if (added == null) return;
      return this.#log({ type: 'message-metadata', messageMetadata: added });
    }
    if (chunk.type === 'reset-step') return this.#resetStep(chunk);
    const transient = chunk.transient === true || isTransientControlPart(chunk.type);
    const entries = [entry(transient ? 'transient' : 'content', chunk)];
    if (chunk.type !== 'finish-step') return this.#kept.write({ entries });
    this.#steps += 1;
    this.#reply.commit();
    const reply = this.#reply.hasContent() ? { reply: this.#reply.read() } : {};
    await this.#kept.write({ entries, ...reply, commit: true });
  }

  /** The host restarts a step by itself: who reads along is told, who comes later never sees the first try. */
  async #resetStep(chunk: Chunk): Promise<void> {
    await this.#kept.write({
      supersede: true,
      entries: [entry('transient', chunk), entry('prefix', { type: 'start-step' })],
    });
  }

  /** Throws the failed attempt away and waits for the next; a word that ends the wait is given back. */
  async #supersede(attempt: number): Promise<Word | undefined> {
    const { world, createId } = this.#deps;
    const supersededAttemptId = this.#attemptId;
    this.#attemptId = createId('att');
    this.#reply.rollback();
    const trigger = attemptSupersededPart({
      runId: this.#run.runId,
      step: this.#steps + 1,
      supersededAttemptId,
      attemptId: this.#attemptId,
    });
    await this.#kept.write({
      supersede: true,
      attemptId: this.#attemptId,
      entries: [entry('transient', trigger)],
    });
    let cancel = () => {};
    const delay = new Promise<void>((resolve) => {
      cancel = world.after(delayOf(this.#deps.stepRetry, attempt), resolve);
    });
    const waited = await this.#interrupt.race(delay);
    cancel();
    return 'word' in waited ? waited.word : undefined;
  }

  async #end(outcome: Outcome): Promise<void> {
    switch (outcome.kind) {
      case 'done':
        await this.#finish(outcome.finish, this.#reply.waitsForAnswer() ? 'paused' : 'ended');
        return;
      case 'aborted':
        await this.#finish(outcome.abort, 'interrupted');
        return;
      case 'failed':
        await this.#fail(outcome.error);
        return;
      case 'left':
        await this.#leave(outcome.word);
    }
  }

  async #leave(word: Word): Promise<void> {
    if (word.kind === 'fenced') return;
    if (word.mode === 'interrupt') return this.#finish({ type: 'abort' }, 'interrupted');
    await this.#fail(new HelixError({ code: 'framework_cancelled' }));
  }

  #fail(error: HelixError): Promise<void> {
    return this.#kept.write(failureChange(this.#deps, this.#run.runId, error));
  }

  async #finish(chunk: Chunk, status: 'ended' | 'paused' | 'interrupted'): Promise<void> {
    // A reply of nothing is no message: a model refuses a history with an empty one.
    const reply = this.#reply.hasContent() ? { reply: this.#reply.read() } : {};
    const { finishReason } = chunk;
    const why = typeof finishReason === 'string' ? { finishReason } : {};
    const end = { status, ...why };
    await this.#kept.write({ entries: [entry('end', chunk)], ...reply, end });
  }

  #failureOf(thrown: unknown, source: SourceReader | undefined): HelixError {
    const { adapters, world } = this.#deps;
    if (HelixError.isInstance(thrown)) return thrown;
    const known =
      adaptError(thrown, adapters, world.now()) ??
      source?.typed?.(thrown) ??
      classifiedCause(thrown);
    // A failure that nobody can name has no code: it may be deterministic, so nothing repeats it.
    return known ?? new HelixError({ cause: thrown });
  }

  #reportChunk(chunk: Chunk | undefined): void {
    const what = chunk ? `a "${chunk.type}" chunk without its start` : 'a value that is no chunk';
    const error = new Error(
      `[helix-chat] \`reply\` gave ${what}. It was left out, because a client would take the stream for broken. ` +
        'Give UI message chunks in the order in which the AI SDK makes them.',
    );
    this.#deps.report(error, this.#run);
  }
}

// A proxy that a host throws may throw when it is asked what it is.
function isStoreFailure(error: unknown): error is StoreFailure {
  try {
    return error instanceof StoreFailure;
  } catch {
    return false;
  }
}

/** What ends a run as failed: one error event for those who read along, a typed body for the snapshot. */
export function failureChange(
  deps: Pick<RunDeps, 'exposeDetail'>,
  runId: string,
  error: HelixError,
): RunChange {
  const chunks = errorChunks(error, { runId, exposeDetail: deps.exposeDetail });
  const body = storedError(error, runId, deps.exposeDetail);
  return {
    supersede: true,
    entries: chunks.map((chunk) => entry('end', chunk)),
    end: { status: 'failed', ...present({ error: body }) },
  };
}

/** Undefined for a failure without a code: there is nothing typed to say about it. */
function storedError(
  error: HelixError,
  runId: string,
  exposeDetail: boolean,
): HelixChatErrorBody | undefined {
  if (error.code === undefined) return undefined;
  const { retryable, category } = error;
  return { ...typedErrorBody(error, { exposeDetail }), category, retryable, runId };
}

/** A line of the log. */
export function entry(kind: LogEntry['kind'], chunk: object): LogEntry {
  return { kind, json: JSON.stringify(chunk) };
}

/** A chunk as a client will read it: through JSON and back, so that both build the same message. */
function plainChunk(value: unknown): Chunk | undefined {
  try {
    const plain: unknown = JSON.parse(JSON.stringify(value));
    const sound =
      typeof plain === 'object' && plain !== null && typeof (plain as Chunk).type === 'string';
    return sound ? (plain as Chunk) : undefined;
  } catch {
    return undefined;
  }
}

/** A reply that the host ended by itself is a stopped one, unless its own limit of time ended it. */
function aborted(abort: Chunk): Outcome {
  const error = mapVercelError(abort);
  return error.code === 'provider_timeout' ? { kind: 'failed', error } : { kind: 'aborted', abort };
}

/** The typed error that an error event of the host's stream stands for. */
function errorOfEvent(event: ErrorEvent): HelixError {
  const { code, category, retryable, retryAfterMs, cause, wireCode, text } = event;
  return new HelixError({
    code,
    category,
    retryable,
    retryAfterMs,
    reason: cause,
    wireCode,
    detail: event.detail ?? text,
    serverMessage: text,
  });
}

function delayOf(policy: StepRetryPolicy, attempt: number): number {
  return policy.backoff === 'exponential' ? policy.delayMs * 2 ** (attempt - 1) : policy.delayMs;
}
