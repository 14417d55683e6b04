import type { Answer } from './providerServer.ts';
import { events } from './providerServer.ts';

/** A part of a model call's stream, as far as these tests look at it. */
interface Part {
  readonly type: string;
  readonly text?: string;
  /** Of a part that says why the stream was aborted. */
  readonly reason?: string;
}

interface CallOptions {
  readonly model: unknown;
  readonly prompt: string;
  /** Said, because Anthropic's package warns where it has to guess. */
  readonly maxOutputTokens: number;
  readonly maxRetries: number;
  readonly abortSignal?: AbortSignal;
  /** The SDK's own limit of time, in ms. */
  readonly timeout?: number;
  readonly onError?: (event: { error: unknown }) => void;
}

type Given = 'prompt' | 'maxOutputTokens' | 'maxRetries';

/** As much of `ai` as is used here, the same on both majors. */
interface Ai {
  streamText(options: CallOptions): { readonly fullStream: AsyncIterable<Part> };
  generateText(options: Omit<CallOptions, 'onError'>): Promise<{ readonly text: string }>;
}

interface Settings {
  readonly apiKey: string;
  readonly baseURL: string;
  readonly fetch: typeof globalThis.fetch | undefined;
}

type Make = (settings: Settings) => (id: string) => Model;
type MakeOpenAI = (settings: Settings) => ((id: string) => Model) & { chat(id: string): Model };

/** A model object of either interface version. */
export interface Model {
  readonly provider: string;
  readonly modelId: string;
  doStream(options: never): PromiseLike<{ readonly stream: ReadableStream<unknown> }>;
  doGenerate(options: never): PromiseLike<unknown>;
}

/** One major of the SDK with its provider packages. */
export interface Sdk {
  readonly major: 6 | 7;
  readonly ai: Ai;
  readonly providers: readonly Provider[];
}

export interface Provider {
  readonly name: 'openai.chat' | 'openai.responses' | 'anthropic' | 'google';
  model(url: string, fetch?: typeof globalThis.fetch): Model;
  /** A reply in a stream of events, and its beginning up to the first word. */
  readonly begin: string;
  readonly rest: string;
  /** Comes before anything is said. */
  readonly preamble: string;
  /** An error in a stream that has begun. */
  readonly streamError: string;
  /** The body of a refusal. */
  refusal(status: number, text: string): unknown;
}

export const API_KEY = 'sk-live-abcdefgh12345678';

const sse = (data: unknown, event?: string) =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;

const chat = (delta: object, finish: string | null = null) =>
  sse({
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });

const anthropic = (data: { type: string; [field: string]: unknown }) => sse(data, data.type);

const gemini = (text: string, finishReason?: string) =>
  sse({ candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason }] });

/** What each provider sends, by its own documents. */
function providersOf(make: {
  openai: MakeOpenAI;
  anthropic: Make;
  google: Make;
}): readonly Provider[] {
  const settings = (baseURL: string, fetch?: typeof globalThis.fetch) => ({
    apiKey: API_KEY,
    baseURL,
    fetch,
  });
  const openaiRefusal = (status: number, message: string) => ({
    error: { message, type: 'some_error', param: null, code: `code_${status}` },
  });
  return [
    {
      name: 'openai.chat',
      model: (url, fetch) => make.openai(settings(url, fetch)).chat('m'),
      preamble: chat({ role: 'assistant', content: '' }),
      begin: chat({ role: 'assistant', content: '' }) + chat({ content: 'Hel' }),
      rest: `${chat({ content: 'lo' })}${chat({}, 'stop')}data: [DONE]\n\n`,
      streamError: sse({ error: { message: 'Too full', type: 'server_error', code: null } }),
      refusal: openaiRefusal,
    },
    {
      name: 'openai.responses',
      model: (url, fetch) => make.openai(settings(url, fetch))('m'),
      preamble: sse({
        type: 'response.created',
        response: { id: 'r1', created_at: 1, model: 'm', service_tier: null },
      }),
      begin:
        sse({
          type: 'response.created',
          response: { id: 'r1', created_at: 1, model: 'm', service_tier: null },
        }) +
        sse({
          type: 'response.output_item.added',
          output_index: 0,
          item: { type: 'message', id: 'i1' },
        }) +
        sse({
          type: 'response.output_text.delta',
          item_id: 'i1',
          delta: 'Hel',
          output_index: 0,
          content_index: 0,
        }),
      rest: '',
      streamError: sse({
        type: 'error',
        sequence_number: 3,
        error: { type: 'server_error', code: 'server_error', message: 'Too full', param: null },
      }),
      refusal: openaiRefusal,
    },
    {
      name: 'anthropic',
      model: (url, fetch) => make.anthropic(settings(url, fetch))('m'),
      preamble: anthropic({
        type: 'message_start',
        message: {
          id: 'm1',
          type: 'message',
          role: 'assistant',
          model: 'm',
          content: [],
          stop_reason: null,
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      }),
      begin:
        anthropic({
          type: 'message_start',
          message: {
            id: 'm1',
            type: 'message',
            role: 'assistant',
            model: 'm',
            content: [],
            stop_reason: null,
            usage: { input_tokens: 1, output_tokens: 1 },
          },
        }) +
        anthropic({
          type: 'content_block_start',
          index: 0,
          content_block: { type: 'text', text: '' },
        }) +
        anthropic({
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'text_delta', text: 'Hel' },
        }),
      rest:
        anthropic({
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'text_delta', text: 'lo' },
        }) +
        anthropic({ type: 'content_block_stop', index: 0 }) +
        anthropic({
          type: 'message_delta',
          delta: { stop_reason: 'end_turn', stop_sequence: null },
          usage: { output_tokens: 2 },
        }) +
        anthropic({ type: 'message_stop' }),
      streamError: anthropic({
        type: 'error',
        error: { type: 'overloaded_error', message: 'Too full' },
      }),
      refusal: (_status, message) => ({ type: 'error', error: { type: 'some_error', message } }),
    },
    {
      name: 'google',
      model: (url, fetch) => make.google(settings(url, fetch))('m'),
      preamble: sse({ usageMetadata: { promptTokenCount: 1 } }),
      begin: gemini('Hel'),
      rest: gemini('lo', 'STOP'),
      streamError: sse({ error: { code: 503, message: 'Too full', status: 'UNAVAILABLE' } }),
      refusal: (status, message) => ({ error: { code: status, message, status: 'SOME' } }),
    },
  ];
}

const AI_7 = new URL(
  '../../../node_modules/ai-sdk-react-v4/node_modules/ai/dist/index.js',
  import.meta.url,
).href;

// Structurally, so that one test runs both majors.
async function load<T>(name: string): Promise<T> {
  return (await import(/* @vite-ignore */ name)) as T;
}

async function loadSdk(major: 6 | 7): Promise<Sdk> {
  const names =
    major === 6
      ? (['ai', '@ai-sdk/openai', '@ai-sdk/anthropic', '@ai-sdk/google'] as const)
      : ([AI_7, 'ai-sdk-openai-v4', 'ai-sdk-anthropic-v4', 'ai-sdk-google-v4'] as const);
  const [ai, openai, anthropicPackage, google] = await Promise.all([
    load<Ai>(names[0]),
    load<{ createOpenAI: MakeOpenAI }>(names[1]),
    load<{ createAnthropic: Make }>(names[2]),
    load<{ createGoogleGenerativeAI: Make }>(names[3]),
  ]);
  return {
    major,
    ai,
    providers: providersOf({
      openai: openai.createOpenAI,
      anthropic: anthropicPackage.createAnthropic,
      google: google.createGoogleGenerativeAI,
    }),
  };
}

export const sdks: readonly Sdk[] = await Promise.all([loadSdk(6), loadSdk(7)]);

/** Each provider on each major, for tables. */
export const providers = sdks.flatMap((sdk) =>
  sdk.providers.map((provider) => [`ai ${sdk.major}, ${provider.name}`, sdk, provider] as const),
);

/** A whole reply in a stream. */
export const reply = ({ begin, rest }: Provider): Answer => events(begin + rest);

/** What a streamed call gave, and what it failed with. */
export async function streamed(
  { ai }: Sdk,
  options: Omit<CallOptions, Given> & { readonly maxRetries?: number },
): Promise<{
  readonly error: unknown;
  readonly text: string;
  readonly types: readonly string[];
  /** The part that ended the stream, where it was aborted. */
  readonly aborted: unknown;
}> {
  const errors: unknown[] = [];
  const types: string[] = [];
  let text = '';
  let aborted: unknown;
  const { fullStream } = ai.streamText({
    prompt: 'Hi',
    maxOutputTokens: 10,
    maxRetries: 0,
    onError: ({ error }) => errors.push(error),
    ...options,
  });
  try {
    for await (const part of fullStream) {
      types.push(part.type);
      if (part.type === 'abort') aborted = part;
      if (part.type === 'text-delta') text += part.text ?? '';
    }
  } catch (error) {
    errors.push(error);
  }
  return { error: errors[0], text, types, aborted };
}

/** What a whole call failed with. */
export async function generated(
  { ai }: Sdk,
  options: Omit<CallOptions, Given | 'onError'> & {
    readonly maxRetries?: number;
  },
): Promise<unknown> {
  try {
    await ai.generateText({ prompt: 'Hi', maxOutputTokens: 10, maxRetries: 0, ...options });
  } catch (error) {
    return error;
  }
  throw new Error('It did not fail.');
}
