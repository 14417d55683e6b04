import * as entry from 'helix-chat/adapters';
import { expect, test } from 'vitest';

test('the entry is a plain list: the five contracts, and all of them in the order in which they are asked', () => {
  const { allAdapters, ...named } = entry;
  expect(Object.keys(named).sort()).toEqual([
    'deuzAdapter',
    'falaiAdapter',
    'providerBodyAdapter',
    'vercelAdapter',
    'vernAdapter',
  ]);
  const { deuzAdapter, falaiAdapter, vernAdapter, vercelAdapter, providerBodyAdapter } = named;
  expect(allAdapters).toEqual([
    ...[deuzAdapter, falaiAdapter, vernAdapter, vercelAdapter],
    providerBodyAdapter,
  ]);
});
