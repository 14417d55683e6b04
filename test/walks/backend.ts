import { type ChatStore, createMemoryStore, type StoredMessage } from 'helix-chat/server';
import {
  createFaultServer,
  type FaultServer,
  type LoggedRequest,
  type ManualWorld,
} from 'helix-chat/testing';
import { replies } from './replies.ts';

/** A change of a transcript by a request: what stood there, and what stands there now. */
export type OnChange = (before: readonly StoredMessage[], after: readonly StoredMessage[]) => void;

/** The server of a walk: its process can be killed, what it has stored stays. */
export interface WalkBackend {
  /** The process that lives now. */
  server(): FaultServer;
  /** How many processes have died. */
  deaths(): number;
  /** Calls back when the process dies, until the returned function is called. */
  onDeath(listener: () => void): () => void;
  kill(): void;
  /** Every request of every process, oldest first. */
  requests(): readonly LoggedRequest[];
  /** The latest run of a chat waits for answers. */
  paused(chatId: string): Promise<boolean>;
  /** No process answers a request, is read from, or waits. */
  settled(): boolean;
}

/** Tells of every change of one chat's transcript, in the moment in which it is made. */
function bookkept(store: ChatStore, chatId: string, onChange: OnChange): ChatStore {
  const messagesOf = async (id: string) => (await store.read(id))?.messages ?? [];
  return {
    ...store,
    async startRun(id, start) {
      const before = await messagesOf(id);
      const outcome = await store.startRun(id, start);
      if (outcome === 'started' && id === chatId) onChange(before, start.messages);
      return outcome;
    },
  };
}

/** The same store for one process: when that has died, it neither reads nor writes any more. */
function mortal(store: ChatStore): { store: ChatStore; die(): void } {
  let dead = false;
  const alive =
    <A extends readonly unknown[], R>(call: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      dead ? Promise.reject(new Error('The process is dead.')) : call(...args);
  return {
    store: {
      read: alive(store.read),
      startRun: alive(store.startRun),
      write: alive(store.write),
      putMessages: alive(store.putMessages),
      readLog: alive(store.readLog),
      requestStop: alive(store.requestStop),
      subscribe: (id, listener) =>
        store.subscribe(id, (change) => {
          if (!dead) listener(change);
        }),
    },
    die() {
      dead = true;
    },
  };
}

export function createBackend(world: ManualWorld, chatId: string, onChange: OnChange): WalkBackend {
  const kept = bookkept(createMemoryStore({ world }), chatId, onChange);
  const processes: { readonly server: FaultServer; die(): void }[] = [];
  const mourners = new Set<() => void>();
  const begin = (): FaultServer => {
    const { store, die } = mortal(kept);
    const server = createFaultServer({ world, store, reply: replies(world) });
    processes.push({ server, die });
    return server;
  };
  let living = begin();
  return {
    server: () => living,
    deaths: () => processes.length - 1,
    onDeath(listener) {
      mourners.add(listener);
      return () => void mourners.delete(listener);
    },
    kill() {
      processes.at(-1)?.die();
      living = begin();
      for (const mourner of [...mourners]) mourner();
    },
    requests: () => processes.flatMap(({ server }) => server.requests),
    paused: async (id) => (await kept.read(id))?.run?.status === 'paused',
    settled: () => processes.every(({ server }) => server.settled()),
  };
}
