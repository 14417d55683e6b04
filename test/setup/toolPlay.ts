import { lastAssistantMessageIsCompleteWithToolCalls, type UIMessage } from 'ai';
import type { UseHelixChatOptions } from 'helix-chat/react';
import { CLIENT_HEADER } from 'helix-chat/testing';
import { type MountedChat, mountChat } from './mountChat.tsx';
import type { Layer } from './networkLayers.ts';
import { CHAT, type Play, play } from './playScenario.ts';
import { TOOL, toolReplies } from './toolReplies.ts';

/** A chat with a model that calls client tools. */
export interface ToolPlay extends Play {
  /** The calls that the app has heard of, in order. */
  readonly ran: string[];
}

/** The app answers when the test does; a complete set of answers goes by itself. */
export async function playTools(
  change: UseHelixChatOptions<UIMessage> = {},
  between?: Layer,
): Promise<ToolPlay> {
  const ran: string[] = [];
  const game = await play(
    {
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
      onToolCall: ({ toolCall }) => void ran.push(toolCall.toolCallId),
      ...change,
    } as UseHelixChatOptions<UIMessage>,
    between,
    (world) => ({ reply: toolReplies(world) }),
  );
  return { ...game, ran };
}

/** Another tab of the same browser, with the same chat. */
export interface Tab extends Pick<Play, 'mounted' | 'world'> {
  readonly ran: string[];
}

/** Opens the chat in another tab, and lets it load. */
export async function otherTab(
  { server, world }: Pick<Play, 'server' | 'world'>,
  change: UseHelixChatOptions<UIMessage> = {},
): Promise<Tab> {
  const ran: string[] = [];
  // Two chat objects of one page are two clients, of which the developer is told.
  const { warn } = console;
  console.warn = () => {};
  const mounted = await mountChat(world, {
    id: CHAT,
    fetch: server.fetch,
    headers: { [CLIENT_HEADER]: 'tab-2' },
    requestKeys: true,
    resync: true,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
    onToolCall: ({ toolCall }) => void ran.push(toolCall.toolCallId),
    ...change,
  } as UseHelixChatOptions<UIMessage>);
  await world.advance(10);
  console.warn = warn;
  return { mounted, world, ran };
}

type Part = UIMessage['parts'][number] & {
  toolCallId?: string;
  state?: string;
  output?: unknown;
  approval?: { approved?: boolean };
};

/** What a person sees of each call: `t1 output-available yes`. */
export const calls = (messages: readonly { readonly parts: readonly unknown[] }[]): string[] =>
  messages
    .flatMap(({ parts }) => parts as Part[])
    .filter(({ toolCallId }) => toolCallId !== undefined)
    .map(({ toolCallId, state, output, approval }) =>
      [toolCallId, state, output, approval?.approved]
        .filter((word) => word !== undefined)
        .join(' '),
    );

export const seen = ({ mounted }: { mounted: MountedChat }): string[] =>
  calls(mounted.chat.messages);

/** The calls as the server holds them. */
export const stored = async ({ server }: Play): Promise<string[]> =>
  calls(await server.transcript(CHAT));

/** Gives an answer as an app does, and lets it sink in. */
export async function answer(
  { mounted, world }: Pick<Play, 'mounted' | 'world'>,
  toolCallId: string,
  output: unknown = 'yes',
): Promise<void> {
  await mounted.chat.addToolOutput({ tool: TOOL, toolCallId, output } as never);
  await world.settle();
  await world.advance(0);
}

/** Sends the question and lets the reply come to its calls. */
export async function asked(game: Play, question: string): Promise<void> {
  await game.send(question);
  await game.rest();
}

interface Submit {
  /** The answers that went out, as `calls` shows them. */
  readonly answers: readonly string[];
  readonly key: string | undefined;
  readonly status: number | 'lost' | undefined;
}

/** The posts of answers, of everybody, in order. */
export const submits = ({ server }: Play): Submit[] =>
  server.requests
    .filter(({ route }) => route === 'send')
    .map(({ body, key, status }) => ({
      last: (body as { messages?: UIMessage[] } | undefined)?.messages?.at(-1),
      key,
      status,
    }))
    .filter(({ last }) => last?.role === 'assistant')
    .map(({ last, key, status }) => ({ answers: calls(last ? [last] : []), key, status }));
