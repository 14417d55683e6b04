import { describe, expect, test } from 'vitest';
import type { ChatStore, RunChange } from '../../src/server/store/chatStore.ts';
import { createMemoryStore } from '../../src/server/store/memoryStore.ts';
import { createManualWorld, type ManualWorld } from '../../src/testing/manualWorld.ts';
import type { OpenStore } from '../../src/testing/storeChecks/storeCheck.ts';
import { STORE_CHECKS } from '../../src/testing/storeChecks/storeChecks.ts';

/** Opens a memory store in which something is otherwise. */
const opening =
  (plant: (store: ChatStore, world: ManualWorld) => Partial<ChatStore> = () => ({})): OpenStore =>
  (needs) => {
    const world = createManualWorld();
    const made = createMemoryStore({ world, ...needs });
    const store = { ...made, ...plant(made, world) };
    return { store, other: store, elapse: (ms) => world.advance(ms) };
  };

type Plant = (store: ChatStore, world: ManualWorld) => Partial<ChatStore>;

/** Changes that reach the store otherwise than they were asked for. */
const changing =
  (alter: (change: RunChange) => RunChange): Plant =>
  (store) => ({ write: (chatId, runId, change) => store.write(chatId, runId, alter(change)) });

/** Records that are read otherwise than they are. */
const reading =
  (alter: (record: NonNullable<Awaited<ReturnType<ChatStore['read']>>>) => object): Plant =>
  (store) => ({
    async read(chatId, options) {
      const record = await store.read(chatId, options);
      return record && { ...record, ...alter(record) };
    },
  });

const pageOf =
  (alter: (page: Awaited<ReturnType<ChatStore['readLog']>>) => object): Plant =>
  (store) => ({
    readLog: async (...given) => {
      const page = await store.readLog(...given);
      return { ...page, ...alter(page) };
    },
  });

/** Ids that a store takes for others. */
const withIds =
  (change: (chatId: string) => string): Plant =>
  (store) => ({
    read: (chatId, options) => store.read(change(chatId), options),
    startRun: (chatId, start) => store.startRun(change(chatId), start),
  });

/** A store that takes what it has read for what still is. */
const racing: Plant = (store) => {
  const force: ChatStore['startRun'] = async (chatId, start) => {
    const run = (await store.read(chatId))?.run;
    if (run?.status === 'active') await store.write(chatId, run.id, { end: { status: 'ended' } });
    return store.startRun(chatId, { ...start, revision: (await store.read(chatId))?.revision });
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    async startRun(chatId, start) {
      const record = await store.read(chatId);
      if (record?.revision !== start.revision) return 'changed';
      const forced = last.then(() => force(chatId, start));
      last = forced;
      return forced;
    },
  };
};

/** For each check a store that it has to find out, by the check's name. */
const PLANTED: Record<string, Plant> = {
  'a session that nobody has begun is none': (store) => ({
    requestStop: async () => ({ kind: 'stopping' }),
    read: store.read,
  }),
  'a run that was started is read as it was given, by every process': reading(({ messages }) => ({
    messages: JSON.parse(JSON.stringify(messages).replaceAll('[]', '{}')),
  })),
  'of many starts at once one starts, whichever process asks': racing,
  'no run starts beside a live one': racingBesideLive(),
  'a plan from an older state is told so': (store) => ({
    startRun: async (chatId, start) =>
      store.startRun(chatId, { ...start, revision: (await store.read(chatId))?.revision }),
  }),
  'a reply that was stored makes another state': reading(({ run }) => ({
    revision: Number(run?.id.replace(/\D/g, '')),
  })),
  'the same start again is a start, and writes nothing': (store) => ({
    startRun: async (chatId, start) =>
      (await store.read(chatId))?.run?.id === start.run.id
        ? 'changed'
        : store.startRun(chatId, start),
  }),
  'a new run begins anew, with a log of its own': (store) => {
    const stops = new Set<string>();
    return {
      requestStop: (chatId, runId, mode) => {
        stops.add(chatId);
        return store.requestStop(chatId, runId, mode);
      },
      read: async (chatId, options) => {
        const record = await store.read(chatId, options);
        const stop = stops.has(chatId) ? { stop: 'abort' as const } : {};
        return record?.run && { ...record, run: { ...record.run, ...stop } };
      },
    };
  },
  'a key is held by the run that it started': reading(({ held, run }) => ({
    held: held && { ...held, runId: run?.id },
  })),
  'a start that is refused takes no key and no message': (store) => {
    const taken = new Map<string, { runId: string; fingerprint: string }>();
    return {
      startRun: (chatId, start) => {
        const { key, run } = start;
        if (key) taken.set(key.value, { runId: run.id, fingerprint: key.fingerprint });
        return store.startRun(chatId, start);
      },
      read: async (chatId, options) => {
        const record = await store.read(chatId, options);
        return record && { ...record, held: taken.get(options?.key ?? '') };
      },
    };
  },
  'a session remembers a hundred keys': (store) => ({
    read: async (chatId, options) => {
      const record = await store.read(chatId, options);
      const forgotten = options?.key === 'k0' && record?.run?.id !== 'r0';
      return record && { ...record, held: forgotten ? undefined : record.held };
    },
  }),
  'messages are replaced while no run is live': (store) => ({
    putMessages: async (chatId, revision, messages) =>
      messages.length === 0 ? 'written' : store.putMessages(chatId, revision, messages),
  }),
  'what is stored is nobody else’s object': (store) => {
    const given = new Map<string, readonly never[]>();
    return {
      startRun: (chatId, start) => {
        given.set(chatId, start.messages as readonly never[]);
        return store.startRun(chatId, start);
      },
      read: async (chatId, options) => {
        const record = await store.read(chatId, options);
        return record && { ...record, messages: given.get(chatId) ?? [] };
      },
    };
  },
  'sessions do not mix, whatever their ids': withIds((chatId) => chatId.toLowerCase()),
  'a log is read in its order, from any position': pageOf(({ entries }) => ({
    entries: entries.map((entry) => ({ ...entry, kind: 'content' })),
  })),
  'a log of thousands of lines keeps its order': pageOf(({ entries }) => ({
    entries: entries.slice(0, 2_000),
  })),
  'a log is complete with its run’s end, and at its last line only': (store) => ({
    readLog: async (chatId, runId, from, limit) => {
      const page = await store.readLog(chatId, runId, from, limit);
      const ended = (await store.read(chatId))?.run?.status !== 'active';
      return { ...page, state: ended ? 'complete' : page.state };
    },
  }),
  'a change is seen whole or not at all': (store, world) => ({
    async write(chatId, runId, change) {
      const { entries, ...rest } = change;
      if (!entries) return store.write(chatId, runId, change);
      await store.write(chatId, runId, { entries });
      for (let turn = 0; turn < 5; turn++) await world.settle();
      return store.write(chatId, runId, rest);
    },
  }),
  'who is not the live run writes nothing': (store) => ({
    write: async (chatId, _runId, change) =>
      store.write(chatId, (await store.read(chatId))?.run?.id ?? '', change),
  }),
  'a numbered change that comes again changes nothing': changing(
    ({ number: _, ...change }) => change,
  ),
  'what was not committed is superseded': changing(({ supersede: _, ...change }) => change),
  'the reply takes its message’s place, or comes last': (store) => ({
    write: async (chatId, runId, change) => {
      const known = (await store.read(chatId))?.messages.some(({ id }) => id === change.reply?.id);
      const { reply, ...rest } = change;
      return store.write(chatId, runId, known ? rest : { ...rest, ...(reply ? { reply } : {}) });
    },
  }),
  'an end is kept with why its reply is over': changing(({ end, ...change }) => {
    const { finishReason: _, ...kept } = end ?? {};
    return end ? { ...change, end: { ...kept, status: end.status } } : change;
  }),
  'an end is kept with its error': changing(({ end, ...change }) =>
    end ? { ...change, end: { status: end.status } } : change,
  ),
  'a lease ends by the store’s clock, and a change renews it': changing(
    ({ leaseMs: _, ...change }) => change,
  ),
  'a run is marked lost once its lease has ended, by one of many': changing(
    ({ onlyIfLost: _, ...change }) => change,
  ),
  'a stop reaches the run with its next change': (store) => ({
    write: async (chatId, runId, change) => {
      const answer = await store.write(chatId, runId, change);
      return answer.kind === 'written' && change.number === undefined
        ? { kind: 'written' }
        : answer;
    },
  }),
  'an abort is not softened': (store) => {
    let last: 'interrupt' | 'abort' = 'interrupt';
    return {
      requestStop: (chatId, runId, mode) => {
        last = mode;
        return store.requestStop(chatId, runId, mode);
      },
      read: async (chatId, options) => {
        const record = await store.read(chatId, options);
        return record?.run && { ...record, run: { ...record.run, stop: last } };
      },
    };
  },
  'a stop meets the run that it names, or none': (store) => ({
    requestStop: async (chatId, _runId, mode) =>
      store.requestStop(chatId, (await store.read(chatId))?.run?.id ?? '', mode),
  }),
  'who listens hears of what another process does': (store) => ({
    subscribe: (chatId, listener) =>
      store.subscribe(chatId, (change) => {
        if (change === 'log') listener(change);
      }),
  }),
  'a change is not heard of before it can be read': (store, world) => {
    const listeners = new Set<() => void>();
    return {
      subscribe: (_, listener) => {
        const told = () => listener('log');
        listeners.add(told);
        return () => void listeners.delete(told);
      },
      write: async (...given) => {
        for (const told of listeners) told();
        await world.settle();
        return store.write(...given);
      },
    };
  },
  'who has left hears nothing more, and others still do': (store) => ({
    subscribe: (chatId, listener) => {
      store.subscribe(chatId, listener);
      return () => {};
    },
  }),
  'the same listener may listen twice, and leave once': (store) => {
    const known = new Map<unknown, () => void>();
    return {
      subscribe: (chatId, listener) => {
        const leave = known.get(listener) ?? store.subscribe(chatId, listener);
        known.set(listener, leave);
        return leave;
      },
    };
  },
  'a session is forgotten after its time, and can begin anew': (_, world) =>
    createMemoryStore({ world }),
  'a session whose run is live is not forgotten': (store, world) => ({
    read: async (chatId, options) =>
      world.monotonic() > 100 ? undefined : store.read(chatId, options),
  }),
  'a log is forgotten before its transcript': (_, world) => createMemoryStore({ world }),
};

function racingBesideLive(): Plant {
  return (store) => ({
    async startRun(chatId, start) {
      const run = (await store.read(chatId))?.run;
      if (run?.status !== 'active') return store.startRun(chatId, start);
      await store.write(chatId, run.id, { end: { status: 'failed' } });
      const revision = (await store.read(chatId))?.revision;
      return store.startRun(chatId, { ...start, revision });
    },
  });
}

describe('the memory store', () => {
  test.each(STORE_CHECKS.map((check) => [check.name, check] as const))('%s', (_, check) =>
    check.play(opening()),
  );
});

describe('a store that is broken is found out', () => {
  test('there is one for each check', () => {
    const names = STORE_CHECKS.map(({ name }) => name);
    expect(Object.keys(PLANTED).toSorted()).toEqual(names.toSorted());
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(STORE_CHECKS.map((check) => [check.name, check] as const))(
    '%s',
    async (name, check) => {
      await expect(check.play(opening(PLANTED[name]))).rejects.toThrow(
        /^\[helix-chat\] A store check failed at /,
      );
    },
  );

  test('and is closed all the same', async () => {
    let closed = 0;
    const check = STORE_CHECKS.find(({ name }) => name === 'an abort is not softened');
    const open: OpenStore = (needs) =>
      Object.assign(opening(PLANTED['an abort is not softened'])(needs), {
        close: () => {
          closed += 1;
        },
      });
    await expect(check?.play(open)).rejects.toThrow();
    expect(closed).toBe(1);
  });
});
