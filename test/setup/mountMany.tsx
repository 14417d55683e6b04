import type { UIMessage } from 'ai';
import type { Policy } from 'helix-chat';
import {
  HelixProvider,
  type UseHelixChat,
  type UseHelixChatOptions,
  useHelixChat,
} from 'helix-chat/react';
import type { ManualWorld } from 'helix-chat/testing';
import { useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';

/** Many chats of one page, and the page around them. */
export interface MountedMany {
  readonly chats: readonly UseHelixChat<UIMessage>[];
  /** What stands beside the chats: the app that they are a part of. */
  readonly page: HTMLElement;
  unmount(): Promise<void>;
}

interface OneProps {
  readonly options: UseHelixChatOptions<UIMessage>;
  readonly onCommit: (chat: UseHelixChat<UIMessage>) => void;
}

function One({ options, onCommit }: OneProps) {
  const chat = useHelixChat(options);
  useLayoutEffect(() => onCommit(chat));
  return <p>{chat.status}</p>;
}

/** Mounts `count` hooks with one provider around them. `optionsOf`: the options of each, stable. */
export async function mountMany(
  world: ManualWorld,
  count: number,
  optionsOf: (index: number) => UseHelixChatOptions<UIMessage>,
  recovery: Policy = {},
): Promise<MountedMany> {
  const chats: UseHelixChat<UIMessage>[] = [];
  const page = document.createElement('div');
  const root = createRoot(page);
  const each = Array.from({ length: count }, (_, index) => ({
    options: optionsOf(index),
    onCommit: (chat: UseHelixChat<UIMessage>) => {
      chats[index] = chat;
    },
  }));
  root.render(
    <HelixProvider world={world} recovery={recovery}>
      <header>The app</header>
      {each.map((props, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
        <One key={index} {...props} />
      ))}
    </HelixProvider>,
  );
  await world.settle();
  await world.advance(0);
  return {
    chats,
    page,
    async unmount() {
      root.unmount();
      await world.advance(0);
      await world.settle();
    },
  };
}
