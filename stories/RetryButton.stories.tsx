import type { Meta } from '@storybook/react-vite';
import { RetryButton } from 'helix-chat/ui';
import { chatStory } from './support/chatStory.tsx';
import { failing, http, refused, unanswered } from './support/faults.ts';
import { press } from './support/press.ts';
import type { StoryParts } from './support/StoryChat.tsx';
import type { Stage } from './support/stage.ts';

/** Repeats what failed, as far as the failure offers it. */
const meta: Meta = { title: 'RetryButton' };
export default meta;

const parts: StoryParts = { dock: (chat) => <RetryButton chat={chat} /> };
const untilItFailed = async (stage: Stage) => {
  await stage.send('How does that differ by plan?');
  await stage.until('failed');
  await stage.pass(1_000);
};

/** The server says that a repeat may help. */
export const Retryable = chatStory({
  parts,
  ...refused({ code: 'provider_overloaded', retryable: true }),
  play: untilItFailed,
});

/** The server says nothing: a person may try. */
export const Unknown = chatStory({ parts, ...failing({}), play: untilItFailed });

/** The server advises against it, but a person's later try may work: never filled. */
export const AdvisedAgainst = chatStory({
  parts,
  ...refused({ code: 'provider_error', retryable: false }),
  play: untilItFailed,
});

/** A repeat is pointless: nothing is drawn, and no gap. */
export const NotRetryable = chatStory({
  parts,
  ...failing({ code: 'provider_content_filtered' }),
  play: untilItFailed,
});

/** A server's stated wait closes it; the label stays, the time stands beside it. */
export const StatedWait = chatStory({
  parts,
  ...http(429, { 'retry-after': '90' }),
  play: untilItFailed,
});

/** A wait of hours is a clock time. */
export const LongWait = chatStory({
  parts,
  ...http(429, { 'retry-after': '259200' }),
  play: untilItFailed,
});

/** Our own pause never blocks a press. */
export const OwnPause = chatStory({
  parts,
  ...refused({ code: 'provider_overloaded' }),
  chat: { recovery: { backoffMs: 20_000, backoffCapMs: 40_000 } },
  async play(stage) {
    await stage.send('How does that differ by plan?');
    await stage.until('backing-off');
  },
});

/** A pressed button keeps its label and its focus. */
export const Busy = chatStory({
  parts,
  ...refused({ code: 'provider_overloaded' }),
  async play(stage, page) {
    await untilItFailed(stage);
    stage.answerWith(unanswered('POST').answer);
    await press(page, 'send-again');
    await stage.pass(1_000);
  },
});
