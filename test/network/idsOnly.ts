import type { ChatStore, StoredMessage } from '../../src/server/store/chatStore.ts';

const MARK = '~~';

interface Posted {
  id?: string;
  messages?: { id: string; role: string }[];
  trigger?: string;
  messageId?: string;
}

type Handle = (request: Request) => Promise<Response>;

/**
 * Makes a chat server one that keeps the ids of messages and compares nothing: what is posted twice is in its transcript
 * twice. It knows of no request keys either. Nothing is remembered here, so that it survives a kill as its store does.
 */
export function idsOnly(handle: Handle, store: ChatStore): Handle {
  return async (request) => {
    const posted = request.method === 'POST' ? await request.clone().text() : '';
    const headers = new Headers(request.headers);
    headers.delete('x-helix-request-key');
    const { pathname } = new URL(request.url);
    const body = pathname.endsWith('/chat') ? await renamed(posted, store) : posted;
    const response = await handle(
      new Request(request.url, {
        method: request.method,
        headers,
        signal: request.signal,
        ...(request.method === 'POST' ? { body } : {}),
      }),
    );
    if (!pathname.endsWith('/snapshot') || !response.ok) return response;
    return new Response(withoutMarks(await response.text()), response);
  };
}

const withoutMarks = (text: string): string => text.replace(/~~\d+/g, '');

async function renamed(text: string, store: ChatStore): Promise<string> {
  let body: Posted;
  try {
    body = JSON.parse(text) as Posted;
  } catch {
    return text;
  }
  const known = (await store.read(body.id ?? ''))?.messages ?? [];
  const last = body.messages?.at(-1);
  for (const message of body.messages ?? []) message.id = rowOf(message.id, known);
  if (body.messageId !== undefined) body.messageId = rowOf(body.messageId, known);
  else if (last?.role === 'user' && body.trigger === 'submit-message') {
    last.id = newRow(last.id, known);
  }
  return JSON.stringify(body);
}

const shownId = (row: string): string => row.split(MARK)[0] ?? row;

/** The row that this message has in the transcript, else its own id. */
function rowOf(id: string, known: readonly StoredMessage[]): string {
  return known.findLast((message) => shownId(message.id) === id)?.id ?? id;
}

function newRow(id: string, known: readonly StoredMessage[]): string {
  const shown = shownId(id);
  const copies = known.filter((message) => shownId(message.id) === shown).length;
  return `${shown}${MARK}${copies + 1}`;
}
