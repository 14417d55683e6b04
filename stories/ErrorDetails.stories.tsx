import type { Meta } from '@storybook/react-vite';
import { ErrorBanner, ErrorDetails } from 'helix-chat/ui';
import { expect } from 'storybook/test';
import { chatStory } from './support/chatStory.tsx';
import { refused } from './support/faults.ts';
import { press } from './support/press.ts';
import type { StoryParts } from './support/StoryChat.tsx';
import type { Stage } from './support/stage.ts';

/** The facts of a failure, for developers. No other component draws it. */
const meta: Meta = { title: 'ErrorDetails' };
export default meta;

const parts: StoryParts = {
  dock: (chat) => (
    <>
      <ErrorBanner chat={chat} />
      <ErrorDetails chat={chat} />
    </>
  ),
};
const fault = refused({
  code: 'provider_rate_limited',
  detail:
    'Rate limit reached for key sk-proj-4fJ2mQ8xT1vB6nL9 on the small model. Limit 60 per minute.',
});
const untilItFailed = async (stage: Stage) => {
  await stage.send('How does that differ by plan?');
  await stage.until('failed');
  await stage.pass(1_000);
};
const open = (page: HTMLElement) => {
  const details = page.querySelector('details');
  if (details) details.open = true;
};

/** Closed, as it comes. */
export const Closed = chatStory({ parts, ...fault, play: untilItFailed });

/** Open: names and values, secrets masked. */
export const Open = chatStory({
  parts,
  ...fault,
  async play(stage, page) {
    await untilItFailed(stage);
    open(page);
  },
});

/** Copied as JSON, as masked as what is drawn. */
export const Copied = chatStory({
  parts,
  ...fault,
  async play(stage, page) {
    await untilItFailed(stage);
    open(page);
    await press(page, 'copy-details');
    await stage.pass(100);
    await expect(stage.copied.join()).toContain('provider_rate_limited');
    await expect(stage.copied.join()).not.toContain('4fJ2mQ8xT1vB6nL9');
  },
});
