import { createOpenAI } from '@ai-sdk/openai';
import type { LanguageModel } from 'ai';
import { createEmbeddedModel } from './embeddedModel.ts';

/** The environment that the server reads. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** OpenAI, or what speaks its protocol at `OPENAI_BASE_URL`, where `OPENAI_API_KEY` is set; else the embedded model. */
export function chooseModel(environment: Environment): LanguageModel {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseURL, OPENAI_MODEL: model } = environment;
  if (!apiKey) return createEmbeddedModel();
  const openai = createOpenAI({ apiKey, ...(baseURL ? { baseURL } : {}) });
  return openai.chat(model ?? 'gpt-4o-mini');
}
