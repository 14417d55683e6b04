import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createClient } from 'redis';

const found = spawnSync('redis-server', ['--version']).status === 0;

/** Why tests on a real Redis cannot be played here; undefined where they can. */
export const NO_REDIS = found
  ? undefined
  : 'skipped: no redis-server here, apt-get install -y redis-server';

/** The name of a suite on a real Redis, with the reason where it is skipped. */
export const onRedis = (name: string): string => (NO_REDIS ? `${name} (${NO_REDIS})` : name);

/** A Redis of the test's own, on a port of its own, that keeps what it has acknowledged through a kill. */
export interface RedisServer {
  readonly url: string;
  /** Dies at once. */
  kill(): Promise<void>;
  /** Lives again, with what it had acknowledged. */
  revive(): Promise<void>;
  /** Takes connections, and answers nothing. */
  freeze(): void;
  thaw(): void;
  /** A connected client of it, closed with the server. */
  connect(): Promise<ReturnType<typeof newClient>>;
  /** Resolves when its clock has moved by so many ms. */
  elapse(ms: number): Promise<void>;
  close(): Promise<void>;
}

function newClient(url: string) {
  return createClient({
    url,
    disableOfflineQueue: true,
    socket: { reconnectStrategy: (retries) => Math.min(50 + retries * 50, 500) },
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

export async function startRedis(): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'helix-chat-redis-'));
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const clients: ReturnType<typeof newClient>[] = [];
  let process: ChildProcess;

  const revive = async () => {
    const where = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
    const safe = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'always'];
    process = spawn('redis-server', [...where, ...safe], { stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = createInterface({ input: process.stdout ?? ([] as never) });
    for await (const line of lines) if (line.includes('Ready to accept connections')) break;
    process.stdout?.resume();
  };
  const kill = async () => {
    const gone = once(process, 'exit');
    process.kill('SIGKILL');
    await gone;
  };
  const connect = async () => {
    const client = newClient(url);
    client.on('error', () => {});
    await client.connect();
    clients.push(client);
    return client;
  };

  await revive();
  const clock = await connect();
  const now = async () => {
    const [seconds, micros] = (await clock.sendCommand(['TIME'])) as unknown as [string, string];
    return Number(seconds) * 1_000 + Number(micros) / 1_000;
  };
  return {
    url,
    kill,
    revive,
    freeze: () => void process.kill('SIGSTOP'),
    thaw: () => void process.kill('SIGCONT'),
    connect,
    async elapse(ms) {
      const end = (await now()) + ms;
      while ((await now()) < end) await new Promise((resolve) => setTimeout(resolve, 1));
    },
    async close() {
      for (const client of clients) client.destroy();
      process.kill('SIGCONT');
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
