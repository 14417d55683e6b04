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

/** A send as it was at the last look, as text: as this chat has it, and as it stood in the record after that. */
export interface SeenSend {
  readonly own: string | undefined;
  readonly stood: string;
}

/** What one chat brings to a record. */
export interface KeptView {
  readonly owner: string;
  /** Wall-clock ms. */
  readonly now: number;
  readonly inHand: readonly InHand[];
  /** What was in hand, and in the record, when it was looked at last, by id: what is not in hand any more has ended. */
  readonly was: ReadonlyMap<string, SeenSend>;
  /** The ids that others have taken from this chat: shown again only when nobody claims them any more. */
  readonly lost: ReadonlySet<string>;
  /** The ids that this chat claims for a moment, since their text is about to be handed back. */
  readonly claiming: ReadonlySet<string>;
  /** Whether an owner is known to have gone. */
  isGone(owner: string): boolean;
  /** Claims are let go, since this page goes away. `for-good`: nobody comes back to hear what became of them. */
  readonly letsGo: false | 'for-now' | 'for-good';
  /** What nobody has claimed is taken in. */
  readonly takesIn: boolean;
  /** Keeps no files: the store is full. */
  readonly withoutFiles?: boolean;
}

/** What came of it. */
export interface KeptOutcome {
  readonly entries: readonly KeptEntry[];
  /** What is in hand and in the record, for the next look. */
  readonly has: ReadonlyMap<string, SeenSend>;
  /** The ids of those that another has posted meanwhile, without knowing whether they arrived. */
  readonly unclear: readonly string[];
  /** The ids that others have claimed, sent or taken back. */
  readonly taken: readonly string[];
  /** The ids of those that have been sent or taken back by now. */
  readonly ended: readonly string[];
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
  const ended: string[] = [];
  const restored: KeptSend[] = [];
  const unkept: string[] = [];
  const unclear: string[] = [];
  const has = new Map<string, SeenSend>();
  let claims = false;
  let wakeAt: number | undefined;
  let room = view.withoutFiles === true ? 0 : FILE_ROOM;
  for (const { id, send } of record) {
    if (send !== undefined && !mine.has(id)) room -= fileBytes(send.message);
  }

  /** `stands`: what the record has of it, perhaps by another chat that shows it too. */
  const keep = (item: InHand, holders: readonly string[], stands?: KeptSend): void => {
    const { id } = item.left.entry.pending;
    const kept = keptSendOf(item.left, Math.max(0, room));
    if (kept === undefined) return;
    unkept.push(...kept.unkept);
    const own = JSON.stringify(kept.send);
    const last = was.get(id);
    if (stands?.unclear && !item.unclear && last?.stood !== JSON.stringify(stands)) {
      unclear.push(id);
    }
    // Only what has changed here is written anew: two chats would answer each other's writes for ever.
    const send = stands !== undefined && own === last?.own ? stands : kept.send;
    room -= fileBytes(send.message);
    has.set(id, { own, stood: JSON.stringify(send) });
    const binds = (item.going || view.claiming.has(id)) && view.letsGo === false;
    if (binds) claims = true;
    entries.push({
      id,
      holders: held(holders),
      ...(binds ? { claim: renewed(view, claimOf(record, id)) } : {}),
      send,
    });
  };
  // In their order: two tabs that wrote it in different ones would answer each other's writes for ever.
  const held = (holders: readonly string[]): readonly string[] => {
    if (view.letsGo === 'for-good') return holders.filter((holder) => holder !== owner);
    return holders.includes(owner) ? holders : [...holders, owner];
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
      if (item !== undefined || entry.holders.includes(owner)) ended.push(id);
      end(id, holders, entry.doneAt ?? now);
    } else if (isBinding(claim, view) && !hasEnded(id, item)) {
      if (item !== undefined) taken.push(id);
      // Whoever showed it hears what becomes of it.
      const hears = item !== undefined || lost.has(id);
      wakeAt = Math.min(wakeAt ?? claim.until, claim.until);
      entries.push({ id, holders: hears ? held(holders) : holders, claim, send });
    } else if (item !== undefined) {
      // Others have taken it and failed: here it is gone all the same, until it is taken in anew.
      if (lost.has(id)) {
        taken.push(id);
        entries.push({ ...entry, holders });
      } else keep(item, holders, send);
    } else if (hasEnded(id, item)) {
      end(id, holders, now);
    } else if (view.takesIn || lost.has(id)) {
      restored.push(send);
      has.set(id, { own: undefined, stood: JSON.stringify(send) });
      entries.push({ id, holders: held(holders), send });
    } else entries.push({ ...entry, holders });
  }
  for (const [id, item] of mine) {
    if (lost.has(id)) taken.push(id);
    else keep(item, []);
  }
  return { entries, has, unclear, taken, ended, restored, unkept, claims, wakeAt };
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
