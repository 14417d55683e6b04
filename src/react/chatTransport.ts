import type { UIMessage } from 'ai';
import type { BindableTransport } from '../transport/boundTransport.ts';
import { HelixChatTransport } from '../transport/HelixChatTransport.ts';
import { resolved } from '../transport/resolved.ts';
import type { RecoveryOptions } from '../transport/transportOptions.ts';
import { wrapTransport } from '../transport/wrapTransport.ts';
import type { World } from '../world.ts';
import type { HelixChatOptions } from './chatOptions.ts';

/** The transport that the app has given, made fit for recovery, or one of our own from the flat options. */
export function bindableTransport<M extends UIMessage>(
  options: HelixChatOptions<M>,
  latest: () => HelixChatOptions<M>,
  world: World,
): BindableTransport<M> {
  const { transport, resync, requestKeys, adapters } = options;
  const shared = {
    ...(resync === undefined ? {} : { routes: resync }),
    ...(requestKeys === undefined ? {} : { requestKeys }),
    ...(adapters === undefined ? {} : { adapters }),
    world,
  };
  if (HelixChatTransport.isInstance(transport)) {
    refuseTwice(transport.given, options);
    return transport as unknown as BindableTransport<M>;
  }
  if (transport !== undefined) return wrapTransport<M>(transport, shared);
  const { api, fetch, prepareSendMessagesRequest, prepareReconnectToStreamRequest } = options;
  return new HelixChatTransport<M>({
    ...(api === undefined ? {} : { api }),
    ...(fetch === undefined ? {} : { fetch }),
    ...(prepareSendMessagesRequest === undefined ? {} : { prepareSendMessagesRequest }),
    ...(prepareReconnectToStreamRequest === undefined ? {} : { prepareReconnectToStreamRequest }),
    // Asked at each request, so that a value of a later render counts.
    headers: async () => headerRecord(await resolved(latest().headers)),
    body: async () => ({ ...(await resolved(latest().body)) }),
    ...(options.credentials === undefined
      ? {}
      : { credentials: async () => (await resolved(latest().credentials)) ?? 'same-origin' }),
    ...shared,
  });
}

const headerRecord = (headers: Headers | Record<string, string> | undefined) =>
  headers instanceof Headers ? Object.fromEntries(headers.entries()) : { ...headers };

function refuseTwice<M extends UIMessage>(
  given: RecoveryOptions,
  options: HelixChatOptions<M>,
): void {
  const twice = (['resync', 'requestKeys', 'adapters'] as const).filter(
    (name) =>
      options[name] !== undefined && given[name === 'resync' ? 'routes' : name] !== undefined,
  );
  if (twice.length === 0) return;
  throw new Error(
    `[helix-chat] ${twice.map((name) => `\`${name}\``).join(', ')} was given to the chat and to its HelixChatTransport. ` +
      'One of the two would have no effect. Give it in one place.',
  );
}
