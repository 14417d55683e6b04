import type { Meta } from '@storybook/react-vite';
import { ErrorBanner } from 'helix-chat/ui';
import { chatStory } from './support/chatStory.tsx';
import type { StoryParts } from './support/StoryChat.tsx';

const meta: Meta = { title: 'ErrorBanner' };
export default meta;

const parts: StoryParts = { dock: (chat) => <ErrorBanner chat={chat} /> };

/** The server is busy: the send is tried again by itself, and the disc runs down to the next try. */
export const WaitsForTheNextTry = chatStory({
  parts,
  arm: [
    {
      on: 'send',
      times: 9,
      fault: { do: 'refuse-typed', error: { code: 'provider_overloaded', retryAfterMs: 20_000 } },
    },
  ],
  async play(stage) {
    await stage.send('How does that differ by plan?');
    await stage.pass(8_000);
  },
});
