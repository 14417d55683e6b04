import type { HelixError } from '../errors/HelixError.ts';
import { developerError, developerText } from './developerError.ts';
import { isSameOrigin } from './keys.ts';
import type { RouteKnowledge } from './turnHost.ts';

/** An address, or a function that makes it from the chat id; called once a chat. */
export type Url = string | ((chatId: string) => string);

/** Where the optional routes are. Those left out are `{api}/{id}/stream`, `/snapshot` and `/stop`; there is no default for `retry`. */
export interface Routes {
  readonly stream?: Url;
  readonly snapshot?: Url;
  readonly stop?: Url;
  readonly retry?: Url;
  /** Takes the place of the snapshot route for apps that keep messages elsewhere. Throws for "cannot be read". */
  readSnapshot?(chatId: string, options: { signal: AbortSignal }): Promise<unknown>;
}

/**
 * `'auto'` (default): each route is looked for once. `true` or an object: they are promised, their failures are shown.
 * `false`: none is used.
 */
export type RoutesOption = 'auto' | boolean | Routes;

/** The optional routes of a backend. */
export type RouteName = 'stream' | 'snapshot' | 'stop' | 'retry';

/** Their names. */
export const routeNames: readonly RouteName[] = ['stream', 'snapshot', 'stop', 'retry'];

/** What an answer to a look says about the route. */
export interface Look {
  readonly error: HelixError | undefined;
  readonly status: number | undefined;
  /** The body was typed: a Helix body, whatever the status. */
  readonly typed: boolean;
  /** A success, but of another content type than the route's. */
  readonly foreign: boolean;
}

/** What was learned of one backend's routes: kept as long as its transport, or longer when shared. */
export interface LearnedRoutes {
  readonly known: Set<string>;
  readonly absent: Set<string>;
  /** Clean ends without a terminal chunk in a row, by endpoint. */
  readonly openEnds: Map<string, number>;
  /** Endpoints that have answered anything at all. */
  readonly answering: Set<string>;
  /** Endpoints of which an answer has shown that it is one of ours. */
  readonly ours: Set<string>;
}

/** What is known before the first request: nothing. */
export function createLearnedRoutes(): LearnedRoutes {
  return {
    known: new Set(),
    absent: new Set(),
    openEnds: new Map(),
    answering: new Set(),
    ours: new Set(),
  };
}

/** A path behind the path of a URL, before its query. */
export function appendPath(url: string, path: string): string {
  const end = url.search(/[?#]/);
  const base = end === -1 ? url : url.slice(0, end);
  const suffix = end === -1 ? '' : url.slice(end);
  return `${base.replace(/\/$/, '')}${path}${suffix}`;
}

const missing: ReadonlySet<number | undefined> = new Set([404, 405, 501]);
/** Refusals that a route which is there gives too: of the sign-in, or for now. */
const provesNothing: ReadonlySet<number> = new Set([401, 403, 408, 425, 429, 503]);

/** The routes of one chat: where they are, and what is known of them. */
export class ChatRoutes {
  /** They were promised: their failures are shown. */
  readonly promised: boolean;
  readonly readSnapshot: Routes['readSnapshot'];
  readonly #urls: { readonly [name in RouteName]?: string };
  readonly #givenStream: boolean;
  readonly #learned: LearnedRoutes;
  readonly #note: (text: string) => void;

  /**
   * `api`: the send URL, undefined where a transport does not tell it; `defaultStream` then names its own way to a
   * live run.
   * @throws a developer error when a URL function throws or gives no text.
   */
  constructor(
    option: RoutesOption,
    api: string | undefined,
    chatId: string,
    learned: LearnedRoutes,
    note: (text: string) => void,
    defaultStream?: string,
  ) {
    const given: Routes = typeof option === 'object' ? option : {};
    this.promised = option === true || typeof option === 'object';
    this.readSnapshot = given.readSnapshot;
    this.#givenStream = given.stream !== undefined;
    this.#learned = learned;
    this.#note = note;
    this.#urls =
      option === false
        ? {}
        : {
            ...(defaultStream !== undefined && { stream: defaultStream }),
            ...resolveUrls(given, api, chatId),
          };
  }

  url(name: RouteName): string | undefined {
    return this.#urls[name];
  }

  /** The stream's URL where the app named one: else the SDK's own default stands. */
  get givenStreamUrl(): string | undefined {
    return this.#givenStream ? this.#urls.stream : undefined;
  }

  knowledge(name: RouteName, endpoint: string): RouteKnowledge {
    if (name === 'snapshot' && this.readSnapshot !== undefined) return 'known';
    if (this.#urls[name] === undefined) return 'absent';
    if (this.promised) return 'known';
    const id = `${endpoint}\n${name}`;
    if (this.#learned.known.has(id)) return 'known';
    return this.#learned.absent.has(id) ? 'absent' : 'open';
  }

  /** The route has answered as it should, or by a typed failure. */
  learnKnown(name: RouteName, endpoint: string): void {
    this.#learned.known.add(`${endpoint}\n${name}`);
  }

  /** Judges a look that brought no success. True when it shows that there is no such route; only an open one can. */
  learnFrom(name: RouteName, endpoint: string, look: Look, origin: string | undefined): boolean {
    if (look.typed) {
      this.learnKnown(name, endpoint);
      return false;
    }
    if (this.knowledge(name, endpoint) !== 'open') return false;
    const unreadable = look.status === undefined && this.#isBarred(name, endpoint, look, origin);
    const unknownHere = this.#isRefusedByAnother(endpoint, look.status);
    if (!look.foreign && !missing.has(look.status) && !unreadable && !unknownHere) return false;
    this.learnAbsent(name, endpoint);
    return true;
  }

  learnAbsent(name: RouteName, endpoint: string): void {
    this.#learned.absent.add(`${endpoint}\n${name}`);
    this.#note(
      developerText(
        `${this.#urls[name] ?? endpoint} is no ${name} route.`,
        `The chat goes on without it: ${withoutRoute[name]}`,
        `Serve the route, or pass \`resync: false\` (transport: \`routes: false\`) to skip the look.`,
      ),
    );
  }

  /** A server that was never seen to be one of ours fails on an address that it does not know in its own way. */
  #isRefusedByAnother(endpoint: string, status: number | undefined): boolean {
    if (status === undefined || status < 400 || provesNothing.has(status)) return false;
    return !this.#learned.ours.has(endpoint);
  }

  /**
   * A network failure means "no such route" only where it can be the browser's answer to a missing CORS header: another
   * origin, the network up, the send URL answering, and never on a server that was seen to be one of ours.
   */
  #isBarred(name: RouteName, endpoint: string, look: Look, origin: string | undefined): boolean {
    const url = this.#urls[name];
    if (url === undefined || origin === undefined || isSameOrigin(url, origin)) return false;
    if (look.error?.code !== 'transport_error' || look.error.reason === 'offline') return false;
    return this.#learned.answering.has(endpoint) && !this.#learned.ours.has(endpoint);
  }
}

const withoutRoute: { readonly [name in RouteName]: string } = {
  stream: 'a reply that is cut off stays as it is.',
  snapshot: 'it cannot check what the server holds.',
  stop: 'a stop ends only the reading here.',
  retry: 'a failed reply is written anew instead of being continued.',
};

function resolveUrls(
  given: Routes,
  api: string | undefined,
  chatId: string,
): { readonly [name in RouteName]?: string } {
  const urls: { [name in RouteName]?: string } = {};
  // A path segment of dots would be resolved away by every URL parser, encoded or not.
  const addressable = chatId !== '.' && chatId !== '..';
  for (const name of routeNames) {
    const url = given[name];
    if (url !== undefined) urls[name] = resolveUrl(name, url, chatId);
    else if (name !== 'retry' && api !== undefined && addressable) {
      urls[name] = appendPath(api, `/${encodeURIComponent(chatId)}/${name}`);
    }
  }
  return urls;
}

function resolveUrl(name: RouteName, url: Url, chatId: string): string {
  if (typeof url === 'string') return url;
  let made: unknown;
  let cause: unknown;
  try {
    made = url(chatId);
  } catch (error) {
    cause = error;
  }
  if (typeof made === 'string' && made !== '') return made;
  throw developerError(
    cause === undefined
      ? `The function for the ${name} route gave no address.`
      : `The function for the ${name} route has thrown.`,
    'The chat cannot know where that route is.',
    'Return a text that is not empty for every chat id, or leave the route out to use the default address.',
    cause,
  );
}
