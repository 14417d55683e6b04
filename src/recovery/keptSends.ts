import { createRequestKey } from '../protocol/requestKey.ts';
import type { KeyValueStore, World } from '../world.ts';
import {
  CLAIM_MS,
  type KeptOutcome,
  type KeptPlace,
  type KeptView,
  keptNameOf,
  parseKeptRecord,
  reconcile,
  writeKeptRecord,
} from './keptRecord.ts';
import { leftoverOf } from './keptSend.ts';
import type { InHand, Leftover } from './leftover.ts';
import type { ChatMessage } from './ports.ts';

/** At once, or later where the store answers by promises. */
export type Later<T> = T | Promise<T>;

/** What keeping needs of the chat. `onRestored` and `onTaken` may come at any time until `close`. */
export interface KeptSendsOptions<M extends ChatMessage> {
  readonly world: World;
  readonly store: KeyValueStore;
  readonly place: KeptPlace;
  /** Names this chat object to others; filled in once, so that it is the same after a remount. */
  readonly identity: { owner?: string };
  /** What this chat has in hand now. */
  inHand(): readonly InHand<M>[];
  /** Messages that an earlier page, or a tab that has gone, left behind. */
  onRestored(lefts: readonly Leftover<M>[]): void;
  /** Messages that another tab has sent, or sends now, or has taken back. */
  onTaken(ids: readonly string[]): void;
  /** Messages that another tab has posted meanwhile, without knowing whether they arrived. */
  onUnclear(ids: readonly string[]): void;
  /** Of these, some are in the conversation by now, or have been taken back. */
  onEnded(): void;
  /** A note for the developer; without the text of a person. */
  onDeveloperNote(text: string): void;
}

/** Whose a message is. `unclear`: ours, but another tab has posted it meanwhile, and does not know whether it arrived. */
export type Claimed = 'ours' | 'theirs' | 'unclear';

/** The pending messages of one chat in a store, so that a reload loses none of them. Never throws. */
export interface KeptSends {
  /** Takes in what is left in the store, and keeps what is in hand. Called once. */
  open(): void;
  /** Brings the store up to what is in hand. */
  keep(): void;
  /** Makes a message that is about to go out this tab's. */
  claim(id: string): Later<Claimed>;
  /** The same for one whose text is about to be handed back. It is claimed until it has gone, or is let go. */
  reserve(id: string): Later<Claimed>;
  /** A reserved message stays after all, for whoever wants it. */
  letGo(id: string): void;
  /** The page goes away: what it claims is free. */
  leave(forGood: boolean): void;
  /** The page is back. */
  comeBack(): void;
  /** Lets everything go, and does nothing from now on. What was in hand stays in the store. */
  close(): void;
}

/** How often a claim is renewed. */
const RENEW_MS = CLAIM_MS / 3;
/** How long a slow store may hold up a send. */
const ANSWER_MS = 3_000;

/** One chat's part of a store. Nothing is read before it is opened. */
export function createKeptSends<M extends ChatMessage>(options: KeptSendsOptions<M>): KeptSends {
  const { world, store, place, onDeveloperNote: note } = options;
  const name = keptNameOf(place);
  const page = pageOf(world);
  options.identity.owner ??= `${page.tab}.${createRequestKey(() => world.random())}`;
  const { owner } = options.identity;

  let has: KeptOutcome['has'] = new Map();
  const lost = new Set<string>();
  const claiming = new Set<string>();
  let isAway: KeptView['letsGo'] = false;
  let isClosed = false;
  /** The store answers by promises. */
  let isSlow = false;
  let stopWatching = (): void => {};
  let cancelTimer = (): void => {};
  const cancelWaits = new Set<() => void>();
  let wakeAt: number | undefined;
  /** The last one of the looks that wait for a slow store. */
  let tail: Promise<unknown> | undefined;
  let waits = false;

  const isGone = (other: string): boolean =>
    other.startsWith(`${page.tab}.`) && !page.owners.has(other);

  const read = (): Later<Attempted> => attempt(() => store.get(name));

  const look = (takesIn: boolean): Later<KeptOutcome | undefined> => {
    if (isSlow) return exclusively(() => andThen(read(), (answer) => bringUp(answer, takesIn)));
    const answer = read();
    if (!(answer instanceof Promise)) return bringUp(answer, takesIn);
    isSlow = true;
    return answer.then(() => look(takesIn));
  };

  /** What is read and then written must not change in between: between the steps of a slow store other tabs may run. */
  const exclusively = async <T>(work: () => Later<T | undefined>): Promise<T | undefined> => {
    const wait = { wait: true, signal: new AbortController().signal };
    let result: T | undefined;
    const task = async (): Promise<void> => {
      result = await work();
    };
    await (world.lock?.(name, task, wait) ?? task());
    return result;
  };

  const bringUp = (answer: Attempted, takesIn: boolean): Later<KeptOutcome | undefined> => {
    if (!answer.ok) {
      note(UNREADABLE);
      return undefined;
    }
    const record = parseKeptRecord(answer.value, place);
    if (record.bad) note(MALFORMED);
    const bring = (withoutFiles: boolean): KeptOutcome | undefined =>
      guarded(() =>
        reconcile(record.entries, {
          owner,
          now: world.now(),
          inHand: options.inHand(),
          was: has,
          lost,
          claiming,
          isGone,
          letsGo: isClosed ? isAway || 'for-now' : isAway,
          takesIn,
          withoutFiles,
        }),
      );
    const outcome = bring(false);
    if (outcome === undefined) {
      note(NOT_KEPT);
      return undefined;
    }
    const mayRemove = record.entries.length > 0 || (record.bad && !record.foreign);
    return andThen(write(answer.value, outcome, mayRemove), (isKept) => {
      const light = isKept ? undefined : bring(true);
      if (light === undefined) return settle(outcome);
      return andThen(write(answer.value, light, mayRemove), (isThere) => {
        note(isThere ? TOO_FULL_FOR_FILES : NOT_KEPT);
        return settle(outcome);
      });
    });
  };

  /** False: the store did not take it. */
  const write = (old: unknown, { entries }: KeptOutcome, mayRemove: boolean): Later<boolean> => {
    if (entries.length === 0) {
      if (!mayRemove) return true;
      return andThen(
        attempt(() => store.remove(name)),
        ({ ok }) => ok,
      );
    }
    const text = writeKeptRecord(place, entries);
    if (text === old) return true;
    return andThen(
      attempt(() => store.set(name, text)),
      ({ ok }) => ok,
    );
  };

  const settle = (outcome: KeptOutcome): KeptOutcome => {
    has = outcome.has;
    if (isClosed) {
      // What is in hand may come back with a remount: who holds it is still here.
      if (outcome.has.size === 0) page.owners.delete(owner);
      return outcome;
    }
    for (const what of new Set(outcome.unkept)) note(unkept(what));
    for (const id of outcome.taken) lost.add(id);
    for (const id of claiming) if (!has.has(id)) claiming.delete(id);
    plan(outcome);
    if (outcome.restored.length > 0) {
      for (const { id } of outcome.restored) lost.delete(id);
      options.onRestored(outcome.restored.map((send) => leftoverOf<M>(send)));
    }
    if (outcome.taken.length > 0) options.onTaken(outcome.taken);
    if (outcome.unclear.length > 0) options.onUnclear(outcome.unclear);
    if (outcome.ended.length > 0) options.onEnded();
    return outcome;
  };

  /** The next look that nobody asks for: to renew a claim, or when another's has run out. */
  const plan = (outcome: KeptOutcome): void => {
    cancelTimer();
    wakeAt = outcome.wakeAt;
    const waitsMs = [
      ...(outcome.claims ? [RENEW_MS] : []),
      ...(wakeAt === undefined ? [] : [Math.max(0, wakeAt - world.now()) + 1]),
    ];
    if (waitsMs.length === 0) return;
    cancelTimer = world.after(Math.min(...waitsMs), () => {
      void inTurn(() => look(wakeAt !== undefined && wakeAt <= world.now()));
    });
  };

  /** A store that answers by promises is asked one thing after the other. */
  const inTurn = <T>(work: () => Later<T>): Later<T> => {
    const result = tail === undefined ? work() : tail.then(work);
    if (!(result instanceof Promise)) return result;
    const mine: Promise<unknown> = result.then(
      () => over(mine),
      () => over(mine),
    );
    tail = mine;
    return result;
  };
  const over = (ended: Promise<unknown>): void => {
    if (tail === ended) tail = undefined;
  };

  const keep = (): void => {
    // One look that has yet to begin sees whatever happens until then.
    if (isClosed || waits) return;
    waits = tail !== undefined;
    void inTurn(() => {
      waits = false;
      return look(false);
    });
  };

  const inTime = (asked: Promise<Claimed>): Promise<Claimed> =>
    new Promise((resolve) => {
      const cancel = world.after(ANSWER_MS, () => {
        note(SLOW);
        resolve('ours');
      });
      cancelWaits.add(cancel);
      void asked.then((claimed) => {
        cancel();
        cancelWaits.delete(cancel);
        resolve(claimed);
      });
    });

  const claim = (id: string): Later<Claimed> => {
    if (isClosed) return 'ours';
    const isKnown = has.has(id);
    const answer = andThen(
      inTurn(() => look(false)),
      (outcome): Claimed => {
        if (lost.has(id)) return 'theirs';
        return outcome?.unclear.includes(id) ? 'unclear' : 'ours';
      },
    );
    if (!(answer instanceof Promise)) return answer;
    // Nobody else can have a message that no store has held.
    return isKnown ? inTime(answer) : 'ours';
  };

  return {
    open() {
      page.owners.add(owner);
      stopWatching = guarded(() => store.watch?.(name, keep)) ?? stopWatching;
      void inTurn(() => look(true));
    },
    keep,
    claim,
    reserve(id) {
      claiming.add(id);
      return claim(id);
    },
    letGo(id) {
      claiming.delete(id);
      keep();
    },
    leave(forGood) {
      isAway = forGood ? 'for-good' : 'for-now';
      keep();
    },
    comeBack() {
      if (isAway === false) return;
      isAway = false;
      keep();
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      cancelTimer();
      for (const cancel of cancelWaits) cancel();
      guarded(stopWatching);
      void inTurn(() => look(false));
    },
  };
}

type Attempted = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

/** What a call of a store comes to, whether it answers, throws, promises or rejects. */
function attempt(call: () => unknown): Later<Attempted> {
  try {
    const value = call();
    if (!isThenable(value)) return { ok: true, value };
    return Promise.resolve(value).then(
      (later: unknown) => ({ ok: true, value: later }) as const,
      () => ({ ok: false }) as const,
    );
  } catch {
    return { ok: false };
  }
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' &&
  value !== null &&
  'then' in value &&
  typeof value.then === 'function';

const andThen = <A, B>(value: Later<A>, next: (value: A) => Later<B>): Later<B> =>
  value instanceof Promise ? value.then(next) : next(value);

function guarded<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}

interface Page {
  /** Names the tab, through reloads. */
  readonly tab: string;
  /** The chats that live in this page. */
  readonly owners: Set<string>;
}

const pages = new WeakMap<object, Page>();
const TAB = 'helix-chat:tab';

/**
 * The page that a world stands for. Its tab keeps its name in the session storage: whoever claimed something by that
 * name and does not live in this page is the page that was here before.
 */
function pageOf(world: World): Page {
  const session = guarded(() => world.storage?.('session'));
  const known = pages.get(session ?? world);
  if (known !== undefined) return known;
  const kept = guarded(() => session?.get(TAB));
  const isKept = typeof kept === 'string' && /^[a-z0-9]{24}$/.test(kept);
  const tab = isKept ? kept : createRequestKey(() => world.random());
  if (!isKept) guarded(() => session?.set(TAB, tab));
  const page: Page = { tab, owners: new Set() };
  pages.set(session ?? world, page);
  return page;
}

const UNREADABLE =
  '[helix-chat] The `storage` of a chat could not be read. Pending messages of an earlier page are not restored, and ' +
  'none are kept. See whether the page may use its storage, or mend the store.';
const MALFORMED =
  '[helix-chat] The `storage` of a chat holds something that helix-chat did not write, or of another version. It was ' +
  'left out. Let nothing else write under these names.';
const NOT_KEPT =
  '[helix-chat] The `storage` of a chat took nothing: it is full or forbidden. A reload would lose the pending messages. ' +
  'Make room in it, or give a store of your own.';
const TOO_FULL_FOR_FILES =
  '[helix-chat] The `storage` of a chat has no room for the files of pending messages. A reload would lose them, and ' +
  'keep the text. Make room in it, or give a store of your own.';
const SLOW =
  '[helix-chat] The `storage` of a chat did not answer in time. A message went out without knowing whether another tab ' +
  'sends it. Give a store that answers within three seconds.';

const unkept = (what: string): string =>
  `[helix-chat] The \`storage\` of a chat cannot keep ${what}. After a reload the message goes out without it. ` +
  'Use plain JSON data, and give headers that every request needs to the chat or its transport.';
