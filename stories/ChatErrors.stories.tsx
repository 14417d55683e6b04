import type { Meta } from '@storybook/react-vite';
import { ChatErrors, MessageError } from 'helix-chat/ui';
import { chatStory } from './support/chatStory.tsx';
import { busy, cut, failing, http, unanswered } from './support/faults.ts';
import type { StoryParts } from './support/StoryChat.tsx';

/** The drop-in: one line in an app. */
const meta: Meta = { title: 'ChatErrors' };
export default meta;

const parts: StoryParts = { dock: (chat) => <ChatErrors chat={chat} /> };
const asked = ['What are the three main reasons people cancelled?'];
const QUESTION = 'How does that differ by plan?';

/** A message that was not taken. */
export const NotSent = chatStory({
  parts,
  asked,
  ...http(401),
  async play(stage) {
    await stage.send(QUESTION);
    await stage.until('failed');
    await stage.pass(1_000);
  },
});

/** The last reply failed, and its row has no slot of its own. */
export const ReplyFailed = chatStory({
  parts,
  asked,
  ...failing({ code: 'provider_overloaded', retryable: true }, 12),
  async play(stage) {
    await stage.send(QUESTION);
    await stage.until('failed');
    await stage.pass(1_000);
  },
});

/** The same with a slot in each row: the drop-in leaves it out. */
export const ReplyFailedInItsRow = chatStory({
  parts: { ...parts, row: (chat, id) => <MessageError chat={chat} messageId={id} /> },
  asked,
  ...failing({ code: 'provider_overloaded', retryable: true }, 12),
  async play(stage) {
    await stage.send(QUESTION);
    await stage.until('failed');
    await stage.pass(1_000);
  },
});

/** Another tab's reply is in the way. */
export const Conflict = chatStory({
  parts,
  asked,
  ...busy(60_000),
  async play(stage) {
    await stage.send('Thanks. Please put this into a one-page summary for Monday.');
    await stage.until('waiting-on-run');
    await stage.pass(1_000);
  },
});

/** The pill stands over the end of the conversation, and moves nothing. */
export const Reconnecting = chatStory({
  parts,
  asked,
  arm: cut,
  ...unanswered('GET'),
  chat: { messages: [] },
  async play(stage) {
    await stage.send(QUESTION);
    await stage.until('resyncing');
    await stage.pass(1_500);
  },
});

/** A stop that did not get through. */
export const StopFailed = chatStory({
  parts,
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
