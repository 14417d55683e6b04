import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

function chunk(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  const head = { id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'test' };
  return `data: ${JSON.stringify({ ...head, choices })}\n\n`;
}

/** A provider that speaks OpenAI's protocol as far as a streamed chat needs it: what to set, what it was sent, its end. */
export async function startOpenaiStub(words: readonly string[]) {
  const authorizations: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    authorizations.push(request.headers.authorization);
    request.resume();
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    for (const content of words) response.write(chunk({ role: 'assistant', content }));
    response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    environment: { OPENAI_API_KEY: 'test-key', OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` },
    authorizations,
    close: () => {
      server.close();
    },
  };
}
