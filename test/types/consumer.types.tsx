/** Checked by the compiler alone: what an app writes against every entry point, under each version of what it stands on. */
import {
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage,
} from 'ai';
import {
  describeError,
  type ErrorCode,
  type Failure,
  HelixError,
  HelixRequestError,
  HelixStreamError,
  isErrorCode,
  isHelixError,
  type Policy,
  parseHelixChatError,
  toHelixError,
} from 'helix-chat';
import { allAdapters } from 'helix-chat/adapters';
import { de } from 'helix-chat/locales/de';
import { en } from 'helix-chat/locales/en';
import {
  createHelixChat,
  HelixChatTransport as FromReact,
  HelixProvider,
  useHelixChat,
} from 'helix-chat/react';
import { chatErrorResponse, createChatRoute, createMemoryStore } from 'helix-chat/server';
import { createFaultServer, createManualWorld } from 'helix-chat/testing';
import { HelixChatTransport } from 'helix-chat/transport';
import { ErrorBanner, HelixUIProvider, MessageError, PendingSends } from 'helix-chat/ui';
import type { ReactElement } from 'react';

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <_T extends true>(): void => {};

interface Metadata {
  readonly model: string;
}
type Data = { readonly chart: { readonly points: number[] } };
type Tools = { readonly weather: { readonly input: { city: string }; readonly output: number } };
type AppMessage = UIMessage<Metadata, Data, Tools>;

const policy: Policy = { repeats: 2, allow: (move, failure: Failure) => move !== failure.phase };
const transport = new HelixChatTransport<AppMessage>({ api: '/api/chat', routes: true });
export const shared = createHelixChat<AppMessage>({ transport, recovery: policy });
export const fromReact: HelixChatTransport<AppMessage> = new FromReact<AppMessage>({});

/** What was thrown, narrowed by its code. */
export function wordsFor(thrown: unknown): string {
  const error = toHelixError(thrown, { adapters: allAdapters });
  holds<Equal<typeof error, HelixError>>();
  if (HelixStreamError.isErrorEvent(thrown))
    return HelixStreamError.fromEvent(thrown).serverMessage ?? '';
  const { code } = error;
  if (isErrorCode(code)) {
    holds<Equal<typeof code, ErrorCode>>();
    switch (code) {
      case 'provider_overloaded':
        return 'busy';
      // @ts-expect-error no such code
      case 'provider_overloadd':
        return '';
      default:
    }
  }
  if (error instanceof HelixRequestError)
    holds<Equal<typeof error.statusCode, number | undefined>>();
  const body = parseHelixChatError(thrown);
  holds<Equal<NonNullable<typeof body>['retryable'], boolean | undefined>>();
  return error.message;
}

/** What the app says of a failure of its own accord. */
export function said(failure: Failure): readonly string[] {
  const { phase } = failure;
  if (phase === 'submit') holds<Equal<typeof phase, 'submit'>>();
  const view = describeError(failure, { catalog: en });
  return [view.title, view.cause];
}

export function Chat(): ReactElement {
  const chat = useHelixChat<AppMessage>({
    transport: new DefaultChatTransport<AppMessage>({ api: '/api/chat' }),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
    onToolCall({ toolCall }) {
      holds<Equal<typeof toolCall.toolCallId, string>>();
      if (toolCall.dynamic !== true && toolCall.toolName === 'weather') {
        holds<Equal<typeof toolCall.input, { city: string }>>();
      }
    },
    onData(part) {
      if (part.type === 'data-chart')
        holds<Equal<typeof part.data, { readonly points: number[] }>>();
    },
    onFinish({ message }) {
      holds<Equal<typeof message, AppMessage>>();
    },
    onFailure(failure) {
      holds<Equal<typeof failure, Failure>>();
    },
    onDraft(message) {
      holds<Equal<typeof message, AppMessage>>();
    },
  });
  for (const { parts, metadata } of chat.messages) {
    holds<Equal<typeof metadata, Metadata | undefined>>();
    for (const part of parts) {
      if (part.type === 'tool-weather' && part.state === 'output-available') {
        holds<Equal<typeof part.output, number>>();
      }
      if (part.type === 'data-chart')
        holds<Equal<typeof part.data, { readonly points: number[] }>>();
    }
  }
  if (isHelixError(chat.error)) holds<Equal<typeof chat.error, HelixError>>();
  void chat.addToolOutput({ tool: 'weather', toolCallId: 'c', output: 21 });
  // @ts-expect-error the tool's output is a number
  void chat.addToolOutput({ tool: 'weather', toolCallId: 'c', output: 'warm' });
  // @ts-expect-error no such action
  void chat.act('send-agin');
  const [message] = chat.messages;
  return (
    <HelixProvider adapters={allAdapters} recovery={policy}>
      <HelixUIProvider catalog={de}>
        <ErrorBanner chat={chat} />
        <PendingSends chat={chat} />
        {message === undefined ? null : <MessageError chat={chat} messageId={message.id} />}
      </HelixUIProvider>
    </HelixProvider>
  );
}

export function Shared(): ReactElement {
  const chat = useHelixChat({ chat: shared });
  holds<Equal<(typeof chat)['messages'], AppMessage[]>>();
  return <p>{chat.status}</p>;
}

export const serve = createChatRoute({
  basePath: '/api/chat',
  store: createMemoryStore(),
  reply: () => {
    throw new HelixError({ code: 'provider_overloaded', retryable: true });
  },
});
export const refuse = (thrown: unknown): Response => chatErrorResponse(thrown, { committed: true });
export const scripted = createFaultServer({ world: createManualWorld() });
