import type { Meta } from '@storybook/react-vite';
import { ConnectionStatus } from 'helix-chat/ui';
import { chatStory } from './support/chatStory.tsx';
import { cut, unanswered } from './support/faults.ts';
import type { StoryParts } from './support/StoryChat.tsx';

/** A quiet word about the connection, over the top of the conversation. */
const meta: Meta = { title: 'ConnectionStatus' };
export default meta;

const parts: StoryParts = { top: (chat) => <ConnectionStatus chat={chat} /> };
const QUESTION = 'How does that differ by plan?';

/** The connection of a reply broke: it is taken up again. */
export const Reconnecting = chatStory({
  parts,
  arm: cut,
  ...unanswered('GET'),
  async play(stage) {
    await stage.send(QUESTION);
    await stage.until('resyncing');
    await stage.pass(1_500);
  },
});

/** It takes long: a person may end it. */
export const ReconnectingForLong = chatStory({
  parts,
  arm: cut,
  ...unanswered('GET'),
  chat: { recovery: { quietReadMs: 60_000, connectMs: 60_000 } },
  async play(stage) {
    await stage.send(QUESTION);
    await stage.until('resyncing');
    await stage.pass(10_500);
  },
});

/** The device has no connection; what works still works. */
export const Offline = chatStory({
  parts,
  arm: [{ on: 'send', times: 99, fault: { do: 'drop', taken: false } }],
  async play(stage) {
    stage.world.setOnline(false);
    await stage.send(QUESTION);
    await stage.pass(3_000);
  },
});

/** It is over, and was worth a word. */
export const BackAgain = chatStory({
  parts,
  arm: [{ on: 'send', times: 99, fault: { do: 'drop', taken: false } }],
  async play(stage) {
    stage.world.setOnline(false);
    await stage.send(QUESTION);
    await stage.pass(3_000);
    stage.mend();
    stage.world.setOnline(true);
    await stage.until('idle');
    await stage.pass(1_000);
  },
});

/** No answer yet, for ten seconds. */
export const SendingSlowly = chatStory({
  parts,
  ...unanswered('POST'),
  async play(stage) {
    await stage.send(QUESTION);
    await stage.pass(11_000);
  },
});

/** The conversation could not be read; the next try comes by itself. */
export const NextTry = chatStory({
  parts,
  answer: (request) =>
    request.method === 'GET'
      ? new Response('', { status: 503, headers: { 'retry-after': '20' } })
      : undefined,
  async play(stage) {
    await stage.until('backing-off');
    await stage.pass(3_000);
  },
});
