import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findMessage, fingerprint, mergeSnapshot } from '../../src/recovery/messageIdentity.ts';
import type { ChatMessage } from '../../src/recovery/ports.ts';
import { runs } from '../setup/runs.ts';
import { textMessage } from './fixtures.ts';

const u = (id: string, text: string) => textMessage(id, text);
const a = (id: string, text: string) => textMessage(id, text, 'assistant');

describe('finding a message in a server list', () => {
  test('the same id and the same text is found', () => {
    expect(findMessage([u('1', 'hi')], u('1', 'hi'), [], new Map())).toBe(0);
  });
  test('the same id with another text is an older version, not found', () => {
    expect(findMessage([u('1', 'hi')], u('1', 'hello'), [], new Map())).toBe(-1);
  });
  test('a renamed message is found behind the last shared one', () => {
    const local = [u('1', 'hi'), a('2', 'yes'), u('3', 'hi')];
    const server = [u('1', 'hi'), a('2', 'yes'), u('s9', 'hi')];
    expect(findMessage(server, u('3', 'hi'), local, new Map())).toBe(2);
  });
  test('an equal text before the last shared message is another message', () => {
    const local = [u('1', 'hi'), a('2', 'yes'), u('3', 'hi')];
    expect(findMessage([u('1', 'hi'), a('2', 'yes')], u('3', 'hi'), local, new Map())).toBe(-1);
  });
  test('one that arrived when it was first sent is found before what came on the screen since', () => {
    const local = [u('2', 'later'), a('3', 'yes'), u('1', 'hi')];
    const server = [u('s1', 'hi'), a('s2', 'well'), u('s3', 'later'), a('3', 'yes')];
    expect(findMessage(server, u('1', 'hi'), local, new Map())).toBe(-1);
    expect(findMessage(server, u('1', 'hi'), local, new Map(), new Set())).toBe(0);
  });
  test('a server message that already stands for another local one is not taken twice', () => {
    const local = [u('1', 'hi'), u('3', 'hi')];
    const server = [u('s1', 'hi')];
    expect(findMessage(server, u('3', 'hi'), local, new Map([['s1', '1']]))).toBe(-1);
  });
  test('with history on both sides and nothing shared, it is in doubt and so not found', () => {
    const local = [u('1', 'a'), a('2', 'b'), u('3', 'hi')];
    expect(findMessage([u('s1', 'x'), u('s2', 'hi')], u('3', 'hi'), local, new Map())).toBe(-1);
  });
  test('files count by name, type and length', () => {
    const file = (url: string): ChatMessage =>
      ({
        id: '1',
        role: 'user',
        parts: [{ type: 'file', filename: 'a.csv', mediaType: 'text/csv', url }],
      }) as unknown as ChatMessage;
    expect(fingerprint(file('data:,abc'))).toBe(fingerprint(file('data:,xyz')));
    expect(fingerprint(file('data:,abc'))).not.toBe(fingerprint(file('data:,abcd')));
  });
});

describe('putting a snapshot', () => {
  test('unchanged messages stay the same objects', () => {
    const local = [u('1', 'hi'), a('2', 'yes')];
    const merged = mergeSnapshot(local, [u('1', 'hi'), a('2', 'yes')], new Map());
    expect(merged[0]).toBe(local[0]);
    expect(merged[1]).toBe(local[1]);
  });
  test('part state, provider metadata, key order and undefined do not make a message another', () => {
    const local = [
      { id: '1', role: 'assistant', parts: [{ type: 'text', text: 'x', state: 'done' }] },
    ] as unknown as ChatMessage[];
    const server = [
      {
        id: '1',
        role: 'assistant',
        parts: [{ text: 'x', type: 'text', providerMetadata: { a: 1 }, extra: undefined }],
      },
    ] as unknown as ChatMessage[];
    expect(mergeSnapshot(local, server, new Map())[0]).toBe(local[0]);
  });
  test('local metadata survives a snapshot that carries none', () => {
    const local = [{ ...a('1', 'x'), metadata: { starred: true } }];
    const merged = mergeSnapshot(local, [a('1', 'xy')], new Map());
    expect(merged[0]).toMatchObject({ metadata: { starred: true }, parts: [{ text: 'xy' }] });
  });
  test('a local tool answer that the server has not seen stays', () => {
    const call = (state: string, output?: string) =>
      ({
        id: '1',
        role: 'assistant',
        parts: [{ type: 'tool-ask', toolCallId: 'c1', state, input: {}, output }],
      }) as unknown as ChatMessage;
    const merged = mergeSnapshot(
      [call('output-available', 'blue')],
      [call('input-available')],
      new Map(),
    );
    expect(merged[0]?.parts[0]).toMatchObject({ state: 'output-available', output: 'blue' });
  });
  test('an answered call of the server replaces an open local one', () => {
    const call = (state: string) =>
      ({
        id: '1',
        role: 'assistant',
        parts: [{ type: 'tool-ask', toolCallId: 'c1', state, input: {} }],
      }) as unknown as ChatMessage;
    const merged = mergeSnapshot([call('input-available')], [call('output-available')], new Map());
    expect(merged[0]?.parts[0]).toMatchObject({ state: 'output-available' });
  });
  test('a renaming server keeps the local ids, now and later', () => {
    const renamed = new Map<string, string>();
    const local = [u('1', 'hi'), a('2', 'yes')];
    const server = [u('s1', 'hi'), a('s2', 'yes'), u('s3', 'more')];
    expect(mergeSnapshot(local, server, renamed).map((m) => m.id)).toEqual(['1', '2', 's3']);
    expect(mergeSnapshot(local, server, renamed).map((m) => m.id)).toEqual(['1', '2', 's3']);
  });
  test('the result always says what the server says, whatever ids it uses', () => {
    const text = fc.constantFrom('a', 'b', 'c');
    const list = (prefix: string) =>
      fc
        .array(fc.tuple(fc.constantFrom('user', 'assistant'), text), { maxLength: 6 })
        .map((items) =>
          items.map(([role, content], index) => textMessage(`${prefix}${index}`, content, role)),
        );
    fc.assert(
      fc.property(list('l'), fc.oneof(list('l'), list('s')), (local, server) => {
        const merged = mergeSnapshot(local, server, new Map());
        expect(merged.map(fingerprint)).toEqual(server.map(fingerprint));
        expect(new Set(merged.map((m) => m.id)).size).toBe(merged.length);
      }),
      { numRuns: runs(2_000) },
    );
  });
});
