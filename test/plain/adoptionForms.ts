import { type ChatTransport, DefaultChatTransport, type UIMessage } from 'ai';
import { HelixChatTransport, type UseHelixChatOptions } from 'helix-chat/react';

/** An app's own way to its backend: an object that shows neither address nor headers nor bytes. */
function createOwnTransport(api: string): ChatTransport<UIMessage> {
  const inner = new DefaultChatTransport<UIMessage>({ api });
  return {
    sendMessages: (options) => inner.sendMessages(options),
    reconnectToStream: (options) => inner.reconnectToStream(options),
  };
}

/** How an app comes to the hook: the same chat by each of them. */
export const ADOPTION_FORMS = {
  'flat options': (api) => ({ api }),
  'a HelixChatTransport': (api) => ({ transport: new HelixChatTransport({ api }) }),
  'a stock DefaultChatTransport': (api) => ({ transport: new DefaultChatTransport({ api }) }),
  'a transport of its own': (api) => ({ transport: createOwnTransport(api) }),
} satisfies Record<string, (api: string) => UseHelixChatOptions<UIMessage>>;

export type AdoptionForm = keyof typeof ADOPTION_FORMS;

export const FORMS = Object.keys(ADOPTION_FORMS) as AdoptionForm[];

/** Promised routes and keys of the protocol server, in the words of the form. */
export function promises(form: AdoptionForm, api: string): UseHelixChatOptions<UIMessage> {
  const routes = {
    snapshot: (id: string) => `${api}/${id}/snapshot`,
    stop: (id: string) => `${api}/${id}/stop`,
  };
  if (form === 'a HelixChatTransport') {
    return { transport: new HelixChatTransport({ api, routes: true, requestKeys: true }) };
  }
  const resync = form === 'a transport of its own' ? routes : true;
  return { ...ADOPTION_FORMS[form](api), resync, requestKeys: true };
}
