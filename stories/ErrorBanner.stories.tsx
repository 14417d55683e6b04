import type { Meta } from '@storybook/react-vite';
import { ErrorBanner } from 'helix-chat/ui';
import { chatStory } from './support/chatStory.tsx';
import { http, refused, unanswered } from './support/faults.ts';
import { press } from './support/press.ts';
import type { StoryParts } from './support/StoryChat.tsx';
import type { Stage } from './support/stage.ts';

/** A failure that stops the next message, or a send that is tried again. */
const meta: Meta = { title: 'ErrorBanner' };
export default meta;

const parts: StoryParts = { dock: (chat) => <ErrorBanner chat={chat} /> };
const asked = ['What are the three main reasons people cancelled?'];
const QUESTION = 'How does that differ by plan?';
const untilItFailed = async (stage: Stage) => {
  await stage.send(QUESTION);
  await stage.until('failed');
  await stage.pass(1_000);
};

/** The server asks for time: the send is tried again by itself, and the disc runs down to the next try. */
export const WaitsForTheNextTry = chatStory({
  parts,
  asked,
  ...refused({ code: 'provider_overloaded', retryAfterMs: 20_000 }),
  async play(stage) {
    await stage.send(QUESTION);
    await stage.until('backing-off');
    await stage.pass(8_000);
  },
});

/** All tries were in vain: the person decides. */
export const Warning = chatStory({
  parts,
  asked,
  ...refused({ code: 'provider_overloaded' }),
  play: untilItFailed,
});

/** Nothing goes on before the person has signed in: the only banner with a filled button. */
export const Blocking = chatStory({ parts, asked, ...http(401), play: untilItFailed });

/** Nobody here can help, but somebody can be told. */
export const WithAReference = chatStory({
  parts,
  asked,
  ...refused({ code: 'framework_agent_name_conflict' }),
  play: untilItFailed,
});

/** A limit with a long wait: the time is said once, and the button opens then. */
export const LongWait = chatStory({
  parts,
  asked,
  ...http(429, { 'retry-after': '10800' }),
  play: untilItFailed,
});

/** A pressed repeat is busy, keeps its label and its focus until the outcome is known. */
export const Pressed = chatStory({
  parts,
  asked,
  ...refused({ code: 'provider_overloaded' }),
  async play(stage, page) {
    await untilItFailed(stage);
    stage.answerWith(unanswered('POST').answer);
    await press(page, 'send-again');
    await stage.pass(1_000);
  },
});
