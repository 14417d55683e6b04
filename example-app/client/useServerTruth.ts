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

/** Before each further look while a run is being ended, or after a read that failed, in ms. */
const pauses = [1000, 2000, 4000, 8000];

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  });

/** Reads the server's truth each time the chat has settled; as any other reader, so no armed fault touches it. */
export function useServerTruth(chatId: string, messages: readonly UIMessage[], settled: boolean) {
  const [truth, setTruth] = useState<ServerTruth>();
  const asked = settled && messages.length > 0;
  useEffect(() => {
    if (!asked) return;
    const looking = new AbortController();
    const { signal } = looking;
    async function look() {
      for (const ms of [0, ...pauses]) {
        if (ms) await pause(ms, signal);
        const read = await readTruth(chatId, messages, signal).catch(() => undefined);
        if (signal.aborted) return;
        setTruth(read);
        if (read && read.status !== 'active') return;
      }
    }
    void look();
    return () => looking.abort();
  }, [chatId, messages, asked]);
  return asked ? truth : undefined;
}
