import type { UIMessage } from 'ai';
import { useEffect, useState } from 'react';

/** What the server holds, beside what is on screen. */
export interface ServerTruth {
  readonly count: number;
  readonly status: string;
  /** Every message there is on screen with the same text and files, and no other. */
  readonly same: boolean;
}

interface Snapshot {
  readonly status: string;
  readonly messages: readonly Pick<UIMessage, 'role' | 'parts'>[];
}

const printOf = (messages: Snapshot['messages']) =>
  JSON.stringify(
    messages.map(({ role, parts }) => [
      role,
      parts.map((part) => ('text' in part ? part.text : 'url' in part ? part.url : '')).join(''),
    ]),
  );

async function readTruth(chatId: string, onScreen: readonly UIMessage[], signal: AbortSignal) {
  const response = await fetch(`/api/chat/${encodeURIComponent(chatId)}/snapshot`, { signal });
  if (!response.ok) return undefined;
  const { messages: held, status }: Snapshot = await response.json();
  return { count: held.length, status, same: printOf(held) === printOf(onScreen) };
}

/** Reads the server's truth each time the chat has settled; as any other reader, so no armed fault touches it. */
export function useServerTruth(chatId: string, messages: readonly UIMessage[], settled: boolean) {
  const [truth, setTruth] = useState<ServerTruth>();
  const asked = settled && messages.length > 0;
  useEffect(() => {
    if (!asked) return;
    const reading = new AbortController();
    void readTruth(chatId, messages, reading.signal)
      .catch(() => undefined)
      .then((read) => {
        if (!reading.signal.aborted) setTruth(read);
      });
    return () => reading.abort();
  }, [chatId, messages, asked]);
  return asked ? truth : undefined;
}
