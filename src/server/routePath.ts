/** The routes of a chat backend. */
export type ChatRouteName = 'send' | 'stream' | 'snapshot' | 'stop' | 'retry';

/** The method that each route answers to. */
export const ROUTE_METHODS: Readonly<Record<ChatRouteName, 'GET' | 'POST'>> = {
  send: 'POST',
  stream: 'GET',
  snapshot: 'GET',
  stop: 'POST',
  retry: 'POST',
};

/** What a path names: `{base}` is the send route, `{base}/{id}/{name}` one of the others. The id is as in the path, still encoded. */
export interface RoutePath {
  readonly route: ChatRouteName;
  /** Undefined for a send: there it is in the body. */
  readonly id: string | undefined;
}

/** A base path without its trailing slashes. */
export function trimBasePath(basePath: string): string {
  return basePath.replace(/\/+$/, '');
}

/** Reads a path below a trimmed base path; undefined when it names no route. */
export function readRoutePath(pathname: string, base: string): RoutePath | undefined {
  if (trimBasePath(pathname) === base) return { route: 'send', id: undefined };
  if (!pathname.startsWith(`${base}/`)) return undefined;
  const [id = '', name = '', ...more] = pathname.slice(base.length + 1).split('/');
  if (id === '' || more.length > 0 || name === 'send' || !isRouteName(name)) return undefined;
  return { route: name, id };
}

function isRouteName(name: string): name is ChatRouteName {
  return Object.hasOwn(ROUTE_METHODS, name);
}
