import { createManualStore, createManualWorld } from 'helix-chat/testing';
import { describe, expect, test } from 'vitest';

describe('a manual store', () => {
  test('is one storage to all its views, and tells of changes to all but the one that made them', () => {
    const store = createManualStore();
    const [a, b] = [store.view(), store.view()];
    const heard: string[] = [];
    const stop = a.watch?.('k', () => heard.push('a'));
    b.watch?.('k', () => heard.push('b'));
    a.set('k', 'one');
    expect(b.get('k')).toBe('one');
    a.set('k', 'one');
    a.set('other', 'x');
    expect(heard).toEqual(['b']);
    store.put('k', 'two');
    expect(heard).toEqual(['b', 'a', 'b']);
    stop?.();
    b.remove('k');
    expect(heard).toEqual(['b', 'a', 'b']);
    expect(a.get('k')).toBeNull();
    expect(store.keys()).toEqual(['other']);
    expect(store.watchers()).toBe(1);
  });

  test('that is full still reads and removes; one that throws does neither', () => {
    const store = createManualStore();
    const view = store.view();
    view.set('k', 'one');
    store.setTrouble('full');
    expect(() => view.set('k', 'two')).toThrow('quota');
    expect(view.get('k')).toBe('one');
    store.setTrouble('throws');
    expect(() => view.get('k')).toThrow('insecure');
    expect(() => view.remove('k')).toThrow('insecure');
    store.setTrouble(undefined);
    view.remove('k');
    expect(store.text('k')).toBeUndefined();
  });

  test('answers late where it is told to', async () => {
    const store = createManualStore();
    const world = createManualWorld();
    const view = store.slowView(world, 500);
    const done = view.set('k', 'one');
    await world.advance(499);
    expect(store.text('k')).toBeUndefined();
    await world.advance(1);
    await done;
    expect(store.text('k')).toBe('one');
    expect(await store.slowView(world).get('k')).toBe('one');
  });
});

test('worlds share the stores that they are given, and have empty ones of their own else', () => {
  const local = createManualStore();
  const [a, b] = [
    createManualWorld({ stores: { local } }),
    createManualWorld({ stores: { local } }),
  ];
  a.storage?.('local')?.set('k', 'shared');
  a.storage?.('session')?.set('k', 'own');
  expect(b.storage?.('local')?.get('k')).toBe('shared');
  expect(b.storage?.('session')?.get('k')).toBeNull();
  expect(a.storage?.('local')).toBe(a.storage?.('local'));
  expect(createManualWorld({ stores: null }).storage?.('local')).toBeUndefined();
});
