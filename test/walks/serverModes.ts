/** What the backend of a walk can do, beside writing replies. */
export interface ServerMode {
  readonly name: 'keys and ids' | 'ids only' | 'keys, renamed ids' | 'neither';
  readonly keys: boolean;
  /** It has routes for the conversation, the live reply and a stop. */
  readonly routes: boolean;
  /** Lies between client and server, once a walk: all clients talk to one backend. */
  readonly between: () => (through: typeof fetch) => typeof fetch;
}

interface Posted {
  messages?: { id: string; role: string }[];
  trigger?: string;
  messageId?: string | undefined;
}

/**
 * Gives each posted message an id of the server's own. `row` makes it of the client's id and a count; a request key that
 * was seen before keeps its row, so that a server that honours keys still does.
 */
function renaming(
  row: (id: string, count: number) => string,
  shown: (snapshot: string) => string,
): (through: typeof fetch) => typeof fetch {
  let count = 0;
  const rows = new Map<string, string>();
  const byKey = new Map<string, string>();
  const known = (id: string): string => rows.get(id) ?? id;
  const rename = (body: Posted, key: string | null): void => {
    const last = body.messages?.at(-1);
    const target = body.messageId === undefined ? undefined : known(body.messageId);
    if (last?.role === 'user' && body.trigger === 'submit-message') {
      const local = last.id;
      count += 1;
      const given = (key === null ? undefined : byKey.get(key)) ?? target ?? row(local, count);
      if (key !== null) byKey.set(key, given);
      rows.set(local, given);
    }
    for (const message of body.messages ?? []) message.id = known(message.id);
    if (target !== undefined) body.messageId = target;
  };
  return (through) => async (input, init) => {
    const url = String(input);
    if (init?.method === 'POST' && url.endsWith('/chat')) {
      const body = JSON.parse(String(init.body)) as Posted;
      rename(body, new Headers(init.headers).get('x-helix-request-key'));
      return through(input, { ...init, body: JSON.stringify(body) });
    }
    const response = await through(input, init);
    if (!url.endsWith('/snapshot') || !response.ok) return response;
    return new Response(shown(await response.text()), response);
  };
}

/** A server that keeps ids and never compares them: what is posted twice is in its transcript twice. */
const keepingIds = () =>
  renaming(
    (id, count) => `${id}~~${count}`,
    (snapshot) => snapshot.replace(/~~\d+/g, ''),
  );

/** A server that gives every message an id of its own and shows only that. */
const renamingIds = () =>
  renaming(
    (_, count) => `row-${count}`,
    (snapshot) => snapshot,
  );

/** A server that knows nothing of request keys: it neither reads nor echoes them. */
const withoutKeys =
  (between: (through: typeof fetch) => typeof fetch) =>
  (through: typeof fetch): typeof fetch => {
    const next = between(through);
    return (input, init) => {
      const headers = new Headers(init?.headers);
      headers.delete('x-helix-request-key');
      return next(input, { ...init, headers });
    };
  };

/** A server that has the send route alone. */
const sendsOnly =
  (between: (through: typeof fetch) => typeof fetch) =>
  (through: typeof fetch): typeof fetch => {
    const next = between(through);
    return async (input, init) =>
      String(input).endsWith('/chat')
        ? next(input, init)
        : new Response('Not found', { status: 404, headers: { 'content-type': 'text/plain' } });
  };

/** The backends that the promises are made for. */
export const SERVER_MODES: readonly ServerMode[] = [
  {
    name: 'keys and ids',
    keys: true,
    routes: true,
    between: () => (through) => through,
  },
  {
    name: 'ids only',
    keys: false,
    routes: true,
    between: () => withoutKeys(keepingIds()),
  },
  {
    name: 'keys, renamed ids',
    keys: true,
    routes: true,
    between: renamingIds,
  },
  {
    name: 'neither',
    keys: false,
    routes: false,
    between: () => sendsOnly(withoutKeys(keepingIds())),
  },
];

/** What the client of a mode is told of it. `learned`: nothing, it finds out. */
export function clientOf(mode: ServerMode, learned: boolean) {
  if (!learned) return { requestKeys: mode.keys, resync: mode.routes };
  // Whoever lets the chat find out and wants the conversation on mount says so.
  return { requestKeys: 'auto', resync: 'auto', resume: mode.routes } as const;
}
