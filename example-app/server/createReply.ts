import { convertToModelMessages, type LanguageModel, streamText, type UIMessage } from 'ai';
import { mapVercelError, type Reply } from 'helix-chat/server';
import { readFiles } from './readFiles.ts';

/** Answers a conversation by the AI SDK's `streamText`. What the provider fails with is thrown as a typed error. */
export function createReply(model: LanguageModel): Reply {
  return async function* reply({ messages, signal }) {
    let failure: unknown;
    const result = streamText({
      model,
      messages: await convertToModelMessages(readFiles(messages as UIMessage[])),
      abortSignal: signal,
      maxRetries: 0,
      onError: ({ error }) => {
        failure = error;
      },
    });
    for await (const chunk of result.toUIMessageStream()) {
      if (chunk.type === 'error') throw mapVercelError(failure ?? new Error(chunk.errorText));
      yield chunk;
    }
  };
}
