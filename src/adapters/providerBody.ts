import type { ErrorAdapter } from '../errors/toHelixError.ts';
import { firstReading, readEventTexts, readFrames } from './candidates.ts';
import { readFacts } from './providerShapes.ts';
import { judgeProvider, type ProviderAnswer } from './providerVerdict.ts';

/**
 * The bodies and stream frames of model providers, as a thin proxy lets them through or a client library keeps them:
 * OpenAI, Anthropic, Gemini, Mistral, Bedrock, Azure OpenAI, OpenRouter, Groq. No text of a body is kept.
 */
export const providerBodyAdapter: ErrorAdapter = (thrown, { now }) => {
  const read = (value: unknown, { status, headers }: Omit<ProviderAnswer, 'now'>) => {
    const facts = readFacts(value, { status, headers });
    return facts && judgeProvider(facts, { status, headers, now });
  };
  const found = firstReading(thrown, ({ value, status, headers }) =>
    read(value, { status, headers }),
  );
  if (found !== undefined) return found;
  for (const { text, status, headers } of readEventTexts(thrown)) {
    for (const frame of readFrames(text)) {
      const init = read(frame, { status, headers });
      if (init !== undefined) return init;
    }
  }
  return undefined;
};
