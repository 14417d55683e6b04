import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFaultServer } from '../../src/testing/faultServer.ts';
import { toNodeHandler } from '../../src/testing/nodeHandler.ts';
import { wordReply } from '../../src/testing/wordReply.ts';
import { systemWorld } from '../../src/world.ts';
import { createFileStore } from './fileStore.ts';
import { idsOnly } from './idsOnly.ts';

/** What a server process is started with, as JSON in its first argument. Times in ms. */
export interface ServeOptions {
  readonly folder: string;
  readonly keys: boolean;
  readonly wordMs: number;
  readonly leaseMs: number;
  readonly keepAliveMs: number;
}

/** What a server process says to who started it. */
export type ServerWord = { readonly port: number } | { readonly settled: boolean };

/** A chat server in a process of its own, until that is killed or left alone. */
async function serve(options: ServeOptions): Promise<void> {
  const { folder, keys, wordMs, leaseMs, keepAliveMs } = options;
  const world = systemWorld();
  const store = await createFileStore(folder);
  const server = createFaultServer({
    store,
    leaseMs,
    keepAliveMs,
    reply: (context) => wordReply(world, context, { wordMs }),
  });
  const http = createServer(toNodeHandler(keys ? server.handle : idsOnly(server.handle, store)));
  const tell = (word: ServerWord) => process.send?.(word);
  process.on('disconnect', () => process.exit());
  process.on('message', () => tell({ settled: server.settled() }));
  http.listen(0, '127.0.0.1', () => tell({ port: (http.address() as AddressInfo).port }));
}

await serve(JSON.parse(process.argv[2] ?? '') as ServeOptions);
