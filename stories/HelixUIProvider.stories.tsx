import type { Meta } from '@storybook/react-vite';
import { en } from 'helix-chat/locales/en';
import { ChatErrors, HelixUIProvider, type HelixUIProviderProps } from 'helix-chat/ui';
import { chatStory } from './support/chatStory.tsx';
import { refused } from './support/faults.ts';
import { useLook } from './support/look.ts';
import type { Stage } from './support/stage.ts';

/** What an app says once for all components below: words, theme, actions, slots. */
const meta: Meta = { title: 'HelixUIProvider' };
export default meta;

/** A provider on the page of the stories, whose theme is chosen in the toolbar. */
function Own(props: HelixUIProviderProps) {
  return <HelixUIProvider theme={useLook().theme} {...props} />;
}

const untilItFailed = async (stage: Stage) => {
  await stage.send('How does that differ by plan?');
  await stage.until('failed');
  await stage.pass(1_000);
};

/** One sentence and one label in the words of the app; all others stay the catalogue's. */
const friendlier = {
  ...en,
  titles: { ...en.titles, notSent: 'Still with you' },
  actions: { ...en.actions, 'send-again': 'Send it again' },
};
export const OwnSentences = chatStory({
  parts: {
    dock: (chat) => (
      <Own catalog={friendlier}>
        <ChatErrors chat={chat} />
      </Own>
    ),
  },
  ...refused({ code: 'provider_overloaded' }),
  play: untilItFailed,
});

/** What only the app can do: an action of its own on one failure, filled. */
export const OwnActions = chatStory({
  parts: {
    dock: (chat) => (
      <Own
        catalog={en}
        actions={({ error }) =>
          error.reason === 'quota'
            ? [{ id: 'plan', label: 'See plans', primary: true, onAct() {} }]
            : []
        }
      >
        <ChatErrors chat={chat} />
      </Own>
    ),
  },
  ...refused({ code: 'provider_rate_limited', reason: 'quota', retryable: false }),
  play: untilItFailed,
});
