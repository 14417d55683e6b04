import { fileBytes, isName, type KeptSend, keptSendOf, parseKeptSend } from './keptSend.ts';
import type { InHand } from './leftover.ts';
import { isFields } from './plainData.ts';

/** Whose sends a record holds. */
export interface KeptPlace {
  /** The send URL without query. */
  readonly endpoint: string;
  readonly chatId: string;
}

/** Who sends an entry, or will by itself; nobody else may until `until`, wall-clock ms. */
export interface KeptClaim {
  readonly by: string;
  readonly until: number;
}

/** One row of a record. `send` absent: it was sent or taken back at `doneAt`, and the holders have not heard of it. */
export interface KeptEntry {
  readonly id: string;
  /** The chats that show it, each of which has to hear of its end. */
  readonly holders: readonly string[];
  readonly claim?: KeptClaim;
  readonly send?: KeptSend;
  readonly doneAt?: number;
}

const VERSION = 1;
/** Characters of a record that is still read: twice what Web storage holds. */
const LENGTH = 10_000_000;
const ENTRIES = 1_000;
/** How long an end is remembered for a holder that does not come back. */
const REMEMBERED_MS = 86_400_000;
/** Files of all sends together. */
const FILE_ROOM = 1_048_576;

/** How long a claim holds without being renewed, in ms. A hidden tab's timers may fire once a minute only. */
export const CLAIM_MS = 90_000;

/** The name under which the sends of one chat are kept. No other chat, endpoint or form of it has the same. */
export const keptNameOf = ({ endpoint, chatId }: KeptPlace): string =>
  `helix-chat:sends:${VERSION}:${JSON.stringify([endpoint, chatId])}`;

/** The text that a store keeps for a chat. */
export const writeKeptRecord = (
  { endpoint, chatId }: KeptPlace,
  entries: readonly KeptEntry[],
): string => JSON.stringify({ v: VERSION, endpoint, chatId, entries });

/** What a store answered. `bad`: some of it, or all, is not ours; `foreign`: it is another record. */
export interface ReadRecord {
  readonly entries: readonly KeptEntry[];
  readonly bad: boolean;
  readonly foreign: boolean;
}

/** The record in any value. Total: a store may hold anything, and answer with anything. */
export function parseKeptRecord(value: unknown, place: KeptPlace): ReadRecord {
  const nothing = { entries: [], bad: false, foreign: false };
  if (value === undefined || value === null) return nothing;
  if (typeof value !== 'string' || value.length > LENGTH) return { ...nothing, bad: true };
  const record = parseJson(value);
  if (!isFields(record)) return { ...nothing, bad: true };
  const { v, endpoint, chatId, entries } = record;
  if (v !== VERSION || endpoint !== place.endpoint || chatId !== place.chatId) {
    return { ...nothing, bad: true, foreign: true };
  }
  if (!Array.isArray(entries) || entries.length > ENTRIES) return { ...nothing, bad: true };
  const byId = new Map<string, KeptEntry>();
  for (const entry of entries.map(parseEntry)) {
    if (entry !== undefined && !byId.has(entry.id)) byId.set(entry.id, entry);
  }
  return { entries: [...byId.values()], bad: byId.size < entries.length, foreign: false };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseEntry(value: unknown): KeptEntry | undefined {
  if (!isFields(value)) return undefined;
  const { id, holders, claim, doneAt } = value;
  if (!isName(id) || !Array.isArray(holders) || holders.length > ENTRIES) return undefined;
  if (!holders.every(isName)) return undefined;
  if (value.send === undefined) {
    return isTime(doneAt) ? { id, holders, doneAt } : undefined;
  }
  const send = parseKeptSend(value.send);
  if (send === undefined || send.id !== id) return undefined;
  const known = parseClaim(claim);
  return { id, holders, send, ...(known === undefined ? {} : { claim: known }) };
}

/** A claim that cannot be read binds nobody. */
function parseClaim(value: unknown): KeptClaim | undefined {
  if (!isFields(value)) return undefined;
  const { by, until } = value;
  return isName(by) && isTime(until) ? { by, until } : undefined;
}

const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value);

/** What one chat brings to a record. */
export interface KeptView {
  readonly owner: string;
  /** Wall-clock ms. */
  readonly now: number;
  readonly inHand: readonly InHand[];
  /** The ids that were in hand, and in the record, when it was looked at last: what is not in hand any more has ended. */
  readonly was: ReadonlySet<string>;
  /** The ids that others have taken from this chat: never written again. */
  readonly lost: ReadonlySet<string>;
  /** Whether an owner is known to have gone. */
  isGone(owner: string): boolean;
  /** Claims are let go, since this page goes away. */
  readonly letsGo: boolean;
  /** What nobody has claimed is taken in. */
  readonly takesIn: boolean;
  /** Keeps no files: the store is full. */
  readonly withoutFiles?: boolean;
}

/** What came of it. */
export interface KeptOutcome {
  readonly entries: readonly KeptEntry[];
  /** The ids that are in hand and in the record. */
  readonly has: ReadonlySet<string>;
  /** The ids that others have claimed, sent or taken back. */
  readonly taken: readonly string[];
  readonly restored: readonly KeptSend[];
  /** What of them cannot be kept, in words for the developer. */
  readonly unkept: readonly string[];
  /** Whether a claim of this chat has to be renewed. */
  readonly claims: boolean;
  /** When a claim of another runs out, wall-clock ms. */
  readonly wakeAt: number | undefined;
}

/** Brings a record and what one chat has in hand together. Pure. */
export function reconcile(record: readonly KeptEntry[], view: KeptView): KeptOutcome {
  const { owner, now, inHand, was, lost } = view;
  const mine = new Map(inHand.map((item) => [item.left.entry.pending.id, item]));
  const entries: KeptEntry[] = [];
  const taken: string[] = [];
  const restored: KeptSend[] = [];
  const unkept: string[] = [];
  const has = new Set<string>();
  let claims = false;
  let wakeAt: number | undefined;
  let room = view.withoutFiles === true ? 0 : FILE_ROOM;
  for (const { id, send } of record) {
    if (send !== undefined && !mine.has(id)) room -= fileBytes(send.message);
  }

  const keep = (item: InHand, holders: readonly string[]): void => {
    const { id } = item.left.entry.pending;
    const kept = keptSendOf(item.left, Math.max(0, room));
    if (kept === undefined) return;
    room -= fileBytes(kept.send.message);
    unkept.push(...kept.unkept);
    has.add(id);
    const binds = item.going && !view.letsGo;
    if (binds) claims = true;
    entries.push({
      id,
      holders: [...new Set([...holders, owner])],
      ...(binds ? { claim: renewed(view, claimOf(record, id)) } : {}),
      send: kept.send,
    });
  };
  const hasEnded = (id: string, item: InHand | undefined): boolean =>
    item === undefined && was.has(id);
  const end = (id: string, holders: readonly string[], doneAt: number): void => {
    const others = holders.filter((holder) => holder !== owner);
    const remembered = doneAt <= now && now - doneAt < REMEMBERED_MS;
    if (others.length > 0 && remembered) entries.push({ id, holders: others, doneAt });
  };

  for (const entry of record) {
    const { id, send, claim } = entry;
    const item = mine.get(id);
    mine.delete(id);
    const holders = entry.holders.filter((holder) => holder === owner || !view.isGone(holder));
    if (send === undefined) {
      if (item !== undefined) taken.push(id);
      end(id, holders, entry.doneAt ?? now);
    } else if (isBinding(claim, view) && !hasEnded(id, item)) {
      if (item !== undefined) taken.push(id);
      wakeAt = Math.min(wakeAt ?? claim.until, claim.until);
      entries.push({ id, holders: holders.filter((holder) => holder !== owner), claim, send });
    } else if (item !== undefined) {
      // Others have taken it and failed: here it is gone all the same, until it is taken in anew.
      if (lost.has(id)) {
        taken.push(id);
        entries.push({ ...entry, holders });
      } else keep(item, holders);
    } else if (hasEnded(id, item)) {
      end(id, holders, now);
    } else if (view.takesIn) {
      restored.push(send);
      entries.push({ id, holders: [...new Set([...holders, owner])], send });
    } else entries.push({ ...entry, holders });
  }
  for (const [id, item] of mine) {
    if (lost.has(id)) taken.push(id);
    else keep(item, []);
  }
  return { entries, has, taken, restored, unkept, claims, wakeAt };
}

const claimOf = (record: readonly KeptEntry[], id: string): KeptClaim | undefined =>
  record.find((entry) => entry.id === id)?.claim;

/** Whether somebody else's claim holds. One that reaches too far was not made by this clock. */
const isBinding = (claim: KeptClaim | undefined, view: KeptView): claim is KeptClaim =>
  claim !== undefined &&
  claim.by !== view.owner &&
  !view.isGone(claim.by) &&
  claim.until > view.now &&
  claim.until <= view.now + CLAIM_MS;

/** A claim is written anew only when a third of it is over, so that not every look is a write. */
const renewed = ({ owner, now }: KeptView, claim: KeptClaim | undefined): KeptClaim => {
  const left = claim?.by === owner ? claim.until - now : 0;
  const isFresh = left > (CLAIM_MS * 2) / 3 && left <= CLAIM_MS;
  return claim !== undefined && isFresh ? claim : { by: owner, until: now + CLAIM_MS };
};
