import type { Meta } from '@storybook/react-vite';
import { ChatErrors, MessageError } from 'helix-chat/ui';
import { chatStory } from './support/chatStory.tsx';
import { busy, failing, http } from './support/faults.ts';
import type { StoryParts } from './support/StoryChat.tsx';
import type { Stage } from './support/stage.ts';

/** The kit where it is hardest to draw: long words, right to left, dark, narrow. */
const meta: Meta = { title: 'Looks' };
export default meta;

const parts: StoryParts = {
  row: (chat, id) => <MessageError chat={chat} messageId={id} />,
  dock: (chat) => <ChatErrors chat={chat} />,
};
const asked = ['What are the three main reasons people cancelled?'];
const QUESTION = 'How does that differ by plan?';
const untilItFailed = async (stage: Stage) => {
  await stage.send(QUESTION, ['june-survey-results-of-all-regions-2026.csv']);
  await stage.until('failed');
  await stage.pass(1_000);
};
const untilItWaits = async (stage: Stage) => {
  await stage.send('Please put this into a one-page summary for Monday.', [
    'brand-template-with-a-rather-long-name-that-needs-cutting.docx',
  ]);
  await stage.until('waiting-on-run');
  await stage.pass(2_000);
};
const narrow: NonNullable<Parameters<typeof chatStory>[0]['story']> = {
  decorators: [
    (Story) => (
      <div style={{ maxInlineSize: 320 }}>
        <Story />
      </div>
    ),
  ],
};

/** Sentences of 1.3 times, titles of twice and labels of three times the English length. */
export const LongWords = chatStory({
  parts,
  asked,
  ...http(403),
  story: { globals: { locale: 'en-XA' } },
  play: untilItFailed,
});

/** The same in the row of a reply. */
export const LongWordsInARow = chatStory({
  parts,
  ...failing({ code: 'provider_unreachable', retryable: true }),
  story: { globals: { locale: 'en-XA' } },
  play: untilItFailed,
});

/** German, whose labels are the longest. */
export const German = chatStory({
  parts,
  asked,
  ...http(401),
  story: { globals: { locale: 'de' } },
  play: untilItFailed,
});

/** Arabic, with a message and a file in another direction of writing. */
export const RightToLeft = chatStory({
  parts,
  asked,
  ...busy(60_000),
  story: { globals: { locale: 'ar' } },
  play: untilItWaits,
});

/** Japanese, whose lines break anywhere. */
export const Japanese = chatStory({
  parts,
  asked,
  ...http(429),
  story: { globals: { locale: 'ja' } },
  play: untilItFailed,
});

/** A dark page. */
export const Dark = chatStory({
  parts,
  asked,
  ...http(401),
  story: { globals: { theme: 'dark' } },
  play: untilItFailed,
});

/** A column of 320 px. */
export const Narrow = chatStory({
  parts,
  asked,
  ...busy(60_000),
  story: narrow,
  play: untilItWaits,
});

/** A column of 320 px, and words as long as they can be. */
export const NarrowAndLong = chatStory({
  parts,
  asked,
  ...http(401),
  story: { ...narrow, globals: { locale: 'en-XA' } },
  play: untilItFailed,
});
