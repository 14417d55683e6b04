import type { Meta } from '@storybook/react-vite';
import { ChatErrorBoundary } from 'helix-chat/ui';
import { spyOn } from 'storybook/test';
import { chatStory } from './support/chatStory.tsx';
import { press } from './support/press.ts';
import type { StoryParts } from './support/StoryChat.tsx';
import { textOf } from './support/StoryChat.tsx';
import type { Stage } from './support/stage.ts';

/** A crash while drawing takes the conversation, and never the page or the draft. */
const meta: Meta = { title: 'ChatErrorBoundary' };
export default meta;

/** A part of the conversation that breaks on a certain message, as long as it is told to. */
const broken = { now: true };
function Reply({ text }: { text: string }) {
  if (broken.now && text.includes('Three reasons')) throw new Error('A chart could not be drawn.');
  return <p>{text}</p>;
}

const parts: StoryParts = {
  list: (chat) => (
    <ChatErrorBoundary resetKeys={[chat.id]} onReloadPage={() => {}}>
      {chat.messages.map((message) => (
        <Reply key={message.id} text={textOf(message)} />
      ))}
    </ChatErrorBoundary>
  ),
};

/** React tells of a crash that was caught as well; here it is the story. */
async function crash(stage: Stage): Promise<void> {
  const told = spyOn(console, 'error').mockImplementation(() => {});
  broken.now = true;
  await stage.send('What are the three main reasons people cancelled?');
  await stage.until('idle');
  await stage.pass(500);
  told.mockRestore();
}

/** The conversation could not be drawn; the composer still works. */
export const Crashed = chatStory({ parts, play: crash });

/** Shown again by the keyboard, once what broke is mended. */
export const ShownAgain = chatStory({
  parts,
  async play(stage, page) {
    await crash(stage);
    broken.now = false;
    await press(page, 'show-again');
    await stage.pass(500);
  },
});
