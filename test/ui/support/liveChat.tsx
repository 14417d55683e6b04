import { HelixUIProvider, type HelixUIProviderProps } from 'helix-chat/ui';
import { StrictMode } from 'react';
import { render } from 'vitest-browser-react';
import { en } from '../../../src/i18n/en.ts';
import { StoryChat, type StoryParts } from '../../../stories/support/StoryChat.tsx';
import { createStage, type Stage, type StageOptions } from '../../../stories/support/stage.ts';
import { listen } from './page.tsx';
import '../../../src/ui/styles/styles.css';
import '../../setup/strictConsole.ts';

export interface LiveChat extends Stage {
  /** What both live regions have said, in order. */
  readonly heard: readonly string[];
  leave(): Promise<void>;
}

/** A real chat on the scripted server, on a page with a composer. */
export async function showChat(
  parts: StoryParts,
  options: StageOptions = {},
  provider: Partial<HelixUIProviderProps> = {},
): Promise<LiveChat> {
  const stage = await createStage(options);
  const screen = await render(
    <StrictMode>
      <HelixUIProvider catalog={en} world={stage.world} {...provider}>
        <StoryChat stage={stage} parts={parts} />
      </HelixUIProvider>
    </StrictMode>,
  );
  const heard = listen();
  await stage.pass(200);
  return { ...stage, heard, leave: () => screen.unmount() };
}
