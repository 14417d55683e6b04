import type { Meta } from '@storybook/react-vite';
import { MessageError } from 'helix-chat/ui';
import { chatStory } from './support/chatStory.tsx';
import { cut, failing, finishing, unanswered } from './support/faults.ts';
import { press } from './support/press.ts';
import type { StoryParts } from './support/StoryChat.tsx';
import type { Stage } from './support/stage.ts';

/** A failure at the reply it belongs to. */
const meta: Meta = { title: 'MessageError' };
export default meta;

const parts: StoryParts = { row: (chat, id) => <MessageError chat={chat} messageId={id} /> };
const untilItFailed = async (stage: Stage) => {
  await stage.send('How does that differ by plan?');
  await stage.until('failed');
  await stage.pass(1_000);
};

/** The reply failed for a reason that passes. */
export const Retryable = chatStory({
  parts,
  ...failing({ code: 'provider_overloaded', retryable: true }, 12),
  play: untilItFailed,
});

/** Nobody knows why it failed: the button promises less. */
export const Unknown = chatStory({ parts, ...failing({}), play: untilItFailed });

/** The connection broke for good; what arrived is kept and marked as a part. */
export const Cut = chatStory({ parts, arm: cut, chat: { resync: false }, play: untilItFailed });

/** A repeat without a change is pointless: the message can be changed. */
export const NotRetryable = chatStory({
  parts,
  ...failing({ code: 'provider_content_filtered' }),
  play: untilItFailed,
});

/** Nothing is wrong; the reply is as long as it can be. */
export const Notice = chatStory({ parts, ...finishing('length'), play: untilItFailed });

/** Something that only the owner of the app can mend. */
export const Blocking = chatStory({
  parts,
  ...failing({ code: 'framework_not_supported' }),
  play: untilItFailed,
});

/** A pressed repeat: the card stays where it is, so that nothing jumps. */
export const TryingAgain = chatStory({
  parts,
  ...failing({ code: 'provider_overloaded', retryable: true }),
  async play(stage, page) {
    await untilItFailed(stage);
    stage.answerWith(unanswered('POST').answer);
    await press(page, 'new-reply');
    await stage.pass(1_000);
  },
});
