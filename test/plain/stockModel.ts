import type { LanguageModel } from 'ai';
import type { ManualWorld } from 'helix-chat/testing';

type ModelV3 = Extract<LanguageModel, { specificationVersion: 'v3' }>;
type StreamPart =
  Awaited<ReturnType<ModelV3['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never;

/** What one call of the model is like. Everything left out is the usual: all words, one after the other. */
export interface ModelPlan {
  /** It fails after so many words. */
  readonly failsAfter?: number;
  /** It says nothing at all. */
  readonly silent?: boolean;
  /** Ms of silence after the fifth word. */
  readonly pauseMs?: number;
}

/** What the model answers, whatever it is asked. */
export const REPLY = 'A helix is a curve that turns around an axis at a constant angle';
/** The first five words of the reply. */
export const FIVE_WORDS = REPLY.split(' ').slice(0, 5).join(' ');

const WORD_MS = 40;
const none = { total: 0, noCache: 0, cacheRead: undefined, cacheWrite: undefined };

/** A language model as the AI SDK's `streamText` takes it, on the test's clock. Each call takes the next plan. */
export function createStockModel(
  world: ManualWorld,
  nextPlan: () => ModelPlan,
): ModelV3 & { readonly calls: number } {
  let calls = 0;
  const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const cancel = world.after(ms, () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      });
      const stop = () => {
        cancel();
        reject(signal?.reason);
      };
      if (signal?.aborted) stop();
      else signal?.addEventListener('abort', stop, { once: true });
    });

  async function* parts(
    plan: ModelPlan,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<StreamPart> {
    yield { type: 'stream-start', warnings: [] };
    if (!plan.silent) {
      yield { type: 'text-start', id: 't' };
      for (const [index, word] of REPLY.split(' ').entries()) {
        await pause(WORD_MS, signal);
        if (index === plan.failsAfter) {
          yield { type: 'error', error: new Error('model exploded at /srv/app.ts:12') };
          return;
        }
        if (index === 5 && plan.pauseMs !== undefined) await pause(plan.pauseMs, signal);
        yield { type: 'text-delta', id: 't', delta: index === 0 ? word : ` ${word}` };
      }
      yield { type: 'text-end', id: 't' };
    }
    yield {
      type: 'finish',
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: { inputTokens: none, outputTokens: { total: 0, text: 0, reasoning: undefined } },
    };
  }

  return {
    specificationVersion: 'v3',
    provider: 'stock',
    modelId: 'stock',
    supportedUrls: {},
    get calls() {
      return calls;
    },
    doGenerate: () => Promise.reject(new Error('This model only streams.')),
    async doStream({ abortSignal }) {
      calls += 1;
      const source = parts(nextPlan(), abortSignal);
      return {
        stream: new ReadableStream<StreamPart>(
          {
            async pull(controller) {
              try {
                const next = await source.next();
                if (next.done) controller.close();
                else controller.enqueue(next.value);
              } catch (reason) {
                controller.error(reason);
              }
            },
            async cancel() {
              await source.return(undefined);
            },
          },
          { highWaterMark: 0 },
        ),
      };
    },
  };
}
