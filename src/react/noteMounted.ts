import { reportToDeveloper } from './developer.ts';

/** The chat objects that are mounted in this page, by endpoint and id. A server mounts none. */
const mounted = new Map<string, Set<object>>();

/** Notes that a chat object is on screen; tells the developer where another one of the same chat is. The returned function takes it back. */
export function noteMounted(chat: object, endpoint: string, id: string): () => void {
  const name = JSON.stringify([endpoint, id]);
  const chats = mounted.get(name) ?? new Set();
  chats.add(chat);
  mounted.set(name, chats);
  if (chats.size > 1) {
    reportToDeveloper(
      `[helix-chat] Several chats with the id ${JSON.stringify(id)} are on the page, each with an object of its own. ` +
        'They do not see each other and send side by side, as two tabs do. ' +
        'Make one with `createHelixChat(options)` and give it to each `useHelixChat({ chat })`.',
    );
  }
  return () => {
    chats.delete(chat);
    if (chats.size === 0 && mounted.get(name) === chats) mounted.delete(name);
  };
}
