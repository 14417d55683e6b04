import type { StoryObj } from '@storybook/react-vite';
import { StoryChat, type StoryParts } from './StoryChat.tsx';
import { createStage, type Stage, type StageOptions } from './stage.ts';

/** A story of a chat: how its stage is set, what is drawn, and what happens. */
export interface ChatStory extends StageOptions {
  readonly parts: StoryParts;
  /** What Storybook is told of it: a language, a theme, slots. */
  readonly story?: Pick<StoryObj, 'globals' | 'parameters' | 'decorators'>;
  /** What happens before a person looks. Default: nothing. */
  readonly play?: (stage: Stage, page: HTMLElement) => Promise<void>;
}

/** Makes a story of a chat on the scripted server. Its clock stands still in tests and pictures, and else runs on. */
export function chatStory({ parts, play, story, ...options }: ChatStory): StoryObj {
  return {
    ...story,
    loaders: [async () => ({ stage: await createStage(options) })],
    render: (_, { loaded }) => <StoryChat stage={loaded.stage as Stage} parts={parts} />,
    async play({ loaded, canvasElement }) {
      const stage = loaded.stage as Stage;
      await stage.pass(0);
      await play?.(stage, canvasElement);
      stage.letGo();
      canvasElement.setAttribute('data-story-told', '');
    },
  };
}
