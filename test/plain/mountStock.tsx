import { useChat } from '@ai-sdk/react';
import { DefaultChatTransport, type UIMessage } from 'ai';
import { StrictMode, useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { lines } from '../setup/mountChat.tsx';

type Stock = ReturnType<typeof useChat<UIMessage>>;

/** The SDK's own `useChat` with its own transport: what an app without helix-chat has. */
export interface MountedStock {
  readonly chat: Stock;
  screen(): string[];
  unmount(): void;
}

interface ProbeProps {
  readonly transport: DefaultChatTransport<UIMessage>;
  onDraw(chat: Stock): void;
}

function Probe({ transport, onDraw }: ProbeProps) {
  const chat = useChat<UIMessage>({ id: 'c1', transport });
  useLayoutEffect(() => onDraw(chat));
  return null;
}

export function mountStock(api: string): MountedStock {
  const seen: { chat?: Stock } = {};
  const transport = new DefaultChatTransport<UIMessage>({ api });
  const root = createRoot(document.createElement('div'));
  root.render(
    <StrictMode>
      <Probe transport={transport} onDraw={(chat) => void Object.assign(seen, { chat })} />
    </StrictMode>,
  );
  const current = (): Stock => {
    if (seen.chat === undefined) throw new Error('The chat has not been drawn.');
    return seen.chat;
  };
  return {
    get chat() {
      return current();
    },
    screen: () => lines(current().messages),
    unmount: () => root.unmount(),
  };
}
