import type { Meta } from '@storybook/react-vite';
import { ChatErrors } from 'helix-chat/ui';
import { chatStory } from './support/chatStory.tsx';
import { busy, failing, http } from './support/faults.ts';
import type { StoryParts } from './support/StoryChat.tsx';
import type { Stage } from './support/stage.ts';
import { shadcnSlots } from './themes/shadcnSlots.tsx';
import { terminalSlots } from './themes/terminalSlots.tsx';
import './themes/shadcn.css';
import './themes/terminal.css';

/** Other faces of the kit, by CSS variables and slots alone. */
const meta: Meta = { title: 'Themes' };
export default meta;

const parts: StoryParts = { dock: (chat) => <ChatErrors chat={chat} /> };
const asked = ['What are the three main reasons people cancelled?'];
const untilItFailed = async (stage: Stage) => {
  await stage.send('How does that differ by plan?');
  await stage.until('failed');
  await stage.pass(1_000);
};
const untilItWaits = async (stage: Stage) => {
  await stage.send('Please put this into a one-page summary for Monday.');
  await stage.until('waiting-on-run');
  await stage.pass(2_000);
};

type Told = NonNullable<Parameters<typeof chatStory>[0]['story']>;
const shadcn: Told = {
  parameters: { slots: shadcnSlots },
  decorators: [(Story) => <div className="shadcn">{Story()}</div>],
};
const terminal: Told = {
  parameters: { slots: terminalSlots },
  decorators: [(Story) => <div className="terminal">{Story()}</div>],
};

/** As a page made with Tailwind and shadcn/ui has it: its variables and its button. */
export const Shadcn = chatStory({ parts, asked, ...http(401), story: shadcn, play: untilItFailed });

/** The same face, while a message waits. */
export const ShadcnConflict = chatStory({
  parts,
  asked,
  ...busy(60_000),
  story: shadcn,
  play: untilItWaits,
});

/** The same face, at a reply. */
export const ShadcnReply = chatStory({
  parts,
  ...failing({ code: 'provider_overloaded', retryable: true }, 12),
  story: shadcn,
  play: untilItFailed,
});

/** Square edges, one font, a card and icons of its own. */
export const Terminal = chatStory({
  parts,
  asked,
  ...http(401),
  story: terminal,
  play: untilItFailed,
});

/** The same face, while a message waits. */
export const TerminalConflict = chatStory({
  parts,
  asked,
  ...busy(60_000),
  story: terminal,
  play: untilItWaits,
});
