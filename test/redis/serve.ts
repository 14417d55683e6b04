import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createChatRoute, createRedisStore } from 'helix-chat/server';
import { toNodeHandler, wordReply } from 'helix-chat/testing';
import { createClient } from 'redis';
import { systemWorld } from '../../src/world.ts';

/** What a server process is started with, as JSON in its first argument. Times in ms. */
export interface ServeOptions {
  readonly url: string;
  readonly wordMs: number;
  readonly leaseMs: number;
  readonly commandMs: number;
}

/** A chat server on a Redis that others share, in a process of its own, until that is killed or left alone. */
async function serve({ url, wordMs, leaseMs, commandMs }: ServeOptions): Promise<void> {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { reconnectStrategy: (retries) => Math.min(50 + retries * 50, 500) },
  });
  client.on('error', () => {});
  await client.connect();
  const route = createChatRoute({
    store: createRedisStore(client, { commandMs }),
    leaseMs,
    reply: (context) => wordReply(systemWorld(), context, { wordMs }),
    onError: () => {},
  });
  const http = createServer(toNodeHandler(route));
  process.on('disconnect', () => process.exit());
  http.listen(0, '127.0.0.1', () => process.send?.((http.address() as AddressInfo).port));
}

await serve(JSON.parse(process.argv[2] ?? '') as ServeOptions);
