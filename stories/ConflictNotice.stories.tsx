import type { Meta } from '@storybook/react-vite';
import { ConflictNotice, PendingSends } from 'helix-chat/ui';
import { chatStory } from './support/chatStory.tsx';
import { busy } from './support/faults.ts';
import { press } from './support/press.ts';
import type { StoryParts } from './support/StoryChat.tsx';
import type { Stage } from './support/stage.ts';

/** A reply of another tab or device is being written while a message waits for it. */
const meta: Meta = { title: 'ConflictNotice' };
export default meta;

const parts: StoryParts = {
  end: (chat) => <PendingSends chat={chat} />,
  dock: (chat) => <ConflictNotice chat={chat} />,
};
const asked = ['What are the three main reasons people cancelled?'];
const MESSAGE = 'Thanks. Please put this into a one-page summary for Monday, with one chart.';
const untilItWaits = async (stage: Stage) => {
  await stage.send(MESSAGE, ['brand-template.docx']);
  await stage.until('waiting-on-run');
  await stage.pass(2_000);
};

/** Waiting is what happens unasked. */
export const Waiting = chatStory({ parts, asked, ...busy(60_000), play: untilItWaits });

/** The app wants the person to choose. */
export const Asking = chatStory({
  parts,
  asked,
  ...busy(60_000),
  chat: { onConflict: 'ask' },
  play: untilItWaits,
});

/** The other reply was asked to stop; the pressed button stays where it is. */
export const Stopping = chatStory({
  parts,
  asked,
  ...busy(60_000),
  async play(stage, page) {
    await untilItWaits(stage);
    stage.answerWith((request) =>
      request.url.endsWith('/stop') ? new Promise<Response>(() => {}) : undefined,
    );
    await press(page, 'stop-send');
    await stage.pass(500);
  },
});

/** The message comes back to the composer, with focus behind its last letter. */
export const TakenBack = chatStory({
  parts,
  asked,
  ...busy(60_000),
  async play(stage, page) {
    await untilItWaits(stage);
    await press(page, 'take-back');
    await stage.pass(500);
  },
});
