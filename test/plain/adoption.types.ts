/** Checked by the compiler alone: what an app writes keeps its types through the hook, by every form of adoption. */
import { type ChatTransport, DefaultChatTransport, type UIMessage } from 'ai';
import { isHelixError } from 'helix-chat';
import { createHelixChat, HelixChatTransport, useHelixChat } from 'helix-chat/react';

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <_T extends true>(): void => {};

interface Metadata {
  readonly model: string;
}
type Data = { readonly chart: { readonly points: number[] } };
type Tools = { readonly weather: { readonly input: { city: string }; readonly output: number } };
type AppMessage = UIMessage<Metadata, Data, Tools>;
type Part = AppMessage['parts'][number];

declare const ownTransport: ChatTransport<AppMessage>;

export function useEveryForm(): void {
  const forms = [
    useHelixChat<AppMessage>(),
    useHelixChat<AppMessage>({ api: '/api/chat', headers: () => ({ Authorization: 'x' }) }),
    useHelixChat<AppMessage>({ transport: new DefaultChatTransport<AppMessage>({ api: '/x' }) }),
    useHelixChat<AppMessage>({ transport: new HelixChatTransport<AppMessage>({ routes: true }) }),
    useHelixChat<AppMessage>({ transport: ownTransport }),
    useHelixChat({ chat: createHelixChat<AppMessage>({ api: '/api/chat' }) }),
    // The transport's type is the chat's.
    useHelixChat({ transport: ownTransport }),
  ];
  for (const chat of forms) {
    holds<Equal<(typeof chat)['messages'], AppMessage[]>>();
    holds<Equal<(typeof chat)['messages'][number]['parts'][number], Part>>();
    holds<Equal<(typeof chat)['pendingSends'][number]['message'], AppMessage>>();
    holds<Equal<Awaited<ReturnType<(typeof chat)['cancelPendingSend']>>, AppMessage | undefined>>();
    void chat.sendMessage({ text: 'a', metadata: { model: 'm' } }, { headers: { 'X-A': 'b' } });
    void chat.addToolOutput({ tool: 'weather', toolCallId: 'c', output: 21 });
    chat.setMessages((messages) => messages.filter(({ metadata }) => metadata?.model !== 'm'));
    // @ts-expect-error metadata is the app's own
    void chat.sendMessage({ text: 'a', metadata: { model: 1 } });
    // @ts-expect-error a tool that the app does not have
    void chat.addToolOutput({ tool: 'stocks', toolCallId: 'c', output: 21 });
    // @ts-expect-error an action that does not exist
    void chat.act('explode');
    const { error } = chat;
    if (isHelixError(error, 'state_not_stoppable')) {
      holds<Equal<(typeof error)['code'], 'state_not_stoppable'>>();
      holds<Equal<(typeof error)['currentStatus'], string | undefined>>();
    }
  }
}

export function useCallbacks(): void {
  useHelixChat<AppMessage>({
    onFinish: ({ message }) => holds<Equal<typeof message, AppMessage>>(),
    onDraft: (message) => holds<Equal<typeof message, AppMessage>>(),
    onData: (part) => {
      if (part.type === 'data-chart') holds<Equal<typeof part.data, Data['chart']>>();
    },
    onFailure: ({ actions }) => actions.includes('send-again'),
    onConflict: ({ messageId }) => (messageId === '' ? 'ask' : 'wait'),
  });
  // @ts-expect-error no such policy for a conflict
  useHelixChat<AppMessage>({ onConflict: 'queue' });
  // @ts-expect-error a limit is a number of ms
  useHelixChat<AppMessage>({ recovery: { idleMs: '5s' } });
}

export function narrowing(thrown: unknown): string {
  if (isHelixError(thrown, 'state_not_stoppable')) {
    const status: string | undefined = thrown.currentStatus;
    return `${thrown.code satisfies 'state_not_stoppable'} ${status}`;
  }
  // @ts-expect-error not known to be an error of ours
  return thrown.code;
}
