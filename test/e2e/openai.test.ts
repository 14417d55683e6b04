import { afterAll, expect, test } from 'vitest';
import { setUpExample } from './setUpExample.ts';
import { startOpenaiStub } from './startOpenaiStub.ts';
import { said } from './Tab.ts';

const provider = await startOpenaiStub(['From ', 'the provider.']);
const example = setUpExample(provider.environment);
afterAll(provider.close);

test('with OPENAI_API_KEY the same server asks the provider at OPENAI_BASE_URL', async () => {
  const tab = await example.open();
  await tab.send('Who answers?');
  await tab.settled(1);
  expect(await tab.expectTruth()).toEqual([
    said('user', 'Who answers?'),
    said('assistant', 'From the provider.'),
  ]);
  expect(provider.authorizations).toEqual(['Bearer test-key']);
});
