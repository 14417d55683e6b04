import type { Meta } from '@storybook/react-vite';
import { ChatErrors } from 'helix-chat/ui';
import { expect } from 'storybook/test';
import { chatStory } from './support/chatStory.tsx';
import { busy, cut, refused, unanswered } from './support/faults.ts';
import type { StoryParts } from './support/StoryChat.tsx';
import type { Stage } from './support/stage.ts';

/** The seven states of a chat, and what stands on the page in each. */
const meta: Meta = { title: 'Recovery' };
export default meta;

const parts: StoryParts = { dock: (chat) => <ChatErrors chat={chat} /> };
const asked = ['What are the three main reasons people cancelled?'];
const send = (stage: Stage) => stage.send('How does that differ by plan?');
const stateOf = (stage: Stage) => stage.chat().recovery.name;

/** Nothing is under way, and nothing of the kit is drawn. */
export const Idle = chatStory({
  parts,
  asked,
  async play(stage) {
    await expect(stateOf(stage)).toBe('idle');
  },
});

/** Sent, and not answered for longer than usual. */
export const Sending = chatStory({
  parts,
  ...unanswered('POST'),
  async play(stage) {
    await send(stage);
    await stage.pass(11_000);
    await expect(stateOf(stage)).toBe('sending');
  },
});

/** A reply comes: nothing of the kit is drawn. */
export const Streaming = chatStory({
  parts,
  asked,
  async play(stage) {
    await send(stage);
    await stage.until('streaming');
    await stage.pass(900);
    await expect(stateOf(stage)).toBe('streaming');
  },
});

/** The connection broke in mid-reply. */
export const Resyncing = chatStory({
  parts,
  arm: cut,
  ...unanswered('GET'),
  async play(stage) {
    await send(stage);
    await stage.until('resyncing');
    await stage.pass(1_500);
    await expect(stateOf(stage)).toBe('resyncing');
  },
});

/** The message waits for another tab's reply. */
export const WaitingOnRun = chatStory({
  parts,
  asked,
  ...busy(60_000),
  async play(stage) {
    await send(stage);
    await stage.until('waiting-on-run');
    await stage.pass(2_000);
    await expect(stateOf(stage)).toBe('waiting-on-run');
  },
});

/** The next try comes by itself. */
export const BackingOff = chatStory({
  parts,
  asked,
  ...refused({ code: 'provider_overloaded', retryAfterMs: 20_000 }),
  async play(stage) {
    await send(stage);
    await stage.until('backing-off');
    await stage.pass(5_000);
    await expect(stateOf(stage)).toBe('backing-off');
  },
});

/** All that helps by itself was tried. */
export const Failed = chatStory({
  parts,
  asked,
  ...refused({ code: 'provider_overloaded' }),
  async play(stage) {
    await send(stage);
    await stage.until('failed');
    await stage.pass(1_000);
    await expect(stateOf(stage)).toBe('failed');
  },
});
