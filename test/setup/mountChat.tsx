import type { UIMessage } from 'ai';
import {
  HelixProvider,
  type UseHelixChat,
  type UseHelixChatOptions,
  useHelixChat,
} from 'helix-chat/react';
import { StrictMode, useLayoutEffect } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import type { World } from '../../src/world.ts';

/** What one commit drew. */
export interface Frame {
  readonly state: string;
  readonly status: string;
  readonly texts: readonly string[];
  readonly pending: readonly string[];
  readonly failure: string | undefined;
}

/** A chat mounted in React, outside `act`, with every commit on record. */
export interface MountedChat {
  readonly chat: UseHelixChat<UIMessage>;
  readonly frames: readonly Frame[];
  /** What a person reads, without the pending tail. */
  screen(): string[];
  pending(): string[];
  unmount(): Promise<void>;
  rerender(options: UseHelixChatOptions<UIMessage>): Promise<void>;
}

export const textOf = (message: { parts: readonly { type: string }[] }): string =>
  (message.parts as readonly { type: string; text?: string }[])
    .filter((part) => part.type === 'text')
    .map((part) => part.text ?? '')
    .join('');

/** `role: text` of each message. */
export const lines = (
  messages: readonly { role: string; parts: readonly { type: string }[] }[],
): string[] => messages.map((message) => `${message.role}: ${textOf(message)}`);

/** A world in which a test can wait until nothing more happens by itself, and let time pass. */
export interface SteadyWorld extends World {
  settle(): Promise<unknown>;
  advance(ms: number): Promise<unknown>;
}

interface ProbeProps {
  readonly options: UseHelixChatOptions<UIMessage>;
  readonly onCommit: (chat: UseHelixChat<UIMessage>) => void;
}

function Probe({ options, onCommit }: ProbeProps) {
  const chat = useHelixChat(options);
  useLayoutEffect(() => onCommit(chat));
  return null;
}

const frameOf = (chat: UseHelixChat<UIMessage>): Frame => ({
  state: chat.recovery.name,
  status: chat.status,
  texts: lines(chat.messages),
  pending: chat.pendingSends.map(({ state, message }) => `${state}: ${textOf(message)}`),
  failure: chat.failure?.error.code ?? chat.failure?.error.reason,
});

/** Mounts a chat. `onCommit` sees each commit as it is drawn. */
export async function mountChat(
  world: SteadyWorld,
  options: UseHelixChatOptions<UIMessage>,
  onCommit: (chat: UseHelixChat<UIMessage>) => void = () => {},
): Promise<MountedChat> {
  const frames: Frame[] = [];
  const seen: { chat?: UseHelixChat<UIMessage> } = {};
  const commit = (chat: UseHelixChat<UIMessage>): void => {
    seen.chat = chat;
    frames.push(frameOf(chat));
    onCommit(chat);
  };
  const host = document.createElement('div');
  const root: Root = createRoot(host);
  const draw = async (next: UseHelixChatOptions<UIMessage>): Promise<void> => {
    root.render(
      <StrictMode>
        <HelixProvider world={world}>
          <Probe options={next} onCommit={commit} />
        </HelixProvider>
      </StrictMode>,
    );
    await world.settle();
    await world.advance(0);
  };
  await draw(options);
  const current = (): UseHelixChat<UIMessage> => {
    if (seen.chat === undefined) throw new Error('The chat has not been drawn.');
    return seen.chat;
  };
  return {
    get chat() {
      return current();
    },
    frames,
    screen() {
      const pending = new Set(current().pendingSends.map(({ message }) => message.id));
      return lines(current().messages.filter((message) => !pending.has(message.id)));
    },
    pending: () =>
      current().pendingSends.map(({ state, message }) => `${state}: ${textOf(message)}`),
    async unmount() {
      root.unmount();
      await world.advance(0);
      await world.settle();
    },
    rerender: draw,
  };
}
