import type { Meta } from '@storybook/react-vite';
import { ErrorToasts } from 'helix-chat/ui';
import { chatStory } from './support/chatStory.tsx';
import { http, refused } from './support/faults.ts';
import { press } from './support/press.ts';
import type { StoryParts } from './support/StoryChat.tsx';
import type { Stage } from './support/stage.ts';

/** Failures that have no place on the page. */
const meta: Meta = { title: 'ErrorToasts' };
export default meta;

const placeless: StoryParts = { dock: (chat) => <ErrorToasts chat={chat} /> };
const all: StoryParts = { dock: (chat) => <ErrorToasts chat={chat} route="all" /> };
const asked = ['What are the three main reasons people cancelled?'];
const QUESTION = 'How does that differ by plan?';
const untilItFailed = async (stage: Stage) => {
  await stage.send(QUESTION);
  await stage.until('failed');
  await stage.pass(1_000);
};

/** A stop that did not get through: it can be asked for once more. */
export const StopFailed = chatStory({
  parts: placeless,
  asked,
  answer: (request) =>
    request.url.endsWith('/stop') ? new Response('', { status: 500 }) : undefined,
  async play(stage) {
    await stage.send(QUESTION);
    await stage.until('streaming');
    void stage.chat().stop();
    await stage.until('failed');
    await stage.pass(1_000);
  },
});

/** Every failure of an app goes to toasts. */
export const EveryFailure = chatStory({ parts: all, asked, ...http(401), play: untilItFailed });

/** A send that is tried again by itself, with its countdown. */
export const Waiting = chatStory({
  parts: all,
  asked,
  ...refused({ code: 'provider_overloaded', retryAfterMs: 20_000 }),
  async play(stage) {
    await stage.send(QUESTION);
    await stage.until('backing-off');
    await stage.pass(8_000);
  },
});

/** One toast from try to try: after a press that went well it says so, and leaves. */
export const Recovered = chatStory({
  parts: all,
  asked,
  ...refused({ code: 'provider_overloaded' }),
  async play(stage, page) {
    await untilItFailed(stage);
    stage.mend();
    await press(page, 'send-again');
    await stage.until('streaming');
    await stage.pass(500);
  },
});
