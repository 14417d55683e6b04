import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fileBytes, keptSendOf, leftoverOf, parseKeptSend } from '../../src/recovery/keptSend.ts';
import type { Leftover } from '../../src/recovery/leftover.ts';
import { fingerprint } from '../../src/recovery/messageIdentity.ts';
import type { Turn } from '../../src/recovery/model.ts';
import type { ChatMessage } from '../../src/recovery/ports.ts';
import { testTurn } from './fixtures.ts';

const ROOM = 1_000;

const message = (parts: readonly object[], more: object = {}): ChatMessage =>
  ({ id: 'm1', role: 'user', parts, ...more }) as unknown as ChatMessage;

const leftover = (
  sent: ChatMessage,
  change: Partial<Turn> = {},
  more: Partial<Leftover> = {},
): Leftover => {
  const turn = testTurn({ message: sent, ...change });
  const id = turn.kind === 'edit' ? `${sent.id}~x` : sent.id;
  return {
    entry: { pending: { id, message: { ...sent, id }, state: 'failed' }, turn, newKey: false },
    key: 'key-1',
    ...more,
  };
};

const text = { type: 'text', text: 'hello' };
const file = (filename: string, url: string) => ({
  ...{ type: 'file', mediaType: 'image/png', filename, url },
});
const data = (bytes: number): string => `data:image/png;base64,${'A'.repeat((bytes / 3) * 4)}`;

const kept = (left: Leftover, room = ROOM) => {
  const result = keptSendOf(left, room);
  if (result === undefined) throw new Error('nothing is kept of it');
  return result;
};
/** Through a store and back. */
const throughStore = (left: Leftover, room = ROOM) =>
  parseKeptSend(JSON.parse(JSON.stringify(kept(left, room).send)));

describe('what is kept of a pending message', () => {
  test('its act: key, kind, target, unclear fate, what stood before it', () => {
    const left = leftover(
      message([text]),
      { kind: 'edit', targetId: 'm1', unclear: true },
      { stood: ['a', 'b'] },
    );
    const send = throughStore(left);
    expect(send).toEqual({
      ...{ id: 'm1~x', kind: 'edit', message: message([text]), targetId: 'm1', key: 'key-1' },
      ...{ unclear: true, stood: ['a', 'b'] },
    });
    const back = send && leftoverOf(send);
    expect(back).toMatchObject({ key: 'key-1', stood: ['a', 'b'] });
    expect(back?.entry.pending).toEqual({
      id: 'm1~x',
      message: { ...message([text]), id: 'm1~x' },
      state: 'restored',
    });
    expect(back?.entry.turn).toMatchObject({
      ...{ kind: 'edit', targetId: 'm1', entryId: 'm1~x', unclear: true, accepted: false },
      message: message([text]),
    });
  });

  test('of what stood before it only the last names', () => {
    const stood = Array.from({ length: 50 }, (_, index) => `m${index}`);
    expect(kept(leftover(message([text]), {}, { stood })).send.stood).toEqual(stood.slice(30));
  });

  test('files in their order, as long as there is room; later ones that fit, too', () => {
    const parts = [
      file('a', data(600)),
      file('b', data(600)),
      text,
      file('c', data(300)),
      file('web', 'https://files.test/large'),
      file('page', 'blob:http://helix.test/1'),
      file('plain', `data:,${'x'.repeat(101)}`),
    ];
    const { send } = kept(leftover(message(parts)));
    expect(send.lostFiles).toEqual(['b', 'page', 'plain']);
    expect(send.message.parts).toEqual([parts[0], text, parts[3], parts[4]]);
    expect(send.print).toBe(fingerprint(message(parts)));
    expect(fileBytes(send.message)).toBe(900);
  });

  test('a lost file without a name goes by its type; what was lost before stays named', () => {
    const nameless = { type: 'file', mediaType: 'image/png', filename: '', url: data(3_000) };
    const { send } = kept(leftover(message([nameless, text])));
    expect(send.lostFiles).toEqual(['image/png']);
    expect(kept(leftoverOf(send)).send).toEqual(send);
  });

  test('text without end', () => {
    const long = { type: 'text', text: 'x'.repeat(3_000_000) };
    expect(throughStore(leftover(message([long])), 0)?.message.parts).toEqual([long]);
  });

  const cycle: Record<string, unknown> = {};
  cycle.self = [cycle, cycle];
  test.each<[string, unknown]>([
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['a function', () => {}],
    ['a big number', 1n],
    ['not a number', Number.NaN],
    ['a cycle', cycle],
    ['a class', new (class Thing {})()],
  ])('%s is named and left out, and the rest is kept', (_name, value) => {
    const left = leftover(
      message(
        [
          { type: 'data-thing', data: value },
          { ...text, providerMetadata: { x: value } },
          { ...file('a', data(3)), providerMetadata: { x: value } },
        ],
        { metadata: { value } },
      ),
      { request: { body: { value }, metadata: value, headers: {} } },
    );
    const { send, unkept } = kept(left);
    expect(send.message.parts).toEqual([text, file('a', data(3))]);
    expect(send.message.metadata).toBeUndefined();
    expect(send.request).toBeUndefined();
    expect(unkept.join('; ')).toMatch(/"data-thing".*"text".*"file".*a message.*body.*metadata/);
    expect(throughStore(left)).toEqual(send);
  });

  test('a text or a file that is malformed cannot make the rest unreadable', () => {
    const parts = [{ type: 'text', text: 7 }, { type: 'file', url: 'data:,' }, text];
    expect(throughStore(leftover(message(parts)))?.message.parts).toEqual([text]);
  });

  test('no header of a send but its key', () => {
    const headers = new Headers({ authorization: 'secret', 'x-helix-request-key': 'own-key' });
    const left = leftover(message([text]), { request: { headers, body: { a: 1 } } });
    const { send, unkept } = kept(left);
    expect(JSON.stringify(send)).not.toContain('secret');
    expect(send).toMatchObject({ key: 'own-key', ownKey: true, request: { body: { a: 1 } } });
    expect(unkept).toEqual(['the headers of a single send']);
    expect(leftoverOf(send).entry.turn.request).toEqual({
      body: { a: 1 },
      headers: { 'X-Helix-Request-Key': 'own-key' },
    });
  });

  test('nothing of an act without a message', () => {
    const left = leftover(message([text]));
    const turn = testTurn({ kind: 'regenerate', message: undefined });
    expect(keptSendOf({ ...left, entry: { ...left.entry, turn } }, ROOM)).toBeUndefined();
  });
});

const json = fc.jsonValue({ maxDepth: 3 });
const name = fc.string({ minLength: 1, maxLength: 30 });
const part = fc.oneof(
  fc.record({ type: fc.constant('text'), text: fc.string() }),
  fc.record({
    type: fc.constant('file'),
    mediaType: fc.constant('image/png'),
    filename: fc.string(),
    url: fc.oneof(
      fc.integer({ min: 0, max: 400 }).map((n) => `data:image/png;base64,${'A'.repeat(n)}`),
      fc.webUrl(),
      fc.constant('blob:x'),
    ),
  }),
  fc.record({ type: fc.constant('data-x'), data: json }),
);

test('whatever a message holds: what is written is read as it was written, and stays the same from then on', () => {
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 6 }),
      fc.option(json, { nil: undefined }),
      fc.option(fc.record({ body: json, metadata: json }), { nil: undefined }),
      fc.array(name, { maxLength: 4 }),
      fc.boolean(),
      fc.boolean(),
      (parts, metadata, request, stood, unclear, isEdit) => {
        const sent = message(parts, metadata === undefined ? {} : { metadata });
        const act = isEdit ? ({ kind: 'edit', targetId: 'm1' } as const) : {};
        const left = leftover(sent, { unclear, request, ...act }, { stood });
        const { send } = kept(left, 500);
        const written = JSON.stringify(send);
        const read = parseKeptSend(JSON.parse(written));
        expect(JSON.stringify(read)).toBe(written);
        expect(JSON.stringify(read && kept(leftoverOf(read), 500).send)).toBe(written);
        const texts = (list: readonly object[]) => list.filter((one) => 'text' in one);
        expect(texts(send.message.parts)).toEqual(texts(parts));
      },
    ),
  );
});

describe('what a store gives back', () => {
  const good = kept(leftover(message([text, file('a', data(3))]))).send;
  const withMessage = (change: object) => ({ ...good, message: { ...good.message, ...change } });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'send'],
    ['a list', [good]],
    ['no id', { ...good, id: undefined }],
    ['an id without end', { ...good, id: 'x'.repeat(3_000) }],
    ['an id that is not its message’s', { ...good, id: 'm2' }],
    ['another kind', { ...good, kind: 'regenerate' }],
    ['an edit without a target', { ...good, id: 'm1~x', kind: 'edit' }],
    ['an edit by the name of its message', { ...good, kind: 'edit', targetId: 'm1' }],
    ['a send with a target', { ...good, targetId: 'm1' }],
    ['a key that is none', { ...good, key: 'two words' }],
    ['names that are none', { ...good, stood: [1] }],
    ['lost files that are no list', { ...good, lostFiles: 'a.png' }],
    ['a request that is none', { ...good, request: 7 }],
    ['no message', { ...good, message: undefined }],
    ['a role that is none', withMessage({ role: 'tool' })],
    ['parts that are no list', withMessage({ parts: {} })],
    ['a part without a type', withMessage({ parts: [{}] })],
    ['a text that is none', withMessage({ parts: [{ type: 'text' }] })],
    [
      'a file that runs as a program',
      withMessage({ parts: [file('a', ' \u0001javascript:alert(1)')] }),
    ],
  ])('%s is no send', (_name, value) => {
    expect(parseKeptSend(value)).toBeUndefined();
  });

  test('a flag that is none is off, and unknown fields are not taken over', () => {
    expect(parseKeptSend({ ...good, unclear: 'yes', newKey: 1, extra: 'x' })).toEqual(good);
  });

  test('data too deep to walk through is no send', () => {
    const deep = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`);
    expect(parseKeptSend(withMessage({ metadata: deep }))).toBeUndefined();
  });

  test('a name that would reach into every object reaches into none', () => {
    const value = JSON.parse(
      JSON.stringify(good).replace('"parts"', '"metadata":{"__proto__":{"x":1}},"parts"'),
    );
    expect(parseKeptSend(value)).toBeDefined();
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});
