import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setUpExample } from './setUpExample.ts';
import { said } from './Tab.ts';

/** Speaks OpenAI's protocol as far as a streamed chat needs it. */
let provider: Server;
const environment: Record<string, string> = { OPENAI_API_KEY: 'test-key' };
const authorizations: (string | undefined)[] = [];

function chunk(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  const head = { id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'test' };
  return `data: ${JSON.stringify({ ...head, choices })}\n\n`;
}

beforeAll(async () => {
  provider = createServer((request, response) => {
    authorizations.push(request.headers.authorization);
    request.resume();
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(chunk({ role: 'assistant', content: 'From ' }));
    response.write(chunk({ content: 'the provider.' }));
    response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`);
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const { port } = provider.address() as AddressInfo;
  environment.OPENAI_BASE_URL = `http://127.0.0.1:${port}/v1`;
});
afterAll(() => {
  provider.close();
});

const example = setUpExample(environment);

test('with OPENAI_API_KEY the same server asks the provider at OPENAI_BASE_URL', async () => {
  const tab = await example.open();
  await tab.send('Who answers?');
  await tab.settled(1);
  expect(await tab.expectTruth()).toEqual([
    said('user', 'Who answers?'),
    said('assistant', 'From the provider.'),
  ]);
  expect(authorizations).toEqual(['Bearer test-key']);
});
