import { Chat } from '@ai-sdk/react';
import { type ChatTransport, DefaultChatTransport, type UIMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { HelixError, HelixRequestError } from '../../src/errors/HelixError.ts';
import { HelixStreamError } from '../../src/errors/HelixStreamError.ts';
import { parseHelixChatError } from '../../src/errors/parseHelixChatError.ts';
import { toHelixError } from '../../src/errors/toHelixError.ts';
import { CODES, type ErrorCode, isErrorCode, retryableByCode } from '../../src/protocol/codes.ts';
import { typedErrorResponse } from '../../src/server/chatErrorResponse.ts';
import { errorChunks } from '../../src/server/writeErrorChunk.ts';
import { HelixChatTransport } from '../../src/transport/HelixChatTransport.ts';
import { eventStream, frames, scriptedFetch } from './byteStream.ts';

declare const __AI_MAJOR__: 6 | 7;

const api = 'https://app.test/chat';
const codes = Object.keys(CODES).filter(isErrorCode);
const flags = [undefined, true, false] as const;
const events = codes.flatMap((code) => flags.map((flag) => [code, flag] as const));
const answers = events.flatMap((event) => [false, true].map((late) => [...event, late] as const));

const failed = (code: ErrorCode, retryable?: boolean) =>
  new HelixError({ code, retryable, retryAfterMs: 1_500, runId: 'r1' });

/** What `chat.error` of the SDK's own client is after one message. */
async function errorOf(
  transport: (fetch: typeof globalThis.fetch) => ChatTransport<UIMessage>,
  response: Response,
): Promise<{ readonly error: Error | undefined; readonly text: string }> {
  const chat = new Chat<UIMessage>({ transport: transport(scriptedFetch(response).fetch) });
  await chat.sendMessage({ text: 'Hello?' });
  const parts = chat.messages.at(-1)?.parts ?? [];
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return { error: chat.error, text };
}

const ours = (fetch: typeof globalThis.fetch) => new HelixChatTransport({ api, fetch });
const stock = (fetch: typeof globalThis.fetch) => new DefaultChatTransport({ api, fetch });

describe('a typed answer, through the chat of the SDK', () => {
  it.each(answers)('%s, flag %s, committed: %s', async (code, own, committed) => {
    const error = failed(code, own);
    const response = typedErrorResponse(error, { committed });
    const { status } = response;
    const flag = status === 503 || code === 'state_already_running';
    const expected = { code, category: error.category, retryAfterMs: 1_500 };

    const typed = (await errorOf(ours, response.clone())).error;
    expect(typed).toBeInstanceOf(HelixRequestError);
    expect(typed).toMatchObject({ ...expected, statusCode: status, retryable: flag });

    const plain = (await errorOf(stock, response)).error;
    expect(parseHelixChatError(plain)).toMatchObject(expected);
    // The stock transport of `ai` 6 loses the status, and with it what it says.
    const hasStatus = __AI_MAJOR__ === 7 || code === 'state_already_running';
    const known = hasStatus ? flag : retryableByCode(code);
    expect(toHelixError(plain)).toMatchObject({ ...expected, retryable: known });
  });
});

describe('a typed event in a stream, through the chat of the SDK', () => {
  const begun = [
    { type: 'start', messageId: 'a1' },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'Hel' },
  ];

  it.each(events)('%s with the flag %s', async (code, own) => {
    const chunks = errorChunks(failed(code, own));
    const { retryable } = failed(code, own);
    const response = () => eventStream(frames(...begun, ...chunks));

    const typed = await errorOf(ours, response());
    expect(typed.text).toBe('Hel');
    expect(typed.error).toBeInstanceOf(HelixStreamError);
    expect(typed.error).toMatchObject({
      code,
      category: CODES[code].category,
      retryable,
      retryAfterMs: 1_500,
      runId: 'r1',
    });

    const plain = await errorOf(stock, response());
    expect([plain.text, plain.error?.message]).toEqual(['Hel', CODES[code].sentence]);
  });
});
