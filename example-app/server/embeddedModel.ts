import type { LanguageModel } from 'ai';
import { attachedMark } from './readFiles.ts';
import { writeAnswer } from './writeAnswer.ts';

type ModelV3 = Extract<LanguageModel, { specificationVersion: 'v3' }>;
type CallOptions = Parameters<ModelV3['doStream']>[0];
type StreamPart =
  Awaited<ReturnType<ModelV3['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never;

const textId = 'text';

/** The last thing that the person wrote, and how often the person has written. */
function readPrompt({ prompt }: CallOptions) {
  const turns = prompt.filter((message) => message.role === 'user');
  const parts = turns.at(-1)?.content ?? [];
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return {
    question: texts.filter((text) => !text.startsWith(attachedMark)).join(' '),
    attached: texts.filter((text) => text.startsWith(attachedMark)),
    turn: turns.length,
  };
}

/** Counted in words: a figure for the log, not for a bill. */
function usageOf(asked: string, answered: string) {
  const words = (text: string) => text.split(/\s+/).filter(Boolean).length;
  const input = words(asked);
  const output = words(answered);
  return {
    inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: output, text: output, reasoning: undefined },
  };
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

async function* speak(answer: string, wordMs: number, signal: AbortSignal | undefined) {
  for (const word of answer.match(/\s*\S+/g) ?? []) {
    await pause(wordMs, signal);
    yield word;
  }
}

function streamOf<P>(parts: AsyncGenerator<P>): ReadableStream<P> {
  return new ReadableStream<P>({
    async pull(controller) {
      const next = await parts.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}

/**
 * A language model that lives in this process: no key, no network. It answers in whole sentences, a word each `wordMs`
 * ms, the same words for the same question; asked the same again, it says it another way.
 */
export function createEmbeddedModel(wordMs = 40): ModelV3 {
  const asked = new Map<string, number>();

  function answerTo(options: CallOptions) {
    const prompt = readPrompt(options);
    const key = JSON.stringify(prompt);
    const times = asked.get(key) ?? 0;
    asked.set(key, times + 1);
    return { text: writeAnswer({ ...prompt, times }), prompt };
  }

  return {
    specificationVersion: 'v3',
    provider: 'helix-example',
    modelId: 'embedded',
    supportedUrls: {},
    async doGenerate(options) {
      const { text, prompt } = answerTo(options);
      return {
        content: [{ type: 'text', text }],
        finishReason: { unified: 'stop', raw: 'stop' },
        usage: usageOf(prompt.question, text),
        warnings: [],
      };
    },
    async doStream(options) {
      const { text, prompt } = answerTo(options);
      async function* parts(): AsyncGenerator<StreamPart> {
        yield { type: 'stream-start', warnings: [] };
        yield { type: 'text-start', id: textId };
        for await (const delta of speak(text, wordMs, options.abortSignal)) {
          yield { type: 'text-delta', id: textId, delta };
        }
        yield { type: 'text-end', id: textId };
        yield {
          type: 'finish',
          finishReason: { unified: 'stop', raw: 'stop' },
          usage: usageOf(prompt.question, text),
        };
      }
      return { stream: streamOf(parts()) };
    },
  };
}
