import type { Meta } from '@storybook/react-vite';
import { PendingSends } from 'helix-chat/ui';
import { chatStory } from './support/chatStory.tsx';
import { http, unanswered } from './support/faults.ts';
import { press } from './support/press.ts';
import type { StoryParts } from './support/StoryChat.tsx';

/** The person's messages that are not in the conversation. */
const meta: Meta = { title: 'PendingSends' };
export default meta;

const parts: StoryParts = { end: (chat) => <PendingSends chat={chat} /> };
const FILE = 'brand-template-with-a-rather-long-name-that-needs-cutting.docx';

/** Messages written while a reply comes: they go one after the other. */
export const Held = chatStory({
  parts,
  async play(stage) {
    await stage.send('What are the three main reasons people cancelled?');
    await stage.until('streaming');
    await stage.send('Please put this into a one-page summary for Monday.', [FILE]);
    await stage.send('And add one chart.');
    await stage.pass(300);
  },
});

/** The same where the list of the app draws the messages itself. */
export const InTheListOfTheApp = chatStory({
  parts,
  pendingInMessages: true,
  async play(stage) {
    await stage.send('What are the three main reasons people cancelled?');
    await stage.until('streaming');
    await stage.send('And add one chart.');
    await stage.pass(300);
  },
});

/** A message that was not taken; its text is kept. */
export const Failed = chatStory({
  parts,
  ...http(401),
  async play(stage) {
    await stage.send('Use the colours of our template.');
    await stage.until('failed');
    await stage.pass(1_000);
  },
});

/** Stopped before it went. */
export const Parked = chatStory({
  parts,
  ...unanswered('POST'),
  async play(stage) {
    await stage.send('Use the colours of our template.');
    await stage.pass(500);
    void stage.chat().stop();
    await stage.until('idle');
    await stage.pass(500);
  },
});

/** Taken back by the keyboard: focus goes on to the next message. */
export const OneTakenBack = chatStory({
  parts,
  async play(stage, page) {
    await stage.send('What are the three main reasons people cancelled?');
    await stage.until('streaming');
    await stage.send('Please put this into a one-page summary for Monday.');
    await stage.send('And add one chart.');
    await stage.pass(300);
    await press(page, 'take-back');
    await stage.pass(300);
  },
});
