import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  CLAIM_MS,
  type KeptEntry,
  type KeptView,
  keptNameOf,
  parseKeptRecord,
  reconcile,
  writeKeptRecord,
} from '../../src/recovery/keptRecord.ts';
import { leftoverOf } from '../../src/recovery/keptSend.ts';
import type { InHand } from '../../src/recovery/leftover.ts';
import { testTurn, textMessage } from './fixtures.ts';

const place = { endpoint: '/api/chat', chatId: 'c1' };
const NOW = 1_000_000;
const DAY = 86_400_000;

const item = (id: string, going = false, unclear = false): InHand => {
  const message = textMessage(id, `text of ${id}`);
  return {
    left: {
      entry: {
        pending: { id, message, state: 'failed' },
        turn: testTurn({ message, unclear }),
        newKey: false,
      },
      key: `key-${id}`,
    },
    going,
    unclear,
  };
};

const view = (
  owner: string,
  inHand: readonly InHand[],
  change: Partial<KeptView> = {},
): KeptView => ({
  owner,
  now: NOW,
  inHand,
  was: new Map(),
  lost: new Set(),
  claiming: new Set(),
  isGone: () => false,
  letsGo: false,
  takesIn: false,
  ...change,
});

const ids = (entries: readonly KeptEntry[]) => entries.map(({ id }) => id);
const takesIn = true;

describe('what several chats make of one record', () => {
  test('what is in hand is written; what goes by itself is claimed', () => {
    const { entries, claims } = reconcile([], view('a', [item('1'), item('2', true)]));
    expect(entries.map(({ id, holders, claim }) => [id, holders, claim])).toEqual([
      ['1', ['a'], undefined],
      ['2', ['a'], { by: 'a', until: NOW + CLAIM_MS }],
    ]);
    expect(claims).toBe(true);
  });

  test('what is not in hand any more is gone', () => {
    const first = reconcile([], view('a', [item('1'), item('2')]));
    const next = reconcile(first.entries, view('a', [item('2')], { was: first.has }));
    expect(ids(next.entries)).toEqual(['2']);
  });

  test('what nobody claims is taken in, and its end is told to whoever shows it', () => {
    const a = reconcile([], view('a', [item('1')]));
    const b = reconcile(a.entries, view('b', [], { takesIn }));
    expect(b.restored.map(({ id }) => id)).toEqual(['1']);
    const ended = reconcile(b.entries, view('b', [], { was: b.has }));
    expect(ended.entries).toEqual([{ id: '1', holders: ['a'], doneAt: NOW }]);
    const told = reconcile(ended.entries, view('a', [item('1')], { was: a.has }));
    expect(told.taken).toEqual(['1']);
    expect(told.ended).toEqual(['1']);
    expect(told.entries).toEqual([]);
  });

  test('what another one claims is left alone until its claim runs out', () => {
    const a = reconcile([], view('a', [item('1', true)]));
    const early = reconcile(a.entries, view('b', [], { takesIn }));
    expect(early.restored).toEqual([]);
    expect(early.wakeAt).toBe(NOW + CLAIM_MS);
    const late = reconcile(early.entries, view('b', [], { takesIn, now: NOW + CLAIM_MS }));
    expect(late.restored.map(({ id }) => id)).toEqual(['1']);
  });

  test('a claim of one that has gone, or that reaches further than any claim, binds nobody', () => {
    const a = reconcile([], view('a', [item('1', true)]));
    const gone = reconcile(a.entries, view('b', [], { takesIn, isGone: () => true }));
    expect(gone.restored).toHaveLength(1);
    const claim = { by: 'a', until: NOW + CLAIM_MS + 1 };
    const far = a.entries.map((entry) => ({ ...entry, claim }));
    expect(reconcile(far, view('b', [], { takesIn })).restored).toHaveLength(1);
  });

  test('a claim is renewed when a third of it is over, not before', () => {
    const hand = [item('1', true)];
    const a = reconcile([], view('a', hand));
    const third = NOW + CLAIM_MS / 3;
    const soon = reconcile(a.entries, view('a', hand, { was: a.has, now: third - 1 }));
    expect(soon.entries).toEqual(a.entries);
    const later = reconcile(a.entries, view('a', hand, { was: a.has, now: third }));
    expect(later.entries[0]?.claim?.until).toBe(third + CLAIM_MS);
  });

  test('what another one has claimed leaves the hand, and comes back when that one could not send it', () => {
    const a = reconcile([], view('a', [item('1')]));
    const b = reconcile(a.entries, view('b', [], { takesIn }));
    const claimed = reconcile(b.entries, view('b', [item('1', true)], { was: b.has }));
    const without = reconcile(claimed.entries, view('a', [item('1')], { was: a.has }));
    expect(without.taken).toEqual(['1']);
    const tried = [item('1', false, true)];
    const failed = reconcile(without.entries, view('b', tried, { was: claimed.has }));
    const lost = new Set(['1']);
    const back = reconcile(failed.entries, view('a', [], { was: without.has, lost }));
    expect(back.restored).toMatchObject([{ id: '1', unclear: true }]);
  });

  test('one that did not hear of the other’s try learns that the message may have arrived, once', () => {
    const a = reconcile([], view('a', [item('1')]));
    const b = reconcile(a.entries, view('b', [], { takesIn }));
    const tried = [item('1', false, true)];
    const failed = reconcile(b.entries, view('b', tried, { was: b.has }));
    const looked = reconcile(failed.entries, view('a', [item('1')], { was: a.has }));
    expect(looked.unclear).toEqual(['1']);
    expect(looked.entries).toEqual(failed.entries);
    const again = view('a', [item('1', true)], { was: looked.has });
    expect(reconcile(looked.entries, again).unclear).toEqual([]);
  });

  test('what became unclear and clear again here is no news', () => {
    const out = reconcile([], view('a', [item('1', true, true)]));
    const held = reconcile(out.entries, view('a', [item('1', true, false)], { was: out.has }));
    expect(held.unclear).toEqual([]);
    expect(held.entries[0]?.send?.unclear).toBeUndefined();
  });

  test('a page that goes away lets its claims go; one that goes for good is told nothing any more', () => {
    const hand = [item('1', true)];
    const a = reconcile([], view('a', hand));
    const holdersAndClaim = (letsGo: KeptView['letsGo']) =>
      reconcile(a.entries, view('a', hand, { was: a.has, letsGo })).entries.map(
        ({ holders, claim }) => [holders, claim],
      );
    expect(holdersAndClaim('for-now')).toEqual([[['a'], undefined]]);
    expect(holdersAndClaim('for-good')).toEqual([[[], undefined]]);
  });

  test('an end is remembered for a day, and not for one that has gone', () => {
    const done: KeptEntry[] = [{ id: '1', holders: ['x'], doneAt: NOW }];
    const at = (now: number, isGone = false) =>
      reconcile(done, view('a', [], { now, isGone: () => isGone })).entries;
    expect(at(NOW + DAY - 1)).toEqual(done);
    expect(at(NOW + DAY)).toEqual([]);
    expect(at(NOW, true)).toEqual([]);
    // A clock that went back, or a stranger's time.
    expect(at(NOW - 1)).toEqual([]);
  });

  test('files of all sends share one room', () => {
    const big = (id: string): InHand => {
      const { left, ...rest } = item(id);
      const url = `data:image/png;base64,${'A'.repeat(800_000)}`;
      const parts = [{ type: 'file', mediaType: 'image/png', filename: id, url }];
      const message = { ...textMessage(id, ''), parts };
      return { left: { ...left, entry: { ...left.entry, turn: testTurn({ message }) } }, ...rest };
    };
    const lostFiles = (entries: readonly KeptEntry[]) => entries.map(({ send }) => send?.lostFiles);
    const first = reconcile([], view('a', [big('1'), big('2')]));
    expect(lostFiles(first.entries)).toEqual([undefined, ['2']]);
    const other = reconcile(first.entries, view('b', [big('3')]));
    expect(lostFiles(other.entries)).toEqual([undefined, ['2'], ['3']]);
  });
});

/** A chat that looks at a shared record as `createKeptSends` does. */
class Tab {
  readonly name: string;
  hand: InHand[];
  was: KeptView['was'] = new Map();
  readonly lost = new Set<string>();

  constructor(name: string, hand: InHand[]) {
    this.name = name;
    this.hand = hand;
  }

  look(record: readonly KeptEntry[], isFirst: boolean): readonly KeptEntry[] {
    const { lost, was } = this;
    const seen = reconcile(record, view(this.name, this.hand, { lost, was, takesIn: isFirst }));
    this.was = seen.has;
    for (const id of seen.taken) lost.add(id);
    this.hand = this.hand.filter(({ left }) => !seen.taken.includes(left.entry.pending.id));
    for (const send of seen.restored) {
      lost.delete(send.id);
      this.hand.push({ left: leftoverOf(send), going: false, unclear: send.unclear ?? false });
    }
    return seen.entries;
  }
}

test('tabs that answer each other’s writes come to rest, and every text is in the record and in a hand', () => {
  const hand = fc.uniqueArray(
    fc.tuple(fc.constantFrom('1', '2', '3'), fc.boolean(), fc.boolean()),
    { selector: ([id]) => id },
  );
  fc.assert(
    fc.property(fc.array(hand, { minLength: 2, maxLength: 3 }), (hands) => {
      const tabs = hands.map(
        (held, index) =>
          new Tab(
            `t${index}`,
            held.map((one) => item(...one)),
          ),
      );
      const wanted = new Set(hands.flatMap((held) => held.map(([id]) => id)));
      let record: readonly KeptEntry[] = [];
      let isQuiet = false;
      for (let round = 0; round < 6 && !isQuiet; round += 1) {
        const before = JSON.stringify(record);
        for (const tab of tabs) {
          const text = writeKeptRecord(place, tab.look(record, round === 0));
          record = parseKeptRecord(text, place).entries;
        }
        isQuiet = JSON.stringify(record) === before;
      }
      expect(isQuiet).toBe(true);
      expect(new Set(ids(record))).toEqual(wanted);
      const inHands = tabs.flatMap((tab) => tab.hand.map(({ left }) => left.entry.pending.id));
      expect(new Set(inHands)).toEqual(wanted);
    }),
    { numRuns: 500 },
  );
});

describe('a record', () => {
  const { entries } = reconcile([], view('a', [item('1', true), item('2')]));
  const text = writeKeptRecord(place, entries);

  test('is read as it was written', () => {
    expect(parseKeptRecord(text, place)).toEqual({ entries, bad: false, foreign: false });
  });

  test('has a name that no other chat or endpoint has', () => {
    const places = [
      place,
      { ...place, chatId: 'c2' },
      { ...place, endpoint: '/api' },
      { endpoint: '/api/chat","c1', chatId: '' },
      { endpoint: '', chatId: '/api/chat","c1' },
    ];
    expect(new Set(places.map(keptNameOf)).size).toBe(places.length);
  });

  test.each<[string, unknown, boolean]>([
    ['no text', 7, false],
    ['an object', { v: 1 }, false],
    ['no JSON', '{', false],
    ['another value', '[]', false],
    ['too long', `"${'x'.repeat(10_000_001)}"`, false],
    ['of another version', text.replace('"v":1', '"v":2'), true],
    ['of another chat', writeKeptRecord({ ...place, chatId: 'c2' }, entries), true],
    ['of another endpoint', writeKeptRecord({ ...place, endpoint: '/x' }, entries), true],
    ['of entries that are no list', text.replace(/"entries":.*/, '"entries":{}}'), false],
    ['too deep', '['.repeat(100_000), false],
  ])('that is %s holds nothing', (_name, value, foreign) => {
    expect(parseKeptRecord(value, place)).toEqual({ entries: [], bad: true, foreign });
  });

  test('that is absent is no trouble', () => {
    for (const value of [null, undefined]) {
      expect(parseKeptRecord(value, place)).toEqual({ entries: [], bad: false, foreign: false });
    }
  });

  const withFirst = (change: object): string =>
    JSON.stringify({ ...JSON.parse(text), entries: [{ ...entries[0], ...change }, entries[1]] });

  test.each<[string, object]>([
    ['no holders', { holders: undefined }],
    ['holders that are none', { holders: [7] }],
    ['a send of another name', { id: '9' }],
    ['a send that is none', { send: { id: '1' } }],
    ['neither send nor end', { send: undefined }],
  ])('loses an entry with %s, and keeps the others', (_name, change) => {
    expect(parseKeptRecord(withFirst(change), place)).toEqual({
      entries: [entries[1]],
      bad: true,
      foreign: false,
    });
  });

  test('with a claim that cannot be read is claimed by nobody', () => {
    const read = parseKeptRecord(withFirst({ claim: { by: 7, until: 'later' } }), place);
    expect(read.bad).toBe(false);
    expect(read.entries[0]?.claim).toBeUndefined();
  });

  test('of any value, and with anything in the place of any part of it, is read without a throw and leads to a sound one', () => {
    const whole = JSON.parse(text) as object;
    /** Something else in the place of one of its parts. */
    const mangled = fc.tuple(fc.integer({ min: 0, max: 60 }), fc.jsonValue()).map(([at, value]) => {
      let index = 0;
      return JSON.stringify(whole, (_key, inner: unknown) => {
        index += 1;
        return index === at + 1 ? value : inner;
      });
    });
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.json(), mangled), (value) => {
        const read = parseKeptRecord(value, place);
        const seen = reconcile(read.entries, view('b', [item('own')], { takesIn }));
        for (const send of seen.restored) leftoverOf(send);
        const again = parseKeptRecord(writeKeptRecord(place, seen.entries), place);
        expect(again).toMatchObject({ bad: false, foreign: false });
        expect(ids(again.entries)).toContain('own');
      }),
      { numRuns: 1_000 },
    );
  });
});
