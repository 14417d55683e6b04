import type { ChatTransport, UIMessage } from 'ai';
import { readField } from '../protocol/readField.ts';
import { REQUEST_KEY_HEADER } from '../protocol/requestKey.ts';
import {
  type BindableTransport,
  type BindOptions,
  type BoundTransport,
  bindWire,
  type HeadersOf,
  type RouteAddress,
  type SendOptions,
  type Wire,
} from './boundTransport.ts';
import type { Call } from './call.ts';
import { createNotes, developerError, developerText } from './developerError.ts';
import { HelixChatTransport } from './HelixChatTransport.ts';
import { endpointOf, type KeyMode, ProvenKeys } from './keys.ts';
import { readChunks } from './readChunks.ts';
import { resolved } from './resolved.ts';
import { createLearnedRoutes } from './routes.ts';
import { checkRecoveryOptions, type RecoveryOptions } from './transportOptions.ts';
import { type Fetch, plainFetch, typedFetch } from './typedFetch.ts';

/**
 * Any `ChatTransport` as one that recovery can work with: its chunks, ends and what it throws become typed. What needs
 * bytes stays off, since a transport shows none: stated waits in headers, the content type, silence; one developer note
 * says so. The snapshot and stop routes are those given, or stand beside the address that an SDK transport was made for.
 * A `HelixChatTransport` is handed back as it is.
 *
 * @throws a developer error when the transport has no `sendMessages` or an option is malformed
 */
export function wrapTransport<M extends UIMessage>(
  transport: ChatTransport<M>,
  options: RecoveryOptions = {},
): BindableTransport<M> {
  if (typeof readField(transport, 'sendMessages') !== 'function') {
    throw developerError(
      'What was given as a transport has no `sendMessages`.',
      'No message could be sent by it.',
      'Give a `ChatTransport` of the AI SDK, or a `HelixChatTransport`.',
    );
  }
  if (HelixChatTransport.isInstance(transport)) {
    return transport as unknown as HelixChatTransport<M>;
  }
  checkRecoveryOptions(options);
  const learned = createLearnedRoutes();
  const keys = new ProvenKeys();
  return {
    bind({ chatId, host, settings }: BindOptions): BoundTransport<M> {
      const note = createNotes(settings.onDeveloperNote);
      note(
        developerText(
          'The chat was given a transport that shows neither headers nor bytes.',
          'A wait that the server states, an answer that is no event stream and a silent stream are not noticed.',
          'Use `HelixChatTransport` from helix-chat/transport, which takes the options of `DefaultChatTransport`.',
        ),
      );
      const wire = wireOf(transport, { learned, keys }, note);
      return bindWire(wire, options, { chatId, host, settings });
    },
  };
}

function wireOf<M extends UIMessage>(
  transport: ChatTransport<M>,
  memory: Pick<Wire<M>, 'learned' | 'keys'>,
  note: (text: string) => void,
): Wire<M> {
  const given = readField(transport, 'api');
  const api = typeof given === 'string' && given !== '' ? given : undefined;
  const ownFetch = () => {
    const fetch = readField(transport, 'fetch');
    return {
      fetch: typeof fetch === 'function' ? (fetch as Fetch) : undefined,
      onAnswer: () => {},
    };
  };
  /** A request to an optional route with what the transport itself sends. */
  const ownInit = async (to: RouteAddress, init: RequestInit): Promise<RequestInit> => {
    const credentials = await resolved(readField(transport, 'credentials'));
    return {
      ...init,
      ...(typeof credentials === 'string' && { credentials: credentials as RequestCredentials }),
      headers: joined(await resolved(readField(transport, 'headers')), to.headers, init.headers),
    };
  };
  return {
    ...memory,
    api,
    endpoint: endpointOf(api ?? 'custom-transport'),
    defaultStream: 'reconnectToStream()',
    seesBytes: false,
    replays: transport.resumeStreamIsReplay ?? true,
    enter: () => {},
    send: (options, call, _adapters, mode) => {
      call.sent = true;
      return transport.sendMessages(withKey(options, call, mode));
    },
    reconnect: (options, call) => {
      call.sent = true;
      return transport.reconnectToStream(options);
    },
    retry: async (to, call, adapters, keyMode) => {
      const setup = { call, adapters, keyMode, phase: 'regenerate', ...ownFetch() } as const;
      const { body } = await typedFetch(setup, to.url, await ownInit(to, { method: 'POST' }));
      return readChunks(body as ReadableStream<Uint8Array>, note);
    },
    request: async (to, init, call, adapters) => {
      const setup = { call, adapters, keyMode: false, phase: to.phase, ...ownFetch() };
      return plainFetch(setup, to.url, await ownInit(to, init));
    },
  };
}

/** A key goes out only where the app vouches for it: nothing can be proven by a transport that shows no headers. */
function withKey<M extends UIMessage>(
  options: SendOptions<M>,
  call: Call,
  mode: KeyMode,
): SendOptions<M> {
  const { key, ownKey } = call.options;
  if (mode !== true || ownKey !== undefined || key === undefined) return options;
  const headers = new Headers(options.headers);
  headers.set(REQUEST_KEY_HEADER, key);
  return { ...options, headers };
}

function joined(own: unknown, ...others: readonly HeadersOf[] | readonly RequestInit['headers'][]) {
  const headers = new Headers(typeof own === 'object' && own !== null ? (own as HeadersInit) : {});
  for (const more of others) {
    new Headers(more).forEach((value, name) => {
      headers.set(name, value);
    });
  }
  return headers;
}
