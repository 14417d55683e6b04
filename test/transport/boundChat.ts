import type { UIMessage, UIMessageChunk } from 'ai';
import { createManualWorld } from '../../src/testing/manualWorld.ts';
import type { BindSettings, BoundTransport } from '../../src/transport/boundTransport.ts';
import { HelixChatTransport } from '../../src/transport/HelixChatTransport.ts';
import type { HelixChatTransportOptions } from '../../src/transport/transportOptions.ts';
import { createScriptedHost, type ScriptedHost } from './scriptedHost.ts';

export const question: UIMessage = {
  id: 'q1',
  role: 'user',
  parts: [{ type: 'text', text: 'Hello?' }],
};

/** A transport bound to chat `c1`, with a host, a world, and a list of developer notes. */
export function createBoundChat(
  options: HelixChatTransportOptions<UIMessage>,
  scripted: ScriptedHost = createScriptedHost(),
  settings: Partial<BindSettings> = {},
  make: (options: HelixChatTransportOptions<UIMessage>) => HelixChatTransport = (given) =>
    new HelixChatTransport(given),
) {
  const world = createManualWorld({ origin: 'https://app.test' });
  const notes: string[] = [];
  const transport = make(options);
  const bound = transport.bind({
    chatId: 'c1',
    host: scripted.host,
    settings: { world, onDeveloperNote: (text) => notes.push(text), ...settings },
  });
  return { ...scripted, world, notes, transport, bound };
}

/** One send of `question` on a bound transport. */
export function send(
  bound: BoundTransport,
  more: Partial<Parameters<BoundTransport['sendMessages']>[0]> = {},
): Promise<ReadableStream<UIMessageChunk>> {
  return bound.sendMessages({
    trigger: 'submit-message',
    chatId: 'c1',
    messageId: undefined,
    messages: [question],
    abortSignal: undefined,
    ...more,
  });
}

/** What a stream gives until it ends, and what it ends with. */
export async function readAll(
  stream: ReadableStream<UIMessageChunk>,
): Promise<{ readonly chunks: readonly UIMessageChunk[]; readonly error: unknown }> {
  const chunks: UIMessageChunk[] = [];
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { chunks, error: undefined };
      chunks.push(value);
    }
  } catch (error) {
    return { chunks, error };
  }
}

/** The text of all text deltas. */
export function textOf(chunks: readonly UIMessageChunk[]): string {
  return chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.delta : '')).join('');
}

/** What a promise rejects with. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('It did not reject.');
}
