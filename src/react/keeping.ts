import type { KeyValueStore, World } from '../world.ts';
import { reportToDeveloper } from './developer.ts';

/** Whether a value says where to keep pending messages: a kind of Web storage, or a store with all three functions. */
export function isStorage(value: unknown): value is 'session' | 'local' | KeyValueStore {
  if (value === 'session' || value === 'local') return true;
  if (typeof value !== 'object' || value === null) return false;
  const store = value as Record<string, unknown>;
  return ['get', 'set', 'remove'].every((name) => typeof store[name] === 'function');
}

/** What a chat's recovery needs to keep pending messages, by the chat's `storage` option; nothing where it is off. */
export function keeping(
  { storage, id }: { readonly storage?: unknown; readonly id?: string | undefined },
  world: World,
  identity: { owner?: string },
) {
  if (!isStorage(storage)) return {};
  const store = (): KeyValueStore | undefined => {
    if (id === undefined) {
      reportToDeveloper(
        '[helix-chat] `storage` was given to a chat without an `id`. After a reload the chat has another id, so nothing ' +
          'could be restored, and nothing is kept. Give the chat an `id` of your own.',
      );
      return undefined;
    }
    if (typeof storage !== 'string') return storage;
    const found = pageStore(storage, world);
    if (found === undefined) {
      reportToDeveloper(
        `[helix-chat] There is no ${storage} storage here. Pending messages are lost with the page. ` +
          'Give a store of your own as `storage`, or leave the option out.',
      );
    }
    return found;
  };
  return { keeps: { store, identity, onDeveloperNote: reportToDeveloper } };
}

function pageStore(kind: 'session' | 'local', world: World): KeyValueStore | undefined {
  try {
    return world.storage?.(kind);
  } catch {
    return undefined;
  }
}
